"""A state's children without building them: score, keys and class of each, incrementally.

A move changes two columns, so a child costs a few look-ups whatever it moves. Only moves that
complete a run, and rows, are played out in full on a scratch state.
"""

from __future__ import annotations

import numpy as np

from ..cards import ACE, KING
from ..deal import COLUMNS
from .evaluate import EMPTY, FACE_DOWN, KING_BASE, OFF, PAIR, score_state
from .layout import DOWN, FACE, LENGTH, LINK, RANK, ROWS, RUNS, STAGE, START, STEP, SUIT, UP, scan
from .loading import kernel
from .moves import MAX_CODES, ROW_CODE, generate, make
from .zobrist import (
    CARD_CODES,
    DOWNS,
    GROUP,
    SINGLE,
    ZERO,
    base_key,
    bound_key,
    class_key,
    column_key,
    group_key,
    mix,
    part_key,
    stand_key,
    state_key,
)

# A state as the search knows it, apart from its cards. ``code`` is how it was reached.
NODE = np.dtype(
    [
        ("key", np.uint64),
        ("klass", np.uint64),
        ("group", np.uint64),
        ("score", np.int32),
        ("parent", np.int32),
        ("code", np.int16),
        ("runs", np.int16),
        ("next", np.int32),
    ],
    align=True,
)


def make_nodes(count: int) -> np.ndarray:
    """Room for nodes, all zero."""
    return np.zeros(count, NODE)


def make_children() -> np.ndarray:
    """Room for the children of any one state."""
    return make_nodes(MAX_CODES)


@kernel
def work_out(node, states, at, fixed, keys, weights):
    """Fill in a node's score and keys from scratch, for the state in row ``at``."""
    rows = fixed[ROWS]
    node.score = score_state(states, at, weights)
    node.key = state_key(keys, states, at, rows)
    node.klass = class_key(keys, states, at, rows)
    node.group = group_key(keys, states, at)
    node.runs = states[at, RUNS]


@kernel
def expand_row(states, at, hidden, stock, fixed, keys, weights, work, scratch, kids):
    """The child of dealing a row, which must be legal, into place 0 of ``kids``."""
    make(states, at, work, ROW_CODE, hidden, stock, scratch, 0)
    work_out(kids[0], scratch, 0, fixed, keys, weights)
    kids[0].code = ROW_CODE


@kernel
def expand(
    states, at, node, reduced, hidden, stock, fixed, keys, weights, work, columns, scratch, kids
):
    """Work out all children by moves of row ``at`` and return how many.

    node: the state's own. reduced: as in moves.generate. work int64 (WORK), columns uint64
    (20), scratch uint8 (1, 128): scratch. kids: NODE (MAX_CODES). These are modified.
    """
    scan(states, at, work)
    last = states[at, STAGE] == fixed[ROWS]
    for column in range(COLUMNS):
        plain = column_key(keys, states, at, work[START + column], column, last)
        columns[column] = plain
        columns[COLUMNS + column] = mix(plain)
    count = generate(states, at, work, reduced, kids)
    lifted = np.int64(-1)
    source, height, length = np.int64(0), np.int64(0), np.int64(0)
    head, end = np.int64(0), np.int64(0)
    source_score = np.int64(0)
    source_key, source_class, source_group = ZERO, ZERO, ZERO
    for index in range(count):
        kid = kids[index]
        code = np.int64(kid.code)
        if code >> 4 != lifted:
            lifted = code >> 4
            source, length = lifted >> 4, lifted & 15
            up, down = np.int64(states[at, UP + source]), np.int64(states[at, DOWN + source])
            height = up - length
            low = work[START + source] + height
            byte = np.int64(states[at, low])
            head, end = byte & FACE, np.int64(states[at, low + length - 1]) & FACE
            source_score = np.int64(node.score)
            source_class, source_group = node.klass, node.group
            source_key = node.key - columns[COLUMNS + source]
            if height > 0:
                source_key += mix(columns[source] - part_key(keys, height, head, up, end))
                if byte & LINK:
                    source_score -= weights[PAIR]
                elif byte & STEP:
                    source_score -= weights[OFF]
                else:
                    under = np.int64(states[at, low - 1]) & FACE
                    source_class -= bound_key(keys, source, height, head, under, last)
            elif down > 0:
                turned = np.int64(hidden[source, down - 1])
                source_key += mix(
                    stand_key(keys, source, down - 1, last) + keys[SINGLE + turned]
                )
                source_score -= weights[FACE_DOWN]
                if down == 1 and turned & RANK == KING:
                    source_score += weights[KING_BASE]
                source_class += base_key(keys, source, down - 1, turned, last)
                source_class -= base_key(keys, source, down, turned, last)
                group = GROUP + source * DOWNS + down
                source_group += keys[group - 1] - keys[group]
            else:
                source_key += mix(stand_key(keys, source, 0, last))
                source_score += weights[EMPTY]
                if head & RANK == KING:
                    source_score -= weights[KING_BASE]
                source_class -= base_key(keys, source, 0, head, last)
        target = code & 15
        others = np.int64(states[at, UP + target])
        score = source_score
        klass = source_class
        if others > 0:
            onto = np.int64(states[at, work[START + target] + others - 1])
            if (onto ^ head) & SUIT == 0:
                if end & RANK == ACE and work[LENGTH + target] + length == KING:
                    make(states, at, work, code, hidden, stock, scratch, 0)
                    work_out(kid, scratch, 0, fixed, keys, weights)
                    continue
                score += weights[PAIR]
            else:
                score += weights[OFF]
        else:
            score -= weights[EMPTY]
            if head & RANK == KING:
                score += weights[KING_BASE]
            klass += base_key(keys, target, 0, head, last)
        put = part_key(keys, others, head, others + length, end)
        kid.score = score
        kid.key = source_key - columns[COLUMNS + target] + mix(columns[target] + put)
        kid.klass = klass
        kid.group = source_group
        kid.runs = node.runs
    return count
