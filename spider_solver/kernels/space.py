"""One position to search on: made and unmade in place, with two Zobrist keys kept up to date.

All cards of a column stand in one row, face-down ones first, so an action and taking it back
cost as much as the cards that it moves. Keys are as in zobrist.py, from two sets of random
numbers: 128 bits for a position.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..cards import ACE, KING
from ..deal import COLUMNS, DECK, ROW_CARDS, Deal
from .layout import RANK, RELAXED, ROWS
from .loading import kernel
from .moves import MAX_CODES, ROW_CODE
from .zobrist import CARD_CODES, COLUMN, DOWNS, PLACE, SINGLE, STAND, ZERO, make_keys, mix

# Reductions of the search (depth_first.py); ORDER changes the keys.
ORDER, EMPTY, WHOLE, TOO_FEW, APART, BACK = 1, 2, 4, 8, 16, 32
ALL_REDUCTIONS = ORDER | EMPTY | WHOLE | TOO_FEW | APART | BACK
WORDS = 2  # 64-bit keys a position
ROOM = MAX_CODES + 1  # children of a position, at most
_SECOND_SEED = 0xD1B54A32D192ED03

# Places in Space.now. For each column: its cards, those face down, those that can be lifted.
HEIGHT, DOWN, RUN = 0, 10, 20
SWEEPS = 30  # completed runs on the way here, as column | suit << 4 | card turned << 6
SEEN, TOP, OPEN, STAGE, DONE, IN_COLUMNS, REDUCED, WIN_CODE, SWEPT, ENDS = range(38, 48)
NOW = ENDS + 16  # ENDS: for each rank, which columns end in it, a bit each, where it's expanded
# Places in Space.words: the columns' keys before and after mixing, and the position's.
PLAIN, MIXED, TOTAL = 0, 20, 40
KEY_WORDS = 42

# What takes an action back: its code and what it caused.
MADE, TURNED, COMPLETED = 1 << 12, 1 << 13, 14  # from that bit on: how many runs


class Space(NamedTuple):
    """The position that a search is at; modified in place.

    cards uint8 (10, 104): all of each column, face-down ones first. now int64 (NOW), words
    uint64 (KEY_WORDS): see above. Kernels take the three apart: a call with one tuple of many
    arrays takes longer than what it is for.
    """

    cards: np.ndarray
    now: np.ndarray
    words: np.ndarray


def pair_keys() -> np.ndarray:
    """Both sets of Zobrist numbers, uint64 (.., 2)."""
    return np.ascontiguousarray(np.stack([make_keys(), make_keys(_SECOND_SEED)], axis=1))


def make_space(deal: Deal, reduced: int) -> Space:
    """A layout as the position to start from; its keys are to be worked out by ``settle``."""
    space = Space(
        np.zeros((COLUMNS, DECK), np.uint8),
        np.zeros(NOW, np.int64),
        np.zeros(KEY_WORDS, np.uint64),
    )
    for column, (cards, down) in enumerate(zip(deal.columns, deal.face_down, strict=True)):
        space.cards[column, : len(cards)] = cards
        space.now[HEIGHT + column] = len(cards)
        space.now[DOWN + column] = down
    space.now[DONE] = len(deal.completed)
    space.now[IN_COLUMNS] = sum(map(len, deal.columns))
    space.now[REDUCED] = reduced
    return space


@kernel
def stand(keys, word, column, down, loose):
    """The number of what a column stands on; ``loose`` if columns aren't told apart."""
    if down > 0:
        return keys[STAND + column * DOWNS + down, word]
    if loose:
        return ZERO
    return keys[COLUMN + column, word]


@kernel
def part(keys, word, low, head, up, end):
    """The number of a run's cards from ``head`` at height ``low`` to ``end`` at ``up - 1``."""
    upper = keys[PLACE + up * CARD_CODES + end, word]
    return upper - keys[PLACE + low * CARD_CODES + head + 1, word]


@kernel
def is_loose(now, fixed):
    """Whether columns aren't told apart any more."""
    return now[STAGE] == fixed[ROWS] and (now[REDUCED] & ORDER) != 0


@kernel
def measure(cards, now, column):
    """Find the length of a column's run."""
    top, length = now[HEIGHT + column], 0
    if top > now[DOWN + column]:
        length = 1
        while (
            length < top - now[DOWN + column]
            and cards[column, top - length - 1] == cards[column, top - length] + 1
        ):
            length += 1
    now[RUN + column] = length


@kernel
def rekey(cards, now, words, keys, column, loose):
    """Work out a column's key from scratch, before mixing."""
    for word in range(WORDS):
        key = stand(keys, word, column, now[DOWN + column], loose)
        for place in range(now[HEIGHT + column] - now[DOWN + column]):
            card = np.int64(cards[column, now[DOWN + column] + place])
            key += keys[SINGLE + place * CARD_CODES + card, word]
        words[PLAIN + WORDS * column + word] = key


@kernel
def remix(words, column):
    """Bring the position's keys up to date with a column's."""
    for word in range(WORDS):
        fresh = mix(words[PLAIN + WORDS * column + word])
        words[TOTAL + word] += fresh - words[MIXED + WORDS * column + word]
        words[MIXED + WORDS * column + word] = fresh


@kernel
def settle(cards, now, words, keys, fixed):
    """Work out all runs and keys from scratch."""
    loose = is_loose(now, fixed)
    for column in range(COLUMNS):
        measure(cards, now, column)
        rekey(cards, now, words, keys, column, loose)
        remix(words, column)


@kernel
def shift(cards, now, words, keys, source, length, target):
    """Carry cards from one column's end to another's, with keys before mixing, and runs."""
    low, put = now[HEIGHT + source] - length, now[HEIGHT + target]
    head, end = np.int64(cards[source, low]), np.int64(cards[source, low + length - 1])
    up, onto = low - now[DOWN + source], put - now[DOWN + target]
    for word in range(WORDS):
        words[PLAIN + WORDS * source + word] -= part(keys, word, up, head, up + length, end)
        words[PLAIN + WORDS * target + word] += part(keys, word, onto, head, onto + length, end)
    linked = onto > 0 and cards[target, put - 1] == head + 1
    for i in range(length):
        cards[target, put + i] = cards[source, low + i]
    now[HEIGHT + source] = low
    now[HEIGHT + target] = put + length
    now[RUN + target] = now[RUN + target] + length if linked else length
    if now[RUN + source] > length:
        now[RUN + source] -= length
    else:
        measure(cards, now, source)


@kernel
def turn(cards, now, words, keys, column, loose):
    """Turn a column's end card if it's face down; 1 if it was."""
    if now[HEIGHT + column] == 0 or now[HEIGHT + column] > now[DOWN + column]:
        return 0
    now[DOWN + column] -= 1
    now[RUN + column] = 1
    rekey(cards, now, words, keys, column, loose)
    return 1


@kernel
def sweep(cards, now, words, keys, column, loose):
    """Take a completed run off a column's end, if there is one, and turn a card; 1 if so."""
    if now[RUN + column] != KING or cards[column, now[HEIGHT + column] - 1] & RANK != ACE:
        return 0
    suit = np.int64(cards[column, now[HEIGHT + column] - 1]) >> 4
    now[HEIGHT + column] -= KING
    turned = turn(cards, now, words, keys, column, loose)
    if not turned:
        measure(cards, now, column)
        rekey(cards, now, words, keys, column, loose)
    now[SWEEPS + now[SWEPT]] = column | suit << 4 | turned << 6
    now[SWEPT] += 1
    now[DONE] += 1
    now[IN_COLUMNS] -= KING
    return 1


@kernel
def unsweep(cards, now):
    """Put the completed run that left last back; keys and run are to be worked out."""
    now[SWEPT] -= 1
    now[DONE] -= 1
    now[IN_COLUMNS] += KING
    entry = now[SWEEPS + now[SWEPT]]
    column = entry & 15
    now[DOWN + column] += entry >> 6
    low = now[HEIGHT + column]
    for i in range(KING):
        cards[column, low + i] = (entry >> 4 & 3) << 4 | (KING - i)
    now[HEIGHT + column] = low + KING
    return column


@kernel
def make(cards, now, words, keys, code, stock, fixed):
    """Play a legal action with all that it causes; the entry that takes it back."""
    if code == ROW_CODE:
        first = now[STAGE] * ROW_CARDS
        now[STAGE] += 1
        now[IN_COLUMNS] += ROW_CARDS
        for column in range(COLUMNS):
            cards[column, now[HEIGHT + column]] = stock[first + column]
            now[HEIGHT + column] += 1
            measure(cards, now, column)
        loose = is_loose(now, fixed)
        count = 0
        for column in range(COLUMNS):
            count += sweep(cards, now, words, keys, column, loose)
        settle(cards, now, words, keys, fixed)
        return code | MADE | count << COMPLETED
    source, length, target = code >> 8, (code >> 4) & 15, code & 15
    loose = is_loose(now, fixed)
    shift(cards, now, words, keys, source, length, target)
    entry = code | MADE
    if turn(cards, now, words, keys, source, loose):
        entry |= TURNED
    if sweep(cards, now, words, keys, target, loose):
        entry |= 1 << COMPLETED
    remix(words, source)
    remix(words, target)
    return entry


@kernel
def unmake(cards, now, words, keys, entry, fixed):
    """Take the last action back."""
    code, count = entry & ROW_CODE, entry >> COMPLETED
    if code == ROW_CODE:
        for _ in range(count):
            unsweep(cards, now)
        for column in range(COLUMNS):
            now[HEIGHT + column] -= 1
        now[STAGE] -= 1
        now[IN_COLUMNS] -= ROW_CARDS
        settle(cards, now, words, keys, fixed)
        return
    source, length, target = code >> 8, (code >> 4) & 15, code & 15
    loose = is_loose(now, fixed)
    if count:
        unsweep(cards, now)
        measure(cards, now, target)
        rekey(cards, now, words, keys, target, loose)
    if entry & TURNED:
        now[DOWN + source] += 1
        now[RUN + source] = 0
        rekey(cards, now, words, keys, source, loose)
    shift(cards, now, words, keys, target, length, source)
    remix(words, source)
    remix(words, target)


@kernel
def row_allowed(now, fixed):
    """Whether a row may be dealt."""
    if now[STAGE] >= fixed[ROWS]:
        return False
    if fixed[RELAXED]:
        return True
    for column in range(COLUMNS):
        if now[HEIGHT + column] == 0:
            return False
    return True
