"""The names that KPatience's saved games use for elements, piles and card faces."""

from __future__ import annotations

from ...deal import COLUMNS, MAX_ROWS, SETS

GAME, STATE, MOVE, CARD = "kpat-game", "state", "move", "card"
ROW_PILES = [f"redeals{i}" for i in range(MAX_ROWS)]
COLUMN_PILES = [f"stack{i}" for i in range(COLUMNS)]
RUN_PILES = [f"legs{i}" for i in range(SETS)]
FACE_UP, FACE_DOWN = "face-up", "face-down"
NO_NUMBER = 0  # the deal number of a game without a number
