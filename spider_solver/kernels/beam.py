"""Beam search: one beam for each number of rows dealt (stage), level by level.

A level holds the best states found so far by so many steps, at most ``share`` for each stage. A
step is an action and, after one that can't be taken back, the moves that tidy up (tidy.py). A
stage's candidates for the next level are the children by moves of its own states and by rows
of the stage before. Kept are the best by score, with two caps that keep the beam diverse:
one state for each irreversibility class (zobrist.py), and a bounded part of the share for
each vector of face-down counts; selection.py chooses. No state enters the beam twice: all kept
keys are in one transposition table. A stage is given up from a level on by which no search
that won was still in it.

Nothing depends on time or memory addresses: ties go to the candidate that came first. All is
in arrays, so ``advance`` can pause anywhere between two states and go on.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..deal import COLUMNS, SETS
from .children import (
    NODE,
    SCRATCH,
    column_keys,
    expand,
    expand_row,
    follow,
    make_children,
    make_nodes,
    retouch,
)
from .layout import ROWS, STAGE, STATE_BYTES, WORK, scan
from .loading import kernel
from .moves import ROW_CODE, can_deal, make
from .selection import (
    BUCKETS,
    COUNT,
    FLOOR,
    LEAST_ROOM,
    NO_FLOOR,
    ROOM,
    SLOT,
    STAMP,
    consider,
    select,
)
from .table import insert
from .tidy import MOST, tidy

# advance's answers
RUNNING, WON, EMPTY, NEEDS_TABLE, NEEDS_LOG, PAUSED = range(6)

# places in Beam.now: counters of the search, then of the stage in work
LEVEL, KEPT, PLACES, SIDE, BEST_RUNS, GENERATED, WIN_PARENT, WIN_CODE = range(8)
# (8 to 10 are selection.py's) ... then where in a level a pause came: the stage, what is done
# of it (its states' moves, then the rows onto it), the next state, states kept for the next
# level.
AT_STAGE, AT_PASS, AT_STATE, KEPT_HERE, NOW = range(11, 16)

LOG = np.dtype([("parent", np.int32), ("code", np.int16)])


class Beam(NamedTuple):
    """All that a search holds but its table and log; modified in place.

    states uint8 (2 * width, 128), plain uint64 (the same length, 10): columns' keys, and
    nodes NODE (the same length): this level and the next, in turn; firsts, counts int64
    (2 * stages): where each stage's begin, how many there are. A node's ``parent`` is its
    place in the log.
    candidates NODE: of the stage in work; ``parent`` is a row of states. by_class, tally SLOT:
    class to candidate, group to number kept. heads int32 (BUCKETS), chosen int32 (share):
    selection. now int64 (NOW). work, columns, scratch, kids: as in children.expand. joins
    int64: of tidying.
    """

    states: np.ndarray
    plain: np.ndarray
    nodes: np.ndarray
    firsts: np.ndarray
    counts: np.ndarray
    candidates: np.ndarray
    by_class: np.ndarray
    tally: np.ndarray
    heads: np.ndarray
    chosen: np.ndarray
    now: np.ndarray
    work: np.ndarray
    columns: np.ndarray
    scratch: np.ndarray
    kids: np.ndarray
    joins: np.ndarray


def _power_of_two(least: int) -> int:
    return 1 << max(least - 1, 1).bit_length()


def _room(width: int) -> int:
    return max(ROOM * width, LEAST_ROOM)


def beam_bytes(width: int, stages: int) -> int:
    """About what make_beam allocates."""
    node = NODE.itemsize
    level = 2 * max(width, stages) * (STATE_BYTES + 8 * COLUMNS + node)
    index = SLOT.itemsize * (_power_of_two(2 * _room(width)) + _power_of_two(2 * width + 2))
    return level + _room(width) * node + index


def make_beam(width: int, stages: int) -> Beam:
    """Room for a search with ``width`` states a level."""
    size = 2 * max(width, stages)
    share = width
    room = _room(width)
    return Beam(
        np.zeros((size, STATE_BYTES), np.uint8),
        np.zeros((size, COLUMNS), np.uint64),
        make_nodes(size),
        np.zeros(2 * stages, np.int64),
        np.zeros(2 * stages, np.int64),
        make_nodes(room),
        np.zeros(_power_of_two(2 * room), SLOT),
        np.zeros(_power_of_two(2 * share + 2), SLOT),
        np.zeros(BUCKETS, np.int32),
        np.zeros(share, np.int32),
        np.zeros(NOW, np.int64),
        np.zeros(WORK, np.int64),
        np.zeros(2 * SCRATCH, np.uint64),
        np.zeros((1, STATE_BYTES), np.uint8),
        make_children(),
        np.zeros(MOST, np.int64),
    )


@kernel
def gather(beam, slots, origin, by_row, reduced, share, cap, pause, root, keys, weights):
    """Take the children of a stage's states as candidates, from now[AT_STATE] on.

    origin: the stage, in ``firsts`` and ``counts``. by_row: the children by rows, not moves.
    reduced: as in moves.generate. pause: how many children may have been generated. Returns
    RUNNING when all are done; WON; PAUSED: call again.
    """
    states, plain, nodes, firsts, counts, candidates, by_class, tally, heads, chosen, now = beam[
        :11
    ]
    work, columns, scratch, kids, _ = beam[11:]
    hidden, stock, fixed = root
    stamp = now[STAMP]
    for at in range(firsts[origin] + now[AT_STATE], firsts[origin] + counts[origin]):
        if now[GENERATED] >= pause:
            now[AT_STATE] = at - firsts[origin]
            return PAUSED
        node = nodes[at]
        if not by_row:
            count = expand(
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
            )
        elif can_deal(states, at, fixed):
            expand_row(
                states,
                plain,
                at,
                node,
                hidden,
                stock,
                fixed,
                keys,
                weights,
                work,
                columns,
                scratch,
                kids,
            )
            count = 1
        else:
            count = 0
        now[GENERATED] += count
        for index in range(count):
            kid = kids[index]
            if kid.runs > now[BEST_RUNS]:
                now[BEST_RUNS] = kid.runs
                if kid.runs == SETS:
                    now[WIN_PARENT] = node.parent
                    now[WIN_CODE] = kid.code
                    return WON
            stamp = consider(
                kid,
                at,
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
    now[AT_STATE] = 0
    return RUNNING


@kernel
def build(beam, slots, log, kept, first, root, keys, weights):
    """Make the chosen states from row ``first`` on, tidied, and note them in table and log.

    Returns how many: a state that tidying makes equal to one kept before is left out.
    """
    states, plain, nodes, _, _, candidates, _, _, _, chosen, now = beam[:11]
    work, columns, scratch, _, joins = beam[11:]
    hidden, stock, fixed = root
    to = first
    for i in range(kept):
        candidate = candidates[chosen[i]]
        at = np.int64(candidate.parent)
        scan(states, at, work)
        code = np.int64(candidate.code)
        completed = make(states, at, work, code, hidden, stock, states, to)
        nodes[to] = candidate
        count = 0
        if candidate.klass != nodes[at].klass:
            count = tidy(states, to, hidden, stock, work, scratch, joins)
        last = states[to, STAGE] == fixed[ROWS]
        if count or completed or code == ROW_CODE:
            column_keys(states, plain, to, last, keys)
        else:
            follow(states, plain, at, to, code, last, keys)
        if count:
            retouch(nodes[to], states, plain, to, stock, fixed, weights, columns)
        if not insert(slots, nodes[to].key):
            continue
        place = now[PLACES]
        log[place].parent = nodes[at].parent
        log[place].code = candidate.code
        for join in range(count):
            log[place + join + 1].parent = place + join
            log[place + join + 1].code = joins[join]
        nodes[to].parent = place + count
        now[PLACES] = place + count + 1
        to += 1
    now[KEPT] += to - first
    return to - first


@kernel
def advance(
    beam, slots, log, width, cap_part, deadlines, reduced, budget, patience, root, keys, weights
):
    """Search level after level until ``budget`` more states are kept, or there is news.

    deadlines: int64, by rows left: the level from which on a stage is given up. reduced: as
    in moves.generate. Returns RUNNING; WON (see now[WIN_PARENT], now[WIN_CODE]); EMPTY;
    NEEDS_TABLE or NEEDS_LOG when a level might not fit: call again with larger ones; PAUSED
    in mid-level, after some ``patience`` children: call again. Where it pauses changes nothing.
    """
    now = beam.now
    firsts, counts = beam.firsts, beam.counts
    stages = len(counts) // 2
    size = len(beam.nodes) // 2
    goal = now[KEPT] + budget
    pause = now[GENERATED] + patience
    while True:
        if now[AT_STAGE] == 0 and now[AT_PASS] == 0:  # a level begins
            if now[PLACES] + (MOST + 1) * size > len(log):
                return NEEDS_LOG
            if 3 * (now[KEPT] + size) > 2 * len(slots):
                return NEEDS_TABLE
        here, there = now[SIDE] * stages, (1 - now[SIDE]) * stages
        active = 0
        for stage in range(stages):
            if now[LEVEL] >= deadlines[stages - 1 - stage]:
                counts[here + stage] = 0
            if counts[here + stage] or (stage and counts[here + stage - 1]):
                active += 1
        if active == 0:
            return EMPTY
        share = max(width // active, 1)
        cap = max(np.int64(share * cap_part), 1)
        for stage in range(now[AT_STAGE], stages):
            now[AT_STAGE] = stage
            if now[AT_PASS] == 0:
                now[STAMP] += 1
                now[COUNT] = 0
                now[FLOOR] = NO_FLOOR
                now[AT_PASS] = 1
            while now[AT_PASS] <= 2:
                by_row = now[AT_PASS] == 2
                if not by_row or stage > 0:
                    origin = here + stage - by_row
                    answer = gather(
                        beam,
                        slots,
                        origin,
                        by_row,
                        reduced,
                        share,
                        cap,
                        pause,
                        root,
                        keys,
                        weights,
                    )
                    if answer != RUNNING:
                        return answer
                now[AT_PASS] += 1
            kept = select(beam.candidates, beam.tally, beam.heads, beam.chosen, now, share, cap)
            first = (1 - now[SIDE]) * size + now[KEPT_HERE]
            kept = build(beam, slots, log, kept, first, root, keys, weights)
            firsts[there + stage] = first
            counts[there + stage] = kept
            now[KEPT_HERE] += kept
            now[AT_PASS] = 0
        total = now[KEPT_HERE]
        now[KEPT_HERE] = 0
        now[AT_STAGE] = 0
        now[SIDE] = 1 - now[SIDE]
        now[LEVEL] += 1
        if total == 0:
            return EMPTY
        if now[KEPT] >= goal:
            return RUNNING
