"""The linear congruential generator of Microsoft's C run-time library.

KPatience, PySolFC and Windows Spider all draw from it, each in its own way; what they
share is the sequence of states.
"""

from __future__ import annotations

from collections.abc import Iterator

_MASK = 2**33 - 1  # the widest that any of them keeps; the bits below don't depend on it


def states(seed: int) -> Iterator[int]:
    """The states after a seed, without end; ``drawn`` makes the library's numbers of them."""
    state = seed
    while True:
        state = (state * 214013 + 2531011) & _MASK
        yield state


def drawn(state: int) -> int:
    """What ``rand()`` returns in a state: 0 to 32767."""
    return state >> 16 & 0x7FFF
