"""Playing a recorded game entry by entry, forwards and backwards, with undos and restarts."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from play import one_move_from_won, random_record

from spider_solver.errors import IllegalAction
from spider_solver.game import ROW, Move
from spider_solver.notation import Revision
from spider_solver.numbering import deal_from_number
from spider_solver.recorded_games import recorded_game
from spider_solver.replay import Counts, Replay

UNDO, RESTART = Revision
NATIVE = deal_from_number("1")


def replay_of(*actions) -> Replay:
    return Replay(recorded_game(NATIVE, actions))


def test_undo_takes_back_the_last_action_that_is_still_in_effect() -> None:
    replay = replay_of(Move(0, 9, 1), ROW, UNDO, UNDO, ROW)
    undone = [played.undone_number for played in replay.play_rest()]
    assert undone == [None, None, 2, 1, None]
    assert (replay.position.moves, replay.position.rows, replay.position.score) == (0, 1, 499)
    assert replay.counts == Counts(
        made=3,
        undos=2,
        gross_score=497,
        started=True,
        moves_if_undo_costs=5,
        score_if_undo_costs=495,
    )


def test_restart_begins_again_and_counts_abandoned_attempts() -> None:
    replay = replay_of(RESTART, ROW, RESTART, RESTART, ROW, UNDO, RESTART)
    entries = list(replay.play_rest())
    assert replay.position.to_deal() == NATIVE
    assert replay.attempt == 5
    assert replay.counts == Counts(made=2, undos=1, restarts=4, abandoned=2)
    assert [len(played.undone) for played in entries] == [0, 0, 1, 0, 0, 1, 0]


def test_undo_does_not_take_back_a_restart() -> None:
    replay = replay_of(ROW, RESTART, UNDO)
    replay.go_to(2)
    with pytest.raises(IllegalAction, match="nothing to undo"):
        replay.forward()
    assert replay.number == 2


def test_a_won_game_that_is_restarted_is_not_abandoned() -> None:
    replay = Replay(
        recorded_game(one_move_from_won(), [Move(1, 0, 1), RESTART, Move(1, 0, 1), UNDO])
    )
    list(replay.play_rest())
    assert not replay.position.won
    assert replay.counts == Counts(
        made=2,
        undos=1,
        restarts=1,
        gross_score=499,
        started=True,
        moves_if_undo_costs=2,
        score_if_undo_costs=498,
    )


def test_completed_runs_belong_to_the_action_and_not_to_its_undo() -> None:
    replay = Replay(recorded_game(one_move_from_won(), [Move(1, 0, 1), UNDO]))
    won, undone = replay.play_rest()
    assert [run.suit for run in won.completed] == [0]
    assert (undone.completed, undone.turned, undone.is_row) == ((), (), False)
    assert undone.revision is UNDO
    assert replay_of(ROW).forward().is_row


def test_the_beginning_and_the_end() -> None:
    replay = replay_of(ROW)
    assert replay.last is None
    with pytest.raises(IllegalAction, match="this is the beginning of the game"):
        replay.back()
    played = replay.forward()
    assert replay.at_end
    assert replay.last is played
    for go_on in (replay.forward, lambda: replay.go_to(2)):
        with pytest.raises(IllegalAction, match="this is the end of the game"):
            go_on()
        assert replay.number == 1
    assert replay.back() is played
    assert (replay.number, replay.last, replay.at_end) == (0, None, False)
    with pytest.raises(IllegalAction, match="this is the beginning of the game"):
        replay.go_to(-1)


def state_of(replay: Replay):
    position = replay.position
    counted = (position.score, position.moves, position.rows, replay.counts)
    return position.to_deal(), position.history, counted, replay.last


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 10**6), st.integers(0, 60), st.sampled_from((1, 2, 4)), st.data())
def test_going_back_restores_each_state(
    seed: int, entries: int, suits: int, data: st.DataObject
) -> None:
    deal, actions = random_record(seed, entries, suits, played=100)
    replay = Replay(recorded_game(deal, actions))
    states = [state_of(replay)]
    for _ in replay.play_rest():
        states.append(state_of(replay))
    for number in reversed(range(len(actions))):
        replay.back()
        assert state_of(replay) == states[number]
    for number in data.draw(st.lists(st.integers(0, len(actions)), max_size=5)):
        replay.go_to(number)
        assert replay.number == number
        assert state_of(replay) == states[number]
