"""``schemes``: list the schemes of deal numbers."""

from __future__ import annotations

import json

import click

from ..numbering import DEFAULT, SCHEMES, Scheme
from ..render.json import scheme_object
from .errors import Exit
from .help import DocumentedCommand
from .options import HELP, json_option, message_options
from .output import style_of_stdout

_HEADINGS = ("scheme", "deal numbers", "suits", "rows", "example", "game")


@click.command(
    "schemes",
    cls=DocumentedCommand,
    context_settings=HELP,
    examples={
        "spider-solver schemes": "Print the table",
        "spider-solver show kpat:12345": "Print the deal that KPatience shows for number 12345",
    },
    exit_codes={Exit.DONE: "the schemes were printed"},
)
@json_option
@message_options
def command(as_json: bool) -> None:
    """List the schemes of deal numbers.

    For each scheme: its numbers, its suit modes, the rule for rows in the game that it comes
    from, and an example. The same number is a different deal in each scheme.
    """
    if as_json:
        click.echo(json.dumps([scheme_object(scheme) for scheme in SCHEMES.values()]))
        return
    style = style_of_stdout()
    table = [_HEADINGS, *map(_table_row, SCHEMES.values())]
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    for index, cells in enumerate(table):
        line = "  ".join(text.ljust(width) for text, width in zip(cells, widths, strict=True))
        click.echo(style.strong(line.rstrip()) if index == 0 else line.rstrip(), color=style.color)
    click.echo(
        f"\nA number without a scheme is {DEFAULT}. Ranges and lists: kpat:1-20, pysol:1,5,9.\n"
        "rows: whether that game deals a row while a column is empty (relaxed) or not (standard).\n"
        "show and solve use the standard rule unless --rules relaxed is given."
    )


def _table_row(scheme: Scheme) -> tuple[str, ...]:
    """Return the cells of a scheme, in the order of the headings."""
    title = f"{scheme.title}; {scheme.note}" if scheme.note else scheme.title
    suits = ", ".join(map(str, scheme.suit_modes))
    return (scheme.name, scheme.numbers, suits, str(scheme.game_rules), scheme.example, title)
