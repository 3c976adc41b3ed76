"""Actions on a packed state: the state after a move or a row, with completed runs taken off."""

from __future__ import annotations

import numpy as np

from ..cards import ACE, KING
from ..deal import COLUMNS, ROW_CARDS
from .layout import FACE, LINK, RANK, STEP, SUIT
from .loading import kernel
from .moves import ROW_CODE, count_of, source_of, target_of


@kernel
def apply_move(state, scan, code, root, child):
    """Write the state after a legal move to ``child``; a run that it completes stays.

    The card that the move uncovers is turned. scan: SCAN of ``state``.
    """
    source, length, target = source_of(code), count_of(code), target_of(code)
    source_up, target_up = np.int64(state.face_up[source]), np.int64(state.face_up[target])
    low = scan.start[source] + source_up - length  # the lifted cards: low to high - 1
    high = low + length
    put = scan.start[target] + target_up  # index in the old state where they go
    total = np.int64(state.total)
    down = np.int64(state.face_down[source])
    turns = source_up == length and down > 0
    copy_counts(state, child)
    child.face_up[source] -= length
    child.face_up[target] += length
    head = state.cards[low] & FACE
    if target_up > 0:
        head |= STEP
        if (head ^ state.cards[put - 1]) & SUIT == 0:
            head |= LINK
    if source < target:
        for i in range(low):
            child.cards[i] = state.cards[i]
        shift = low
        if turns:
            child.cards[low] = root.hidden[source, down - 1]
            shift += 1
        shift -= high
        for i in range(high, put):
            child.cards[i + shift] = state.cards[i]
        shift += put - low
        child.cards[low + shift] = head
        for i in range(low + 1, high):
            child.cards[i + shift] = state.cards[i]
        shift += low - put + length
        for i in range(put, total):
            child.cards[i + shift] = state.cards[i]
    else:
        for i in range(put):
            child.cards[i] = state.cards[i]
        shift = put - low
        child.cards[put] = head
        for i in range(low + 1, high):
            child.cards[i + shift] = state.cards[i]
        for i in range(put, low):
            child.cards[i + length] = state.cards[i]
        shift = 0
        if turns:
            child.cards[high] = root.hidden[source, down - 1]
            shift = 1
        for i in range(high, total):
            child.cards[i + shift] = state.cards[i]
    if turns:
        child.face_up[source] = 1
        child.face_down[source] -= 1
        child.total += 1


@kernel
def copy_counts(state, child):
    """Copy all of a state but its cards."""
    for column in range(COLUMNS):
        child.face_up[column] = state.face_up[column]
        child.face_down[column] = state.face_down[column]
    child.completed = state.completed
    child.rows_dealt = state.rows_dealt
    child.total = state.total
    child.unused = state.unused


@kernel
def copy_state(state, copy):
    """Copy a state."""
    copy_counts(state, copy)
    for i in range(len(state.cards)):
        copy.cards[i] = state.cards[i]


@kernel
def apply_row(state, root, child):
    """Write the state with the next row on it to ``child``; runs that it completes stay."""
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
    child.total += ROW_CARDS


@kernel
def take_completed(state, root):
    """Take completed runs off a state, in place, and turn the cards below; return how many."""
    count = 0
    start = 0
    for column in range(COLUMNS):
        up = np.int64(state.face_up[column])
        end = start + up
        whole = up >= KING and state.cards[end - 1] & RANK == ACE
        if whole:
            for i in range(end - KING + 1, end):
                if not state.cards[i] & LINK:
                    whole = False
                    break
        if whole:
            count += 1
            total = np.int64(state.total)
            put = end - KING
            up -= KING
            if up == 0 and state.face_down[column] > 0:
                state.cards[put] = root.hidden[column, np.int64(state.face_down[column]) - 1]
                state.face_down[column] -= 1
                put += 1
                up = 1
            for i in range(end, total):
                state.cards[put] = state.cards[i]
                put += 1
            state.face_up[column] = up
            state.total = put
            state.completed += 1
        start += up
    return count


@kernel
def apply_action(state, scan, code, root, child):
    """Write the state after a legal action, with everything that it causes, to ``child``.

    scan: SCAN of ``state``. child: a STATE record other than ``state``. Returns the number of
    completed runs.
    """
    if code == ROW_CODE:
        apply_row(state, root, child)
        return take_completed(child, root)
    apply_move(state, scan, code, root, child)
    if scan.run[target_of(code)] + count_of(code) < KING:
        return 0
    return take_completed(child, root)
