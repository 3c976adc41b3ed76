"""``show DEAL...``: print boards, or write a deal in a format that programs read."""

from __future__ import annotations

from itertools import islice

import click

from ..formats import FORMATS
from ..render.board import board
from ..render.text import title
from .deal_output import output_deal
from .inputs import DealCommand, ReadingOptions, deals_options, load_deals
from .options import HELP, message_options
from .output import messages_of, style_of_stdout


@click.command("show", cls=DealCommand, context_settings=HELP)
@deals_options
@click.option("--reveal", is_flag=True, help="Show face-down cards, in brackets, and the stock.")
@click.option(
    "--format",
    "format_name",
    type=click.Choice(FORMATS),
    help="Write the deal, with all its cards, in a format that solve and other programs read.",
)
@message_options
@click.pass_context
def command(
    ctx: click.Context,
    deals: tuple[str, ...],
    reading: ReadingOptions,
    reveal: bool,
    format_name: str | None,
) -> None:
    """Print the boards of deals, or a deal in another format.

    DEAL is a deal's NUMBER, SCHEME:NUMBER, a list or range of them like kpat:1-20,30, a file, or
    - for standard input.
    """
    if reveal and format_name:
        raise click.UsageError("--reveal cannot be combined with --format", ctx)
    found = load_deals(deals, reading)
    if format_name is not None:
        one, *more = islice(found, 2)
        if more:
            raise click.UsageError("--format writes one deal, but several are named", ctx)
        output_deal(one, format_name, messages_of(ctx))
        return
    style = style_of_stdout()
    for index, deal in enumerate(found):
        separator = "\n" if index else ""
        drawn = board(deal, reveal=reveal, style=style)
        click.echo(f"{separator}{style.strong(title(deal))}\n\n{drawn}", color=style.color)
