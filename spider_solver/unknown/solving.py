"""``solve_orders``: a search for each order of the unknown cards, or for a sample of the orders.

A solution that a search finds is tried on all orders at once (``lines``). The orders that it wins
need no search of their own.

The searches may run in several threads. Their results are taken one by one, by the index of the
order. The result of a search is dropped if an earlier solution wins its order. So the result is the
same for any number of threads, unless a limit on time or memory ends a search.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, replace

from .. import solver
from ..deal import Deal
from ..game import Action
from ..memory import default_memory
from ..result import Limits, Progress, Result, Verdict
from ..searches import Announce, load_searches
from .lines import orders_won
from .orders import Order, all_orders, order_count, sample_orders, with_order
from .results import OrderResult, OrdersResult

MAX_ORDERS = 5040  # the orders of seven different cards
SAMPLES = 100
# The widest beam for an order of a sample. For positions of native:1 to native:5 after 40 to 120
# actions, with all hidden cards unknown, a sample of 100 took up to 20 s with this width, and up
# to 61 s with 4096, which decided at most two orders more.
SAMPLE_WIDTH = 1024


@dataclass(frozen=True, slots=True)
class OrdersLimits:
    """Which orders are searched. Raises ValueError if a number is below 1."""

    max_orders: int = MAX_ORDERS  # with more orders than this, a random sample is searched
    samples: int = SAMPLES  # orders in a sample
    seed: int = 0  # of the sample
    jobs: int = 1  # threads that search at the same time; they do not change the result

    def __post_init__(self) -> None:
        """Check the numbers."""
        if min(self.max_orders, self.samples, self.jobs) < 1:
            raise ValueError("max_orders, samples and jobs: expected numbers above zero")


@dataclass(frozen=True, slots=True)
class OrdersProgress:
    """The progress of ``solve_orders``."""

    done: int  # orders with a result
    total: int  # orders in all, or in the sample
    won: int  # orders that are won so far


OnOrdersProgress = Callable[[OrdersProgress], None]


class _Dropped(Exception):
    """The result of a search is not needed any more."""


def solve_orders(
    deal: Deal,
    limits: Limits | None = None,
    orders_limits: OrdersLimits | None = None,
    progress: OnOrdersProgress | None = None,
    announce: Announce | None = None,
    prove: bool = False,
) -> OrdersResult:
    """Search for solutions of a deal with unknown cards, for each order of these cards.

    If there are more than ``orders_limits.max_orders`` orders, a random sample is searched.

    limits: of each search, except for the time limit, which is for all searches together; the
    memory is shared by the searches that run at the same time. None: the defaults; for a sample,
    beams of at most SAMPLE_WIDTH states a level. progress: called after each result. announce and
    prove: as for ``solver.solve``. Ctrl-C raises KeyboardInterrupt.

    Raises ValueError if no card is unknown, and otherwise the errors of ``solver.solve``.
    """
    if not deal.unknown:
        raise ValueError("the deal has no unknown cards")
    chosen = orders_limits or OrdersLimits()
    total = order_count(deal)
    sampled = total > chosen.max_orders
    if limits is None:
        limits = Limits(max_width=SAMPLE_WIDTH) if sampled else Limits()
    orders = list(sample_orders(deal, chosen.samples, chosen.seed) if sampled else all_orders(deal))
    load_searches(announce)
    searches = _Searches(deal, orders, limits, chosen.jobs, progress, announce, prove)
    return searches.run(total, chosen.seed if sampled else None)


class _Searches:
    """One call of ``solve_orders``."""

    def __init__(
        self,
        deal: Deal,
        orders: list[Order],
        limits: Limits,
        jobs: int,
        progress: OnOrdersProgress | None,
        announce: Announce | None,
        prove: bool,
    ) -> None:
        self._deal = deal
        self._orders = orders
        self._limits = limits
        self._jobs = jobs
        self._progress = progress
        self._announce = announce
        self._prove = prove
        self._results: list[OrderResult | None] = [None] * len(orders)
        self._common_solution: tuple[Action, ...] | None = None
        self._start = time.perf_counter()
        self._ended = threading.Event()  # no search may go on

    def run(self, total: int, seed: int | None) -> OrdersResult:
        """Search all orders. total: the number of orders of the deal. seed: of the sample."""
        with ThreadPoolExecutor(self._jobs) as pool:
            try:
                self._take_results(pool)
            finally:
                self._ended.set()
        return OrdersResult(
            deal=self._deal,
            order_count=total,
            seed=seed,
            results=tuple(result for result in self._results if result is not None),
            common_solution=self._common_solution,
            seconds=time.perf_counter() - self._start,
        )

    def _take_results(self, pool: ThreadPoolExecutor) -> None:
        """Start the searches, and take their results in the order of the orders."""
        running: dict[int, Future[OrderResult]] = {}  # by the index of the order, lowest first
        upcoming = iter(range(len(self._orders)))
        while True:
            while len(running) < self._jobs:
                index = next((i for i in upcoming if self._results[i] is None), None)
                if index is None:
                    break
                running[index] = pool.submit(self._search, index)
            if not running:
                return
            index = next(iter(running))
            search = running.pop(index)
            if self._results[index] is None:  # otherwise an earlier solution wins this order
                self._take(index, search.result())

    def _take(self, index: int, result: OrderResult) -> None:
        """Take the result of a search, and give its solution to all orders that it wins."""
        self._results[index] = result
        if result.verdict is Verdict.WON:
            won = orders_won(self._deal, result.actions, self._orders)
            if len(won) == len(self._orders):
                self._common_solution = result.actions
            for other in won:
                if self._results[other] is None:
                    self._results[other] = replace(
                        result, order=self._orders[other], searched=False, states=0
                    )
        if self._progress is not None:
            found = [one for one in self._results if one is not None]
            won_count = sum(one.verdict is Verdict.WON for one in found)
            self._progress(OrdersProgress(len(found), len(self._orders), won_count))

    def _search(self, index: int) -> OrderResult:
        """Search one order. This runs in a thread of the pool."""
        order = self._orders[index]
        limits = self._limits_of_next()
        if limits is None:
            reason = f"the time limit of {self._limits.time_limit:g} s was reached"
            return OrderResult(order, Verdict.UNDECIDED, (), reason, searched=False)

        def stop_if_dropped(now: Progress) -> None:
            if self._ended.is_set() or self._results[index] is not None:
                raise _Dropped

        result = solver.solve(
            with_order(self._deal, order),
            limits,
            stop_if_dropped,
            self._announce,
            self._prove,
            quick=True,
        )
        return _order_result(order, result)

    def _limits_of_next(self) -> Limits | None:
        """Return the limits of a search that starts now; None if the time is up."""
        limits = self._limits
        if self._jobs > 1:
            memory = (limits.max_memory or default_memory()) // self._jobs
            limits = replace(limits, max_memory=max(memory, 1))
        if limits.time_limit is None:
            return limits
        left = limits.time_limit - (time.perf_counter() - self._start)
        return replace(limits, time_limit=left) if left > 0 else None


def _order_result(order: Order, result: Result) -> OrderResult:
    return OrderResult(order, result.verdict, result.actions, result.reason, states=result.states)
