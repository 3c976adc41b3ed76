"""Proofs that a position cannot be won, whatever its suits, by OR-tools (extra ``prove``).

Every won game has a *first event*: the first time that a column becomes empty or that thirteen
cards from King to Ace lie together. ``prove(deal)`` tries to refute all first events, one by one.
If all are refuted, the position is proved unwinnable. If one of them is possible in the model, or
if the time is up, nothing is claimed.

A proof depends on CP-SAT's answer "infeasible" for each event. ``prove_and_check(deal)`` therefore
runs a proof a second time, with another random seed and without presolve. Both runs use the same
model and the same solver, so the check is not independent of the proof.

- relaxation.py: the terms of this package, the first events, and the reason why suits and the rule
  for rows do not matter before them.
- variables.py, model.py: the constraint model, with the reason for each constraint.
- cpsat.py: imports and calls OR-tools. The other modules get OR-tools from it.
- prover.py: one run, event by event.
- checked.py: a proof with its check, and the time limits of both.
- certificate.py: a proof as a JSON file.
"""

from __future__ import annotations

from .certificate import (
    CERTIFICATE_FORMAT,
    certificate,
    certificate_deal,
    read_certificate,
    write_certificate,
)
from .checked import CHECK_SETTINGS, PROOF_SECONDS, CheckedProof, prove_again, prove_and_check
from .cpsat import Settings, import_cp_model
from .prover import Attempt, OnProofProgress, Proof, ProofProgress, ProofVerdict, prove
from .relaxation import (
    Event,
    EventKind,
    block_layout,
    cases,
    event_in_position,
    events,
    first_event,
)

__all__ = [
    "CERTIFICATE_FORMAT",
    "CHECK_SETTINGS",
    "PROOF_SECONDS",
    "Attempt",
    "CheckedProof",
    "Event",
    "EventKind",
    "OnProofProgress",
    "Proof",
    "ProofProgress",
    "ProofVerdict",
    "Settings",
    "block_layout",
    "cases",
    "certificate",
    "certificate_deal",
    "event_in_position",
    "events",
    "first_event",
    "import_cp_model",
    "prove",
    "prove_again",
    "prove_and_check",
    "read_certificate",
    "write_certificate",
]
