"""A certificate: a proof as a JSON file, whose deal can be proved again.

A certificate is a deal in the JSON format of formats/json_format.py with more keys. So a program
that reads such a deal can also read a certificate. The keys, in their order:

- ``format``: the version of the certificate format.
- ``model``: the version of the constraint model.
- ``version``: the version of this program.
- The keys of the deal.
- ``verdict``, ``solver``, ``settings`` (of CP-SAT) and ``seconds`` of the proof.
- ``check``: the same four keys of the check; null without a check.
- ``lemmas`` and ``events``: the lemmas and the refuted first events in their order, each with its
  kind, stage, column and block (both counted from 0), seconds, conflicts and branches.
- ``possible`` and ``open``: the first events that were not refuted. A proof has none.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from .. import __version__
from ..deal import Deal
from ..errors import SourceError, in_source
from ..formats import json_format
from ..formats.format import named_after_file
from .checked import CheckedProof
from .model import MODEL_VERSION
from .prover import Attempt, Proof

CERTIFICATE_FORMAT = "spider-solver proof 1"


def certificate(checked: CheckedProof) -> dict[str, Any]:
    """A proof and its check as a JSON object."""
    proof, check = checked.proof, checked.check
    return {
        "format": CERTIFICATE_FORMAT,
        "model": MODEL_VERSION,
        "version": __version__,
        **json_format.deal_object(proof.deal),
        **_run_object(proof),
        "check": None if check is None else _run_object(check),
        "lemmas": [_attempt_object(lemma) for lemma in proof.lemmas],
        "events": [_attempt_object(event) for event in proof.refuted],
        "possible": [asdict(event) for event in proof.possible],
        "open": [asdict(event) for event in proof.open],
    }


def _run_object(proof: Proof) -> dict[str, Any]:
    return {
        "verdict": str(proof.verdict),
        "solver": proof.solver,
        "settings": asdict(proof.settings),
        "seconds": proof.seconds,
    }


def _attempt_object(attempt: Attempt) -> dict[str, Any]:
    return {
        **asdict(attempt.event),
        "seconds": attempt.seconds,
        "conflicts": attempt.conflicts,
        "branches": attempt.branches,
    }


def write_certificate(content: Mapping[str, Any]) -> str:
    """A certificate as text, with one key, column, lemma or event per line."""
    return json_format.dump(content)


def read_certificate(text: str, name: str = "") -> dict[str, Any]:
    """Read the JSON text of a certificate.

    name: the file's name, for messages.

    Raises SpiderError if the text is not a certificate of this version of the format.
    """
    with in_source(name):
        content = json_format.load(text) if json_format.detect(text) else {}
        if content.get("format") != CERTIFICATE_FORMAT:
            raise SourceError(
                "this is not a certificate of a proof: expected JSON with"
                f' "format": "{CERTIFICATE_FORMAT}"'
            )
    return content


def certificate_deal(content: Mapping[str, Any], name: str = "") -> Deal:
    """The position that a certificate is about, with every card checked. Raises SpiderError."""
    with in_source(name):
        return named_after_file(json_format.deal_from_object(content), name)
