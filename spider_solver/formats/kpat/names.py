"""The names that KPatience's saved games use for elements, piles and card faces; their numbers."""

from __future__ import annotations

from collections.abc import Mapping

from ...deal import COLUMNS, MAX_ROWS, SETS
from ...errors import DealError
from ...words import quote

GAME, STATE, MOVE, CARD = "kpat-game", "state", "move", "card"
ROW_PILES = [f"redeals{i}" for i in range(MAX_ROWS)]
COLUMN_PILES = [f"stack{i}" for i in range(COLUMNS)]
RUN_PILES = [f"legs{i}" for i in range(SETS)]
FACE_UP, FACE_DOWN = "face-up", "face-down"
NO_NUMBER = 0  # the deal number of a game without a number
_MAX_DIGITS = 10


def integer(attributes: Mapping[str, str], key: str) -> int:
    """Return an attribute that is a whole number, not negative. Raises DealError."""
    text = attributes.get(key, "")
    if not (text.isascii() and text.isdigit() and len(text) <= _MAX_DIGITS):
        raise DealError(f"{key} {quote(text)}: expected a whole number")
    return int(text)
