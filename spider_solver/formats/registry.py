"""The formats that exist. A new format is a module with a ``FORMAT``, and an entry here."""

from __future__ import annotations

from ..errors import DealError
from ..words import alternatives, quote
from . import board, coolo, json_format, kpat, solvitaire, text, typed, win7
from .format import Format
from .source import lines_of, require_content

# A text has the first format in this order that detects it.
FORMATS: dict[str, Format] = {
    format.name: format
    for format in (
        win7.FORMAT,
        kpat.FORMAT,
        solvitaire.FORMAT,
        json_format.FORMAT,
        coolo.FORMAT,
        board.FORMAT,
        text.FORMAT,
        typed.FORMAT,
    )
}

WRITABLE = [name for name, format in FORMATS.items() if format.write is not None]


def format_named(name: str) -> Format:
    """Return the format of a name, in upper or lower case.

    Raises DealError, which lists the formats, if there is none of that name.
    """
    found = FORMATS.get(name.lower())
    if found is None:
        raise DealError(f"{quote(name)} is not a format: expected {alternatives(FORMATS)}")
    return found


def detect_format(content: str) -> Format:
    """Return the format that a text is in. Raises DealError if it is in none."""
    require_content(content)
    for format in FORMATS.values():
        if format.detect(content):
            return format
    number, line = next((n, s) for n, s in enumerate(lines_of(content), 1) if s.strip())
    raise DealError(
        f"{quote(line.strip())}: unknown format: expected {alternatives(FORMATS)}, such as"
        " `deal: native:1` or `1: 3S TS | 5S`",
        number,
    )
