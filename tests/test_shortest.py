"""Lengths that are called the shortest, compared with reference implementations."""

import pytest
from shortest import after_last_row, can_win_within, ending

from spider_solver.result import ShorteningLimits
from spider_solver.shorten import shorten
from spider_solver.solver import solve

SUIT_MODES = [1, 2, 4]
LIMITS = ShorteningLimits(states=300_000)


@pytest.mark.parametrize("suits", SUIT_MODES)
@pytest.mark.parametrize("number", range(1, 9))
def test_the_shortest_ending_is_that_of_the_reference_implementation(number, suits):
    deal, expected = ending(number, suits)
    result = shorten(deal, solve(deal), LIMITS)
    assert result.shortening.shortest
    assert len(result.actions) == result.shortening.at_least == expected


def check_shortest(number: int, suits: int) -> int:
    """Check a length that is called the shortest, after the last row with 2 to 4 runs left."""
    deal = after_last_row(number, suits, runs_left=2 + number % 3)
    result = shorten(deal, solve(deal), LIMITS)
    if not result.shortening.shortest:
        pytest.skip("no proof within the limit on states")
    assert not can_win_within(deal, len(result.actions) - 1)
    return len(result.actions)


@pytest.mark.parametrize("suits", SUIT_MODES)
@pytest.mark.parametrize("number", [205, 213, 219])
def test_no_solution_is_shorter_than_one_that_is_called_the_shortest(number, suits):
    length = check_shortest(number, suits)
    assert can_win_within(after_last_row(number, suits, runs_left=2 + number % 3), length)


@pytest.mark.slow
@pytest.mark.parametrize("suits", SUIT_MODES)
@pytest.mark.parametrize("number", range(201, 268))
def test_no_solution_is_shorter_than_one_that_is_called_the_shortest_many(number, suits):
    check_shortest(number, suits)
