"""Move codes, and the legal moves of a packed state.

An action's code has twelve bits: bits 8-11 the source column, bits 4-7 the number of cards,
bits 0-3 the target column. ``ROW_CODE`` is a row dealt from the stock. Only this module knows
the order of these bits. Bits 12 and up are free for callers: the functions that take a code apart
ignore them.
"""

from __future__ import annotations

import numpy as np

from ..deal import COLUMNS
from ..game import ROW, Action, Move, Row
from .jit import kernel
from .layout import RANK, RANK_CODES

ROW_CODE = 0xFFF
CODE_MASK = 0xFFF  # all bits of a code
# Which moves a search looks at. NO_EQUIVALENTS leaves out moves of a whole column to an empty
# one, and all empty targets but the first: the positions differ in the order of columns only.
# Nothing is lost by that after the last row; before it, it is a heuristic. WHOLE_RUNS leaves out
# the same moves, and also moves of a part of a run onto a card.
ALL_MOVES, NO_EQUIVALENTS, WHOLE_RUNS = range(3)
MAX_CODES = 1024  # more than any state's moves: at most 104 tails of runs, nine targets each


@kernel
def make_code(source, count, target):
    """The code of a move of ``count`` cards from column ``source`` to column ``target``."""
    return source << 8 | count << 4 | target


@kernel
def source_of(code):
    """The column that a move takes cards from."""
    return code >> 8 & 15


@kernel
def count_of(code):
    """The number of cards that a move takes."""
    return code >> 4 & 15


@kernel
def target_of(code):
    """The column that a move puts cards on."""
    return code & 15


def encode(action: Action) -> int:
    """An action's code."""
    if isinstance(action, Row):
        return ROW_CODE
    return int(make_code.py_func(action.source, action.count, action.target))


def decode(code: int) -> Action:
    """The action of a code."""
    if code == ROW_CODE:
        return ROW
    # The functions before they were compiled: a call from Python to a kernel is slower.
    return Move(source_of.py_func(code), target_of.py_func(code), count_of.py_func(code))


@kernel
def find_ends(state, scan, move_set):
    """Find which columns end in each rank; return the empty columns that are targets.

    scan: SCAN as left by layout.scan_columns; ``ending`` is modified. move_set: one of the
    constants above. Returns one bit for each empty column, or for the first one only.
    """
    for rank in range(RANK_CODES):
        scan.ending[rank] = 0
    empty_targets = 0
    for column in range(COLUMNS):
        up = np.int64(state.face_up[column])
        if up > 0:
            rank = state.cards[scan.start[column] + up - 1] & RANK
            scan.ending[rank] |= 1 << column
        elif move_set == ALL_MOVES or empty_targets == 0:
            empty_targets |= 1 << column
    return empty_targets


@kernel
def targets_of(state, scan, move_set, empty_targets, source, count):
    """The columns that the last ``count`` cards of a run may go to, one bit each.

    scan, empty_targets: as left and returned by ``find_ends`` for the same ``move_set``.
    """
    up = np.int64(state.face_up[source])
    targets = scan.ending[(state.cards[scan.start[source] + up - count] & RANK) + 1]
    if move_set == WHOLE_RUNS and count < scan.run_length[source]:
        targets = 0
    if move_set == ALL_MOVES or count < up or state.face_down[source] > 0:
        targets |= empty_targets
    return targets


@kernel
def lowest_bit(bits):
    """The index of the lowest bit that is set; ``bits`` must not be zero.

    LLVM compiles the loop to the instruction that counts bits.
    """
    below = (bits & -bits) - 1
    index = 0
    while below:
        below &= below - 1
        index += 1
    return index


@kernel
def generate(state, scan, move_set, codes):
    """Write the codes of the moves of a state that are in the move set; return how many.

    scan: SCAN as left by layout.scan_columns. codes: int16 (MAX_CODES), modified in place:
    sources in order, shortest tail first, targets in order.
    """
    written = 0
    empty_targets = find_ends(state, scan, move_set)
    for source in range(COLUMNS):
        for count in range(1, scan.run_length[source] + 1):
            targets = targets_of(state, scan, move_set, empty_targets, source, count)
            target = 0
            while targets:
                if targets & 1:
                    codes[written] = make_code(source, count, target)
                    written += 1
                targets >>= 1
                target += 1
    return written
