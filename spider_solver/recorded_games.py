"""Recorded games: a deal and its entries, and the text form of an entry.

An entry is an action or a revision, as ``notation`` writes it. It may have a time, in seconds
since the deal was first shown, after an ``@``: ``4-7x3@75.5``. Minutes and hours are read too
(``@1:15.5``), but not written. It may also have a comment.

Where a deal has unknown cards, an action tells the cards that it turns or deals, after an ``=``:
``4-7x3=KD``. It tells all of them: a row has its ten cards first, as in ``row=8D,2D,...``.

``formats`` reads and writes whole games. This module does not check the rules; ``verify`` does.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import NamedTuple, TypeVar

from .cards import card_text, parse_card
from .deal import COLUMNS, ROW_CARDS, Deal
from .errors import DealError, NotationError, in_part
from .game import Action
from .notation import OpenMove, Revision, action_text, parse_action
from .words import printable, quote

MAX_ENTRIES = 1_000_000
MAX_SECONDS = 1e9  # the time of an entry, to three decimals, must be below this
_TIME_MARK = "@"
_TOLD_MARK = "="
_TOLD_SEPARATOR = ","
_MAX_TOLD = ROW_CARDS + COLUMNS  # a row turns at most one card in each column
_TIME = re.compile(r"(?:(?:([0-9]{1,4}):)?([0-9]{1,4}):)?([0-9]{1,9}(?:\.[0-9]{1,9})?)")

Item = TypeVar("Item")


class NoGameError(NotationError):
    """A deal without actions where a recorded game was expected."""


class Entry(NamedTuple):
    """An entry of a recorded game."""

    action: Action | OpenMove | Revision
    text: str  # the action as it was written, with the cards that it tells
    line: int | None = None  # its line in the file, from 1; None if unknown
    time: float | None = None  # seconds since the deal was first shown; None if not recorded
    comment: str = ""  # one line or several
    told: tuple[int, ...] = ()  # the cards that it turns or deals, where it tells them


@dataclass(frozen=True, slots=True)
class RecordedGame:
    """A deal and the actions and revisions that were recorded for it."""

    deal: Deal
    entries: tuple[Entry, ...]
    name: str = ""  # the name of its file; empty if unknown
    comments: tuple[str, ...] = ()  # lines about the whole game


def recorded_game(
    deal: Deal,
    actions: Iterable[Action | Revision],
    name: str = "",
    comments: Iterable[str] = (),
) -> RecordedGame:
    """Return the recorded game of a deal and the actions and revisions played on it."""
    entries = (Entry(action, action_text(action)) for action in actions)
    return RecordedGame(deal, tuple(entries), name, tuple(comments))


def parse_entry(text: str, line: int | None = None) -> Entry:
    """Return the entry that a text such as ``4-7x3@75.5`` stands for. Raises NotationError."""
    written, time_mark, time_text = text.partition(_TIME_MARK)
    time = _parse_time(time_text) if time_mark else None
    before_mark, told_mark, told_text = written.partition(_TOLD_MARK)
    if not told_mark:
        return Entry(parse_action(written), written, line, time)
    with in_part(f"{quote(written)}: "):
        action = parse_action(before_mark)
        if isinstance(action, Revision):
            raise NotationError(f"{action_text(action)} turns no card: leave out {_TOLD_MARK}")
        return Entry(action, written, line, time, told=_parse_told(told_text))


def _parse_told(text: str) -> tuple[int, ...]:
    """Return the cards in a text such as ``KD,2S``. Raises NotationError."""
    words = text.split(_TOLD_SEPARATOR, _MAX_TOLD)
    if len(words) > _MAX_TOLD:
        raise NotationError(f"expected at most {_MAX_TOLD} cards")
    try:
        return tuple(map(parse_card, words))
    except DealError as error:
        raise NotationError(error.message) from None


def told_action_text(entry: Entry) -> str:
    """Return the action of an entry with the cards that it tells: ``4-7x3=KD``."""
    told = _TOLD_SEPARATOR.join(map(card_text, entry.told))
    return action_text(entry.action) + (f"{_TOLD_MARK}{told}" if told else "")


def entry_text(entry: Entry) -> str:
    """Return the action, the told cards and the time of an entry; the comment is left out."""
    time = "" if entry.time is None else f"{_TIME_MARK}{_time_text(entry.time)}"
    return told_action_text(entry) + time


def parse_entries(
    items: Iterable[tuple[Item, int | None]], parse: Callable[[Item, int | None], Entry]
) -> Iterator[Entry]:
    """Yield the entries of a recorded game. Check their number and the order of their times.

    items: for each entry, its form in the file, and its line or None.
    parse: returns the Entry of an item and its line, or raises NotationError.

    Raises NotationError, with the number of the entry and its line, if an entry cannot be
    parsed, if there are more than ``MAX_ENTRIES``, or if a time is before an earlier one.
    """
    latest = 0.0
    for number, (item, line) in enumerate(items, 1):
        if number > MAX_ENTRIES:
            raise NotationError(f"more than {MAX_ENTRIES} actions", line)
        try:
            entry = parse(item, line)
            if entry.time is not None and entry.time < latest:
                raise NotationError(
                    f"time {_time_text(entry.time)} is before the time {_time_text(latest)} of an"
                    " earlier action: expected seconds since the deal was first shown"
                )
        except NotationError as error:
            raise NotationError(f"action {number}: {error.message}", line) from None
        latest = latest if entry.time is None else entry.time
        yield entry


def _parse_time(text: str) -> float:
    match = _TIME.fullmatch(text)
    if match is None:
        raise NotationError(
            f"{quote(_TIME_MARK + text)} is not a time: expected seconds, like @75.5, or @1:15.5"
        )
    with in_part(f"{quote(_TIME_MARK + text)}: "):
        return checked_time(int(match[1] or 0) * 3600 + int(match[2] or 0) * 60 + float(match[3]))


def checked_time(seconds: float) -> float:
    """Return the time of an entry as a float. Raises NotationError if it is out of range."""
    # A whole number in JSON may be too big for a float, so it is compared as it is.
    if not 0 <= seconds < MAX_SECONDS or round(seconds, 3) == MAX_SECONDS:
        raise NotationError(f"expected seconds, from 0 and below {MAX_SECONDS:,.0f}")
    return float(seconds)


def _time_text(time: float) -> str:
    return f"{time:.3f}".rstrip("0").rstrip(".")


def clean_comment(comment: str) -> str:
    """Return the comment on an entry in the form that the formats text and json can hold.

    That is: lines without blanks around them, none of them empty, all characters printable.
    """
    return "\n".join(filter(None, (printable(line).strip() for line in comment.splitlines())))


def clean_comments(comments: Iterable[str]) -> list[str]:
    """Return the comments on a game in the form that the formats text and json can hold.

    That is: one line for each comment, none of them empty, all characters printable.
    """
    lines = (printable(" ".join(comment.splitlines())).strip() for comment in comments)
    return [line for line in lines if line]
