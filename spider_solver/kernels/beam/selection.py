"""Selection of the states to keep: one per class, at most a cap per group, best scores first.

Candidates are nodes in a Pool. Of the children with one class key the best is a candidate; of equal
ones the first. A better one takes the place of the one before it. A complete search takes each
state as a class of its own, and counts the states that it drops. Candidates are sorted into
buckets of equal score, so a selection takes time linear in their number; of candidates with equal
scores the one with the lower place comes first. When the array of candidates is full, a selection
is made among them and the others are dropped. They could not pass the final selection either.
"""

from __future__ import annotations

import numpy as np

from ..jit import kernel
from ..prefetch import prefetch
from ..table import contains
from .records import BUCKETS

NO_FLOOR = -(1 << 40)  # below any score
_DROP, _KEEP = 0, 1  # NODE.next while candidates are dropped
_ONE = np.uint64(1)


@kernel
def begin_selection(pool, share, group_cap, complete, least_joins):
    """Empty a pool, to select ``share`` states with at most ``group_cap`` of a group.

    complete: whether each state is a class of its own. least_joins: of a candidate.
    """
    selection = pool.selection
    selection.stamp += 1
    selection.count = 0
    selection.floor = NO_FLOOR
    selection.share = share
    selection.group_cap = group_cap
    selection.complete = complete
    selection.least_joins = least_joins


@kernel
def find_slot(slots, key, stamp):
    """The index of a key in a map, or of the free slot where it would go."""
    mask = np.uint64(len(slots) - 1)
    index = key & mask
    while slots[index].stamp == stamp and slots[index].key != key:
        index = (index + _ONE) & mask
    return index


@kernel
def class_of(node, selection):
    """The class of a candidate: its class key, or its Zobrist key if the search is complete."""
    return node.key if selection.complete else node.class_key


@kernel
def select(pool):
    """Select among the candidates, best first: indices in ``pool.chosen``. Returns how many.

    Scores BUCKETS or more below the best come last, in the order in which they were added. The map
    by class is empty afterwards.
    """
    candidates, selection = pool.candidates, pool.selection
    count = selection.count
    if count == 0:
        return 0
    selection.stamp += 1
    stamp = selection.stamp
    buckets = fill_buckets(candidates, pool.bucket_heads, count)
    kept = 0
    for bucket in range(buckets):
        index = np.int64(pool.bucket_heads[bucket])
        while index >= 0:
            group = candidates[index].group
            slot = pool.group_slots[find_slot(pool.group_slots, group, stamp)]
            if slot.stamp != stamp:
                slot.stamp = stamp
                slot.key = group
                slot.value = 0
            if slot.value < selection.group_cap:
                slot.value += 1
                pool.chosen[kept] = index
                kept += 1
                if kept == selection.share:
                    return kept
            index = np.int64(candidates[index].next)
    return kept


@kernel
def fill_buckets(candidates, bucket_heads, count):
    """Link the first ``count`` candidates into buckets of equal score, best first.

    Returns the number of buckets; each holds its candidates in order.
    """
    best = candidates[0].score
    worst = best
    for index in range(1, count):
        score = candidates[index].score
        best = max(best, score)
        worst = min(worst, score)
    buckets = min(np.int64(best) - np.int64(worst) + 1, BUCKETS)
    for bucket in range(buckets):
        bucket_heads[bucket] = -1
    for index in range(count - 1, -1, -1):
        bucket = min(np.int64(best) - np.int64(candidates[index].score), BUCKETS - 1)
        candidates[index].next = bucket_heads[bucket]
        bucket_heads[bucket] = index
    return buckets


@kernel
def shrink(pool):
    """Drop the candidates that can't be selected; raise the floor if the share is full."""
    candidates, class_slots, selection = pool.candidates, pool.class_slots, pool.selection
    kept = select(pool)
    if kept == selection.share:
        floor = np.int64(candidates[pool.chosen[0]].score)
        for i in range(1, kept):
            floor = min(floor, np.int64(candidates[pool.chosen[i]].score))
        selection.floor = floor
    for index in range(selection.count):
        candidates[index].next = _DROP
    for i in range(kept):
        candidates[pool.chosen[i]].next = _KEEP
    selection.stamp += 1
    stamp = selection.stamp
    to = 0
    for index in range(selection.count):
        if candidates[index].next == _KEEP:
            candidates[to] = candidates[index]
            key = class_of(candidates[to], selection)
            slot = class_slots[find_slot(class_slots, key, stamp)]
            slot.key = key
            slot.value = to
            slot.stamp = stamp
            to += 1
    selection.dropped += selection.count - to
    selection.count = to


@kernel
def prefetch_slots(children, count, table, pool):
    """Start to load the slots that ``consider`` reads for the first ``count`` children."""
    selection = pool.selection
    table_mask = np.uint64(len(table) - 1)
    class_mask = np.uint64(len(pool.class_slots) - 1)
    for i in range(count):
        child = children[i]
        if child.score > selection.floor:
            prefetch(table, child.key & table_mask)
            prefetch(pool.class_slots, class_of(child, selection) & class_mask)


@kernel
def consider(child, parent, table, pool):
    """Add a child to the candidates, if it may be selected.

    It is not added if it has too few joins, if its score is not above the floor, if its class has a
    candidate with at least its score, or if the state itself was kept before. parent: the index of
    its parent in Beam.states. table: slots of the transposition table.
    """
    candidates, class_slots, selection = pool.candidates, pool.class_slots, pool.selection
    if child.joins < selection.least_joins:
        return
    if child.score <= selection.floor:
        selection.dropped += 1
        return
    key = class_of(child, selection)
    index = find_slot(class_slots, key, selection.stamp)
    if class_slots[index].stamp == selection.stamp:
        place = np.int64(class_slots[index].value)
        if child.score <= candidates[place].score or contains(table, (child.key,)):
            return
    else:
        if contains(table, (child.key,)):
            return
        if selection.count == len(candidates):
            shrink(pool)
            if child.score <= selection.floor:
                selection.dropped += 1
                return
            index = find_slot(class_slots, key, selection.stamp)
        place = selection.count
        selection.count += 1
        class_slots[index].key = key
        class_slots[index].value = place
        class_slots[index].stamp = selection.stamp
    candidates[place] = child
    candidates[place].parent = parent
