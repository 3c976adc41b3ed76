"""Simplifying a solution: ``simplify`` takes out moves that are taken back or can be merged.

A move from column A to column B is not needed if its cards go on from B, together with all cards
that were put on them since, before A is used again and before the next row. It is left out. Until
the cards go on, they lie at the end of A instead of B, so moves onto them go to A, and moves of
some of the cards on them come from A. When all of them go on to a column C, they go there from A;
if C is A, that move is left out as well. Then the position is the same as on the solution.

This reading of the moves knows nothing of runs that are completed or cards that are turned
meanwhile. So both ways are played on the plain rules, and a change is kept only if they lead to
the same position.
"""

from __future__ import annotations

from collections.abc import Sequence

from .deal import Deal
from .errors import IllegalAction
from .game import Action, Position, Row


def simplify(deal: Deal, actions: Sequence[Action]) -> tuple[Action, ...]:
    """The actions without moves that are taken back or can be merged with a later one.

    actions: legal actions from the deal on, such as a solution. The actions returned lead to the
    same position. They are the same ones if there is no such move.
    """
    line = tuple(actions)
    while (shorter := _simplified_once(deal, line)) != line:
        line = shorter
    return line


def _simplified_once(deal: Deal, line: tuple[Action, ...]) -> tuple[Action, ...]:
    """The line after one pass from its start to its end."""
    position = Position(deal)
    index = played = 0
    while index < len(line):
        window = _without_move(line, index)
        if window is not None:
            shorter, end = window
            for action in line[played:index]:
                position.push(action)
            played = index
            if _lead_to_same_position(position, line[index:end], shorter):
                line = (*line[:index], *shorter, *line[end:])
                continue  # the action that is now at this index may be left out too
        index += 1
    return line


def _without_move(line: Sequence[Action], index: int) -> tuple[list[Action], int] | None:
    """The actions that replace a part of the line, from the move at ``index`` to before ``end``.

    Returns the actions and ``end``; None if the action is a row or the move is needed.
    """
    left_out = line[index]
    if isinstance(left_out, Row):
        return None
    source, target = left_out.source, left_out.target
    cards = left_out.count  # the cards left on ``source`` that lie on ``target`` on the line
    shorter: list[Action] = []
    for end in range(index + 1, len(line)):
        action = line[end]
        if isinstance(action, Row):
            return None
        if action.source == target and action.count == cards:  # all go on
            if action.target != source:
                shorter.append(action._replace(source=source))
            return shorter, end + 1
        if source in (action.source, action.target):
            return None
        if action.source == target:
            if action.count > cards:
                return None
            cards -= action.count
            action = action._replace(source=source)
        elif action.target == target:
            cards += action.count
            action = action._replace(target=source)
        shorter.append(action)
    return None


def _lead_to_same_position(
    position: Position, actions: Sequence[Action], others: Sequence[Action]
) -> bool:
    """Whether two ways from a position lead to the same one. It is unchanged afterwards."""
    ends = [_position_after(position, way) for way in (actions, others)]
    return ends[1] is not None and ends[0] == ends[1]


def _position_after(position: Position, actions: Sequence[Action]) -> Deal | None:
    """The position after some actions; None if one of them is illegal."""
    played = 0
    try:
        for action in actions:
            position.push(action)
            played += 1
        return position.to_deal()
    except IllegalAction:
        return None
    finally:
        for _ in range(played):
            position.pop()
