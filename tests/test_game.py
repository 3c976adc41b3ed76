"""The rules in ``game.py``.

These are tests of cases that other programs get wrong, of the reasons why actions are illegal, of
rows, of the score, and of taking back actions.
"""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from play import (
    cards,
    endgame,
    one_move_from_won,
    position_of,
    random_actions,
    random_position,
    run,
    sensible_position,
)

from spider_solver.cards import KING, card_text
from spider_solver.deal import DECK, Deal, RowRule
from spider_solver.errors import IllegalAction
from spider_solver.game import (
    ROW,
    RUN_BONUS,
    START_SCORE,
    CompletedRun,
    Move,
    Position,
    Row,
    Turn,
)
from spider_solver.numbering import deal_from_number

RELAXED = RowRule.RELAXED


def moves(position: Position, source: int) -> set[tuple[int, int]]:
    """Return (target, count) of each legal move from a column (0-9)."""
    return {(m.target, m.count) for m in position.legal_moves() if m.source == source}


# Cases that other programs get wrong.


def test_a_completed_run_that_lay_on_face_down_cards_turns_the_card_below() -> None:
    position = position_of([cards("5H 9D") + run(KING, 2), "AS"], [2])
    outcome = position.push(Move(1, 0, 1))
    assert outcome.completed == (CompletedRun(0, 0),)
    assert outcome.turned == (Turn(0, cards("9D")[0]),)
    assert position.columns[0] == cards("5H 9D")
    assert position.face_down[0] == 1
    position.pop()
    assert position.face_down[0] == 2
    assert position.columns[0] == cards("5H 9D") + run(KING, 2)


def test_a_move_can_turn_a_card_at_its_source_and_another_below_the_completed_run() -> None:
    position = position_of([cards("5H") + run(KING, 2), "6H AS"], [1, 1])
    assert position.push(Move(1, 0, 1)).turned == (Turn(1, 22), Turn(0, 21))
    assert position.face_down[:2] == [0, 0]
    position.pop()
    assert position.face_down[:2] == [1, 1]


def test_a_row_can_complete_a_run() -> None:
    columns = [run(KING, 2) if i == 3 else cards("5H 5D") for i in range(10)]
    position = position_of(columns, [1] * 3 + [0] + [1] * 6, "9H 9H 9H AS 9H 9H 9H 9H 9H 9H")
    outcome = position.push(ROW)
    assert outcome.completed == (CompletedRun(3, 0),)
    assert outcome.turned == ()
    assert position.columns[3] == []
    assert position.score == START_SCORE - 1 + RUN_BONUS
    assert position.face_down == [1] * 3 + [0] + [1] * 6
    position.pop()
    assert position.columns[3] == run(KING, 2)
    assert len(position.stock) == 10


def test_a_row_can_complete_two_runs() -> None:
    almost_completed = {2: cards("7D") + run(KING, 2, 1), 8: cards("8D") + run(KING, 2, 2)}
    position = position_of(
        [almost_completed.get(i, cards("5H")) for i in range(10)],
        [1 if i in almost_completed else 0 for i in range(10)],
        "9H 9H AH 9H 9H 9H 9H 9H AD 9H",
    )
    before = position.to_deal()
    outcome = position.push(ROW)
    assert outcome.completed == (CompletedRun(2, 1), CompletedRun(8, 2))
    assert [turn.column for turn in outcome.turned] == [2, 8]
    assert position.completed == [1, 2]
    assert position.score == START_SCORE - 1 + 2 * RUN_BONUS
    position.pop()
    assert position.to_deal() == before


def test_a_row_may_go_onto_aces() -> None:
    position = position_of(["AS"] * 10, stock="KS QS JS TS 9S 8S 7S 6S 5S 4S")
    position.push(ROW)
    assert [column[-1] for column in position.columns] == run(KING, 4)
    assert [position.run_length(column) for column in range(10)] == [1] * 10


@pytest.mark.parametrize(("target", "count"), [("TH", 2), ("9H", 1), ("JH", 3)])
def test_a_run_may_be_split_anywhere(target: str, count: int) -> None:
    position = position_of(["KS TS 9S 8S", target])
    assert moves(position, 0) >= {(1, count), (2, 1), (2, 2), (2, 3)}
    position.push(Move(0, 1, count))
    assert position.columns[1] == cards(target) + cards("TS 9S 8S")[-count:]
    assert position.columns[0] == cards("KS TS 9S 8S")[:-count]


def test_a_card_of_another_suit_is_not_lifted_with_a_run() -> None:
    position = position_of(["TS 9H 8H", "JS", "TD", "9C"])
    assert position.run_length(0) == 2
    to_other_cards = {move for move in moves(position, 0) if move[0] < 4}
    assert to_other_cards == {(2, 2), (3, 1)}
    assert position.why_illegal(Move(0, 1, 3)) == "9H on TS in column 1 mixes suits"


def test_a_run_may_be_split_to_fill_an_empty_column_before_a_row() -> None:
    twos = ["2H"] * 8
    position = position_of(["9S 8S", *twos], stock="KS " * 10)
    assert position.why_illegal(ROW) is not None
    assert Move(0, 9, 1) in set(position.legal_moves())
    position.push(Move(0, 9, 1))
    assert ROW in list(position.legal_actions())
    position.push(ROW)
    assert position.rows == 1


def test_a_row_is_true_like_a_move() -> None:
    assert ROW
    assert (Row() == ROW, isinstance(ROW, tuple), len(ROW)) == (True, True, 0)


def test_a_solution_may_move_either_copy_of_a_card() -> None:
    position = position_of(["TS", "9S", "9S"])
    first, second = position_of(["TS", "9S", "9S"]), position_of(["TS", "9S", "9S"])
    first.push(Move(1, 0, 1))
    second.push(Move(2, 0, 1))
    assert first.columns[0] == second.columns[0]
    assert {Move(1, 0, 1), Move(2, 0, 1)} <= set(position.legal_moves())


# Moves


def test_an_empty_column_takes_any_card_or_run_and_ranks_do_not_wrap() -> None:
    position = position_of(["KS QS", "AS", "2H", "KH"])
    assert moves(position, 0) >= {(4, 1), (4, 2), (3, 1)}
    assert (1, 2) not in moves(position, 0)  # a King does not go onto an Ace
    assert {target for target, _ in moves(position, 1)} == {2, 4, 5, 6, 7, 8, 9}
    assert {target for target, _ in moves(position, 3)} == {4, 5, 6, 7, 8, 9}


def test_a_whole_column_may_move_to_an_empty_column() -> None:
    position = position_of(["KS"])
    assert position.push(Move(0, 5, 1)).onto is None
    assert position.columns[5] == cards("KS")


def test_face_down_cards_are_not_part_of_a_run_until_they_are_turned() -> None:
    position = position_of(["9S 8S 7S", "8H", "TS"], [2])
    assert position.run_length(0) == 1
    assert "reach into its face-down cards" in (position.why_illegal(Move(0, 2, 3)) or "")
    assert position.push(Move(0, 1, 1)).turned == (Turn(0, 8),)
    assert position.run_length(0) == 1  # the nine below is still face down
    position.push(Move(0, 3, 1))
    assert position.face_down[0] == 0
    position.push(Move(3, 0, 1))
    assert position.run_length(0) == 2


def test_a_run_with_a_face_down_king_is_not_completed() -> None:
    position = position_of([run(KING, 2), "AS"], [1])
    assert position.push(Move(1, 0, 1)).completed == ()
    assert position.columns[0] == run(KING, 1)


def test_face_up_cards_below_a_completed_run_stay() -> None:
    position = position_of([cards("4D 3D") + run(KING, 2), "AS"])
    outcome = position.push(Move(1, 0, 1))
    assert outcome.completed
    assert outcome.turned == ()
    assert position.run_length(0) == 2


# Each fault: an illegal action in the position of the test below, and the reason.
REASONS = {
    "same column": (Move(0, 0, 1), "column 1 is both the source and the target"),
    "no such source": (Move(10, 0, 1), "there is no column 11: columns are 1 to 10"),
    "no such target": (Move(0, -1, 1), "there is no column 0: columns are 1 to 10"),
    "no cards": (Move(0, 1, 0), "0 cards cannot be moved"),
    "minus one card": (Move(0, 1, -1), "-1 cards cannot be moved"),
    "an empty column": (Move(4, 0, 1), "column 5 is empty"),
    "too many": (Move(1, 0, 3), "column 2 has 2 cards, not 3"),
    "face down": (
        Move(0, 4, 3),
        "3 cards of column 1 reach into its face-down cards: only 2 are face up",
    ),
    "mixed suits": (Move(2, 4, 2), "7H on 8S in column 3 mixes suits"),
    "not descending": (Move(3, 4, 2), "2C on KC in column 4 is not descending by one"),
    "wrong rank": (
        Move(0, 1, 1),
        "eight of spades cannot go onto two of diamonds in column 2: it is not one rank higher",
    ),
    "no stock": (ROW, "the stock has no row left"),
}


def test_a_reason_names_one_card_in_the_singular() -> None:
    position = position_of(["TS 9S", "3D"], [1])
    assert position.why_illegal(Move(0, 4, 2)) == (
        "2 cards of column 1 reach into its face-down cards: only 1 is face up"
    )
    assert position.why_illegal(Move(1, 4, 2)) == "column 2 has 1 card, not 2"


@pytest.mark.parametrize("fault", REASONS)
def test_an_illegal_action_is_refused_with_its_reason(fault: str) -> None:
    action, reason = REASONS[fault]
    position = position_of(["TS 9S 8S", "3D 2D", "8S 7H", "KC 2C"], [1])
    assert position.why_illegal(action) == reason
    before = position.to_deal()
    with pytest.raises(IllegalAction) as caught:
        position.push(action)
    assert str(caught.value) == reason
    assert position.to_deal() == before
    assert (position.score, position.moves, position.history) == (START_SCORE, 0, ())


# Rows


def test_a_row_is_refused_while_a_column_is_empty_unless_relaxed() -> None:
    columns = ["5H"] * 8
    standard = position_of(columns, stock="KS " * 20)
    assert standard.why_illegal(ROW) == (
        "a row cannot be dealt while column 9 is empty (standard rules)"
    )
    assert ROW not in list(standard.legal_actions())
    relaxed = position_of(columns, stock="KS " * 20, rules=RELAXED)
    assert ROW in list(relaxed.legal_actions())
    relaxed.push(ROW)
    assert relaxed.columns[9] == cards("KS")
    assert relaxed.rows_left == 1


def test_with_fewer_than_ten_cards_in_the_tableau_a_row_can_never_be_dealt() -> None:
    position = position_of(["9S 8S 7S", "6D 5D", "KH", "JC", "3H 2H"], stock="KS " * 10)
    for _ in range(200):
        assert ROW not in list(position.legal_actions())
        position.push(random.Random(position.moves).choice(list(position.legal_moves())))


def test_rows_go_to_columns_one_to_ten_in_the_order_of_the_stock() -> None:
    deal = deal_from_number("native:1")
    position = Position(deal)
    for row in range(5):
        outcome = position.push(ROW)
        assert outcome.cards == deal.stock[row * 10 : row * 10 + 10]
        assert tuple(column[-1] for column in position.columns) == outcome.cards
    assert position.why_illegal(ROW) == "the stock has no row left"
    assert (position.rows, position.moves, position.score) == (5, 0, START_SCORE - 5)


# The end of the game, the score, and taking back


def test_no_action_is_legal_after_the_win() -> None:
    position = Position(one_move_from_won())
    assert not position.won
    position.push(Move(1, 0, 1))
    assert position.won
    assert list(position.legal_actions()) == []
    assert position.why_illegal(ROW) == "the game is already won"
    assert position.why_illegal(Move(0, 1, 1)) == "the game is already won"
    position.pop()
    assert not position.won


def test_the_score_stops_at_zero_after_the_cost_and_before_the_bonus() -> None:
    position = Position(one_move_from_won())
    for _ in range(300):
        position.push(Move(1, 2, 1))
        position.push(Move(2, 1, 1))
    assert (position.score, position.moves) == (0, 600)
    position.push(Move(1, 0, 1))
    assert position.score == RUN_BONUS
    for _ in range(102):
        position.pop()
    assert position.score == 1  # after 499 actions
    position.pop()
    assert position.score == 2


def test_pop_at_the_start_is_an_error() -> None:
    position = Position(one_move_from_won())
    with pytest.raises(IllegalAction, match="no action to take back"):
        position.pop()


def state_of(position: Position) -> tuple[object, ...]:
    """Everything that ``pop`` must restore."""
    return (
        position.to_deal(),
        position.score,
        position.moves,
        position.rows,
        position.history,
        position.won,
    )


RANDOM_GAMES = {
    "seed": st.integers(0, 10**6),
    "suits": st.sampled_from((1, 2, 4)),
    "rules": st.sampled_from(RowRule),
}


@settings(max_examples=40, deadline=None)
@given(actions=st.integers(0, 150), **RANDOM_GAMES)
def test_pop_restores_everything(seed: int, actions: int, suits: int, rules: RowRule) -> None:
    deal, played = random_actions(seed, actions, suits, rules)
    position = Position(deal)
    before = []
    for action in played:
        before.append(state_of(position))
        position.push(action)
        position.to_deal().check(suits)
    for action, expected in zip(reversed(played), reversed(before), strict=True):
        assert position.pop().action == action
        assert state_of(position) == expected
    assert position.to_deal() == deal


@pytest.mark.parametrize("seed", [7, 10, 12, 15, 17])
def test_pop_takes_back_a_whole_won_game(seed: int) -> None:
    position = sensible_position(seed, 300)
    assert position.won
    assert len(position.columns[0]) == len(position.stock) == 0
    assert position.score == START_SCORE - position.moves - position.rows + 8 * RUN_BONUS
    for _ in range(position.moves + position.rows):
        position.to_deal().check(1)
        position.pop()
    assert position.to_deal() == deal_from_number(str(seed), 1)
    assert (position.score, position.moves, position.rows) == (START_SCORE, 0, 0)


@settings(max_examples=40, deadline=None)
@given(actions=st.integers(0, 60), **RANDOM_GAMES)
def test_legal_actions_and_why_illegal_agree(
    seed: int, actions: int, suits: int, rules: RowRule
) -> None:
    position = random_position(seed, actions, suits, rules)
    candidates = [Move(s, t, n) for s in range(10) for t in range(10) for n in range(1, 14)]
    legal = list(position.legal_actions())
    assert len(legal) == len(set(legal))
    assert {a for a in [*candidates, ROW] if position.why_illegal(a) is None} == set(legal)


@settings(max_examples=40, deadline=None)
@given(actions=st.integers(0, 150), **RANDOM_GAMES)
def test_outcomes_agree_with_the_positions_before_and_after(
    seed: int, actions: int, suits: int, rules: RowRule
) -> None:
    deal, played = random_actions(seed, actions, suits, rules)
    position = Position(deal)
    for action in played:
        ends = [column[-1:] for column in position.columns]
        face_down_before = sum(position.face_down)
        outcome = position.push(action)
        if isinstance(action, Move):
            assert len(outcome.cards) == action.count
            assert [*ends[action.target]] == ([] if outcome.onto is None else [outcome.onto])
        assert face_down_before - sum(position.face_down) == len(outcome.turned)
    assert sum(map(len, position.columns)) + len(position.stock) == DECK - 13 * len(
        position.completed
    )
    assert all(
        not c or d < len(c) for c, d in zip(position.columns, position.face_down, strict=True)
    )


def test_a_game_that_starts_in_mid_game_counts_from_there() -> None:
    played = random_position(3, 60, 2)
    layout: Deal = played.to_deal()
    again = Position(layout)
    assert again.to_deal() == layout
    assert list(again.legal_actions()) == list(played.legal_actions())
    assert (again.score, again.moves, again.history) == (START_SCORE, 0, ())


def test_playing_does_not_change_the_deal() -> None:
    deal = endgame([run(KING, 2), "AS"])
    position = Position(deal)
    position.push(Move(1, 0, 1))
    assert [card_text(c) for c in deal.columns[1]] == ["AS"]
