"""The children of a position, with the keys that they would have.

Children are CHILD records in an EXPANSION. Which of them the reductions leave out, and why that is
right, is proved in depth_first.py.
"""

from __future__ import annotations

import numpy as np

from ...cards import ACE, KING
from ...deal import COLUMNS, ROW_CARDS, SETS
from ..keys import ZERO, base_key, mix, run_key
from ..layout import RANK, may_deal_row
from ..loading import kernel
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
    is_done,
    is_unordered,
    make,
    unmake,
)

MAX_CHILDREN = MAX_CODES + 1  # moves and a row
TO_EMPTY, ORDINARY, JOINS = range(3)  # priorities, least first
PRIORITIES = 3
WON = -1  # what ``expand`` returns if a child is won
# A column by the remainder of its bit: no two of the first ten powers of two have the same.
_DIVISOR = 11
_COLUMN_OF = np.zeros(_DIVISOR, np.int64)
_COLUMN_OF[2 ** np.arange(COLUMNS) % _DIVISOR] = np.arange(COLUMNS)

CHILD = np.dtype(
    [
        ("key", np.uint64, WORDS),
        ("code", np.int64),
        ("priority", np.int64),  # TO_EMPTY, ORDINARY or JOINS (the move lengthens a run)
    ]
)

# The children of one position, and what is the same for all of them.
EXPANSION = np.dtype(
    [
        ("children", CHILD, MAX_CHILDREN),
        ("count", np.int64),  # children written
        ("win_code", np.int64),  # the action that wins, if ``expand`` returned WON
        ("empty_targets", np.int64),  # empty columns that moves may go to, one bit each
        ("unordered", np.int64),  # 1 if columns aren't told apart, else 0
        ("keep_whole", np.int64),  # WHOLE: 1 if no whole column goes to an empty one
        ("few_cards", np.int64),  # TOO_FEW: 1 if a child with under ten cards is left out
        ("least_name", np.int64),  # APART: moves of other columns with lower names are left out
        ("touched", np.int64),  # APART: the two columns of the last move, one bit each
        ("back_code", np.int64),  # BACK: the move that takes the last one back, or -1
    ],
    align=True,
)


@kernel
def target_key(position, keys, source, count, target, word):
    """The target's mixed key after a move that completes no run."""
    low = position.height[source] - count
    height = position.height[target] - position.face_down[target]
    head = np.int64(position.cards[source, low])
    end = np.int64(position.cards[source, low + count - 1])
    placed = run_key(keys, word, height, head, height + count, end)
    return mix(position.unmixed[target, word] + placed)


@kernel
def completed_key(position, keys, target, unordered, word):
    """The target's mixed key after a move that completes a run."""
    top, down = position.height[target], position.face_down[target]
    run = position.run[target]
    left = top - down - run
    if left == 0 and down > 0:
        card = np.int64(position.cards[target, down - 1])
        base = base_key(keys, word, target, down - 1, unordered)
        return mix(base + keys.single[0, card, word])
    head = np.int64(position.cards[target, top - run])
    end = np.int64(position.cards[target, top - 1])
    taken = run_key(keys, word, left, head, top - down, end)
    return mix(position.unmixed[target, word] - taken)


@kernel
def source_key(position, keys, source, count, unordered, word):
    """The source's mixed key after a move."""
    low, down = position.height[source] - count, position.face_down[source]
    if low == down and down > 0:
        card = np.int64(position.cards[source, low - 1])
        base = base_key(keys, word, source, down - 1, unordered)
        return mix(base + keys.single[0, card, word])
    head = np.int64(position.cards[source, low])
    end = np.int64(position.cards[source, low + count - 1])
    lifted = run_key(keys, word, low - down, head, low - down + count, end)
    return mix(position.unmixed[source, word] - lifted)


@kernel
def note_ends(position, only_first_empty):
    """Note which columns end in each rank; return the empty columns that are targets.

    ``position.ending`` is modified. Returns one bit for each empty column, or for the first one
    only.
    """
    for rank in range(len(position.ending)):
        position.ending[rank] = 0
    empty_targets = 0
    for column in range(COLUMNS):
        top = position.height[column]
        if top > 0:
            rank = np.int64(position.cards[column, top - 1]) & RANK
            position.ending[rank] |= 1 << column
        elif not (only_first_empty and empty_targets):
            empty_targets |= 1 << column
    return empty_targets


@kernel
def name_of_move(head, count, under):
    """A move's name: the same in all positions, however their columns are ordered.

    head: the highest card lifted. under: the card that it goes onto, 0 for an empty column.
    """
    return head << 10 | count << 6 | under


@kernel
def name_of_last_move(position, entry):
    """The name of the move that led to the position; 0 if there was none or it completed a run.

    entry: the undo entry of the last action, 0 if there was none. 0 is below all names.
    """
    if not is_done(entry) or action_code(entry) == ROW_CODE or completed_by(entry):
        return 0
    count, target = count_of(entry), target_of(entry)
    low = position.height[target] - count
    under = np.int64(position.cards[target, low - 1]) if low > 0 else 0
    return name_of_move(np.int64(position.cards[target, low]), count, under)


@kernel
def prepare(position, root, expansion, entry):
    """Note in the expansion what is the same for all children of the position."""
    reductions = position.reductions
    last = position.rows_dealt == root.rows
    expansion.count = 0
    expansion.unordered = is_unordered(position, root)
    expansion.keep_whole = last and reductions & WHOLE != 0
    expansion.few_cards = reductions & TOO_FEW != 0 and not last and not root.relaxed
    expansion.empty_targets = note_ends(position, last and reductions & EMPTY != 0)
    name = name_of_last_move(position, entry)
    source, target = source_of(entry), target_of(entry)
    expansion.touched = 1 << source | 1 << target
    expansion.back_code = -1
    if name > 0 and not has_turned(entry) and reductions & BACK:
        expansion.back_code = make_code(target, count_of(entry), source)
    expansion.least_name = name if reductions & APART else 0


@kernel
def expand(position, table, keys, root, expansion, entry):
    """Write the position's children and their keys to ``expansion.children``; return how many.

    table: slots of the transposition table; the children's slots are prefetched. entry: the undo
    entry of the action that led to the position, 0 if there was none; some reductions use it.
    Returns WON, with the action in ``expansion.win_code``, if a child is won.
    """
    prepare(position, root, expansion, entry)
    for source in range(COLUMNS):
        for count in range(1, position.run[source] + 1):
            if expand_run(position, table, keys, expansion, source, count):
                return WON
    if may_deal_row(position.rows_dealt, position.height, root):
        if expand_row(position, keys, root, expansion.children[expansion.count]):
            expansion.win_code = ROW_CODE
            return WON
        expansion.count += 1
    return expansion.count


@kernel
def expand_run(position, table, keys, expansion, source, count):
    """Write the children by moves of a column's last ``count`` cards; True if one is won."""
    top = position.height[source]
    head = np.int64(position.cards[source, top - count])
    targets = position.ending[(head & RANK) + 1]
    if not (expansion.keep_whole and count == top):
        targets |= expansion.empty_targets
    least_name = 0 if expansion.touched >> source & 1 else expansion.least_name
    first, second = ZERO, ZERO  # the position's key without the source's old key, with its new
    known = False
    while targets:
        bit = targets & -targets
        targets ^= bit
        target = _COLUMN_OF[bit % _DIVISOR]
        if make_code(source, count, target) == expansion.back_code:
            continue
        put = position.height[target]
        under = np.int64(position.cards[target, put - 1]) if put > 0 else 0
        if not bit & expansion.touched and name_of_move(head, count, under) < least_name:
            continue
        if not known:
            known = True
            first = position.key[0] - position.mixed[source, 0]
            second = position.key[1] - position.mixed[source, 1]
            first += source_key(position, keys, source, count, expansion.unordered, 0)
            second += source_key(position, keys, source, count, expansion.unordered, 1)
        child = expansion.children[expansion.count]
        child.code = make_code(source, count, target)
        child.priority = ORDINARY if put > 0 else TO_EMPTY
        child.key[0] = first - position.mixed[target, 0]
        child.key[1] = second - position.mixed[target, 1]
        completes = False
        if under == head + 1:
            child.priority = JOINS
            end_rank = np.int64(position.cards[source, top - 1]) & RANK
            completes = position.run[target] + count == KING and end_rank == ACE
        if completes:
            if position.completed + 1 == SETS:
                expansion.win_code = child.code
                return True
            if expansion.few_cards and position.in_columns - KING < ROW_CARDS:
                continue
            child.key[0] += completed_key(position, keys, target, expansion.unordered, 0)
            child.key[1] += completed_key(position, keys, target, expansion.unordered, 1)
        else:
            child.key[0] += target_key(position, keys, source, count, target, 0)
            child.key[1] += target_key(position, keys, source, count, target, 1)
        prefetch(table, child.key[0] & np.uint64(len(table) - 1))
        expansion.count += 1
    return False


@kernel
def expand_row(position, keys, root, child):
    """Write the child of dealing a row, which must be legal; return whether it is won.

    The row is played if it may complete a run, and if it is the last one, because keys change
    after it.
    """
    child.code = ROW_CODE
    child.priority = ORDINARY
    first = position.rows_dealt * ROW_CARDS
    play = position.rows_dealt + 1 == root.rows
    for column in range(COLUMNS):
        if root.stock[first + column] & RANK == ACE and position.run[column] == KING - 1:
            play = True
    if play:
        entry = make(position, keys, root, ROW_CODE)
        won = position.completed == SETS
        for word in range(WORDS):
            child.key[word] = position.key[word]
        unmake(position, keys, root, entry)
        return won
    for word in range(WORDS):
        key = ZERO
        for column in range(COLUMNS):
            height = position.height[column] - position.face_down[column]
            card = np.int64(root.stock[first + column])
            key += mix(position.unmixed[column, word] + keys.single[height, card, word])
        child.key[word] = key
    return False
