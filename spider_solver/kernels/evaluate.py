"""The score of a state: a sum of few terms, each cheap to keep when a move is made.

    + run value  for each run of n face-up cards: pair * (n - 1) + square * (n * n - 1)
    + off        for each face-up card on a card of another suit, one rank higher
    + empty      for each empty column
    + king       for each King at the bottom of a column
    + down       for each face-down card (negative)
    + completed  for each completed run; above the value of any run, or the search would
                 avoid completing them
    + reach      for each column whose last sequence fits by rank, as a whole, on the end of
                 another: no reversible move changes that, and what lies below can be had
    + join       for each column whose last run fits, in suit, on the end of another: a pair
                 that is there for the taking
    + row        for each column whose end will be covered in suit, one rank lower, by the
                 next row

Only the order of scores matters. benchmarks/README.md tells on which deals the weights were
tuned and confirmed.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..cards import KING
from ..deal import COLUMNS, ROW_CARDS
from .layout import CARDS, DOWN, FACE, LINK, RANK, RUNS, STAGE, STEP, UP
from .loading import kernel

# places in the array of weights
OFF, EMPTY, KING_BASE, FACE_DOWN, COMPLETED, REACH, JOIN, ROW_FIT, RUN_VALUE = range(9)

ONE = np.uint64(1)
ANY_SUIT = np.uint64(0x0001_0001_0001_0001)  # a rank's four cards, as bits by card code
NOTHING = 15  # a rank that no card has: what an empty column wants


class Weights(NamedTuple):
    """What each term counts; see the module."""

    pair: int = 60
    square: int = 1
    off: int = -8
    empty: int = 15
    king: int = 20
    down: int = -22
    completed: int = 1000
    reach: int = 20
    join: int = 30
    row: int = 30

    def array(self) -> np.ndarray:
        """int64 (22): in the order of the constants above; values of runs by length."""
        plain = (self.off, self.empty, self.king, self.down, self.completed)
        value = (self.pair * (n - 1) + self.square * (n * n - 1) for n in range(1, KING + 1))
        return np.array((*plain, self.reach, self.join, self.row, 0, *value), np.int64)


@kernel
def row_fit(stock, weights, next_card, end):
    """The row term of a column with an end card; ``next_card`` is its place in the stock.

    next_card is negative if no row is left; end is 0 if the column is empty.
    """
    if next_card >= 0 and np.int64(stock[next_card]) + 1 == end and end & RANK > 1:
        return weights[ROW_FIT]
    return np.int64(0)


@kernel
def prospects(weights, ends, wants):
    """The reach and join terms of a state.

    ends: uint64 (10), the bit of each column's end card, 0 if empty. wants: uint64 (20), for
    each column the rank one above its last sequence, then the card one above its last run;
    NOTHING if there is none.
    """
    bits = ends[0]
    for column in range(1, COLUMNS):
        bits |= ends[column]
    reach, join = np.int64(0), np.int64(0)
    for column in range(COLUMNS):
        if (bits >> wants[column]) & ANY_SUIT:
            reach += 1
        join += np.int64((bits >> wants[COLUMNS + column]) & ONE)
    return reach * weights[REACH] + join * weights[JOIN]


@kernel
def look(states, at, end, column, length, ends, wants):
    """Note what a column offers and wants, for prospects.

    end: one behind its last card. length: of its last run, 0 if the column is empty.
    """
    if length == 0:
        ends[column] = 0
        wants[column] = NOTHING
        wants[COLUMNS + column] = NOTHING
        return
    ends[column] = ONE << np.uint64(states[at, end - 1] & FACE)
    low = end - length
    card = states[at, low]
    wants[COLUMNS + column] = (card & FACE) + 1
    while card & STEP:
        low -= 1
        card = states[at, low]
    wants[column] = (card & RANK) + 1


@kernel
def score_state(states, at, stock, rows, weights, ends, wants):
    """The score, from scratch, of the state in row ``at``; ``rows`` are the root's.

    ends, wants: as for prospects, modified in place.
    """
    score = np.int64(states[at, RUNS]) * weights[COMPLETED]
    next_card = np.int64(states[at, STAGE]) * ROW_CARDS
    if states[at, STAGE] == rows:
        next_card = np.int64(-COLUMNS)
    start = CARDS
    for column in range(COLUMNS):
        up, down = np.int64(states[at, UP + column]), np.int64(states[at, DOWN + column])
        score += down * weights[FACE_DOWN]
        if up == 0:
            look(states, at, start, column, 0, ends, wants)
            score += weights[EMPTY]
            continue
        if down == 0 and states[at, start] & RANK == KING:
            score += weights[KING_BASE]
        length = 1
        for i in range(start + 1, start + up):
            card = states[at, i]
            if card & LINK:
                length += 1
                continue
            score += weights[RUN_VALUE + length]
            length = 1
            if card & STEP:
                score += weights[OFF]
        score += weights[RUN_VALUE + length]
        start += up
        look(states, at, start, column, length, ends, wants)
        end = np.int64(states[at, start - 1] & FACE)
        score += row_fit(stock, weights, next_card + column, end)
    return score + prospects(weights, ends, wants)
