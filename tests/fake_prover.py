"""A replacement for ``prove`` that returns at once what a test sets."""

from __future__ import annotations

from spider_solver.deal import Deal
from spider_solver.prove import (
    Attempt,
    Event,
    EventKind,
    Proof,
    ProofProgress,
    ProofVerdict,
    Settings,
    events,
)


class FakeProver:
    """Refutes all events of a position but those that a test sets, run by run."""

    def __init__(self) -> None:
        self.possible: list[list[Event]] = [[], []]  # by run: the proof, the check
        self.open: list[list[Event]] = [[], []]
        self.calls: list[tuple[Deal, Settings, float | None]] = []  # with the time limit

    def __call__(self, deal, *, settings, time_limit, progress) -> Proof:
        number = len(self.calls)
        self.calls.append((deal, settings, time_limit))
        possible, still_open = self.possible[number], self.open[number]
        all_events = events(deal)
        refuted = [one for one in all_events if one not in (*possible, *still_open)]
        total = len(all_events)
        lemma = Event(EventKind.LEAVES, 0, 1, 2)
        if progress is not None:
            progress(ProofProgress(lemma, "a block leaves", "refuted", 0.5, 0, total))
            progress(ProofProgress(all_events[0], "an event", "refuted", 1.25, 1, total))
        return Proof(
            deal=deal,
            verdict=ProofVerdict.UNPROVED if possible or still_open else ProofVerdict.PROVED,
            refuted=tuple(Attempt(one, False, 0.1, 2, 3) for one in refuted),
            lemmas=(),
            possible=tuple(possible),
            open=tuple(still_open),
            solver="a solver",
            settings=settings,
            seconds=12.5,
        )
