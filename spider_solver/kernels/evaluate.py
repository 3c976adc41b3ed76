"""The score of a state: a sum over columns, so that a move changes it by a few terms.

    + pair      for each face-up card on a card of its suit, one rank higher
    + off       for each face-up card on a card of another suit, one rank higher
    + empty     for each empty column
    + king      for each King at the bottom of a column
    + down      for each face-down card (negative)
    + run       for each completed run; above twelve pairs, or the search avoids completing

Only the order of scores matters; the unit is a sixtieth of a pair.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..cards import KING
from ..deal import COLUMNS
from .layout import CARDS, DOWN, LINK, RANK, RUNS, STEP, UP
from .loading import kernel

PAIR, OFF, EMPTY, KING_BASE, FACE_DOWN, RUN = range(6)


class Weights(NamedTuple):
    """What each term counts; see the module."""

    pair: int = 60
    off: int = -5
    empty: int = 15
    king: int = 20
    down: int = -22
    run: int = 1000

    def array(self) -> np.ndarray:
        """int64 (6), in the order of the constants above."""
        return np.array(self, np.int64)


@kernel
def score_state(states, at, weights):
    """The score, from scratch, of the state in row ``at``."""
    score = np.int64(states[at, RUNS]) * weights[RUN]
    start = CARDS
    for column in range(COLUMNS):
        up, down = np.int64(states[at, UP + column]), np.int64(states[at, DOWN + column])
        score += down * weights[FACE_DOWN]
        if up == 0:
            score += weights[EMPTY]
        elif down == 0 and states[at, start] & RANK == KING:
            score += weights[KING_BASE]
        for i in range(start, start + up):
            card = states[at, i]
            if card & LINK:
                score += weights[PAIR]
            elif card & STEP:
                score += weights[OFF]
        start += up
    return score
