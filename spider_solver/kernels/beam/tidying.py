"""Tidying: joining runs that fit in suit, right after an action that changes the class key.

Consider a last run that lies on a card of another suit, one rank higher. If it fits in suit on the
end of another column and completes no run there, it is moved to that column. At most MAX_JOINS
such moves are made after one action. They are reversible, so nothing is lost, and they are almost
always wanted. They take no level of the beam of their own. Candidates are scored before tidying;
the states that are kept are scored again after it.
"""

from __future__ import annotations

from ...cards import KING
from ...deal import COLUMNS
from ..apply import apply_action, copy_state
from ..jit import kernel
from ..layout import CARD, STEP
from ..moves import make_code
from .nodes import load_scan, update_column_data
from .records import MAX_JOINS

NO_JOIN = -1


@kernel
def find_join(state, scan):
    """The code of a move that joins two runs, or NO_JOIN.

    scan: SCAN without ``ending``. It is the move from the source with the lowest
    index, and for that source to the target with the highest index.
    """
    for source in range(COLUMNS):
        count = scan.run_length[source]
        up = state.face_up[source]
        if count == 0 or count == up:
            continue
        head = state.cards[scan.start[source] + up - count]
        if not head & STEP:
            continue
        wanted = (head & CARD) + 1
        for target in range(COLUMNS - 1, -1, -1):
            target_up = state.face_up[target]
            if (
                target_up > 0
                and state.cards[scan.start[target] + target_up - 1] & CARD == wanted
                and scan.run_length[target] + count < KING
            ):
                return make_code(source, count, target)
    return NO_JOIN


@kernel
def tidy(problem, state, column_data, scratch):
    """Join runs of a state, in place: the moves' codes in ``scratch.joins``. Returns how many.

    column_data: COLUMN_DATA of the state, updated. scratch: SCRATCH; ``scan`` and ``state`` are
    modified too.
    """
    joins = 0
    while joins < MAX_JOINS:
        load_scan(state, column_data, scratch.scan)
        code = find_join(state, scratch.scan)
        if code == NO_JOIN:
            break
        apply_action(state, scratch.scan, code, problem.root, scratch.state)
        copy_state(scratch.state, state)
        update_column_data(problem, state, code, column_data)
        scratch.joins[joins] = code
        joins += 1
    return joins
