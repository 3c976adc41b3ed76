"""Helpers for the tests of short solutions."""

from __future__ import annotations

import pytest
from exhaustive import breadth_first
from packed import reference_state

from spider_solver.deal import SETS, Deal
from spider_solver.game import Position, Row
from spider_solver.numbering import deal_from_number
from spider_solver.solver import solve

MAX_POSITIONS = 5_000  # of the reference implementation
JOINS_OF_A_WIN = 96  # twelve in each of the eight completed runs


def least_length(deal: Deal) -> int | None:
    """Return the length of a shortest solution by the reference implementation.

    None if it sees too many positions.
    """
    return breadth_first(deal, MAX_POSITIONS, reference_state)[0]


def joins(position: Position) -> int:
    """Count the joins of a position card by card; a completed run has twelve."""
    found = 12 * len(position.completed)
    for column, down in zip(position.columns, position.face_down, strict=True):
        found += sum(column[i - 1] == column[i] + 1 for i in range(down + 1, len(column)))
    return found


def can_win_within(deal: Deal, actions: int) -> bool:
    """Return whether a position after the last row can be won in so many actions.

    A breadth-first search on the plain rules. It drops a position only if it lacks more joins than
    actions are left, as a move makes at most one join.
    """
    level = [deal]
    seen = {reference_state(Position(deal))}
    for left in range(actions - 1, -1, -1):
        children = []
        for parent in level:
            position = Position(parent)
            for action in list(position.legal_actions()):
                position.push(action)
                if position.won:
                    return True
                if JOINS_OF_A_WIN - joins(position) <= left:
                    state = reference_state(position)
                    if state not in seen:
                        seen.add(state)
                        children.append(position.to_deal())
                position.pop()
        level = children
    return False


def after_last_row(number: int, suits: int, runs_left: int) -> Deal:
    """Return the first position on a solution without rows and with at most so many runs left."""
    deal = deal_from_number(f"native:{number}", suits)
    position = Position(deal)
    for action in solve(deal).actions:
        if position.rows_left == 0 and len(position.completed) >= SETS - runs_left:
            break
        position.push(action)
    return position.to_deal()


def ending(number: int, suits: int, left: int = 4) -> tuple[Deal, int]:
    """Return a position near the end of a solution of a native deal, and its least length.

    left: the actions that the solution has after the position. Skips the test if a row is among
    them, or if the reference implementation sees too many positions.
    """
    deal = deal_from_number(f"native:{number}", suits)
    actions = solve(deal).actions
    if any(isinstance(action, Row) for action in actions[-left:]):
        pytest.skip("the solution ends with fewer actions after its last row")
    position = Position(deal)
    for action in actions[:-left]:
        position.push(action)
    end = position.to_deal()
    least = least_length(end)
    if least is None:
        pytest.skip("too many positions for the reference implementation")
    return end, least
