"""The children of a position, with the keys that they would have.

Children are CHILD records in an EXPANSION. Which of them the reductions leave out, and why that is
right, is proved in depth_first.py.
"""

from __future__ import annotations

import numpy as np

from ...cards import ACE, KING
from ...deal import COLUMNS, ROW_CARDS, SETS
from ..jit import kernel
from ..keys import ZERO, base_key, mix, run_key
from ..layout import RANK, RANK_CODES, may_deal_row
from ..moves import MAX_CODES, ROW_CODE, count_of, make_code, source_of, target_of
from ..prefetch import prefetch
from .position import (
    APART,
    BACK,
    EMPTY,
    TOO_FEW,
    WHOLE,
    WORDS,
    action_code,
    completed_by,
    has_turned,
    is_played,
    is_unordered,
    make,
    unmake,
)

MAX_CHILDREN = MAX_CODES + 1  # moves and a row
TO_EMPTY, ORDINARY, LENGTHENS_RUN = range(3)  # priorities, least first
PRIORITIES = 3
NO_CODE = -1
_COUNT_SHIFT, _HEAD_SHIFT = 6, 10  # in a move's number, above the card of 6 bits
CHILD_WON = -1  # what ``expand`` returns if a child is won
# The column of a bit, by the bit modulo 11: that is different for each of the ten columns. It is
# faster than a loop, and numba has no function that counts trailing zeros.
_DIVISOR = 11
_COLUMN_OF = np.zeros(_DIVISOR, np.int64)
_COLUMN_OF[2 ** np.arange(COLUMNS) % _DIVISOR] = np.arange(COLUMNS)

CHILD = np.dtype(
    [
        ("key", np.uint64, WORDS),
        ("code", np.int64),
        ("priority", np.int64),  # TO_EMPTY, ORDINARY or LENGTHENS_RUN
    ]
)

# The children of one position, and what is the same for all of them.
EXPANSION = np.dtype(
    [
        ("children", CHILD, MAX_CHILDREN),
        ("count", np.int64),  # children written
        ("win_code", np.int64),  # the action that wins, if ``expand`` returned WON
        ("empty_targets", np.int64),  # empty columns that moves may go to, one bit each
        ("unordered", np.int64),  # position.is_unordered
        ("keep_whole", np.int64),  # WHOLE: 1 if no whole column goes to an empty one
        ("drop_few_cards", np.int64),  # TOO_FEW: 1 if moves that leave under ten cards are left out
        ("least_number", np.int64),  # APART: moves of other columns below this are left out
        ("touched", np.int64),  # APART: the two columns of the last move, one bit each
        ("back_code", np.int64),  # BACK: the move that takes the last one back, or NO_CODE
    ],
    align=True,
)


@kernel
def target_key(position, numbers, source, count, target, word):
    """The target's mixed key after a move that completes no run."""
    first = position.size[source] - count
    height = position.size[target] - position.face_down[target]
    head = np.int64(position.cards[source, first])
    end = np.int64(position.cards[source, first + count - 1])
    placed = run_key(numbers, word, height, head, height + count, end)
    return mix(position.unmixed[target, word] + placed)


@kernel
def completed_key(position, numbers, target, unordered, word):
    """The target's mixed key after a move that completes a run."""
    size, down = position.size[target], position.face_down[target]
    run_length = position.run_length[target]
    left = size - down - run_length
    if left == 0 and down > 0:
        card = np.int64(position.cards[target, down - 1])
        base = base_key(numbers, word, target, down - 1, unordered)
        return mix(base + numbers.single[0, card, word])
    head = np.int64(position.cards[target, size - run_length])
    end = np.int64(position.cards[target, size - 1])
    taken = run_key(numbers, word, left, head, size - down, end)
    return mix(position.unmixed[target, word] - taken)


@kernel
def source_key(position, numbers, source, count, unordered, word):
    """The source's mixed key after a move."""
    first, down = position.size[source] - count, position.face_down[source]
    if first == down and down > 0:
        card = np.int64(position.cards[source, first - 1])
        base = base_key(numbers, word, source, down - 1, unordered)
        return mix(base + numbers.single[0, card, word])
    head = np.int64(position.cards[source, first])
    end = np.int64(position.cards[source, first + count - 1])
    lifted = run_key(numbers, word, first - down, head, first - down + count, end)
    return mix(position.unmixed[source, word] - lifted)


@kernel
def find_ends(position, only_first_empty):
    """Find which columns end in each rank; return the empty columns that are targets.

    ``position.ending`` is modified. Returns one bit for each empty column, or for the first one
    only.
    """
    for rank in range(RANK_CODES):
        position.ending[rank] = 0
    empty_targets = 0
    for column in range(COLUMNS):
        size = position.size[column]
        if size > 0:
            rank = np.int64(position.cards[column, size - 1]) & RANK
            position.ending[rank] |= 1 << column
        elif not (only_first_empty and empty_targets):
            empty_targets |= 1 << column
    return empty_targets


@kernel
def number_of_move(head, count, under):
    """A move's number: the same in all positions, whatever the order of their columns.

    head: the first card lifted, code of 6 bits. under: the card that it goes onto, 0 for an empty
    column.
    """
    return head << _HEAD_SHIFT | count << _COUNT_SHIFT | under


@kernel
def number_of_last_move(position, entry):
    """The number of the move that led to the position; 0 if it is not known.

    It is not known if there was no move, or if the last action was a row. If the move completed a
    run, its cards are not in their place any more. Every number is above 0.

    entry: the undo entry of the last action, 0 if there was none.
    """
    if not is_played(entry) or action_code(entry) == ROW_CODE or completed_by(entry):
        return 0
    count, target = count_of(entry), target_of(entry)
    first = position.size[target] - count
    under = np.int64(position.cards[target, first - 1]) if first > 0 else 0
    return number_of_move(np.int64(position.cards[target, first]), count, under)


@kernel
def prepare(position, root, expansion, entry):
    """Note in the expansion what is the same for all children of the position."""
    reductions = position.reductions
    stock_empty = position.rows_dealt == root.rows
    expansion.count = 0
    expansion.unordered = is_unordered(position, root)
    expansion.keep_whole = stock_empty and reductions & WHOLE != 0
    expansion.drop_few_cards = reductions & TOO_FEW != 0 and not root.relaxed
    expansion.empty_targets = find_ends(position, stock_empty and reductions & EMPTY != 0)
    number = number_of_last_move(position, entry)
    source, target = source_of(entry), target_of(entry)
    expansion.touched = 1 << source | 1 << target
    expansion.back_code = NO_CODE
    if number > 0 and not has_turned(entry) and reductions & BACK:
        expansion.back_code = make_code(target, count_of(entry), source)
    expansion.least_number = number if reductions & APART else 0


@kernel
def expand(position, table, numbers, root, expansion, entry):
    """Write the position's children and their keys to ``expansion.children``; return how many.

    table: slots of the transposition table; the children's slots are prefetched. entry: the undo
    entry of the action that led to the position, 0 if there was none; some reductions use it.
    position: ``ending`` is modified; a row is played and undone on it. Returns CHILD_WON, with the
    action in ``expansion.win_code``, if a child is won.
    """
    prepare(position, root, expansion, entry)
    for source in range(COLUMNS):
        for count in range(1, position.run_length[source] + 1):
            if expand_run(position, table, numbers, expansion, source, count):
                return CHILD_WON
    if may_deal_row(position.rows_dealt, position.size, root):
        if expand_row(position, numbers, root, expansion.children[expansion.count]):
            expansion.win_code = ROW_CODE
            return CHILD_WON
        expansion.count += 1
    return expansion.count


@kernel
def expand_run(position, table, numbers, expansion, source, count):
    """Write the children by moves of a column's last ``count`` cards; True if one is won."""
    size = position.size[source]
    head = np.int64(position.cards[source, size - count])
    targets = position.ending[(head & RANK) + 1]
    if not (expansion.keep_whole and count == size):
        targets |= expansion.empty_targets
    least_number = 0 if expansion.touched >> source & 1 else expansion.least_number
    first, second = ZERO, ZERO  # the position's key with the source's old term replaced
    known = False
    while targets:
        bit = targets & -targets
        targets ^= bit
        target = _COLUMN_OF[bit % _DIVISOR]
        if make_code(source, count, target) == expansion.back_code:
            continue
        put = position.size[target]
        under = np.int64(position.cards[target, put - 1]) if put > 0 else 0
        if not bit & expansion.touched and number_of_move(head, count, under) < least_number:
            continue
        if not known:
            known = True
            first = position.key[0] - position.mixed[source, 0]
            second = position.key[1] - position.mixed[source, 1]
            first += source_key(position, numbers, source, count, expansion.unordered, 0)
            second += source_key(position, numbers, source, count, expansion.unordered, 1)
        child = expansion.children[expansion.count]
        child.code = make_code(source, count, target)
        child.priority = ORDINARY if put > 0 else TO_EMPTY
        child.key[0] = first - position.mixed[target, 0]
        child.key[1] = second - position.mixed[target, 1]
        completes = False
        if under == head + 1:
            child.priority = LENGTHENS_RUN
            completes = position.run_length[target] + count == KING
        if completes:
            if position.completed + 1 == SETS:
                expansion.win_code = child.code
                return True
            if expansion.drop_few_cards and position.cards_in_columns - KING < ROW_CARDS:
                continue
            child.key[0] += completed_key(position, numbers, target, expansion.unordered, 0)
            child.key[1] += completed_key(position, numbers, target, expansion.unordered, 1)
        else:
            child.key[0] += target_key(position, numbers, source, count, target, 0)
            child.key[1] += target_key(position, numbers, source, count, target, 1)
        prefetch(table, child.key[0] & np.uint64(len(table) - 1))
        expansion.count += 1
    return False


@kernel
def expand_row(position, numbers, root, child):
    """Write the child of dealing a row, which must be legal; return whether it is won.

    The row is played if it may complete a run, and if it is the last one, because keys change
    after it.
    """
    child.code = ROW_CODE
    child.priority = ORDINARY
    first = position.rows_dealt * ROW_CARDS
    play = position.rows_dealt + 1 == root.rows
    for column in range(COLUMNS):
        if root.stock[first + column] & RANK == ACE and position.run_length[column] == KING - 1:
            play = True
    if play:
        entry = make(position, numbers, root, ROW_CODE)
        won = position.completed == SETS
        for word in range(WORDS):
            child.key[word] = position.key[word]
        unmake(position, numbers, root, entry)
        return won
    for word in range(WORDS):
        key = ZERO
        for column in range(COLUMNS):
            height = position.size[column] - position.face_down[column]
            card = np.int64(root.stock[first + column])
            key += mix(position.unmixed[column, word] + numbers.single[height, card, word])
        child.key[word] = key
    return False
