"""Shortening a solution: ``shorten`` searches for shorter and shorter ones until a limit.

A beam search that counts each action starts from the deal, and others start from positions on the
best solution known, each with the actions up to there kept. Each of them keeps only states that
can still lead to a shorter solution (bound.py), and looks for shorter ways to later positions of
the best solution as well. After the last row, a complete search keeps all such states. If it ends,
the actions after the last row cannot be fewer; and if no row was left at the start, the solution
is proved to be the shortest.

The searches run in rounds of growing width. Within a round they run in batches: all searches of a
batch start from the same best solution, so they can run at the same time. The very first one runs
alone, as the others are better started from its solution. The results of a batch are taken in
order. With a limit on states the result is the same on every machine and for any number
of jobs. More states or more time never give a longer solution.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from itertools import islice

from .bound import least_actions
from .budget import Budget
from .deal import Deal
from .game import Action, Row
from .memory import default_memory
from .result import Limits, Result, Shortening, ShorteningLimits, Verdict
from .searches import Announce, FoundLine, LineSearch, load_searches, search_shorter_line
from .simplify import simplify
from .solver import with_solution

FIRST_WIDTH = 1200  # of the searches of the first round
WIDENING = 4  # each round is so many times as wide as the one before
MAX_WIDTH = 1 << 22
BATCH = 2  # searches that start from the same best solution
# Where on the best solution the searches of a round start, as parts of its length.
STARTS = (0.3, 0.5, 0.15, 0.65, 0.4, 0.22, 0.8, 0.08, 0.58)
DEFAULT_SECONDS = 5.0

OnGain = Callable[[int, int], None]  # called with the actions and the score of a shorter solution


def shorten(
    deal: Deal,
    result: Result,
    limits: ShorteningLimits | None = None,
    on_gain: OnGain | None = None,
    announce: Announce | None = None,
) -> Result:
    """Search for shorter solutions of a deal, until a limit or until a proof that none is shorter.

    result: of ``solver.solve`` for the deal. It is returned as it is if it has no solution.
    Otherwise the result has the shortest solution found, and the field ``shortening``. limits:
    None for DEFAULT_SECONDS. on_gain: called for each shorter solution. announce: as for
    ``solver.solve``. Ctrl-C ends the search; the solutions found until then count.

    Raises InternalError if a solution fails its replay on the plain rules.
    """
    if result.verdict is not Verdict.WON:
        return result
    load_searches(announce)
    return _Shortener(deal, result, limits or ShorteningLimits(DEFAULT_SECONDS), on_gain).run()


class _Shortener:
    """One call of ``shorten``."""

    def __init__(
        self, deal: Deal, result: Result, limits: ShorteningLimits, on_gain: OnGain | None
    ) -> None:
        self._start = time.perf_counter()
        self._deal = deal
        self._first_length = len(result.actions)
        self._result = result  # with the best solution
        self._limits = limits
        self._on_gain = on_gain
        self._at_least = least_actions(deal)
        self._shortest = self._first_length <= self._at_least
        self._states = 0
        self._closed: set[tuple[Action, ...]] = set()  # no better solution starts with these
        self._ended = threading.Event()  # no search may go on

    @property
    def _best(self) -> tuple[Action, ...]:
        """The best solution."""
        return self._result.actions

    def run(self) -> Result:
        """Search in batches until nothing is left to do."""
        interrupted = False
        with ThreadPoolExecutor(self._threads) as pool:
            try:
                self._run_batches(pool)
            except KeyboardInterrupt:
                interrupted = True
            finally:
                self._ended.set()
        shortening = Shortening(
            first_length=self._first_length,
            at_least=len(self._best) if self._shortest else self._at_least,
            shortest=self._shortest,
            states=self._states,
            seconds=self._seconds,
            interrupted=interrupted,
        )
        return replace(self._result, shortening=shortening)

    def _run_batches(self, pool: ThreadPoolExecutor) -> None:
        """Run batches until a limit stops a search, or until no search is left.

        A later batch would start from a worse solution than with a higher limit, so there is none.
        """
        searches = self._searches()
        stopped = self._is_over()
        size = 1
        while not self._shortest and not stopped:
            batch = list(islice(searches, size))
            size = BATCH
            if not batch:
                return
            line, limits = self._best, self._limits_of_one(len(batch))
            runs = [
                pool.submit(
                    search_shorter_line, self._deal, line, wanted, Budget(limits), self._is_over
                )
                for wanted in batch
            ]
            for wanted, run in zip(batch, runs, strict=True):
                found = run.result()
                self._take(line, wanted, found)
                stopped |= found.stopped

    def _searches(self) -> Iterator[LineSearch]:
        """The searches to run, for the best solution at the time when each is asked for."""
        width = FIRST_WIDTH
        while width <= MAX_WIDTH:
            first = self._best
            yield LineSearch(width, 0)
            ending = self._ending()
            if self._best[:ending] not in self._closed:
                yield LineSearch(width, ending, complete=True)
            # A first solution that this width does not shorten is better replaced by a wider
            # search than shortened bit by bit.
            if self._best is not first or width > FIRST_WIDTH:
                for part in STARTS:
                    yield LineSearch(width, int(part * len(self._best)))
            width *= WIDENING

    def _ending(self) -> int:
        """The number of actions of the best solution up to its last row."""
        rows = [index for index, action in enumerate(self._best) if isinstance(action, Row)]
        return rows[-1] + 1 if rows else 0

    def _take(self, line: tuple[Action, ...], wanted: LineSearch, found: FoundLine) -> None:
        """Take the result of a search from ``line``."""
        self._states += found.states
        if found.exhausted:
            self._closed.add(line[: wanted.played])
            if wanted.played == 0 and len(self._best) == len(line):
                self._shortest = True
        if found.actions is not None and len(found.actions) < len(self._best):
            shorter = simplify(self._deal, found.actions)
            self._result = with_solution(self._deal, self._result, shorter)
            self._shortest = len(self._best) <= self._at_least
            if self._on_gain is not None:
                self._on_gain(len(self._best), self._result.score)

    @property
    def _threads(self) -> int:
        return min(self._limits.jobs, BATCH)

    @property
    def _seconds(self) -> float:
        return time.perf_counter() - self._start

    def _is_over(self) -> bool:
        """Whether the time is over, or the searches are to end for another reason."""
        limit = self._limits.seconds
        return self._ended.is_set() or (limit is not None and self._seconds >= limit)

    def _limits_of_one(self, searches: int) -> Limits:
        """The limits of each search of a batch. ``_is_over`` has the limit on time."""
        states = self._limits.states
        return Limits(
            max_states=None if states is None else max((states - self._states) // searches, 1),
            max_memory=max((self._limits.max_memory or default_memory()) // self._threads, 1),
        )
