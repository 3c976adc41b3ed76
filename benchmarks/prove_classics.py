"""Proves that well-known deals cannot be won, and checks the proofs under a second setting.

    python benchmarks/prove_classics.py
    python benchmarks/prove_classics.py pysol:ms1748 --no-check --out build

The default deals are pysol:ms14934 and pysol:ms1748. The program prints a line for each event when
it has been tried. A short lemma gets no line.
"""

from __future__ import annotations

from pathlib import Path

import click

from spider_solver.errors import SpiderError
from spider_solver.numbering import deal_from_number
from spider_solver.prove import ProofProgress, certificate, prove_and_check, write_certificate

CLASSICS = ("pysol:ms14934", "pysol:ms1748")
SHORT_LEMMA = 1.0  # seconds


def print_event(step: ProofProgress) -> None:
    """Print a line about an event, unless it is a short lemma."""
    if not step.is_lemma or step.seconds > SHORT_LEMMA:
        click.echo(f"{step.done:3}/{step.total} {step.seconds:7.2f} s  {step.text}: {step.answer}")


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
@click.argument("deals", metavar="[DEAL]...", nargs=-1)
@click.option("--no-check", is_flag=True, help="Do not check the proofs.")
@click.option(
    "--out",
    metavar="FOLDER",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="Write the certificate of each deal to a JSON file in this folder.",
)
def main(deals: tuple[str, ...], no_check: bool, out: Path | None) -> None:
    """Prove that each DEAL, a deal number, cannot be won with four suits."""
    for number in deals or CLASSICS:
        try:
            deal = deal_from_number(number, 4)
            checked = prove_and_check(deal, check=not no_check, progress=print_event)
        except SpiderError as error:
            raise click.ClickException(str(error)) from None
        proof, check = checked.proof, checked.check
        click.echo(
            f"{number}: {proof.verdict} in {proof.seconds:.1f} s, {len(proof.refuted)} events,"
            f" {len(proof.lemmas)} lemmas, {proof.solver}"
        )
        if check is not None:
            click.echo(f"{number}: checked: {check.verdict} in {check.seconds:.1f} s")
        if out is not None:
            name = number.replace(":", "-") + ".json"
            text = write_certificate(certificate(checked))
            (out / name).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
