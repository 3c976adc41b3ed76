"""Words that messages of every room are made of: counts and quotations."""

from __future__ import annotations

QUOTED_LENGTH = 40  # characters of offending text that a message shows


def counted(number: int, what: str) -> str:
    """``1 move``, ``2 moves``, ``1,234 states``."""
    return f"{number:,} {what}{'' if number == 1 else 's'}"


def quote(text: str) -> str:
    """The head of a text for an error message: quoted, escaped, on one line."""
    if len(text) <= QUOTED_LENGTH:
        return repr(text)
    return repr(text[:QUOTED_LENGTH]) + "..."
