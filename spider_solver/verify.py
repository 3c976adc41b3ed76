"""Replaying a recorded game on the plain rules: won, unfinished, or illegal at which action.

This is the independent check of what a search says: it knows ``game`` only.
"""

from __future__ import annotations

import enum
from collections.abc import Sequence
from dataclasses import dataclass

from .deal import Deal
from .errors import IllegalAction
from .game import Action, Position
from .notation import RecordedGame, recorded_game
from .replay import Counts, Replay


class Finding(enum.StrEnum):
    """won: eight runs completed. unfinished: legal as far as it goes. illegal: it isn't."""

    WON = "won"
    UNFINISHED = "unfinished"
    ILLEGAL = "illegal"


@dataclass(frozen=True, slots=True)
class Report:
    """What a replay found.

    verdict: compares equal to ``"won"``, ``"unfinished"`` or ``"illegal"``. actions: how
    many entries were replayed, undos and restarts too, without the illegal one. moves, rows,
    score: as the game ended, so that what was undone isn't in them. counts: what else there is
    to count. completed: suits of the completed runs, those of the deal first. time: of the
    last entry that has one. position: where it ended, with its history. If illegal:
    illegal_number (from 1), illegal_text and illegal_line (None if not from a text) of the
    action, and the reason.
    """

    verdict: Finding
    actions: int
    moves: int
    rows: int
    score: int
    counts: Counts
    completed: tuple[int, ...]
    time: float | None
    position: Position
    illegal_number: int | None = None
    illegal_text: str = ""
    illegal_line: int | None = None
    reason: str = ""

    @property
    def legal(self) -> bool:
        """True if no action is illegal."""
        return self.verdict is not Finding.ILLEGAL


def verify_game(game: RecordedGame) -> Report:
    """Replay a recorded game up to its end or its first illegal action."""
    replay = Replay(game)
    reason = ""
    try:
        for _ in replay.rest():
            pass
    except IllegalAction as error:
        reason = str(error)
    return _report(replay, reason)


def verify_solution(deal: Deal, actions: Sequence[Action]) -> Report:
    """Replay actions on a deal, as ``verify_game`` does."""
    return verify_game(recorded_game(deal, actions))


def _report(replay: Replay, reason: str) -> Report:
    position = replay.position
    illegal = replay.game.actions[replay.number] if reason else None
    verdict = Finding.WON if position.won else Finding.UNFINISHED
    times = [e.time for e in replay.game.actions[: replay.number] if e.time is not None]
    return Report(
        verdict=verdict if illegal is None else Finding.ILLEGAL,
        actions=replay.number,
        moves=position.moves,
        rows=position.rows,
        score=position.score,
        counts=replay.counts,
        completed=tuple(position.completed),
        time=times[-1] if times else None,
        position=position,
        illegal_number=None if illegal is None else replay.number + 1,
        illegal_text="" if illegal is None else illegal.text,
        illegal_line=None if illegal is None else illegal.line,
        reason=reason,
    )
