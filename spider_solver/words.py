"""Helpers for the text of messages: counts, quotations, alternatives, one safe line."""

from __future__ import annotations

from collections.abc import Iterable

QUOTED_LENGTH = 40  # characters of an offending text that a message shows


def counted(number: int, noun: str) -> str:
    """A number with its noun, in the plural where needed: ``1 move``, ``1,234 states``."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def quote(text: str) -> str:
    """The beginning of a text in quotes, on one line, with escapes for unprintable characters."""
    if len(text) <= QUOTED_LENGTH:
        return repr(text)
    return repr(text[:QUOTED_LENGTH]) + "..."


def printable(text: str) -> str:
    """The text with ``_`` for each character that can't be printed, line ends included."""
    return "".join(c if c.isprintable() else "_" for c in text)


def alternatives(names: Iterable[str]) -> str:
    """The names as ``a, b or c``."""
    *head, last = map(str, names)
    return f"{', '.join(head)} or {last}" if head else last
