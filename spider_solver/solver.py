"""The Python API: ``solve(position, limits, progress) -> Result``.

A beam search of a small width; if it finds nothing, wider ones, up to the limits. Each
solution is replayed on the plain rules before it is returned. numba is imported only when a
search starts, and loading or compiling it isn't counted in the time.
"""

from __future__ import annotations

import enum
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import TYPE_CHECKING

from .deal import Deal
from .errors import InternalError
from .game import Action, Position
from .notation import action_text
from .verify import Finding, verify_solution

if TYPE_CHECKING:
    from .kernels.search import BeamSearch

FIRST_WIDTH = 64
WIDENING = 4
SLICE = 20_000  # states between two looks at clock, memory and Ctrl-C: some 30 ms
MEMORY_SHARE = 0.5  # of the machine's, if no limit is given
_CONTAINER_LIMITS = (  # where Linux tells a container's share of the memory
    Path("/sys/fs/cgroup/memory.max"),
    Path("/sys/fs/cgroup/memory/memory.limit_in_bytes"),
)


class Verdict(enum.StrEnum):
    """won: with a solution. unwinnable: proved. undecided: a limit was reached."""

    WON = "won"
    UNWINNABLE = "unwinnable"
    UNDECIDED = "undecided"


@dataclass(frozen=True, slots=True)
class Limits:
    """When a search gives up. Width and states are reproducible; time and memory aren't.

    max_width: the widest beam, in states a level. max_states: states kept over all widths,
    None for no limit. time_limit: seconds of search, None for none. max_memory: bytes that
    the search may allocate, None for half of the machine's. first_width: the beam to begin
    with. ValueError unless all are above zero.
    """

    max_width: int = 65_536
    max_states: int | None = None
    time_limit: float | None = None
    max_memory: int | None = None
    first_width: int = FIRST_WIDTH

    def __post_init__(self) -> None:
        for field_ in fields(self):
            limit = getattr(self, field_.name)
            if limit is not None and not limit > 0:
                raise ValueError(f"{field_.name} {limit!r}: expected a number above zero")


@dataclass(frozen=True, slots=True)
class Progress:
    """Where a running search is: the beam's width and level, the most runs completed by a
    state so far, states kept over all widths, seconds since the start.
    """

    width: int
    level: int
    completed: int
    states: int
    seconds: float


@dataclass(frozen=True, slots=True)
class Result:
    """What a search found.

    actions: the solution if won, else empty. moves, rows, score: of the solution. states:
    kept over all widths. width: of the beam that won, or of the last one; 0 if none was
    needed. widths: all that were tried. seconds: of the search, without loading or compiling
    it. reason: why undecided, or what proved it; empty if won. settings: the limits, and what
    else decides the answer. children: worked out over all widths, to choose the states from.
    """

    verdict: Verdict
    actions: tuple[Action, ...]
    moves: int
    rows: int
    score: int
    states: int
    width: int
    widths: tuple[int, ...]
    seconds: float
    reason: str = ""
    settings: dict[str, object] = field(default_factory=dict)
    children: int = 0


class _LimitReached(Exception):
    """A limit ended the search; the message says which."""


def widths(limits: Limits) -> Iterator[int]:
    """The widths to try: the first, then four times as wide each, and the widest allowed."""
    width = limits.first_width
    while width < limits.max_width:
        yield width
        width *= WIDENING
    yield limits.max_width


def solve(
    position: Position,
    limits: Limits | None = None,
    progress: Callable[[Progress], None] | None = None,
    announce: Callable[[str], None] | None = None,
) -> Result:
    """Search for a solution from any position, fresh or in mid-game.

    progress: called some 30 times a second while the search runs. announce: called with a
    line of text if the search must be compiled first. Ctrl-C raises KeyboardInterrupt within
    a fraction of a second. Raises InternalError if a solution fails its replay.
    """
    return _Solver(position.to_deal(), limits or Limits(), progress, announce).run()


class _Solver:
    """One call of solve."""

    def __init__(
        self,
        deal: Deal,
        limits: Limits,
        progress: Callable[[Progress], None] | None,
        announce: Callable[[str], None] | None,
    ) -> None:
        self.deal = deal
        self.limits = limits
        self.progress = progress
        self.announce = announce
        self.start = time.perf_counter()
        self.states = 0
        self.children = 0
        self.tried: list[int] = []

    def run(self) -> Result:
        position = Position(self.deal)
        if position.won:
            return self._won(())
        if not any(True for _ in position.legal_actions()):
            return self._result(Verdict.UNWINNABLE, reason="there is no legal action")
        self._load()
        reason = f"no solution found with beams up to {self.limits.max_width:,} states wide"
        try:
            for width in widths(self.limits):
                self.tried.append(width)
                actions = self._beam(width)
                if actions is not None:
                    return self._won(actions)
        except _LimitReached as reached:
            reason = str(reached)
        return self._result(Verdict.UNDECIDED, reason=reason)

    def _load(self) -> None:
        """Load or compile the search, by a level of one, before the clock starts."""
        from .kernels import evaluate, loading, search

        with loading.announced(self.announce, "beam"):
            least = search.least_bytes(1)
            search.BeamSearch(self.deal, 1, least, evaluate.Weights()).advance(0)
        self.start = time.perf_counter()

    def _beam(self, width: int) -> tuple[Action, ...] | None:
        """A solution by a beam of one width, if it finds one."""
        from .kernels import beam, evaluate, search

        most = self.limits.max_memory or default_memory()
        running = None
        try:
            running = search.BeamSearch(self.deal, width, most, evaluate.Weights())
            answer = running.advance(0)
            while answer == beam.RUNNING:
                self._look(width, running)
                answer = running.advance(self._slice(running))
        except MemoryError:
            raise _LimitReached(
                f"the memory limit of {most / 2**20:,.0f} MiB was reached at width {width:,}"
            ) from None
        finally:
            if running is not None:
                self.states += running.states
                self.children += running.generated
        if answer == beam.WON:
            return running.solution()
        self._check_states(self.states)
        return None

    def _slice(self, running: BeamSearch) -> int:
        if self.limits.max_states is None:
            return SLICE
        return min(SLICE, self.limits.max_states - self.states - running.states)

    def _look(self, width: int, running: BeamSearch) -> None:
        """Between two slices: progress, and the limits."""
        seconds = time.perf_counter() - self.start
        states = self.states + running.states
        if self.progress is not None:
            self.progress(Progress(width, running.level, running.completed, states, seconds))
        limit = self.limits.time_limit
        if limit is not None and seconds >= limit:
            raise _LimitReached(f"the time limit of {limit:g} s was reached")
        self._check_states(states)

    def _check_states(self, states: int) -> None:
        most = self.limits.max_states
        if most is not None and states >= most:
            raise _LimitReached(f"the limit of {most:,} states was reached")

    def _won(self, actions: tuple[Action, ...]) -> Result:
        report = verify_solution(self.deal, actions)
        if report.verdict is not Finding.WON:
            raise InternalError(
                f"a solution of {self.deal.name or 'a position'} failed its replay"
                f" ({report.verdict}: {report.reason or 'runs are missing'});"
                f" actions: {' '.join(map(action_text, actions))}"
            )
        return self._result(Verdict.WON, actions, report.moves, report.rows, report.score)

    def _result(
        self,
        verdict: Verdict,
        actions: tuple[Action, ...] = (),
        moves: int = 0,
        rows: int = 0,
        score: int = 0,
        reason: str = "",
    ) -> Result:
        return Result(
            verdict,
            actions,
            moves,
            rows,
            score,
            self.states,
            self.tried[-1] if self.tried else 0,
            tuple(self.tried),
            time.perf_counter() - self.start,
            reason,
            self._settings(),
            self.children,
        )

    def _settings(self) -> dict[str, object]:
        return {
            "widths": list(widths(self.limits)),
            "max_states": self.limits.max_states,
            "time_limit": self.limits.time_limit,
            "max_memory": self.limits.max_memory,
        }


def default_memory() -> int:
    """Bytes that a search may allocate, if no limit is given."""
    return int(_machine_memory() * MEMORY_SHARE)


def _machine_memory() -> int:
    """Bytes of memory in the machine, or those that its container may use, if it is in one."""
    import psutil

    sizes = [int(psutil.virtual_memory().total)]
    for path in _CONTAINER_LIMITS:
        with suppress(OSError, ValueError):  # no such file, or "max"
            sizes.append(int(path.read_text(encoding="ascii")))
    return min(sizes)
