"""Options that commands share, and types of options.

This module imports nothing of the game, because the help page imports it and must be fast.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from typing import Any, TypeVar

import click

from ..words import quote
from .completion import complete_file
from .output import messages_of

Decorated = TypeVar("Decorated", bound=Callable[..., Any])

HELP = {"help_option_names": ["-h", "--help"], "max_content_width": 100}

# As in deal numbers, only the digits 0 to 9 are read. Python's int and float read more: underscores
# and the digits of other scripts.
_DIGITS = re.compile(r"\s*[0-9]{1,40}\s*")
_MEMORY = re.compile(r"([0-9]{1,15}(?:\.[0-9]{1,9})?)([KMGT]?)(?:i?B)?", re.IGNORECASE | re.ASCII)
_SECONDS = re.compile(r"\s*(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:e[-+]?[0-9]+)?\s*", re.IGNORECASE)
_MAX_NUMBER = 2**63 - 1
_UNLIMITED = 2**31 - 1  # "expected ..." names an upper limit only if it is below this number


def message_options(command: Decorated) -> Decorated:
    """``-q`` and ``-v``, before or after the command's name. They set ``messages_of(ctx)``."""

    def set_quiet(ctx: click.Context, param: click.Parameter, value: bool) -> None:
        messages_of(ctx).quiet |= value

    def set_verbose(ctx: click.Context, param: click.Parameter, value: bool) -> None:
        messages_of(ctx).verbose |= value

    for flags, callback, text in (
        (("-v", "--verbose"), set_verbose, "Write more about the progress to stderr."),
        (("-q", "--quiet"), set_quiet, "Write only errors to stderr."),
    ):
        command = click.option(
            *flags, is_flag=True, expose_value=False, callback=callback, help=text
        )(command)
    return command


def json_option(command: Decorated) -> Decorated:
    """``--json``, passed as the parameter ``as_json``."""
    return click.option("--json", "as_json", is_flag=True, help="Print JSON instead of text.")(
        command
    )


def html_option(command: Decorated) -> Decorated:
    """``--html FILE``, passed as the parameter ``html_file``."""
    return click.option(
        "--html",
        "html_file",
        metavar="FILE",
        shell_complete=complete_file,
        help="Write the game as one HTML page, to view in a browser.",
    )(command)


def force_option(command: Decorated) -> Decorated:
    """``--force``, passed as the parameter ``force``, for commands that write files."""
    return click.option(
        "--force",
        is_flag=True,
        help="Replace a file even if it is of another kind than the new one.",
    )(command)


def whole_number(low: int, high: int = _MAX_NUMBER) -> Callable[[str | int], int]:
    """An option's type: a whole number from low to high."""
    is_limited = high < _UNLIMITED
    expected = (
        f"a whole number from {low} to {high}" if is_limited else f"a whole number from {low} up"
    )

    def convert(value: str | int) -> int:
        text = str(value)  # a default may be a number
        number = int(text) if _DIGITS.fullmatch(text) else None
        if number is None or number < low:
            raise click.BadParameter(f"{quote(text)}: expected {expected}")
        if number > high:
            limit = "" if is_limited else f", at most {high}"
            raise click.BadParameter(f"{quote(text)}: expected {expected}{limit}")
        return number

    return convert


def memory(text: str) -> int:
    """An option's type: bytes, as a number with K, M, G or T (powers of 1024) after it."""
    match = _MEMORY.fullmatch(text)
    size = int(float(match[1]) * 1024 ** " KMGT".index(match[2].upper() or " ")) if match else 0
    if not 0 < size < 2**63:
        raise click.BadParameter(f"{quote(text)}: expected an amount of memory, such as 500M or 2G")
    return size


def seconds(value: str | float) -> float:
    """An option's type: a positive number of seconds."""
    text = str(value)  # a default may be a number
    number = float(text) if _SECONDS.fullmatch(text) else math.nan
    if not (0 < number < math.inf):
        raise click.BadParameter(f"{quote(text)}: expected a positive number of seconds")
    return number
