"""The results for the orders of unknown cards, in words and as JSON objects.

The JSON objects follow the rules of ``json``: keys are only ever added, at the end.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from .. import __version__
from ..cards import card_text
from ..deal import Deal
from ..formats.json_format import deal_object
from ..game import Action
from ..notation import action_text
from ..result import Limits, Verdict
from ..unknown import OrdersProof, OrdersResult
from ..words import counted
from .style import Style

_ACTIONS_PER_LINE = 10
_LONGEST_COUNT = 10**15  # greater numbers of orders are written like 1.2e+20


def orders_lines(result: OrdersResult, style: Style) -> Iterator[str]:
    """The result of ``solve_orders`` in several lines."""
    won, solved = result.count(Verdict.WON), len(result.results)
    orders = "orders of the unknown cards"
    line = f"{style.strong('won')} in {won:,} of {solved:,} {orders}"
    if result.sampled:
        line = (
            f"{style.strong('won')} in {won:,} of {counted(solved, 'random order')} of the unknown"
            f" cards, of {order_count_text(result.order_count)} in all"
        )
    for verdict in (Verdict.UNWINNABLE, Verdict.UNDECIDED):
        if number := result.count(verdict):
            line += f"; {verdict} in {number:,}"
    yield line
    if result.sampled:
        yield _estimate(result)
    yield f"searched {counted(result.searches, 'order')} in {result.seconds:.2f} s"
    if result.common_solution is not None:
        yield f"{counted(len(result.common_solution), 'action')} that win each of these orders:"
        yield from _action_lines(result.common_solution)
    elif result.first_actions:
        yield "no line of play was found that wins each of these orders"
        first = result.first_actions[0]
        yield (
            f"most common first action: {style.strong(action_text(first.action))}, in"
            f" {first.orders:,} of {counted(won, 'solution')}"
        )


def _estimate(result: OrdersResult) -> str:
    rate = result.win_rate
    share = f"{rate.lower:.1%}"
    if rate.upper != rate.lower:
        share += f" to {rate.upper:.1%}"
    low, high = rate.interval
    return (
        f"estimate: {share} of all orders; {rate.confidence:.0%} interval {low:.1%} to {high:.1%}"
    )


def order_count_text(count: int) -> str:
    """A number of orders: such as ``5,040`` or ``1.2e+20``."""
    return f"{count:,}" if count < _LONGEST_COUNT else f"{count:.1e}"


def _action_lines(actions: Sequence[Action]) -> Iterator[str]:
    words = list(map(action_text, actions))
    for start in range(0, len(words), _ACTIONS_PER_LINE):
        yield "  " + " ".join(words[start : start + _ACTIONS_PER_LINE])


def orders_object(result: OrdersResult, limits: Limits) -> dict[str, Any]:
    """``solve`` with unknown cards: the results for their orders. limits: of each search."""
    rate = result.win_rate
    return {
        **_deal_head(result.deal),
        "verdict": str(result.verdict),
        "actions": [action_text(action) for action in result.common_solution or ()],
        "unknown": [card_text(card) for card in result.deal.unknown],
        "orders": result.order_count,
        "sampled": result.sampled,
        "seed": result.seed,
        "solved": len(result.results),
        "won": result.count(Verdict.WON),
        "unwinnable": result.count(Verdict.UNWINNABLE),
        "undecided": result.count(Verdict.UNDECIDED),
        "win_rate": {
            "least": rate.lower,
            "most": rate.upper,
            "interval": rate.interval if result.sampled else None,
            "confidence": rate.confidence if result.sampled else None,
            "method": rate.method if result.sampled else None,
        },
        "first_actions": [
            {"action": action_text(first.action), "orders": first.orders}
            for first in result.first_actions
        ],
        "searches": result.searches,
        "seconds": round(result.seconds, 3),
        "settings": {
            "max_width": limits.max_width,
            "max_states": limits.max_states,
            "time_limit": limits.time_limit,
            "max_memory": limits.max_memory,
            "max_positions": limits.max_positions,
        },
        "version": __version__,
        "results": [
            {"order": [card_text(card) for card in one.order], "verdict": str(one.verdict)}
            for one in result.results
        ],
        **_cards(result.deal),
    }


def orders_proof_object(proof: OrdersProof) -> dict[str, Any]:
    """``prove`` with unknown cards: the proofs for their orders."""
    return {
        **_deal_head(proof.deal),
        "verdict": str(proof.verdict),
        "reason": proof.reason,
        "unknown": [card_text(card) for card in proof.deal.unknown],
        "orders": proof.order_count,
        "needed": proof.needed,
        "proved": sum(one.verdict is Verdict.UNWINNABLE for one in proof.proofs),
        "version": __version__,
        **_cards(proof.deal),
    }


def _deal_head(deal: Deal) -> dict[str, Any]:
    return {"deal": deal.name, "suits": deal.suits, "rules": str(deal.rules)}


def _cards(deal: Deal) -> dict[str, Any]:
    cards = deal_object(deal)
    return {key: cards[key] for key in ("columns", "face_down", "stock", "completed")}
