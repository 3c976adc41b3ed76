"""One beam search from Python: allocates, grows, counts memory, reads the solution back."""

from __future__ import annotations

import functools

import numpy as np

from ..deal import MAX_ROWS, Deal
from ..game import Action
from ..result import FIRST_WIDTH
from . import beam
from .children import column_keys, work_out
from .evaluate import Weights
from .layout import ROWS, pack
from .moves import NO_TWINS, WHOLE_RUNS, decode
from .table import insert, rehash
from .tidy import MOST
from .zobrist import make_keys

FIRST_TABLE = 1 << 16
FIRST_LOG = 1 << 15
CAP_PART = 0.3  # of a share, for states with the same face-down counts
# By rows left, the level from which on a stage is given up. On native 3001 to 3200, four
# suits, width 400, no winning line was in one later than at 147, 120, 108, 66 and 42, every
# move counted; now moves that tidy up cost no level.
DEADLINES = (300, 160, 130, 110, 75, 50)
# Widths double from FIRST_WIDTH on. What one setting of the search misses, another often finds,
# so every other width has weights of its own; from the wide ones of these on also moves that
# split a run onto a card, which most deals don't need and which make the beam weaker.
OTHER_WEIGHTS = Weights(down=-40)
SPLITTING_FROM = 512


def tuning(width: int) -> tuple[Weights, int]:
    """The weights, and what moves.generate leaves out, of a beam of some width."""
    doublings = max(width // FIRST_WIDTH, 1).bit_length() - 1
    if doublings % 2 == 0:
        return Weights(), WHOLE_RUNS
    return OTHER_WEIGHTS, NO_TWINS if width >= SPLITTING_FROM else WHOLE_RUNS


_keys = functools.cache(make_keys)


class BeamSearch:
    """A search of one width from one layout; ``advance`` goes on for a number of states.

    width: states a level. most: bytes that it may use; MemoryError when it wants more.
    weights: other ones than the width's own.
    """

    def __init__(self, deal: Deal, width: int, most: int, weights: Weights | None = None) -> None:
        state, self._root = pack(deal)
        stages = int(self._root.fixed[ROWS]) + 1
        self._width = width
        self._most = most
        own_weights, self._reduced = tuning(width)
        self._weights = (weights or own_weights).array()
        self._deadlines = np.array(DEADLINES, np.int64)
        self._table = np.zeros(0, np.uint64)
        self._log = np.zeros(0, beam.LOG)
        self._check(beam.beam_bytes(width, stages) + FIRST_TABLE * 8 + FIRST_LOG * 6)
        self._beam = beam.make_beam(width, stages)
        self._beam.states[0] = state
        root = self._beam.nodes[0]
        work_out(
            root,
            self._beam.states,
            0,
            self._root.stock,
            self._root.fixed,
            _keys(),
            self._weights,
            self._beam.columns,
        )
        last = self._root.fixed[ROWS] == 0
        column_keys(self._beam.states, self._beam.plain, 0, last, _keys())
        self._beam.counts[0] = 1
        self._beam.now[beam.KEPT] = 1
        self._beam.now[beam.PLACES] = 1
        self._table = np.zeros(FIRST_TABLE, np.uint64)
        insert(self._table, root["key"])
        self._log = np.zeros(FIRST_LOG, beam.LOG)
        self._log[0]["parent"] = -1

    @property
    def level(self) -> int:
        """Actions made so far."""
        return int(self._beam.now[beam.LEVEL])

    @property
    def states(self) -> int:
        """States kept so far, the root among them."""
        return int(self._beam.now[beam.KEPT])

    @property
    def generated(self) -> int:
        """Children worked out so far."""
        return int(self._beam.now[beam.GENERATED])

    @property
    def completed(self) -> int:
        """Completed runs in the best state so far."""
        return int(self._beam.now[beam.BEST_RUNS])

    @property
    def memory(self) -> int:
        """Bytes allocated."""
        return sum(array.nbytes for array in (*self._beam, self._table, self._log))

    def advance(self, states: int, patience: int = 1 << 62) -> int:
        """Search until ``states`` more are kept, and to that level's end.

        Returns beam.RUNNING, WON or EMPTY; PAUSED, in mid-level, after some ``patience``
        children.
        """
        goal = self.states + states
        while True:
            answer = int(
                beam.advance(
                    self._beam,
                    self._table,
                    self._log,
                    self._width,
                    CAP_PART,
                    self._deadlines,
                    self._reduced,
                    goal - self.states,
                    patience,
                    self._root,
                    _keys(),
                    self._weights,
                )
            )
            if answer == beam.NEEDS_TABLE:
                self._check(self.memory + 2 * self._table.nbytes)
                larger = np.zeros(2 * len(self._table), np.uint64)
                rehash(self._table, larger)
                self._table = larger
            elif answer == beam.NEEDS_LOG:
                self._check(self.memory + self._larger_log() * beam.LOG.itemsize)
                grown = np.zeros(self._larger_log(), beam.LOG)
                grown[: len(self._log)] = self._log
                self._log = grown
            else:
                return answer

    def _larger_log(self) -> int:
        return len(self._log) * 3 // 2 + (MOST + 1) * self._width

    def solution(self) -> tuple[Action, ...]:
        """The actions from the root to the win."""
        codes = [int(self._beam.now[beam.WIN_CODE])]
        place = int(self._beam.now[beam.WIN_PARENT])
        while place > 0:
            codes.append(int(self._log[place]["code"]))
            place = int(self._log[place]["parent"])
        return tuple(decode(code) for code in reversed(codes))

    def _check(self, bytes_wanted: int) -> None:
        if bytes_wanted > self._most:
            raise MemoryError(f"{bytes_wanted} bytes wanted, {self._most} allowed")


def least_bytes(width: int) -> int:
    """What a search of a width allocates before it starts, at most."""
    return beam.beam_bytes(width, MAX_ROWS + 1) + FIRST_TABLE * 8 + FIRST_LOG * 6
