"""One position that is changed and changed back in place, with a 128-bit key kept up to date.

All cards of a column are in one array, face-down cards first, so a move and its undo touch only the
cards concerned. A row touches all columns; a turned card and a completed run make one column's key
computed from scratch. The key is a Zobrist key (keys.py) of two words with independent random
numbers.
"""

from __future__ import annotations

import numpy as np

from ...cards import KING
from ...deal import COLUMNS, DECK, ROW_CARDS, SETS, Deal
from ..jit import kernel
from ..keys import FIRST_SEED, base_key, make_numbers, mix, run_key
from ..layout import RANK_CODES, new_record
from ..moves import CODE_MASK, ROW_CODE, count_of, source_of, target_of

WORDS = 2  # 64-bit words of a key
_SEEDS = (FIRST_SEED, 0xD1B54A32D192ED03)  # the second is arbitrary as well

# The reductions of the search, as bits; depth_first.py explains them.
ORDER, EMPTY, WHOLE, TOO_FEW, APART, BACK = 1, 2, 4, 8, 16, 32
ALL_REDUCTIONS = ORDER | EMPTY | WHOLE | TOO_FEW | APART | BACK

# A completed run that was taken off, to be put back.
TAKEN_RUN = np.dtype(
    [
        ("column", np.int64),
        ("suit", np.int64),
        ("turned", np.int64),  # 1 if the card below it was turned, else 0
    ]
)

# The position that a search is at.
SEARCH_POSITION = np.dtype(
    [
        ("cards", np.uint8, (COLUMNS, DECK)),  # all of each column, bottom first
        ("size", np.int64, COLUMNS),  # cards of each column
        ("face_down", np.int64, COLUMNS),  # face-down cards of each column
        ("run_length", np.int64, COLUMNS),  # length of the run at each column's end
        ("unmixed", np.uint64, (COLUMNS, WORDS)),  # column keys before mixing
        ("mixed", np.uint64, (COLUMNS, WORDS)),  # column keys after mixing
        ("key", np.uint64, WORDS),  # the position's key
        ("rows_dealt", np.int64),  # since the first position
        ("completed", np.int64),  # completed runs
        ("cards_in_columns", np.int64),  # cards in all columns
        ("taken", TAKEN_RUN, SETS),  # the completed runs since the first position
        ("taken_count", np.int64),
        ("ending", np.int64, RANK_CODES),  # by rank: the columns that end in it, one bit each
        ("reductions", np.int64),  # those that the search uses
    ],
    align=True,
)

# An undo entry: the action's code in bits 0 to 11, then what the action caused.
_PLAYED, _TURNED = 1 << 12, 1 << 13
_COMPLETED_SHIFT = 14  # the number of completed runs from this bit on


@kernel
def action_code(entry):
    """The code of the action of an undo entry, or the code itself of an action not played yet."""
    return entry & CODE_MASK


@kernel
def is_played(entry):
    """Whether an entry of the stack is an undo entry, not the code of an action not played yet."""
    return entry & _PLAYED != 0


@kernel
def has_turned(entry):
    """Whether the move of an undo entry turned the card that it uncovered."""
    return entry & _TURNED != 0


@kernel
def completed_by(entry):
    """The number of runs that the action of an undo entry completed."""
    return entry >> _COMPLETED_SHIFT


def make_pair_numbers() -> np.void:
    """The random numbers for keys of two words."""
    return make_numbers(*_SEEDS)


def make_position(deal: Deal, reductions: int) -> np.void:
    """A deal as the first SEARCH_POSITION of a search. ``settle`` computes its runs and keys."""
    position = new_record(SEARCH_POSITION)
    for column, (cards, down) in enumerate(zip(deal.columns, deal.face_down, strict=True)):
        position["cards"][column, : len(cards)] = cards
        position["size"][column] = len(cards)
        position["face_down"][column] = down
    position["completed"] = len(deal.completed)
    position["cards_in_columns"] = sum(map(len, deal.columns))
    position["reductions"] = reductions
    return position


@kernel
def is_unordered(position, root):
    """Whether the order of columns without face-down cards is ignored now."""
    return position.rows_dealt == root.rows and (position.reductions & ORDER) != 0


@kernel
def measure_run(position, column):
    """Find the length of the run at a column's end."""
    size, length = position.size[column], 0
    up = size - position.face_down[column]
    if up > 0:
        length = 1
        while (
            length < up
            and position.cards[column, size - length - 1]
            == position.cards[column, size - length] + 1
        ):
            length += 1
    position.run_length[column] = length


@kernel
def compute_column_key(position, numbers, column, unordered):
    """Compute a column's key before mixing from scratch."""
    down = position.face_down[column]
    for word in range(WORDS):
        key = base_key(numbers, word, column, down, unordered)
        for height in range(position.size[column] - down):
            key += numbers.single[height, np.int64(position.cards[column, down + height]), word]
        position.unmixed[column, word] = key


@kernel
def update_key(position, column):
    """Update the position's key after a column's key has changed."""
    for word in range(WORDS):
        mixed = mix(position.unmixed[column, word])
        position.key[word] += mixed - position.mixed[column, word]
        position.mixed[column, word] = mixed


@kernel
def settle(position, numbers, root):
    """Compute all runs and keys from scratch."""
    unordered = is_unordered(position, root)
    for column in range(COLUMNS):
        measure_run(position, column)
        compute_column_key(position, numbers, column, unordered)
        update_key(position, column)


@kernel
def carry(position, numbers, source, count, target):
    """Move cards between two columns' ends; update runs and unmixed keys."""
    first, put = position.size[source] - count, position.size[target]
    head = np.int64(position.cards[source, first])
    end = np.int64(position.cards[source, first + count - 1])
    old, new = first - position.face_down[source], put - position.face_down[target]
    for word in range(WORDS):
        position.unmixed[source, word] -= run_key(numbers, word, old, head, old + count, end)
        position.unmixed[target, word] += run_key(numbers, word, new, head, new + count, end)
    linked = new > 0 and position.cards[target, put - 1] == head + 1
    for i in range(count):
        position.cards[target, put + i] = position.cards[source, first + i]
    position.size[source] = first
    position.size[target] = put + count
    position.run_length[target] = position.run_length[target] + count if linked else count
    if position.run_length[source] > count:
        position.run_length[source] -= count
    else:
        measure_run(position, source)


@kernel
def turn_end(position, numbers, column, unordered):
    """Turn a column's end card if it is face down; return whether it was."""
    if position.size[column] == 0 or position.size[column] > position.face_down[column]:
        return False
    position.face_down[column] -= 1
    position.run_length[column] = 1
    compute_column_key(position, numbers, column, unordered)
    return True


@kernel
def take_completed(position, numbers, column, unordered):
    """Take a completed run off a column's end, if there is one, and turn the card below it.

    Returns whether there was one.
    """
    if position.run_length[column] != KING:  # thirteen cards of one suit: King to Ace
        return False
    size = position.size[column]
    suit = np.int64(position.cards[column, size - 1]) >> 4
    position.size[column] = size - KING
    turned = turn_end(position, numbers, column, unordered)
    if not turned:
        measure_run(position, column)
        compute_column_key(position, numbers, column, unordered)
    taken = position.taken[position.taken_count]
    taken.column = column
    taken.suit = suit
    taken.turned = turned
    position.taken_count += 1
    position.completed += 1
    position.cards_in_columns -= KING
    return True


@kernel
def put_completed_back(position):
    """Put back the completed run that was taken last; its column's key and run are not updated."""
    position.taken_count -= 1
    position.completed -= 1
    position.cards_in_columns += KING
    taken = position.taken[position.taken_count]
    column = taken.column
    position.face_down[column] += taken.turned
    size = position.size[column]
    for i in range(KING):
        position.cards[column, size + i] = taken.suit << 4 | (KING - i)
    position.size[column] = size + KING


@kernel
def make(position, numbers, root, code):
    """Play a legal action with everything that it causes; return the entry that undoes it."""
    if code == ROW_CODE:
        return make_row(position, numbers, root)
    source, count, target = source_of(code), count_of(code), target_of(code)
    unordered = is_unordered(position, root)
    carry(position, numbers, source, count, target)
    entry = code | _PLAYED
    if turn_end(position, numbers, source, unordered):
        entry |= _TURNED
    if take_completed(position, numbers, target, unordered):
        entry |= 1 << _COMPLETED_SHIFT
    update_key(position, source)
    update_key(position, target)
    return entry


@kernel
def make_row(position, numbers, root):
    """Deal a row, as ``make`` does."""
    first = position.rows_dealt * ROW_CARDS
    position.rows_dealt += 1
    position.cards_in_columns += ROW_CARDS
    for column in range(COLUMNS):
        position.cards[column, position.size[column]] = root.stock[first + column]
        position.size[column] += 1
        measure_run(position, column)
    unordered = is_unordered(position, root)
    completed = 0
    for column in range(COLUMNS):
        if take_completed(position, numbers, column, unordered):
            completed += 1
    settle(position, numbers, root)
    return ROW_CODE | _PLAYED | completed << _COMPLETED_SHIFT


@kernel
def unmake(position, numbers, root, entry):
    """Undo the last action, whose ``make`` returned the entry."""
    code = action_code(entry)
    if code == ROW_CODE:
        unmake_row(position, numbers, root, entry)
        return
    source, count, target = source_of(code), count_of(code), target_of(code)
    unordered = is_unordered(position, root)
    if completed_by(entry):
        put_completed_back(position)
        measure_run(position, target)
        compute_column_key(position, numbers, target, unordered)
    if has_turned(entry):
        position.face_down[source] += 1
        position.run_length[source] = 0
        compute_column_key(position, numbers, source, unordered)
    carry(position, numbers, target, count, source)
    update_key(position, source)
    update_key(position, target)


@kernel
def unmake_row(position, numbers, root, entry):
    """Undo a row, as ``unmake`` does."""
    for _ in range(completed_by(entry)):
        put_completed_back(position)
    for column in range(COLUMNS):
        position.size[column] -= 1
    position.rows_dealt -= 1
    position.cards_in_columns -= ROW_CARDS
    settle(position, numbers, root)
