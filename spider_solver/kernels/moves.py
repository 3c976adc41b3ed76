"""Generating moves into a buffer, and making an action on a packed state.

A move's code is ``source << 8 | count << 4 | target``; ROW_CODE is a row of the stock. Codes
come grouped by source and count, so ``code >> 4`` names the lifted run: what depends on it
alone needs to be worked out once a group.
"""

from __future__ import annotations

import numpy as np

from ..cards import ACE, KING
from ..deal import COLUMNS, ROW_CARDS
from ..game import ROW, Action, Move, Row
from .layout import (
    CARDS,
    DOWN,
    ENDS,
    FACE,
    LENGTH,
    LINK,
    RANK,
    RELAXED,
    ROWS,
    RUNS,
    STAGE,
    START,
    STEP,
    SUIT,
    TOTAL,
    UP,
)
from .loading import kernel

ROW_CODE = 0xFFF
ALL, NO_TWINS, WHOLE_RUNS = range(3)  # how much generate leaves out
MAX_CODES = 1024  # above any state's moves: ten runs have at most 104 tails, nine targets each


def encode(action: Action) -> int:
    """An action's code."""
    if isinstance(action, Row):
        return ROW_CODE
    return action.source << 8 | action.count << 4 | action.target


def decode(code: int) -> Action:
    """The action of a code."""
    return ROW if code == ROW_CODE else Move(code >> 8, code & 15, code >> 4 & 15)


@kernel
def generate(states, at, work, reduced, kids):
    """Write the codes of all legal moves of row ``at`` (rows apart); return how many.

    work: as left by layout.scan. kids: records with a ``code``, modified in place.
    reduced: ALL; NO_TWINS leaves out moves of a whole column to an empty one, and all empty
    targets but the first: they lead to the same position but for the order of columns;
    WHOLE_RUNS leaves out, besides, moves of a part of a run onto a card.
    """
    count = 0
    empty = -1  # the first empty column
    empties = 0  # a bit for each
    for rank in range(16):
        work[ENDS + rank] = 0
    for column in range(COLUMNS):
        up = np.int64(states[at, UP + column])
        if up > 0:
            end = states[at, work[START + column] + up - 1] & RANK
            work[ENDS + end] |= 1 << column
        else:
            empties |= 1 << column
            if empty < 0:
                empty = column
    if reduced and empty >= 0:
        empties = 1 << empty
    for source in range(COLUMNS):
        up = np.int64(states[at, UP + source])
        end = work[START + source] + up
        for length in range(1, work[LENGTH + source] + 1):
            targets = work[ENDS + (states[at, end - length] & RANK) + 1]
            if reduced == WHOLE_RUNS and length < work[LENGTH + source]:
                targets = 0
            if not reduced or length < up or states[at, DOWN + source] > 0:
                targets |= empties
            group = source << 8 | length << 4
            target = 0
            while targets:
                if targets & 1:
                    kids[count].code = group | target
                    count += 1
                targets >>= 1
                target += 1
    return count


@kernel
def can_deal(states, at, fixed):
    """Whether a row may be dealt on row ``at``; ``fixed`` is the Root's."""
    if states[at, STAGE] >= fixed[ROWS]:
        return False
    if fixed[RELAXED]:
        return True
    for column in range(COLUMNS):
        if states[at, UP + column] == 0:
            return False
    return True


@kernel
def make_move(states, at, work, code, hidden, outs, to):
    """Write the state after a legal move, nothing swept yet, to row ``to`` of ``outs``.

    It turns the card that the move uncovers.
    """
    source, length, target = code >> 8, (code >> 4) & 15, code & 15
    source_up, target_up = np.int64(states[at, UP + source]), np.int64(states[at, UP + target])
    low = work[START + source] + source_up - length  # the lifted cards
    high = low + length
    put = work[START + target] + target_up  # where they go, in the old state
    total = CARDS + np.int64(states[at, TOTAL])
    down = np.int64(states[at, DOWN + source])
    turns = source_up == length and down > 0
    for i in range(CARDS):
        outs[to, i] = states[at, i]
    outs[to, UP + source] -= length
    outs[to, UP + target] += length
    head = states[at, low] & FACE
    if target_up > 0:
        head |= STEP
        if (head ^ states[at, put - 1]) & SUIT == 0:
            head |= LINK
    if source < target:
        for i in range(CARDS, low):
            outs[to, i] = states[at, i]
        shift = low
        if turns:
            outs[to, low] = hidden[source, down - 1]
            shift += 1
        shift -= high
        for i in range(high, put):
            outs[to, i + shift] = states[at, i]
        shift += put - low
        outs[to, low + shift] = head
        for i in range(low + 1, high):
            outs[to, i + shift] = states[at, i]
        shift += low - put + length
        for i in range(put, total):
            outs[to, i + shift] = states[at, i]
    else:
        for i in range(CARDS, put):
            outs[to, i] = states[at, i]
        shift = put - low
        outs[to, put] = head
        for i in range(low + 1, high):
            outs[to, i + shift] = states[at, i]
        for i in range(put, low):
            outs[to, i + length] = states[at, i]
        shift = 0
        if turns:
            outs[to, high] = hidden[source, down - 1]
            shift = 1
        for i in range(high, total):
            outs[to, i + shift] = states[at, i]
    if turns:
        outs[to, UP + source] = 1
        outs[to, DOWN + source] -= 1
        outs[to, TOTAL] += 1


@kernel
def deal_row(states, at, stock, outs, to):
    """Write the state with the next row on it, nothing swept yet, to row ``to`` of ``outs``."""
    for i in range(CARDS):
        outs[to, i] = states[at, i]
    dealt = np.int64(states[at, STAGE]) * ROW_CARDS
    start, put = CARDS, CARDS
    for column in range(COLUMNS):
        up = np.int64(states[at, UP + column])
        for i in range(start, start + up):
            outs[to, put] = states[at, i]
            put += 1
        card = stock[dealt + column]
        if up > 0 and states[at, start + up - 1] & RANK == (card & RANK) + 1:
            under = states[at, start + up - 1]
            card |= STEP
            if (under ^ card) & SUIT == 0:
                card |= LINK
        outs[to, put] = card
        put += 1
        start += up
        outs[to, UP + column] += 1
    outs[to, STAGE] += 1
    outs[to, TOTAL] += ROW_CARDS


@kernel
def sweep(states, at, hidden):
    """Take completed runs off row ``at``, in place, turning cards; return how many left."""
    count = 0
    start = CARDS
    for column in range(COLUMNS):
        up = np.int64(states[at, UP + column])
        end = start + up
        whole = up >= KING and states[at, end - 1] & RANK == ACE
        if whole:
            for i in range(end - KING + 1, end):
                if not states[at, i] & LINK:
                    whole = False
                    break
        if whole:
            count += 1
            total = CARDS + np.int64(states[at, TOTAL])
            put = end - KING
            up -= KING
            if up == 0 and states[at, DOWN + column] > 0:
                states[at, put] = hidden[column, np.int64(states[at, DOWN + column]) - 1]
                states[at, DOWN + column] -= 1
                put += 1
                up = 1
            for i in range(end, total):
                states[at, put] = states[at, i]
                put += 1
            states[at, UP + column] = up
            states[at, TOTAL] = put - CARDS
            states[at, RUNS] += 1
        start += up
    return count


@kernel
def make(states, at, work, code, hidden, stock, outs, to):
    """Write the state after a legal action, with all that it causes, to row ``to`` of ``outs``.

    Row ``at`` of ``states`` must be another place. Returns the number of completed runs.
    """
    if code == ROW_CODE:
        deal_row(states, at, stock, outs, to)
        return sweep(outs, to, hidden)
    make_move(states, at, work, code, hidden, outs, to)
    length, target = (code >> 4) & 15, code & 15
    if work[LENGTH + target] + length < KING:
        return 0
    return sweep(outs, to, hidden)
