"""The arguments DEAL and FILE: how they are declared, and how what they name is read."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import click

from ..deal import Deal, Rules
from ..formats import read_deal, read_stream
from ..notation import RecordedGame, read_game
from ..numbering import deal_from_number
from .errors import InputError, reason
from .options import Decorated, whole_number

STDIN = "-"
_STDIN_NAME = "standard input"
_EXPECTED = "a deal's NUMBER, SCHEME:NUMBER, a file, or - for standard input"
# At least two letters before the colon: `C:\deal.txt` is a file.
_NUMBER = re.compile(r"(?:[A-Za-z]\w+:[^/\\]*|[-+]?[0-9][0-9_.,]*)")


class DealCommand(click.Command):
    """A command with a DEAL, which may look like an option: ``-1`` is a number, if no deal's."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse, but tell a negative number from an unknown option."""
        given = list(args)
        try:
            return super().parse_args(ctx, args)
        except click.NoSuchOption as error:
            for text in given:
                if re.fullmatch(r"-[0-9]+", text) and text.startswith(error.option_name):
                    deal_from_number(text)  # raises, saying which numbers there are
            raise


def deal_options(command: Decorated) -> Decorated:
    """The argument DEAL with ``--suits`` and ``--rules``; for ``load_deal``."""
    for decorate in (
        click.option(
            "--rules",
            type=click.Choice([str(rules) for rules in Rules]),
            help="Whether a row may be dealt while a column is empty: only when relaxed."
            "  [default: what the deal says, or standard]",
        ),
        click.option(
            "--suits",
            type=whole_number(1, 4),
            metavar="1|2|4",
            help="Suit mode; 3 where a numbering has it.  [default: 4 for deal numbers]",
        ),
        click.argument("deal", metavar="DEAL"),
    ):
        command = decorate(command)
    return command


def game_argument(command: Decorated) -> Decorated:
    """The argument FILE; for ``load_game``."""
    return click.argument("file", metavar="FILE")(command)


def load_deal(text: str, suits: int | None, rules: str | None) -> Deal:
    """The deal that the argument DEAL names. Raises a SpiderError.

    ``-`` is standard input; what exists is a file; the rest must be a deal number. suits:
    the suit mode of a deal number (None: 4), which a file's must equal. rules: overrides a
    file's.
    """
    if text != STDIN and not _exists(text):
        if not _NUMBER.fullmatch(text):
            raise InputError(f"{text!r} is no file and no deal number: expected {_EXPECTED}")
        return deal_from_number(text, 4 if suits is None else suits, Rules(rules or Rules.STANDARD))
    deal = read_deal(*_read(text))
    if suits is not None and suits != deal.suits:
        raise InputError(f"--suits {suits}: the deal in {_name(text)!r} has {deal.suits}")
    return deal if rules is None else deal.with_rules(Rules(rules))


def load_game(text: str) -> RecordedGame:
    """The recorded game that the argument FILE names. Raises a SpiderError."""
    if text != STDIN and not _exists(text):
        raise InputError(
            f"{text!r} is no file: expected a recorded game, as solve -o writes it,"
            " or - for standard input"
        )
    return read_game(*_read(text))


def _name(text: str) -> str:
    return _STDIN_NAME if text == STDIN else text


def _exists(text: str) -> bool:
    try:
        return text != "" and Path(text).exists()
    except (OSError, ValueError):  # a name too long, a NUL in it
        return False


def _read(text: str) -> tuple[str, str]:
    """The text of a file or of standard input, and its name for messages."""
    name = _name(text)
    try:
        if text == STDIN:
            if sys.stdin is None:
                raise InputError("standard input is closed: expected a deal or a recorded game")
            return read_stream(sys.stdin.buffer, name), name
        if Path(text).is_dir():
            raise InputError(f"{text!r} is a folder: expected {_EXPECTED}")
        with open(text, "rb") as stream:
            return read_stream(stream, name), name
    except OSError as error:
        raise InputError(f"{name!r} can't be read: {reason(error)}") from None
