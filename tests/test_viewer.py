"""The terminal's viewer: each key, and playing by itself, on a made-up terminal."""

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
LENGTH = len(GAME.actions)
ROWS = [number for number, entry in enumerate(GAME.actions, 1) if entry.text == "row"]
RIGHT, LEFT, HOME, END, ENTER = "\x1b[C", "\x1b[D", "\x1b[H", "\x1b[F", "\r"


def viewer(last: int = LENGTH, seconds: float | None = None) -> Viewer:
    return Viewer(Replay(GAME), last, "the end", Style(), seconds)


def press(keys: str, shown: Viewer | None = None) -> Viewer:
    """A viewer after keys were pressed and it was quit."""
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
def test_keys(keys, number):
    assert press(keys).replay.number == number


def test_a_completed_run_and_a_turned_card_are_what_is_sought():
    assert press("c").replay.last.completed
    assert press("5t").replay.last.turned
    assert press("ccccccccc").replay.number == LENGTH


@pytest.mark.parametrize("key", ["q", "\x03", "\x1b"])
def test_keys_that_end_it(key):
    shown = viewer()
    with create_pipe_input() as terminal:
        terminal.send_text(key)
        shown.run(terminal, DummyOutput())


def test_what_is_shown():
    screen = press("rn").screen()
    assert screen.startswith("native:213, 2 suits, standard rules\naction 29 of 142: 28 moves and")
    assert ">T♠" in screen
    assert "T♠ from column 8 to column 2, onto J♠" in screen
    assert "28 Enter: to action 28" in screen
    assert "the end" not in screen
    assert "the end" in press(END).screen()
    assert all(len(line) <= 80 for line in screen.splitlines())


def test_what_is_sought_and_is_not_there_is_said():
    assert "no row after this action" in press("rrrrrr").screen()
    assert "no completed run before this action" in press("C").screen()
    assert "no row after" not in press("rrrrrr" + LEFT).screen()
    assert "to action 14_" in press("14").screen()


def test_the_end_is_where_it_is_told_to_be():
    assert press(END, viewer(last=7)).replay.number == 7
    assert press("c", viewer(last=7)).replay.number == 0


def test_it_plays_by_itself_to_the_end_and_then_waits():
    shown = viewer(last=5, seconds=0.001)
    with create_pipe_input() as terminal:
        played = shown.step

        def step() -> None:
            played()
            if shown.replay.number == 5:
                terminal.send_text("q")

        shown.step = step  # type: ignore[method-assign]
        shown.run(terminal, DummyOutput())
    assert (shown.replay.number, shown.playing) == (5, False)


def test_space_plays_and_any_other_key_stops():
    assert press(" ").playing
    assert not press("  ").playing
    assert not press(" n").playing
    again = press(END + " ")
    assert (again.replay.number, again.playing) == (0, True)
