"""One exhaustive search as a Python object: allocates, grows, counts memory, reads the win."""

from __future__ import annotations

import functools

import numpy as np

from ...deal import Deal
from ...errors import InternalError
from ...game import Action
from .. import table
from ..entries import entry
from ..layout import new_record, pack
from ..moves import ROW_CODE, decode
from . import children, depth_first
from . import position as kernels
from .children import CHILD_WON, EXPANSION
from .position import ALL_REDUCTIONS, WORDS, make_pair_numbers, make_position

FIRST_TABLE = 1 << 12  # slots
FIRST_STACK = 1 << 12  # entries
_SLOT_BYTES = 8 * WORDS
_ENTRY = np.int32
_COMPILING_BYTES = 1 << 20  # enough for a search that sees few positions

_numbers = functools.cache(make_pair_numbers)
_settle = entry("exhaustive", kernels.settle)
_make = entry("exhaustive", kernels.make)
_expand = entry("exhaustive", children.expand)
_insert = entry("exhaustive", table.insert)
_rehash = entry("exhaustive", table.rehash)
_advance = entry("exhaustive", depth_first.advance)
_count_played = entry("exhaustive", depth_first.count_played)
# Short functions that Python calls for one number: compiled, they would be slower.
_action_code, _is_played = kernels.action_code.py_func, kernels.is_played.py_func


class ExhaustiveSearch:
    """A search of everything that a deal can reach. ``advance`` continues it.

    max_bytes: memory that it may use; MemoryError when it needs more. reductions: those that it
    may use (depth_first.py).
    """

    def __init__(self, deal: Deal, max_bytes: int, reductions: int = ALL_REDUCTIONS) -> None:
        self._deal = deal
        self._max_bytes = max_bytes
        self._reductions = reductions
        _, self._root = pack(deal)
        self._position = self._first_position()
        self._counters = new_record(depth_first.COUNTERS)
        self._expansion = new_record(EXPANSION)
        self._table = np.zeros((0, WORDS), np.uint64)
        self._stack = np.zeros(0, _ENTRY)
        self._require(self.memory + least_bytes())
        self._table = np.zeros((FIRST_TABLE, WORDS), np.uint64)
        self._stack = np.zeros(FIRST_STACK, _ENTRY)
        _insert(self._table, self._position["key"])
        self._counters["seen"] = 1
        self._counters["is_new"] = 1

    def _first_position(self) -> np.void:
        """The deal as a position to search from."""
        position = make_position(self._deal, self._reductions)
        _settle(position, _numbers(), self._root)
        return position

    @property
    def seen(self) -> int:
        """Distinct positions seen so far, including the first."""
        return int(self._counters["seen"])

    @property
    def memory(self) -> int:
        """Bytes allocated."""
        parts = (self._position, self._counters, self._expansion, self._table, self._stack)
        return sum(part.nbytes for part in parts)

    @property
    def depth(self) -> int:
        """Actions from the first position to the present one."""
        return int(_count_played(self._stack, self._counters["stack_entries"]))

    @property
    def completed(self) -> int:
        """Completed runs of the present position."""
        return int(self._position["completed"])

    def advance(self, positions: int) -> int:
        """Search until ``positions`` more are seen, and all children of one.

        Returns depth_first.RUNNING, WON or EXHAUSTED. Raises MemoryError.
        """
        goal = self.seen + positions
        while True:
            answer = int(
                _advance(
                    self._position,
                    self._counters,
                    self._table,
                    self._stack,
                    _numbers(),
                    self._root,
                    self._expansion,
                    goal - self.seen,
                )
            )
            if answer == depth_first.NEEDS_TABLE:
                self._grow_table()
            elif answer == depth_first.NEEDS_STACK:
                self._grow_stack()
            else:
                return answer

    def _grow_table(self) -> None:
        self._require(self.memory + 2 * self._table.nbytes)
        larger = np.zeros((2 * len(self._table), WORDS), np.uint64)
        _rehash(self._table, larger)
        self._table = larger

    def _grow_stack(self) -> None:
        self._require(self.memory + 2 * self._stack.nbytes)
        larger = np.zeros(2 * len(self._stack), _ENTRY)
        larger[: len(self._stack)] = self._stack
        self._stack = larger

    def solution(self) -> tuple[Action, ...]:
        """The actions to the win. Call it only after ``advance`` returned WON.

        The path that the search took may be very long. So each step goes to the child that is
        farthest along that path. The expansion is overwritten.
        """
        position = self._first_position()
        index_of = {_key(position): 0}  # of the positions on the search's path
        for index, code in enumerate(self._codes(), 1):
            _make(position, _numbers(), self._root, code)
            index_of[_key(position)] = index
        position, codes, reached = self._first_position(), list[int](), 0
        while (count := self._expand(position)) != CHILD_WON:
            index, code = max(
                (index_of.get(_key(child), -1), int(child["code"]))
                for child in self._expansion["children"][:count]
            )
            if index <= reached:
                raise InternalError("no child continues the path of the exhaustive search")
            reached = index
            codes.append(code)
            _make(position, _numbers(), self._root, code)
        return tuple(map(decode, (*codes, int(self._expansion["win_code"]))))

    def _codes(self) -> list[int]:
        """The codes of the actions from the first position to the present one."""
        entries = self._stack[: self._counters["stack_entries"]].tolist()
        return [_action_code(entry) for entry in entries if _is_played(entry)]

    def _expand(self, position: np.void) -> int:
        arguments = position, self._table, _numbers(), self._root, self._expansion
        return int(_expand(*arguments, 0))

    def _require(self, wanted: int) -> None:
        """MemoryError if ``wanted`` bytes are more than the search may use."""
        if wanted > self._max_bytes:
            raise MemoryError(f"{wanted} bytes wanted, {self._max_bytes} allowed")


def compile_search(deal: Deal) -> None:
    """Call every kernel of the search once, so that it is compiled or loaded."""
    search = ExhaustiveSearch(deal, _COMPILING_BYTES)
    search.advance(1)
    search._grow_table()
    _count_played(search._stack, 0)
    position = search._first_position()
    search._expand(position)
    _make(position, _numbers(), search._root, ROW_CODE)


def _key(record: np.void) -> tuple[int, int]:
    """The key of a position or a child."""
    first, second = map(int, record["key"])
    return first, second


def least_bytes() -> int:
    """What a search allocates before it starts, besides its records."""
    return FIRST_TABLE * _SLOT_BYTES + FIRST_STACK * np.dtype(_ENTRY).itemsize
