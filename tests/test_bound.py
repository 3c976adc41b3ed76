"""The lower bounds on the actions that a position still needs."""

import pytest
from play import cards, endgame, one_move_from_won, random_position, run
from shortest import ending, least_length

from spider_solver.bound import joins_needed, least_actions
from spider_solver.cards import ACE, KING
from spider_solver.deal import COLUMNS, Deal
from spider_solver.game import Position, Row
from spider_solver.numbering import deal_from_number
from spider_solver.solver import solve

pytestmark = pytest.mark.kernels

SUIT_MODES = [1, 2, 4]


def joins(position: Position) -> int:
    """Count the joins of a position card by card."""
    found = 12 * len(position.completed)
    for column, down in zip(position.columns, position.face_down, strict=True):
        found += sum(column[i - 1] == column[i] + 1 for i in range(down + 1, len(column)))
    return found


@pytest.mark.parametrize("suits", SUIT_MODES)
@pytest.mark.parametrize("number", range(1, 9))
def test_the_bound_never_exceeds_what_a_solution_still_needs(number, suits):
    deal = deal_from_number(f"native:{number}", suits)
    actions = solve(deal).actions
    assert actions
    needed = joins_needed(deal, len(actions))
    position = Position(deal)
    for played, action in enumerate(actions):
        assert 0 < least_actions(position.to_deal()) <= len(actions) - played
        assert joins(position) >= played + needed[position.rows_left]
        position.push(action)
    assert least_actions(position.to_deal()) == 0


@pytest.mark.parametrize("suits", SUIT_MODES)
@pytest.mark.parametrize("seed", range(20))
def test_a_move_makes_at_most_one_join_and_a_row_at_most_ten(seed, suits):
    position = random_position(seed, 10 + 4 * seed, suits)
    before = joins(position)
    for action in list(position.legal_actions()):
        position.push(action)
        assert joins(position) - before <= (10 if isinstance(action, Row) else 1)
        position.pop()


@pytest.mark.parametrize("suits", SUIT_MODES)
@pytest.mark.parametrize("number", range(1, 7))
def test_the_bound_of_an_ending_is_at_most_its_least_length(number, suits):
    deal = ending(deal_from_number(f"native:{number}", suits), left=4)
    if deal is None:
        pytest.skip("the solution ends with fewer actions after its last row")
    least = least_length(deal, 5_000)
    assert least is None or least_actions(deal) <= least <= 4


def test_one_move_from_won():
    assert least_actions(one_move_from_won()) == 1


def test_a_head_whose_only_bases_lie_under_it_costs_an_action_more():
    # The Queen must leave the King before it can go back to it: one join is missing, but the move
    # off the King makes none. In a lone run of spades there is no other King.
    blocked = endgame([[*cards("KS"), *cards("5S"), *run(12, 6)], run(4, ACE)])
    assert joins(Position(blocked)) == 12 * 7 + 6 + 3
    # Three joins are missing: Q on K, 5 on 6, 4 on 5. The heads 5 and Q cover the King of Q.
    assert least_actions(blocked) == 4
    assert least_length(blocked, 5_000) >= 4


def test_a_head_with_a_free_base_costs_nothing_more():
    free = endgame([cards("KS"), [*cards("5S"), *run(12, 6)], run(4, ACE)])
    assert least_actions(free) == least_length(free, 5_000) == 3


def test_rows_may_make_joins_only_on_bases_that_come_before_them():
    deal = deal_from_number("native:1")
    stock = deal.stock
    # All cards that fit are dealt: without the stock's last row as the first one, fewer may join.
    for last in range(1, 6):
        rows = stock[-10 * last :]
        most = joins_needed(deal, 0)
        assert most[last] >= 96 - sum(card % 16 < KING for card in rows) + last


def test_needs_grow_with_a_shorter_limit():
    deal = deal_from_number("native:5", 2)
    assert joins_needed(deal, 90) == [needed + 10 for needed in joins_needed(deal, 100)]
    assert len(joins_needed(deal, 90)) == 6
    assert joins_needed(Deal.make([[]] * COLUMNS, (), completed=[0] * 8), 0) == [96]
