"""The results of searches for the orders of the unknown cards."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import cached_property

from ..deal import Deal
from ..game import Action
from ..notation import action_text
from ..result import Verdict
from ..stats import WinRate
from .orders import Order


@dataclass(frozen=True, slots=True)
class OrderResult:
    """The result for one order of the unknown cards."""

    order: Order
    verdict: Verdict
    actions: tuple[Action, ...]  # a solution if won, otherwise empty
    reason: str = ""  # why it is undecided, or what the proof is; empty if won
    searched: bool = True  # False if the solution of an earlier order wins, or if time was up
    states: int = 0  # states kept by the beams of its search


@dataclass(frozen=True, slots=True)
class FirstAction:
    """The first action of some solutions."""

    action: Action
    orders: int  # the number of orders whose solution begins with it


@dataclass(frozen=True)
class OrdersResult:
    """The results for all orders of the unknown cards, or for a random sample of them."""

    deal: Deal  # with its unknown cards
    order_count: int  # how many orders there are
    seed: int | None  # of the sample; None if every order has a result
    # One for each order, sorted by order; or in the order of the sample.
    results: tuple[OrderResult, ...]
    # A line of play that wins every order in ``results``; None if no such line was found.
    common_solution: tuple[Action, ...] | None
    seconds: float  # of all searches, without loading or compiling the search

    @property
    def sampled(self) -> bool:
        """True if the results are those of a random sample."""
        return self.seed is not None

    def count(self, verdict: Verdict) -> int:
        """Return how many results have a verdict."""
        return sum(result.verdict is verdict for result in self.results)

    @property
    def searches(self) -> int:
        """The number of searches. The other orders are won by the solutions of searched ones."""
        return sum(result.searched for result in self.results)

    @property
    def verdict(self) -> Verdict:
        """The verdict whatever the unknown cards are.

        WON if every order is won, by solutions that may differ. UNWINNABLE if every order is
        proved so. UNDECIDED in all other cases, and for each sample.
        """
        for verdict in (Verdict.WON, Verdict.UNWINNABLE):
            if not self.sampled and self.count(verdict) == len(self.results):
                return verdict
        return Verdict.UNDECIDED

    @property
    def win_rate(self) -> WinRate:
        """The share of the orders that are won. Its interval is of use only for a sample."""
        undecided = self.count(Verdict.UNDECIDED)
        return WinRate.of(self.count(Verdict.WON), undecided, len(self.results))

    @cached_property
    def first_actions(self) -> tuple[FirstAction, ...]:
        """The first actions of all solutions, the most common one first.

        An order has other solutions too, which may begin with other actions. Of equally common
        actions, the first one by its text comes first.
        """
        counts = Counter(result.actions[0] for result in self.results if result.actions)
        ranking = sorted(counts.items(), key=lambda item: (-item[1], action_text(item[0])))
        return tuple(FirstAction(action, orders) for action, orders in ranking)
