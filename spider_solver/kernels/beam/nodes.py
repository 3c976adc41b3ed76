"""Nodes and column data of states: from scratch, or updated after a move."""

from __future__ import annotations

import numpy as np

from ...cards import KING
from ...deal import COLUMNS
from ..jit import kernel
from ..keys import ZERO, class_key, column_key, group_key, mix, state_key
from ..layout import LINK, STEP, is_stock_empty
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
def rescore(problem, state, column_data, node, prospects):
    """Update a node's score and Zobrist key after reversible moves; the rest is unchanged.

    column_data: COLUMN_DATA of the state, up to date. prospects: PROSPECTS, modified.
    """
    node.score = evaluate(state, problem.root, problem.weights, prospects)
    key = ZERO
    for column in range(COLUMNS):
        key += mix(column_data.unmixed[column])
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
def set_column(problem, state, start, column, unordered, column_data):
    """Write the data of one column from scratch. start: index of its cards in STATE.cards."""
    key = column_key(problem.numbers, state, start, column, unordered)
    column_data.unmixed[column] = key
    stop = start + np.int64(state.face_up[column])
    run, sequence = 0, 0
    if stop > start:
        first = stop - 1
        while state.cards[first] & LINK:
            first -= 1
        run = stop - first
        while state.cards[first] & STEP:
            first -= 1
        sequence = stop - first
    column_data.run_length[column] = run
    column_data.sequence_length[column] = sequence


@kernel
def load_scan(state, column_data, scan):
    """Do what layout.scan_columns does, but from the lengths in the column data."""
    start = 0
    for column in range(COLUMNS):
        scan.start[column] = start
        start += np.int64(state.face_up[column])
        scan.run_length[column] = np.int64(column_data.run_length[column])


@kernel
def set_column_data(problem, state, column_data):
    """Write the column data of a state from scratch."""
    unordered = is_stock_empty(state, problem.root)
    start = 0
    for column in range(COLUMNS):
        set_column(problem, state, start, column, unordered, column_data)
        start += np.int64(state.face_up[column])


@kernel
def update_column_data(problem, state, code, column_data):
    """Update the column data of a state after a move that completed no run."""
    unordered = is_stock_empty(state, problem.root)
    source, target = source_of(code), target_of(code)
    start = 0
    for column in range(COLUMNS):
        if column == source or column == target:
            set_column(problem, state, start, column, unordered, column_data)
        start += np.int64(state.face_up[column])


@kernel
def copy_column_data(column_data, copy):
    """Copy the column data of a state to ``copy``."""
    for column in range(COLUMNS):
        copy.unmixed[column] = column_data.unmixed[column]
        copy.run_length[column] = column_data.run_length[column]
        copy.sequence_length[column] = column_data.sequence_length[column]
