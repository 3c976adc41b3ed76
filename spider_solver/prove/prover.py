"""One run of a proof: refute all first events of a position. relaxation.py defines the terms.

The order makes refutations easier. The run goes through the stages. In each stage it first tries
to prove lemmas: that a certain block never leaves in this stage. Then it tries the first events of
the stage. Each model uses all lemmas that were proved before. Each lemma gets a small effort and is
given up if this is not enough, because CP-SAT's presolve alone proves nearly all lemmas that can be
proved. In the last stage no lemmas are tried: they would help only with the events of that stage,
and would cost more time than they save. The run ends at the first event that is not refuted.
"""

from __future__ import annotations

import enum
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib.metadata import version

from ..cards import KING
from ..deal import COLUMNS, Deal
from ..errors import InternalError
from ..game import Position
from .cpsat import Settings, import_cp_model, solve_model
from .model import Model
from .relaxation import Event, EventKind, block_layout, cases, event_in_position, events


class ProofVerdict(enum.StrEnum):
    """The verdict of one run. The values are part of the certificate format."""

    PROVED = "proved"  # the position cannot be won
    UNPROVED = "open"  # the run did not prove this; the position may be winnable or not


@dataclass(frozen=True, slots=True)
class Attempt:
    """The attempt to refute an event, and the work that it took."""

    event: Event
    feasible: bool | None  # False: refuted; True: possible; None: a limit was reached before
    seconds: float  # for building and solving the model
    conflicts: int  # as CP-SAT counts them
    branches: int  # as CP-SAT counts them


@dataclass(frozen=True, slots=True)
class ProofProgress:
    """A report about one event of a running proof."""

    event: Event  # the event that was just tried
    text: str  # the event in words
    answer: str  # "refuted", "possible", "open", or "split": its cases are tried next
    seconds: float  # for this event
    done: int  # number of first events tried so far, this one included
    total: int  # number of all first events
    checking: bool = False  # whether this run is the check of a proof

    @property
    def is_lemma(self) -> bool:
        """Whether this report is about a lemma, not about a first event."""
        return self.event.kind is EventKind.LEAVES

    @property
    def refuted(self) -> int:
        """Number of first events refuted so far.

        An event that is split is counted when the first of its cases is refuted.
        """
        return self.done if self.is_lemma or self.answer == "refuted" else self.done - 1


OnProofProgress = Callable[[ProofProgress], None]


@dataclass(frozen=True, slots=True)
class Proof:
    """The result of one run."""

    deal: Deal
    verdict: ProofVerdict
    refuted: tuple[Attempt, ...]  # the first events that were refuted; of a split event, its cases
    lemmas: tuple[Attempt, ...]  # the lemmas that were proved
    possible: tuple[Event, ...]  # the event that is possible, or that the position already has
    open: tuple[Event, ...]  # the first events that are still open
    solver: str  # its name and version
    settings: Settings  # of CP-SAT
    seconds: float  # for the whole run

    @property
    def proved(self) -> bool:
        """True if the position is proved unwinnable."""
        return self.verdict is ProofVerdict.PROVED


def prove(
    deal: Deal,
    *,
    settings: Settings | None = None,
    time_limit: float | None = None,
    progress: OnProofProgress | None = None,
) -> Proof:
    """Try to prove that a position, fresh or in mid-game, cannot be won.

    A proof holds for all suit modes and for both rules for rows.

    settings: None for the defaults. time_limit: seconds for the whole run, None for no limit.
    progress: called after each first event, each case of one, and each lemma that was proved.

    Raises DealError if the deal has unknown cards, SpiderError if OR-tools is not installed.
    """
    deal.require_known()
    import_cp_model()  # fails at once if OR-tools is not installed
    return _Run(deal, settings or Settings(), time_limit, progress).run()


class _Run:
    """One call of ``prove``."""

    def __init__(
        self,
        deal: Deal,
        settings: Settings,
        time_limit: float | None,
        progress: OnProofProgress | None,
    ) -> None:
        self._deal = deal
        self._layout = block_layout(deal)
        self._settings = settings
        self._progress = progress
        self._start = time.monotonic()
        self._deadline = None if time_limit is None else self._start + time_limit
        self._events = events(deal)
        self._open = list(self._events)  # neither refuted nor found possible so far
        self._refuted: list[Attempt] = []
        self._lemmas: list[Attempt] = []
        self._possible: Event | None = None
        # (column, block, stage) of blocks that leave in a solution of some model.
        self._possible_leaves: set[tuple[int, int, int]] = set()

    def run(self) -> Proof:
        """Try the events one by one, until one is not refuted or the time is up."""
        self._possible = event_in_position(Position(self._deal), 0)
        if self._possible is None:
            self._refute_events()
        else:
            self._open = []
        return self._proof()

    def _refute_events(self) -> None:
        stage = None
        while self._open and not self._late:
            if self._open[0].stage != stage:
                stage = self._open[0].stage
                self._prove_lemmas(stage)
                continue  # the lemmas may have used up the time
            event = self._open.pop(0)
            feasible = self._try_event(event)
            if feasible is None:
                self._open.insert(0, event)
                return
            if feasible:
                self._possible = event
                return

    @property
    def _late(self) -> bool:
        """Whether the time is up."""
        return self._deadline is not None and time.monotonic() >= self._deadline

    def _prove_lemmas(self, stage: int) -> None:
        """Prove as many lemmas of a stage as the small effort allows; none in the last stage."""
        if stage == len(self._layout.rows):
            return
        for lemma in self._lemmas_to_try(stage):
            if self._late:
                return
            attempt = self._attempt(lemma, self._settings.lemma_effort)
            if attempt.feasible is False:
                self._lemmas.append(attempt)
                self._report(attempt, "refuted")

    def _lemmas_to_try(self, stage: int) -> Iterator[Event]:
        """The LEAVES events of a stage, without those that happen in a solution found so far."""
        for column in range(COLUMNS):
            bases = self._layout.bases(column, stage)
            for block in reversed(range(1, len(bases))):
                if bases[block] != KING and (column, block, stage) not in self._possible_leaves:
                    yield Event(EventKind.LEAVES, stage, column, block)

    def _try_event(self, event: Event) -> bool | None:
        """Try to refute a first event. True if it is possible, False if refuted, None if open.

        If the effort is not enough for a THIRTEEN event, its cases are tried one by one.
        """
        settings = self._settings
        if event.kind is not EventKind.THIRTEEN:
            return self._try_and_record(event, settings.event_effort, "open")
        feasible = self._try_and_record(event, settings.split_effort, "split")
        if feasible is not None or self._late:
            return feasible
        for case in cases(self._deal, event):
            feasible = self._try_and_record(case, settings.event_effort, "open")
            if feasible is not False:
                return feasible
        return False

    def _try_and_record(self, event: Event, effort: float | None, unknown: str) -> bool | None:
        """Try to refute one event or case, and record and report the answer.

        unknown: the answer to report if the effort was not enough.
        """
        attempt = self._attempt(event, effort)
        if attempt.feasible is False:
            self._refuted.append(attempt)
        answer = {True: "possible", False: "refuted", None: "open" if self._late else unknown}
        self._report(attempt, answer[attempt.feasible])
        return attempt.feasible

    def _attempt(self, event: Event, effort: float | None) -> Attempt:
        """Build and solve the model of an event."""
        started = time.perf_counter()
        model = Model(self._layout, event, [one.event for one in self._lemmas])
        answer = solve_model(model.model, self._settings, effort, self._deadline)
        if answer.feasible:
            self._possible_leaves.update(
                key
                for key, variable in model.variables.left.items()
                if answer.solver.boolean_value(variable)
            )
        seconds = round(time.perf_counter() - started, 3)
        return Attempt(event, answer.feasible, seconds, answer.conflicts, answer.branches)

    def _report(self, attempt: Attempt, answer: str) -> None:
        if self._progress is not None:
            self._progress(
                ProofProgress(
                    event=attempt.event,
                    text=attempt.event.text(self._layout),
                    answer=answer,
                    seconds=attempt.seconds,
                    done=len(self._events) - len(self._open),
                    total=len(self._events),
                )
            )

    def _proof(self) -> Proof:
        """The result. Raises InternalError if a proof does not refute each first event."""
        proved = self._possible is None and not self._open
        if proved and not all(map(self._is_refuted, self._events)):
            raise InternalError("a proof does not refute all first events")
        return Proof(
            deal=self._deal,
            verdict=ProofVerdict.PROVED if proved else ProofVerdict.UNPROVED,
            refuted=tuple(self._refuted),
            lemmas=tuple(self._lemmas),
            possible=() if self._possible is None else (self._possible,),
            open=tuple(self._open),
            solver=f"OR-tools CP-SAT {version('ortools')}",
            settings=self._settings,
            seconds=round(time.monotonic() - self._start, 3),
        )

    def _is_refuted(self, event: Event) -> bool:
        """Whether an event is refuted: the event itself, or all of its cases."""
        refuted = {one.event for one in self._refuted}
        if event in refuted:
            return True
        split = cases(self._deal, event) if event.kind is EventKind.THIRTEEN else []
        return bool(split) and refuted.issuperset(split)
