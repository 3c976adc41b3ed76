"""Proves pysol ms14934 and ms1748 unwinnable and checks the proofs under a second setting.

python benchmarks/prove_classics.py [DEAL ...] [--no-check] [--out FOLDER]
Prints each event as it's refuted; with --out, writes each certificate as JSON.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from spider_solver.numbering import deal_from_number
from spider_solver.prove import ProofProgress, certificate, prove_and_check, write_certificate

CLASSICS = ("pysol:ms14934", "pysol:ms1748")


def show(step: ProofProgress) -> None:
    """One line an event; lemmas only where they took a while."""
    if not step.is_lemma or step.seconds > 1:
        print(f"{step.done:3}/{step.total} {step.seconds:7.2f} s  {step.text}: {step.answer}")


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("deals", nargs="*", default=CLASSICS)
    parser.add_argument("--no-check", action="store_true")
    parser.add_argument("--out", type=Path)
    options = parser.parse_args()
    for number in options.deals:
        checked = prove_and_check(
            deal_from_number(number, 4), check=not options.no_check, progress=show
        )
        proof, check = checked.proof, checked.check
        print(
            f"{number}: {proof.verdict} in {proof.seconds:.1f} s, {len(proof.refuted)} events,"
            f" {len(proof.lemmas)} lemmas, {proof.solver}"
        )
        if check is not None:
            print(f"{number}: checked: {check.verdict} in {check.seconds:.1f} s")
        if options.out:
            name = number.replace(":", "-") + ".json"
            text = write_certificate(certificate(checked))
            (options.out / name).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
