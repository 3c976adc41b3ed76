"""One beam search as a Python object: allocates, grows, counts memory, reads the solution."""

from __future__ import annotations

import functools

import numpy as np

from ...deal import MAX_ROWS, Deal
from ...game import Action
from .. import table
from ..entries import entry
from ..keys import make_numbers
from ..layout import pack
from ..moves import decode
from . import levels, nodes
from .evaluation import Weights
from .records import LOG, MAX_JOINS, Problem, beam_bytes, make_beam, memory_of
from .settings import settings_for, weights_for

FIRST_TABLE = 1 << 16  # slots
FIRST_LOG = 1 << 15  # entries
NO_PAUSE = 1 << 62  # more children than any search generates
_SLOT_BYTES = 8

_numbers = functools.cache(make_numbers)
_evaluate_node = entry("beam", nodes.evaluate_node)
_set_column_keys = entry("beam", nodes.set_column_keys)
_insert = entry("beam", table.insert)
_rehash = entry("beam", table.rehash)
_advance = entry("beam", levels.advance)


class BeamSearch:
    """A beam search of one width from one deal. ``advance`` continues it.

    width: states a level. max_bytes: memory that it may use; MemoryError when it needs more.
    weights: replace the weights chosen by width.
    """

    def __init__(
        self, deal: Deal, width: int, max_bytes: int, weights: Weights | None = None
    ) -> None:
        state, root = pack(deal)
        stages = int(root["rows"]) + 1
        self._width = width
        self._max_bytes = max_bytes
        self._problem = Problem(root, _numbers(), (weights or weights_for(width)).record())
        self._settings = settings_for(width)
        self._require(beam_bytes(width, stages) + _first_bytes())
        self._beam = make_beam(width, stages)
        self._table = np.zeros((FIRST_TABLE, 1), np.uint64)
        self._log = np.zeros(FIRST_LOG, LOG)
        self._begin(state)

    def _begin(self, state: np.void) -> None:
        """Make the packed state the only one of the first level."""
        beam = self._beam
        beam.states[0] = state
        node = beam.nodes[0]
        _evaluate_node(self._problem, beam.states[0], node, beam.scratch["prospects"])
        _set_column_keys(self._problem, beam.states[0], beam.column_keys[0])
        beam.counts[0] = 1
        beam.counters["kept"] = beam.counters["logged"] = 1
        _insert(self._table, (node["key"],))
        self._log[0]["parent"] = -1

    @property
    def level(self) -> int:
        """Levels done: steps from the root; tidying moves are not counted."""
        return int(self._beam.counters["level"])

    @property
    def states(self) -> int:
        """States kept so far, including the root."""
        return int(self._beam.counters["kept"])

    @property
    def generated(self) -> int:
        """Children evaluated so far."""
        return int(self._beam.counters["generated"])

    @property
    def completed(self) -> int:
        """The most completed runs of a child so far."""
        return int(self._beam.counters["most_completed"])

    @property
    def memory(self) -> int:
        """Bytes allocated."""
        return memory_of(self._beam) + self._table.nbytes + self._log.nbytes

    def advance(self, states: int, children: int = NO_PAUSE) -> int:
        """Search until ``states`` more are kept, and to the end of that level.

        Returns levels.RUNNING, WON or NO_STATES; or PAUSED, within a level, after about
        ``children`` children. Raises MemoryError.
        """
        goal = self.states + states
        while True:
            arguments = self._beam, self._table, self._log, self._problem, self._settings
            answer = int(_advance(*arguments, goal - self.states, children))
            if answer == levels.NEEDS_TABLE:
                self._grow_table()
            elif answer == levels.NEEDS_LOG:
                self._grow_log()
            else:
                return answer

    def _grow_table(self) -> None:
        self._require(self.memory + 2 * self._table.nbytes)
        larger = np.zeros((2 * len(self._table), 1), np.uint64)
        _rehash(self._table, larger)
        self._table = larger

    def _grow_log(self) -> None:
        entries = len(self._log) * 3 // 2 + (MAX_JOINS + 1) * self._width
        self._require(self.memory + entries * LOG.itemsize)
        larger = np.zeros(entries, LOG)
        larger[: len(self._log)] = self._log
        self._log = larger

    def solution(self) -> tuple[Action, ...]:
        """The actions from the root to the win. Call it only after ``advance`` returned WON."""
        codes = [int(self._beam.counters["win_code"])]
        entry = int(self._beam.counters["win_parent"])
        while entry > 0:
            codes.append(int(self._log[entry]["code"]))
            entry = int(self._log[entry]["parent"])
        return tuple(decode(code) for code in reversed(codes))

    def _require(self, wanted: int) -> None:
        """MemoryError if ``wanted`` bytes are more than the search may use."""
        if wanted > self._max_bytes:
            raise MemoryError(f"{wanted} bytes wanted, {self._max_bytes} allowed")


def compile_search(deal: Deal) -> None:
    """Call every kernel of the search once, so that it is compiled or loaded."""
    search = BeamSearch(deal, 1, least_bytes(1) + FIRST_TABLE * 2 * _SLOT_BYTES)
    search.advance(0)
    search._grow_table()


def _first_bytes() -> int:
    return FIRST_TABLE * _SLOT_BYTES + FIRST_LOG * LOG.itemsize


def least_bytes(width: int) -> int:
    """What a search of some width, from any deal, allocates at most before it starts."""
    return beam_bytes(width, MAX_ROWS + 1) + _first_bytes()
