"""Tidying: joining, at once, what fits in suit.

After an action that can't be taken back, every last run that lies on a card of another suit,
one rank higher, and fits in suit on the end of another column, is moved there. Such moves are
reversible, so nothing is lost, and almost always wanted. Made at once, they cost no level of
the beam, and states are compared when the pairs that are there for the taking have been taken.
"""

from __future__ import annotations

from ..cards import KING
from ..deal import COLUMNS
from .layout import FACE, LENGTH, START, STATE_BYTES, STEP, UP, scan
from .loading import kernel
from .moves import make

MOST = 7  # joins made at once


@kernel
def find_join(states, at, work):
    """The code of a move that joins two runs, or -1; the first source, its last target.

    work: as left by layout.scan. Only runs on a card of another suit, one rank higher, are
    moved, and no run is completed.
    """
    for source in range(COLUMNS):
        length = work[LENGTH + source]
        up = states[at, UP + source]
        if length == 0 or length == up:
            continue
        head = states[at, work[START + source] + up - length]
        if not head & STEP:
            continue
        wanted = (head & FACE) + 1
        for target in range(COLUMNS - 1, -1, -1):
            others = states[at, UP + target]
            if (
                others > 0
                and states[at, work[START + target] + others - 1] & FACE == wanted
                and work[LENGTH + target] + length < KING
            ):
                return source << 8 | length << 4 | target
    return -1


@kernel
def tidy(states, at, hidden, stock, work, scratch, codes):
    """Join runs in row ``at``, in place; the moves' codes into ``codes``, return how many."""
    count = 0
    while count < MOST:
        scan(states, at, work)
        code = find_join(states, at, work)
        if code < 0:
            break
        make(states, at, work, code, hidden, stock, scratch, 0)
        for i in range(STATE_BYTES):
            states[at, i] = scratch[0, i]
        codes[count] = code
        count += 1
    return count
