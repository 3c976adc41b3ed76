"""Deals and positions as files: a registry with one ``Format`` a format.

``read_deal`` tells by the content which one it has before it; ``write_deal`` is told.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from ..deal import Deal
from ..errors import DealError
from . import json_format, text
from .layout import alternatives
from .source import decode_text, lines_of, place, quote, read_stream, require_content

__all__ = [
    "FORMATS",
    "Format",
    "decode_text",
    "detect_format",
    "format_named",
    "read_deal",
    "read_stream",
    "write_deal",
]


@dataclass(frozen=True, slots=True)
class Format:
    """A way to write a deal down.

    detect: whether a text looks like it. read: (text, the file's name) to a checked Deal;
    DealError says what is wrong. write: None where a format is only read.
    """

    name: str
    title: str
    detect: Callable[[str], bool]
    read: Callable[[str, str], Deal]
    write: Callable[[Deal], str] | None = None


FORMATS: dict[str, Format] = {
    format.name: format
    for format in (
        Format("json", "JSON", json_format.detect, json_format.read, json_format.write),
        Format("text", "this program's own text", text.detect, text.read, text.write),
    )
}


def format_named(name: str) -> Format:
    """The format of that name; DealError, saying which there are, if there is none."""
    found = FORMATS.get(name.lower())
    if found is None:
        raise DealError(f"{quote(name)} is no format: expected {alternatives(FORMATS)}")
    return found


def detect_format(content: str, name: str = "") -> Format:
    """The format that a text is in, by its content; DealError if it is in none.

    name: the file's, for messages.
    """
    require_content(content, name)
    for format in FORMATS.values():
        if format.detect(content):
            return format
    number, line = next((n, s) for n, s in enumerate(lines_of(content), 1) if s.strip())
    raise DealError(
        f"{place(name, number)}{quote(line.strip())} begins no known format: expected"
        f" {alternatives(FORMATS)}, such as `deal: native:1` or `1: 3S TS | 5S`"
    )


def read_deal(text: str, name: str = "", format: str | None = None) -> Deal:
    """The deal in a text, be it fresh, in mid-game, or the start of a recorded game.

    name: the file's, for messages and for a deal without a label. format: a name out of
    ``FORMATS``; None to tell by the content. Raises DealError.
    """
    if format is None:
        return detect_format(text, name).read(text, name)
    found = format_named(format)
    require_content(text, name)
    return found.read(text, name)


def write_deal(deal: Deal, format: str) -> str:
    """The deal in the named format. Raises DealError if there is none, or it is only read."""
    found = format_named(format)
    if found.write is None:
        writable = alternatives(f.name for f in FORMATS.values() if f.write is not None)
        raise DealError(f"{found.name} is only read, not written: expected {writable}")
    return found.write(deal)
