"""One beam search as a Python object: allocates, grows, counts memory, reads the solution."""

from __future__ import annotations

import functools
from collections.abc import Sequence

import numpy as np

from ...deal import MAX_ROWS, Deal
from ...game import Action
from .. import table
from ..entries import entry
from ..keys import make_numbers
from ..layout import pack
from ..moves import decode, encode
from . import levels, nodes
from .records import LOG, MAX_JOINS, Problem, beam_bytes, make_beam, memory_of
from .settings import Settings, settings_for

FIRST_TABLE = 1 << 16  # slots
FIRST_LOG = 1 << 15  # entries
NO_PAUSE = 1 << 62  # more children than any search generates
_SLOT_BYTES = 8

_numbers = functools.cache(make_numbers)
_evaluate_node = entry("beam", nodes.evaluate_node)
_set_column_data = entry("beam", nodes.set_column_data)
_set_line = entry("beam", levels.set_line)
_insert = entry("beam", table.insert)
_rehash = entry("beam", table.rehash)
_advance = entry("beam", levels.advance)


class BeamSearch:
    """A beam search of one width from one deal. ``advance`` continues it.

    width: states a level. max_bytes: memory that it may use; MemoryError when it needs more.
    settings: None for those that find solutions at this width. line: a solution that is known.
    The search starts after its first ``played`` actions, and looks for
    shorter ways to its later states. joins_needed: by rows left; a state after n actions is
    kept only if it has n joins more.
    """

    def __init__(
        self,
        deal: Deal,
        width: int,
        max_bytes: int,
        settings: Settings | None = None,
        line: tuple[Action, ...] = (),
        played: int = 0,
        joins_needed: Sequence[int] = (),
    ) -> None:
        state, root = pack(deal)
        stages = int(root["rows"]) + 1
        self.width = width
        self._max_bytes = max_bytes
        self._line = line
        self._played = played
        chosen = settings_for(width, deal.suits) if settings is None else settings
        self._problem = Problem(root, _numbers(), chosen.weights.record())
        self._settings = chosen.record(width)
        self._settings["has_line"] = bool(line)
        self._settings["joins_needed"][: len(joins_needed)] = joins_needed
        self._require(beam_bytes(width, stages) + _first_bytes())
        self._beam = make_beam(width, stages)
        self._table = np.zeros((FIRST_TABLE, 1), np.uint64)
        self._log = np.zeros(FIRST_LOG, LOG)
        self._begin(state)

    def _begin(self, state: np.void) -> None:
        """Make the packed state, after the actions that are played, the only one of a level."""
        beam = self._beam
        beam.states[0] = state
        codes = np.array([encode(action) for action in self._line], np.int16)
        _set_line(beam, self._problem, codes, self._played)
        node = beam.nodes[0]
        _evaluate_node(self._problem, beam.states[0], node, beam.scratch["prospects"])
        _set_column_data(self._problem, beam.states[0], beam.column_data[0])
        beam.counters["kept"] = beam.counters["logged"] = 1
        _insert(self._table, (node["key"],))
        self._log[0]["parent"] = -1

    @property
    def level(self) -> int:
        """The present level: steps from the root. Tidying moves are not counted."""
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
    def is_complete(self) -> bool:
        """Whether no state was dropped except those with too few joins.

        That is so with complete settings only. If such a search ends with NO_STATES, each solution
        goes through a state with too few joins, unless two states had the same 64-bit key.
        """
        return bool(self._settings["complete"]) and not self._beam.pool.selection["dropped"]

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
        entries = len(self._log) * 3 // 2 + (MAX_JOINS + 1) * self.width
        self._require(self.memory + entries * LOG.itemsize)
        larger = np.zeros(entries, LOG)
        larger[: len(self._log)] = self._log
        self._log = larger

    def solution(self) -> tuple[Action, ...]:
        """The actions from the deal to the win. Call it only after ``advance`` returned WON."""
        counters = self._beam.counters
        return self._actions_to(counters["win_parent"], counters["win_code"])

    def shortcut(self) -> tuple[tuple[Action, ...], int] | None:
        """The shortcut to a later state of the known line that saves the most actions, if any.

        Returns the actions from the deal to the state, and the number of the line's actions that
        they replace. After the last row the order of the columns may be another than on the line.
        """
        counters = self._beam.counters
        if not counters["hit_saves"]:
            return None
        actions = self._actions_to(counters["hit_parent"], counters["hit_code"])
        return actions, int(counters["hit_place"])

    def _actions_to(self, parent: int, code: int) -> tuple[Action, ...]:
        """The actions from the deal to a child. parent: index of its parent in the log."""
        codes = [int(code)]
        entry = int(parent)
        while entry > 0:
            codes.append(int(self._log[entry]["code"]))
            entry = int(self._log[entry]["parent"])
        return self._line[: self._played] + tuple(decode(code) for code in reversed(codes))

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
