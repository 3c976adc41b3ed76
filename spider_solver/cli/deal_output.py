"""Write a deal in a format to a file or to stdout, for the commands ``convert`` and ``show``."""

from __future__ import annotations

import click

from ..deal import Deal
from ..formats import FORMATS, write_deal
from .output import Messages
from .output_files import OutputFile


def output_deal(
    deal: Deal, format_name: str, messages: Messages, output: OutputFile | None = None
) -> None:
    """Write the deal, and a note on stderr for each thing that the format does not hold.

    output: where to write; stdout if it is None or its option is not given.
    """
    text = write_deal(deal, format_name)
    if output is None or output.path is None:
        click.echo(text, nl=False)
    else:
        output.write(text)
    for omission in FORMATS[format_name].omits(deal):
        messages.info(f"note: {omission}")
