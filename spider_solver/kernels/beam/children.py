"""The children of a state, evaluated without making them.

A move changes two columns, so a child's score and keys follow from its parent's by a constant
number of look-ups. Only moves that complete a run, and some rows, are made in full on
a scratch state. Every child is a NODE in ``scratch.children``.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ...cards import ACE, KING
from ...deal import COLUMNS, ROW_CARDS
from ..apply import apply_action
from ..jit import kernel
from ..keys import (
    ZERO,
    base_key,
    bottom_key,
    break_key,
    mix,
    run_key,
)
from ..layout import CARD, LINK, RANK, STEP, SUIT, is_stock_empty
from ..moves import (
    ROW_CODE,
    find_ends,
    lowest_bit,
    make_code,
    targets_of,
)
from .evaluation import (
    fit_with_row,
    next_row_index,
    score_prospects,
    set_empty,
    set_end,
    set_prospects,
    set_single_card,
)
from .nodes import evaluate_node, load_scan

_WORD = 0  # a beam search has keys of one word
_ORDERED = False  # the value of ``unordered`` while rows are left


@kernel
def prepare(problem, state, column_data, node, scratch):
    """Write to ``scratch`` what all children of a state have in common.

    That is ``scan`` without ``ending``, ``prospects``, ``next_row`` and ``base_score``.
    """
    scan, prospects = scratch.scan, scratch.prospects
    load_scan(state, column_data, scan)
    for column in range(COLUMNS):
        stop = scan.start[column] + np.int64(state.face_up[column])
        sequence = np.int64(column_data.sequence_length[column])
        set_prospects(state, stop, column, scan.run_length[column], sequence, prospects)
    scratch.next_row = next_row_index(state, problem.root)
    scratch.base_score = np.int64(node.score) - score_prospects(problem.weights, prospects)


# Children by moves


class LiftedRun(NamedTuple):
    """A lifted run: the parts of a child's score and keys that don't depend on the target.

    The comments give the types inside kernels.
    """

    source: int  # int64: the column that it was lifted from
    count: int  # int64: its cards
    head: int  # int64: its first card, the one of the highest rank
    end: int  # int64: its last card
    score: int  # int64: without reach and join, and without the run's new place
    key: int  # uint64: with the source's new term; the target's term is still the old one
    class_key: int  # uint64: without the run's new place
    group: int  # uint64
    joins: int  # int64: without the pair that the run may make in its new place


@kernel
def lift_run(problem, state, column_data, node, scratch, source, count):
    """Lift the last ``count`` cards of a column's run: a LiftedRun.

    The source's entries in ``scratch.prospects`` are updated; the caller restores them.
    """
    root, numbers, weights = problem
    scan, prospects = scratch.scan, scratch.prospects
    unordered = is_stock_empty(state, root)
    up, down = np.int64(state.face_up[source]), np.int64(state.face_down[source])
    height = up - count
    first = scan.start[source] + height
    byte = np.int64(state.cards[first])
    head, end = byte & CARD, np.int64(state.cards[first + count - 1]) & CARD
    next_card = scratch.next_row + source
    score = scratch.base_score - fit_with_row(root, weights, next_card, end)
    key = node.key - scratch.mixed_keys[source]
    class_key, group, joins = node.class_key, node.group, np.int64(node.joins)
    if height > 0:
        lifted = run_key(numbers, _WORD, height, head, up, end)
        key += mix(column_data.unmixed[source] - lifted)
        under = np.int64(state.cards[first - 1]) & CARD
        set_end(prospects, source, under)
        score += fit_with_row(root, weights, next_card, under)
        if byte & LINK:
            joins -= 1
            run = scan.run_length[source]
            score += weights.run_value[count] - weights.run_value[run]
            score += weights.run_value[run - count]
        else:
            run_head = first - 1
            while state.cards[run_head] & LINK:
                run_head -= 1
            prospects.card_above[source] = (state.cards[run_head] & CARD) + 1
            if byte & STEP:
                score -= weights.off_suit
            else:
                while state.cards[run_head] & STEP:
                    run_head -= 1
                prospects.rank_above[source] = (state.cards[run_head] & RANK) + 1
                class_key -= break_key(numbers, source, height, head, under, unordered)
    elif down > 0:
        turned = np.int64(root.face_down_cards[source, down - 1])
        base = base_key(numbers, _WORD, source, down - 1, unordered)
        key += mix(base + numbers.single[0, turned, _WORD])
        score += weights.run_value[1] - weights.face_down
        score += fit_with_row(root, weights, next_card, turned)
        set_single_card(prospects, source, turned)
        if down == 1 and turned & RANK == KING:
            score += weights.king_base
        class_key += bottom_key(numbers, source, down - 1, turned, unordered)
        class_key -= bottom_key(numbers, source, down, turned, unordered)
        group += numbers.group[source, down - 1, _WORD] - numbers.group[source, down, _WORD]
    else:
        key += mix(base_key(numbers, _WORD, source, 0, unordered))
        score += weights.empty_column
        set_empty(prospects, source)
        if head & RANK == KING:
            score -= weights.king_base
        class_key -= bottom_key(numbers, source, 0, head, unordered)
    return LiftedRun(source, count, head, end, score, key, class_key, group, joins)


@kernel
def place_run(problem, state, column_data, node, scratch, lifted, target, child):
    """Put a lifted run on a column and fill in the child, except for ``parent`` and ``next``.

    ``scratch.prospects`` is as before when the function returns.
    """
    root, numbers, weights = problem
    scan, prospects = scratch.scan, scratch.prospects
    head, end, count = lifted.head, lifted.end, lifted.count
    child.code = make_code(lifted.source, count, target)
    up = np.int64(state.face_up[target])
    next_card = scratch.next_row + target
    score = lifted.score + fit_with_row(root, weights, next_card, end)
    class_key, joins = lifted.class_key, lifted.joins
    old_end, old_rank = prospects.end_bit[target], prospects.rank_above[target]
    old_card = prospects.card_above[target]
    if up > 0:
        onto = np.int64(state.cards[scan.start[target] + up - 1]) & CARD
        score -= fit_with_row(root, weights, next_card, onto)
        if (onto ^ head) & SUIT == 0:
            run = scan.run_length[target]
            if run + count == KING and end & RANK == ACE:
                code = np.int64(child.code)
                apply_action(state, scan, code, root, scratch.state)
                evaluate_node(problem, scratch.state, child, scratch.child_prospects)
                return
            joins += 1
            score += weights.run_value[run + count]
            score -= weights.run_value[run] + weights.run_value[count]
        else:
            score += weights.off_suit
            prospects.card_above[target] = head + 1
    else:
        score -= weights.empty_column
        prospects.rank_above[target] = (head & RANK) + 1
        prospects.card_above[target] = head + 1
        if head & RANK == KING:
            score += weights.king_base
        class_key += bottom_key(numbers, target, 0, head, is_stock_empty(state, root))
    set_end(prospects, target, end)
    child.score = score + score_prospects(weights, prospects)
    prospects.end_bit[target] = old_end
    prospects.rank_above[target] = old_rank
    prospects.card_above[target] = old_card
    placed = run_key(numbers, _WORD, up, head, up + count, end)
    new_key = mix(column_data.unmixed[target] + placed)
    child.key = lifted.key - scratch.mixed_keys[target] + new_key
    child.class_key = class_key
    child.group = lifted.group
    child.completed = node.completed
    child.joins = joins


@kernel
def expand_moves(problem, state, column_data, node, move_set, scratch):
    """Evaluate all children by moves; return how many.

    problem: Problem. state, column_data, node: STATE, COLUMN_DATA and NODE of the state.
    move_set: one of the constants in moves.py. scratch: SCRATCH, modified; ``children`` is the
    result.
    """
    prepare(problem, state, column_data, node, scratch)
    scan, prospects = scratch.scan, scratch.prospects
    for column in range(COLUMNS):
        scratch.mixed_keys[column] = mix(column_data.unmixed[column])
    empty_targets = find_ends(state, scan, move_set)
    written = 0
    for source in range(COLUMNS):
        old_end, old_rank = prospects.end_bit[source], prospects.rank_above[source]
        old_card = prospects.card_above[source]
        for count in range(1, scan.run_length[source] + 1):
            targets = targets_of(state, scan, move_set, empty_targets, source, count)
            if targets == 0:
                continue
            lifted = lift_run(problem, state, column_data, node, scratch, source, count)
            while targets:
                target = lowest_bit(targets)
                targets &= targets - 1  # without its lowest bit
                child = scratch.children[written]
                place_run(problem, state, column_data, node, scratch, lifted, target, child)
                written += 1
            prospects.end_bit[source] = old_end
            prospects.rank_above[source] = old_rank
            prospects.card_above[source] = old_card
    return written


# The child by a row


@kernel
def expand_row(problem, state, column_data, node, scratch):
    """Evaluate the child of dealing a row, which must be legal, into ``scratch.children[0]``.

    Arguments as for ``expand_moves``. The row is made in full if it may complete a run, and if
    it is the last one, because all class keys change then.
    """
    root, numbers, weights = problem
    prepare(problem, state, column_data, node, scratch)
    scan, prospects = scratch.scan, scratch.prospects
    child = scratch.children[0]
    child.code = ROW_CODE
    first = scratch.next_row
    if is_row_made_in_full(state, scan, root):
        apply_action(state, scan, ROW_CODE, root, scratch.state)
        evaluate_node(problem, scratch.state, child, prospects)
        return
    score = scratch.base_score
    key, class_key = ZERO, node.class_key
    joins = np.int64(node.joins)
    for column in range(COLUMNS):
        card = np.int64(root.stock[first + column])
        up = np.int64(state.face_up[column])
        key += mix(column_data.unmixed[column] + numbers.single[up, card, _WORD])
        score += fit_with_row(root, weights, first + ROW_CARDS + column, card)
        if up == 0:
            score += weights.run_value[1] - weights.empty_column
            if card & RANK == KING:
                score += weights.king_base
            class_key += bottom_key(numbers, column, 0, card, _ORDERED)
            set_single_card(prospects, column, card)
            continue
        set_end(prospects, column, card)
        under = np.int64(state.cards[scan.start[column] + up - 1]) & CARD
        score -= fit_with_row(root, weights, first + column, under)
        if under == card + 1:
            run = scan.run_length[column]
            score += weights.run_value[run + 1] - weights.run_value[run]
            joins += 1
            continue
        score += weights.run_value[1]
        prospects.card_above[column] = card + 1
        if under & RANK == (card & RANK) + 1:
            score += weights.off_suit
        else:
            class_key += break_key(numbers, column, up, card, under, _ORDERED)
            prospects.rank_above[column] = (card & RANK) + 1
    child.score = score + score_prospects(weights, prospects)
    child.key = key
    child.class_key = class_key
    child.group = node.group
    child.completed = node.completed
    child.joins = joins


@kernel
def is_row_made_in_full(state, scan, root):
    """Whether the next row is the last one or may complete a run."""
    if np.int64(state.rows_dealt) + 1 == root.rows:
        return True
    first = np.int64(state.rows_dealt) * ROW_CARDS
    for column in range(COLUMNS):
        if root.stock[first + column] & RANK == ACE and scan.run_length[column] == KING - 1:
            return True
    return False
