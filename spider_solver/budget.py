"""The budget of a search: its limits, its clock, and the states and positions counted so far."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager

from .memory import default_memory
from .result import Limits, Progress


class LimitReached(Exception):
    """A limit ended the search. The message says which limit."""


class MemoryLimitReached(LimitReached):
    """A beam search needed more memory than it may allocate.

    An exhaustive search may still succeed within the limit.
    """


class Budget:
    """The limits of one search and what the search has used of them.

    The clock starts when the budget is made.
    """

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self.states = 0  # states kept by the beams of this search that have ended
        self.children = 0  # children that they evaluated
        self.positions = 0  # distinct positions seen by the exhaustive search
        self.exhaustive_memory = 0  # bytes allocated by the exhaustive search
        self._start = time.perf_counter()

    @property
    def seconds(self) -> float:
        """Seconds since the start, without the time in which the clock was stopped."""
        return time.perf_counter() - self._start

    @property
    def seconds_left(self) -> float | None:
        """Seconds until the time limit, at least 0.01; None without a time limit."""
        limit = self.limits.time_limit
        return None if limit is None else max(limit - self.seconds, 0.01)

    @property
    def memory(self) -> int:
        """Bytes that the search may allocate in all."""
        return self.limits.max_memory or default_memory()

    @contextmanager
    def clock_stopped(self) -> Iterator[None]:
        """Stop the clock inside a ``with`` block, for example to compile the search."""
        stopped = time.perf_counter()
        try:
            yield
        finally:
            self._start += time.perf_counter() - stopped

    def check_time(self) -> None:
        """Raise LimitReached if the time limit is reached."""
        limit = self.limits.time_limit
        if limit is not None and self.seconds >= limit:
            raise LimitReached(f"the time limit of {limit:g} s was reached")

    def check_states(self, running: int = 0) -> None:
        """Raise LimitReached if max_states is reached.

        running: states kept by the running beam, which ``states`` does not contain yet.
        """
        limit = self.limits.max_states
        if limit is not None and self._counted(running) >= limit:
            raise LimitReached(f"the limit of {limit:,} states was reached")

    def states_allowed(self, wanted: int, running: int = 0) -> int:
        """The smaller of ``wanted`` and the number of states that max_states still allows.

        running: as in check_states.
        """
        limit = self.limits.max_states
        return wanted if limit is None else min(wanted, limit - self._counted(running))

    def progress(self, width: int, level: int, completed: int, running: int = 0) -> Progress:
        """A progress report with the states and seconds so far; running: as in check_states."""
        return Progress(
            width=width,
            level=level,
            completed=completed,
            states=self._counted(running),
            seconds=self.seconds,
        )

    def _counted(self, running: int) -> int:
        return self.states + self.positions + running
