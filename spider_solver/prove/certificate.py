"""A proof as JSON, which can be stored and run again.

A certificate is a deal in the JSON format of formats/json_format.py with more keys, so every
program that reads such a deal reads a certificate. The keys, in their order:

- ``format``: the version of the certificate format.
- ``model``: the version of the constraint model.
- ``version``: the version of this program.
- The keys of the deal.
- ``verdict``, ``solver``, ``settings`` (CP-SAT's) and ``seconds`` of the proof.
- ``check``: the same four of the run under the second setting, or null.
- ``lemmas`` and ``events``: the refutations in their order, each with its kind, stage, column and
  block (both counted from 0), seconds, conflicts and branches.
- ``possible`` and ``open``: events that were not refuted. A proof has none.
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
from .model import VERSION
from .prover import Proof, Refutation

FORMAT = "spider-solver proof 1"


def certificate(checked: CheckedProof) -> dict[str, Any]:
    """A proof and its check as a JSON object."""
    proof, check = checked.proof, checked.check
    return {
        "format": FORMAT,
        "model": VERSION,
        "version": __version__,
        **json_format.deal_object(proof.deal),
        **_run_object(proof),
        "check": None if check is None else _run_object(check),
        "lemmas": [_refutation_object(one) for one in proof.lemmas],
        "events": [_refutation_object(one) for one in proof.refuted],
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


def _refutation_object(one: Refutation) -> dict[str, Any]:
    return {
        **asdict(one.event),
        "seconds": one.seconds,
        "conflicts": one.conflicts,
        "branches": one.branches,
    }


def write_certificate(content: Mapping[str, Any]) -> str:
    """A certificate as text, with one key, column, lemma or event per line."""
    return json_format.dump(content)


def read_certificate(text: str, name: str = "") -> dict[str, Any]:
    """Read the JSON text of a certificate.

    name: the file's name, for messages. Raises SpiderError if the text is not a certificate of
    this format version.
    """
    with in_source(name):
        content = json_format.load(text)
        if content.get("format") != FORMAT:
            raise SourceError(
                f'this is not a proof certificate: expected JSON with "format": "{FORMAT}"'
            )
    return content


def certificate_deal(content: Mapping[str, Any], name: str = "") -> Deal:
    """The position that a certificate is about, with every card checked. Raises SpiderError."""
    with in_source(name):
        return named_after_file(json_format.deal_from_object(content), name)
