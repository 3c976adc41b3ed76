"""Simplifying lines of play: what is left out, and where the rest leads."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from play import position_of, random_actions, run

from spider_solver.cards import KING
from spider_solver.game import ROW, Action, Move, Position
from spider_solver.numbering import deal_from_number
from spider_solver.simplify import simplify
from spider_solver.solver import solve
from spider_solver.verify import verified

# Columns 1 to 5 end in 5♠, 6♥, 6♦, 4♠ and 7♠; the others are empty.
POSITION = position_of(["6C 5S", "6H", "6D", "4S", "7S"]).to_deal()


def position_after(deal, actions):
    position = Position(deal)
    for action in actions:
        position.push(action)
    return position.to_deal()


def simplified(*actions: Action, deal=POSITION) -> tuple[Action, ...]:
    """The simplified actions. They lead to the same position."""
    found = simplify(deal, actions)
    assert position_after(deal, found) == position_after(deal, actions)
    return found


def test_a_move_that_is_taken_back_is_left_out():
    assert simplified(Move(0, 1, 1), Move(1, 0, 1)) == ()


def test_two_moves_of_the_same_cards_are_merged():
    assert simplified(Move(0, 1, 1), Move(4, 9, 1), Move(1, 2, 1)) == (
        Move(4, 9, 1),
        Move(0, 2, 1),
    )


def test_cards_that_are_put_on_the_moved_ones_go_to_the_source_instead():
    onto_it, both = Move(3, 1, 1), Move(1, 2, 2)
    assert simplified(Move(0, 1, 1), onto_it, both) == (Move(3, 0, 1), Move(0, 2, 2))


def test_cards_that_leave_the_moved_ones_come_from_the_source_instead():
    actions = Move(0, 1, 1), Move(3, 1, 1), Move(1, 8, 1), Move(1, 2, 1)
    assert simplified(*actions) == (Move(3, 8, 1), Move(0, 2, 1))


@pytest.mark.parametrize(
    "actions",
    [
        (Move(0, 1, 1),),
        (Move(0, 1, 1), Move(0, 9, 1), Move(1, 2, 1)),  # 6♣ leaves the source meanwhile
        (Move(3, 0, 1), Move(0, 1, 2), Move(1, 8, 1)),  # only 4♠ goes on
    ],
)
def test_a_move_that_is_needed_stays(actions):
    assert simplified(*actions) == actions


def test_a_row_ends_the_search_for_a_later_move():
    deal = deal_from_number("native:1")
    move = next(Position(deal).legal_moves())
    assert simplify(deal, (move, ROW)) == (move, ROW)


def test_a_move_that_turns_a_card_stays_though_its_cards_come_back():
    deal = position_of(["6D 5S", "6H"], face_down=[1]).to_deal()
    actions = Move(0, 1, 1), Move(1, 0, 1)
    assert simplified(*actions, deal=deal) == actions


def test_a_move_that_completes_a_run_stays():
    deal = position_of([run(KING, 2), "9H AS", "7H", "6D"]).to_deal()
    actions = Move(1, 0, 1), Move(3, 0, 1), Move(0, 2, 1)
    assert simplified(*actions, deal=deal) == (Move(1, 0, 1), Move(3, 2, 1))


@given(st.integers(0, 10**6), st.integers(1, 150), st.sampled_from([1, 2, 4]))
def test_random_play_leads_to_the_same_position_in_no_more_actions(seed, length, suits):
    deal, actions = random_actions(seed, length, suits)
    found = simplify(deal, actions)
    assert position_after(deal, found) == position_after(deal, actions)
    assert len(found) <= len(actions)
    assert simplify(deal, found) == found


@pytest.mark.parametrize("number", [4, 8, 28, 30])
def test_solve_leaves_out_what_is_not_needed(number):
    """The first solution of each of these deals has such moves."""
    deal = deal_from_number(f"native:{number}")
    first = solve(deal, quick=True)
    result = solve(deal)
    assert len(simplify(deal, first.actions)) < len(first.actions)
    assert len(result.actions) <= len(simplify(deal, first.actions))
    assert simplify(deal, result.actions) == result.actions
    assert verified(deal, result.actions)
