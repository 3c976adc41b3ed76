"""Proofs that a position can't be won, whatever its suits, by OR-tools (extra ``prove``).

``prove(deal)`` refutes, one by one, every *first event* that a won game must have: a column
that becomes empty, or thirteen cards King to Ace together. relaxation.py says what these are
and why suits and the rule for rows don't matter before them; model.py holds the constraint
model and the reason for each of its constraints. If every event is refuted the position is
proved unwinnable; if one is possible in the model, or time runs out, nothing is claimed.

The verdict rests on CP-SAT's answer "infeasible" for each event, so a proof can be run again
under another setting: ``check(certificate)`` takes another search seed and no presolve.
"""

from __future__ import annotations

from .certificate import (
    CHECK_SETTINGS,
    FORMAT,
    certificate,
    certificate_deal,
    check,
    read_certificate,
    write_certificate,
)
from .prover import Proof, ProofVerdict, Refutation, Settings, Step, event_feasible, prove
from .relaxation import Event, EventKind, cases, events, first_event, layout_of, standing_event

__all__ = [
    "CHECK_SETTINGS",
    "FORMAT",
    "Event",
    "EventKind",
    "Proof",
    "ProofVerdict",
    "Refutation",
    "Settings",
    "Step",
    "cases",
    "certificate",
    "certificate_deal",
    "check",
    "event_feasible",
    "events",
    "first_event",
    "layout_of",
    "prove",
    "read_certificate",
    "standing_event",
    "write_certificate",
]
