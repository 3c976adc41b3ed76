"""Zobrist keys of states, and class keys, which most reversible moves don't change.

Every pair of a face-up card and its height has a random 64-bit number. The height is the index
among the face-up cards of the column. A column's key is the sum of the
numbers of its face-up cards and of a number for its base. A state's key is the sum of its
columns' keys, each mixed. So a move changes only two terms of the key. The base of a column
decides whether columns are told apart:

* with face-down cards: a number for the column and its face-down count;
* without face-down cards, while rows are left: a number for the column, because the next row
  tells the columns apart;
* without face-down cards, after the last row: zero, so that states that differ in the order of
  their columns have the same key.

The random numbers come from SplitMix64, so keys are the same on every machine. The record of all
random numbers may hold several independent ones in each place (``words``): the beam search uses
one, the exhaustive search two, which make 128 bits.

A move that completes no run is reversible exactly if the lifted card lies on a face-up card one
rank higher, or if the move empties a column: then the cards can go straight back. The class key
covers what a reversible move between two columns that stay non-empty can't change. For each
column that is its base (the face-down count, or else its bottom card) and each *break*: a face-up
card that doesn't continue a sequence, with its height and the card under it. So a move onto a
card keeps the class key if the lifted run lay on a face-up card one rank higher and no run is
completed. Moves from the bottom of a column, and moves to an empty column, change which cards are
at the bottom, so they change the class key although many of them are reversible.
"""

from __future__ import annotations

import numpy as np

from ..cards import KING
from ..deal import COLUMNS, DECK
from ..numbering.splitmix import FIRST_MULTIPLIER, INCREMENT, SECOND_MULTIPLIER
from .jit import kernel
from .layout import CARD, STEP, is_stock_empty

CARD_CODES = 64
MAX_FACE_DOWN = 128  # more than a column can have
FIRST_SEED = 0x5D1DE25  # arbitrary; the signature of the search depends on it
_MULTIPLIER = np.uint64(FIRST_MULTIPLIER)
_SHIFT_IN, _SHIFT_OUT = np.uint64(32), np.uint64(29)  # about half of the bits
ZERO = np.uint64(0)


def numbers_dtype(words: int) -> np.dtype:
    """The record of all random numbers, ``words`` 64-bit numbers in each place."""
    return np.dtype(
        [
            # [height + 1, card]: ``single`` summed over the cards of one suit that end with
            # ``card`` at ``height``, each one rank higher and one height lower than the next,
            # from the King or from height 0. The key of a part of a run is a difference of two
            # such sums.
            ("sums", np.uint64, (DECK + 1, CARD_CODES, words)),
            # [height, card]: one face-up card at a height among its column's face-up cards
            ("single", np.uint64, (DECK, CARD_CODES, words)),
            # [column, face-down count]: the base of a column with face-down cards
            ("base", np.uint64, (COLUMNS, MAX_FACE_DOWN, words)),
            # [column]: the base of a column without face-down cards, while rows are left
            ("column", np.uint64, (COLUMNS, words)),
            # [card]: class keys, the bottom card of a column without face-down cards
            ("bottom", np.uint64, (CARD_CODES, words)),
            # [card]: class keys, the card under a break
            ("under", np.uint64, (CARD_CODES, words)),
            # [column, face-down count]: the vector of face-down counts
            ("group", np.uint64, (COLUMNS, MAX_FACE_DOWN, words)),
        ]
    )


def make_numbers(*seeds: int) -> np.void:
    """The random numbers, the same on every machine: a record with one word for each seed."""
    words = [_numbers(seed) for seed in seeds or (FIRST_SEED,)]
    stacked = np.stack(words, axis=1)  # the words of one place are neighbours in memory
    return stacked.reshape(-1).view(numbers_dtype(len(words)))[0]


def _numbers(seed: int) -> np.ndarray:
    """The numbers of one word, uint64, in the order of the record's fields."""
    dtype = numbers_dtype(1)
    numbers = splitmix_outputs(seed, dtype.itemsize // 8)
    record = numbers.view(dtype)[0]
    sums, single = record["sums"], record["single"]
    sums[:] = 0
    for rank in range(KING, 0, -1):
        cards = np.arange(4) << 4 | rank
        sums[1:, cards] = single[:, cards] + sums[:-1, cards + 1]
    return numbers


def splitmix_outputs(seed: int, count: int) -> np.ndarray:
    """The first outputs of numbering.splitmix.SplitMix64, uint64, all at once."""
    z = np.uint64(seed) + np.uint64(INCREMENT) * np.arange(1, count + 1, dtype=np.uint64)
    z = (z ^ z >> np.uint64(30)) * np.uint64(FIRST_MULTIPLIER)
    z = (z ^ z >> np.uint64(27)) * np.uint64(SECOND_MULTIPLIER)
    return z ^ z >> np.uint64(31)


@kernel
def mix(x):
    """A bijection of 64 bits, so that sums of mixed keys rarely collide."""
    x = (x ^ (x >> _SHIFT_IN)) * _MULTIPLIER
    return x ^ (x >> _SHIFT_OUT)


# Terms of Zobrist keys. numbers: the record of random numbers. word: which of its words. up: the
# number of face-up cards of a column. unordered: whether the order of columns without face-down
# cards is ignored.


@kernel
def run_key(numbers, word, height, head, up, end):
    """The sum for a run's cards from ``head`` at ``height`` to ``end`` at ``up - 1``."""
    return numbers.sums[up, end, word] - numbers.sums[height, head + 1, word]


@kernel
def base_key(numbers, word, column, down, unordered):
    """The number of a column's base; ``down`` is its face-down count."""
    if down > 0:
        return numbers.base[column, down, word]
    if unordered:
        return ZERO
    return numbers.column[column, word]


# Keys of whole states, from scratch. The incremental ones in beam/children.py, and those of
# exhaustive/ in its first word, must agree with them.


@kernel
def column_key(numbers, state, start, column, unordered):
    """A column's key before mixing; ``start`` is the index of its cards in STATE.cards."""
    key = base_key(numbers, 0, column, np.int64(state.face_down[column]), unordered)
    for height in range(np.int64(state.face_up[column])):
        key += numbers.single[height, state.cards[start + height] & CARD, 0]
    return key


@kernel
def state_key(numbers, state, root):
    """The Zobrist key of a state."""
    unordered = is_stock_empty(state, root)
    key = ZERO
    start = 0
    for column in range(COLUMNS):
        key += mix(column_key(numbers, state, start, column, unordered))
        start += np.int64(state.face_up[column])
    return key


@kernel
def break_key(numbers, column, height, card, under, unordered):
    """The class key's term for a break: ``card`` at ``height``, on the card ``under``."""
    key = numbers.single[height, card, 0] + numbers.under[under, 0]
    return mix(key) if unordered else mix(key + numbers.column[column, 0])


@kernel
def bottom_key(numbers, column, down, bottom, unordered):
    """The class key's term for a column's base; ``bottom`` is its bottom face-up card."""
    if down > 0:
        return numbers.base[column, down, 0]
    return mix(numbers.bottom[bottom, 0] + (ZERO if unordered else numbers.column[column, 0]))


@kernel
def class_key(numbers, state, root):
    """The class key of a state."""
    unordered = is_stock_empty(state, root)
    key = ZERO
    start = 0
    for column in range(COLUMNS):
        up, down = np.int64(state.face_up[column]), np.int64(state.face_down[column])
        if up > 0:
            key += bottom_key(numbers, column, down, state.cards[start] & CARD, unordered)
            for height in range(1, up):
                card = state.cards[start + height]
                if not card & STEP:
                    under = state.cards[start + height - 1] & CARD
                    key += break_key(numbers, column, height, card & CARD, under, unordered)
        start += up
    return key


@kernel
def group_key(numbers, state):
    """A key of the vector of face-down counts of a state."""
    key = ZERO
    for column in range(COLUMNS):
        key += numbers.group[column, np.int64(state.face_down[column]), 0]
    return key
