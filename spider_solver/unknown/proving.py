"""``prove_orders``: a proof for each order of the unknown cards that the deal cannot be won.

A proof ignores suits: it depends only on ``prove.block_layout``, which has the ranks of the cards.
So orders with the same block layout share a proof.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from ..deal import Deal
from ..prove import PROOF_SECONDS, CheckedProof, block_layout, prove_and_check
from ..result import Verdict
from .orders import Order, all_orders, order_count, with_order
from .solving import MAX_ORDERS


@dataclass(frozen=True, slots=True)
class OrdersProof:
    """The proofs for the orders of the unknown cards. They end with the first one that fails."""

    deal: Deal  # with its unknown cards
    order_count: int  # how many orders there are
    needed: int  # proofs for all orders: one for each block layout; 0 if the orders are too many
    proofs: tuple[CheckedProof, ...]  # only the last one may have failed

    @property
    def verdict(self) -> Verdict:
        """UNWINNABLE if every order is proved unwinnable, otherwise UNDECIDED."""
        proved = sum(proof.verdict is Verdict.UNWINNABLE for proof in self.proofs)
        return Verdict.UNWINNABLE if self.needed and proved == self.needed else Verdict.UNDECIDED

    @property
    def reason(self) -> str:
        """Why it is undecided; empty if every order is proved unwinnable."""
        if self.verdict is Verdict.UNWINNABLE:
            return ""
        if not self.proofs:
            return f"{self.order_count:,} orders of the unknown cards are too many to prove"
        return f"in one order of the unknown cards, {self.proofs[-1].reason}"


def prove_orders(
    deal: Deal,
    *,
    max_orders: int = MAX_ORDERS,
    time_limit: float = PROOF_SECONDS,
    check: bool = True,
    progress: Callable[[OrdersProof], None] | None = None,
) -> OrdersProof:
    """Try to prove that a deal with unknown cards cannot be won, whatever their order.

    max_orders: with more orders than this, nothing is tried. time_limit: seconds for each proof,
    and the same for its check. check: False to leave out the checks. progress: called after each
    proof with all proofs so far.

    Raises the errors of ``prove.prove_and_check``.
    """
    total = order_count(deal)
    if total > max_orders:
        return OrdersProof(deal, total, 0, ())
    orders = _one_order_for_each_layout(deal)
    result = OrdersProof(deal, total, len(orders), ())
    for order in orders:
        checked = prove_and_check(with_order(deal, order), time_limit=time_limit, check=check)
        result = OrdersProof(deal, total, len(orders), (*result.proofs, checked))
        if progress is not None:
            progress(result)
        if checked.verdict is not Verdict.UNWINNABLE:
            break
    return result


def _one_order_for_each_layout(deal: Deal) -> list[Order]:
    found = {block_layout(with_order(deal, order)): order for order in all_orders(deal)}
    return list(found.values())
