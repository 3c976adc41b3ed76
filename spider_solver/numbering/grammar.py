r"""The grammar of deal numbers.

Canonical form
    The canonical form of a deal number is ``scheme:number``, such as ``native:1`` or
    ``pysol:ms617``:

    - scheme: one lower-case letter, then 1 to 31 lower-case letters or digits.
    - number: up to 8 lower-case letters (the prefix, usually empty), then 1 to ``MAX_DIGITS``
      digits.

    The names of numbered deals and the lines of a results file have this form. Each scheme's
    ``parse`` returns the canonical form of a number that a user wrote.

Input form
    Users may write several numbers at once, with blanks around each part::

        list   = item {"," item}
        item   = [scheme ":"] number ["-" [scheme ":"] number]

    - A scheme is read in upper or lower case. It applies until the next one in the same list;
      before the first one, the scheme is native.
    - Both ends of a range must be in the same scheme. An en dash may replace the hyphen. The
      second end may leave out the prefix of the first: ``ms1-20``.
    - The scheme's ``parse`` defines which texts are numbers. In a list, the first comma ends a
      number, and so does the first dash after the number's first character.

    ``ranges`` reads lists. ``lookup`` reads one number, in which commas and dashes belong to the
    number.
"""

from __future__ import annotations

import re
from typing import NamedTuple

MAX_DIGITS = 40

_CANONICAL = re.compile(rf"([a-z][a-z0-9]{{1,31}}):([a-z]{{0,8}})([0-9]{{1,{MAX_DIGITS}}})")
# Deal numbers begin with a word of at least two characters and a colon, or with a digit, after
# which no letter and no slash may follow before the end or the first comma. So `C:\deal.txt`,
# `12.txt` and `2024/deal` are files.
_INPUT_START = re.compile(r"\s*(?:[A-Za-z]\w+\s*:|[-+]?[0-9][^A-Za-z/\\,]*(?:,|$))")


class NumberParts(NamedTuple):
    """The parts of a canonical deal number."""

    scheme: str  # the scheme's name, such as "pysol"
    prefix: str  # the letters before the digits, such as "ms"; usually empty
    value: int  # the digits


def split_number(text: str) -> NumberParts | None:
    """Return the parts of a canonical deal number, or None if the text is not one.

    Only the form is checked: the scheme may be unknown and the number out of its range.
    """
    match = _CANONICAL.fullmatch(text)
    return None if match is None else NumberParts(match[1], match[2], int(match[3]))


def split_scheme(text: str) -> tuple[str | None, str]:
    """Return the scheme before the first colon of a text, or None, and the rest of the text."""
    scheme, colon, rest = text.partition(":")
    return (scheme, rest) if colon else (None, text)


def looks_like_numbers(text: str) -> bool:
    """Return True if a command line argument is meant as deal numbers, not as a file's name.

    The numbers themselves may still be wrong.
    """
    return _INPUT_START.match(text) is not None
