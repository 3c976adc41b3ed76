"""``convert DEAL --to FORMAT``: write a deal or position in another program's format."""

from __future__ import annotations

import click

from ..errors import SpiderError
from ..formats import FORMATS, Contents
from ..recorded_games import NoGameError
from ..words import counted
from .deal_output import output_deal
from .inputs import DealCommand, ReadingOptions, deal_options, load_contents
from .options import HELP, message_options
from .output import check_writable, messages_of


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

    DEAL is a deal's NUMBER, SCHEME:NUMBER, a file, or - for standard input. A note on stderr
    names each thing that the format cannot hold. A deal that it cannot hold at all is an error.
    """
    contents = load_contents(deal, reading)
    messages = messages_of(ctx)
    if output is not None:
        check_writable(output)
    output_deal(contents.deal, target_format, messages, output)
    note = _note_on_actions(contents)
    if note:
        messages.info(f"note: {note}")


def _note_on_actions(contents: Contents) -> str:
    """Return a sentence on the recorded actions, which are not converted; empty if none."""
    try:
        count = len(contents.game().entries)
    except NoGameError:
        return ""
    except SpiderError as error:
        return f"the recorded actions cannot be read: {error}"
    if not count:
        return ""
    return f"the file does not hold the {counted(count, 'action')} of the recorded game"
