"""Which orders of the unknown cards a line of play wins.

A line of play is a list of actions that does not depend on the cards that it turns. It is played
once for all orders together. Where it turns or deals unknown cards, the orders are split by the
cards that they have there. So the common beginning is played only once, and most groups end soon,
because the next actions are illegal with their cards.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from ..deal import Deal
from ..errors import IllegalAction
from ..game import Action, Outcome, Position, UnknownCardRevealed
from ..telling import Place, learn, unknown_places_in
from .orders import Order, unknown_places


def orders_won(deal: Deal, actions: Sequence[Action], orders: Sequence[Order]) -> list[int]:
    """Return the indices of the orders that a line of play wins, in their order.

    The rules are those of ``game``, so this is a verification too.
    """
    line = _Line(deal, actions, orders)
    line.play(Position(deal), 0, range(len(orders)))
    return sorted(line.won)


class _Line:
    """One call of ``orders_won``."""

    def __init__(self, deal: Deal, actions: Sequence[Action], orders: Sequence[Order]) -> None:
        self.won: list[int] = []  # indices of orders
        self._actions = actions
        self._orders = orders
        # The index of each unknown place in an order.
        self._slots = {place: slot for slot, place in enumerate(unknown_places(deal))}
        self._stock_size = len(deal.stock)

    def play(self, position: Position, played: int, group: Sequence[int]) -> None:
        """Play the line to its end.

        played: how many actions lead to the position. group: the indices of the orders that agree
        with all its cards.
        """
        for number in range(played, len(self._actions)):
            try:
                position.push(self._actions[number])
            except UnknownCardRevealed as error:
                self._split(position, error.outcome, number, group)
                return
            except IllegalAction:
                return
        if position.won:
            self.won += group

    def _split(
        self, position: Position, outcome: Outcome, played: int, group: Sequence[int]
    ) -> None:
        """Play on with each choice of the cards that the next action reveals."""
        places = unknown_places_in(position, outcome)
        slots = [self._slots[self._place_in_deal(position, place)] for place in places]
        parts: defaultdict[Order, list[int]] = defaultdict(list)
        for index in group:
            parts[tuple(self._orders[index][slot] for slot in slots)].append(index)
        for cards, part in parts.items():
            branch = Position(position.to_deal())
            for place, one_card in zip(places, cards, strict=True):
                learn(branch, place, one_card)
            self.play(branch, played, part)

    def _place_in_deal(self, position: Position, place: Place) -> Place:
        """Return where a card of a position was in the deal: only the stock becomes shorter."""
        if place.column is not None:
            return place
        return Place(None, place.index + self._stock_size - len(position.stock))
