"""Fixtures that tests share."""

from __future__ import annotations

import signal
from pathlib import Path

import pytest
from commandline import WON_GAME, FakeSolver
from play import game_text, one_move_from_won, random_actions

from spider_solver import solver
from spider_solver.formats import write_deal

# A shell starts a background job with Ctrl-C ignored, and its child processes inherit that. The
# tests that interrupt a search need the default handler.
signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture
def endgame(tmp_path: Path) -> str:
    """The file of a position that one move wins."""
    path = tmp_path / "end.txt"
    path.write_text(write_deal(one_move_from_won(), "text"))
    return str(path)


@pytest.fixture
def won_game(tmp_path: Path) -> str:
    """The file of a recorded game that its second action wins."""
    path = tmp_path / "won.txt"
    path.write_text(game_text(one_move_from_won(), WON_GAME))
    return str(path)


@pytest.fixture
def long_game(tmp_path: Path) -> str:
    """The file of a legal, unfinished game of sixty actions."""
    path = tmp_path / "long.txt"
    path.write_text(game_text(*random_actions(5, 60)))
    return str(path)


@pytest.fixture
def fake(monkeypatch: pytest.MonkeyPatch) -> FakeSolver:
    """A fake ``solver.solve`` that returns at once."""
    fake = FakeSolver()
    monkeypatch.setattr(solver, "solve", fake)
    return fake
