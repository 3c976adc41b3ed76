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
from .layout import (
    CARDS,
    DOWN,
    FACE,
    LENGTH,
    LINK,
    RANK,
    ROWS,
    RUNS,
    STAGE,
    START,
    STEP,
    SUIT,
    UP,
    scan,
)
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

# Parts of the uint64 scratch array that the kernels here share: columns' keys mixed, and what
# evaluate.prospects needs.
MIXED, ENDS, WANTS, SCRATCH = 0, 10, 20, 40

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
def retouch(node, states, plain, at, stock, fixed, weights, columns):
    """Work out score and key anew after reversible moves, which keep all else.

    plain: the columns' keys of row ``at``, up to date. columns: as for work_out.
    """
    ends, wants = columns[ENDS:WANTS], columns[WANTS:SCRATCH]
    node.score = score_state(states, at, stock, fixed[ROWS], weights, ends, wants)
    key = ZERO
    for column in range(COLUMNS):
        key += mix(plain[at, column])
    node.key = key


@kernel
def look_around(states, at, work, columns):
    """Scan row ``at`` and note what its columns offer and want; returns nothing."""
    scan(states, at, work)
    ends, wants = columns[ENDS:WANTS], columns[WANTS:SCRATCH]
    for column in range(COLUMNS):
        end = work[START + column] + np.int64(states[at, UP + column])
        look(states, at, end, column, work[LENGTH + column], ends, wants)


@kernel
def expand_row(
    states, plain, at, node, hidden, stock, fixed, keys, weights, work, columns, scratch, kids
):
    """The child of dealing a row, which must be legal, into place 0 of ``kids``.

    Arguments as for expand. It is played out in full if it completes a run, and for the last
    row, after which all class keys are others.
    """
    look_around(states, at, work, columns)
    kid = kids[0]
    kid.code = ROW_CODE
    first = np.int64(states[at, STAGE]) * ROW_CARDS
    full = states[at, STAGE] + 1 == fixed[ROWS]
    for column in range(COLUMNS):
        if stock[first + column] & RANK == ACE and work[LENGTH + column] == KING - 1:
            full = True
    if full:
        make(states, at, work, ROW_CODE, hidden, stock, scratch, 0)
        work_out(kid, scratch, 0, stock, fixed, keys, weights, columns)
        return
    ends, wants = columns[ENDS:WANTS], columns[WANTS:SCRATCH]
    score = np.int64(node.score) - prospects(weights, ends, wants)
    key, klass = ZERO, node.klass
    for column in range(COLUMNS):
        card = np.int64(stock[first + column])
        up = np.int64(states[at, UP + column])
        key += mix(plain[at, column] + keys[SINGLE + up * CARD_CODES + card])
        ends[column] = ONE << np.uint64(card)
        score += row_fit(stock, weights, first + ROW_CARDS + column, card)
        if up == 0:
            score += weights[RUN_VALUE + 1] - weights[EMPTY]
            if card & RANK == KING:
                score += weights[KING_BASE]
            klass += base_key(keys, column, 0, card, False)
            wants[column] = (card & RANK) + 1
            wants[COLUMNS + column] = card + 1
            continue
        under = np.int64(states[at, work[START + column] + up - 1]) & FACE
        score -= row_fit(stock, weights, first + column, under)
        if under == card + 1:
            length = work[LENGTH + column]
            score += weights[RUN_VALUE + length + 1] - weights[RUN_VALUE + length]
            continue
        score += weights[RUN_VALUE + 1]
        wants[COLUMNS + column] = card + 1
        if under & RANK == (card & RANK) + 1:
            score += weights[OFF]
        else:
            klass += bound_key(keys, column, up, card, under, False)
            wants[column] = (card & RANK) + 1
    kid.score = score + prospects(weights, ends, wants)
    kid.key = key
    kid.klass = klass
    kid.group = node.group
    kid.runs = node.runs


@kernel
def follow(states, plain, at, to, code, last, keys):
    """Write the column keys of the state in row ``to``, made from row ``at`` by a move.

    The move must complete no run. plain: uint64 (rows, 10), modified in place.
    """
    source, target = code >> 8, code & 15
    start = CARDS
    for column in range(COLUMNS):
        if column == source or column == target:
            plain[to, column] = column_key(keys, states, to, start, column, last)
        else:
            plain[to, column] = plain[at, column]
        start += np.int64(states[to, UP + column])


@kernel
def column_keys(states, plain, at, last, keys):
    """Write the column keys of the state in row ``at`` from scratch."""
    start = CARDS
    for column in range(COLUMNS):
        plain[at, column] = column_key(keys, states, at, start, column, last)
        start += np.int64(states[at, UP + column])


@kernel
def expand(
    states,
    plain,
    at,
    node,
    reduced,
    hidden,
    stock,
    fixed,
    keys,
    weights,
    work,
    columns,
    scratch,
    kids,
):
    """Work out all children by moves of row ``at`` and return how many.

    plain: uint64 (rows, 10), its columns' keys. node: the state's own. reduced: as in
    moves.generate. work int64 (WORK), columns uint64 (2 * SCRATCH), scratch uint8 (1, 128):
    scratch. kids: NODE (MAX_CODES). These are modified.

    A child's score starts as the parent's without its prospects; what lifting the run does
    is worked out once for all its targets.
    """
    look_around(states, at, work, columns)
    last = states[at, STAGE] == fixed[ROWS]
    next_card = np.int64(-COLUMNS) if last else np.int64(states[at, STAGE]) * ROW_CARDS
    ends, wants = columns[ENDS:WANTS], columns[WANTS:SCRATCH]
    for column in range(COLUMNS):
        columns[MIXED + column] = mix(plain[at, column])
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
                source_key += mix(plain[at, source] - part_key(keys, height, head, up, end))
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
        kid.key = source_key - columns[MIXED + target] + mix(plain[at, target] + put)
        kid.klass = klass
        kid.group = source_group
        kid.runs = node.runs
    return count
