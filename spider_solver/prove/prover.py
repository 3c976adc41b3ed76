"""Refuting all first events of a position, in an order that makes each refutation easier.

The events are taken stage by stage. In each stage the lemmas come first (which blocks can never
leave in that stage), then the first events of the stage. Every model takes all lemmas that were
refuted before. A lemma gets a small fixed effort and is dropped if that is not enough: CP-SAT's
presolve alone refutes nearly all lemmas that can be refuted. The lemmas of the last stage would
only help the events of that stage, which does not pay. The run ends with the first event that is
possible in its model, or that stays open.
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
    OPEN = "open"  # this method does not show that


@dataclass(frozen=True, slots=True)
class Refutation:
    """An event or a lemma that cannot happen, and the work that it took to show this."""

    event: Event
    seconds: float  # for building and solving the model
    conflicts: int
    branches: int


@dataclass(frozen=True, slots=True)
class ProofProgress:
    """A report about one event or lemma of a running proof."""

    event: Event  # the event, or the lemma, that was just tried
    text: str  # the event in words
    answer: str  # refuted, possible, open, or split: then its cases follow
    seconds: float  # for this event
    done: int  # first events tried so far, this one included
    total: int  # all first events
    checking: bool = False  # whether this run is the check of a proof

    @property
    def is_lemma(self) -> bool:
        """Whether this is about a lemma, not about a first event."""
        return self.event.kind is EventKind.LEAVES

    @property
    def refuted(self) -> int:
        """First events refuted so far. One that is split counts from its first refuted case."""
        return self.done if self.is_lemma or self.answer == "refuted" else self.done - 1


@dataclass(frozen=True, slots=True)
class Proof:
    """The result of one run, under one setting."""

    deal: Deal
    verdict: ProofVerdict
    refuted: tuple[Refutation, ...]  # first events, or all cases of one
    lemmas: tuple[Refutation, ...]
    possible: tuple[Event, ...]  # possible in the model, or already there in the position
    open: tuple[Event, ...]  # neither refuted nor possible when the run ended
    solver: str  # its name and version
    settings: Settings
    seconds: float

    @property
    def proved(self) -> bool:
        """True if the position is proved unwinnable."""
        return self.verdict is ProofVerdict.PROVED


def prove(
    deal: Deal,
    *,
    settings: Settings | None = None,
    time_limit: float | None = None,
    progress: Callable[[ProofProgress], None] | None = None,
) -> Proof:
    """Try to prove that a position, fresh or in mid-game, cannot be won under any rules.

    settings: None for the defaults. time_limit: seconds for the whole run, None for no limit.
    progress: called after each event and after each lemma that was refuted. Raises
    SpiderError if OR-tools is not installed.
    """
    import_cp_model()  # fails at once if OR-tools is not installed
    return _Run(deal, settings or Settings(), time_limit, progress).run()


class _Run:
    """One call of ``prove``."""

    def __init__(
        self,
        deal: Deal,
        settings: Settings,
        time_limit: float | None,
        progress: Callable[[ProofProgress], None] | None,
    ) -> None:
        self._deal = deal
        self._layout = block_layout(deal)
        self._settings = settings
        self._progress = progress
        self._start = time.monotonic()
        self._deadline = None if time_limit is None else self._start + time_limit
        self._events = events(deal)
        self._waiting = list(self._events)  # neither refuted nor found possible so far
        self._refuted: list[Refutation] = []
        self._lemmas: list[Refutation] = []
        self._possible: Event | None = None
        # Keys (column, block, stage) of leaves that happen in a solution of some model.
        self._possible_leaves: set[tuple[int, int, int]] = set()

    def run(self) -> Proof:
        """Refute the events until one is possible or the time is up."""
        self._possible = event_in_position(Position(self._deal), 0)
        if self._possible is None:
            self._refute_events()
        else:
            self._waiting = []
        return self._proof()

    def _refute_events(self) -> None:
        stage = None
        while self._waiting and not self._late:
            if self._waiting[0].stage != stage:
                stage = self._waiting[0].stage
                self._refute_lemmas(stage)
                continue  # the lemmas may have used up the time
            event = self._waiting.pop(0)
            feasible = self._settle_event(event)
            if feasible is None:
                self._waiting.insert(0, event)
                return
            if feasible:
                self._possible = event
                return

    @property
    def _late(self) -> bool:
        """Whether the time is up."""
        return self._deadline is not None and time.monotonic() >= self._deadline

    def _refute_lemmas(self, stage: int) -> None:
        """Refute as many lemmas of a stage as the small effort allows, unless it is the last."""
        if stage == len(self._layout.rows):
            return
        for lemma in self._lemmas_to_try(stage):
            if self._late:
                return
            feasible, work = self._try(lemma, self._settings.lemma_effort)
            if feasible is False:
                self._lemmas.append(work)
                self._report(work, "refuted")

    def _lemmas_to_try(self, stage: int) -> Iterator[Event]:
        """The leaves of a stage that do not happen in a solution found so far."""
        for column in range(COLUMNS):
            bases = self._layout.bases(column, stage)
            for block in reversed(range(1, len(bases))):
                if bases[block] != KING and (column, block, stage) not in self._possible_leaves:
                    yield Event(EventKind.LEAVES, stage, column, block)

    def _settle_event(self, event: Event) -> bool | None:
        """Whether an event is possible in the model; None if it stays open.

        If the effort is not enough for a THIRTEEN event, its cases are tried one by one.
        """
        settings = self._settings
        if event.kind is not EventKind.THIRTEEN:
            return self._settle(event, settings.event_effort, "open")
        feasible = self._settle(event, settings.split_effort, "split")
        if feasible is not None or self._late:
            return feasible
        for case in cases(self._deal, event):
            feasible = self._settle(case, settings.event_effort, "open")
            if feasible is not False:
                return feasible
        return False

    def _settle(self, event: Event, effort: float | None, unknown: str) -> bool | None:
        """Try one event or case, and record and report the answer.

        unknown: the word to report if the effort was not enough.
        """
        feasible, work = self._try(event, effort)
        if feasible is False:
            self._refuted.append(work)
        answer = {True: "possible", False: "refuted", None: "open" if self._late else unknown}
        self._report(work, answer[feasible])
        return feasible

    def _try(self, event: Event, effort: float | None) -> tuple[bool | None, Refutation]:
        """Whether the model of an event or lemma has a solution, and the work to find out.

        None if the effort or the time was not enough.
        """
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
        return answer.feasible, Refutation(event, seconds, answer.conflicts, answer.branches)

    def _report(self, work: Refutation, answer: str) -> None:
        if self._progress is not None:
            self._progress(
                ProofProgress(
                    event=work.event,
                    text=work.event.text(self._layout),
                    answer=answer,
                    seconds=work.seconds,
                    done=len(self._events) - len(self._waiting),
                    total=len(self._events),
                )
            )

    def _proof(self) -> Proof:
        """The result. Raises InternalError if a proof does not refute each first event."""
        proved = self._possible is None and not self._waiting
        if proved and not all(map(self._is_refuted, self._events)):
            raise InternalError("a proof does not refute all first events")
        return Proof(
            deal=self._deal,
            verdict=ProofVerdict.PROVED if proved else ProofVerdict.OPEN,
            refuted=tuple(self._refuted),
            lemmas=tuple(self._lemmas),
            possible=() if self._possible is None else (self._possible,),
            open=tuple(self._waiting),
            solver=f"OR-tools CP-SAT {version('ortools')}",
            settings=self._settings,
            seconds=round(time.monotonic() - self._start, 3),
        )

    def _is_refuted(self, event: Event) -> bool:
        """Whether an event is refuted, in one piece or by all of its cases."""
        refuted = {one.event for one in self._refuted}
        if event in refuted:
            return True
        split = cases(self._deal, event) if event.kind is EventKind.THIRTEEN else []
        return bool(split) and refuted.issuperset(split)
