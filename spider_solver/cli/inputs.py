"""The arguments DEAL and FILE: how they are declared, and how what they name is read."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import wraps
from itertools import chain
from pathlib import Path
from typing import Any

import click

from ..deal import Deal, RowRule
from ..errors import SpiderError
from ..formats import FORMATS, detect_format, read_deal, read_stream
from ..notation import NoGame, RecordedGame, read_game
from ..numbering import deal_from_number, parse_numbers
from ..numbering.grammar import looks_like_numbers
from ..words import counted
from .errors import InputError, reason
from .options import Decorated, whole_number

STDIN = "-"
_STDIN_NAME = "standard input"
_EXPECTED = "a deal's NUMBER, SCHEME:NUMBER, a file, or - for standard input"


@dataclass(frozen=True, slots=True)
class ReadingOptions:
    """How the user wants a DEAL to be read."""

    suits: int | None = None  # suit mode of a deal number (None: 4); a file's must equal it
    rules: str | None = None  # the rule for rows; None: what the deal says, or standard
    source_format: str | None = None  # a file's format; None: told by its content

    @property
    def suits_of_number(self) -> int:
        """The suit mode of a deal number."""
        return 4 if self.suits is None else self.suits

    @property
    def rules_of_number(self) -> RowRule:
        """The rule for rows of a deal number."""
        return RowRule(self.rules or RowRule.STANDARD)


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
    """The argument DEAL with ``--suits``, ``--rules`` and ``--from``; for ``load_deal``."""
    return _how_to_read(click.argument("deal", metavar="DEAL")(command))


def optional_deal_options(command: Decorated) -> Decorated:
    """As ``deal_options``, but DEAL may be left out: ``deal`` is None then."""
    return _how_to_read(click.argument("deal", metavar="[DEAL]", required=False)(command))


def deals_options(command: Decorated) -> Decorated:
    """One or more DEALs, passed on as ``deals``, with the same options; for ``load_deals``."""
    return _how_to_read(
        click.argument("deals", metavar="DEAL...", nargs=-1, required=True)(command)
    )


def _how_to_read(command: Decorated) -> Decorated:
    """The options that say how a DEAL is read, passed on as ``reading``: ReadingOptions."""

    @wraps(command)
    def with_reading(
        *args: Any, suits: int | None, rules: str | None, source_format: str | None, **rest: Any
    ) -> Any:
        return command(*args, reading=ReadingOptions(suits, rules, source_format), **rest)

    decorated: Any = with_reading
    for decorate in (
        click.option(
            "--from",
            "source_format",
            type=click.Choice(FORMATS, case_sensitive=False),
            help="The format of a DEAL that is a file.  [default: told by its content]",
        ),
        click.option(
            "--rules",
            type=click.Choice([str(rules) for rules in RowRule]),
            help="Whether a row may be dealt while a column is empty: only when relaxed."
            "  [default: what the deal says, or standard]",
        ),
        click.option(
            "--suits",
            type=whole_number(1, 4),
            metavar="1|2|4",
            help="Suit mode; 3 where a numbering has it.  [default: 4 for deal numbers]",
        ),
    ):
        decorated = decorate(decorated)
    return decorated  # type: ignore[no-any-return]


def game_argument(command: Decorated) -> Decorated:
    """The argument FILE; for ``load_game``."""
    return click.argument("file", metavar="FILE")(command)


def games_argument(command: Decorated) -> Decorated:
    """The argument FILES, one or more, passed on as ``files``; for ``load_game``."""
    return click.argument("files", metavar="FILES...", nargs=-1, required=True)(command)


def load_deal(text: str, reading: ReadingOptions) -> Deal:
    """The deal that the argument DEAL names. Raises a SpiderError.

    ``-`` is standard input; what exists is a file; the rest must be a deal number.
    """
    if _names_numbers(text, reading):
        return _numbered(text, reading)
    return _deal_in(*_read(text), reading)


def load_deal_and_note(text: str, reading: ReadingOptions) -> tuple[Deal, str]:
    """As ``load_deal``, with a sentence on the recorded game that it leaves aside, if any."""
    if _names_numbers(text, reading):
        return _numbered(text, reading), ""
    content, name = _read(text)
    found = detect_format(content, name, reading.source_format).name
    deal = _deal_in(content, name, replace(reading, source_format=found))
    try:
        actions = len(read_game(content, name, found).actions)
    except NoGame:
        actions = 0
    except SpiderError as error:
        return deal, f"its actions can't be read: {error}"
    if not actions:
        return deal, ""
    return deal, f"the file doesn't hold the {counted(actions, 'action')} of the recorded game"


def load_deals(texts: Sequence[str], reading: ReadingOptions) -> Iterator[Deal]:
    """The deals of several arguments, each a file or deal numbers and ranges, one by one.

    All arguments are checked, and files read, before the first deal. Raises a SpiderError.
    """
    found: list[Iterable[Deal]] = []
    for text in texts:
        if _names_numbers(text, reading):
            numbers = parse_numbers(text)
            found.append(numbers.deals(reading.suits_of_number, reading.rules_of_number))
        else:
            found.append([_deal_in(*_read(text), reading)])
    return chain.from_iterable(found)


def _names_numbers(text: str, reading: ReadingOptions) -> bool:
    """Whether a DEAL is deal numbers; False if it is a file; InputError if neither."""
    if text == STDIN or _exists(text):
        return False
    if not looks_like_numbers(text):
        raise InputError(f"{text!r} is no file and no deal number: expected {_EXPECTED}")
    if reading.source_format is not None:
        raise InputError(f"--from {reading.source_format}: {text!r} is no file")
    return True


def _numbered(text: str, reading: ReadingOptions) -> Deal:
    """The one deal that a deal number names."""
    numbers = parse_numbers(text)
    if numbers.count != 1:
        raise InputError(f"{text!r} is {numbers.count:,} deals: expected one")
    return next(numbers.deals(reading.suits_of_number, reading.rules_of_number))


def _deal_in(content: str, name: str, reading: ReadingOptions) -> Deal:
    """The deal in a file's text, held to the suit mode and under the rules, if given."""
    deal = read_deal(content, name, reading.source_format)
    if reading.suits not in (None, deal.suits):
        raise InputError(f"--suits {reading.suits}: the deal in {name!r} has {deal.suits}")
    return deal if reading.rules is None else deal.with_rules(RowRule(reading.rules))


def load_game(text: str) -> RecordedGame:
    """The recorded game that the argument FILE names. Raises a SpiderError."""
    if text != STDIN and not _exists(text):
        raise InputError(
            f"{text!r} is no file: expected a recorded game, as solve -o writes it,"
            " or - for standard input"
        )
    return read_game(*_read(text))


def load_text(text: str, expected: str) -> tuple[str, str]:
    """The text of a file or of standard input, and its name; expected: what, for messages."""
    if text != STDIN and (not _exists(text) or Path(text).is_dir()):
        raise InputError(f"{text!r} is no file: expected {expected}, or - for standard input")
    return _read(text)


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
