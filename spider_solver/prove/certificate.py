"""A proof as JSON that can be stored and run again.

A certificate is a deal in the JSON of formats/json_format.py, so whatever reads a deal reads
it, with more keys: ``format`` and ``model`` (their versions) and ``version`` (the program's)
before it; after it ``verdict``, ``solver`` and ``settings`` (CP-SAT's), ``seconds`` in all;
``check``, the same of a run under a second setting, or null; ``lemmas`` and ``events``, each
in the order in which they were refuted, with their kind, stage, column and block (0-based),
seconds, conflicts and branches; ``possible`` and ``open``, which a proof has none of.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict
from typing import Any

from .. import __version__
from ..deal import Deal
from ..errors import SpiderError, in_source
from ..formats import json_format
from ..formats.format import named_after_file
from .model import VERSION
from .prover import Proof, Refutation, Settings, Step, prove

FORMAT = "spider-solver proof 1"
CHECK_SETTINGS = Settings(seed=20_051, presolve=False, lemma_effort=4.0)


def certificate(proof: Proof, checked: Proof | None = None) -> dict[str, Any]:
    """The proof as a JSON object; checked: what a run under a second setting found."""
    return {
        "format": FORMAT,
        "model": VERSION,
        "version": __version__,
        **json_format.deal_object(proof.deal),
        **_outcome(proof),
        "check": None if checked is None else _outcome(checked),
        "lemmas": [_refutation(one) for one in proof.lemmas],
        "events": [_refutation(one) for one in proof.refuted],
        "possible": [asdict(event) for event in proof.possible],
        "open": [asdict(event) for event in proof.open],
    }


def _outcome(proof: Proof) -> dict[str, Any]:
    return {
        "verdict": str(proof.verdict),
        "solver": proof.solver,
        "settings": asdict(proof.settings),
        "seconds": proof.seconds,
    }


def _refutation(one: Refutation) -> dict[str, Any]:
    return {
        **asdict(one.event),
        "seconds": one.seconds,
        "conflicts": one.conflicts,
        "branches": one.branches,
    }


def write_certificate(found: Mapping[str, Any]) -> str:
    """A certificate as text: a key, a column, a lemma or an event a line."""
    return json_format.dump(found)


def read_certificate(text: str, name: str = "") -> dict[str, Any]:
    """A certificate from its JSON text; SpiderError if it is none that this version knows.

    name: the file's, for messages.
    """
    with in_source(name):
        found = json_format.load(text)
    if found.get("format") != FORMAT:
        where = f"{name}: " if name else ""
        raise SpiderError(f'{where}no proof certificate: expected JSON with "format": "{FORMAT}"')
    return found


def certificate_deal(found: Mapping[str, Any], name: str = "") -> Deal:
    """The position that a certificate is about, checked card by card. Raises SpiderError."""
    with in_source(name):
        return named_after_file(json_format.deal_from_object(found), name)


def check(
    found: Mapping[str, Any],
    *,
    settings: Settings = CHECK_SETTINGS,
    time_limit: float | None = None,
    progress: Callable[[Step], None] | None = None,
) -> Proof:
    """Prove a certificate's deal again from nothing under a second setting.

    By default another search seed and no presolve, which is the part of CP-SAT that rewrites
    a model most. Nothing is taken from the certificate but the deal, so a wrong one can't
    pass: it holds if the Proof that comes back is proved. Lemmas take more effort without
    presolve.
    """
    return prove(
        certificate_deal(found), settings=settings, time_limit=time_limit, progress=progress
    )
