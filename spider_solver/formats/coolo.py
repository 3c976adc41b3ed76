"""Format coolo: the text of coolo/spider, the solver by S. Kulow that KPatience's is based on.

The lines are:

- ``Play0: |TS |6S 9S`` to ``Play9:``: the columns, bottom card first, with a bar before a
  face-down card.
- ``Deal0:`` to ``Deal4:``: the rows in the order dealt. A row that was already dealt is empty.
- ``Off:``: the King of each completed run.

``8S..5S`` stands for a run; it is read, but not written. ``|XX`` is an unknown card, or ``XX`` in a
row. The format cannot hold the deal's number or the rule for rows.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from ..cards import KING, UNKNOWN, card, card_text, rank_of, suit_of
from ..deal import COLUMNS, MAX_ROWS, ROW_CARDS, SETS, Deal
from ..errors import DealError, at_line
from ..words import quote
from .format import Contents, Format, omits_name_and_rules
from .parts import DealParts
from .reading import MAX_CARDS, count_hidden, read_card, read_cards
from .source import lines_of

_LINE = re.compile(r"\s*(Play[0-9]|Deal[0-4]|Off)\s*:(.*)", re.IGNORECASE | re.DOTALL)
_START = re.compile(r"^[ \t]*(?:Play|Deal)[0-9][ \t]*:", re.IGNORECASE | re.MULTILINE)
_BAR = "|"
_RANGE = ".."
_COMMENT = "#"
_UNKNOWN_TEXT = "XX"


class _Line(NamedTuple):
    number: int  # from 1
    value: str  # the text after the key


def detect(text: str) -> bool:
    """Return True if a line begins with ``Play0:`` or a similar key."""
    return _START.search(text) is not None


def read(text: str) -> Contents:
    """Read a deal. Raises DealError."""
    lines = _lines_by_key(text)
    missing = [f"Play{i}" for i in range(COLUMNS) if f"play{i}" not in lines]
    if missing:
        raise DealError(
            f"no line {', '.join(missing)}: expected Play0 to Play9, and `{missing[0]}:` for an"
            " empty column"
        )
    parts = DealParts()
    tableau: list[list[int]] = []
    face_down: list[int] = []
    stock: list[int] = []
    for key, (number, value) in lines.items():
        with at_line(number):
            words = _expand_runs(value)
            cards = read_cards([word.removeprefix(_BAR) for word in words])
            if key.startswith("play"):
                tableau.append(cards)
                face_down.append(count_hidden(cards, [word.startswith(_BAR) for word in words]))
            elif key.startswith("deal"):
                stock += cards
                if len(cards) not in (0, ROW_CARDS):
                    parts.notes.append(f"line {number}: {len(cards)} cards, not ten or none")
            else:
                if UNKNOWN in cards:
                    raise DealError("an unknown card: expected the King of each completed run")
                parts.completed = [suit_of(king) for king in cards[: SETS + 1]]
    parts.columns, parts.face_down, parts.stock = tableau, face_down, stock
    return Contents(parts.to_deal())


def _lines_by_key(text: str) -> dict[str, _Line]:
    """Return the lines by their keys in lower case, in the order of the keys.

    Raises DealError for a line without a known key, or with the key of an earlier line.
    """
    lines: dict[str, _Line] = {}
    for number, line in enumerate(lines_of(text), 1):
        if not line.strip() or line.lstrip().startswith(_COMMENT):
            continue
        match = _LINE.fullmatch(line)
        if match is None:
            raise DealError(
                f"{quote(line.strip())} is not understood: expected Play0: to Play9:, Deal0: to"
                " Deal4: or Off:",
                number,
            )
        key = match[1].lower()
        if key in lines:
            raise DealError(
                f"a second {match[1]}, after line {lines[key].number}: leave one out", number
            )
        lines[key] = _Line(number, match[2])
    return dict(sorted(lines.items()))


def _expand_runs(text: str) -> list[str]:
    """Return the words of a line, with one word for each card of a run such as ``8S..5S``."""
    words: list[str] = []
    for word in text.split(None, MAX_CARDS):
        first, dots, last = word.partition(_RANGE)
        if not dots:
            words.append(word)
            continue
        high, low = read_card(first), read_card(last)
        if suit_of(high) != suit_of(low) or rank_of(high) <= rank_of(low):
            raise DealError(
                f"{quote(word)} is not a run: expected one suit, descending, like 8S..5S"
            )
        words += [card_text(one_card) for one_card in range(high, low - 1, -1)]
    return words


def write(deal: Deal) -> str:
    """Return the deal as coolo/spider reads it: all sixteen lines, in order."""
    lines = []
    for number, (column, down) in enumerate(zip(deal.columns, deal.face_down, strict=True)):
        words = [_BAR * (height < down) + _text(one_card) for height, one_card in enumerate(column)]
        lines.append(" ".join([f"Play{number}:", *words]))
    dealt = MAX_ROWS - len(deal.stock) // ROW_CARDS
    for number in range(MAX_ROWS):
        start = (number - dealt) * ROW_CARDS
        row = deal.stock[start : start + ROW_CARDS] if number >= dealt else ()
        lines.append(" ".join([f"Deal{number}:", *map(_text, row)]))
    lines.append(" ".join(["Off:", *(card_text(card(KING, suit)) for suit in deal.completed)]))
    return "\n".join(lines) + "\n"


def _text(one_card: int) -> str:
    return _UNKNOWN_TEXT if one_card == UNKNOWN else card_text(one_card)


FORMAT = Format(
    name="coolo",
    title="text of coolo/spider",
    detect=detect,
    read=read,
    write=write,
    omits=omits_name_and_rules,
    holds_unknown=True,
)
