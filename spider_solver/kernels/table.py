"""Transposition table: a set of 64-bit keys in open addressing.

``slots`` is a uint64 array whose length is a power of two; zero marks a free slot, so the key
zero itself is stored as one. Keys are mixed already: their low bits choose the slot.
"""

from __future__ import annotations

import numpy as np

from .loading import kernel

FREE, ONE = np.uint64(0), np.uint64(1)


@kernel
def contains(slots, key):
    """Whether a key is in the table."""
    if key == FREE:
        key = ONE
    mask = np.uint64(len(slots) - 1)
    at = key & mask
    while slots[at] != FREE:
        if slots[at] == key:
            return True
        at = (at + ONE) & mask
    return False


@kernel
def insert(slots, key):
    """Put a key into the table, which must have a free slot; True if it was not there yet."""
    if key == FREE:
        key = ONE
    mask = np.uint64(len(slots) - 1)
    at = key & mask
    while slots[at] != FREE:
        if slots[at] == key:
            return False
        at = (at + ONE) & mask
    slots[at] = key
    return True


@kernel
def rehash(slots, larger):
    """Put all keys of one table into another, empty one."""
    for key in slots:
        if key != FREE:
            insert(larger, key)
