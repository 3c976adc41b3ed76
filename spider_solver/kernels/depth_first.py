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

TOO_FEW: under the standard rule, with rows left and fewer than ten cards in the columns, no
    column set is ever without an empty one again: moves add no cards, so the row can't be
    dealt, its cards can't be played, and there is no win. Such a child isn't visited.

The last two spare looks into the table, not positions. They keep more than that property:
every child of a position visited is *settled*: it is visited, or an equivalent of it, or there
is no win from it (TOO_FEW).

BACK: the move that takes back the one that led here leads to the position before, which was
    visited.

APART: let x be a position to which the move c led from p, completing no run. A move m of x is
    left out if its two columns are other ones than c's two and its name is lower than c's. A
    move's name is made of the run's head, its length and the card that it goes onto, so it is
    the same in equivalent positions, and the same before and after a move of other columns.
    Claim: the child of x by m is settled all the same. m was legal in p, and the child is c's
    from x', the child of p by m. Suppose that the claim holds for all moves with a higher name
    than m's, and for m in all positions visited before x. Then x' is settled, as p was visited
    before x. If there is no win from x', there is none from any of its children. Else x' or an
    equivalent of it is visited, and its child by c, whose name is higher than m's, is settled.
    There are finitely many names and positions, so the claim holds for all.
"""

from __future__ import annotations

import numpy as np

from ..cards import ACE, KING
from ..deal import COLUMNS, ROW_CARDS, SETS
from .layout import RANK, RELAXED, ROWS
from .loading import kernel
from .moves import ROW_CODE
from .prefetch import prefetch
from .space import (
    APART,
    BACK,
    COMPLETED,
    DONE,
    DOWN,
    EMPTY,
    ENDS,
    HEIGHT,
    IN_COLUMNS,
    MADE,
    MIXED,
    NOW,
    OPEN,
    PLAIN,
    REDUCED,
    ROOM,
    RUN,
    SEEN,
    STAGE,
    TOO_FEW,
    TOP,
    TOTAL,
    TURNED,
    WHOLE,
    WIN_CODE,
    WORDS,
    is_loose,
    make,
    part,
    row_allowed,
    stand,
    unmake,
)
from .zobrist import CARD_CODES, SINGLE, ZERO, mix

SLOT_BYTES = 16
# A column by its bit's remainder: no two of the first ten powers of two have the same.
COLUMN_OF = np.zeros(11, np.int64)
COLUMN_OF[2 ** np.arange(COLUMNS) % 11] = np.arange(COLUMNS)
ONE = np.uint64(1)

# advance's answers
RUNNING, WON, EXHAUSTED, NEEDS_TABLE, NEEDS_STACK = range(5)


# A child: its action's code, its keys, and how much it's wanted: 0 a move to an empty column, 1
# any other, 2 one that lengthens a run.
KID = np.dtype(
    [("first", np.uint64), ("second", np.uint64), ("code", np.int64), ("rank", np.int64)]
)


def make_kids() -> np.ndarray:
    """Room for a position's children."""
    return np.zeros(ROOM, KID)


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
def target_key(cards, now, words, keys, source, length, target, word):
    """The target's mixed key after a move that completes no run."""
    low, onto = now[HEIGHT + source] - length, now[HEIGHT + target] - now[DOWN + target]
    head, end = np.int64(cards[source, low]), np.int64(cards[source, low + length - 1])
    lifted = part(keys, word, onto, head, onto + length, end)
    return mix(words[PLAIN + WORDS * target + word] + lifted)


@kernel
def swept_key(cards, now, words, keys, target, loose, word):
    """The target's mixed key after a move that completes a run."""
    put, down, run = now[HEIGHT + target], now[DOWN + target], now[RUN + target]
    left = put - down - run
    if left == 0 and down > 0:
        card = np.int64(cards[target, down - 1])
        return mix(stand(keys, word, target, down - 1, loose) + keys[SINGLE + card, word])
    first, last = np.int64(cards[target, put - run]), np.int64(cards[target, put - 1])
    taken = part(keys, word, left, first, put - down, last)
    return mix(words[PLAIN + WORDS * target + word] - taken)


@kernel
def source_key(cards, now, words, keys, source, length, loose, word):
    """The source's mixed key after a move."""
    low, down = now[HEIGHT + source] - length, now[DOWN + source]
    if low == down and down > 0:
        card = np.int64(cards[source, low - 1])
        return mix(stand(keys, word, source, down - 1, loose) + keys[SINGLE + card, word])
    head, end = np.int64(cards[source, low]), np.int64(cards[source, low + length - 1])
    lifted = part(keys, word, low - down, head, low - down + length, end)
    return mix(words[PLAIN + WORDS * source + word] - lifted)


@kernel
def expand_row(cards, now, words, keys, kid, stock, fixed):
    """Work out the child of dealing a row, which must be legal; True if it is won.

    It is played out if it may complete a run, or is the last one, after which keys are others.
    """
    kid.code = ROW_CODE
    kid.rank = 1
    first = now[STAGE] * ROW_CARDS
    full = now[STAGE] + 1 == fixed[ROWS]
    for column in range(COLUMNS):
        if stock[first + column] & RANK == ACE and now[RUN + column] == KING - 1:
            full = True
    if full:
        entry = make(cards, now, words, keys, ROW_CODE, stock, fixed)
        won = now[DONE] == SETS
        kid.first = words[TOTAL]
        kid.second = words[TOTAL + 1]
        unmake(cards, now, words, keys, entry, fixed)
        return won
    kid.first = ZERO
    kid.second = ZERO
    for column in range(COLUMNS):
        up = now[HEIGHT + column] - now[DOWN + column]
        place = SINGLE + up * CARD_CODES + np.int64(stock[first + column])
        kid.first += mix(words[PLAIN + WORDS * column] + keys[place, 0])
        kid.second += mix(words[PLAIN + WORDS * column + 1] + keys[place, 1])
    return False


@kernel
def find_ends(cards, now, one_empty):
    """Note which columns end in each rank; return the empty ones that are targets.

    A bit a column.
    """
    for rank in range(ENDS, NOW):
        now[rank] = 0
    empties = 0
    for column in range(COLUMNS):
        top = now[HEIGHT + column]
        if top > 0:
            now[ENDS + (np.int64(cards[column, top - 1]) & RANK)] |= 1 << column
        elif not (one_empty and empties):
            empties |= 1 << column
    return empties


@kernel
def name(head, length, under):
    """A move's name: the same in all positions, however their columns are ordered."""
    return head << 10 | length << 6 | under


@kernel
def last_name(cards, now, entry):
    """The name of the move that led here; none, below all others, if it completed a run."""
    length, target = (entry >> 4) & 15, entry & 15
    if not entry & MADE or entry & ROW_CODE == ROW_CODE or entry >> COMPLETED:
        return 0
    low = now[HEIGHT + target] - length
    under = np.int64(cards[target, low - 1]) if low > 0 else 0
    return name(np.int64(cards[target, low]), length, under)


@kernel
def expand(cards, now, words, slots, keys, kids, stock, fixed, entry):
    """Work out the position's children; return how many.

    slots: to be looked up in soon. kids: KID (ROOM), modified in place. entry: of the action
    that led here, by which some children are left out; zero for none. Returns -1, with the code
    in now[WIN_CODE], if a child is won.
    """
    loose = is_loose(now, fixed)
    last = now[STAGE] == fixed[ROWS]
    no_whole = last and now[REDUCED] & WHOLE != 0
    few = now[REDUCED] & TOO_FEW != 0 and not last and not fixed[RELAXED]
    empties = find_ends(cards, now, last and now[REDUCED] & EMPTY != 0)
    limit = last_name(cards, now, entry)  # in other columns, moves named lower are left out
    touched = 1 << (entry >> 8 & 15) | 1 << (entry & 15)
    back = 0  # the run, as in a move's code, that isn't to go back
    if limit > 0 and not entry & TURNED and now[REDUCED] & BACK:
        back = (entry & 15) << 8 | entry & 15 << 4
    if not now[REDUCED] & APART:
        limit = 0
    mask = np.uint64(len(slots) - 1)
    count = 0
    for source in range(COLUMNS):
        top = now[HEIGHT + source]
        limit_here = 0 if touched >> source & 1 else limit
        for length in range(1, now[RUN + source] + 1):
            head = np.int64(cards[source, top - length])
            targets = now[ENDS + (head & RANK) + 1]
            if not (no_whole and length == top):
                targets |= empties
            if back > 0 and source << 8 | length << 4 == back:
                targets &= ~(1 << (entry >> 8 & 15))
            ready = False
            first, second = ZERO, ZERO
            while targets:
                bit = targets & -targets
                targets ^= bit
                target = COLUMN_OF[bit % 11]
                put = now[HEIGHT + target]
                under = np.int64(cards[target, put - 1]) if put > 0 else 0
                if not bit & touched and name(head, length, under) < limit_here:
                    continue
                if not ready:
                    ready = True
                    first = words[TOTAL] - words[MIXED + WORDS * source]
                    second = words[TOTAL + 1] - words[MIXED + WORDS * source + 1]
                    first += source_key(cards, now, words, keys, source, length, loose, 0)
                    second += source_key(cards, now, words, keys, source, length, loose, 1)
                joins = under == head + 1
                kid = kids[count]
                kid.code = source << 8 | length << 4 | target
                kid.rank = 2 if joins else 1 if put > 0 else 0
                kid.first = first - words[MIXED + WORDS * target]
                kid.second = second - words[MIXED + WORDS * target + 1]
                if (
                    joins
                    and now[RUN + target] + length == KING
                    and np.int64(cards[source, top - 1]) & RANK == ACE
                ):
                    if now[DONE] + 1 == SETS:
                        now[WIN_CODE] = kid.code
                        return -1
                    if few and now[IN_COLUMNS] - KING < ROW_CARDS:
                        continue
                    kid.first += swept_key(cards, now, words, keys, target, loose, 0)
                    kid.second += swept_key(cards, now, words, keys, target, loose, 1)
                else:
                    kid.first += target_key(cards, now, words, keys, source, length, target, 0)
                    kid.second += target_key(cards, now, words, keys, source, length, target, 1)
                prefetch(slots, kid.first & mask)
                count += 1
    if row_allowed(now, fixed):
        if expand_row(cards, now, words, keys, kids[count], stock, fixed):
            now[WIN_CODE] = ROW_CODE
            return -1
        count += 1
    return count


@kernel
def push_new(now, slots, stack, kids, count):
    """Put the children not seen before into the table and on the stack, most wanted on top."""
    fresh = 0
    for index in range(count):
        if insert(slots, kids[index].first, kids[index].second):
            kids[fresh].code = kids[index].code
            kids[fresh].rank = kids[index].rank
            fresh += 1
    now[SEEN] += fresh
    top = now[TOP]
    for wanted in range(3):
        for index in range(fresh):
            if kids[index].rank == wanted:
                stack[top] = kids[index].code
                top += 1
    now[TOP] = top


@kernel
def advance(cards, now, words, slots, stack, kids, budget, keys, stock, fixed):
    """Search until ``budget`` more positions are seen, or there is news.

    cards, now, words: the Space. slots: uint64 (a power of two, 2). stack: int32. kids: KID
    (ROOM). Returns RUNNING; WON (the stack's made entries, then now[WIN_CODE]); EXHAUSTED;
    NEEDS_TABLE or NEEDS_STACK when the next position's children might not fit: call again with
    larger ones.
    """
    goal = now[SEEN] + budget
    while True:
        if now[OPEN]:
            if now[SEEN] >= goal:
                return RUNNING
            if 3 * (now[SEEN] + ROOM) > 2 * len(slots):
                return NEEDS_TABLE
            if now[TOP] + ROOM > len(stack):
                return NEEDS_STACK
            last = np.int64(stack[now[TOP] - 1]) if now[TOP] > 0 else 0
            count = expand(cards, now, words, slots, keys, kids, stock, fixed, last)
            if count < 0:
                return WON
            push_new(now, slots, stack, kids, count)
            now[OPEN] = 0
        top = now[TOP]
        if top == 0:
            return EXHAUSTED
        entry = np.int64(stack[top - 1])
        if entry & MADE:
            unmake(cards, now, words, keys, entry, fixed)
            now[TOP] = top - 1
        else:
            stack[top - 1] = make(cards, now, words, keys, entry, stock, fixed)
            now[OPEN] = 1
