"""Exhaustive search: everything that a position can reach, each position once.

Depth first with an explicit stack: a position's children are looked up by their keys, worked
out incrementally; those not seen before go into the table and, as codes, on the stack. One
position is kept in full; going down makes an action on it, going back takes it back. If the
stack runs empty without a win, there is none: every position that can be reached was seen, up
to the reductions below. All is in arrays, so ``advance`` can stop at any position and go on.

Keys
----
The table holds 128 bits a position: two Zobrist keys (zobrist.py) from unlike random numbers.
That is 16 bytes where a packed state has 128, so eight times as many positions fit, and a look
into the table touches one cache line. The price is a chance of error, and it is told. A key is
the sum of ten mixed column keys. Take these as independent and uniform for unlike columns, as
random numbers are for. The keys of two unlike positions then differ by a sum of terms m * x, x
uniform, where m, from -10 to 10, says how much oftener a column is in the one. If an m is odd
the sum is uniform. Else it is a multiple of at most 8: zero with a chance of at most 8 / 2^64,
so in both keys of at most 2^-122. An error needs a first position, in the order of the search,
whose keys are those of one before; up to then the search is the true one, so if it ends having
seen n positions, that one is among the true search's first n + 1. These are less than
(n + 1)^2 / 2 pairs: the chance is below (n + 1)^2 / 2^123 (``error_bound``).

Two positions of one search with the same columns and face-down cards are the same in all that
decides the future. Rows dealt and runs completed follow from the number of cards, as 10 rows -
13 runs is another number for other rows from 0 to 5 and runs from 0 to 8; which suits are
completed follows from the cards that are left.

Reductions
----------
Each can be turned off (``reduced``). Call two positions equivalent if one is the other with its
columns in another order and no row is left. The *distance* of a position is the least number
of actions to a win. All of these keep one property: *for each position visited that has a
distance d > 0, a child equivalent to one at distance d - 1 is visited, or an equivalent of it
was*. By induction on d a win is met if there is one.

EQUAL (always on): two copies of a card are one card. No rule tells them apart.

ORDER: after the last row positions that differ in the order of columns have the same key. No
    rule names a column but by what it holds, save the row, which is over: exchanging columns
    turns legal lines into legal lines of the same length, so equivalent positions have equal
    distances. Before the last row it would be wrong: the next row tells columns apart. (For
    columns with face-down cards the order is kept; they are told apart by what is unseen.)

EMPTY: after the last row only the first empty column is a target. The children of two empty
    targets differ by an exchange of these two columns.

WHOLE: after the last row a whole column isn't moved to an empty one. The child would be
    equivalent to its parent, so at the same distance d, not d - 1.

AGAIN: the cards just moved aren't moved again at once. Say C was reached from P by moving cards
    R from X to Y, and no run was completed. What R could be moved to from Y, other than X, it
    could be moved to from P, as those columns are the same; so that child of C is a child of P
    as well. Back to X gives P, if no card was turned at X; if one was, the move is not left
    out. All children of P are in the table from the moment when P is looked at, so nothing is
    lost but the look-up, and the positions visited are the very same - if P had not left out
    this move itself, by this rule. It had only if R had just been moved, from O to P, and C
    came about by the one move not left out, back onto the card turned; then P's missing child
    is one of O, which didn't leave it out: that would need R to have been moved to O as well,
    and back from there onto a card turned, so it lay on a face-up card at O and no card was
    turned at the step to P, which is against what was said of C. (With EMPTY and WHOLE: a move
    left out at P, as its child is equivalent to another or to P, needs nothing more.)

TOO_FEW: under the standard rule, with rows left and fewer than ten cards in the columns, no
    column set is ever without an empty one again: moves add no cards, so the row can't be
    dealt, its cards can't be played, and there is no win. Such a child isn't visited.
"""

from __future__ import annotations

import numpy as np

from ..cards import ACE, KING
from ..deal import COLUMNS, ROW_CARDS, SETS
from .layout import RANK, RELAXED, ROWS
from .loading import kernel
from .moves import ROW_CODE
from .space import (
    AGAIN,
    DONE,
    EMPTY,
    IN_COLUMNS,
    MADE,
    OPEN,
    REDUCED,
    ROOM,
    SEEN,
    STAGE,
    SWEPT,
    TOO_FEW,
    TOP,
    TURNED,
    WHOLE,
    WIN_CODE,
    is_loose,
    make,
    part,
    row_allowed,
    stand,
    unmake,
)
from .zobrist import SINGLE, ZERO, mix

SLOT_BYTES = 16
ONE = np.uint64(1)

# advance's answers
RUNNING, WON, EXHAUSTED, NEEDS_TABLE, NEEDS_STACK = range(5)


def error_bound(seen: int) -> float:
    """An upper bound on the chance that a search that saw so many positions missed one."""
    return (seen + 1) ** 2 / 2**123


@kernel
def find(slots, first, second):
    """Where a position's keys are in the table, or the free slot where they would go."""
    mask = np.uint64(len(slots) - 1)
    at = first & mask
    while slots[at, 0] != ZERO and (slots[at, 0] != first or slots[at, 1] != second):
        at = (at + ONE) & mask
    return at


@kernel
def insert(slots, first, second):
    """Put keys into the table, which must have a free slot; True if they weren't there yet."""
    if first == ZERO:  # marks a free slot
        first = ONE
    at = find(slots, first, second)
    if slots[at, 0] != ZERO:
        return False
    slots[at, 0] = first
    slots[at, 1] = second
    return True


@kernel
def rehash(slots, larger):
    """Put all keys of one table into another, empty one."""
    for index in range(len(slots)):
        if slots[index, 0] != ZERO:
            insert(larger, slots[index, 0], slots[index, 1])


@kernel
def targets_key(space, keys, source, length, target, loose, word):
    """The target's mixed key after a move, and whether it completes a run (0 or 1)."""
    cards, height, down, run, plain = space[:5]
    low, put = height[source] - length, height[target]
    head, end = np.int64(cards[source, low]), np.int64(cards[source, low + length - 1])
    onto = put - down[target]
    key = plain[target, word]
    if (
        end & RANK == ACE
        and onto > 0
        and run[target] + length == KING
        and cards[target, put - 1] == head + 1
    ):
        left = onto - run[target]
        if left == 0 and down[target] > 0:
            card = np.int64(cards[target, down[target] - 1])
            key = stand(keys, word, target, down[target] - 1, loose)
            return mix(key + keys[SINGLE + card, word]), 1
        first = np.int64(cards[target, put - run[target]])
        return mix(key - part(keys, word, left, first, onto, head + 1)), 1
    return mix(key + part(keys, word, onto, head, onto + length, end)), 0


@kernel
def source_key(space, keys, source, length, loose, word):
    """The source's mixed key after a move."""
    cards, height, down, _, plain = space[:5]
    low = height[source] - length
    up = low - down[source]
    if up == 0 and down[source] > 0:
        card = np.int64(cards[source, low - 1])
        return mix(stand(keys, word, source, down[source] - 1, loose) + keys[SINGLE + card, word])
    head, end = np.int64(cards[source, low]), np.int64(cards[source, low + length - 1])
    return mix(plain[source, word] - part(keys, word, up, head, up + length, end))


@kernel
def expand(space, keys, arrival, stock, fixed):
    """Work out codes, keys and ratings of the position's children; return how many.

    arrival: the entry by which it was reached; 0 if it's the root. Returns -1, with the code
    in now[WIN_CODE], if a child is won. rating: 0 to an empty column, 1 else, 2 in suit.
    """
    cards, height, down, run = space[:4]
    mixed, total = space.mixed, space.total
    codes, kids, rating, ends, now = space.codes, space.kids, space.rating, space.ends, space.now
    loose = is_loose(now, fixed)
    last = now[STAGE] == fixed[ROWS]
    reduced = now[REDUCED]
    few = (reduced & TOO_FEW) != 0 and not last and not fixed[RELAXED]
    moved, turned = -1, -1
    if (
        reduced & AGAIN
        and arrival & MADE
        and arrival & ROW_CODE != ROW_CODE
        and arrival < (1 << SWEPT)
    ):
        moved = (arrival & 15) << 4 | (arrival >> 4 & 15)  # source and length of doing it again
        if arrival & TURNED:
            turned = arrival >> 8 & 15
    for rank in range(16):
        ends[rank] = 0
    empties = 0
    for column in range(COLUMNS):
        if height[column] == 0:
            if not (last and reduced & EMPTY and empties):
                empties |= 1 << column
        else:
            ends[cards[column, height[column] - 1] & RANK] |= 1 << column
    count = 0
    for source in range(COLUMNS):
        top = height[source]
        for length in range(1, run[source] + 1):
            head = np.int64(cards[source, top - length])
            targets = ends[(head & RANK) + 1]
            if not (last and reduced & WHOLE and length == top):
                targets |= empties
            group = source << 4 | length
            if group == moved:
                targets &= 1 << turned if turned >= 0 else 0
            if not targets:
                continue
            base = total[0] - mixed[source, 0] + source_key(space, keys, source, length, loose, 0)
            other = total[1] - mixed[source, 1] + source_key(space, keys, source, length, loose, 1)
            target = -1
            while targets:
                target += 1
                bit = targets & 1
                targets >>= 1
                if not bit:
                    continue
                first, done = targets_key(space, keys, source, length, target, loose, 0)
                second, _ = targets_key(space, keys, source, length, target, loose, 1)
                if done and now[DONE] + 1 == SETS:
                    now[WIN_CODE] = group << 4 | target
                    return -1
                if done and few and now[IN_COLUMNS] - KING < ROW_CARDS:
                    continue
                codes[count] = group << 4 | target
                kids[count, 0] = base - mixed[target, 0] + first
                kids[count, 1] = other - mixed[target, 1] + second
                put = height[target]
                rating[count] = 0 if put == 0 else 1
                if put > down[target] and cards[target, put - 1] == head + 1:
                    rating[count] = 2
                count += 1
    if row_allowed(space, fixed):
        entry = make(space, keys, ROW_CODE, stock, fixed)
        won = now[DONE] == SETS
        codes[count] = ROW_CODE
        kids[count, 0] = total[0]
        kids[count, 1] = total[1]
        rating[count] = 1
        unmake(space, keys, entry, fixed)
        if won:
            now[WIN_CODE] = ROW_CODE
            return -1
        count += 1
    return count


@kernel
def push_new(space, slots, stack, count):
    """Put the children not seen before into the table and on the stack, best rated on top."""
    codes, kids, rating, now = space.codes, space.kids, space.rating, space.now
    mask = np.uint64(len(slots) - 1)
    near = ZERO
    for index in range(count):  # reads that don't wait for each other
        near ^= slots[kids[index, 0] & mask, 0]
    fresh = 0
    for index in range(count):
        if insert(slots, kids[index, 0], kids[index, 1]):
            codes[fresh] = codes[index]
            rating[fresh] = rating[index]
            fresh += 1
    now[SEEN] += fresh
    top = now[TOP]
    for wanted in range(3):
        for index in range(fresh):
            if rating[index] == wanted:
                stack[top] = codes[index]
                top += 1
    now[TOP] = top
    return near


@kernel
def advance(space, slots, stack, budget, keys, stock, fixed):
    """Search until ``budget`` more positions are seen, or there is news.

    slots: uint64 (a power of two, 2). stack: int32. Returns RUNNING; WON (the stack's made
    entries, then now[WIN_CODE]); EXHAUSTED; NEEDS_TABLE or NEEDS_STACK when the next position's
    children might not fit: call again with larger ones.
    """
    now = space.now
    goal = now[SEEN] + budget
    while True:
        if now[OPEN]:
            if now[SEEN] >= goal:
                return RUNNING
            if 3 * (now[SEEN] + ROOM) > 2 * len(slots):
                return NEEDS_TABLE
            if now[TOP] + ROOM > len(stack):
                return NEEDS_STACK
            arrival = np.int64(stack[now[TOP] - 1]) if now[TOP] else 0
            count = expand(space, keys, arrival, stock, fixed)
            if count < 0:
                return WON
            push_new(space, slots, stack, count)
            now[OPEN] = 0
        top = now[TOP]
        if top == 0:
            return EXHAUSTED
        entry = np.int64(stack[top - 1])
        if entry & MADE:
            unmake(space, keys, entry, fixed)
            now[TOP] = top - 1
        else:
            stack[top - 1] = make(space, keys, entry, stock, fixed)
            now[OPEN] = 1
