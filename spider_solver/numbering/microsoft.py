"""The linear congruential generator of Microsoft's C run-time library.

KPatience, PySolFC and Windows Spider all use its sequence of states. Each of them computes its
random numbers from the states in its own way.
"""

from __future__ import annotations

from collections.abc import Iterator

# These programs keep at most 33 bits of a state. The lower bits do not depend on the higher ones.
_MASK = 2**33 - 1


def states(seed: int) -> Iterator[int]:
    """Yield the states that follow a seed, without end."""
    state = seed
    while True:
        state = (state * 214013 + 2531011) & _MASK
        yield state


def rand_output(state: int) -> int:
    """Return what the library's ``rand()`` returns in a state: 0 to 32767."""
    return state >> 16 & 0x7FFF
