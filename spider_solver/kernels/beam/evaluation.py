"""The score of a state: a sum of a few terms, each cheap to keep up to date when a move is made.

    + run value      for each run of n face-up cards: pair * (n - 1) + square * (n * n - 1)
    + off_suit       for each face-up card on a card of another suit, one rank higher
    + empty_column   for each empty column
    + king_base      for each King at the bottom of a column
    + face_down      for each face-down card (negative)
    + completed_run  for each completed run; more than the value of any run, or the search would
                     avoid completing runs
    + reach          for each column whose last sequence fits by rank, as a whole, on the end of
                     another column, so that the card under the sequence can be reached
    + join           for each column whose last run fits, in suit, on the end of another column,
                     so that one move joins two runs
    + row_fit        for each column whose end will be covered in suit, one rank lower, by the
                     next row

Only the order of scores matters. benchmarks/README.md names the deals on which the weights were
tuned and confirmed.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ...cards import KING
from ...deal import COLUMNS, ROW_CARDS
from ..jit import kernel
from ..layout import CARD, LINK, RANK, STEP, is_stock_empty, new_record

_ONE = np.uint64(1)
_ANY_SUIT = np.uint64(0x0001_0001_0001_0001)  # a rank's four cards, as bits by card code
_NO_CARD = 15  # no card has this code or this rank; used for empty columns


class Weights(NamedTuple):
    """The weight of each term; see the module's docstring."""

    pair: int = 60
    square: int = 1
    off_suit: int = -8
    empty_column: int = 15
    king_base: int = 20
    face_down: int = -22
    completed_run: int = 1000
    reach: int = 20
    join: int = 30
    row_fit: int = 30

    def record(self) -> np.void:
        """The weights as kernels take them: a record of the dtype WEIGHTS."""
        record = new_record(WEIGHTS)
        for name, weight in self._asdict().items():
            record[name] = weight
        for n in range(1, KING + 1):
            record["run_value"][n] = self.pair * (n - 1) + self.square * (n * n - 1)
        return record


WEIGHTS = np.dtype(
    [
        *((name, np.int64) for name in Weights._fields),
        ("run_value", np.int64, KING + 1),  # by the run's length
    ]
)

# The ends of a state's columns, and the rank and card on which each column's last sequence and
# last run fit.
PROSPECTS = np.dtype(
    [
        ("end_bit", np.uint64, COLUMNS),  # bit of the end card's code; 0 if the column is empty
        ("rank_above", np.uint64, COLUMNS),  # the rank one above the column's last sequence
        ("card_above", np.uint64, COLUMNS),  # the card one above the column's last run
    ]
)


@kernel
def next_row_index(state, root):
    """The index in the stock of the next row's first card.

    If no row is left it is -10, which stays negative when a column's index is added.
    """
    if is_stock_empty(state, root):
        return np.int64(-COLUMNS)
    return np.int64(state.rows_dealt) * ROW_CARDS


@kernel
def fit_with_row(root, weights, next_card, end):
    """The row_fit term of a column.

    next_card: index in the stock of the card that the next row puts on the column; negative if
    no row is left. end: the column's end card, or 0 if the column is empty.
    """
    if next_card >= 0 and np.int64(root.stock[next_card]) + 1 == end:
        return weights.row_fit
    return np.int64(0)


@kernel
def score_prospects(weights, prospects):
    """The reach and join terms of a state."""
    ends = prospects.end_bit[0]
    for column in range(1, COLUMNS):
        ends |= prospects.end_bit[column]
    reach, join = np.int64(0), np.int64(0)
    for column in range(COLUMNS):
        if (ends >> prospects.rank_above[column]) & _ANY_SUIT:
            reach += 1
        join += np.int64((ends >> prospects.card_above[column]) & _ONE)
    return reach * weights.reach + join * weights.join


@kernel
def set_end(prospects, column, card):
    """Note a column's new end card."""
    prospects.end_bit[column] = _ONE << np.uint64(card)


@kernel
def set_single_card(prospects, column, card):
    """Note that a column's last sequence and last run are one card, its end."""
    set_end(prospects, column, card)
    prospects.rank_above[column] = (card & RANK) + 1
    prospects.card_above[column] = card + 1


@kernel
def set_empty(prospects, column):
    """Note that a column is empty."""
    prospects.end_bit[column] = 0
    prospects.rank_above[column] = _NO_CARD
    prospects.card_above[column] = _NO_CARD


@kernel
def set_prospects(state, stop, column, run_length, sequence_length, prospects):
    """Note a column's end and what its last run and last sequence fit on.

    stop: index in STATE.cards after the column's last card. run_length, sequence_length: of its
    last run and its last sequence, 0 if the column is empty.
    """
    if run_length == 0:
        set_empty(prospects, column)
        return
    # Ranks rise by one from the end of a sequence to its head, so they follow from its length.
    end = state.cards[stop - 1] & CARD
    set_end(prospects, column, end)
    prospects.card_above[column] = end + run_length
    prospects.rank_above[column] = (end & RANK) + sequence_length


@kernel
def evaluate(state, root, weights, prospects):
    """The score of a state from scratch. prospects: PROSPECTS, modified in place."""
    score = np.int64(state.completed) * weights.completed_run
    next_row = next_row_index(state, root)
    start = 0
    for column in range(COLUMNS):
        up, down = np.int64(state.face_up[column]), np.int64(state.face_down[column])
        score += down * weights.face_down
        if up == 0:
            set_empty(prospects, column)
            score += weights.empty_column
            continue
        if down == 0 and state.cards[start] & RANK == KING:
            score += weights.king_base
        run, sequence = 1, 1
        for i in range(start + 1, start + up):
            card = state.cards[i]
            sequence += 1
            if card & LINK:
                run += 1
                continue
            score += weights.run_value[run]
            run = 1
            if card & STEP:
                score += weights.off_suit
            else:
                sequence = 1
        score += weights.run_value[run]
        start += up
        set_prospects(state, start, column, run, sequence, prospects)
        end = np.int64(state.cards[start - 1] & CARD)
        score += fit_with_row(root, weights, next_row + column, end)
    return score + score_prospects(weights, prospects)
