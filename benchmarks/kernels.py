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

from spider_solver.deal import COLUMNS, ROW_CARDS, Deal
from spider_solver.game import Position
from spider_solver.kernels import beam, children, evaluate, layout, moves, selection, tidy, zobrist
from spider_solver.kernels.search import BeamSearch
from spider_solver.numbering import deal_from_number
from spider_solver.solver import solve

MODES = pytest.mark.parametrize("suits", [1, 2, 4], ids="{}suit".format)
REDUCED = pytest.mark.parametrize(
    "reduced", [moves.WHOLE_RUNS, moves.NO_TWINS], ids=["whole", "parts"]
)
MOST = 2**40  # bytes
WIDTH = 1000  # of selections
PER_SHARE = 5  # candidates for each that is selected
compiled = numba.njit(nogil=True)


class States(NamedTuple):
    """States of one deal, and the room that kernels work in.

    states uint8 (n, 128); plain uint64 (n, 10), nodes children.NODE (n): columns' keys and
    what else is known of each; root, keys, weights: as kernels take them. work, columns,
    scratch, kids: as in children.expand. outs uint8 (1, 128).
    """

    states: np.ndarray
    plain: np.ndarray
    nodes: np.ndarray
    root: layout.Root
    keys: np.ndarray
    weights: np.ndarray
    work: np.ndarray
    columns: np.ndarray
    scratch: np.ndarray
    kids: np.ndarray
    outs: np.ndarray


def room(states: np.ndarray, root: layout.Root) -> States:
    """States with their nodes worked out."""
    found = States(
        states,
        np.zeros((len(states), COLUMNS), np.uint64),
        children.make_nodes(len(states)),
        root,
        zobrist.make_keys(),
        evaluate.Weights().array(),
        np.zeros(layout.WORK, np.int64),
        np.zeros(2 * children.SCRATCH, np.uint64),
        np.zeros((1, layout.STATE_BYTES), np.uint8),
        children.make_children(),
        np.zeros((1, layout.STATE_BYTES), np.uint8),
    )
    work_out_all(found)
    column_keys_of_all(found)
    return found


@functools.cache
def sample(suits: int) -> States:
    """The states of a solution of native:1, and their children."""
    deal = deal_from_number("native:1", suits)
    position, deals = Position(deal), [deal]
    for action in solve(deal).actions[:-1]:
        position.push(action)
        deals.append(position.to_deal())
    _, root = layout.pack(deal)
    line = room(np.array([_packed(one, deal) for one in deals]), root)
    more = np.zeros((make_all(line, line.states[:0]), layout.STATE_BYTES), np.uint8)
    make_all(line, more)
    return room(np.concatenate([line.states, more]), root)


def _packed(deal: Deal, start: Deal) -> np.ndarray:
    """A position as a state of the search that began at another."""
    state, _ = layout.pack(deal)
    state[layout.STAGE] = (len(start.stock) - len(deal.stock)) // ROW_CARDS
    return state


# Loops over the sample


@compiled
def work_out_all(s):  # type: ignore[no-untyped-def]
    """Scores and keys from scratch."""
    _, stock, fixed = s.root
    for at in range(len(s.states)):
        children.work_out(s.nodes[at], s.states, at, stock, fixed, s.keys, s.weights, s.columns)


@compiled
def column_keys_of_all(s):  # type: ignore[no-untyped-def]
    """The keys of each state's columns."""
    for at in range(len(s.states)):
        last = s.states[at, layout.STAGE] == s.root.fixed[layout.ROWS]
        children.column_keys(s.states, s.plain, at, last, s.keys)


@compiled
def keys_of_all(s):  # type: ignore[no-untyped-def]
    """The three keys from scratch; their sum, so that nothing is left out."""
    total = np.uint64(0)
    rows = s.root.fixed[layout.ROWS]
    for at in range(len(s.states)):
        total += zobrist.state_key(s.keys, s.states, at, rows)
        total += zobrist.class_key(s.keys, s.states, at, rows)
        total += zobrist.group_key(s.keys, s.states, at)
    return total


@compiled
def generate_all(s, reduced):  # type: ignore[no-untyped-def]
    """The codes of moves; how many."""
    total = 0
    for at in range(len(s.states)):
        layout.scan(s.states, at, s.work)
        total += moves.generate(s.states, at, s.work, reduced, s.kids)
    return total


@compiled
def expand_all(s, reduced):  # type: ignore[no-untyped-def]
    """Children by moves: score, keys and class of each; how many."""
    hidden, stock, fixed = s.root
    total = 0
    for at in range(len(s.states)):
        total += children.expand(
            s.states,
            s.plain,
            at,
            s.nodes[at],
            reduced,
            hidden,
            stock,
            fixed,
            s.keys,
            s.weights,
            s.work,
            s.columns,
            s.scratch,
            s.kids,
        )
    return total


@compiled
def expand_rows(s):  # type: ignore[no-untyped-def]
    """Children by rows; how many."""
    hidden, stock, fixed = s.root
    total = 0
    for at in range(len(s.states)):
        if moves.can_deal(s.states, at, fixed):
            children.expand_row(
                s.states,
                s.plain,
                at,
                s.nodes[at],
                hidden,
                stock,
                fixed,
                s.keys,
                s.weights,
                s.work,
                s.columns,
                s.scratch,
                s.kids,
            )
            total += 1
    return total


@compiled
def make_all(s, outs):  # type: ignore[no-untyped-def]
    """Build all children by moves, as many as there is room for into ``outs``; how many."""
    hidden, stock, _ = s.root
    total = 0
    for at in range(len(s.states)):
        layout.scan(s.states, at, s.work)
        for index in range(moves.generate(s.states, at, s.work, moves.NO_TWINS, s.kids)):
            code = np.int64(s.kids[index].code)
            if total < len(outs):
                moves.make(s.states, at, s.work, code, hidden, stock, outs, total)
            else:
                moves.make(s.states, at, s.work, code, hidden, stock, s.outs, 0)
            total += 1
    return total


@compiled
def tidy_all(s, states, joins):  # type: ignore[no-untyped-def]
    """Tidy a copy of each state; how many joins were made."""
    hidden, stock, _ = s.root
    total = 0
    for at in range(len(s.states)):
        for i in range(layout.STATE_BYTES):
            states[0, i] = s.states[at, i]
        total += tidy.tidy(states, 0, hidden, stock, s.work, s.scratch, joins)
    return total


@compiled
def consider_all(kids, slots, parts, share, cap):  # type: ignore[no-untyped-def]
    """Take children as candidates and select among them; how many are selected."""
    candidates, by_class, tally, heads, chosen, now = parts
    now[selection.STAMP] += 1
    now[selection.COUNT] = 0
    now[selection.FLOOR] = selection.NO_FLOOR
    stamp = now[selection.STAMP]
    for index in range(len(kids)):
        stamp = selection.consider(
            kids[index],
            index,
            slots,
            candidates,
            by_class,
            tally,
            heads,
            chosen,
            now,
            share,
            cap,
            stamp,
        )
    return selection.select(candidates, tally, heads, chosen, now, share, cap)


# What is timed


@MODES
@REDUCED
def test_generate(suits: int, reduced: int, timed: Timed) -> None:
    """Codes of moves alone."""
    s = sample(suits)
    timed(generate_all(s, reduced), lambda: generate_all(s, reduced))


@MODES
@REDUCED
def test_expand(suits: int, reduced: int, timed: Timed) -> None:
    """A child by a move as the search knows it: code, score, keys, class."""
    s = sample(suits)
    timed(expand_all(s, reduced), lambda: expand_all(s, reduced))


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
def test_work_out(suits: int, timed: Timed) -> None:
    """Score and keys of a state from scratch."""
    s = sample(suits)
    timed(len(s.states), lambda: work_out_all(s))


@MODES
def test_tidy(suits: int, timed: Timed) -> None:
    """Copying a state and tidying it."""
    s = sample(suits)
    states = np.zeros((1, layout.STATE_BYTES), np.uint8)
    joins = np.zeros(tidy.MOST, np.int64)
    timed(len(s.states), lambda: tidy_all(s, states, joins))


@pytest.mark.parametrize("distinct", [0.3, 1.0], ids="{}distinct".format)
def test_select(distinct: float, timed: Timed) -> None:
    """A child considered, then a fifth selected; distinct: the part that has its own class.

    Scores and keys are as chance has them, and nothing was kept before.
    """
    chance = np.random.default_rng(1)
    count = PER_SHARE * WIDTH
    kids = children.make_nodes(count)
    kids["score"] = chance.normal(0, 60, count)
    kids["key"] = chance.integers(1, 2**64, count, np.uint64)
    classes = chance.integers(1, 2**64, int(count * distinct), np.uint64)
    kids["klass"] = classes if distinct == 1 else chance.choice(classes, count)
    kids["group"] = kids["klass"] % np.uint64(40)
    room_ = beam.make_beam(WIDTH, 1)
    parts = (room_.candidates, room_.by_class, room_.tally, room_.heads, room_.chosen, room_.now)
    slots = np.zeros(1 << 16, np.uint64)
    timed(count, lambda: consider_all(kids, slots, parts, WIDTH, WIDTH // 3))


@pytest.mark.parametrize("width", [250, 8000])
def test_beam(width: int, timed: Timed) -> None:
    """A child in 30 levels of a whole search, selection and building of the survivors in it."""
    deal = deal_from_number("native:1")

    def run() -> Any:
        search = BeamSearch(deal, width, MOST, evaluate.Weights())
        while search.level < 30 and search.advance(0) == beam.RUNNING:
            pass
        return search.generated

    timed(run(), run)
