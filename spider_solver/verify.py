"""Replaying a recorded game on the plain rules: won, unfinished, or illegal at which action.

This is the independent check of what a search says: it knows ``game`` only.
"""

from __future__ import annotations

import enum
from collections.abc import Sequence
from dataclasses import dataclass

from .deal import Deal
from .errors import NotationError
from .game import Action, Position
from .notation import RecordedGame, record, resolve


class Finding(enum.StrEnum):
    """won: eight runs completed. unfinished: legal as far as it goes. illegal: it isn't."""

    WON = "won"
    UNFINISHED = "unfinished"
    ILLEGAL = "illegal"


@dataclass(frozen=True, slots=True)
class Report:
    """What a replay found.

    verdict: compares equal to ``"won"``, ``"unfinished"`` or ``"illegal"``. actions: how
    many were replayed, without the illegal one. moves, rows, score: of these. completed:
    suits of the completed runs, those of the deal first. position: where it ended, with its
    history. If illegal: illegal_number (from 1), illegal_text and illegal_line (None if not
    from a text) of the action, and the reason.
    """

    verdict: Finding
    actions: int
    moves: int
    rows: int
    score: int
    completed: tuple[int, ...]
    position: Position
    illegal_number: int | None = None
    illegal_text: str = ""
    illegal_line: int | None = None
    reason: str = ""


def verify_game(game: RecordedGame) -> Report:
    """Replay a recorded game up to its end or its first illegal action."""
    position = Position(game.deal)
    for number, recorded in enumerate(game.actions, 1):
        reason: str | None
        try:
            action = resolve(recorded.action, position)
        except NotationError as error:
            reason = str(error)
        else:
            reason = position.why_illegal(action)
        if reason is not None:
            return _report(Finding.ILLEGAL, position, number, recorded.text, recorded.line, reason)
        position.push(action)
    return _report(Finding.WON if position.won else Finding.UNFINISHED, position)


def verify_solution(deal: Deal, actions: Sequence[Action]) -> Report:
    """Replay actions on a deal, as ``verify_game`` does."""
    return verify_game(record(deal, actions))


def _report(
    verdict: Finding,
    position: Position,
    number: int | None = None,
    text: str = "",
    line: int | None = None,
    reason: str = "",
) -> Report:
    return Report(
        verdict=verdict,
        actions=position.moves + position.rows,
        moves=position.moves,
        rows=position.rows,
        score=position.score,
        completed=tuple(position.completed),
        position=position,
        illegal_number=number,
        illegal_text=text,
        illegal_line=line,
        reason=reason,
    )
