"""Proofs that a position cannot be won, whatever its suits, by OR-tools (extra ``prove``).

A won game has a *first event*: the first time that a column becomes empty or that thirteen cards
from King to Ace lie together. ``prove(deal)`` refutes all possible first events, one by one. If all
are refuted, the position is proved unwinnable. If one is possible in the model, or if the time is
up, nothing is claimed.

A proof depends on CP-SAT's answer "infeasible" for each event. ``prove_and_check(deal)`` therefore
runs a proof a second time under another setting: another random seed and no presolve. Both runs use
the same model and the same solver, so the check is not independent of the proof.

- relaxation.py: the first events, and the reason why suits and the rule for rows do not matter
  before them.
- variables.py, model.py: the constraint model, with the reason for each constraint.
- cpsat.py: calls OR-tools. No other module imports it.
- prover.py: one run, event by event.
- checked.py: a proof with its check, and the time limit of both.
- certificate.py: a proof as a JSON file.
"""

from __future__ import annotations

from .certificate import (
    FORMAT,
    certificate,
    certificate_deal,
    read_certificate,
    write_certificate,
)
from .checked import CHECK_SETTINGS, PROOF_SECONDS, CheckedProof, prove_again, prove_and_check
from .cpsat import Settings, import_cp_model
from .prover import Proof, ProofProgress, ProofVerdict, Refutation, prove
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
    "CHECK_SETTINGS",
    "FORMAT",
    "PROOF_SECONDS",
    "CheckedProof",
    "Event",
    "EventKind",
    "Proof",
    "ProofProgress",
    "ProofVerdict",
    "Refutation",
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
