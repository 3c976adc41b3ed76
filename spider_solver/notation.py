"""The text form of actions, in both directions.

An action is ``4-7x3`` (three cards from column 4 to column 7; columns are 1-10 in text) or
``row``. A recorded game also has the revisions ``undo`` (take back the last action) and
``restart`` (start the same deal again).

The count, such as ``x3``, may be left out of a text to be read if the target column is not empty,
because the end card of the target determines the count. Such a move is an ``OpenMove`` until
``resolve`` finds its count in a position.
"""

from __future__ import annotations

import enum
import re
from typing import NamedTuple

from .cards import rank_of
from .deal import COLUMNS
from .errors import NotationError
from .game import ROW, Action, Move, Position, Row
from .words import alternatives, quote

ROW_TEXT = "row"
_MOVE = re.compile(r"([0-9]{1,3})-([0-9]{1,3})(?:x([0-9]{1,3}))?", re.IGNORECASE)


class Revision(enum.Enum):
    """An entry of a recorded game that takes back actions."""

    UNDO = "undo"  # takes back the last action
    RESTART = "restart"  # takes back all actions


_WORDS: dict[str, Action | Revision] = {
    ROW_TEXT: ROW,
    **{revision.value: revision for revision in Revision},
}
_LONGEST_WORD = max(map(len, _WORDS))


class OpenMove(NamedTuple):
    """A move written without its count."""

    source: int  # column, 0-9
    target: int  # column, 0-9


def action_text(action: Action | OpenMove | Revision) -> str:
    """Return ``4-7x3``, ``4-7`` for an OpenMove, ``row``, ``undo`` or ``restart``."""
    if isinstance(action, Revision):
        return action.value
    if isinstance(action, Row):
        return ROW_TEXT
    count = f"x{action.count}" if isinstance(action, Move) else ""
    return f"{action.source + 1}-{action.target + 1}{count}"


def parse_action(text: str) -> Action | OpenMove | Revision:
    """Return the action or revision that a text without blanks stands for.

    Upper and lower case are the same. Raises NotationError if the text is neither, or names a
    column that does not exist.
    """
    if len(text) <= _LONGEST_WORD and (word := _WORDS.get(text.lower())) is not None:
        return word
    match = _MOVE.fullmatch(text)
    if match is None:
        raise NotationError(
            f"{quote(text)} is not an action: expected a move like 4-7x3 (three cards from column"
            f" 4 to column 7), {alternatives(_WORDS)}"
        )
    source, target = int(match[1]), int(match[2])
    for column in (source, target):
        if not 1 <= column <= COLUMNS:
            raise NotationError(
                f"{quote(text)}: there is no column {column}: expected 1 to {COLUMNS}"
            )
    if match[3] is None:
        return OpenMove(source - 1, target - 1)
    return Move(source - 1, target - 1, int(match[3]))


def resolve(action: Action | OpenMove, position: Position) -> Action:
    """Return the action with its count; for an OpenMove, the target's end card determines it.

    The result may be illegal; ``position.why_illegal`` gives the reason. Raises NotationError
    if the target is empty, because the count is then undetermined.
    """
    if not isinstance(action, OpenMove):
        return action
    source, target = position.columns[action.source], position.columns[action.target]
    if not source:
        return Move(*action, 1)
    if not target:
        raise NotationError(
            f"column {action.target + 1} is empty, so the count cannot be left out: write"
            f" {action_text(action)}x1, or the right number"
        )
    return Move(*action, max(rank_of(target[-1]) - rank_of(source[-1]), 1))
