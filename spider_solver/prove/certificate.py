"""A proof as JSON that can be stored and run again.

Keys: ``format`` and ``model`` (their versions), ``deal`` (columns, face_down, stock,
completed, name, rules: the whole position), ``solver``, ``settings``, ``lemmas`` and
``events``, each in the order in which they were refuted, with their kind, stage, column and
block (0-based), seconds, conflicts and branches; ``seconds`` in all, and ``verdict``.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import asdict
from typing import Any

from ..cards import SUITS, card_text, parse_card, parse_suit
from ..deal import Deal, Rules
from ..errors import SpiderError
from .model import VERSION
from .prover import Proof, Refutation, Settings, Step, prove

FORMAT = "spider-solver proof 1"
CHECK_SETTINGS = Settings(seed=20_051, presolve=False, lemma_effort=4.0)


def certificate(proof: Proof) -> dict[str, Any]:
    """The proof as a JSON object."""
    deal = proof.deal
    return {
        "format": FORMAT,
        "verdict": str(proof.verdict),
        "model": VERSION,
        "solver": proof.solver,
        "settings": asdict(proof.settings),
        "deal": {
            "name": deal.name,
            "rules": str(deal.rules),
            "columns": [" ".join(map(card_text, column)) for column in deal.columns],
            "face_down": list(deal.face_down),
            "stock": " ".join(map(card_text, deal.stock)),
            "completed": "".join(SUITS[suit] for suit in deal.completed),
        },
        "lemmas": [_refutation(one) for one in proof.lemmas],
        "events": [_refutation(one) for one in proof.refuted],
        "possible": [asdict(event) for event in proof.possible],
        "open": [asdict(event) for event in proof.open],
        "seconds": proof.seconds,
    }


def _refutation(one: Refutation) -> dict[str, Any]:
    return {
        **asdict(one.event),
        "seconds": one.seconds,
        "conflicts": one.conflicts,
        "branches": one.branches,
    }


def read_certificate(text: str) -> dict[str, Any]:
    """A certificate from its JSON text; SpiderError if it is none that this version knows."""
    try:
        found = json.loads(text)
    except ValueError as error:
        raise SpiderError(f"no proof certificate: not JSON ({error})") from None
    if not isinstance(found, dict) or found.get("format") != FORMAT:
        raise SpiderError(f'no proof certificate: expected JSON with "format": {FORMAT!r}')
    return found


def certificate_deal(found: Mapping[str, Any]) -> Deal:
    """The position that a certificate is about, checked card by card."""
    try:
        deal = found["deal"]
        return Deal.make(
            [[parse_card(one) for one in column.split()] for column in deal["columns"]],
            [parse_card(one) for one in deal["stock"].split()],
            deal["face_down"],
            [parse_suit(one) for one in deal["completed"]],
            rules=Rules(deal["rules"]),
            name=deal["name"],
        )
    except (KeyError, TypeError, AttributeError) as error:
        raise SpiderError(f"a proof certificate without a whole deal: {error}") from None


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
