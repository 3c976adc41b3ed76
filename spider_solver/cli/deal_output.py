"""Write a deal in a format to a file or to stdout, for the commands ``convert`` and ``show``."""

from __future__ import annotations

import click

from ..deal import Deal
from ..formats import FORMATS, write_deal
from .output import Messages, write_file


def output_deal(
    deal: Deal, format_name: str, messages: Messages, output: str | None = None
) -> None:
    """Write the deal, and a note on stderr for each thing that the format does not hold.

    output: the name of the file; None for stdout.
    """
    text = write_deal(deal, format_name)
    if output is None:
        click.echo(text, nl=False)
    else:
        write_file(output, text)
    for omission in FORMATS[format_name].omits(deal):
        messages.info(f"note: {omission}")
