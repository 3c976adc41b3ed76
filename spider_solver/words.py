"""Helpers for the text of messages: counts, quotations, alternatives.

Every foreign text (a file's name, a part of a file, an argument) goes through ``quote`` or
``visible`` before it is shown. Both escape unprintable characters, so that a text can neither
control a terminal nor begin a new line, and both shorten long texts.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

QUOTED_LENGTH = 60  # characters of a foreign text that a message shows
FILE_LENGTH = 250  # the same for a file's name, which the user needs as a whole
_CUT = "[...]"  # stands for the middle of a text that is too long


def counted(number: int, noun: str) -> str:
    """Return a number with its noun: ``1 move``, ``1,234 states``."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def quote(text: str, length: int = QUOTED_LENGTH) -> str:
    r"""Return a text in quotes and on one line.

    Unprintable characters are escaped, such as ``\x1b``. Of a text that is longer than ``length``
    only the beginning and the end are shown, around ``[...]``.
    """
    return repr(_shortened(text, length))


def quote_file(name: str) -> str:
    """Return a file's name as ``quote`` does, but longer."""
    return quote(name, FILE_LENGTH)


def visible(text: str, length: int | None = QUOTED_LENGTH) -> str:
    """Return a text as ``quote`` does, but without quotes. length: None to show all of it."""
    kept = text if length is None else _shortened(text, length)
    return kept if kept.isprintable() else "".join(map(_escaped, kept))


def visible_file(name: str) -> str:
    """Return a file's name as ``visible`` does, but longer."""
    return visible(name, FILE_LENGTH)


def _shortened(text: str, length: int) -> str:
    """Return the text, without its middle if it takes more than ``length`` characters.

    An unprintable character counts as many characters as its escape has.
    """
    if len(text) <= length and sum(len(_escaped(character)) for character in text) <= length:
        return text
    end_length = length // 4
    start = "".join(_fitting(text, length - end_length - len(_CUT)))
    end = "".join(_fitting(reversed(text), end_length))[::-1]
    return f"{start}{_CUT}{end}"


def _fitting(characters: Iterable[str], length: int) -> Iterator[str]:
    """Yield the first characters, as long as their escapes fit into ``length``."""
    for character in characters:
        length -= len(_escaped(character))
        if length < 0:
            return
        yield character


def _escaped(character: str) -> str:
    if character.isprintable():
        return character
    return character.encode("unicode_escape").decode()


def printable(text: str) -> str:
    """Return the text with ``_`` for each unprintable character, line ends included.

    This is for labels and comments that are kept in files. Messages use ``visible``.
    """
    return "".join(c if c.isprintable() else "_" for c in text)


def alternatives(names: Iterable[str]) -> str:
    """Return the names, at least one, as ``a, b or c``."""
    *head, last = map(str, names)
    return f"{', '.join(head)} or {last}" if head else last
