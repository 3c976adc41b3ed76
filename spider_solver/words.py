"""Helpers for the text of messages: counts, quotations, alternatives, one safe line."""

from __future__ import annotations

from collections.abc import Iterable

QUOTED_LENGTH = 40  # characters of an offending text that a message shows


def counted(number: int, noun: str) -> str:
    """Return a number with its noun: ``1 move``, ``1,234 states``."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def quote(text: str) -> str:
    """Return the beginning of a text in quotes, on one line, unprintable characters escaped."""
    if len(text) <= QUOTED_LENGTH:
        return repr(text)
    return repr(text[:QUOTED_LENGTH]) + "..."


def printable(text: str) -> str:
    """Return the text with ``_`` for each unprintable character, line ends included."""
    return "".join(c if c.isprintable() else "_" for c in text)


def alternatives(names: Iterable[str]) -> str:
    """Return the names, at least one, as ``a, b or c``."""
    *head, last = map(str, names)
    return f"{', '.join(head)} or {last}" if head else last
