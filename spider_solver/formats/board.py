"""board: the plain text board of PySolFC's and Freecell Solver's family of programs.

One line a column, bottom card first, blanks between, a face-down card as ``<TS>``; an empty
column is an empty line (``-`` is read as well). Before the columns there may be ``Talon:``,
the stock in the order dealt, and ``Foundations:``, the completed runs as ``S-K``. Neither
the deal's number nor the rule for rows has a place.
"""

from __future__ import annotations

import re

from ..cards import SUITS, card_text, parse_suit
from ..deal import COLUMNS, ROW_CARDS, SETS, Deal
from ..errors import DealError
from ..words import quote
from .layout import Layout, count_face_down, read_card, read_cards
from .source import lines_of, place

_HEAD = re.compile(r"\s*(talon|foundations?|founds|freecells)\s*:(.*)", re.IGNORECASE | re.DOTALL)
_FACE_DOWN = re.compile(r"<(.*)>")
_FOUNDATION = re.compile(r"(.)-(.+)")
_EMPTY = "-"
_COMMENT = "#"
_PROMPT = ":"  # Freecell Solver begins its columns with one


def detect(text: str) -> bool:
    """True if the first line that says something is a head line or nothing but cards."""
    for line in lines_of(text):
        if line.strip() and not line.startswith(_COMMENT):
            return _HEAD.match(line) is not None or _is_column(line)
    return False


def _is_column(line: str) -> bool:
    words = line.removeprefix(_PROMPT).split(None, ROW_CARDS)[:ROW_CARDS]
    try:
        return bool(words) and all(word == _EMPTY or read_card(_bare(word)) for word in words)
    except DealError:
        return False


def _bare(word: str) -> str:
    match = _FACE_DOWN.fullmatch(word)
    return match[1] if match else word


def read(text: str, name: str = "") -> Deal:
    """The deal in a text. Raises DealError."""
    layout = Layout()
    lines = [
        (number, line)
        for number, line in enumerate(lines_of(text), 1)
        if not line.startswith(_COMMENT)
    ]
    if lines and not lines[-1][1]:
        lines.pop()  # what comes after the last line's end
    columns = []
    seen: dict[str, int] = {}
    for number, line in lines:
        head = _HEAD.fullmatch(line)
        if head is None:
            columns.append((number, line))
            continue
        try:
            _read_head(layout, head[1].lower(), head[2], seen, number)
        except DealError as error:
            raise DealError(f"{place(name, number)}{error}") from None
    columns = _ten(columns, name)
    tableau, face_down = [], []
    for number, line in columns:
        words = [word for word in line.strip().removeprefix(_PROMPT).split() if word != _EMPTY]
        try:
            tableau.append(read_cards([_bare(word) for word in words]))
            face_down.append(count_face_down([_bare(word) != word for word in words]))
        except DealError as error:
            raise DealError(f"{place(name, number)}{error}") from None
    layout.columns, layout.face_down = tableau, face_down
    return layout.to_deal(name)


def _read_head(layout: Layout, key: str, value: str, seen: dict[str, int], number: int) -> None:
    kind = key[:5]  # found, talon, freec
    if kind in seen:
        raise DealError(f"a second `{key}:`, after line {seen[kind]}: leave one out")
    seen[kind] = number
    words = [word for word in value.split() if word != _EMPTY]
    if kind == "talon":
        layout.stock = read_cards(words)
    elif kind == "found":
        layout.completed = _read_foundations(words)
    elif words:
        raise DealError("freecells with cards: that's no game of Spider")


def _read_foundations(words: list[str]) -> list[int]:
    suits = []
    if len(words) > SETS:
        raise DealError(f"{len(words)} foundations: expected at most {SETS}")
    for word in words:
        match = _FOUNDATION.fullmatch(word)
        if match is None or match[2].upper() not in ("K", "0"):
            raise DealError(
                f"{quote(word)} is no foundation of Spider: expected completed runs like S-K"
            )
        if match[2] != "0":
            suits.append(parse_suit(match[1]))
    return suits


def _ten(lines: list[tuple[int, str]], name: str) -> list[tuple[int, str]]:
    """The lines of the ten columns, without empty lines too many after and before them."""
    while len(lines) > COLUMNS and not lines[-1][1].strip():
        lines.pop()
    before = 0
    while len(lines) - before > COLUMNS and not lines[before][1].strip():
        before += 1
    lines = lines[before:]
    if len(lines) != COLUMNS:
        raise DealError(
            f"{place(name)}{len(lines)} lines of cards: expected {COLUMNS}, one a column, an empty"
            f" column as an empty line or {_EMPTY}"
        )
    return lines


def write(deal: Deal) -> str:
    """The deal as a board; empty columns are empty lines."""
    lines = []
    if deal.completed:
        lines.append("Foundations: " + " ".join(f"{SUITS[suit]}-K" for suit in deal.completed))
    if deal.stock:
        lines.append("Talon: " + " ".join(map(card_text, deal.stock)))
    for column, down in zip(deal.columns, deal.face_down, strict=True):
        words = map(card_text, column)
        lines.append(" ".join(f"<{w}>" if height < down else w for height, w in enumerate(words)))
    return "\n".join(lines) + "\n"
