"""``show DEAL...``: print boards, or write a deal in a format that programs read."""

from __future__ import annotations

from itertools import islice

import click

from ..formats import WRITABLE
from ..render.board import board
from .deal_output import output_deal
from .errors import Exit
from .help import DEAL_TEXT
from .inputs import DealCommand, ReadingOptions, deals_options, load_deals
from .options import HELP, message_options
from .output import messages_of, style_of_stdout


@click.command(
    "show",
    cls=DealCommand,
    context_settings=HELP,
    arguments={"DEAL": f"{DEAL_TEXT} Also a list or range of numbers, such as kpat:1-20,30."},
    examples={
        "spider-solver show 1": "Print the board of deal 1",
        "spider-solver show 1 --suits 2 --reveal": "With two suits, face-down cards and stock",
        "spider-solver show kpat:1-20 pysol:1,5,9": "Print many boards",
        "spider-solver show 1 --format text > deal.txt": "Write all cards of deal 1 to a file",
        "spider-solver show game.txt --at 20 --format text": "The position after 20 actions",
    },
    exit_codes={Exit.DONE: "the boards or the deal were printed"},
)
@deals_options
@click.option("--reveal", is_flag=True, help="Show face-down cards, in brackets, and the stock.")
@click.option(
    "--format",
    "format_name",
    type=click.Choice(WRITABLE),
    help="Write the deal, with all its cards, in a format that solve and other programs read."
    "  [default: print boards]",
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

    A board shows the cards that a player sees. With --format one deal is written with all its
    cards, and a note on stderr names each thing that the format cannot hold.
    """
    if reveal and format_name:
        raise click.UsageError("--reveal cannot be combined with --format", ctx)
    found = load_deals(deals, reading, messages_of(ctx))
    if format_name is not None:
        one, *more = islice(found, 2)
        if more:
            raise click.UsageError("--format writes one deal, but several are named", ctx)
        output_deal(one.deal, format_name, messages_of(ctx))
        return
    style = style_of_stdout()
    for index, loaded in enumerate(found):
        separator = "\n" if index else ""
        drawn = board(loaded.deal, reveal=reveal, style=style)
        click.echo(f"{separator}{style.strong(loaded.title)}\n\n{drawn}", color=style.color)
