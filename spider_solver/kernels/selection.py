"""Choosing the states to keep: the best candidates, one a class, so many of a group.

Candidates are nodes (children.NODE). A class keeps its best one; a candidate that ties came
too late. Choosing goes by buckets of equal score, so it takes time linear in their number.
When the room for candidates is full, those that can't be chosen any more are dropped: what
loses against some of the others loses against all.
"""

from __future__ import annotations

import numpy as np

from .loading import kernel
from .table import contains

BUCKETS = 4096
ROOM = 6  # candidates a share
LEAST_ROOM = 1024
NO_FLOOR = -(1 << 40)
ONE = np.uint64(1)

# places in Beam.now that are used here
STAMP, FLOOR, COUNT = range(8, 11)

# An open-addressing map that is emptied by raising the stamp: key to a number.
SLOT = np.dtype([("key", np.uint64), ("value", np.int32), ("stamp", np.int32)], align=True)


@kernel
def find(slots, key, stamp):
    """Where a key is in a map, or the free place where it would go."""
    mask = np.uint64(len(slots) - 1)
    at = key & mask
    while slots[at].stamp == stamp and slots[at].key != key:
        at = (at + ONE) & mask
    return at


@kernel
def select(candidates, tally, heads, chosen, now, share, cap):
    """Choose among the candidates, best first; indices into ``chosen``, return how many.

    Scores more than BUCKETS below the best come last, in the order in which they came.
    """
    count = now[COUNT]
    if count == 0:
        return 0
    now[STAMP] += 1
    stamp = now[STAMP]
    best = candidates[0].score
    worst = best
    for index in range(1, count):
        score = candidates[index].score
        best = max(best, score)
        worst = min(worst, score)
    buckets = min(np.int64(best) - np.int64(worst) + 1, BUCKETS)
    for bucket in range(buckets):
        heads[bucket] = -1
    for index in range(count - 1, -1, -1):
        bucket = min(np.int64(best) - np.int64(candidates[index].score), BUCKETS - 1)
        candidates[index].next = heads[bucket]
        heads[bucket] = index
    kept = 0
    for bucket in range(buckets):
        index = np.int64(heads[bucket])
        while index >= 0:
            group = candidates[index].group
            at = find(tally, group, stamp)
            if tally[at].stamp != stamp:
                tally[at].stamp = stamp
                tally[at].key = group
                tally[at].value = 0
            if tally[at].value < cap:
                tally[at].value += 1
                chosen[kept] = index
                kept += 1
                if kept == share:
                    return kept
            index = np.int64(candidates[index].next)
    return kept


@kernel
def shrink(candidates, by_class, tally, heads, chosen, now, share, cap):
    """Drop the candidates that can't be selected any more; raise the floor if a share is full."""
    kept = select(candidates, tally, heads, chosen, now, share, cap)
    if kept == share:
        floor = np.int64(candidates[chosen[0]].score)
        for i in range(1, kept):
            floor = min(floor, np.int64(candidates[chosen[i]].score))
        now[FLOOR] = floor
    for index in range(now[COUNT]):
        candidates[index].next = 0
    for i in range(kept):
        candidates[chosen[i]].next = 1
    now[STAMP] += 1
    stamp = now[STAMP]
    to = 0
    for index in range(now[COUNT]):
        if candidates[index].next == 1:
            candidates[to] = candidates[index]
            klass = candidates[to].klass
            at = find(by_class, klass, stamp)
            by_class[at].key = klass
            by_class[at].value = to
            by_class[at].stamp = stamp
            to += 1
    now[COUNT] = to


@kernel
def consider(
    kid, parent, slots, candidates, by_class, tally, heads, chosen, now, share, cap, stamp
):
    """Take a child as a candidate unless its class has a better one or it was kept before.

    Returns the stamp of the class map, which shrinking changes.
    """
    if kid.score <= now[FLOOR]:
        return stamp
    at = find(by_class, kid.klass, stamp)
    if by_class[at].stamp == stamp:
        index = np.int64(by_class[at].value)
        if kid.score <= candidates[index].score or contains(slots, kid.key):
            return stamp
    else:
        if contains(slots, kid.key):
            return stamp
        if now[COUNT] == len(candidates):
            shrink(candidates, by_class, tally, heads, chosen, now, share, cap)
            stamp = now[STAMP]
            if kid.score <= now[FLOOR]:
                return stamp
            at = find(by_class, kid.klass, stamp)
        index = now[COUNT]
        now[COUNT] += 1
        by_class[at].key = kid.klass
        by_class[at].value = index
        by_class[at].stamp = stamp
    candidates[index] = kid
    candidates[index].parent = parent
    return stamp
