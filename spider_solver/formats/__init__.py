"""Deals and positions as files: a registry with one ``Format`` a format.

``read_deal`` tells by the content which one it has before it; ``write_deal`` is told.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from ..deal import Deal
from ..errors import DealError
from ..words import quote
from . import board, coolo, json_format, kpat, solvitaire, text
from .layout import alternatives, omits_name_and_rules
from .source import decode_text, lines_of, place, read_stream, require_content

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


def _nothing(deal: Deal) -> list[str]:
    return []


@dataclass(frozen=True, slots=True)
class Format:
    """A way to write a deal down.

    detect: whether a text looks like it. read: (text, the file's name) to a checked Deal;
    DealError says what is wrong. write: DealError if it can't hold a deal. omits: what of a
    deal is not written, or otherwise, one sentence each. positions: where a file of another
    program holds a game played, all its positions from the deal to the present one, which is
    what ``read`` gives, under the rule for rows that the program plays by.
    """

    name: str
    title: str
    detect: Callable[[str], bool]
    read: Callable[[str, str], Deal]
    write: Callable[[Deal], str]
    omits: Callable[[Deal], list[str]] = _nothing
    positions: Callable[[str, str], list[Deal]] | None = None


# In the order in which they are tried on a text.
FORMATS: dict[str, Format] = {
    format.name: format
    for format in (
        Format(
            "kpat",
            "saved game of KPatience",
            kpat.detect,
            kpat.read,
            kpat.write,
            kpat.omits,
            kpat.positions,
        ),
        Format(
            "solvitaire",
            "JSON of Solvitaire",
            solvitaire.detect,
            solvitaire.read,
            solvitaire.write,
            omits_name_and_rules,
        ),
        Format("json", "JSON", json_format.detect, json_format.read, json_format.write),
        Format(
            "coolo",
            "text of coolo/spider",
            coolo.detect,
            coolo.read,
            coolo.write,
            omits_name_and_rules,
        ),
        Format(
            "board",
            "text board of PySolFC and Freecell Solver",
            board.detect,
            board.read,
            board.write,
            omits_name_and_rules,
        ),
        Format("text", "this program's own text", text.detect, text.read, text.write),
    )
}


def format_named(name: str) -> Format:
    """The format of that name; DealError, saying which there are, if there is none."""
    found = FORMATS.get(name.lower())
    if found is None:
        raise DealError(f"{quote(name)} is no format: expected {alternatives(FORMATS)}")
    return found


def detect_format(content: str, name: str = "", told: str | None = None) -> Format:
    """The format that a text is in, by its content; DealError if it is in none.

    name: the file's, for messages. told: the format's name, if it is known.
    """
    require_content(content, name)
    if told is not None:
        return format_named(told)
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
    return detect_format(text, name, format).read(text, name)


def write_deal(deal: Deal, format: str) -> str:
    """The deal in the named format. Raises DealError if there is none, or it can't hold it.

    What it doesn't hold of the deal, ``FORMATS[format].omits`` says.
    """
    return format_named(format).write(deal)
