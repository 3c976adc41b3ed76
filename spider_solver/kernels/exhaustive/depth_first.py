"""Exhaustive search: every position that can be reached from a first one, each once.

The search goes depth first with an explicit stack. It computes the keys of a position's children
incrementally and looks them up. The children not seen before go into the transposition table and,
as move codes, on the stack. One position is kept in full: to go down, an action is played on it;
to go back, the action is undone. If the stack runs empty without a win, then no win exists: every
position that can be reached was seen, up to the reductions below. All data is in arrays and
records, so ``advance`` can pause at any position and continue.

Keys
----
The table holds 128 bits for each position: the two words of its key (keys.py), which use
independent random numbers. That is 16 bytes where a packed state has 128, so eight times as many
positions fit, and a look-up touches one cache line. The price is a chance of error, which is
reported.

A word of a key is the sum of ten mixed column keys. Assume that the mixed keys of different
columns are independent and uniform, because they come from random numbers. This is an assumption:
the numbers come from SplitMix64 with fixed seeds, so that results can be repeated. The chance is
over the choice of the seeds. Take two different positions. Their keys differ, in each word, by a
sum of terms m * x. Each x is the mixed key of a column that occurs in one of the positions; it is
uniform. Each m, from -10 to 10, says how many times more often that column occurs in the first
position than in the second. If some m is odd, the sum is uniform. Otherwise the sum is a multiple
of a power of two that is at most 8, times a uniform number: it is zero with a chance of at most 8
/ 2^64. The table stores a first word of 0 as 1, so words that differ by 1 can be equal too. That
needs an odd m, and the chance is then at most 3 / 2^64. So both words are equal with a chance of
at most 2^-122.

The search can err only if it meets a position whose key equals the key of an earlier, different
position. Call the first such position x. Up to x the search is the same as a search without such
an error. So if the search ends after it has seen n positions, then x is among the first n + 1
positions of the search without error. These form fewer than (n + 1)^2 / 2 pairs, so the chance of
an error is below (n + 1)^2 / 2^123 (``error_bound``).

Two positions of one search that have the same columns and face-down cards are the same in
everything that decides the future. The number of cards determines how many rows were dealt and
runs completed: 10 * rows - 13 * runs takes different values for different pairs of rows from 0 to
5 and runs from 0 to 8. The cards that are left determine which suits are completed.

Reductions
----------
Each reduction can be turned off (``reductions``). Call two positions *equivalent* if no row is
left and one is the other with its columns in another order. The *distance* of a position is the
least number of actions from it to a win. All reductions keep one property:

    Let a visited position have the distance d > 0. Then it has a child c at distance d - 1 such
    that c or an equivalent of c is visited at some time.

By induction on d, the search meets a win if there is one.

EQUAL (always on): two copies of a card are one card. No rule tells them apart.

ORDER: after the last row, positions that differ in the order of their columns have the same key.
    The rules refer to a column only by what it holds, except for the row, and no row is left.
    Exchanging columns turns a legal line into a legal line of the same length, so equivalent
    positions have equal distances. Before the last row this would be wrong: the next row tells
    the columns apart. (Columns with face-down cards keep their order: the keys tell them apart.)

EMPTY: after the last row, only the first empty column is a target. The children of two empty
    targets differ by an exchange of these two columns.

WHOLE: after the last row, a whole column isn't moved to an empty one. The child would be
    equivalent to its parent, so it would be at the distance d, not d - 1.

TOO_FEW: under the standard rule, a child by a move isn't visited if it isn't won and has fewer than
    ten cards in its columns. There is no win from it. Moves add no cards, so there is always an
    empty column, and no row can be dealt. A further run needs thirteen cards.

The next two reductions, BACK and APART, save look-ups, not positions. They keep a stronger
property: every child of a visited position is *settled*. That means: the child or an equivalent of
it is visited, or there is no win from the child (TOO_FEW).

BACK: the move that takes back the last move leads to the position before it, which was visited.
    This holds if the last move turned no card and completed no run.

APART: let x be a position that was reached from p by the move c, which completed no run. A move m
    of x is left out if its two columns are not columns of c and its number is below c's number. A
    move's number consists of the first card lifted, the number of cards and the card that it goes
    onto. So a move has the same number in equivalent positions, and the same number before and
    after a move between two other columns.

    Claim: the child of x by m is settled all the same. The move m was legal in p. Let x' be the
    child of p by m; then the child of x by m is also the child of x' by c. In x', too, c completes
    no run, because m changes neither of its columns. Suppose that the claim
    holds for all moves with a higher number than m's, and for m in all positions visited before x.
    Then x' is settled, because p was visited before x. (EMPTY may leave m out in p, if its target
    is another empty column than the first. Then take the move to the first one instead: it has the
    same number, and its child is equivalent to x'. If WHOLE leaves m out in p, then x' is
    equivalent to p.) If there is no win from x', there is none
    from its children. Otherwise x' or an equivalent of it is visited, and its child by c, whose
    number is higher than m's, is settled. There are finitely many numbers and positions, so the
    claim holds for all.

    If c completed a run, its cards left the tableau, so its number can't be read from x. Then
    nothing is left out. If APART ignored this, or if numbers contained columns, then the search
    would miss positions. But no wrong verdict was found in 150,000 won positions
    (``tests/test_exhaustive_conditions.py`` counts positions seen instead).

    A move is left out before it is tested for a win. That is safe: c completed no run, so if m wins
    in x, it completed the eighth run in p as well, and the search ended there.
"""

from __future__ import annotations

import numpy as np

from ..jit import kernel
from ..table import insert, is_too_full
from .children import CHILD_WON, MAX_CHILDREN, PRIORITIES, expand
from .position import is_played, make, unmake

# The answers of ``advance``.
RUNNING, WON, EXHAUSTED, NEEDS_TABLE, NEEDS_STACK = range(5)

COUNTERS = np.dtype(
    [
        ("seen", np.int64),  # distinct positions in the table
        ("stack_entries", np.int64),  # entries on the stack
        ("is_new", np.int64),  # 1 if the present position's children are yet to be computed
    ]
)


def error_bound(seen: int) -> float:
    """An upper bound on the chance that a search of so many positions missed one."""
    return (seen + 1) ** 2 / 2**123


@kernel
def count_played(stack, entries):
    """How many of the first ``entries`` entries of the stack are undo entries."""
    played = 0
    for index in range(entries):
        if is_played(np.int64(stack[index])):
            played += 1
    return played


@kernel
def push_new(counters, table, stack, expansion):
    """Put the children not seen before into the table and on the stack, best priority on top.

    Codes and priorities in ``expansion.children`` are overwritten.
    """
    children = expansion.children
    new = 0
    for index in range(expansion.count):
        if insert(table, children[index].key):
            children[new].code = children[index].code
            children[new].priority = children[index].priority
            new += 1
    counters.seen += new
    entries = counters.stack_entries
    for priority in range(PRIORITIES):
        for index in range(new):
            if children[index].priority == priority:
                stack[entries] = children[index].code
                entries += 1
    counters.stack_entries = entries


@kernel
def advance(position, counters, table, stack, numbers, root, expansion, positions):
    """Search until ``positions`` more are seen, or until another answer applies.

    position: SEARCH_POSITION. counters: COUNTERS. table: uint64 (slots, 2). stack: int32; undo
    entries of the actions played, and codes of those to play. numbers: keys.numbers_dtype(2).
    root: layout.ROOT. expansion: EXPANSION. Returns RUNNING; WON (the stack's undo entries, then
    ``expansion.win_code``); EXHAUSTED; NEEDS_TABLE or NEEDS_STACK: the next position's children
    might not fit, call again with larger ones.
    """
    goal = counters.seen + positions
    while True:
        if counters.is_new:
            if counters.seen >= goal:
                return RUNNING
            if is_too_full(table, counters.seen + MAX_CHILDREN):
                return NEEDS_TABLE
            if counters.stack_entries + MAX_CHILDREN > len(stack):
                return NEEDS_STACK
            entries = counters.stack_entries
            last = np.int64(stack[entries - 1]) if entries > 0 else 0
            if expand(position, table, numbers, root, expansion, last) == CHILD_WON:
                return WON
            push_new(counters, table, stack, expansion)
            counters.is_new = 0
        if counters.stack_entries == 0:
            return EXHAUSTED
        top = counters.stack_entries - 1
        entry = np.int64(stack[top])
        if is_played(entry):
            unmake(position, numbers, root, entry)
            counters.stack_entries = top
        else:
            stack[top] = make(position, numbers, root, entry)
            counters.is_new = 1
