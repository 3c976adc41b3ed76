"""``schemes``: the deal numbers that are known, and what goes with them."""

from __future__ import annotations

import json

import click

from ..numbering import DEFAULT, SCHEMES, Scheme
from ..render.json import scheme_object
from .options import HELP, json_option, message_options
from .output import style_of_stdout

_HEADINGS = ("scheme", "deal numbers", "suits", "rows", "example", "game")


@click.command("schemes", context_settings=HELP)
@json_option
@message_options
def command(as_json: bool) -> None:
    """List the schemes of deal numbers.

    For each: its numbers, its suit modes, the rule for rows that its own game plays by, and
    an example. The same number is another deal in each.
    """
    if as_json:
        click.echo(json.dumps([scheme_object(scheme) for scheme in SCHEMES.values()]))
        return
    style = style_of_stdout()
    rows = [_HEADINGS, *map(_row, SCHEMES.values())]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for index, row in enumerate(rows):
        line = "  ".join(text.ljust(width) for text, width in zip(row, widths, strict=True))
        click.echo(style.strong(line.rstrip()) if index == 0 else line.rstrip(), color=style.color)
    click.echo(
        f"\nA number without a scheme is {DEFAULT}. Ranges and lists: kpat:1-20, pysol:1,5,9.\n"
        "rows: whether that game deals a row while a column is empty (relaxed) or not (standard).\n"
        "show and solve go by the standard rule unless told --rules relaxed."
    )


def _row(scheme: Scheme) -> tuple[str, ...]:
    title = f"{scheme.title}; {scheme.note}" if scheme.note else scheme.title
    suits = ", ".join(map(str, scheme.suit_modes))
    return (scheme.name, scheme.numbers, suits, str(scheme.game_rules), scheme.example, title)
