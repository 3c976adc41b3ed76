"""Zobrist keys of states: from scratch here, incremental in children.py.

Each place of a face-up card has a random 64-bit number; a column's key is the sum over its
face-up cards and a number for what the column stands on; a state's key is the sum of its
columns' keys, each mixed. So a child's key needs the two changed columns alone, and what a
column stands on decides whether columns are told apart:

* with face-down cards: a number of the column and their count;
* without, while rows are left: a number of the column, since the next row tells them apart;
* without, after the last row: nothing, so that states that differ in the order of their
  columns have one key.

Random numbers come from SplitMix64, so keys are the same everywhere.

The class key is the same idea for what no reversible move can change. A move is reversible
exactly if the lifted card lies on a face-up card one rank higher, or if the move empties a
column: the cards can go straight back. What stays is, for each column, what it stands on
(face-down count, or its bottom card) and each face-up card that does not continue a sequence,
with its place and the card that it lies on. So a move onto a card keeps the class key if what
it lifts lay on a face-up card one rank higher, unless it completes a run; moves from the
bottom of a column or to an empty one change which cards lie at the bottom, and the key.
"""

from __future__ import annotations

import numpy as np

from ..cards import KING
from ..deal import COLUMNS, DECK
from ..numbering.splitmix import SplitMix64
from .layout import CARDS, DOWN, FACE, STAGE, STEP, UP
from .loading import kernel

CARD_CODES = 64
_SEED = 0x5D1DE25

# Where each table starts in the one array of keys.
#   PLACE  [height + 1, card]: the sum of the numbers of a run's cards from its King, or from
#          the column's lowest place, down to ``card`` at ``height``: part of a run costs two
#          look-ups however long it is
#   SINGLE [height, card]      one face-up card at a height among its column's face-up cards
#   STAND  [column, face-down] what a column with face-down cards stands on
#   COLUMN [column]            what another stands on, while rows are left
#   BOTTOM [card]              class keys: the lowest card of a column without face-down cards
#   UNDER  [card]              class keys: the card under one that continues no sequence
#   GROUP  [column, face-down] the vector of face-down counts
DOWNS = 128
PLACE = 0
SINGLE = PLACE + (DECK + 1) * CARD_CODES
STAND = SINGLE + DECK * CARD_CODES
COLUMN = STAND + COLUMNS * DOWNS
BOTTOM = COLUMN + COLUMNS
UNDER = BOTTOM + CARD_CODES
GROUP = UNDER + CARD_CODES
KEYS = GROUP + COLUMNS * DOWNS


def make_keys(seed: int = _SEED) -> np.ndarray:
    """The tables as one uint64 array, the same on every machine; others for another seed."""
    random = SplitMix64(seed)
    keys = np.array([random.next() for _ in range(KEYS)], np.uint64)
    place = keys[PLACE:SINGLE].reshape(DECK + 1, CARD_CODES)
    single = keys[SINGLE:STAND].reshape(DECK, CARD_CODES)
    place[:] = 0
    for rank in range(KING, 0, -1):
        cards = np.arange(4) << 4 | rank
        for height in range(DECK):
            place[height + 1, cards] = single[height, cards] + place[height, cards + 1]
    return keys


_MIX = np.uint64(0xBF58476D1CE4E5B9)
_S32, _S29 = np.uint64(32), np.uint64(29)
ZERO = np.uint64(0)


@kernel
def mix(x):
    """A bijection of 64 bits without structure that sums could cancel."""
    x = (x ^ (x >> _S32)) * _MIX
    return x ^ (x >> _S29)


@kernel
def part_key(keys, height, head, up, end):
    """The number of a run's cards from ``head`` at ``height`` to ``end`` at ``up - 1``."""
    return keys[PLACE + up * CARD_CODES + end] - keys[PLACE + height * CARD_CODES + head + 1]


@kernel
def stand_key(keys, column, down, last):
    """The number of what a column stands on; ``last`` if no row is left."""
    if down > 0:
        return keys[STAND + column * DOWNS + down]
    if last:
        return ZERO
    return keys[COLUMN + column]


@kernel
def column_key(keys, states, at, start, column, last):
    """A column's key before mixing; ``start`` is where its cards are in row ``at``."""
    key = stand_key(keys, column, np.int64(states[at, DOWN + column]), last)
    for height in range(np.int64(states[at, UP + column])):
        key += keys[SINGLE + height * CARD_CODES + (states[at, start + height] & FACE)]
    return key


@kernel
def state_key(keys, states, at, rows):
    """The Zobrist key, from scratch, of the state in row ``at``; ``rows`` are the root's."""
    last = states[at, STAGE] == rows
    key = ZERO
    start = CARDS
    for column in range(COLUMNS):
        key += mix(column_key(keys, states, at, start, column, last))
        start += np.int64(states[at, UP + column])
    return key


@kernel
def bound_key(keys, column, height, card, under, last):
    """The class key's term for a face-up card that doesn't continue a sequence."""
    key = keys[SINGLE + height * CARD_CODES + card] + keys[UNDER + under]
    return mix(key) if last else mix(key + keys[COLUMN + column])


@kernel
def base_key(keys, column, down, bottom, last):
    """The class key's term for what a column stands on; ``bottom`` is its lowest card."""
    if down > 0:
        return keys[STAND + column * DOWNS + down]
    return mix(keys[BOTTOM + bottom] + (ZERO if last else keys[COLUMN + column]))


@kernel
def class_key(keys, states, at, rows):
    """The irreversibility class, from scratch, of the state in row ``at``."""
    last = states[at, STAGE] == rows
    key = ZERO
    start = CARDS
    for column in range(COLUMNS):
        up, down = np.int64(states[at, UP + column]), np.int64(states[at, DOWN + column])
        if up > 0:
            key += base_key(keys, column, down, states[at, start] & FACE, last)
            for height in range(1, up):
                card = states[at, start + height]
                if not card & STEP:
                    under = states[at, start + height - 1] & FACE
                    key += bound_key(keys, column, height, card & FACE, under, last)
        start += up
    return key


@kernel
def group_key(keys, states, at):
    """A key of the vector of face-down counts of the state in row ``at``."""
    key = ZERO
    for column in range(COLUMNS):
        key += keys[GROUP + column * DOWNS + np.int64(states[at, DOWN + column])]
    return key
