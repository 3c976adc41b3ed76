"""Measures the nanoseconds per child that each part of the beam search takes.

    pytest benchmarks/kernels.py
    pytest benchmarks/kernels.py --benchmark-json kernels.json

The sample consists of the states of a solution and their children by moves, so it resembles
the states of a real search. But the processor's caches are warm here, so a real search takes at
least as long. The loops over the sample are compiled as well, because a call of a kernel from
Python would take longer than the kernel.
"""

from __future__ import annotations

import functools
from typing import NamedTuple

import numba
import numpy as np
import pytest
from conftest import Timed

from spider_solver.deal import ROW_CARDS, Deal
from spider_solver.game import Position
from spider_solver.kernels import apply, keys, layout, moves
from spider_solver.kernels.beam import (
    children,
    evaluation,
    levels,
    nodes,
    records,
    selection,
    tidying,
)
from spider_solver.kernels.beam.search import BeamSearch
from spider_solver.kernels.beam.settings import DEADLINES, NO_JOINS, Settings
from spider_solver.numbering import deal_from_number
from spider_solver.solver import solve

EACH_SUIT_MODE = pytest.mark.parametrize("suits", [1, 2, 4], ids="{}suit".format)
EACH_MOVE_SET = pytest.mark.parametrize(
    "move_set", [moves.WHOLE_RUNS, moves.NO_EQUIVALENTS], ids=["whole", "parts"]
)
MAX_BYTES = 2**40  # more than any search needs
WIDTH = 1000  # states that a selection keeps
CANDIDATES_PER_STATE = 5  # children considered for each state that is selected
GROUPS = 40  # groups among these children
compiled = numba.njit(nogil=True)


class Sample(NamedTuple):
    """States of one deal, and the memory in which kernels work."""

    states: np.ndarray  # STATE (n)
    column_data: np.ndarray  # COLUMN_DATA (n)
    nodes: np.ndarray  # NODE (n)
    problem: records.Problem
    scratch: np.void  # SCRATCH
    codes: np.ndarray  # int16 (MAX_CODES): move codes
    child: np.void  # STATE: where a child is made that is not kept
    child_data: np.void  # COLUMN_DATA of it


def make_sample(states: np.ndarray, root: np.void) -> Sample:
    """Return a sample of these states, with its nodes and column data computed.

    states: STATE (n). root: ROOT.
    """
    sample = Sample(
        states=states,
        column_data=np.zeros(len(states), records.COLUMN_DATA),
        nodes=np.zeros(len(states), records.NODE),
        problem=records.Problem(root, keys.make_numbers(), evaluation.Weights().record()),
        scratch=layout.new_record(records.SCRATCH),
        codes=np.zeros(moves.MAX_CODES, np.int16),
        child=layout.new_record(layout.STATE),
        child_data=layout.new_record(records.COLUMN_DATA),
    )
    evaluate_all(sample)
    set_all_column_data(sample)
    return sample


@functools.cache
def sample_with(suits: int) -> Sample:
    """Return the states of a solution of native:1, the win excluded, and their children."""
    deal = deal_from_number("native:1", suits)
    position, deals = Position(deal), [deal]
    for action in solve(deal).actions[:-1]:
        position.push(action)
        deals.append(position.to_deal())
    _, root = layout.pack(deal)
    packed = np.array([packed_state(later, deal) for later in deals], layout.STATE)
    parents = make_sample(packed, root)
    made = np.zeros(make_all(parents, parents.states[:0]), layout.STATE)
    make_all(parents, made)
    return make_sample(np.concatenate([parents.states, made]), root)


def packed_state(deal: Deal, first: Deal) -> np.void:
    """Return a position as a STATE of the search that starts from the position ``first``."""
    state, _ = layout.pack(deal)
    state["rows_dealt"] = (len(first.stock) - len(deal.stock)) // ROW_CARDS
    return state


# Loops over the sample


@compiled
def evaluate_all(sample):  # type: ignore[no-untyped-def]
    """Compute all nodes from scratch."""
    for i in range(len(sample.states)):
        nodes.evaluate_node(
            sample.problem, sample.states[i], sample.nodes[i], sample.scratch.prospects
        )


@compiled
def set_all_column_data(sample):  # type: ignore[no-untyped-def]
    """Compute all column data from scratch."""
    for i in range(len(sample.states)):
        nodes.set_column_data(sample.problem, sample.states[i], sample.column_data[i])


@compiled
def compute_all_keys(sample):  # type: ignore[no-untyped-def]
    """Compute the three keys of each state from scratch.

    Returns their sum, so that the compiler cannot leave anything out.
    """
    total = np.uint64(0)
    root, numbers = sample.problem.root, sample.problem.numbers
    for i in range(len(sample.states)):
        total += keys.state_key(numbers, sample.states[i], root)
        total += keys.class_key(numbers, sample.states[i], root)
        total += keys.group_key(numbers, sample.states[i])
    return total


@compiled
def generate_all(sample, move_set):  # type: ignore[no-untyped-def]
    """Generate the move codes of each state. Returns how many there are."""
    total = 0
    for i in range(len(sample.states)):
        layout.scan_columns(sample.states[i], sample.scratch.scan)
        total += moves.generate(sample.states[i], sample.scratch.scan, move_set, sample.codes)
    return total


@compiled
def expand_all(sample, move_set):  # type: ignore[no-untyped-def]
    """Evaluate the children by moves of each state. Returns how many there are."""
    total = 0
    for i in range(len(sample.states)):
        total += children.expand_moves(
            sample.problem,
            sample.states[i],
            sample.column_data[i],
            sample.nodes[i],
            move_set,
            sample.scratch,
        )
    return total


@compiled
def expand_rows(sample):  # type: ignore[no-untyped-def]
    """Evaluate the child by a row of each state that has one. Returns how many there are."""
    total = 0
    for i in range(len(sample.states)):
        state = sample.states[i]
        if layout.may_deal_row(state.rows_dealt, state.face_up, sample.problem.root):
            children.expand_row(
                sample.problem, state, sample.column_data[i], sample.nodes[i], sample.scratch
            )
            total += 1
    return total


@compiled
def make_all(sample, made):  # type: ignore[no-untyped-def]
    """Make the children by moves of each state. Returns how many there are.

    made: STATE; gets as many of the children as fit.
    """
    root, scan = sample.problem.root, sample.scratch.scan
    total = 0
    for i in range(len(sample.states)):
        state = sample.states[i]
        layout.scan_columns(state, scan)
        for index in range(moves.generate(state, scan, moves.NO_EQUIVALENTS, sample.codes)):
            code = np.int64(sample.codes[index])
            if total < len(made):
                apply.apply_action(state, scan, code, root, made[total])
            else:
                apply.apply_action(state, scan, code, root, sample.child)
            total += 1
    return total


@compiled
def tidy_all(sample):  # type: ignore[no-untyped-def]
    """Copy each state and tidy the copy. Returns how many joins were made."""
    total = 0
    for i in range(len(sample.states)):
        apply.copy_state(sample.states[i], sample.child)
        nodes.copy_column_data(sample.column_data[i], sample.child_data)
        total += tidying.tidy(sample.problem, sample.child, sample.child_data, sample.scratch)
    return total


@compiled
def select_among(nodes, table, pool, share, group_cap):  # type: ignore[no-untyped-def]
    """Consider all nodes as candidates and select among them. Returns how many are selected."""
    selection.begin_selection(pool, share, group_cap, False, NO_JOINS)
    for index in range(len(nodes)):
        selection.consider(nodes[index], index, table, pool)
    return selection.select(pool)


# The benchmarks


@EACH_SUIT_MODE
@EACH_MOVE_SET
def test_generate(suits: int, move_set: int, timed: Timed) -> None:
    """Per child: generating its move code."""
    sample = sample_with(suits)
    timed(generate_all(sample, move_set), lambda: generate_all(sample, move_set))


@EACH_SUIT_MODE
@EACH_MOVE_SET
def test_expand(suits: int, move_set: int, timed: Timed) -> None:
    """Per child by a move: generating its code and evaluating it without making it."""
    sample = sample_with(suits)
    timed(expand_all(sample, move_set), lambda: expand_all(sample, move_set))


@EACH_SUIT_MODE
def test_expand_row(suits: int, timed: Timed) -> None:
    """Per child by a row: evaluating it."""
    sample = sample_with(suits)
    timed(expand_rows(sample), lambda: expand_rows(sample))


@EACH_SUIT_MODE
def test_make(suits: int, timed: Timed) -> None:
    """Per child by a move: generating its code and making its state."""
    sample = sample_with(suits)
    none_kept = sample.states[:0]
    timed(make_all(sample, none_kept), lambda: make_all(sample, none_kept))


@EACH_SUIT_MODE
def test_keys_from_scratch(suits: int, timed: Timed) -> None:
    """Per state: its three keys from scratch. A search updates its parent's keys instead."""
    sample = sample_with(suits)
    timed(len(sample.states), lambda: compute_all_keys(sample))


@EACH_SUIT_MODE
def test_evaluate_node(suits: int, timed: Timed) -> None:
    """Per state: its score and its three keys from scratch."""
    sample = sample_with(suits)
    timed(len(sample.states), lambda: evaluate_all(sample))


@EACH_SUIT_MODE
def test_tidy(suits: int, timed: Timed) -> None:
    """Per state: copying it and tidying the copy."""
    sample = sample_with(suits)
    timed(len(sample.states), lambda: tidy_all(sample))


@pytest.mark.parametrize("distinct", [0.3, 1.0], ids="{}distinct".format)
def test_select(distinct: float, timed: Timed) -> None:
    """Per child: considering it, and its part of the time in which a fifth is selected.

    Scores and keys are random, and no state was kept before. distinct: the number of classes
    per child.
    """
    rng = np.random.default_rng(1)
    count = CANDIDATES_PER_STATE * WIDTH
    nodes = np.zeros(count, records.NODE)
    nodes["score"] = rng.normal(0, 60, count)
    nodes["key"] = rng.integers(1, 2**64, count, np.uint64)
    classes = rng.integers(1, 2**64, int(count * distinct), np.uint64)
    nodes["class_key"] = classes if distinct == 1 else rng.choice(classes, count)
    nodes["group"] = nodes["class_key"] % np.uint64(GROUPS)
    pool = records.make_beam(WIDTH, 1).pool
    table = np.zeros((1 << 16, 1), np.uint64)
    timed(count, lambda: select_among(nodes, table, pool, WIDTH, WIDTH // 3))


@pytest.mark.parametrize("width", [250, 8000])
def test_beam(width: int, timed: Timed) -> None:
    """Per child: everything that a search does in its first 30 levels."""
    deal = deal_from_number("native:1")

    def run() -> int:
        search = BeamSearch(deal, width, MAX_BYTES, Settings(deadlines=DEADLINES))
        while search.level < 30 and search.advance(0) == levels.RUNNING:
            pass
        return search.generated

    timed(run(), run)
