"""Beam search: one beam for each number of rows dealt (a *stage*), level by level.

Level n holds states that are n steps from the root: the best ones, at most a share of the width
for each stage. A step is an action. If the search tidies, a step is an action and, if the action
changes the class key, the moves that tidy up after it (tidying.py). The candidates of a stage for
the next level are the children by moves of its own states, and the children by rows of the stage
before it. The best by score are kept, with two caps that keep the beam diverse: one state for each
class key (keys.py), and a bounded part of the share for each vector of face-down counts
(selection.py). No state enters the beam twice: one transposition table holds the keys of all states
kept. A stage is dropped at its level in ``deadlines``. A state that has fewer joins than its level
requires is not kept: the lower bound of bound.py shows that it cannot lead to a solution that is
short enough.

Nothing depends on time or memory addresses: of equal candidates the first one stays. The whole
search is in arrays and records, so ``advance`` can pause between any two states and resume.
"""

from __future__ import annotations

import numpy as np

from ...deal import SETS
from ..apply import apply_action, copy_state
from ..jit import kernel
from ..keys import state_key
from ..layout import may_deal_row, scan_columns
from ..moves import NO_EQUIVALENTS, ROW_CODE
from ..table import insert, is_too_full
from .children import expand_moves, expand_row
from .nodes import copy_column_data, load_scan, rescore, set_column_data, update_column_data
from .records import MAX_JOINS, MAX_LINE, MOVES, ROWS, STARTING
from .selection import begin_selection, consider, find_slot, prefetch_slots, select
from .tidying import tidy

# The answers of ``advance``.
RUNNING, WON, NO_STATES, NEEDS_TABLE, NEEDS_LOG, PAUSED = range(6)
# What ``gather`` and ``fill_stage`` return when they have finished their part.
DONE = -1
_LINE_STAMP = 1  # of all slots in use in the map of the known line


@kernel
def gather(beam, table, problem, settings, origin, by_row, pause):
    """Consider the children of a stage's states as candidates, from ``resume.state`` on.

    origin: index of the stage in ``firsts`` and ``counts``. by_row: whether to take the children
    by rows, instead of those by moves. pause: the number of children generated at which to
    pause. Returns DONE; WON; PAUSED: call again.
    """
    counters, resume, scratch = beam.counters, beam.resume, beam.scratch
    first = beam.firsts[origin]
    stages = len(beam.counts) // 2
    move_set = settings.move_set
    if origin % stages == stages - 1:  # no row is left: nothing is lost
        move_set = max(move_set, NO_EQUIVALENTS)
    for index in range(first + resume.state, first + beam.counts[origin]):
        if counters.generated >= pause:
            resume.state = index - first
            return PAUSED
        state, node, column_data = beam.states[index], beam.nodes[index], beam.column_data[index]
        if not by_row:
            count = expand_moves(problem, state, column_data, node, move_set, scratch)
        elif may_deal_row(state.rows_dealt, state.face_up, problem.root):
            expand_row(problem, state, column_data, node, scratch)
            count = 1
        else:
            count = 0
        counters.generated += count
        prefetch_slots(scratch.children, count, table, beam.pool)
        for i in range(count):
            child = scratch.children[i]
            if settings.has_line:
                note_hit(beam, child, node)
            if child.completed > counters.most_completed:
                counters.most_completed = child.completed
                if child.completed == SETS:
                    counters.win_parent = node.parent
                    counters.win_code = child.code
                    return WON
            consider(child, index, table, beam.pool)
    resume.state = 0
    return DONE


@kernel
def set_line(beam, problem, codes, played):
    """Play a known line, and make the state after some of its actions the only one of the level.

    beam: with the root's state in ``states[0]``; ``firsts``, ``counts``, ``counters.level`` and
    ``line_slots`` are set. codes: int16, the line. played: how many of its actions lead to the
    state. The next MAX_LINE states are looked for if ``settings.has_line``.
    """
    line_slots, scratch, root = beam.line_slots, beam.scratch, problem.root
    state, start = beam.states[1], beam.states[0]
    copy_state(start, state)
    for place in range(len(codes) + 1):
        if place == played:
            copy_state(state, start)
        elif 0 < place - played <= MAX_LINE:
            key = state_key(problem.numbers, state, root)
            slot = line_slots[find_slot(line_slots, key, _LINE_STAMP)]
            slot.stamp = _LINE_STAMP
            slot.key = key
            slot.value = place  # of equal states the last one, which saves the most
        if place < len(codes):
            scan_columns(state, scratch.scan)
            apply_action(state, scratch.scan, np.int64(codes[place]), root, scratch.state)
            copy_state(scratch.state, state)
    beam.counters.level = played
    beam.counts[np.int64(start.rows_dealt)] = 1


@kernel
def note_hit(beam, child, parent):
    """Note a child on the known line that saves more actions than those before it.

    parent: the NODE of its parent.
    """
    counters = beam.counters
    slot = beam.line_slots[find_slot(beam.line_slots, child.key, _LINE_STAMP)]
    if slot.stamp != _LINE_STAMP:
        return
    saves = slot.value - (counters.level + 1)
    if saves > counters.hit_saves:
        counters.hit_saves = saves
        counters.hit_place = slot.value
        counters.hit_parent = parent.parent
        counters.hit_code = child.code


@kernel
def build(beam, table, log, problem, settings, selected, first):
    """Make the selected states from index ``first`` on; note them in the table and the log.

    A state that tidying makes equal to one kept before is left out. Returns the number kept.
    """
    states, nodes, column_data = beam.states, beam.nodes, beam.column_data
    counters, scratch, root = beam.counters, beam.scratch, problem.root
    to = first
    for i in range(selected):
        candidate = beam.pool.candidates[beam.pool.chosen[i]]
        parent = np.int64(candidate.parent)
        code = np.int64(candidate.code)
        state, node = states[to], nodes[to]
        load_scan(states[parent], column_data[parent], scratch.scan)
        completed = apply_action(states[parent], scratch.scan, code, root, state)
        nodes[to] = candidate
        joins = 0
        if completed or code == ROW_CODE:
            set_column_data(problem, state, column_data[to])
        else:
            copy_column_data(column_data[parent], column_data[to])
            update_column_data(problem, state, code, column_data[to])
        if settings.tidies and candidate.class_key != nodes[parent].class_key:
            joins = tidy(problem, state, column_data[to], scratch)
        if joins:
            rescore(problem, state, column_data[to], node, scratch.prospects)
            node.joins += joins
        if not insert(table, (node.key,)):
            continue
        entry = counters.logged
        log[entry].parent = nodes[parent].parent
        log[entry].code = candidate.code
        for join in range(joins):
            log[entry + join + 1].parent = entry + join
            log[entry + join + 1].code = scratch.joins[join]
        node.parent = entry + joins
        counters.logged = entry + joins + 1
        to += 1
    counters.kept += to - first
    return to - first


@kernel
def drop_late_stages(beam, deadlines):
    """Drop the stages whose deadline has come; return how many stages may get states."""
    stages = len(beam.counts) // 2
    here = beam.counters.side * stages
    active = 0
    for stage in range(stages):
        if beam.counters.level >= deadlines[stages - 1 - stage]:
            beam.counts[here + stage] = 0
        if beam.counts[here + stage] or (stage and beam.counts[here + stage - 1]):
            active += 1
    return active


@kernel
def fill_stage(beam, table, log, problem, settings, active, pause):
    """Choose and build the states of stage ``resume.stage`` for the next level.

    active: the number of stages that share the width. Returns DONE; WON; PAUSED: call again.
    """
    resume, side, stages = beam.resume, beam.counters.side, len(beam.counts) // 2
    stage = resume.stage
    if resume.phase == STARTING:
        share = max(settings.width // active, 1)
        group_cap = max(np.int64(share * settings.group_part), 1)
        least_joins = beam.counters.level + 1 + settings.joins_needed[stages - 1 - stage]
        begin_selection(beam.pool, share, group_cap, settings.complete, least_joins)
        resume.phase = MOVES
    while resume.phase <= ROWS:  # MOVES, then ROWS
        by_row = resume.phase == ROWS
        if not by_row or stage > 0:
            origin = side * stages + (stage - 1 if by_row else stage)
            answer = gather(beam, table, problem, settings, origin, by_row, pause)
            if answer != DONE:
                return answer
        resume.phase += 1
    first = (1 - side) * (len(beam.nodes) // 2) + resume.kept_in_level
    selected = select(beam.pool)
    beam.pool.selection.dropped += beam.pool.selection.count - selected
    kept = build(beam, table, log, problem, settings, selected, first)
    beam.firsts[(1 - side) * stages + stage] = first
    beam.counts[(1 - side) * stages + stage] = kept
    resume.kept_in_level += kept
    resume.phase = STARTING
    return DONE


@kernel
def advance(beam, table, log, problem, settings, states, children):
    """Search level after level until ``states`` more are kept, or until another answer applies.

    beam: records.Beam. table: uint64 (slots, 1). log: LOG. problem: Problem. settings: SETTINGS.
    Returns RUNNING; WON (see ``counters.win_parent``, ``win_code``); NO_STATES: no state is left,
    or every stage is past its deadline; NEEDS_TABLE or NEEDS_LOG: a level might not fit, call
    again with a larger one; PAUSED: about ``children`` children were generated, call again. Pauses
    change no result.
    """
    counters, resume = beam.counters, beam.resume
    size, stages = len(beam.nodes) // 2, len(beam.counts) // 2
    goal = counters.kept + states
    pause = counters.generated + children
    while True:
        if resume.stage == 0 and resume.phase == STARTING:  # a level begins
            if counters.logged + (MAX_JOINS + 1) * size > len(log):
                return NEEDS_LOG
            if is_too_full(table, counters.kept + size):
                return NEEDS_TABLE
        active = drop_late_stages(beam, settings.deadlines)
        if active == 0:
            return NO_STATES
        while resume.stage < stages:
            answer = fill_stage(beam, table, log, problem, settings, active, pause)
            if answer != DONE:
                return answer
            resume.stage += 1
        kept = resume.kept_in_level
        resume.kept_in_level = 0
        resume.stage = 0
        counters.side = 1 - counters.side
        counters.level += 1
        if kept == 0:
            return NO_STATES
        if counters.kept >= goal:
            return RUNNING
