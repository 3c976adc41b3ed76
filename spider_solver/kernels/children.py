"""A state's children without building them: score, keys and class of each, incrementally.

A move changes two columns, so a child costs a few look-ups whatever it moves. Only moves that
complete a run, and rows, are played out in full on a scratch state.
"""

from __future__ import annotations

import numpy as np

from ..cards import ACE, KING
from ..deal import COLUMNS, ROW_CARDS
from .evaluate import (
    EMPTY,
    FACE_DOWN,
    KING_BASE,
    NOTHING,
    OFF,
    ONE,
    RUN_VALUE,
    look,
    prospects,
    row_fit,
    score_state,
)
from .layout import DOWN, FACE, LENGTH, LINK, RANK, ROWS, RUNS, STAGE, START, STEP, SUIT, UP, scan
from .loading import kernel
from .moves import MAX_CODES, ROW_CODE, generate, make
from .zobrist import (
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

# Parts of the uint64 scratch array that the kernels here share: columns' keys, those mixed,
# and what evaluate.prospects wants.
PLAIN, MIXED, ENDS, WANTS, SCRATCH = 0, 10, 20, 30, 50

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
def work_out(node, states, at, stock, fixed, keys, weights, columns):
    """Fill in a node's score and keys from scratch, for the state in row ``at``.

    columns: uint64 (SCRATCH or more), of which ENDS and WANTS are modified.
    """
    rows = fixed[ROWS]
    ends, wants = columns[ENDS:WANTS], columns[WANTS:SCRATCH]
    node.score = score_state(states, at, stock, rows, weights, ends, wants)
    node.key = state_key(keys, states, at, rows)
    node.klass = class_key(keys, states, at, rows)
    node.group = group_key(keys, states, at)
    node.runs = states[at, RUNS]


@kernel
def expand_row(states, at, hidden, stock, fixed, keys, weights, work, columns, scratch, kids):
    """The child of dealing a row, which must be legal, into place 0 of ``kids``."""
    make(states, at, work, ROW_CODE, hidden, stock, scratch, 0)
    work_out(kids[0], scratch, 0, stock, fixed, keys, weights, columns)
    kids[0].code = ROW_CODE


@kernel
def expand(
    states, at, node, reduced, hidden, stock, fixed, keys, weights, work, columns, scratch, kids
):
    """Work out all children by moves of row ``at`` and return how many.

    node: the state's own. reduced: as in moves.generate. work int64 (WORK), columns uint64
    (2 * SCRATCH), scratch uint8 (1, 128): scratch. kids: NODE (MAX_CODES). These are modified.

    A child's score starts as the parent's without its prospects; what lifting the run does
    is worked out once for all its targets.
    """
    scan(states, at, work)
    last = states[at, STAGE] == fixed[ROWS]
    next_card = np.int64(-COLUMNS) if last else np.int64(states[at, STAGE]) * ROW_CARDS
    ends, wants = columns[ENDS:WANTS], columns[WANTS:SCRATCH]
    for column in range(COLUMNS):
        start = work[START + column]
        plain = column_key(keys, states, at, start, column, last)
        columns[PLAIN + column] = plain
        columns[MIXED + column] = mix(plain)
        look(states, at, start, column, ends, wants)
    base_score = np.int64(node.score) - prospects(weights, ends, wants)
    count = generate(states, at, work, reduced, kids)
    lifted, source, height, length = np.int64(-1), np.int64(-1), np.int64(0), np.int64(0)
    head, end = np.int64(0), np.int64(0)
    source_score = np.int64(0)
    source_key, source_class, source_group = ZERO, ZERO, ZERO
    end_bit, head_wants, base_wants = ZERO, ZERO, ZERO
    old_end, old_base, old_head = ZERO, ZERO, ZERO  # the source's own
    for index in range(count):
        kid = kids[index]
        code = np.int64(kid.code)
        if code >> 4 != lifted:
            if source >= 0:
                ends[source] = old_end
                wants[source] = old_base
                wants[COLUMNS + source] = old_head
            lifted = code >> 4
            source, length = lifted >> 4, lifted & 15
            old_end, old_base = ends[source], wants[source]
            old_head = wants[COLUMNS + source]
            up, down = np.int64(states[at, UP + source]), np.int64(states[at, DOWN + source])
            height = up - length
            low = work[START + source] + height
            byte = np.int64(states[at, low])
            head, end = byte & FACE, np.int64(states[at, low + length - 1]) & FACE
            end_bit = old_end
            head_wants, base_wants = np.uint64(head + 1), np.uint64((head & RANK) + 1)
            source_score = base_score - row_fit(stock, weights, next_card + source, end)
            source_class, source_group = node.klass, node.group
            source_key = node.key - columns[MIXED + source]
            if height > 0:
                source_key += mix(columns[PLAIN + source] - part_key(keys, height, head, up, end))
                under = np.int64(states[at, low - 1]) & FACE
                ends[source] = ONE << np.uint64(under)
                source_score += row_fit(stock, weights, next_card + source, under)
                if byte & LINK:
                    total = work[LENGTH + source]
                    source_score += weights[RUN_VALUE + length] - weights[RUN_VALUE + total]
                    source_score += weights[RUN_VALUE + total - length]
                else:
                    last_card = low - 1
                    while states[at, last_card] & LINK:
                        last_card -= 1
                    wants[COLUMNS + source] = (states[at, last_card] & FACE) + 1
                    if byte & STEP:
                        source_score -= weights[OFF]
                    else:
                        while states[at, last_card] & STEP:
                            last_card -= 1
                        wants[source] = (states[at, last_card] & RANK) + 1
                        source_class -= bound_key(keys, source, height, head, under, last)
            elif down > 0:
                turned = np.int64(hidden[source, down - 1])
                source_key += mix(stand_key(keys, source, down - 1, last) + keys[SINGLE + turned])
                source_score += weights[RUN_VALUE + 1] - weights[FACE_DOWN]
                source_score += row_fit(stock, weights, next_card + source, turned)
                ends[source] = ONE << np.uint64(turned)
                wants[source] = (turned & RANK) + 1
                wants[COLUMNS + source] = turned + 1
                if down == 1 and turned & RANK == KING:
                    source_score += weights[KING_BASE]
                source_class += base_key(keys, source, down - 1, turned, last)
                source_class -= base_key(keys, source, down, turned, last)
                group = GROUP + source * DOWNS + down
                source_group += keys[group - 1] - keys[group]
            else:
                source_key += mix(stand_key(keys, source, 0, last))
                source_score += weights[EMPTY]
                ends[source] = ZERO
                wants[source] = NOTHING
                wants[COLUMNS + source] = NOTHING
                if head & RANK == KING:
                    source_score -= weights[KING_BASE]
                source_class -= base_key(keys, source, 0, head, last)
        target = code & 15
        others = np.int64(states[at, UP + target])
        score = source_score + row_fit(stock, weights, next_card + target, end)
        klass = source_class
        target_end, target_base = ends[target], wants[target]
        target_head = wants[COLUMNS + target]
        ends[target] = end_bit
        if others > 0:
            onto = np.int64(states[at, work[START + target] + others - 1]) & FACE
            score -= row_fit(stock, weights, next_card + target, onto)
            if (onto ^ head) & SUIT == 0:
                total = work[LENGTH + target]
                if total + length == KING and end & RANK == ACE:
                    make(states, at, work, code, hidden, stock, scratch, 0)
                    # the parent's ends and wants are needed again
                    work_out(kid, scratch, 0, stock, fixed, keys, weights, columns[SCRATCH:])
                    ends[target] = target_end
                    continue
                score += weights[RUN_VALUE + total + length]
                score -= weights[RUN_VALUE + total] + weights[RUN_VALUE + length]
            else:
                score += weights[OFF]
                wants[COLUMNS + target] = head_wants
        else:
            score -= weights[EMPTY]
            wants[target] = base_wants
            wants[COLUMNS + target] = head_wants
            if head & RANK == KING:
                score += weights[KING_BASE]
            klass += base_key(keys, target, 0, head, last)
        score += prospects(weights, ends, wants)
        ends[target] = target_end
        wants[target] = target_base
        wants[COLUMNS + target] = target_head
        put = part_key(keys, others, head, others + length, end)
        kid.score = score
        kid.key = source_key - columns[MIXED + target] + mix(columns[PLAIN + target] + put)
        kid.klass = klass
        kid.group = source_group
        kid.runs = node.runs
    return count
