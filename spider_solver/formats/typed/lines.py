"""The lines of a typed board: their labels, and the cards in them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from difflib import get_close_matches
from typing import NamedTuple

from ...cards import SUIT_LETTERS, UNKNOWN, parse_suit
from ...deal import COLUMNS, ROW_CARDS, SETS
from ...errors import DealError, at_line, in_part
from ...words import quote
from ..parts import DealParts
from ..reading import MAX_CARDS, parse_rules, parse_suit_mode, read_card
from ..source import lines_of

MAX_CHARACTERS = 20_000  # of a board; longer texts are something else
_NO_CARD = ("-", ".", "_", "\u2013", "\u2014")  # stand for a place without a card
_EMPTY_COLUMN = "--"  # in a board that this program printed
_BAR = "|"
_OPENING, _CLOSING = "<([", ">)]"
_FENCE = ("```", "~~~")
_RULE = re.compile(r"[\s|+:=_-]*(?:---|===|___)[\s|+:=_-]*")  # a line of a table without cells
_BULLET = re.compile(r"\s*([-*+>\u2022])\s+(?=\S)")
_LIST_NUMBER = re.compile(r"\s*([0-9]{1,2})\s*([:.)])\s+")
_LABEL = re.compile(r"\s*([A-Za-z][A-Za-z ]*?)\s*#?([0-9]{0,2})\s*[:=][\s,;]*(.*)", re.DOTALL)
_DELIMITER = re.compile(r"[,;\t]")
_FIRST_FIELD = re.compile(r"\s*([A-Za-z ]+?)\s*[,;\t](.*)", re.DOTALL)
_SEVERAL = re.compile(r"(?:(?:10|[A2-90TJQK])[SHDC\u2660\u2665\u2666\u2663]){2,}", re.IGNORECASE)
_ONE = re.compile(r"(?:10|[A2-90TJQK]).", re.IGNORECASE)
_TITLE = re.compile(r"(\S+), ([1-4]) suits?, (standard|relaxed) rules\b.*")  # of a printed board
_COUNT_OF_RUNS = re.compile(r"\([0-9] of 8\)|of 8")
_COLUMN_NUMBERS = [str(number) for number in range(1, COLUMNS + 1)]
_STOCK_LABELS = {
    *("stock", "talon", "deck", "draw", "draw pile", "hand", "undealt", "remaining"),
    *("row", "deal"),
}
_COLUMN_LABELS = {"column", "col", "c", "pile", "stack", "tableau", "t", "columns"}
_COMPLETED_LABELS = {"completed", "completed runs", "foundations", "foundation", "founds", "done"}
_ROWS_LEFT = re.compile(r"([1-5]) rows?(?: left)?")  # of a stock whose cards are not shown
_UNKNOWN_LABEL = "unknown cards"  # in a board that this program printed
_LABELS = (*_STOCK_LABELS, *_COLUMN_LABELS, *_COMPLETED_LABELS, "suits", "rules", "actions")
_HEADINGS = {label for label in _LABELS if len(label) > 1}  # these may stand without a colon
_CLOSE = 0.8  # the similarity of a misspelt label, by difflib
_LAST_ROW_FIRST = "spider"  # boards with this line list the row first that is dealt last


class Cell(NamedTuple):
    """A place in a line of the board."""

    card: int | None  # None: no card is in this place
    face_down: bool = False  # whether it is marked as face down
    is_lower: bool = False  # whether its suit is a lower-case letter
    start: int = 0  # its first and last character in the line, from 0
    end: int = 0


class BoardLine(NamedTuple):
    """A line with cards."""

    number: int  # from 1
    cells: tuple[Cell, ...]
    has_places: bool = False  # whether empty places are written, as in a table
    after_gap: bool = False  # whether the line before it has no cards

    @property
    def cards(self) -> list[int]:
        """The cards in the line."""
        return [cell.card for cell in self.cells if cell.card is not None]


@dataclass(slots=True)
class Board:
    """The lines of a typed board by what they are."""

    lines: list[BoardLine] = field(default_factory=list)  # without those of a labelled stock
    stock: list[BoardLine] | None = None  # of a labelled stock; None without label
    columns_labelled: bool = False  # whether the lines are labelled as the ten columns
    header: tuple[Cell, ...] = ()  # the places of the column numbers above rows printed across
    last_row_first: bool = False  # whether the last ten cards of the stock are dealt first
    left_out: int = 0  # lines that are neither understood nor needed
    parts: DealParts = field(default_factory=DealParts)  # the label, suits, rules and runs


def board_in(text: str) -> Board:
    """Return the lines of a board. Raises DealError if a line with cards is not understood."""
    if len(text) > MAX_CHARACTERS:
        raise DealError(f"more than {MAX_CHARACTERS:,} characters: expected a board")
    return _Reader(text).board


def has_title(text: str) -> bool:
    """Return True if a text begins with the title of a board that this program printed."""
    return _TITLE.match(text.lstrip()) is not None


def count_words(text: str) -> tuple[int, int]:
    """Return how many words of a text are cards, and how many others are in lines with cards."""
    if len(text) > MAX_CHARACTERS:
        return 0, 0
    cells = others = 0
    for line in lines_of(text):
        good, bad = _count_cells(_words(line)[0])
        cells, others = cells + good, others + (bad if good else 0)
    return cells, others


class _Word(NamedTuple):
    text: str
    start: int  # its first character in the line, from 0


class _Reader:
    """Reads the lines one after the other."""

    def __init__(self, text: str) -> None:
        self.board = Board()
        self._in_stock = False  # whether lines without label belong to the stock
        self._after_gap = True
        self._labels: list[str] = []  # of the lines of the tableau
        self._seen: set[str] = set()  # labels that may occur once
        lines = [
            (number, line.rstrip())
            for number, line in enumerate(lines_of(text), 1)
            if not line.lstrip().startswith(_FENCE)
        ]
        self._rows_left = 0  # rows of a stock whose cards are not listed
        bulleted = _all_bulleted(line for _, line in lines)
        for number, line in lines:
            with at_line(number):
                self._read_line(number, _BULLET.sub("", line, count=1) if bulleted else line)
        if self.board.stock == []:
            row = BoardLine(0, (Cell(UNKNOWN, face_down=True),) * ROW_CARDS)
            self.board.stock = [row] * self._rows_left
        if sorted(self._labels) == sorted(_COLUMN_NUMBERS):
            self.board.columns_labelled = True
            order = sorted(range(COLUMNS), key=lambda index: int(self._labels[index]))
            self.board.lines = [self.board.lines[index] for index in order]

    def _read_line(self, number: int, line: str) -> None:
        if not line.strip():
            # After an empty line a labelled stock with cards has ended.
            self._in_stock = self._in_stock and not self.board.stock
            self._after_gap = True
        elif _RULE.fullmatch(line):
            self._after_gap = True
        elif match := _TITLE.fullmatch(line.strip()):
            parts = self.board.parts
            parts.label, parts.suits = match[1], parse_suit_mode(match[2])
            parts.rules = parse_rules(match[3])
        elif match := _LABEL.fullmatch(line):
            self._read_labelled(number, match[1].lower(), match[2], match[3], line)
        elif (match := _FIRST_FIELD.fullmatch(line)) and match[1].lower() in _HEADINGS:
            self._read_labelled(number, match[1].lower(), "", match[2], line)
        elif line.strip("#* ").lower() in _HEADINGS:
            self._read_labelled(number, line.strip("#* ").lower(), "", "", line)
        elif line.split() == _COLUMN_NUMBERS or line.strip("| ").split(" | ") == _COLUMN_NUMBERS:
            self.board.header = tuple(
                Cell(None, start=word.start, end=word.start + len(word.text) - 1)
                for word in _words(line)[0]
            )
        else:
            self._read_cards(number, line, "")

    def _read_labelled(self, number: int, key: str, digits: str, value: str, line: str) -> None:
        """Read a line with a label: its key, perhaps digits after it, and its value."""
        parts = self.board.parts
        if key == _UNKNOWN_LABEL:
            return  # the unknown cards follow from the others
        if key == "actions":
            raise DealError("`actions:` after a board that is not this program's own text")
        if key in ("suits", "rules") or key in _COMPLETED_LABELS:
            self._require_first(key)
        if key == "suits":
            parts.suits = parse_suit_mode(value)
        elif key == "rules":
            parts.rules = parse_rules(value)
        elif key in _COMPLETED_LABELS:
            self._in_stock = False
            _read_completed(parts, value)
        elif key == "deal" and not _count_cells(_words(value)[0])[0]:
            parts.label = value
        elif key in _STOCK_LABELS:
            self.board.stock = self.board.stock or []
            self._in_stock = True
            if match := _ROWS_LEFT.fullmatch(value.strip()):
                self._rows_left = int(match[1])
            cards = _count_cells(_words(value)[0])[0]
            if key == "row" and cards not in (0, ROW_CARDS):
                raise DealError(f"a row of {cards} cards: expected ten")
            self._read_cards(number, value, "")
            self._in_stock = not cards
        elif key in _COLUMN_LABELS:
            self._in_stock = False
            self._read_cards(number, value, digits)
        elif _count_cells(_words(value)[0])[0]:
            raise DealError(
                f"{quote(line.strip())} is not understood: expected a label such as Stock,"
                " Column 1 or Completed"
            )
        elif get_close_matches(key, _LABELS, n=1, cutoff=_CLOSE):
            raise DealError(f"{quote(line.strip())} is not understood: is the label misspelt?")
        else:
            self.board.left_out += 1

    def _require_first(self, key: str) -> None:
        """Raise DealError if a label that may occur once occurred before."""
        if key in self._seen:
            raise DealError(f"a second `{key}:`: leave one out")
        self._seen.add(key)

    def _read_cards(self, number: int, line: str, label: str) -> None:
        """Read the cards of a line. label: the number of its column; empty if unknown."""
        if match := _LIST_NUMBER.match(line):
            line = line[match.end() :]
            label = match[1] if match[2] == ":" else label
        if label:
            label = label.lstrip("0") or "0"
            if label not in _COLUMN_NUMBERS:
                raise DealError(f"there is no column {label}: a board has columns 1 to {COLUMNS}")
            self._require_first(label)
        words, has_places = _words(line)
        if self.board.header:
            words = [
                word._replace(text="-") if word.text == _EMPTY_COLUMN else word for word in words
            ]
        good, bad = _count_cells(words)
        if not good or good < bad:  # prose, which may contain words like "as"
            if line.strip().lower() == _LAST_ROW_FIRST:
                self.board.last_row_first = True
            elif words and not self._in_stock:
                self.board.left_out += 1
            self._after_gap = True
            return
        read = BoardLine(number, tuple(_cells(words)), has_places, self._after_gap)
        if self._in_stock:
            assert self.board.stock is not None  # set with the label
            self.board.stock.append(read)
        else:
            self.board.lines.append(read)
            self._labels.append(label)
        self._after_gap = False


def _all_bulleted(lines: Iterator[str]) -> bool:
    """Return True if every line with cards begins with a bullet.

    In rows printed across, a dash at the beginning is not a bullet, but an empty first column.
    """
    with_cards = [line for line in lines if _count_cells(_words(line)[0])[0] > 1]
    is_row = bool(with_cards) and len(_words(with_cards[0])[0]) == COLUMNS
    return bool(with_cards) and not is_row and all(map(_BULLET.match, with_cards))


def _words(line: str) -> tuple[list[_Word], bool]:
    """Return the words of a line, and whether an empty text stands for a place without a card."""
    stripped = line.strip()
    if stripped.startswith(_BAR) and stripped.endswith(_BAR) and len(stripped) > 1:
        fields, offset = stripped[1:-1].split(_BAR), line.index(_BAR) + 1
    elif _DELIMITER.search(line):
        fields, offset = _DELIMITER.split(line.rstrip(",; \t")), 0
    else:
        return [_Word(match[0], match.start()) for match in re.finditer(r"\S+", line)], False
    if any(len(one.split()) > 1 for one in fields):  # a separator after several cards
        blank = _DELIMITER.sub(" ", line)
        return [_Word(match[0], match.start()) for match in re.finditer(r"\S+", blank)], False
    words = []
    for one in fields:
        words.append(_Word(one.strip(), offset))
        offset += len(one) + 1
    return words, True


def _count_cells(words: list[_Word]) -> tuple[int, int]:
    """Return how many words are cards, and how many others there are. Empty places do not count."""
    good = bad = 0
    for word in words[:MAX_CARDS]:
        bare = word.text.strip(_OPENING + _CLOSING + _BAR + "*`")
        if bare in ("", *_NO_CARD):
            continue
        try:
            read_card(bare)
            good += 1
        except DealError:
            several = len(_ONE.findall(bare)) if _SEVERAL.fullmatch(bare) else 0
            good, bad = good + several, bad + (not several)
    return good, bad


def _cells(words: list[_Word]) -> Iterator[Cell]:
    """Yield the places of a line. Raises DealError, with the number of the card."""
    if len(words) > MAX_CARDS:
        raise DealError(f"more than {MAX_CARDS} cards in a line")
    texts = [word.text for word in words]
    if texts.count(_BAR) > 1:
        raise DealError("a second bar: expected one bar, between face-down cards and the others")
    before_bar = texts.index(_BAR) if _BAR in texts else 0
    bracketed = False
    number = 0
    for index, word in enumerate(words):
        text = word.text.strip("`").removeprefix("**").removesuffix("**") or word.text
        if text == _BAR:
            continue
        bracketed |= text[:1] in tuple(_OPENING)
        face_down = bracketed or index < before_bar or text.startswith(_BAR)
        bracketed &= text[-1:] not in tuple(_CLOSING)
        end = word.start + max(len(word.text) - 1, 0)
        text = text.strip(_OPENING + _CLOSING + _BAR)
        if text in ("", *_NO_CARD):
            yield Cell(None, start=word.start, end=end)
            continue
        for part in _ONE.findall(text) if _SEVERAL.fullmatch(text) else [text]:
            number += 1
            with in_part(f"card {number}: "):
                one_card = read_card(part)
            down = face_down or one_card == UNKNOWN
            yield Cell(one_card, down, part[-1:] in SUIT_LETTERS.lower(), word.start, end)


def _read_completed(parts: DealParts, text: str) -> None:
    """Read completed runs: their suits, cards like ``S-K``, or only their number."""
    words = _COUNT_OF_RUNS.sub("", text).replace(",", " ").split()
    if words in ([], ["none"], ["-"], ["0"]):
        return
    if len(words) > SETS:
        raise DealError(f"{len(words)} completed runs: expected at most {SETS}")
    if len(words) == 1 and words[0] in map(str, range(SETS + 1)):
        parts.completed_count = int(words[0])
        return
    suits = [word.upper().removesuffix("-K").removeprefix("K") for word in words]
    parts.completed = [parse_suit(suit) for suit in suits if not suit.endswith("-0")]
