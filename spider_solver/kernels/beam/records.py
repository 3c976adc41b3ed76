"""The records and arrays of a beam search."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ...deal import COLUMNS, MAX_ROWS
from ..layout import SCAN, STATE, new_record
from ..moves import MAX_CODES
from .evaluation import PROSPECTS

BUCKETS = 4096  # of a selection; one bucket holds equal scores
LINE_SLOTS = 4096  # of the map of the known line
MAX_LINE = LINE_SLOTS // 2  # states of a known line that are looked for
MAX_JOINS = 7  # joins that tidying makes after one action
_CANDIDATES_PER_STATE = 6  # length of the array of candidates, per state of the width
_LEAST_CANDIDATES = 1024
_INT32, _INT64 = 4, 8  # bytes

# What the search knows of a state besides its cards.
NODE = np.dtype(
    [
        ("key", np.uint64),  # Zobrist key
        ("class_key", np.uint64),  # see keys.py
        ("group", np.uint64),  # key of the vector of face-down counts
        ("score", np.int32),
        ("parent", np.int32),  # in a level: index in the log; in a candidate: index in Beam.states
        ("code", np.int16),  # the action that led to the state
        ("completed", np.int8),  # completed runs
        ("joins", np.uint8),  # see bound.py; a completed run holds twelve
        ("next", np.int32),  # in a candidate: the next one of its bucket, or whether it is selected
    ],
    align=True,
)

# What the search knows of a state's columns besides their cards. The keys are those before mixing.
# The lengths are those of the run and of the sequence at the column's end, 0 if it is empty.
COLUMN_DATA = np.dtype(
    [
        ("unmixed", np.uint64, COLUMNS),
        ("run_length", np.uint8, COLUMNS),
        ("sequence_length", np.uint8, COLUMNS),
    ],
    align=True,
)

# An entry of the log of all states, also of those between tidying moves: how it was reached.
LOG = np.dtype([("parent", np.int32), ("code", np.int16)])

# A slot of an open-addressing map from keys to numbers. It is in use if it has the map's stamp,
# so raising the stamp empties the map.
SLOT = np.dtype([("key", np.uint64), ("value", np.int32), ("stamp", np.int32)], align=True)

# Counters of the whole search.
COUNTERS = np.dtype(
    [
        ("level", np.int64),  # steps from the root; tidying moves are not counted
        ("kept", np.int64),  # states kept
        ("logged", np.int64),  # entries of the log
        ("side", np.int64),  # which half of the level arrays holds the present level, 0 or 1
        ("most_completed", np.int64),  # the most completed runs of a child so far
        ("generated", np.int64),  # children evaluated
        ("win_parent", np.int64),  # index in the log of the state before the win
        ("win_code", np.int64),  # the action that wins
        # The child on the known line that saves the most actions; all zero without such a child.
        ("hit_saves", np.int64),  # actions saved
        ("hit_place", np.int64),  # actions of the line before the child
        ("hit_parent", np.int64),  # index in the log of the child's parent
        ("hit_code", np.int64),  # the action that leads to the child
    ]
)

# Where in a level the search goes on after a pause. All zero between two levels.
RESUME = np.dtype(
    [
        ("stage", np.int64),  # the stage whose next states are being chosen
        ("phase", np.int64),  # of that stage: STARTING, MOVES or ROWS
        ("state", np.int64),  # states of the source stage already expanded in this phase
        ("kept_in_level", np.int64),  # states kept for the next level
    ]
)
STARTING, MOVES, ROWS = range(3)

# The selection of one stage's states.
SELECTION = np.dtype(
    [
        ("stamp", np.int64),  # of the maps by class and by group
        ("floor", np.int64),  # only scores above it can be selected
        ("count", np.int64),  # candidates
        ("share", np.int64),  # how many states to select
        ("group_cap", np.int64),  # how many of them may have the same face-down counts
        ("complete", np.int64),  # 1 if each state is a class of its own, else 0
        ("least_joins", np.int64),  # of a candidate
        ("dropped", np.int64),  # candidates dropped in the whole search
    ]
)

# Settings that stay the same during a search.
SETTINGS = np.dtype(
    [
        ("width", np.int64),  # states a level, shared by the stages
        ("group_part", np.float64),  # part of a share for states with the same face-down counts
        ("deadlines", np.int64, MAX_ROWS + 1),  # by rows left: the level that ends a stage
        # One of the constants in moves.py. After the last row ALL_MOVES means NO_EQUIVALENTS.
        ("move_set", np.int64),
        ("tidies", np.int64),  # 1 if joins after an action are free (tidying.py), else 0
        ("complete", np.int64),  # 1 if each state is a class of its own, else 0
        ("has_line", np.int64),  # 1 if ``line_slots`` holds a line to look for, else 0
        # By rows left: a state after n actions is kept if it has at least n joins more than this.
        ("joins_needed", np.int64, MAX_ROWS + 1),
    ]
)

# Memory that kernels work in. It holds nothing between two calls from Python.
SCRATCH = np.dtype(
    [
        ("scan", SCAN),  # of the state that is being expanded
        ("prospects", PROSPECTS),  # of that state, or of one that is evaluated from scratch
        ("child_prospects", PROSPECTS),  # of a child, where those of its parent are still needed
        ("mixed_keys", np.uint64, COLUMNS),  # the column keys of the expanded state, mixed
        ("base_score", np.int64),  # its score without reach and join
        ("next_row", np.int64),  # evaluation.next_row_index of it
        ("state", STATE),  # a child that is made to be evaluated
        ("children", NODE, MAX_CODES),  # what expand writes
        ("joins", np.int64, MAX_JOINS),  # codes of the moves that tidied a state
    ],
    align=True,
)


class Problem(NamedTuple):
    """What decides the scores and keys of states; kernels only read it."""

    root: np.void  # layout.ROOT
    numbers: np.void  # keys.numbers_dtype(1)
    weights: np.void  # evaluation.WEIGHTS


class Pool(NamedTuple):
    """The candidates of one stage, and what selecting among them needs."""

    candidates: np.ndarray  # NODE
    class_slots: np.ndarray  # SLOT: class key -> index in candidates
    group_slots: np.ndarray  # SLOT: group -> number of states selected
    bucket_heads: np.ndarray  # int32 (BUCKETS): first candidate of each score, or -1
    chosen: np.ndarray  # int32 (width): indices of the selected candidates
    selection: np.void  # SELECTION


class Beam(NamedTuple):
    """All that a search holds except its transposition table and its log; modified in place.

    The level arrays have two halves of ``size`` states. One half holds the present level, the
    other the next one; they swap after each level. Each stage's states lie side by side.
    """

    states: np.ndarray  # STATE (2 * size)
    column_data: np.ndarray  # COLUMN_DATA (2 * size)
    nodes: np.ndarray  # NODE (2 * size)
    firsts: np.ndarray  # int64 (2 * stages): index of each stage's first state
    counts: np.ndarray  # int64 (2 * stages): number of each stage's states
    pool: Pool
    counters: np.void  # COUNTERS
    resume: np.void  # RESUME
    scratch: np.void  # SCRATCH
    line_slots: np.ndarray  # SLOT: key of a state on the known line -> its place on the line


def make_beam(width: int, stages: int) -> Beam:
    """The arrays of a search with ``width`` states a level."""
    size = _level_size(width, stages)
    return Beam(
        states=np.zeros(2 * size, STATE),
        column_data=np.zeros(2 * size, COLUMN_DATA),
        nodes=np.zeros(2 * size, NODE),
        firsts=np.zeros(2 * stages, np.int64),
        counts=np.zeros(2 * stages, np.int64),
        pool=make_pool(width, _candidates(width)),
        counters=new_record(COUNTERS),
        resume=new_record(RESUME),
        scratch=new_record(SCRATCH),
        line_slots=np.zeros(LINE_SLOTS, SLOT),
    )


def make_pool(width: int, candidates: int) -> Pool:
    """An empty pool for ``candidates`` candidates, to select up to ``width`` of them."""
    return Pool(
        candidates=np.zeros(candidates, NODE),
        class_slots=np.zeros(_power_of_two(2 * candidates), SLOT),
        group_slots=np.zeros(_power_of_two(2 * width + 2), SLOT),
        bucket_heads=np.zeros(BUCKETS, np.int32),
        chosen=np.zeros(width, np.int32),
        selection=new_record(SELECTION),
    )


def beam_bytes(width: int, stages: int) -> int:
    """How many bytes ``make_beam`` allocates."""
    per_state = STATE.itemsize + COLUMN_DATA.itemsize + NODE.itemsize
    levels = 2 * _level_size(width, stages) * per_state + 2 * 2 * stages * _INT64
    slots = _power_of_two(2 * _candidates(width)) + _power_of_two(2 * width + 2)
    pool = _candidates(width) * NODE.itemsize + slots * SLOT.itemsize + (BUCKETS + width) * _INT32
    records = sum(dtype.itemsize for dtype in (SELECTION, COUNTERS, RESUME, SCRATCH))
    return levels + pool + records + LINE_SLOTS * SLOT.itemsize


def memory_of(beam: Beam) -> int:
    """The bytes that a beam's arrays and records hold."""
    arrays = (beam.states, beam.column_data, beam.nodes, beam.firsts, beam.counts, beam.line_slots)
    records = (beam.counters, beam.resume, beam.scratch)
    return sum(part.nbytes for part in (*arrays, *records, *beam.pool))


def _level_size(width: int, stages: int) -> int:
    """How many states a level may have: at least one for each stage, and two to play a line."""
    return max(width, stages, 2)


def _candidates(width: int) -> int:
    return max(_CANDIDATES_PER_STATE * width, _LEAST_CANDIDATES)


def _power_of_two(least: int) -> int:
    return 1 << max(least - 1, 1).bit_length()
