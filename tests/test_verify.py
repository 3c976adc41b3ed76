"""Replaying recorded games: won, unfinished, or illegal, where and why."""

from __future__ import annotations

import subprocess
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from play import endgame, one_move_from_won, random_actions, run, sensible_position

from spider_solver.deal import Rules
from spider_solver.game import ROW, START_SCORE, Move
from spider_solver.notation import read_game, write_game
from spider_solver.numbering import deal_from_number
from spider_solver.verify import Finding, verify_game, verify_solution

END = one_move_from_won()


def test_won() -> None:
    report = verify_solution(END, [Move(1, 0, 1)])
    assert report.verdict == "won"
    assert report.verdict is Finding.WON
    assert (report.actions, report.moves, report.rows, report.score) == (1, 1, 0, 599)
    assert report.completed == (0,) * 8
    assert report.position.won
    assert report.illegal_number is None
    assert (report.illegal_text, report.reason) == ("", "")


@pytest.mark.parametrize(("suits", "seed"), [(1, 7), (1, 39), (2, 213), (2, 275)])
def test_a_whole_won_game(suits: int, seed: int) -> None:
    played = sensible_position(seed, 300, suits)
    deal = deal_from_number(str(seed), suits)
    actions = [outcome.action for outcome in played.history]
    for format in ("text", "json"):
        report = verify_game(read_game(write_game(deal, actions, format=format)))  # type: ignore[arg-type]
        assert report.verdict == "won"
        assert (report.moves, report.rows) == (played.moves, 5)
        assert report.score == played.score
        assert report.position.history == played.history
    assert verify_solution(deal, actions[:-1]).verdict == "unfinished"
    assert verify_solution(deal_from_number(str(seed + 1), suits), actions).verdict == "illegal"


def test_unfinished() -> None:
    report = verify_solution(deal_from_number("1"), [])
    assert report.verdict == "unfinished"
    assert (report.actions, report.score, report.completed) == (0, START_SCORE, ())
    assert verify_solution(deal_from_number("1"), [ROW] * 5).rows == 5


def test_an_illegal_move_ends_the_replay_and_is_named() -> None:
    report = verify_solution(END, [Move(1, 5, 1), Move(5, 0, 2), Move(5, 0, 1)])
    assert report.verdict == "illegal"
    assert (report.illegal_number, report.illegal_text) == (2, "6-1x2")
    assert report.illegal_line is None
    assert report.reason == "column 6 has 1 cards, not 2"
    assert (report.actions, report.moves) == (1, 1)
    assert report.position.columns[5] == run(1, 1)


def test_a_move_from_an_empty_column() -> None:
    report = verify_solution(END, [Move(7, 0, 1)])
    assert (report.verdict, report.illegal_number) == ("illegal", 1)
    assert report.reason == "column 8 is empty"


def test_actions_after_the_win() -> None:
    for extra in (Move(0, 1, 1), ROW):
        report = verify_solution(END, [Move(1, 0, 1), extra])
        assert (report.verdict, report.illegal_number) == ("illegal", 2)
        assert report.reason == "the game is already won"
        assert len(report.completed) == 8


def test_a_row_over_an_empty_column_depends_on_the_rules() -> None:
    deal, actions = random_actions(235, 120, 1, Rules.RELAXED)
    assert verify_solution(deal, actions).verdict == "unfinished"
    report = verify_solution(deal.with_rules(Rules.STANDARD), actions)
    assert (report.verdict, report.illegal_number, report.illegal_text) == ("illegal", 104, "row")
    assert "a row can't be dealt while column" in report.reason
    assert not all(report.position.columns)


def test_the_line_of_an_illegal_action_is_told() -> None:
    text = write_game(END, []) + "2-6x1\n# a comment\n6-2x1 2-1x7\n"
    report = verify_game(read_game(text))
    assert (report.illegal_number, report.illegal_text) == (3, "2-1x7")
    assert report.illegal_line == len(text.splitlines())


def test_a_count_left_out() -> None:
    assert verify_game(read_game(write_game(END, []) + "2-1")).verdict == "won"
    report = verify_game(read_game(write_game(END, []) + "2-3"))
    assert report.verdict == "illegal"
    assert report.reason == (
        "column 3 is empty, so the count can't be left out: write 2-3x1, or how many"
    )
    report = verify_game(read_game(write_game(END, []) + "1-2"))
    assert report.reason.startswith("two of spades can't go on ace of spades in column 2")


def test_a_deal_that_is_won_already() -> None:
    assert verify_solution(endgame([]), []).verdict == "won"


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 10**6), st.integers(0, 100), st.sampled_from((1, 2, 4)))
def test_legal_play_is_never_illegal(seed: int, actions: int, suits: int) -> None:
    deal, played = random_actions(seed, actions, suits)
    report = verify_solution(deal, played)
    assert report.verdict in ("won", "unfinished")
    assert report.actions == len(played) == report.moves + report.rows


def test_verifying_never_imports_the_kernels() -> None:
    code = (
        "import sys, spider_solver.verify, spider_solver.formats, spider_solver.notation;"
        "print([m for m in sys.modules if m.split('.')[0] in ('numba', 'numpy')"
        " or 'kernels' in m])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60
    )
    assert done.stdout.strip() == "[]"
