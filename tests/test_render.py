"""Boards, actions and games as text, exactly as they are printed."""

import re

import click
import pytest

from spider_solver.formats import read_deal, read_game
from spider_solver.game import ROW, Move, Position
from spider_solver.notation import Revision, parse_action
from spider_solver.numbering import deal_from_number
from spider_solver.recorded_games import recorded_game
from spider_solver.render.board import board, moved_cards
from spider_solver.render.style import Style
from spider_solver.render.text import (
    action_lines,
    clock_text,
    counts_text,
    entry_lines,
    replay_lines,
    revisions_text,
    title,
)
from spider_solver.replay import Counts, Replay

ASCII = Style(unicode=False)
COLOR = Style(color=True)

# Two runs are missing. A move completes one of them, on a face-down card, which is then turned.
LAST_RUN = """
suits: 4
1: AH | KS QS JS TS 9S 8S
2: 7S 6S 5S 4S 3S 2S AS
3: KH QH JH TH 9H 8H 7H 6H 5H 4H 3H 2H
completed: S D D C C H
4: -
5: -
6: -
7: -
8: -
9: -
10: -
"""
# Three cards in the tableau and one row. By the relaxed rules the row may be dealt.
ROW_TO_COME = """
suits: 1
rules: relaxed
1: KS QS JS
2: -
3: -
4: -
5: -
6: -
7: -
8: -
9: -
10: -
row: TS 9S 8S 7S 6S 5S 4S 3S 2S AS
completed: S S S S S S S
"""


# The row completes a run in column 1 and one in column 4.
TWO_RUNS = """
suits: 1
rules: relaxed
1: KS QS JS TS 9S 8S 7S 6S 5S 4S 3S 2S
2: 5S 4S 3S 2S AS
3: -
4: KS QS JS TS 9S 8S 7S 6S 5S 4S 3S 2S
5: -
6: -
7: -
8: -
9: -
10: -
row: AS KS QS AS JS TS 9S 8S 7S 6S
completed: S S S S S
"""


def position(text: str) -> Position:
    return Position(read_deal(text))


def played(text: str, actions) -> Replay:
    """The replay of actions on a deal, at its beginning."""
    return Replay(recorded_game(read_deal(text), actions))


def test_the_board_of_a_fresh_deal_shows_only_the_end_cards():
    text = board(deal_from_number("native:1"))
    assert text.count("░░") == 44
    assert len(re.findall(r"[A2-9TJQK][♠♥♦♣]", text)) == 10
    lines = text.splitlines()
    assert lines[0].split() == [str(number) for number in range(1, 11)]
    assert lines[-2:] == ["Stock: 5 rows left", "Completed runs: none of 8"]


def test_a_revealed_board_shows_all_cards_and_puts_face_down_cards_in_brackets():
    deal = deal_from_number("native:1")
    text = board(deal, reveal=True)
    assert len(re.findall(r"[A2-9TJQK][♠♥♦♣]", text)) == 104
    assert len(re.findall(r"\[[A2-9TJQK][♠♥♦♣]\]", text)) == 44
    rows = text.splitlines()[-6:-1]
    assert [line.split() for line in rows] == [
        [Style().card(card) for card in deal.stock[start : start + 10]]
        for start in range(0, 50, 10)
    ]


def test_a_board_in_ascii():
    assert board(position(LAST_RUN), style=ASCII) == "\n".join(
        [
            "  1    2    3    4    5    6    7    8    9   10",
            " ##   7S   KH   --   --   --   --   --   --   --",
            " KS   6S   QH",
            " QS   5S   JH",
            " JS   4S   TH",
            " TS   3S   9H",
            " 9S   2S   8H",
            " 8S   AS   7H",
            "           6H",
            "           5H",
            "           4H",
            "           3H",
            "           2H",
            "",
            "Stock: 0 rows left",
            "Completed runs: S D D C C H (6 of 8)",
        ]
    )


@pytest.mark.parametrize("reveal", [False, True])
@pytest.mark.parametrize("style", [Style(), ASCII], ids=["signs", "ascii"])
def test_colours_do_not_change_the_text(reveal, style):
    for deal in (deal_from_number("native:3"), read_deal(LAST_RUN)):
        colored = board(deal, reveal=reveal, style=Style(color=True, unicode=style.unicode))
        plain = board(deal, reveal=reveal, style=style)
        stripped = [line.rstrip() for line in click.unstyle(colored).splitlines()]
        assert stripped == plain.splitlines()
        assert "\x1b" not in plain


def test_the_ascii_style_writes_only_ascii():
    lines = list(
        replay_lines(played(LAST_RUN, [Move(1, 0, 7), Move(0, 2, 1)]), style=ASCII, boards=True)
    )
    assert len(lines) == 5
    assert "\n".join(lines).isascii()


def test_a_row_that_completes_two_runs_numbers_both():
    replay = played(TWO_RUNS, [ROW])
    (text,) = replay_lines(replay, style=ASCII)
    assert text.splitlines() == [
        "1. == row to columns 1-10: AS KS QS AS JS TS 9S 8S 7S 6S == 0 rows left",
        "   == S spades completed in column 1, King to Ace == run 6 of 8",
        "   == S spades completed in column 4, King to Ace == run 7 of 8",
    ]


def test_red_suits_are_red():
    assert COLOR.card(0x19) == "\x1b[31m\x1b[1m9♥\x1b[0m"
    assert "\x1b[31m" not in COLOR.card(0x09)


def test_a_move_in_words():
    game = Position(deal_from_number("native:1"))
    assert action_lines(game.push(Move(0, 9, 1)), game) == [
        "2♠ from column 1 to column 10, onto 3♣; turns 6♦"
    ]


def test_a_move_to_an_empty_column_that_turns_no_card():
    game = position(LAST_RUN)
    outcome = game.push(Move(1, 9, 2))
    assert action_lines(outcome, game, ASCII) == ["2S AS from column 2 to empty column 10"]


def test_a_completed_run_is_between_bars_with_the_card_that_it_turned():
    game = position(LAST_RUN)
    assert action_lines(game.push(Move(1, 0, 7)), game) == [
        "7♠ 6♠ 5♠ 4♠ 3♠ 2♠ A♠ from column 2 to column 1, onto 8♠",
        "══ ♠ spades completed in column 1, King to Ace ══ run 7 of 8; turns A♥",
    ]


def test_a_row_is_between_bars():
    game = position(ROW_TO_COME)
    assert action_lines(game.push(ROW), game, ASCII) == [
        "== row to columns 1-10: TS 9S 8S 7S 6S 5S 4S 3S 2S AS == 0 rows left"
    ]


def test_replay_lines_are_numbered_and_aligned_and_play_the_game():
    replay = played(ROW_TO_COME, [ROW, *(Move(source, 0, 1) for source in range(1, 10))])
    replay.forward()
    lines = list(replay_lines(replay))
    assert [line.split(".")[0] for line in lines] == [f"{number:2}" for number in range(2, 11)]
    assert replay.position.won
    assert counts_text(replay.position) == "9 moves and 1 row, 8 of 8 runs completed, score 590"


def test_replay_lines_with_boards_start_with_a_board_and_have_one_after_each_action():
    replay = played(LAST_RUN, [Move(1, 0, 7), Move(0, 2, 1)])
    lines = list(replay_lines(replay, boards=True))
    assert len(lines) == 5
    assert lines[0].rstrip() == board(position(LAST_RUN))
    assert lines[-1].endswith("(8 of 8)\n")


def test_the_title_says_mid_game_only_for_such_a_position():
    assert title(deal_from_number("7", suits=1)) == "native:7, 1 suit, standard rules"
    assert title(read_deal(LAST_RUN, "end.txt")) == (
        "end.txt, 4 suits, standard rules, a position in mid-game"
    )


def test_rendering_prints_nothing(capfd):
    game = Position(deal_from_number("native:2"))
    board(game, reveal=True, style=COLOR)
    moves = list(game.legal_moves())[:1]
    list(replay_lines(Replay(recorded_game(game.to_deal(), moves)), style=COLOR, boards=True))
    assert capfd.readouterr() == ("", "")


def test_undo_and_restart_in_words_with_time_and_comments():
    text = ROW_TO_COME + "actions: row@75.5 # now or never\n# or later\nundo@3661 row restart"
    assert list(replay_lines(Replay(read_game(text)))) == [
        "1. ══ row to columns 1-10: T♠ 9♠ 8♠ 7♠ 6♠ 5♠ 4♠ 3♠ 2♠ A♠ ══ 0 rows left  at 1:15\n"
        "   # now or never\n"
        "   # or later",
        "2. undo: takes back action 1  at 1:01:01",
        "3. ══ row to columns 1-10: T♠ 9♠ 8♠ 7♠ 6♠ 5♠ 4♠ 3♠ 2♠ A♠ ══ 0 rows left",
        "4. ══ restart: the same deal again ══ attempt 2",
    ]


def test_entry_lines_without_bars():
    replay = played(ROW_TO_COME, [ROW])
    (line,) = entry_lines(replay.forward(), replay, Style(bars=False))
    assert line == "row to columns 1-10: T♠ 9♠ 8♠ 7♠ 6♠ 5♠ 4♠ 3♠ 2♠ A♠, 0 rows left"


def test_clock_rounds_down_to_seconds():
    assert [clock_text(time) for time in (0, 59.9, 60, 3600, 36_061.5)] == [
        *("0:00", "0:59", "1:00", "1:00:00", "10:01:01")
    ]


@pytest.mark.parametrize(
    ("words", "marked"),
    [
        ("", set()),
        ("2-1x7", set()),  # the moved cards left with the run that they completed
        ("2-4x3", {(3, 0), (3, 1), (3, 2)}),
        ("2-4x3 undo", {(1, 4), (1, 5), (1, 6)}),
        ("2-4x3 restart", set()),
    ],
)
def test_moved_cards_of_an_entry(words, marked):
    replay = played(LAST_RUN, map(parse_action, words.split()))
    for _ in replay.play_rest():
        pass
    assert moved_cards(replay.last, replay.position) == marked


def test_moved_cards_of_a_row_and_of_its_undo():
    replay = played(ROW_TO_COME, [ROW, Revision.UNDO])
    row = moved_cards(replay.forward(), replay.position)
    assert row == {(0, 3), *((column, 0) for column in range(1, 10))}
    assert moved_cards(replay.forward(), replay.position) == set()


def test_marked_cards_are_highlighted_and_stay_aligned():
    game = position(LAST_RUN)
    marked = {(1, 6), (2, 0)}
    plain = board(game, style=ASCII, marked=marked)
    assert ">AS" in plain
    assert ">KH" in plain
    assert plain.replace(">", " ") == board(game, style=ASCII)
    colored = board(game, style=COLOR, marked=marked)
    assert colored.count("\x1b[7m") == 4
    stripped = [line.rstrip() for line in click.unstyle(colored).splitlines()]
    assert stripped == board(game).splitlines()


def test_revisions_are_empty_without_undo_and_restart():
    assert revisions_text(Counts(made=5)) == ""
    assert revisions_text(Counts(made=5, undos=1, gross_score=495)) == (
        "1 undo, 5 actions made in all, score 495 if undo gave no points back"
    )
    assert revisions_text(Counts(made=1, restarts=2, abandoned=1)) == (
        "2 restarts (1 attempt abandoned), 1 action made in all"
    )
