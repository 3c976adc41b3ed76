"""Helpers for the tests of short solutions."""

from __future__ import annotations

import pytest
from exhaustive import breadth_first
from packed import reference_state

from spider_solver.deal import Deal
from spider_solver.game import Position, Row
from spider_solver.numbering import deal_from_number
from spider_solver.solver import solve

MAX_POSITIONS = 5_000  # of the reference implementation


def least_length(deal: Deal) -> int | None:
    """Return the length of a shortest solution by the reference implementation.

    None if it sees too many positions.
    """
    return breadth_first(deal, MAX_POSITIONS, reference_state)[0]


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
