"""The exceptions of this package.

Bad input raises a SpiderError. Its text is one line that says what is wrong and, in most cases,
what was expected. Faults of the program raise an InternalError.

A SourceError also says where the fault is. A function that reads a part of a text knows only a
part of the place. So its callers add the rest: ``in_part``, ``at_line`` and ``in_source`` are
context managers that add what they know to an error raised in their block.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from .words import visible_file


class SpiderError(ValueError):
    """The base class of all errors whose cause is outside this program, such as bad input."""


class SourceError(SpiderError):
    """An error in a text. ``str`` puts the place first: ``file.txt, line 3: ...``."""

    def __init__(self, message: str = "", line: int | None = None) -> None:
        super().__init__(message)
        self.message = message  # what is wrong, without file and line
        self.line = line  # number of the line, from 1; None if unknown, or not in one line
        self.source = ""  # name of the file or stream; empty if unknown

    def __str__(self) -> str:
        place = [visible_file(self.source)] if self.source else []
        if self.line is not None:
            place.append(f"line {self.line}")
        return f"{', '.join(place)}: {self.message}" if place else self.message


class DealError(SourceError):
    """An impossible deal: a number out of range, a missing card, unreadable text."""


class NotationError(SourceError):
    """Text that is not an action, or a recorded game that cannot be read."""


class IllegalAction(SpiderError):
    """An action that the rules forbid, or a step beyond the beginning or end of a game."""


class InternalError(RuntimeError):
    """A fault of this program, never of its input. The user should report it."""


@contextmanager
def in_source(name: str) -> Iterator[None]:
    """Add the name of the file or stream to a SourceError raised in the block, if it has none."""
    try:
        yield
    except SourceError as error:
        error.source = error.source or name
        raise


@contextmanager
def at_line(number: int) -> Iterator[None]:
    """Add the line number, from 1, to a SourceError raised in the block, if it has none."""
    try:
        yield
    except SourceError as error:
        if error.line is None:
            error.line = number
        raise


@contextmanager
def in_part(prefix: str) -> Iterator[None]:
    """Put a text such as ``column 3: `` before the message of a SourceError raised in the block."""
    try:
        yield
    except SourceError as error:
        error.message = prefix + error.message
        raise
