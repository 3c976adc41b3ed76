"""Nodes and column keys of states: from scratch, or updated after a few moves."""

from __future__ import annotations

import numpy as np

from ...cards import KING
from ...deal import COLUMNS
from ..jit import kernel
from ..keys import ZERO, class_key, column_key, group_key, mix, state_key
from ..layout import LINK, is_stock_empty
from ..moves import source_of, target_of
from .evaluation import evaluate


@kernel
def evaluate_node(problem, state, node, prospects):
    """Fill in a node from scratch, except for ``code``, ``parent`` and ``next``.

    prospects: PROSPECTS, modified.
    """
    root, numbers, weights = problem
    node.score = evaluate(state, root, weights, prospects)
    node.key = state_key(numbers, state, root)
    node.class_key = class_key(numbers, state, root)
    node.group = group_key(numbers, state)
    node.completed = state.completed
    node.joins = count_joins(state)


@kernel
def rescore(problem, state, column_keys, node, prospects):
    """Update a node's score and Zobrist key after reversible moves; the rest is unchanged.

    column_keys: COLUMN_KEYS of the state, up to date. prospects: PROSPECTS, modified.
    """
    node.score = evaluate(state, problem.root, problem.weights, prospects)
    key = ZERO
    for column in range(COLUMNS):
        key += mix(column_keys.unmixed[column])
    node.key = key


@kernel
def count_joins(state):
    """The pairs in suit of a state, with those of the completed runs."""
    joins = np.int64(state.completed) * (KING - 1)
    for i in range(np.int64(state.face_up_total)):
        if state.cards[i] & LINK:
            joins += 1
    return joins


@kernel
def set_column_keys(problem, state, column_keys):
    """Write the column keys of a state from scratch."""
    unordered = is_stock_empty(state, problem.root)
    start = 0
    for column in range(COLUMNS):
        key = column_key(problem.numbers, state, start, column, unordered)
        column_keys.unmixed[column] = key
        start += np.int64(state.face_up[column])


@kernel
def update_column_keys(problem, child, code, parent_keys, child_keys):
    """Write the column keys of a child from its parent's; the move must complete no run."""
    unordered = is_stock_empty(child, problem.root)
    source, target = source_of(code), target_of(code)
    start = 0
    for column in range(COLUMNS):
        if column == source or column == target:
            key = column_key(problem.numbers, child, start, column, unordered)
            child_keys.unmixed[column] = key
        else:
            child_keys.unmixed[column] = parent_keys.unmixed[column]
        start += np.int64(child.face_up[column])
