"""Tidying: joining runs that fit in suit, right after an irreversible action.

Every last run that lies on a card of another suit, one rank higher, and fits in suit on the end
of another column, is moved there. Such moves are reversible, so nothing is lost, and they are
almost always wanted. They take no level of the beam of their own, and states are compared after
all such joins.
"""

from __future__ import annotations

from ...cards import KING
from ...deal import COLUMNS
from ..apply import apply_action, copy_state
from ..layout import FACE, STEP, scan_columns
from ..loading import kernel
from ..moves import make_code
from .records import MAX_JOINS


@kernel
def find_join(state, scan):
    """The code of a move that joins two runs, or -1: the first source, its last target.

    scan: SCAN as left by layout.scan_columns. Only runs on a card of another suit, one rank
    higher, are moved, and no run is completed.
    """
    for source in range(COLUMNS):
        length = scan.run[source]
        up = state.face_up[source]
        if length == 0 or length == up:
            continue
        head = state.cards[scan.start[source] + up - length]
        if not head & STEP:
            continue
        wanted = (head & FACE) + 1
        for target in range(COLUMNS - 1, -1, -1):
            target_up = state.face_up[target]
            if (
                target_up > 0
                and state.cards[scan.start[target] + target_up - 1] & FACE == wanted
                and scan.run[target] + length < KING
            ):
                return make_code(source, length, target)
    return -1


@kernel
def tidy(state, root, scratch):
    """Join runs of a state, in place: the moves' codes in ``scratch.joins``. Returns how many."""
    count = 0
    while count < MAX_JOINS:
        scan_columns(state, scratch.scan)
        code = find_join(state, scratch.scan)
        if code < 0:
            break
        apply_action(state, scratch.scan, code, root, scratch.state)
        copy_state(scratch.state, state)
        scratch.joins[count] = code
        count += 1
    return count
