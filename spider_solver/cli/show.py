"""``show DEAL``: the board, or the deal written in a format that programs read."""

from __future__ import annotations

import click

from ..formats import FORMATS, write_deal
from ..render import text as render
from .inputs import DealCommand, deal_options, load_deal
from .options import HELP, talk_options
from .output import style_of_stdout

_WRITABLE = [format.name for format in FORMATS.values() if format.write is not None]


@click.command("show", cls=DealCommand, context_settings=HELP)
@deal_options
@click.option("--reveal", is_flag=True, help="Show face-down cards, in brackets, and the stock.")
@click.option(
    "--format",
    "format_name",
    type=click.Choice(_WRITABLE),
    help="Write the deal in a format that solve and other programs read, all cards included.",
)
@talk_options
@click.pass_context
def command(
    ctx: click.Context,
    deal: str,
    suits: int | None,
    rules: str | None,
    reveal: bool,
    format_name: str | None,
) -> None:
    """Print the board of a deal, or the deal in another format.

    DEAL is a deal's NUMBER, SCHEME:NUMBER, a file, or - for standard input.
    """
    if reveal and format_name:
        raise click.UsageError("--reveal goes with the board, not with --format", ctx)
    found = load_deal(deal, suits, rules)
    if format_name is not None:
        click.echo(write_deal(found, format_name), nl=False)
        return
    style = style_of_stdout()
    text = render.board(found, reveal=reveal, style=style)
    click.echo(f"{style.strong(render.title(found))}\n\n{text}", color=style.color)
