"""The Python API, the function ``solve``, and the strategy of the search.

The steps, in this order:

1. The rules decide a position that is won already or has no legal action.
2. If at most EXHAUSTIVE_FIRST_ROWS rows are left in the stock, a short exhaustive search runs.
3. Beam searches run, each WIDENING times as wide as the one before, up to Limits.max_width. If
   step 2 found a solution, only BEAMS_TO_SHORTEN of them run, to find a shorter one. Moves of a
   solution that are not needed are left out (simplify.py). If it is still a long one, one more
   beam searches for a shorter one.
4. If no solution is known, the exhaustive search starts or goes on. It can find a solution, or
   prove that there is none.
5. If the caller asks for it, the relaxation of the package ``prove`` tries to prove that.

A quick search returns the first solution that it finds, and starts with narrower beams.

Each solution is replayed on the plain rules before it is returned. Loading or compiling a search
is not counted in the time.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from decimal import ROUND_UP, Context

from .budget import Budget, LimitReached, MemoryLimitReached
from .deal import Deal
from .game import Action, Position
from .prove import PROOF_SECONDS, events, import_cp_model, prove_and_check
from .result import Limits, Method, ProofCounts, Result, Verdict
from .searches import (
    Announce,
    ExhaustiveRun,
    LineSearch,
    OnProgress,
    load_searches,
    run_beam_search,
    search_shorter_line,
)
from .simplify import simplify
from .verify import verified
from .words import counted

WIDENING = 2  # kernels.beam.settings relies on widths that double
EXHAUSTIVE_FIRST_ROWS = 1  # with so many rows left, or fewer, step 2 runs
FIRST_POSITIONS = 50_000  # for the search of step 2 (about 30 ms), and the least for step 4
LAST_POSITIONS = 20_000_000  # for step 4 if no row is left in the stock
BEAMS_TO_SHORTEN = 2  # in step 3, after step 2 found a solution
# The beam that searches for a shorter solution than one of LONG_SOLUTION actions or more. On the
# deals native:101-220 with four suits, one deal in eight had such a solution, and this beam
# found a shorter one for three in four of these.
LONG_SOLUTION, SHORTENING_WIDTH = 175, 200
# By suit mode: the first width of a quick search, instead of Limits.first_width if that is wider.
# On the deals native:1001-1200 the time per deal was least with these among 4, 8, 16, 32 and 64.
QUICK_WIDTHS = {1: 8, 2: 16}


def widths(limits: Limits, quick_for: int | None = None) -> Iterator[int]:
    """The beam widths to try: first_width, then each twice the previous one, and last max_width.

    If first_width is not below max_width, max_width is the only one. quick_for: the suit mode of
    the deal if the search is quick.
    """
    width = limits.first_width
    if quick_for in QUICK_WIDTHS:
        width = min(width, QUICK_WIDTHS[quick_for])
    while width < limits.max_width:
        yield width
        width *= WIDENING
    yield limits.max_width


def solve(
    deal: Deal,
    limits: Limits | None = None,
    progress: OnProgress | None = None,
    announce: Announce | None = None,
    prove: bool = False,
    quick: bool = False,
) -> Result:
    """Search for a solution of a deal, fresh or in mid-game.

    progress: called between two slices of a search, a few to 30 times per second, and after each
    event during a proof. announce: called with a line of text for the user if a search must be
    compiled first, then from another thread, and when a proof starts. prove: if no search decides,
    try to prove by the relaxation (package ``prove``) that there is no solution. This takes up to
    PROOF_SECONDS, and as long again to check a proof, but no longer than the time limit of the
    whole search. quick: return the first solution found, however long it is, and start with the
    widths that take the least time for it. Ctrl-C raises KeyboardInterrupt within a fraction of a
    second.

    Raises InternalError if a solution fails its replay or if the check contradicts a proof,
    DealError if the deal has unknown cards (``unknown`` solves such deals), and SpiderError if
    ``prove`` is set and OR-tools is not installed.
    """
    deal.require_known()
    return _Strategy(deal, limits or Limits(), progress, announce, prove, quick).run()


def with_solution(deal: Deal, result: Result, actions: tuple[Action, ...]) -> Result:
    """A result with another solution and its counts.

    Raises InternalError if the solution fails its replay on the plain rules.
    """
    report = verified(deal, actions)
    return replace(
        result,
        verdict=Verdict.WON,
        actions=actions,
        moves=report.moves,
        rows=report.rows,
        score=report.score,
    )


class _Strategy:
    """One call of ``solve``."""

    def __init__(
        self,
        deal: Deal,
        limits: Limits,
        progress: OnProgress | None,
        announce: Announce | None,
        prove: bool,
        quick: bool,
    ) -> None:
        self._deal = deal
        self._limits = limits
        self._progress = progress
        self._announce = announce
        self._prove = prove
        self._quick = quick
        self._budget = Budget(limits)
        self._widths: list[int] = []  # of the beams that ran
        self._exhaustive: ExhaustiveRun | None = None
        self._starved: set[Method] = set()  # the methods that needed more memory

    def run(self) -> Result:
        """Apply the steps, in their order, until one of them decides or a limit is reached."""
        position = Position(self._deal)
        if position.won:
            return self._won((), Method.RULES)
        if not any(True for _ in position.legal_actions()):
            return self._unwinnable("there is no legal action", Method.RULES)
        with self._budget.clock_stopped():
            if self._prove:
                import_cp_model()  # fails before the search if OR-tools is not installed
            load_searches(self._announce)
        try:
            return self._search(position.rows_left)
        except LimitReached as limit:
            if self._known_solution is not None:
                return self._won_exhaustively(self._known_solution)
            return self._undecided(str(limit))

    def _search(self, rows_left: int) -> Result:
        """Steps 2 to 5. Raises LimitReached."""
        if rows_left <= EXHAUSTIVE_FIRST_ROWS:
            self._search_exhaustively(self._first_positions())
            if self._exhausted:
                return self._all_positions_seen()
            if self._quick and self._known_solution is not None:
                return self._won_exhaustively(self._known_solution)
        widest = counted(self._limits.max_width, "state")
        reason = f"no solution found with beams up to {widest} wide"
        try:
            actions = self._search_with_beams()
            if actions is not None:
                return self._won(actions, Method.BEAM)
        except MemoryLimitReached as limit:
            reason = str(limit)
            self._starved.add(Method.BEAM)
        if self._known_solution is None:
            self._search_exhaustively(self._last_positions(rows_left))
            if self._exhausted:
                return self._all_positions_seen()
        if self._known_solution is not None:
            return self._won_exhaustively(self._known_solution)
        if self._budget.positions:
            starved = Method.EXHAUSTIVE in self._starved
            ended = ", which ended at the memory limit," if starved else ""
            reason += f", and an exhaustive search of {counted(self._budget.positions, 'position')}"
            reason += f"{ended} decided nothing"
        if self._prove:
            return self._prove_unwinnable(reason)
        return self._undecided(reason)

    @property
    def _known_solution(self) -> tuple[Action, ...] | None:
        """The solution found by the exhaustive search, which may be a long one."""
        return None if self._exhaustive is None else self._exhaustive.solution

    @property
    def _exhausted(self) -> bool:
        return self._exhaustive is not None and self._exhaustive.exhausted

    def _search_with_beams(self) -> tuple[Action, ...] | None:
        """Run the beams (step 3). Returns a solution that is shorter than the known one, if any."""
        known = self._known_solution
        for width in self._all_widths():
            if known is not None and len(self._widths) == BEAMS_TO_SHORTEN:
                break
            self._widths.append(width)
            actions = run_beam_search(self._deal, width, self._budget, self._progress)
            if actions is not None:
                actions = self._shorter(actions)
                return actions if known is None or len(actions) < len(known) else None
        return None

    def _all_widths(self) -> Iterator[int]:
        return widths(self._limits, self._deal.suits if self._quick else None)

    def _shorter(self, actions: tuple[Action, ...]) -> tuple[Action, ...]:
        """A shorter solution than the one that a beam found, or the same one."""
        if self._quick:
            return actions
        actions = simplify(self._deal, actions)
        if len(actions) < LONG_SOLUTION or self._limits.max_width < SHORTENING_WIDTH:
            return actions
        wanted = LineSearch(SHORTENING_WIDTH, played=0)
        found = search_shorter_line(self._deal, actions, wanted, self._budget)
        return actions if found.actions is None else simplify(self._deal, found.actions)

    def _won_exhaustively(self, actions: tuple[Action, ...]) -> Result:
        """The result of a solution that the exhaustive search found."""
        if not self._quick:
            actions = simplify(self._deal, actions)
        return self._won(actions, Method.EXHAUSTIVE)

    def _first_positions(self) -> int:
        """Positions to see in step 2: at most half of max_states, as step 3 needs the others."""
        limit = self._limits.max_states
        return FIRST_POSITIONS if limit is None else min(FIRST_POSITIONS, max(limit // 2, 1))

    def _last_positions(self, rows_left: int) -> int:
        """Positions to see in all by the end of step 4."""
        if self._limits.max_positions is not None:
            return self._limits.max_positions
        return LAST_POSITIONS if rows_left == 0 else max(self._budget.states, FIRST_POSITIONS)

    def _search_exhaustively(self, positions: int) -> None:
        """Start or continue the exhaustive search until ``positions`` are seen in all."""
        try:
            if self._exhaustive is None:
                self._exhaustive = ExhaustiveRun(self._deal, self._budget, self._progress)
            self._exhaustive.advance_to(positions)
        except MemoryError:
            self._starved.add(Method.EXHAUSTIVE)

    def _prove_unwinnable(self, reason: str) -> Result:
        """Step 5. reason: why the position is undecided so far."""
        left = self._budget.seconds_left
        if self._announce is not None:
            seconds = 2 * PROOF_SECONDS if left is None else min(left, 2 * PROOF_SECONDS)
            self._announce(
                f"trying a proof by OR-tools: at most {round(seconds, 1):g} s, its check included"
            )
        self._report_proof(refuted=0, total=len(events(self._deal)))
        checked = prove_and_check(
            self._deal,
            total_limit=left,
            progress=lambda step: self._report_proof(step.refuted, step.total, step.checking),
        )
        if checked.verdict is Verdict.UNWINNABLE:
            return self._unwinnable(
                "no column can become empty, and no thirteen cards from King to Ace can be put"
                " together, whatever the suits",
                Method.RELAXATION,
            )
        self._budget.check_time()
        return self._undecided(f"{reason}; no proof: {checked.reason}")

    def _report_proof(self, refuted: int, total: int, checking: bool = False) -> None:
        if self._progress is not None:
            proof = ProofCounts(refuted=refuted, events=total, checking=checking)
            self._progress(replace(self._budget.progress(0, 0, 0), proof=proof))

    def _all_positions_seen(self) -> Result:
        """The result after an exhaustive search has seen all positions."""
        from .kernels.exhaustive.depth_first import error_bound

        positions = self._budget.positions
        bound = error_bound(positions)
        rounded_up = Context(prec=2, rounding=ROUND_UP).create_decimal_from_float(bound)
        return self._unwinnable(
            f"all {positions:,} positions that can be reached were seen, and none is won"
            f" (compared by 128-bit keys: chance of error below {rounded_up:.1e})",
            Method.EXHAUSTIVE,
            bound,
        )

    def _won(self, actions: tuple[Action, ...], method: Method) -> Result:
        """The result of a solution. Raises InternalError if the solution fails its replay."""
        return replace(
            with_solution(self._deal, self._result(Verdict.WON), actions), decided_by=method
        )

    def _unwinnable(self, reason: str, method: Method, error_bound: float = 0.0) -> Result:
        result = self._result(Verdict.UNWINNABLE)
        return replace(result, reason=reason, decided_by=method, error_bound=error_bound)

    def _undecided(self, reason: str) -> Result:
        result = self._result(Verdict.UNDECIDED)
        return replace(result, reason=reason, starved=bool(self._starved))

    def _result(self, verdict: Verdict) -> Result:
        """A result without a solution or a reason."""
        limits, budget = self._limits, self._budget
        return Result(
            verdict=verdict,
            actions=(),
            moves=0,
            rows=0,
            score=0,
            states=budget.states,
            width=self._widths[-1] if self._widths else 0,
            widths=tuple(self._widths),
            seconds=budget.seconds,
            settings={
                "widths": list(self._all_widths()),
                "max_states": limits.max_states,
                "time_limit": limits.time_limit,
                "max_memory": limits.max_memory,
                "max_positions": limits.max_positions,
                "prove": self._prove,
            },
            children=budget.children,
            positions=budget.positions,
        )
