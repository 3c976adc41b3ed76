"""Find the actions between the positions that another program saved.

KPatience saves the places of all cards after each action, but not the action itself.
``infer_actions`` tries the few actions that may lead from one position to the next, by the rules
in ``game``.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import permutations

from .deal import COLUMNS, Deal
from .errors import NotationError
from .game import ROW, Action, Move, Position


def infer_actions(deals: Sequence[Deal]) -> list[Action]:
    """Return the actions that lead from the first position through all others, in order.

    deals: the saved positions, at least one. The rule for rows is that of the first one. No action
    is needed between two equal positions.

    Raises NotationError if no single legal action leads from a position to the next one.
    """
    position = Position(deals[0])
    actions: list[Action] = []
    for number, deal in enumerate(deals[1:], 2):
        if _same_cards(position, deal):
            continue
        action = _push_action_to(position, deal)
        if action is None:
            raise NotationError(
                f"position {number} in the file is not one action away from the position before"
                " it: the actions cannot be found, but the last position can be shown and solved"
            )
        actions.append(action)
    return actions


def _push_action_to(position: Position, deal: Deal) -> Action | None:
    """Play the one action that leads to a deal and return it.

    Returns None, and leaves the position as it was, if there is no such action.
    """
    for action in _candidates(position, deal):
        if position.why_illegal(action) is None:
            position.push(action)
            if _same_cards(position, deal):
                return action
            position.pop()
    return None


def _candidates(position: Position, deal: Deal) -> Iterator[Action]:
    """Yield the few actions that may lead from the position to the deal."""
    if len(deal.stock) != len(position.stock):
        yield ROW
        return
    changed = [i for i in range(COLUMNS) if tuple(position.columns[i]) != deal.columns[i]]
    if len(changed) != 2:
        return
    for source, target in permutations(changed):
        count = len(position.columns[source]) - len(deal.columns[source])
        if count > 0:
            yield Move(source, target, count)


def _same_cards(position: Position, deal: Deal) -> bool:
    """Return True if all cards are in the same places.

    The completed runs, which are the other cards, are then the same. Their order is ignored.
    """
    current = position.to_deal()
    return (current.columns, current.face_down, current.stock) == (
        deal.columns,
        deal.face_down,
        deal.stock,
    )
