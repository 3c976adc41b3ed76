"""Zobrist keys of states, and keys of what reversible moves can't change.

Every place of a face-up card has a random 64-bit number. A column's key is the sum of the
numbers of its face-up cards and of a number for its base. A state's key is the sum of its
columns' keys, each mixed. So a child's key depends on the two changed columns alone. The base
of a column decides whether columns are told apart:

* with face-down cards: a number of the column and of how many they are;
* without face-down cards, while rows are left: a number of the column, because the next row
  tells the columns apart;
* without face-down cards, after the last row: zero, so that states that differ in the order of
  their columns have the same key.

The random numbers come from SplitMix64, so keys are the same on every machine. One table may
hold several independent numbers in each place (``words``): the beam search uses one, the
exhaustive search two, which make 128 bits.

The class key covers what no reversible move can change. A move is reversible exactly if the
lifted card lies on a face-up card one rank higher, or if the move empties a column: then the
cards can go straight back. What remains, for each column, is its base (the face-down count, or
else its lowest card) and each *break*: a face-up card that doesn't continue a sequence, with
its height and the card under it. So a move onto a card keeps the class key if the lifted run
lay on a face-up card one rank higher and no run is completed. Moves from the bottom of a
column, and moves to an empty column, change which cards are lowest, and so change the key.
"""

from __future__ import annotations

import numpy as np

from ..cards import KING
from ..deal import COLUMNS, DECK
from ..numbering.splitmix import SplitMix64
from .layout import FACE, STEP, is_stock_empty
from .loading import kernel

CARD_CODES = 64
MAX_FACE_DOWN = 128  # more than a column can have
_SEED = 0x5D1DE25
_MIX = np.uint64(0xBF58476D1CE4E5B9)
_S32, _S29 = np.uint64(32), np.uint64(29)
ZERO = np.uint64(0)


def keys_dtype(words: int) -> np.dtype:
    """The record of all random numbers, ``words`` 64-bit numbers in each place."""
    return np.dtype(
        [
            # [height + 1, card]: the sum of ``single`` from the King of the card's suit, or from
            # the lowest height, down to ``card`` at ``height``. The key of a part of a run is
            # the difference of two of these, however long it is.
            ("sums", np.uint64, (DECK + 1, CARD_CODES, words)),
            # [height, card]: one face-up card at a height among its column's face-up cards
            ("single", np.uint64, (DECK, CARD_CODES, words)),
            # [column, face-down count]: the base of a column with face-down cards
            ("base", np.uint64, (COLUMNS, MAX_FACE_DOWN, words)),
            # [column]: the base of another column, while rows are left
            ("column", np.uint64, (COLUMNS, words)),
            # [card]: class keys, the lowest card of a column without face-down cards
            ("lowest", np.uint64, (CARD_CODES, words)),
            # [card]: class keys, the card under a break
            ("under", np.uint64, (CARD_CODES, words)),
            # [column, face-down count]: the vector of face-down counts
            ("group", np.uint64, (COLUMNS, MAX_FACE_DOWN, words)),
        ]
    )


def make_keys(*seeds: int) -> np.void:
    """The random numbers, the same on every machine: a record with one word for each seed."""
    words = [_numbers(seed) for seed in seeds or (_SEED,)]
    stacked = np.stack(words, axis=1)  # the words of one place are neighbours in memory
    return stacked.reshape(-1).view(keys_dtype(len(words)))[0]


def _numbers(seed: int) -> np.ndarray:
    """The numbers of one word, uint64, in the order of the record's fields."""
    random = SplitMix64(seed)
    dtype = keys_dtype(1)
    numbers = np.array([random.next() for _ in range(dtype.itemsize // 8)], np.uint64)
    keys = numbers.view(dtype)[0]
    sums, single = keys["sums"], keys["single"]
    sums[:] = 0
    for rank in range(KING, 0, -1):
        cards = np.arange(4) << 4 | rank
        for height in range(DECK):
            sums[height + 1, cards] = single[height, cards] + sums[height, cards + 1]
    return numbers


@kernel
def mix(x):
    """A bijection of 64 bits that leaves no structure that sums could cancel."""
    x = (x ^ (x >> _S32)) * _MIX
    return x ^ (x >> _S29)


# Terms of Zobrist keys. word: which of the keys' words. up: the number of face-up cards of a
# column. unordered: whether columns without face-down cards aren't told apart.


@kernel
def run_key(keys, word, height, head, up, end):
    """The sum for a run's cards from ``head`` at ``height`` to ``end`` at ``up - 1``."""
    return keys.sums[up, end, word] - keys.sums[height, head + 1, word]


@kernel
def base_key(keys, word, column, down, unordered):
    """The number of a column's base; ``down`` is its face-down count."""
    if down > 0:
        return keys.base[column, down, word]
    if unordered:
        return ZERO
    return keys.column[column, word]


# Keys of whole states, from scratch. The incremental ones in beam/children.py must agree.


@kernel
def column_key(keys, state, start, column, unordered):
    """A column's key before mixing; ``start`` is the index of its cards in STATE.cards."""
    key = base_key(keys, 0, column, np.int64(state.face_down[column]), unordered)
    for height in range(np.int64(state.face_up[column])):
        key += keys.single[height, state.cards[start + height] & FACE, 0]
    return key


@kernel
def state_key(keys, state, root):
    """The Zobrist key of a state."""
    unordered = is_stock_empty(state, root)
    key = ZERO
    start = 0
    for column in range(COLUMNS):
        key += mix(column_key(keys, state, start, column, unordered))
        start += np.int64(state.face_up[column])
    return key


@kernel
def break_key(keys, column, height, card, under, unordered):
    """The class key's term for a break: ``card`` at ``height``, on the card ``under``."""
    key = keys.single[height, card, 0] + keys.under[under, 0]
    return mix(key) if unordered else mix(key + keys.column[column, 0])


@kernel
def lowest_key(keys, column, down, lowest, unordered):
    """The class key's term for a column's base; ``lowest`` is its lowest face-up card."""
    if down > 0:
        return keys.base[column, down, 0]
    return mix(keys.lowest[lowest, 0] + (ZERO if unordered else keys.column[column, 0]))


@kernel
def class_key(keys, state, root):
    """The class key of a state."""
    unordered = is_stock_empty(state, root)
    key = ZERO
    start = 0
    for column in range(COLUMNS):
        up, down = np.int64(state.face_up[column]), np.int64(state.face_down[column])
        if up > 0:
            key += lowest_key(keys, column, down, state.cards[start] & FACE, unordered)
            for height in range(1, up):
                card = state.cards[start + height]
                if not card & STEP:
                    under = state.cards[start + height - 1] & FACE
                    key += break_key(keys, column, height, card & FACE, under, unordered)
        start += up
    return key


@kernel
def group_key(keys, state):
    """A key of the vector of face-down counts of a state."""
    key = ZERO
    for column in range(COLUMNS):
        key += keys.group[column, np.int64(state.face_down[column]), 0]
    return key
