"""Helpers for the tests of short solutions: a reference implementation, and positions."""

from __future__ import annotations

from spider_solver.deal import Deal
from spider_solver.game import Position, Row
from spider_solver.result import Verdict
from spider_solver.solver import solve


def unordered_key(position: Position) -> object:
    """Return an object that is equal for positions that differ in the order of columns only.

    It is for positions without a row in the stock, where the order does not matter.
    """
    assert not position.stock
    columns = zip(map(tuple, position.columns), position.face_down, strict=True)
    return tuple(sorted(columns)), tuple(sorted(position.completed))


def least_length(deal: Deal, max_positions: int) -> int | None:
    """Return the length of the shortest solution of a position after the last row.

    This is the reference implementation: breadth first, with the rules of game.py. The result is
    None if there is no solution, or if more than ``max_positions`` are seen.
    """
    seen = {unordered_key(Position(deal))}
    level, length = [deal], 0
    while level and len(seen) <= max_positions:
        length += 1
        next_level: list[Deal] = []
        for parent in level:
            position = Position(parent)
            for action in list(position.legal_actions()):
                position.push(action)
                if position.won:
                    return length
                key = unordered_key(position)
                if key not in seen:
                    seen.add(key)
                    next_level.append(position.to_deal())
                position.pop()
        level = next_level
    return None


def ending(deal: Deal, left: int) -> Deal | None:
    """Return the position of a deal's solution with ``left`` actions left, after the last row.

    None if the solution has fewer actions after its last row, or if none is found.
    """
    result = solve(deal)
    if result.verdict is not Verdict.WON or len(result.actions) <= left:
        return None
    if any(isinstance(action, Row) for action in result.actions[-left:]):
        return None
    position = Position(deal)
    for action in result.actions[:-left]:
        position.push(action)
    return position.to_deal()
