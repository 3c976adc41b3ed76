"""coolo: the text of coolo/spider, S. Kulow's solver that KPatience's is made from.

Lines ``Play0: |TS |6S 9S`` to ``Play9:``, bottom card first, a bar before a face-down card;
``Deal0:`` to ``Deal4:``, the rows in the order dealt, those dealt already empty; ``Off:``,
the King of each completed run. ``8S..5S`` stands for a run and is read as well. ``|XX``, an
unknown card, is refused. Neither the deal's number nor the rule for rows has a place.
"""

from __future__ import annotations

import re

from ..cards import KING, card, card_text, rank_of, suit_of
from ..deal import COLUMNS, MAX_ROWS, ROW_CARDS, SETS, Deal
from ..errors import DealError
from ..words import quote
from .layout import MAX_CARDS, Layout, count_face_down, read_card, read_cards
from .source import lines_of, place

_LINE = re.compile(r"\s*(Play[0-9]|Deal[0-4]|Off)\s*:(.*)", re.IGNORECASE | re.DOTALL)
_BEGINS = re.compile(r"^[ \t]*(?:Play|Deal)[0-9][ \t]*:", re.IGNORECASE | re.MULTILINE)
_BAR = "|"
_RANGE = ".."
_COMMENT = "#"


def detect(text: str) -> bool:
    """True if a line begins with ``Play0:`` or the like."""
    return _BEGINS.search(text) is not None


def read(text: str, name: str = "") -> Deal:
    """The deal in a text. Raises DealError."""
    lines = _sort_lines(text, name)
    missing = [f"Play{i}" for i in range(COLUMNS) if f"play{i}" not in lines]
    if missing:
        raise DealError(
            f"{place(name)}no line {', '.join(missing)}: expected Play0 to Play9, an empty column"
            f" as `{missing[0]}:`"
        )
    layout = Layout()
    tableau, face_down, stock = [], [], []
    for key, (number, value) in lines.items():
        try:
            words = _expand(value)
            if key.startswith("play"):
                tableau.append(read_cards([word.removeprefix(_BAR) for word in words]))
                face_down.append(count_face_down([word.startswith(_BAR) for word in words]))
                continue
            cards = read_cards([word.removeprefix(_BAR) for word in words])
        except DealError as error:
            raise DealError(f"{place(name, number)}{error}") from None
        if key == "off":
            layout.completed = [suit_of(one) for one in cards[: SETS + 1]]
            continue
        stock += cards
        if len(cards) not in (0, ROW_CARDS):
            layout.notes.append(f"line {number}: {len(cards)} cards, not ten or none")
    layout.columns, layout.face_down, layout.stock = tableau, face_down, stock
    return layout.to_deal(name)


def _sort_lines(text: str, name: str) -> dict[str, tuple[int, str]]:
    """Line number and value by key, in the order of the keys; DealError for other lines."""
    lines: dict[str, tuple[int, str]] = {}
    for number, line in enumerate(lines_of(text), 1):
        if not line.strip() or line.lstrip().startswith(_COMMENT):
            continue
        match = _LINE.fullmatch(line)
        if match is None:
            raise DealError(
                f"{place(name, number)}{quote(line.strip())} isn't understood: expected Play0: to"
                " Play9:, Deal0: to Deal4: or Off:"
            )
        key = match[1].lower()
        if key in lines:
            raise DealError(
                f"{place(name, number)}{match[1]} is there again, after line {lines[key][0]}:"
                " leave one out"
            )
        lines[key] = number, match[2]
    return dict(sorted(lines.items()))


def _expand(text: str) -> list[str]:
    """The words of a line, with ``8S..5S`` as its cards."""
    words: list[str] = []
    for word in text.split(None, MAX_CARDS):
        head, dots, last = word.partition(_RANGE)
        if not dots:
            words.append(word)
            continue
        high, low = read_card(head), read_card(last)
        if suit_of(high) != suit_of(low) or rank_of(high) <= rank_of(low):
            raise DealError(f"{quote(word)} is no run: expected one suit, downwards, like 8S..5S")
        words += [card_text(one) for one in range(high, low - 1, -1)]
    return words


def write(deal: Deal) -> str:
    """The deal as coolo/spider reads it: all sixteen lines, in order."""
    lines = []
    for number, (column, down) in enumerate(zip(deal.columns, deal.face_down, strict=True)):
        words = [_BAR * (height < down) + card_text(one) for height, one in enumerate(column)]
        lines.append(" ".join([f"Play{number}:", *words]))
    dealt = MAX_ROWS - len(deal.stock) // ROW_CARDS
    for number in range(MAX_ROWS):
        start = (number - dealt) * ROW_CARDS
        row = deal.stock[start : start + ROW_CARDS] if number >= dealt else ()
        lines.append(" ".join([f"Deal{number}:", *map(card_text, row)]))
    lines.append(" ".join(["Off:", *(card_text(card(KING, suit)) for suit in deal.completed)]))
    return "\n".join(lines) + "\n"
