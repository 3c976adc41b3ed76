"""text: this program's own plain text of a deal, fresh or in mid-game.

One ``key: value`` a line; ``#`` begins a comment; blank lines are skipped::

    # Spider deal: columns 1-10, bottom card first; cards before the bar are face down
    deal: native:1              a number, or any label; alone, it is the deal of that number
    suits: 4                    the suit mode
    rules: standard             or relaxed
    1: 3S TS 3S AS 2S | 5S      a column; without a bar all its cards are face up
    2: -                        an empty column
    row: 5S 6S ...              ten cards of the stock, one line a row, in the order dealt
    completed: S H              the completed runs, if any
    actions:                    what follows is a recorded game (see notation)
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from ..cards import SUITS, card_text, parse_suit
from ..deal import COLUMNS, MAX_ROWS, ROW_CARDS, SETS, Deal
from ..errors import DealError
from ..words import quote
from .layout import MAX_CARDS, Layout, clean_label, parse_rules, parse_suits, read_cards
from .source import lines_of, place

HEADER = "# Spider deal: columns 1-10, bottom card first; cards before the bar are face down"
ACTIONS_KEY = "actions"
BAR = "|"
EMPTY = "-"
# Other programs write ## for a card they hide: within a line that's no comment but a fault.
_COMMENT = re.compile(r"(?:^\s*#|(?<!#)#(?!#)).*", re.DOTALL)
_KEYS = ("deal", "suits", "rules", "row", "completed", ACTIONS_KEY)


class Line(NamedTuple):
    """A line that says something: its number from 1, its text, its comment without the ``#``."""

    number: int
    text: str
    comment: str = ""


class _Value(NamedTuple):
    line: int
    text: str


def commented_lines(text: str) -> Iterator[Line]:
    """The lines that are not blank, those with nothing but a comment included."""
    for number, line in enumerate(lines_of(text), 1):
        found = _COMMENT.search(line) if "#" in line else None
        content = (line if found is None else line[: found.start()]).strip()
        comment = "" if found is None else found[0].lstrip()[1:].strip()
        if content or comment:
            yield Line(number, content, comment)


def content_lines(text: str) -> Iterator[Line]:
    """The lines that say something besides their comment."""
    return (line for line in commented_lines(text) if line.text)


def split_actions(text: str) -> tuple[list[Line], list[Line] | None]:
    """The lines of the deal, and those of the actions; None if no ``actions:`` is there.

    Both include the lines that are only comments.
    """
    deal: list[Line] = []
    lines = commented_lines(text)
    for line in lines:
        key, colon, rest = line.text.partition(":")
        if colon and key.strip().lower() == ACTIONS_KEY:
            return deal, [line._replace(text=rest.strip()), *lines]
        deal.append(line)
    return deal, None


def detect(text: str) -> bool:
    """True if a line has one of this format's keys."""
    return any(
        colon and _known(key.strip().lower())
        for key, colon, _ in (line.text.partition(":") for line in content_lines(text))
    )


def _known(key: str) -> bool:
    return key in _KEYS or (key.isascii() and key.isdigit())


def read(text: str, name: str = "") -> Deal:
    """The deal in a text; its recorded actions, if any, are left aside.

    name: the file's, for messages and for a deal without a label. Raises DealError.
    """
    return deal_from_lines(split_actions(text)[0], name)


def deal_from_lines(lines: Iterable[Line], name: str = "") -> Deal:
    """The deal in the lines before ``actions:``. Raises DealError."""
    values, rows = _sort_lines(lines, name)
    layout = Layout()
    for key, (number, value) in values.items():
        try:
            if key == "deal":
                layout.label = value
            elif key == "suits":
                layout.suits = parse_suits(value)
            elif key == "rules":
                layout.rules = parse_rules(value)
            elif key == "completed":
                layout.completed = _read_completed(value)
        except DealError as error:
            raise DealError(f"{place(name, number)}{error}") from None
    if layout.label and not rows and not any(key.isdigit() for key in values):
        return layout.by_number(name, values["deal"].line)
    missing = [str(column) for column in range(1, COLUMNS + 1) if str(column) not in values]
    if missing:
        raise DealError(
            f"{place(name)}no column {', '.join(missing)}: expected all ten, an empty one as"
            f" `{missing[0]}: {EMPTY}`"
        )
    _fill(layout, [values[str(column)] for column in range(1, COLUMNS + 1)], rows, name)
    return layout.to_deal(name)


def _sort_lines(lines: Iterable[Line], name: str) -> tuple[dict[str, _Value], list[_Value]]:
    """The lines by key, and the rows; DealError for a line that is neither."""
    values: dict[str, _Value] = {}
    rows: list[_Value] = []
    for number, line, _ in lines:
        if not line:
            continue
        key, colon, value = (part.strip() for part in line.partition(":"))
        key = key.lower()
        if not colon or not _known(key):
            raise DealError(
                f"{place(name, number)}{quote(line)} isn't understood: expected a column like"
                " `4: 3S TS | 5S`, `row:` and ten cards, or one of deal: suits: rules: completed:"
            )
        if key == "row":
            rows.append(_Value(number, value))
            if len(rows) * ROW_CARDS > MAX_CARDS:
                raise DealError(
                    f"{place(name, number)}row {len(rows)}: the stock has at most {MAX_ROWS} rows"
                )
            continue
        if key.isdigit():
            key = key.lstrip("0") or "0"
            if len(key) > 2 or not 1 <= int(key) <= COLUMNS:
                raise DealError(
                    f"{place(name, number)}there is no column {key[:9]}: a deal has columns 1 to"
                    f" {COLUMNS}"
                )
        if key in values:
            what = f"column {key}" if key.isdigit() else f"`{key}:`"
            raise DealError(
                f"{place(name, number)}{what} is there again, after line {values[key].line}:"
                " leave one out"
            )
        values[key] = _Value(number, value)
    return values, rows


def _fill(layout: Layout, columns: Sequence[_Value], rows: Sequence[_Value], name: str) -> None:
    """Read the cards of the columns (1 to 10) and of the rows into the layout."""
    tableau: list[list[int]] = []
    face_down: list[int] = []
    stock: list[int] = []
    for number, value in columns:
        hidden, bar, shown = value.partition(BAR)
        if BAR in shown:
            raise DealError(
                f"{place(name, number)}a second bar: one bar stands between the face-down cards"
                " and the others"
            )
        below = _read_cards(hidden, number, name)
        tableau.append(below + _read_cards(shown, number, name, len(below)))
        face_down.append(len(below) if bar else 0)
    for index, (number, value) in enumerate(rows, 1):
        cards = _read_cards(value, number, name)
        stock += cards
        if len(cards) != ROW_CARDS:
            layout.notes.append(f"line {number}: row {index} has {len(cards)} cards, not ten")
    layout.columns, layout.face_down, layout.stock = tableau, face_down, stock


def _read_cards(text: str, number: int, name: str, before: int = 0) -> list[int]:
    """The cards of one line; ``before``: how many of it were read already."""
    words = text.split(None, MAX_CARDS)
    try:
        return [] if words == [EMPTY] else read_cards(words, before + 1)
    except DealError as error:
        raise DealError(f"{place(name, number)}{error}") from None


def _read_completed(text: str) -> list[int]:
    words = text.split(None, MAX_CARDS)
    if words == [EMPTY]:
        return []
    if len(words) > SETS:
        raise DealError(f"{len(words)} completed runs: expected at most {SETS}")
    return [parse_suit(word) for word in words]


def write(deal: Deal) -> str:
    """The deal as text that reads back as the same Deal."""
    lines = [HEADER]
    label = clean_label(deal.name)
    if label:
        lines.append(f"deal: {label}")
    lines += [f"suits: {deal.suits}", f"rules: {deal.rules}"]
    for number, (column, down) in enumerate(zip(deal.columns, deal.face_down, strict=True), 1):
        words = [card_text(card) for card in column]
        if down:
            words.insert(down, BAR)
        lines.append(f"{number}: {' '.join(words) or EMPTY}")
    for start in range(0, len(deal.stock), ROW_CARDS):
        row = deal.stock[start : start + ROW_CARDS]
        lines.append(f"row: {' '.join(map(card_text, row))}")
    if deal.completed:
        lines.append(f"completed: {' '.join(SUITS[suit] for suit in deal.completed)}")
    return "\n".join(lines) + "\n"
