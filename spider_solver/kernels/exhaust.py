"""One exhaustive search from Python: allocates, grows, counts memory, reads a win back."""

from __future__ import annotations

import functools

import numpy as np

from ..deal import Deal
from ..errors import InternalError
from ..game import Action
from . import depth_first, space
from .layout import pack
from .moves import ROW_CODE, decode

FIRST_TABLE = 1 << 12
FIRST_STACK = 1 << 12

_keys = functools.cache(space.pair_keys)


class ExhaustiveSearch:
    """A search of all that a layout can reach; ``advance`` goes on for a number of positions.

    most: bytes that it may use; MemoryError when it wants more. reduced: the reductions that
    it may use (depth_first.py).
    """

    def __init__(self, deal: Deal, most: int, reduced: int = space.ALL_REDUCTIONS) -> None:
        self._deal = deal
        self._most = most
        self._reduced = reduced
        _, self._root = pack(deal)
        self._space = self._position_at_start()
        self._kids = depth_first.make_kids()
        self._slots = np.zeros((0, space.WORDS), np.uint64)
        self._stack = np.zeros(0, np.int32)
        self._check(self.memory + least_bytes())
        self._slots = np.zeros((FIRST_TABLE, space.WORDS), np.uint64)
        self._stack = np.zeros(FIRST_STACK, np.int32)
        depth_first.insert(self._slots, *self._space.words[space.TOTAL :])
        self._space.now[space.SEEN] = 1
        self._space.now[space.OPEN] = 1

    def _position_at_start(self) -> space.Space:
        """The layout as a position to search from."""
        current = space.make_space(self._deal, self._reduced)
        space.settle(*current, _keys(), self._root.fixed)
        return current

    @property
    def seen(self) -> int:
        """Distinct positions seen so far, the first among them."""
        return int(self._space.now[space.SEEN])

    @property
    def memory(self) -> int:
        """Bytes allocated."""
        return sum(array.nbytes for array in (*self._space, self._kids, self._slots, self._stack))

    @property
    def depth(self) -> int:
        """Actions from the first position to the one that it's at."""
        return int(np.count_nonzero(self._stack[: self._space.now[space.TOP]] & space.MADE))

    @property
    def completed(self) -> int:
        """Completed runs in the position that it's at."""
        return int(self._space.now[space.DONE])

    def advance(self, positions: int) -> int:
        """Search until ``positions`` more are seen, and all children of one.

        Returns depth_first.RUNNING, WON or EXHAUSTED.
        """
        goal = self.seen + positions
        while True:
            answer = int(
                depth_first.advance(
                    *self._space,
                    self._slots,
                    self._stack,
                    self._kids,
                    goal - self.seen,
                    _keys(),
                    self._root.stock,
                    self._root.fixed,
                )
            )
            if answer == depth_first.NEEDS_TABLE:
                self._check(self.memory + 2 * self._slots.nbytes)
                larger = np.zeros((2 * len(self._slots), space.WORDS), np.uint64)
                depth_first.rehash(self._slots, larger)
                self._slots = larger
            elif answer == depth_first.NEEDS_STACK:
                self._check(self.memory + 2 * self._stack.nbytes)
                grown = np.zeros(2 * len(self._stack), np.int32)
                grown[: len(self._stack)] = self._stack
                self._stack = grown
            else:
                return answer

    def solution(self) -> tuple[Action, ...]:
        """The actions to the win, without detours.

        The search's own way there may be very long. Each step goes to the position on that way
        that is nearest to its end.
        """
        entries = self._stack[: self._space.now[space.TOP]]
        codes = (entries[entries & space.MADE != 0] & ROW_CODE).tolist()
        current = self._position_at_start()
        places = {self._key(current): 0}
        for place, code in enumerate(codes, 1):
            self._make(current, code)
            places[self._key(current)] = place
        current, taken, place = self._position_at_start(), list[int](), 0
        while (count := self._expand(current)) >= 0:
            further, best = max(
                (places.get((int(kid["first"]), int(kid["second"])), -1), int(kid["code"]))
                for kid in self._kids[:count]
            )
            if further <= place:
                raise InternalError("the exhaustive search has no way to a win")
            place = further
            taken.append(best)
            self._make(current, best)
        return tuple(map(decode, (*taken, int(current.now[space.WIN_CODE]))))

    def _expand(self, current: space.Space) -> int:
        root = self._root
        fixed = root.stock, root.fixed
        return int(depth_first.expand(*current, self._slots, _keys(), self._kids, *fixed, 0))

    def _make(self, current: space.Space, code: int) -> None:
        space.make(*current, _keys(), code, self._root.stock, self._root.fixed)

    @staticmethod
    def _key(current: space.Space) -> tuple[int, int]:
        first, second = map(int, current.words[space.TOTAL :])
        return first, second

    def _check(self, bytes_wanted: int) -> None:
        if bytes_wanted > self._most:
            raise MemoryError(f"{bytes_wanted} bytes wanted, {self._most} allowed")


def least_bytes() -> int:
    """What a search allocates before it starts, besides the position that it's at."""
    return FIRST_TABLE * depth_first.SLOT_BYTES + FIRST_STACK * 4
