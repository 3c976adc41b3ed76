"""Format board: the plain text board of PySolFC, Freecell Solver and related programs.

Each column is a line of cards separated by blanks, bottom card first. A face-down card is
written ``<TS>``. An empty column is an empty line; ``-`` is read as well. A column may begin with
``:``. Lines that begin with ``#`` are comments. Other lines, before or after the columns, are:

- ``Talon:``: the stock in the order dealt.
- ``Foundations:`` (or ``Foundation:``, ``Founds:``): the completed runs, each as ``S-K``.
- ``Freecells:``: must be empty.

An unknown card, such as ``░░``, is read as a face-down card, but not written. The format cannot
hold the deal's number or the rule for rows.
"""

from __future__ import annotations

import re

from ..cards import SUIT_LETTERS, card_text, parse_suit
from ..deal import COLUMNS, ROW_CARDS, SETS, Deal
from ..errors import DealError, at_line
from ..words import quote
from .format import Contents, Format, omits_name_and_rules
from .parts import DealParts
from .reading import count_hidden, read_card, read_cards
from .source import lines_of

_HEADS = {  # the keys of the head lines, which are not columns, and the kind of each line
    "talon": "talon",
    "foundations": "foundations",
    "foundation": "foundations",
    "founds": "foundations",
    "freecells": "freecells",
}
_HEAD = re.compile(rf"\s*({'|'.join(_HEADS)})\s*:(.*)", re.IGNORECASE | re.DOTALL)
_FACE_DOWN = re.compile(r"<(.*)>")
_FOUNDATION = re.compile(r"(.)-(.+)")
_EMPTY = "-"
_COMMENT = "#"
_PROMPT = ":"  # Freecell Solver may begin a column with one

_Line = tuple[int, str]  # the number of a line, from 1, and its text


def detect(text: str) -> bool:
    """Return True if the first line with content is a head line, or has cards only."""
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
    """Return the text of a card without the brackets of a face-down card."""
    match = _FACE_DOWN.fullmatch(word)
    return match[1] if match else word


def read(text: str) -> Contents:
    """Read a board. Raises DealError."""
    parts = DealParts()
    column_lines: list[_Line] = []
    first_line_of: dict[str, int] = {}
    for number, line in _lines(text):
        head = _HEAD.fullmatch(line)
        if head is None:
            column_lines.append((number, line))
            continue
        with at_line(number):
            _read_head(parts, head[1].lower(), head[2], first_line_of)
        first_line_of[_HEADS[head[1].lower()]] = number
    tableau, face_down = [], []
    for number, line in _ten_columns(column_lines):
        words = [word for word in line.strip().removeprefix(_PROMPT).split() if word != _EMPTY]
        with at_line(number):
            cards = read_cards([_bare(word) for word in words])
            face_down.append(count_hidden(cards, [_bare(word) != word for word in words]))
        tableau.append(cards)
    parts.columns, parts.face_down = tableau, face_down
    return Contents(parts.to_deal())


def _lines(text: str) -> list[_Line]:
    """Return the lines that are not comments, without the empty one after the last line end."""
    lines = [
        (number, line)
        for number, line in enumerate(lines_of(text), 1)
        if not line.startswith(_COMMENT)
    ]
    return lines[:-1] if lines and not lines[-1][1] else lines


def _read_head(parts: DealParts, key: str, value: str, first_line_of: dict[str, int]) -> None:
    """Read a head line into the parts.

    first_line_of: the line numbers of the head lines before it, by kind.
    """
    kind = _HEADS[key]
    if kind in first_line_of:
        raise DealError(f"a second `{key}:`, after line {first_line_of[kind]}: leave one out")
    words = [word for word in value.split() if word != _EMPTY]
    if kind == "talon":
        parts.stock = read_cards(words)
    elif kind == "foundations":
        parts.completed = _read_foundations(words)
    elif words:
        raise DealError("freecells with cards: expected a game of Spider, which has none")


def _read_foundations(words: list[str]) -> list[int]:
    """Return the suits of the completed runs; ``S-0`` stands for an empty foundation."""
    suits = []
    if len(words) > SETS:
        raise DealError(f"{len(words)} foundations: expected at most {SETS}")
    for word in words:
        match = _FOUNDATION.fullmatch(word)
        if match is None or match[2].upper() not in ("K", "0"):
            raise DealError(
                f"{quote(word)} is not a foundation of Spider: expected completed runs like S-K"
            )
        if match[2] != "0":
            suits.append(parse_suit(match[1]))
    return suits


def _ten_columns(lines: list[_Line]) -> list[_Line]:
    """Return the lines of the ten columns, without surplus empty lines after and before them."""
    start, end = 0, len(lines)
    while end - start > COLUMNS and not lines[end - 1][1].strip():
        end -= 1
    while end - start > COLUMNS and not lines[start][1].strip():
        start += 1
    lines = lines[start:end]
    if len(lines) != COLUMNS:
        raise DealError(
            f"{len(lines)} lines of cards: expected {COLUMNS}, one for each column, and an empty"
            f" line or {_EMPTY} for an empty column"
        )
    return lines


def write(deal: Deal) -> str:
    """Return the deal as a board; empty columns are empty lines."""
    lines = []
    if deal.completed:
        lines.append(
            "Foundations: " + " ".join(f"{SUIT_LETTERS[suit]}-K" for suit in deal.completed)
        )
    if deal.stock:
        lines.append("Talon: " + " ".join(map(card_text, deal.stock)))
    for column, down in zip(deal.columns, deal.face_down, strict=True):
        words = map(card_text, column)
        lines.append(" ".join(f"<{w}>" if height < down else w for height, w in enumerate(words)))
    return "\n".join(lines) + "\n"


FORMAT = Format(
    name="board",
    title="text board of PySolFC and Freecell Solver",
    detect=detect,
    read=read,
    write=write,
    omits=omits_name_and_rules,
)
