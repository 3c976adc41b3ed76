"""The full-screen viewer: each key, and playing at intervals, on a simulated terminal."""

from __future__ import annotations

from pathlib import Path

import pytest
from prompt_toolkit.input import create_pipe_input
from prompt_toolkit.output import DummyOutput

from spider_solver.cli.viewer import Viewer
from spider_solver.formats import read_game
from spider_solver.render.style import Style
from spider_solver.replay import Replay

GAME = read_game((Path(__file__).parent.parent / "deals" / "won_two_suit.txt").read_text())
LENGTH = len(GAME.entries)
ROWS = [number for number, entry in enumerate(GAME.entries, 1) if entry.text == "row"]
RIGHT, LEFT, HOME, END, ENTER = "\x1b[C", "\x1b[D", "\x1b[H", "\x1b[F", "\r"


def viewer(last: int = LENGTH, seconds: float | None = None) -> Viewer:
    return Viewer(Replay(GAME), last, "the end", Style(), seconds)


def press(keys: str, shown: Viewer | None = None) -> Viewer:
    """A viewer after some keys and the key that quits."""
    shown = shown or viewer()
    with create_pipe_input() as terminal:
        terminal.send_text(keys + "q")
        shown.run(terminal, DummyOutput())
    return shown


@pytest.mark.parametrize(
    ("keys", "number"),
    [
        ("", 0),
        (RIGHT * 3, 3),
        ("nnj" + ENTER, 4),
        (RIGHT * 3 + LEFT, 2),
        (LEFT + "b", 0),
        (END, LENGTH),
        (END + RIGHT, LENGTH),
        (END + HOME, 0),
        ("28" + ENTER, 28),
        ("999999999" + ENTER, LENGTH),
        ("2" + RIGHT, 1),
        ("r", ROWS[0]),
        ("rrrrr", ROWS[-1]),
        ("rrrrrr", ROWS[-1]),
        ("rrR", ROWS[0]),
        ("rR", ROWS[0]),
        ("c", 71),
        (END + "C", 141),
        ("t", 1),
        (END + "T", 140),
    ],
)
def test_keys_go_to_an_action(keys, number):
    assert press(keys).replay.number == number


def test_keys_seek_a_completed_run_and_a_turned_card():
    assert press("c").replay.last.completed
    assert press("rt").replay.last.turned
    assert press("ccccccccc").replay.number == LENGTH


@pytest.mark.parametrize("key", ["q", "\x03", "\x1b"])
def test_keys_that_quit(key):
    shown = viewer()
    with create_pipe_input() as terminal:
        terminal.send_text(RIGHT + key)
        shown.run(terminal, DummyOutput())  # returns only after the viewer was quit
    assert shown.replay.number == 1


def test_the_screen_shows_title_counts_board_action_and_keys():
    screen = press("rn").screen()
    assert screen.startswith("native:213, 2 suits, standard rules\naction 29 of 142: 28 moves and")
    assert ">T♠" in screen
    assert "T♠ from column 8 to column 2, onto J♠" in screen
    assert "28 Enter: to action 28" in screen
    assert "the end" not in screen
    assert "the end" in press(END).screen()
    assert all(len(line) <= 80 for line in screen.splitlines())


def test_a_note_says_that_nothing_was_found():
    assert "no row after this action" in press("rrrrrr").screen()
    assert "no completed run before this action" in press("C").screen()
    assert "no row after" not in press("rrrrrr" + LEFT).screen()


def test_the_number_being_typed_is_shown():
    assert "\n\nto action 14_\n" in press("14").screen()
    assert "\nto action" not in press("14" + LEFT).screen()


def test_the_viewer_does_not_go_beyond_its_last_action():
    assert press(END, viewer(last=7)).replay.number == 7
    assert press("c", viewer(last=7)).replay.number == 0


def test_playing_stops_at_the_end():
    shown = viewer(last=5, seconds=0.001)
    with create_pipe_input() as terminal:
        real_step = shown.step

        def step() -> None:
            real_step()
            if shown.replay.number == 5:
                terminal.send_text("q")

        shown.step = step  # type: ignore[method-assign]
        shown.run(terminal, DummyOutput())
    assert (shown.replay.number, shown.playing) == (5, False)


def test_space_starts_playing_and_any_other_key_stops_it():
    assert press(" ").playing
    assert not press("  ").playing
    assert not press(" n").playing
    again = press(END + " ")
    assert (again.replay.number, again.playing) == (0, True)
