"""``convert DEAL --to FORMAT``: a deal or position as another program reads it."""

from __future__ import annotations

import click

from ..deal import Deal
from ..formats import FORMATS, write_deal
from .inputs import DealCommand, ReadingOptions, deal_options, load_deal_and_note
from .options import HELP, message_options
from .output import Messages, check_writable, messages_of, write_file


@click.command("convert", cls=DealCommand, context_settings=HELP)
@deal_options
@click.option(
    "--to", "target_format", type=click.Choice(FORMATS), required=True, help="The format to write."
)
@click.option("-o", "--output", metavar="FILE", help="Write to a file.  [default: stdout]")
@message_options
@click.pass_context
def command(
    ctx: click.Context,
    deal: str,
    reading: ReadingOptions,
    target_format: str,
    output: str | None,
) -> None:
    """Write a deal in another program's format.

    DEAL is a deal's NUMBER, SCHEME:NUMBER, a file, or - for standard input. What the format
    can't hold of it is said on stderr, or the deal refused.
    """
    found, note = load_deal_and_note(deal, reading)
    if output is not None:
        check_writable(output)
    write_deal_out(found, target_format, messages_of(ctx), output)
    if note:
        messages_of(ctx).info(f"note: {note}")


def write_deal_out(
    deal: Deal, format_name: str, messages: Messages, output: str | None = None
) -> None:
    """Write the deal in a format to a file or to stdout, and say what it doesn't hold of it."""
    text = write_deal(deal, format_name)
    if output is None:
        click.echo(text, nl=False)
    else:
        write_file(output, text)
    for omission in FORMATS[format_name].omits(deal):
        messages.info(f"note: {omission}")
