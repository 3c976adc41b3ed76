"""Running the models of a position's events, in an order that makes each easier.

Stage by stage: first lemmas (which blocks can never leave in that stage), then the events of
the stage. Every model takes all lemmas refuted so far. A lemma gets a small fixed effort and
is dropped if that isn't enough: those that are true nearly all fall to CP-SAT's presolve. The
last stage's lemmas would serve its own events alone and don't pay. An event that is possible,
or stays open, ends the run, unless all events are asked for.
"""

from __future__ import annotations

import enum
import time
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import dataclass, field, replace
from importlib.metadata import version
from typing import Any

from ..cards import KING
from ..deal import COLUMNS, Deal
from ..errors import InternalError
from ..game import Position
from .model import Model, ortools
from .relaxation import Event, EventKind, Layout, cases, events, layout_of, standing_event

# Asks for an event with an effort, and tells the answer, or this word for it if there is none.
_Settle = Callable[[Event, float | None, str], bool | None]


class ProofVerdict(enum.StrEnum):
    """proved: the position can't be won. open: this method doesn't show that."""

    PROVED = "proved"
    OPEN = "open"


@dataclass(frozen=True, slots=True)
class Settings:
    """All that decides how CP-SAT searches; none of it can change what is true.

    lemma_effort: CP-SAT's deterministic time for a lemma. event_effort: the same for an
    event, or for each of its cases; None for no limit. split_effort: what a THIRTEEN event
    gets in one piece before it's split into its cases.
    """

    seed: int = 1
    presolve: bool = True
    linearization: int = 2
    lemma_effort: float = 0.05
    split_effort: float = 300.0
    event_effort: float | None = None


@dataclass(frozen=True, slots=True)
class Refutation:
    """An event (or a lemma) that can't happen, and what it took to show it."""

    event: Event
    seconds: float
    conflicts: int
    branches: int


@dataclass(frozen=True, slots=True)
class Step:
    """Where a running proof is: the event that was just settled and how."""

    event: Event
    text: str
    answer: str  # refuted, possible, open; split: its cases follow
    seconds: float
    done: int
    total: int


@dataclass(frozen=True, slots=True)
class Proof:
    """What prove() found.

    refuted: the events, in order; an event that was split is there by its cases. lemmas: the
    LEAVES events refuted on the way, in order. possible: events that the model allows. open:
    events that were not settled or not tried. seconds: in all.
    """

    deal: Deal
    verdict: ProofVerdict
    refuted: tuple[Refutation, ...]
    lemmas: tuple[Refutation, ...]
    possible: tuple[Event, ...]
    open: tuple[Event, ...]
    solver: str
    settings: Settings
    seconds: float

    @property
    def proved(self) -> bool:
        """True if the position is proved unwinnable."""
        return self.verdict is ProofVerdict.PROVED


@dataclass(slots=True)
class _Run:
    """One position's models under one setting."""

    layout: Layout
    settings: Settings
    deadline: float | None
    lemmas: list[Event] = field(default_factory=list)
    possible_leaves: set[tuple[int, int, int]] = field(default_factory=set)
    conflicts: int = 0
    branches: int = 0
    seconds: float = 0.0

    def ask(self, event: Event, effort: float | None) -> bool | None:
        """True if the model has a solution, False if it has none, None if it isn't known."""
        cp_model = ortools()
        started = time.perf_counter()
        model = Model(self.layout, event, self.lemmas)
        solver = cp_model.CpSolver()
        parameters = solver.parameters
        parameters.num_workers = 1
        parameters.random_seed = self.settings.seed
        parameters.cp_model_presolve = self.settings.presolve
        parameters.linearization_level = self.settings.linearization
        if effort is not None:
            parameters.max_deterministic_time = effort
        if self.deadline is not None:
            parameters.max_time_in_seconds = max(self.deadline - time.monotonic(), 0.01)
        status = _interruptible(solver, model.model)
        self.conflicts, self.branches = solver.num_conflicts, solver.num_branches
        self.seconds = time.perf_counter() - started
        if status == cp_model.INFEASIBLE:
            return False
        if status in (cp_model.OPTIMAL, cp_model.FEASIBLE):
            self.possible_leaves.update(
                key for key, variable in model.left.items() if solver.boolean_value(variable)
            )
            return True
        if status == cp_model.MODEL_INVALID:
            raise InternalError(f"invalid model: {model.model.validate()}")
        return None

    def refutation(self, event: Event) -> Refutation:
        """What the last ask() took."""
        return Refutation(event, round(self.seconds, 3), self.conflicts, self.branches)

    @property
    def late(self) -> bool:
        """True once the time is up."""
        return self.deadline is not None and time.monotonic() >= self.deadline

    def leaves(self, stage: int) -> Iterable[Event]:
        """The lemmas to try in a stage: blocks that aren't known to be able to leave in it."""
        for column in range(COLUMNS):
            bases = self.layout.bases(column, stage)
            for block in reversed(range(1, len(bases))):
                if bases[block] != KING and (column, block, stage) not in self.possible_leaves:
                    yield Event(EventKind.LEAVES, stage, column, block)


def _interruptible(solver: Any, model: Any) -> Any:
    """Solve in a thread, so that Ctrl-C ends it at once; CP-SAT itself would hold it back."""
    solver.parameters.catch_sigint_signal = False
    with ThreadPoolExecutor(1) as pool:
        running = pool.submit(solver.solve, model)
        try:
            return running.result()
        finally:
            while not running.done():  # again and again: it may not have begun yet
                solver.stop_search()
                wait([running], 0.02)


def prove(
    deal: Deal,
    *,
    time_limit: float | None = None,
    seed: int | None = None,
    settings: Settings = Settings(),
    progress: Callable[[Step], None] | None = None,
    all_events: bool = False,
) -> Proof:
    """Try to prove that a position, fresh or in mid-game, can't be won under any rules.

    time_limit: seconds in all; None for none. seed: CP-SAT's, if not the settings'.
    progress: called after each event and each lemma that was refuted.
    all_events: go on after an event that is possible or stays open, to list all such.
    Raises SpiderError if OR-tools isn't installed.
    """
    ortools()  # says at once if it's missing
    if seed is not None:
        settings = replace(settings, seed=seed)
    started = time.monotonic()
    deadline = None if time_limit is None else started + time_limit
    standing = standing_event(Position(deal), 0)
    run = _Run(layout_of(deal), settings, deadline)
    refuted: list[Refutation] = []
    lemmas: list[Refutation] = []
    possible: list[Event] = [] if standing is None else [standing]
    todo = events(deal) if standing is None else []
    total = len(todo)
    unsettled: list[Event] = []

    def tell(event: Event, answer: str) -> None:
        if progress is not None:
            done = total - len(todo)
            progress(Step(event, event.text(run.layout), answer, run.seconds, done, total))

    def settle(event: Event, effort: float | None, unknown: str) -> bool | None:
        answer = run.ask(event, effort)
        if answer is False:
            refuted.append(run.refutation(event))
        if answer is None and run.late:
            unknown = "open"
        tell(event, {True: "possible", False: "refuted", None: unknown}[answer])
        return answer

    stage = -1
    while todo and not run.late:
        if todo[0].stage != stage:
            stage = todo[0].stage
            for lemma in run.leaves(stage):
                if run.late or stage == len(run.layout.rows):
                    break
                if run.ask(lemma, settings.lemma_effort) is False:
                    lemmas.append(run.refutation(lemma))
                    run.lemmas.append(lemma)
                    tell(lemma, "refuted")
            continue
        event = todo.pop(0)
        answer = _settle_event(run, deal, event, settle)
        if answer is False:
            continue
        (possible if answer else unsettled).append(event)
        if not all_events:
            break
    still_open = (*unsettled, *todo)
    proved = standing is None and not possible and not still_open
    return Proof(
        deal,
        ProofVerdict.PROVED if proved else ProofVerdict.OPEN,
        tuple(refuted),
        tuple(lemmas),
        tuple(possible),
        still_open,
        f"OR-tools CP-SAT {version('ortools')}",
        settings,
        round(time.monotonic() - started, 3),
    )


def _settle_event(run: _Run, deal: Deal, event: Event, settle: _Settle) -> bool | None:
    settings = run.settings
    if event.kind is not EventKind.THIRTEEN:
        return settle(event, settings.event_effort, "open")
    answer = settle(event, settings.split_effort, "split")
    if answer is None and not run.late:
        for case in cases(deal, event):
            answer = settle(case, settings.event_effort, "open")
            if answer is not False:
                return answer
        return False
    return answer


def event_feasible(
    deal: Deal, event: Event, *, settings: Settings = Settings(), time_limit: float | None = None
) -> bool | None:
    """Whether the model of one event has a solution; None if the time limit came first.

    A deal that an event already stands in has no model: any event counts as feasible.
    """
    if standing_event(Position(deal), 0) is not None:
        return True
    deadline = None if time_limit is None else time.monotonic() + time_limit
    return _Run(layout_of(deal), settings, deadline).ask(event, settings.event_effort)
