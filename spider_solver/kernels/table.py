"""Transposition table: a set of keys of one or more 64-bit words, in open addressing.

``slots``: uint64 of shape (slots, words); the number of slots is a power of two, and at least one
slot is free, or a search for a missing key would not end. A slot is free if its first word is
zero; a first word of zero is therefore stored as one. Keys are mixed already: the low bits of the
first word choose the slot. A key is a tuple of uint64, or an array, with as many words as a slot.
"""

from __future__ import annotations

import numpy as np

from .jit import kernel

FREE, ONE = np.uint64(0), np.uint64(1)


@kernel
def is_too_full(slots, count):
    """Whether a table with ``count`` keys would be more than two thirds full."""
    return 3 * count > 2 * len(slots)


@kernel
def stored_word(key):
    """The first word of a key as the table stores it."""
    return ONE if key[0] == FREE else key[0]


@kernel
def find(slots, key):
    """The index of a key's slot, or of the free slot where it would go."""
    first = stored_word(key)
    mask = np.uint64(len(slots) - 1)
    index = first & mask
    while slots[index, 0] != FREE:
        same = slots[index, 0] == first
        for word in range(1, slots.shape[1]):
            same &= slots[index, word] == key[word]
        if same:
            break
        index = (index + ONE) & mask
    return index


@kernel
def contains(slots, key):
    """Whether a key is in the table."""
    return slots[find(slots, key), 0] != FREE


@kernel
def insert(slots, key):
    """Put a key into the table, which needs a free slot; True if it was not there yet."""
    index = find(slots, key)
    if slots[index, 0] != FREE:
        return False
    slots[index, 0] = stored_word(key)
    for word in range(1, slots.shape[1]):
        slots[index, word] = key[word]
    return True


@kernel
def rehash(slots, larger):
    """Put all keys of a table into ``larger``, an empty one, which is modified."""
    for index in range(len(slots)):
        if slots[index, 0] != FREE:
            insert(larger, slots[index])
