"""Actions on a packed state: the state after a move or a row, with completed runs taken off."""

from __future__ import annotations

import numpy as np

from ..cards import ACE, KING
from ..deal import COLUMNS, ROW_CARDS
from .jit import kernel
from .layout import CARD, LINK, RANK, STEP, SUIT
from .moves import ROW_CODE, count_of, source_of, target_of


@kernel
def apply_move(state, scan, code, root, child):
    """Write the state after a legal move to ``child``; completed runs are not taken off.

    The card that the move uncovers is turned. scan: SCAN of ``state``. child: a STATE record
    other than ``state``.
    """
    source, count, target = source_of(code), count_of(code), target_of(code)
    source_up, target_up = np.int64(state.face_up[source]), np.int64(state.face_up[target])
    stop = scan.start[source] + source_up  # the lifted cards are first to stop - 1
    first = stop - count
    put = scan.start[target] + target_up  # index in ``state`` before which they go
    total = np.int64(state.face_up_total)
    down = np.int64(state.face_down[source])
    turns = source_up == count and down > 0
    turned = 1 if turns else 0
    copy_counts(state, child)
    child.face_up[source] -= count
    child.face_up[target] += count
    head = state.cards[first] & CARD
    if target_up > 0:
        head |= STEP
        if (head ^ state.cards[put - 1]) & SUIT == 0:
            head |= LINK
    if source < target:
        for i in range(first):
            child.cards[i] = state.cards[i]
        if turns:
            child.cards[first] = root.face_down_cards[source, down - 1]
        for i in range(stop, put):
            child.cards[i - count + turned] = state.cards[i]
        to = put - count + turned
        child.cards[to] = head
        for i in range(1, count):
            child.cards[to + i] = state.cards[first + i]
        for i in range(put, total):
            child.cards[i + turned] = state.cards[i]
    else:
        for i in range(put):
            child.cards[i] = state.cards[i]
        child.cards[put] = head
        for i in range(1, count):
            child.cards[put + i] = state.cards[first + i]
        for i in range(put, first):
            child.cards[i + count] = state.cards[i]
        if turns:
            child.cards[stop] = root.face_down_cards[source, down - 1]
        for i in range(stop, total):
            child.cards[i + turned] = state.cards[i]
    if turns:
        child.face_up[source] = 1
        child.face_down[source] -= 1
        child.face_up_total += 1


@kernel
def copy_counts(state, child):
    """Copy all of a state except its cards."""
    for column in range(COLUMNS):
        child.face_up[column] = state.face_up[column]
        child.face_down[column] = state.face_down[column]
    child.completed = state.completed
    child.rows_dealt = state.rows_dealt
    child.face_up_total = state.face_up_total
    child.unused = state.unused


@kernel
def copy_state(state, child):
    """Copy a state to ``child``."""
    copy_counts(state, child)
    for i in range(len(state.cards)):
        child.cards[i] = state.cards[i]


@kernel
def apply_row(state, root, child):
    """Write the state after the next row to ``child``; completed runs are not taken off."""
    copy_counts(state, child)
    dealt = np.int64(state.rows_dealt) * ROW_CARDS
    start, put = 0, 0
    for column in range(COLUMNS):
        up = np.int64(state.face_up[column])
        for i in range(start, start + up):
            child.cards[put] = state.cards[i]
            put += 1
        card = root.stock[dealt + column]
        if up > 0 and state.cards[start + up - 1] & RANK == (card & RANK) + 1:
            under = state.cards[start + up - 1]
            card |= STEP
            if (under ^ card) & SUIT == 0:
                card |= LINK
        child.cards[put] = card
        put += 1
        start += up
        child.face_up[column] += 1
    child.rows_dealt += 1
    child.face_up_total += ROW_CARDS


@kernel
def take_completed(state, root):
    """Take completed runs off a state, in place, and turn the cards below; return how many."""
    count = 0
    start = 0
    for column in range(COLUMNS):
        up = np.int64(state.face_up[column])
        stop = start + up
        whole = up >= KING and state.cards[stop - 1] & RANK == ACE
        if whole:
            for i in range(stop - KING + 1, stop):
                if not state.cards[i] & LINK:
                    whole = False
                    break
        if whole:
            count += 1
            total = np.int64(state.face_up_total)
            put = stop - KING
            up -= KING
            down = np.int64(state.face_down[column])
            if up == 0 and down > 0:
                state.cards[put] = root.face_down_cards[column, down - 1]
                state.face_down[column] = down - 1
                put += 1
                up = 1
            for i in range(stop, total):
                state.cards[put] = state.cards[i]
                put += 1
            state.face_up[column] = up
            state.face_up_total = put
            state.completed += 1
        start += up
    return count


@kernel
def apply_action(state, scan, code, root, child):
    """Write the state after a legal action, with everything that it causes, to ``child``.

    scan: SCAN of ``state``, not used for a row. child: a STATE record other than ``state``.
    Returns the number of completed runs.
    """
    if code == ROW_CODE:
        apply_row(state, root, child)
        return take_completed(child, root)
    apply_move(state, scan, code, root, child)
    if scan.run_length[target_of(code)] + count_of(code) < KING:
        return 0
    return take_completed(child, root)
