"""The options for shorter solutions, and what a command prints about the search for them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import wraps
from typing import Any

import click

from ..deal import Deal
from ..result import Result, ShorteningLimits
from ..shorten import DEFAULT_SECONDS, shorten
from ..words import counted
from .options import Decorated, seconds, whole_number
from .output import Messages


def shortening_options(command: Decorated) -> Decorated:
    """Add ``--shorten``, ``--shorten-states`` and ``--jobs`` to a command.

    The command gets ``shortening``: a ShorteningLimits, or None if no shorter solution is wanted.
    It gets ``jobs`` too: None if the option is not given.
    """

    @wraps(command)
    def with_jobs(
        *args: Any, shortening: ShorteningLimits | None, jobs: int | None, **rest: Any
    ) -> Any:
        if jobs is not None and shortening is not None:
            shortening = replace(shortening, jobs=jobs)
        return command(*args, shortening=shortening, jobs=jobs, **rest)

    decorated: Any = click.option(
        "--jobs",
        type=whole_number(1),
        metavar="N",
        help="Search with so many threads: for shorter solutions at most two, and for the orders of"
        " unknown cards any number.  [default: 1]",
    )(with_jobs)
    return shortening_limits_options(decorated)  # type: ignore[no-any-return]


def shortening_limits_options(command: Decorated) -> Decorated:
    """Add ``--shorten`` and ``--shorten-states`` to a command; it gets ``shortening`` as above."""

    @wraps(command)
    def with_shortening(
        *args: Any, shorten_seconds: float | None, shorten_states: int | None, **rest: Any
    ) -> Any:
        shortening = None
        if shorten_seconds is not None or shorten_states is not None:
            shortening = ShorteningLimits(shorten_seconds, shorten_states)
        return command(*args, shortening=shortening, **rest)

    decorated: Any = with_shortening
    for decorate in (
        click.option(
            "--shorten-states",
            type=whole_number(1),
            metavar="N",
            help="Like --shorten, but until N states are kept. The result is the same on every"
            " machine, for any number of jobs.  [default: no limit]",
        ),
        click.option(
            "--shorten",
            "shorten_seconds",
            type=seconds,
            is_flag=False,
            flag_value=DEFAULT_SECONDS,
            metavar="[SECONDS]",
            help="After a solution is found, search for shorter ones for so many seconds. Without"
            " SECONDS, write the option after the deals."
            f"  [default: {DEFAULT_SECONDS:g} without SECONDS; without the option, no search]",
        ),
    ):
        decorated = decorate(decorated)
    return decorated  # type: ignore[no-any-return]


def shortened(
    deal: Deal,
    result: Result,
    limits: ShorteningLimits,
    max_memory: int | None,
    messages: Messages,
) -> Result:
    """The result with the shortest solution found. Each shorter one is announced on stderr.

    max_memory: of ``--max-memory``, in bytes; None if it is not given.
    """

    def show_gain(actions: int, score: int) -> None:
        messages.info(f"{counted(actions, 'action')}, score {score}")

    limits = replace(limits, max_memory=max_memory)
    return shorten(deal, result, limits, show_gain, messages.info)


def shortening_lines(result: Result) -> Iterator[str]:
    """What the search for shorter solutions found; nothing if there was none."""
    shortening = result.shortening
    if shortening is None:
        return
    length = counted(len(result.actions), "action")
    if shortening.shortest:
        yield f"{length}: the shortest solution, proved"
    else:
        yield f"{length}: every solution has at least {shortening.at_least}"
    saved = counted(shortening.first_length - len(result.actions), "action")
    ended = ", ended by Ctrl-C" if shortening.interrupted else ""
    states = counted(shortening.states, "state")
    yield f"shortened by {saved} with {states} in {shortening.seconds:.2f} s{ended}"
