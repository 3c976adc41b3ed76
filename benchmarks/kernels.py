"""Nanoseconds a child, for each thing that the search does to one.

    pytest benchmarks/kernels.py
    pytest benchmarks/kernels.py --benchmark-json kernels.json

The states are those of a solution and all of their children, so what is measured is what a
search meets, but in a cache that is warm: it bounds from below what a search can take. The
loops over states are compiled too; a call from Python would take longer than what it calls.
"""

from __future__ import annotations

import functools
from typing import Any, NamedTuple

import numba
import numpy as np
import pytest
from conftest import Timed

from spider_solver.deal import ROW_CARDS, Deal
from spider_solver.game import Position
from spider_solver.kernels import apply, keys, layout, moves
from spider_solver.kernels.beam import children, evaluation, levels, records, selection, tidying
from spider_solver.kernels.beam.search import BeamSearch
from spider_solver.numbering import deal_from_number
from spider_solver.solver import solve

MODES = pytest.mark.parametrize("suits", [1, 2, 4], ids="{}suit".format)
MOVE_SETS = pytest.mark.parametrize(
    "move_set", [moves.WHOLE_RUNS, moves.NO_EQUIVALENTS], ids=["whole", "parts"]
)
MAX_BYTES = 2**40
WIDTH = 1000  # of selections
CANDIDATES_PER_STATE = 5  # candidates for each that is selected
compiled = numba.njit(nogil=True)


class Sample(NamedTuple):
    """States of one deal, and the memory that kernels work in."""

    states: np.ndarray  # STATE (n)
    column_keys: np.ndarray  # COLUMN_KEYS (n)
    nodes: np.ndarray  # NODE (n)
    problem: records.Problem
    scratch: np.void  # SCRATCH
    codes: np.ndarray  # int16 (MAX_CODES)
    made: np.void  # STATE: a child that is made and not kept


def make_sample(states: np.ndarray, root: np.void) -> Sample:
    """A sample with its nodes and column keys computed."""
    problem = records.Problem(root, keys.make_keys(), evaluation.Weights().record())
    sample = Sample(
        states,
        np.zeros(len(states), records.COLUMN_KEYS),
        np.zeros(len(states), records.NODE),
        problem,
        layout.new_record(records.SCRATCH),
        np.zeros(moves.MAX_CODES, np.int16),
        layout.new_record(layout.STATE),
    )
    evaluate_all(sample)
    set_all_column_keys(sample)
    return sample


@functools.cache
def sample(suits: int) -> Sample:
    """The states of a solution of native:1, and their children."""
    deal = deal_from_number("native:1", suits)
    position, deals = Position(deal), [deal]
    for action in solve(deal).actions[:-1]:
        position.push(action)
        deals.append(position.to_deal())
    _, root = layout.pack(deal)
    line = make_sample(np.array([_packed(one, deal) for one in deals], layout.STATE), root)
    more = np.zeros(make_all(line, line.states[:0]), layout.STATE)
    make_all(line, more)
    return make_sample(np.concatenate([line.states, more]), root)


def _packed(deal: Deal, first: Deal) -> np.void:
    """A position as a state of the search that began at another."""
    state, _ = layout.pack(deal)
    state["rows_dealt"] = (len(first.stock) - len(deal.stock)) // ROW_CARDS
    return state


# Loops over the sample


@compiled
def evaluate_all(s):  # type: ignore[no-untyped-def]
    """Scores and keys from scratch."""
    for i in range(len(s.states)):
        children.evaluate_node(s.problem, s.states[i], s.nodes[i], s.scratch.prospects)


@compiled
def set_all_column_keys(s):  # type: ignore[no-untyped-def]
    """The keys of each state's columns."""
    for i in range(len(s.states)):
        children.set_column_keys(s.problem, s.states[i], s.column_keys[i])


@compiled
def keys_of_all(s):  # type: ignore[no-untyped-def]
    """The three keys from scratch; their sum, so that nothing is optimised away."""
    total = np.uint64(0)
    root, numbers = s.problem.root, s.problem.keys
    for i in range(len(s.states)):
        total += keys.state_key(numbers, s.states[i], root)
        total += keys.class_key(numbers, s.states[i], root)
        total += keys.group_key(numbers, s.states[i])
    return total


@compiled
def generate_all(s, move_set):  # type: ignore[no-untyped-def]
    """The codes of moves; how many."""
    total = 0
    for i in range(len(s.states)):
        layout.scan_columns(s.states[i], s.scratch.scan)
        total += moves.generate(s.states[i], s.scratch.scan, move_set, s.codes)
    return total


@compiled
def expand_all(s, move_set):  # type: ignore[no-untyped-def]
    """Children by moves: score and keys of each; how many."""
    total = 0
    for i in range(len(s.states)):
        total += children.expand_moves(
            s.problem, s.states[i], s.column_keys[i], s.nodes[i], move_set, s.scratch
        )
    return total


@compiled
def expand_rows(s):  # type: ignore[no-untyped-def]
    """Children by rows; how many."""
    total = 0
    for i in range(len(s.states)):
        state = s.states[i]
        if layout.may_deal_row(state.rows_dealt, state.face_up, s.problem.root):
            children.expand_row(s.problem, state, s.column_keys[i], s.nodes[i], s.scratch)
            total += 1
    return total


@compiled
def make_all(s, made):  # type: ignore[no-untyped-def]
    """Make all children by moves, as many as fit into ``made``; how many."""
    root, scan = s.problem.root, s.scratch.scan
    total = 0
    for i in range(len(s.states)):
        state = s.states[i]
        layout.scan_columns(state, scan)
        for index in range(moves.generate(state, scan, moves.NO_EQUIVALENTS, s.codes)):
            code = np.int64(s.codes[index])
            if total < len(made):
                apply.apply_action(state, scan, code, root, made[total])
            else:
                apply.apply_action(state, scan, code, root, s.made)
            total += 1
    return total


@compiled
def tidy_all(s, state):  # type: ignore[no-untyped-def]
    """Tidy a copy of each state; how many joins were made."""
    total = 0
    for i in range(len(s.states)):
        apply.copy_state(s.states[i], state)
        total += tidying.tidy(state, s.problem.root, s.scratch)
    return total


@compiled
def consider_all(nodes, table, pool, share, group_cap):  # type: ignore[no-untyped-def]
    """Add children to the candidates and select among them; how many are selected."""
    selection.begin_selection(pool, share, group_cap)
    for index in range(len(nodes)):
        selection.consider(nodes[index], index, table, pool)
    return selection.select(pool)


# What is timed


@MODES
@MOVE_SETS
def test_generate(suits: int, move_set: int, timed: Timed) -> None:
    """Codes of moves alone."""
    s = sample(suits)
    timed(generate_all(s, move_set), lambda: generate_all(s, move_set))


@MODES
@MOVE_SETS
def test_expand(suits: int, move_set: int, timed: Timed) -> None:
    """A child by a move as the search knows it: code, score, keys, class."""
    s = sample(suits)
    timed(expand_all(s, move_set), lambda: expand_all(s, move_set))


@MODES
def test_expand_row(suits: int, timed: Timed) -> None:
    """A child by a row."""
    s = sample(suits)
    timed(expand_rows(s), lambda: expand_rows(s))


@MODES
def test_make(suits: int, timed: Timed) -> None:
    """Building a child's state; generating its code is in it."""
    s = sample(suits)
    nowhere = s.states[:0]
    timed(make_all(s, nowhere), lambda: make_all(s, nowhere))


@MODES
def test_keys_from_scratch(suits: int, timed: Timed) -> None:
    """The three keys of a state, which children get from their parent's."""
    s = sample(suits)
    timed(len(s.states), lambda: keys_of_all(s))


@MODES
def test_evaluate_node(suits: int, timed: Timed) -> None:
    """Score and keys of a state from scratch."""
    s = sample(suits)
    timed(len(s.states), lambda: evaluate_all(s))


@MODES
def test_tidy(suits: int, timed: Timed) -> None:
    """Copying a state and tidying it."""
    s = sample(suits)
    timed(len(s.states), lambda: tidy_all(s, s.made))


@pytest.mark.parametrize("distinct", [0.3, 1.0], ids="{}distinct".format)
def test_select(distinct: float, timed: Timed) -> None:
    """A child considered, then a fifth selected; distinct: the part that has its own class.

    Scores and keys are random, and nothing was kept before.
    """
    chance = np.random.default_rng(1)
    count = CANDIDATES_PER_STATE * WIDTH
    nodes = np.zeros(count, records.NODE)
    nodes["score"] = chance.normal(0, 60, count)
    nodes["key"] = chance.integers(1, 2**64, count, np.uint64)
    classes = chance.integers(1, 2**64, int(count * distinct), np.uint64)
    nodes["class_key"] = classes if distinct == 1 else chance.choice(classes, count)
    nodes["group"] = nodes["class_key"] % np.uint64(40)
    pool = records.make_beam(WIDTH, 1).pool
    table = np.zeros((1 << 16, 1), np.uint64)
    timed(count, lambda: consider_all(nodes, table, pool, WIDTH, WIDTH // 3))


@pytest.mark.parametrize("width", [250, 8000])
def test_beam(width: int, timed: Timed) -> None:
    """A child in 30 levels of a whole search, with selection and making the kept states."""
    deal = deal_from_number("native:1")

    def run() -> Any:
        search = BeamSearch(deal, width, MAX_BYTES, evaluation.Weights())
        while search.level < 30 and search.advance(0) == levels.RUNNING:
            pass
        return search.generated

    timed(run(), run)
