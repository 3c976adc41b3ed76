"""The actions between the positions that another program saved one after the other.

KPatience keeps where every card was after each move, not the move itself. It is told by
playing: the one action after which the plain rules have the position that comes next.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import permutations

from .deal import COLUMNS, Deal
from .errors import NotationError
from .game import ROW, Action, Move, Position


def infer_actions(deals: Sequence[Deal]) -> list[Action]:
    """The actions that lead from the first of the positions through all others, in order.

    By the first one's rule for rows. Two equal positions in a row need none. Raises
    NotationError where it takes another number of actions, or one against the rules.
    """
    position = Position(deals[0])
    actions: list[Action] = []
    for number, deal in enumerate(deals[1:], 2):
        if _equal(position, deal):
            continue
        for action in _candidates(position, deal):
            if position.why_illegal(action) is not None:
                continue
            position.push(action)
            if _equal(position, deal):
                actions.append(action)
                break
            position.pop()
        else:
            raise NotationError(
                f"state {number} isn't one action away from the state before it: the moves can't be"
                " told, though the position can be shown and solved"
            )
    return actions


def _candidates(position: Position, deal: Deal) -> Iterator[Action]:
    """The few actions that may lead from the position to the next one."""
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


def _equal(position: Position, deal: Deal) -> bool:
    """Whether all cards are where they are in the position; the order of completed runs is free."""
    now = position.to_deal()
    return (now.columns, now.face_down, now.stock) == (deal.columns, deal.face_down, deal.stock)
