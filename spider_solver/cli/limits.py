"""The options for the limits of a search, shared by all commands that search."""

from __future__ import annotations

import click

from ..result import Limits
from .options import Decorated, memory, seconds, whole_number


def limits_options(command: Decorated) -> Decorated:
    """Add the options ``--max-...`` and ``--time-limit`` to a command.

    The command gets them as keyword arguments with the names of the fields of ``Limits``.
    """
    for decorate in (
        click.option(
            "--max-memory",
            type=memory,
            metavar="SIZE",
            help="Give up a search that needs more memory, such as 500M or 2G."
            "  [default: half of the machine's memory, shared among the processes]",
        ),
        click.option(
            "--time-limit",
            type=seconds,
            metavar="SECONDS",
            help="Give up after this time. A search with this limit is not reproducible."
            "  [default: no limit]",
        ),
        click.option(
            "--max-positions",
            type=whole_number(1),
            metavar="N",
            help="Give up the exhaustive search that follows the beams after N positions."
            "  [default: 20000000 if no row is left in the stock, otherwise as many as the beams"
            " kept states, but at least 50000]",
        ),
        click.option(
            "--max-states",
            type=whole_number(1),
            metavar="N",
            help="Give up after N states of all beams and positions of the exhaustive search. Beams"
            " check this at the end of each level.  [default: no limit]",
        ),
        click.option(
            "--max-width",
            type=whole_number(1, 2**31 - 1),
            default=Limits().max_width,
            show_default=True,
            metavar="N",
            help="The width of the widest beam, in states kept per level.",
        ),
    ):
        command = decorate(command)
    return command
