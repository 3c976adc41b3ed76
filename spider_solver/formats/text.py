"""Format text: this program's own text of a deal, a position in mid-game, or a recorded game.

Each line has a key, a colon and a value. ``#`` begins a comment. Blank lines are skipped::

    # Spider deal: columns 1-10, bottom card first; cards before the bar are face down
    deal: native:1              a number, or any label; alone, it is the deal of that number
    suits: 4                    the suit mode
    rules: standard             or relaxed
    1: 3S TS ?? ?? 2S | 5S      a column; without a bar, all its known cards are face up
    2: -                        an empty column
    row: 5S 6S ...              ten cards of the stock; one line for each row, next row first
    completed: S H              the suits of the completed runs, if any; or only their number
    actions:                    the lines after this one are a recorded game

``??`` is an unknown card, which is face down or in the stock.

The lines before ``actions:`` may have any order, except that of the rows. After it come the
entries (see ``recorded_games``), separated by blanks, in any number of lines. A comment belongs to
the entry before it; a comment before the first entry belongs to the game.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from typing import NamedTuple

from ..cards import SUIT_LETTERS, card_text, parse_suit
from ..deal import COLUMNS, MAX_ROWS, ROW_CARDS, SETS, Deal
from ..errors import DealError, at_line
from ..recorded_games import (
    Entry,
    NoGameError,
    RecordedGame,
    clean_comment,
    clean_comments,
    entry_text,
    parse_entries,
    parse_entry,
)
from ..words import quote
from .format import Contents, Format
from .parts import DealParts, clean_label
from .reading import MAX_CARDS, count_hidden, parse_rules, parse_suit_mode, read_cards
from .source import lines_of

HEADER = "# Spider deal: columns 1-10, bottom card first; cards before the bar are face down"
ACTIONS_KEY = "actions"
ACTIONS_LINE = f"{ACTIONS_KEY}:  # columns 1-10; 4-7x3: three cards from 4 to 7"
BAR = "|"
EMPTY = "-"
ENTRIES_PER_LINE = 10
# Inside a line, ## is not a comment: other programs write it for an unknown card.
_COMMENT = re.compile(r"(?:^\s*#|(?<!#)#(?!#)).*", re.DOTALL)
_KEYS = ("deal", "suits", "rules", "row", "completed", ACTIONS_KEY)
# The comments that ``write_game`` adds to every game; they are not comments on the game.
_OWN_COMMENTS = {line.partition("#")[2].strip() for line in (HEADER, ACTIONS_LINE)}


class _Line(NamedTuple):
    """A line with content or a comment."""

    number: int  # from 1
    text: str  # the content; empty if there is only a comment
    comment: str = ""  # without the #


class _Value(NamedTuple):
    line: int  # the number of its line, from 1
    text: str


def detect(text: str) -> bool:
    """Return True if a line has one of this format's keys."""
    return any(
        colon and _is_key(key.strip().lower())
        for key, colon, _ in (line.text.partition(":") for line in _lines(text))
    )


def _is_key(text: str) -> bool:
    return text in _KEYS or (text.isascii() and text.isdigit())


def _lines(text: str) -> Iterator[_Line]:
    """Yield the lines that have content or a comment."""
    for number, line in enumerate(lines_of(text), 1):
        found = _COMMENT.search(line) if "#" in line else None
        content = (line if found is None else line[: found.start()]).strip()
        comment = "" if found is None else found[0].lstrip()[1:].strip()
        if content or comment:
            yield _Line(number, content, comment)


def read(text: str) -> Contents:
    """Read a deal, and keep its recorded actions to be parsed later. Raises DealError."""
    deal_lines, action_lines = _split_at_actions(text)
    deal = _read_deal(deal_lines)
    return Contents(deal, partial(_read_game, deal, deal_lines, action_lines))


def _split_at_actions(text: str) -> tuple[list[_Line], list[_Line] | None]:
    """Return the lines of the deal, and those of the actions, or None if there are none.

    Text after ``actions:`` in the same line belongs to the actions.
    """
    deal_lines: list[_Line] = []
    lines = _lines(text)
    for line in lines:
        key, colon, rest = line.text.partition(":")
        if colon and key.strip().lower() == ACTIONS_KEY:
            return deal_lines, [line._replace(text=rest.strip()), *lines]
        deal_lines.append(line)
    return deal_lines, None


def _read_deal(lines: Iterable[_Line]) -> Deal:
    """Return the deal in the lines before ``actions:``."""
    values, rows = _values_and_rows(lines)
    parts = DealParts()
    for key, (number, value) in values.items():
        with at_line(number):
            if key == "deal":
                parts.label = value
            elif key == "suits":
                parts.suits = parse_suit_mode(value)
            elif key == "rules":
                parts.rules = parse_rules(value)
            elif key == "completed":
                _read_completed(parts, value)
    if parts.label and not rows and not any(key.isdigit() for key in values):
        if "completed" in values:
            raise DealError(
                "`completed:` without columns: expected all ten columns, or the deal number alone",
                values["completed"].line,
            )
        with at_line(values["deal"].line):
            return parts.to_numbered_deal()
    missing = [str(column) for column in range(1, COLUMNS + 1) if str(column) not in values]
    if missing:
        raise DealError(
            f"no column {', '.join(missing)}: expected all ten, and `{missing[0]}: {EMPTY}` for an"
            " empty column"
        )
    _read_columns(parts, [values[str(column)] for column in range(1, COLUMNS + 1)])
    _read_rows(parts, rows)
    return parts.to_deal()


def _values_and_rows(lines: Iterable[_Line]) -> tuple[dict[str, _Value], list[_Value]]:
    """Return the values by key, and the rows.

    Raises DealError for a line without a known key, or with the key of an earlier line.
    """
    values: dict[str, _Value] = {}
    rows: list[_Value] = []
    for number, line, _ in lines:
        if not line:
            continue
        key, colon, value = (part.strip() for part in line.partition(":"))
        key = key.lower()
        if not colon or not _is_key(key):
            raise DealError(
                f"{quote(line)} is not understood: expected a column like `4: 3S TS | 5S`, `row:`"
                " and ten cards, or one of deal: suits: rules: completed:",
                number,
            )
        if key == "row":
            rows.append(_Value(number, value))
            if len(rows) * ROW_CARDS > MAX_CARDS:
                raise DealError(f"row {len(rows)}: the stock has at most {MAX_ROWS} rows", number)
            continue
        if key.isdigit():
            key = key.lstrip("0") or "0"
            if len(key) > 2 or not 1 <= int(key) <= COLUMNS:
                raise DealError(
                    f"there is no column {key[:9]}: a deal has columns 1 to {COLUMNS}", number
                )
        if key in values:
            what = f"column {key}" if key.isdigit() else f"`{key}:`"
            raise DealError(
                f"a second {what}, after line {values[key].line}: leave one out", number
            )
        values[key] = _Value(number, value)
    return values, rows


def _read_columns(parts: DealParts, columns: Sequence[_Value]) -> None:
    """Read the cards of the ten columns into the parts."""
    tableau: list[list[int]] = []
    face_down: list[int] = []
    for number, value in columns:
        face_down_text, bar, face_up_text = value.partition(BAR)
        with at_line(number):
            if BAR in face_up_text:
                raise DealError(
                    "a second bar: expected one bar, between the face-down cards and the others"
                )
            below = _read_cards(face_down_text)
            cards = below + _read_cards(face_up_text, len(below) + 1)
            face_down.append(len(below) if bar else count_hidden(cards))
        tableau.append(cards)
    parts.columns, parts.face_down = tableau, face_down


def _read_rows(parts: DealParts, rows: Sequence[_Value]) -> None:
    """Read the cards of the rows into the parts."""
    stock: list[int] = []
    for index, (number, value) in enumerate(rows, 1):
        with at_line(number):
            cards = _read_cards(value)
        stock += cards
        if len(cards) != ROW_CARDS:
            parts.notes.append(f"line {number}: row {index} has {len(cards)} cards, not ten")
    parts.stock = stock


def _read_cards(text: str, first: int = 1) -> list[int]:
    """Return the cards in a part of a line. first: the number of the first one in its line."""
    words = text.split(None, MAX_CARDS)
    return [] if words == [EMPTY] else read_cards(words, first)


def _read_completed(parts: DealParts, text: str) -> None:
    """Read the suits of the completed runs, or their number, into the parts."""
    words = text.split(None, MAX_CARDS)
    if words == [EMPTY]:
        return
    if len(words) > SETS:
        raise DealError(f"{len(words)} completed runs: expected at most {SETS}")
    if len(words) == 1 and words[0] in map(str, range(SETS + 1)):
        parts.completed_count = int(words[0])
    else:
        parts.completed = [parse_suit(word) for word in words]


def _read_game(
    deal: Deal, deal_lines: Sequence[_Line], action_lines: Sequence[_Line] | None
) -> RecordedGame:
    """Return the recorded game in the two parts of the lines. deal: the deal in the first part."""
    if action_lines is None:
        raise NoGameError("a deal without actions: expected a line `actions:`")
    words = ((word, line.number) for line in action_lines for word in line.text.split())
    entries = list(parse_entries(words, parse_entry))
    about_game = [line.comment for line in deal_lines]
    about_entry: dict[int, list[str]] = {}  # comments by the index of the entry
    count = 0  # entries up to the line
    for line in action_lines:
        count += len(line.text.split())
        (about_entry.setdefault(count - 1, []) if count else about_game).append(line.comment)
    for index, comments in about_entry.items():
        entries[index] = entries[index]._replace(comment=clean_comment("\n".join(comments)))
    kept = [comment for comment in about_game if comment not in _OWN_COMMENTS]
    return RecordedGame(deal, tuple(entries), comments=tuple(clean_comments(kept)))


def write(deal: Deal) -> str:
    """Return the deal as text that reads back as the same Deal."""
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
        lines.append(f"completed: {' '.join(SUIT_LETTERS[suit] for suit in deal.completed)}")
    return "\n".join(lines) + "\n"


def write_game(game: RecordedGame) -> str:
    """Return the recorded game as text that reads back as the same game."""
    lines = [f"# {comment}" for comment in clean_comments(game.comments)]
    lines.append(write(game.deal).rstrip("\n"))
    lines.append(ACTIONS_LINE)
    lines += _entry_lines(game.entries)
    return "\n".join(lines) + "\n"


def _entry_lines(entries: Iterable[Entry]) -> Iterator[str]:
    """Yield the lines of the entries; an entry with a comment is the last one in its line."""
    words: list[str] = []
    for entry in entries:
        words.append(entry_text(entry))
        first, *more = clean_comment(entry.comment).split("\n")
        if first or len(words) == ENTRIES_PER_LINE:
            yield " ".join(words) + (f"  # {first}" if first else "")
            yield from (f"# {line}" for line in more)
            words = []
    if words:
        yield " ".join(words)


FORMAT = Format(
    name="text",
    title="this program's own text",
    detect=detect,
    read=read,
    write=write,
    holds_unknown=True,
    holds_games=True,
    write_game=write_game,
)
