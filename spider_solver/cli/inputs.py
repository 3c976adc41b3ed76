"""The arguments DEAL and FILE: their declarations, and reading what they name.

A DEAL is deal numbers, a file, or ``-`` for standard input. A FILE is a file or ``-``. The name of
an existing file is never read as deal numbers. If no DEAL or FILE is given, standard input is read
unless it is a terminal.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import wraps
from itertools import chain
from pathlib import Path
from typing import Any

import click

from ..deal import Deal, RowRule
from ..formats import FORMATS, read_contents, read_game, read_stream
from ..numbering import deal_from_number, parse_numbers
from ..numbering.grammar import looks_like_numbers
from ..recorded_games import RecordedGame
from ..words import quote, quote_file, visible_file
from .completion import Complete, complete_deal, complete_file, complete_suits
from .errors import InputError, reason
from .help import DocumentedCommand
from .options import Decorated, whole_number
from .output import Messages
from .positions import LoadedDeal, position_in

STDIN = "-"
_STDIN_NAME = "standard input"
_EXPECTED = "a deal's NUMBER, SCHEME:NUMBER, a file, or - for standard input"


@dataclass(frozen=True, slots=True)
class ReadingOptions:
    """The options on how to read a DEAL. None: the option was not given."""

    # The suit mode of a deal number, 4 if not given. The deal in a file must have it.
    suits: int | None = None
    # The rule for rows. If not given: the one that a file states, or the standard rule.
    rules: RowRule | None = None
    # The format of a file. If not given, it is detected by the content.
    source_format: str | None = None
    # How many actions of a recorded game to play. If not given: all.
    at: int | None = None

    @property
    def suits_of_number(self) -> int:
        """The suit mode of a deal number."""
        return 4 if self.suits is None else self.suits

    @property
    def rules_of_number(self) -> RowRule:
        """The rule for rows of a deal number."""
        return RowRule.STANDARD if self.rules is None else self.rules


class DealCommand(DocumentedCommand):
    """A command with a DEAL. A negative number gets an error that says which numbers exist."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse, and treat ``-1`` as a wrong deal number, not as an unknown option."""
        given = list(args)
        try:
            return super().parse_args(ctx, args)
        except click.NoSuchOption as error:
            for text in given:
                if re.fullmatch(r"-[0-9]+", text) and text.startswith(error.option_name):
                    deal_from_number(text)  # raises DealError
            raise


def deal_options(command: Decorated) -> Decorated:
    """Declare the argument DEAL and its options, for ``load_deal``.

    The command gets ``deal``, a text, and ``reading``, the ReadingOptions.
    """
    return _reading_options(_argument("deal", "DEAL", complete_deal, or_piped_input=True)(command))


def optional_deal_options(command: Decorated) -> Decorated:
    """Declare what ``deal_options`` does, but if no DEAL is given, ``deal`` is None."""
    return _reading_options(_argument("deal", "DEAL", complete_deal, or_piped_input=False)(command))


def deals_options(command: Decorated) -> Decorated:
    """Declare one or more arguments DEAL and their options, for ``load_deals``.

    The command gets ``deals``, a tuple of texts, and ``reading``, the ReadingOptions.
    """
    return _reading_options(
        _argument("deals", "DEAL", complete_deal, or_piped_input=True, several=True)(command)
    )


def _reading_options(command: Decorated) -> Decorated:
    """Declare the options on how to read a DEAL; the command gets ``reading``."""

    @wraps(command)
    def with_reading(
        *args: Any,
        suits: int | None,
        rules: str | None,
        source_format: str | None,
        at: int | None,
        **rest: Any,
    ) -> Any:
        rule = None if rules is None else RowRule(rules)
        return command(*args, reading=ReadingOptions(suits, rule, source_format, at), **rest)

    decorated: Any = with_reading
    for decorate in (
        click.option(
            "--at",
            type=whole_number(0),
            metavar="N",
            help="Of a DEAL that is a recorded game, take the position after N actions; 0 for the"
            " deal. Undos and restarts count as actions.  [default: after the last action]",
        ),
        click.option(
            "--from",
            "source_format",
            type=click.Choice(FORMATS, case_sensitive=False),
            help="The format of a DEAL that is a file.  [default: detected by its content]",
        ),
        click.option(
            "--rules",
            type=click.Choice([str(rules) for rules in RowRule]),
            help="Whether a row may be dealt while a column is empty: only when relaxed."
            "  [default: what the file states, or standard]",
        ),
        click.option(
            "--suits",
            type=whole_number(1, 4),
            metavar="1|2|4",
            shell_complete=complete_suits,
            help="Suit mode; 3 if the numbering has it.  [default: 4 for deal numbers]",
        ),
    ):
        decorated = decorate(decorated)
    return decorated  # type: ignore[no-any-return]


def game_argument(command: Decorated) -> Decorated:
    """Declare the argument FILE, passed on as ``file``, for ``load_game``."""
    return _argument("file", "FILE", complete_file, or_piped_input=True)(command)


def games_argument(command: Decorated) -> Decorated:
    """Declare one or more arguments FILE, passed on as ``files``, for ``load_game``."""
    return _argument("files", "FILE", complete_file, or_piped_input=True, several=True)(command)


def _argument(
    name: str, shown: str, complete: Complete, *, or_piped_input: bool, several: bool = False
) -> Callable[[Decorated], Decorated]:
    """Return the decorator that declares an argument, which may be missing.

    shown: its name for users.
    or_piped_input: a missing argument becomes ``-``, or an error as in ``require_piped_input``;
    otherwise it becomes None.
    """

    def default(ctx: click.Context, param: click.Parameter, value: Any) -> Any:
        if value not in (None, ()) or not or_piped_input:
            return value
        require_piped_input(ctx, shown)
        return (STDIN,) if several else STDIN

    return click.argument(
        name,
        metavar=f"[{shown}]..." if several else f"[{shown}]",
        nargs=-1 if several else 1,
        required=False,
        callback=default,
        shell_complete=complete,
    )


def require_piped_input(ctx: click.Context, argument: str) -> None:
    """Raise UsageError about a missing argument if standard input is a terminal, or closed."""
    with suppress(ValueError):  # closed
        if sys.stdin is not None and not sys.stdin.isatty():
            return
    raise click.UsageError(f"missing {argument}", ctx)


def load_deal(text: str, reading: ReadingOptions, messages: Messages) -> LoadedDeal:
    """Return the deal or position that an argument DEAL names. Raises SpiderError.

    A file is read and parsed once. A message says if its recorded game is won already.
    """
    if _names_numbers(text, reading):
        return LoadedDeal(_numbered_deal(text, reading))
    return _load_file(text, reading, messages)


def load_deals(
    texts: Sequence[str], reading: ReadingOptions, messages: Messages
) -> Iterator[LoadedDeal]:
    """Return the deals of several arguments, each a file, or deal numbers and ranges.

    All arguments are checked, and files are read, before the first deal. After that the deals
    of numbers are made one by one. Messages are those of ``load_deal``. Raises SpiderError.
    """
    found: list[Iterable[LoadedDeal]] = []
    for text in texts:
        if _names_numbers(text, reading):
            numbers = parse_numbers(text)
            deals = numbers.deals(reading.suits_of_number, reading.rules_of_number)
            found.append(map(LoadedDeal, deals))
        else:
            found.append([_load_file(text, reading, messages)])
    return chain.from_iterable(found)


def load_game(text: str) -> RecordedGame:
    """Return the recorded game that an argument FILE names. Raises SpiderError."""
    if text != STDIN and not _exists(text):
        raise InputError(
            f"{quote_file(text)} is not a file: expected a recorded game, as solve -o writes it,"
            " or - for standard input"
        )
    return read_game(*_read_text(text))


def load_text(text: str, expected: str) -> tuple[str, str]:
    """Return the text that an argument FILE names, and the file's name.

    expected: what the file should hold, for messages.

    Raises SpiderError.
    """
    if text != STDIN and (not _exists(text) or Path(text).is_dir()):
        raise InputError(
            f"{quote_file(text)} is not a file: expected {expected}, or - for standard input"
        )
    return _read_text(text)


def _names_numbers(text: str, reading: ReadingOptions) -> bool:
    """Return whether a DEAL is deal numbers (True) or a file (False).

    Raises InputError if it is neither, or if it is numbers and an option on files was given.
    """
    if text == STDIN or _exists(text):
        return False
    if not looks_like_numbers(text):
        raise InputError(f"{quote(text)} is not a file and not a deal number: expected {_EXPECTED}")
    if reading.source_format is not None:
        raise InputError(f"--from {reading.source_format}: {quote(text)} is not a file")
    if reading.at:
        raise InputError(f"--at {reading.at}: {quote(text)} is a deal number, without actions")
    return True


def _numbered_deal(text: str, reading: ReadingOptions) -> Deal:
    """Return the one deal that a deal number names."""
    numbers = parse_numbers(text)
    if numbers.count != 1:
        raise InputError(f"{quote(text)} is {numbers.count:,} deals: expected one")
    return next(numbers.deals(reading.suits_of_number, reading.rules_of_number))


def _load_file(text: str, reading: ReadingOptions, messages: Messages) -> LoadedDeal:
    """Return the deal or position in a file, with the rule for rows that the options give.

    Raises InputError if the options give another suit mode than the deal has, or more actions than
    the recorded game has.
    """
    contents = read_contents(*_read_text(text), reading.source_format)
    if reading.suits not in (None, contents.deal.suits):
        raise InputError(
            f"--suits {reading.suits}: the deal in {quote_file(contents.name)} has"
            f" {contents.deal.suits}"
        )
    for note in contents.notes:
        messages.info(f"{visible_file(contents.name)}: {note}")
    loaded = position_in(contents, reading.at, reading.rules)
    if loaded.actions and loaded.deal.won and reading.at is None:
        messages.info(
            f"the recorded game in {quote_file(contents.name)} is won: give --at N to take its"
            " position after N actions"
        )
    return loaded


def _exists(text: str) -> bool:
    try:
        return text != "" and Path(text).exists()
    except (OSError, ValueError):  # a name that is too long, or has a NUL
        return False


def _read_text(text: str) -> tuple[str, str]:
    """Return the text of a file or of standard input, and its name for messages."""
    name = _STDIN_NAME if text == STDIN else text
    try:
        if text == STDIN:
            if sys.stdin is None:
                raise InputError("standard input is closed: expected a deal or a recorded game")
            return read_stream(sys.stdin.buffer, name), name
        if Path(text).is_dir():
            raise InputError(f"{quote_file(text)} is a folder: expected {_EXPECTED}")
        with open(text, "rb") as stream:
            return read_stream(stream, name), name
    except OSError as error:
        raise InputError(f"{quote_file(name)} cannot be read: {reason(error)}") from None
