"""Replaying a recorded game by the rules in ``game``: won, unfinished, or illegal at some action.

This is the independent check of the search's solutions, because ``game`` shares no code with the
search.
"""

from __future__ import annotations

import enum
from collections.abc import Sequence
from dataclasses import dataclass

from .deal import Deal
from .errors import IllegalAction, InternalError
from .game import Action, Position
from .notation import action_text
from .recorded_games import RecordedGame, recorded_game
from .replay import Counts, Replay


class GameVerdict(enum.StrEnum):
    """The verdict on a recorded game."""

    WON = "won"  # all actions are legal, and eight runs are completed
    UNFINISHED = "unfinished"  # all actions are legal, but the game is not won
    ILLEGAL = "illegal"  # an action is illegal


@dataclass(frozen=True, slots=True)
class Report:
    """The result of replaying a recorded game up to its end or its first illegal action."""

    verdict: GameVerdict
    entry_count: int  # entries replayed, including undos and restarts, without an illegal one
    moves: int  # at the end; moves that were undone are not included
    rows: int  # at the end; rows that were undone are not included
    score: int  # at the end
    counts: Counts  # the other counts, such as undos
    completed: tuple[int, ...]  # suits of the completed runs; those of the deal come first
    time: float | None  # seconds, of the last replayed entry that has a time
    position: Position  # at the end, with its history
    illegal_number: int | None = None  # the number of the illegal action, from 1, if any
    illegal_text: str = ""  # the illegal action as it was written
    illegal_line: int | None = None  # its line; None if the game was not read from text
    reason: str = ""  # why the action is illegal

    @property
    def legal(self) -> bool:
        """True if all actions are legal."""
        return self.verdict is not GameVerdict.ILLEGAL


def verify_game(game: RecordedGame) -> Report:
    """Replay a recorded game up to its end or its first illegal action."""
    replay = Replay(game)
    reason = ""
    try:
        for _ in replay.play_rest():
            pass
    except IllegalAction as error:
        reason = str(error)
    return _report(replay, reason)


def verify_solution(deal: Deal, actions: Sequence[Action]) -> Report:
    """Replay actions on a deal, as ``verify_game`` does."""
    return verify_game(recorded_game(deal, actions))


def _report(replay: Replay, reason: str) -> Report:
    """Return the report on a replay. reason: why its next action is illegal; empty if it ended."""
    position = replay.position
    illegal = replay.game.entries[replay.number] if reason else None
    verdict = GameVerdict.WON if position.won else GameVerdict.UNFINISHED
    played = replay.game.entries[: replay.number]
    times = [entry.time for entry in played if entry.time is not None]
    return Report(
        verdict=verdict if illegal is None else GameVerdict.ILLEGAL,
        entry_count=replay.number,
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


def verified(deal: Deal, actions: Sequence[Action]) -> Report:
    """Replay a solution that a search found. Raises InternalError unless it wins."""
    report = verify_solution(deal, actions)
    if report.verdict is not GameVerdict.WON:
        raise InternalError(
            f"a solution of {deal.name or 'a position'} failed its replay"
            f" ({report.verdict}: {report.reason or 'runs are missing'});"
            f" actions: {' '.join(map(action_text, actions))}"
        )
    return report
