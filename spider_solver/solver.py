"""The Python API: ``solve(deal, limits, progress) -> Result``.

A beam search of a small width; if it finds nothing, wider ones, up to the limits; then an
exhaustive search, which can prove that there is no solution. With one row left, or none, a
short exhaustive search comes first: if it finds a solution the first beams are to find a shorter
one. Each solution is replayed on the plain rules before it is returned. numba is imported only
when a search starts, and loading or compiling it isn't counted in the time.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from .deal import Deal
from .errors import InternalError
from .game import Action, Position
from .notation import action_text
from .result import Limits, Method, Progress, Result, Verdict
from .verify import Finding, verify_solution

if TYPE_CHECKING:
    from .kernels.exhaust import ExhaustiveSearch
    from .kernels.search import BeamSearch

WIDENING = 2
SLICE = 20_000  # states between two looks at the limits, and to that level's end
PATIENCE = 100_000  # children between two looks at clock and Ctrl-C: some 30 ms
MEMORY_SHARE = 0.5  # of the machine's, if no limit is given
# Exhaustive search: it looks at some ten positions in the time of a state of the beam.
POSITIONS_SLICE = 200_000
FIRST_ROWS = 1  # with so many rows left, or fewer, it comes before the beams as well
FIRST_POSITIONS = 50_000  # for then: some 10 ms; and after the beams at least
LAST_POSITIONS = 20_000_000  # after the beams if no row is left; else as many as states were kept
PROOF_SECONDS = 600.0  # for a proof by the relaxation, and for its check, if no limit is given
WIDTHS_FOR_SHORTER = 2  # beams to run when a solution is known
_LOADED: set[str] = set()  # parts of the search that this process has compiled or loaded
_CONTAINER_LIMITS = (  # where Linux tells a container's share of the memory
    Path("/sys/fs/cgroup/memory.max"),
    Path("/sys/fs/cgroup/memory/memory.limit_in_bytes"),
)


class _LimitReached(Exception):
    """A limit ended the search; the message says which."""


class _MemoryLimitReached(_LimitReached):
    """The memory was not enough for a beam. Another search may get by with it."""


def widths(limits: Limits) -> Iterator[int]:
    """The widths to try: the first, then twice as wide each, and the widest allowed."""
    width = limits.first_width
    while width < limits.max_width:
        yield width
        width *= WIDENING
    yield limits.max_width


def solve(
    deal: Deal,
    limits: Limits | None = None,
    progress: Callable[[Progress], None] | None = None,
    announce: Callable[[str], None] | None = None,
    prove: bool = False,
) -> Result:
    """Search for a solution of a deal, fresh or in mid-game.

    progress: called some 30 times a second while the search runs. announce: called with a
    line of text if the search must be compiled first. Ctrl-C raises KeyboardInterrupt within
    a fraction of a second. prove: if all else fails, try to prove by the relaxation of the
    ``prove`` package that there is no solution, which takes minutes. Raises InternalError if a
    solution fails its replay, SpiderError if OR-tools is wanted for the proof and isn't there.
    """
    return _Solver(deal, limits or Limits(), progress, announce, prove).run()


class _Solver:
    """One call of solve."""

    def __init__(
        self,
        deal: Deal,
        limits: Limits,
        progress: Callable[[Progress], None] | None,
        announce: Callable[[str], None] | None,
        prove: bool,
    ) -> None:
        self.deal = deal
        self.limits = limits
        self.progress = progress
        self.announce = announce
        self.prove = prove
        self.start = time.perf_counter()
        self.states = 0
        self.children = 0
        self.tried: list[int] = []
        self.exhaustive: ExhaustiveSearch | None = None
        self.known: tuple[Action, ...] | None = None  # a solution, perhaps a long one
        self.starved: set[Method] = set()  # those that wanted more memory

    def run(self) -> Result:
        position = Position(self.deal)
        if position.won:
            return self._won((), Method.RULES)
        if not any(True for _ in position.legal_actions()):
            return self._unwinnable("there is no legal action", Method.RULES)
        if self.prove:
            from .prove.model import ortools

            ortools()  # says at once if it's missing
        self._load()
        reason = f"no solution found with beams up to {self.limits.max_width:,} states wide"
        try:
            if position.rows_left <= FIRST_ROWS and self._exhaust(self._first_positions()):
                return self._exhausted()
            try:
                actions = self._beams()
                if actions is not None:
                    return self._won(actions, Method.BEAM)
            except _MemoryLimitReached as reached:
                reason = str(reached)
                self.starved.add(Method.BEAM)
            if self.known is None:
                if self._exhaust(self._last_positions(position)):
                    return self._exhausted()
                if self.positions:
                    reason += f", nor by an exhaustive search of {self.positions:,} positions"
                    reason += ", for want of memory" if Method.EXHAUSTIVE in self.starved else ""
                if self.prove and self._relaxation():
                    return self._unwinnable(
                        "no column can be emptied and no thirteen cards be put together,"
                        " whatever the suits",
                        Method.RELAXATION,
                    )
        except _LimitReached as reached:
            reason = str(reached)
        if self.known is not None:
            return self._won(self.known, Method.EXHAUSTIVE)
        return self._result(Verdict.UNDECIDED, reason=reason)

    @property
    def positions(self) -> int:
        """Seen by the exhaustive search so far."""
        return 0 if self.exhaustive is None else self.exhaustive.seen

    def _beams(self) -> tuple[Action, ...] | None:
        """A solution by beams of all widths, if they find one: the shorter, if one is known."""
        for width in widths(self.limits):
            if self.known is not None and len(self.tried) == WIDTHS_FOR_SHORTER:
                break
            self.tried.append(width)
            actions = self._beam(width)
            if actions is not None:
                known = self.known
                return None if known is not None and len(known) <= len(actions) else actions
        return None

    def _load(self) -> None:
        """Load or compile the search, once a process, by a level of one; then starts the clock."""
        from .kernels import loading, search

        if "beam" not in _LOADED:
            with loading.announced(self.announce, "beam"):
                search.BeamSearch(self.deal, 1, search.least_bytes(1)).advance(0)
            _LOADED.add("beam")
        self.start = time.perf_counter()

    def _beam(self, width: int) -> tuple[Action, ...] | None:
        """A solution by a beam of one width, if it finds one."""
        from .kernels import beam, search

        most = self.limits.max_memory or default_memory()
        held = 0 if self.exhaustive is None else self.exhaustive.memory
        running = None
        try:
            running = search.BeamSearch(self.deal, width, most - held)
            answer, goal = running.advance(0), 0
            while answer in (beam.RUNNING, beam.PAUSED):
                if answer == beam.RUNNING:
                    self._look(width, running)
                    wanted = self._slice(running)
                else:  # at a level's end it is as if there had been no pause
                    wanted = goal - running.states
                goal = running.states + wanted
                answer = running.advance(wanted, PATIENCE)
                self._check_time()
        except MemoryError:
            raise _MemoryLimitReached(
                f"the memory limit of {most / 2**20:,.0f} MiB was reached at width {width:,}"
            ) from None
        finally:
            if running is not None:
                self.states += running.states
                self.children += running.generated
        if answer == beam.WON:
            return running.solution()
        self._check_states(self.states + self.positions)
        return None

    def _first_positions(self) -> int:
        """How many positions to see before the beams, whose states the limit is for as well."""
        most = self.limits.max_states
        return FIRST_POSITIONS if most is None else min(FIRST_POSITIONS, max(most // 2, 1))

    def _last_positions(self, position: Position) -> int:
        """How many positions to see after the beams."""
        if self.limits.max_positions is not None:
            return self.limits.max_positions
        return LAST_POSITIONS if position.rows_left == 0 else max(self.states, FIRST_POSITIONS)

    def _exhaust(self, positions: int) -> bool:
        """Search on until so many positions are seen; True if they are all that there are.

        A solution that it finds is ``known`` from then on.
        """
        from .kernels import depth_first, exhaust

        most = self.limits.max_memory or default_memory()
        try:
            if self.exhaustive is None:
                self._load_exhaustive()
                self.exhaustive = exhaust.ExhaustiveSearch(self.deal, most)
            running, answer = self.exhaustive, depth_first.RUNNING
            while answer == depth_first.RUNNING and running.seen < positions:
                if running.seen > FIRST_POSITIONS:
                    self._tell(0, running.depth, running.completed)
                answer = running.advance(min(POSITIONS_SLICE, self._positions_left(positions)))
                self._check_time()
        except MemoryError:
            self.starved.add(Method.EXHAUSTIVE)
            return False
        if answer == depth_first.WON:
            self.known = running.solution()
        return answer == depth_first.EXHAUSTED

    def _positions_left(self, positions: int) -> int:
        seen = self.positions
        most = self.limits.max_states
        if most is None:
            return positions - seen
        self._check_states(self.states + seen)
        return min(positions - seen, most - self.states - seen)

    def _load_exhaustive(self) -> None:
        """Load or compile the exhaustive search, once a process, with the clock stopped."""
        from .kernels import exhaust, loading

        if "depth_first" in _LOADED:
            return
        before = time.perf_counter()
        with loading.announced(self.announce, "depth_first"):
            exhaust.ExhaustiveSearch(self.deal, 2 * exhaust.least_bytes()).advance(1)
        _LOADED.add("depth_first")
        self.start += time.perf_counter() - before

    def _relaxation(self) -> bool:
        """Whether the relaxation proves it, under two settings, that there is no solution."""
        from .prove import certificate, check, prove

        proof = prove(self.deal, time_limit=self._seconds_left())
        if proof.proved:
            proof = check(certificate(proof), time_limit=self._seconds_left())
        if not proof.proved:
            self._check_time()
        return proof.proved

    def _seconds_left(self) -> float:
        limit = self.limits.time_limit
        if limit is None:  # where an event can happen, CP-SAT may look for how without end
            return PROOF_SECONDS
        return max(limit - (time.perf_counter() - self.start), 0.01)

    def _slice(self, running: BeamSearch) -> int:
        if self.limits.max_states is None:
            return SLICE
        kept = self.states + self.positions + running.states
        return min(SLICE, self.limits.max_states - kept)

    def _look(self, width: int, running: BeamSearch) -> None:
        """Between two slices: progress, and the limits."""
        self._tell(width, running.level, running.completed, running.states)
        self._check_time()
        self._check_states(self.states + self.positions + running.states)

    def _tell(self, width: int, level: int, completed: int, states: int = 0) -> None:
        """Progress; states: kept by the running search, not yet counted."""
        if self.progress is not None:
            seconds = time.perf_counter() - self.start
            states += self.states + self.positions
            self.progress(Progress(width, level, completed, states, seconds))

    def _check_time(self) -> None:
        limit = self.limits.time_limit
        if limit is not None and time.perf_counter() - self.start >= limit:
            raise _LimitReached(f"the time limit of {limit:g} s was reached")

    def _check_states(self, states: int) -> None:
        most = self.limits.max_states
        if most is not None and states >= most:
            raise _LimitReached(f"the limit of {most:,} states was reached")

    def _exhausted(self) -> Result:
        from .kernels.depth_first import error_bound

        bound = error_bound(self.positions)
        return self._unwinnable(
            f"all {self.positions:,} positions that can be reached were seen, and none is won"
            f" (compared by 128-bit keys: chance of error below {bound:.0e})",
            Method.EXHAUSTIVE,
            bound,
        )

    def _unwinnable(self, reason: str, method: Method, error_bound: float = 0.0) -> Result:
        return self._result(
            Verdict.UNWINNABLE, reason=reason, method=method, error_bound=error_bound
        )

    def _won(self, actions: tuple[Action, ...], method: Method) -> Result:
        report = verify_solution(self.deal, actions)
        if report.verdict is not Finding.WON:
            raise InternalError(
                f"a solution of {self.deal.name or 'a position'} failed its replay"
                f" ({report.verdict}: {report.reason or 'runs are missing'});"
                f" actions: {' '.join(map(action_text, actions))}"
            )
        return self._result(
            Verdict.WON, actions, report.moves, report.rows, report.score, method=method
        )

    def _result(
        self,
        verdict: Verdict,
        actions: tuple[Action, ...] = (),
        moves: int = 0,
        rows: int = 0,
        score: int = 0,
        reason: str = "",
        method: Method | None = None,
        error_bound: float = 0.0,
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
            method,
            self.positions,
            error_bound,
            verdict is Verdict.UNDECIDED and bool(self.starved),
        )

    def _settings(self) -> dict[str, object]:
        return {
            "widths": list(widths(self.limits)),
            "max_states": self.limits.max_states,
            "time_limit": self.limits.time_limit,
            "max_memory": self.limits.max_memory,
            "max_positions": self.limits.max_positions,
            "prove": self.prove,
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
