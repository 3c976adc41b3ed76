"""The limits of a search as options, which all commands that search share."""

from __future__ import annotations

import click

from ..result import Limits
from .options import Decorated, memory, seconds, whole_number


def limits_options(command: Decorated) -> Decorated:
    """``--max-width``, ``--max-states``, ``--max-positions``, ``--time-limit``, ``--max-memory``.

    They are passed on by these names, which are the fields of ``Limits``.
    """
    for decorate in (
        click.option(
            "--max-memory",
            type=memory,
            metavar="SIZE",
            help="Give up rather than allocate more, such as 500M or 2G, for a search."
            "  [default: half of the machine's, shared]",
        ),
        click.option(
            "--time-limit",
            type=seconds,
            metavar="SECONDS",
            help="Give up after this time. Unlike the other limits, not reproducible.",
        ),
        click.option(
            "--max-positions",
            type=whole_number(1),
            metavar="N",
            help="Give up the exhaustive search, after all beams failed, when it has seen so many"
            " positions.  [default: 20000000 if no row is left, else as many as the beams kept"
            " states]",
        ),
        click.option(
            "--max-states",
            type=whole_number(1),
            metavar="N",
            help="Give up after keeping so many states.  [default: no limit]",
        ),
        click.option(
            "--max-width",
            type=whole_number(1, 2**31 - 1),
            default=Limits().max_width,
            show_default=True,
            metavar="N",
            help="The widest beam to try, in states kept a level.",
        ),
    ):
        command = decorate(command)
    return command
