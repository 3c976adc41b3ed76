"""Actions and recorded games as text and JSON, both ways.

An action is ``4-7x3`` (three cards from column 4 to column 7, columns 1-10) or ``row``.
On reading, ``x3`` may be left out where the target isn't empty, as the target's end card
then fixes the count: such an action is an ``OpenMove`` until ``resolve`` sees the position.

A recorded game is a deal and its entries: actions, and the revisions ``undo`` (the last
action is taken back) and ``restart`` (the same deal from its beginning). After an entry
may stand when it was made, in seconds since the deal was first shown: ``4-7x3@75.5``; read,
but not written, is ``@1:15.5`` too.

As text: the deal (see formats.text), a line ``actions:``, then the entries, blank separated,
in as many lines as one likes. A comment, ``#`` to the end of its line, is about the entry
before it; those before the first entry are about the game. As JSON: the deal's keys (see
formats.json_format), ``comments`` (a list of texts, if any) and ``actions``: a list of
entries, each a text as above, or an object with ``action`` and, if given, ``time`` (seconds)
and ``comment``.
"""

from __future__ import annotations

import enum
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

from .cards import rank_of
from .deal import COLUMNS, Deal
from .errors import DealError, NotationError
from .formats import detect_format, json_format
from .formats import text as text_format
from .formats.layout import alternatives
from .formats.source import place, printable
from .game import ROW, Action, Move, Position, Row
from .infer import infer_actions
from .words import quote

MAX_ACTIONS = 1_000_000
ROW_TEXT = "row"
_MOVE = re.compile(r"([0-9]{1,3})-([0-9]{1,3})(?:x([0-9]{1,3}))?", re.IGNORECASE)
_TIME = re.compile(r"(?:(?:([0-9]{1,4}):)?([0-9]{1,4}):)?([0-9]{1,9}(?:\.[0-9]{1,9})?)")
_TIME_MARK = "@"
_WRAP = 10  # entries a line, of those written
_ACTIONS_LINE = f"{text_format.ACTIONS_KEY}:  # columns 1-10; 4-7x3: three cards from 4 to 7"
# The comments that every written game has: they are the form's, not the game's.
_OWN_COMMENTS = {line.partition("#")[2].strip() for line in (text_format.HEADER, _ACTIONS_LINE)}


class Revision(enum.Enum):
    """What changes the actions played instead of being one."""

    UNDO = "undo"
    RESTART = "restart"


_WORDS: dict[str, Action | Revision] = {
    ROW_TEXT: ROW,
    **{revision.value: revision for revision in Revision},
}
_LONGEST_WORD = max(map(len, _WORDS))


class OpenMove(NamedTuple):
    """A move whose count was left out: columns ``source`` and ``target`` (both 0-9)."""

    source: int
    target: int


class Entry(NamedTuple):
    """An entry of a recorded game: what, how it was written, in which line (JSON: None).

    time: seconds since the deal was first shown, if given. comment: one line or several.
    """

    action: Action | OpenMove | Revision
    text: str
    line: int | None = None
    time: float | None = None
    comment: str = ""


@dataclass(frozen=True, slots=True)
class RecordedGame:
    """A deal and what was played on it, as written: nothing is checked against the rules.

    name: of the file that it was read from, or empty. comments: lines about the whole game.
    """

    deal: Deal
    actions: tuple[Entry, ...]
    name: str = ""
    comments: tuple[str, ...] = ()


def action_text(action: Action | OpenMove | Revision) -> str:
    """``4-7x3``, ``row``, ``undo`` or ``restart``; a count is written where it is known."""
    if isinstance(action, Revision):
        return action.value
    if isinstance(action, Row):
        return ROW_TEXT
    count = f"x{action.count}" if isinstance(action, Move) else ""
    return f"{action.source + 1}-{action.target + 1}{count}"


def parse_action(text: str) -> Action | OpenMove | Revision:
    """The action or revision that a text without blanks is. Raises NotationError."""
    if len(text) <= _LONGEST_WORD and (word := _WORDS.get(text.lower())) is not None:
        return word
    match = _MOVE.fullmatch(text)
    if match is None:
        raise NotationError(
            f"{quote(text)} is no action: expected a move like 4-7x3 (three cards from column 4"
            f" to column 7), {alternatives(_WORDS)}"
        )
    source, target = int(match[1]), int(match[2])
    for column in (source, target):
        if not 1 <= column <= COLUMNS:
            raise NotationError(
                f"{quote(text)}: there is no column {column}: expected 1 to {COLUMNS}"
            )
    if match[3] is None:
        return OpenMove(source - 1, target - 1)
    return Move(source - 1, target - 1, int(match[3]))


def resolve(action: Action | OpenMove, position: Position) -> Action:
    """The action with its count, which for an OpenMove the target's end card fixes.

    The result may be illegal; then ``position.why_illegal`` says why. NotationError if the
    target is empty, so that nothing fixes the count.
    """
    if not isinstance(action, OpenMove):
        return action
    source, target = position.columns[action.source], position.columns[action.target]
    if not source:
        return Move(*action, 1)
    if not target:
        short = action_text(action)
        raise NotationError(
            f"column {action.target + 1} is empty, so the count can't be left out: write"
            f" {short}x1, or how many"
        )
    return Move(*action, max(rank_of(target[-1]) - rank_of(source[-1]), 1))


def _parse_entry(text: str, line: int | None) -> Entry:
    """An entry, with the time after it, if there is one."""
    what, mark, time = text.partition(_TIME_MARK)
    return Entry(parse_action(what), what, line, _parse_time(time) if mark else None)


def _parse_time(text: str) -> float:
    match = _TIME.fullmatch(text)
    if match is None:
        raise NotationError(
            f"{quote(_TIME_MARK + text)} is no time: expected seconds, like @75.5, or @1:15.5"
        )
    return int(match[1] or 0) * 3600 + int(match[2] or 0) * 60 + float(match[3])


def _time_text(time: float) -> str:
    return f"{time:.3f}".rstrip("0").rstrip(".")


class NoGame(NotationError):
    """A deal without actions where a recorded game was expected."""


def read_game(text: str, name: str = "", format: str | None = None) -> RecordedGame:
    """The recorded game in a text, JSON or a saved game of KPatience.

    name: the file's, for messages and for a deal without a label. format: as of ``read_deal``.
    Raises DealError for the deal, NotationError for the actions, NoGame if there are none.
    """
    found = detect_format(text, name, format)
    if found.name == "json":
        return _read_json(text, name)
    if found.name == "text":
        return _read_text(text, name)
    if found.positions is not None:
        deals = found.positions(text, name)
        try:
            return recorded_game(deals[0], infer_actions(deals), name)
        except NotationError as error:
            raise NotationError(f"{place(name)}{error}") from None
    raise NoGame(
        f"{place(name)}{found.title} holds a deal, no recorded game: expected text, JSON or a saved"
        " game of KPatience"
    )


def _read_text(text: str, name: str) -> RecordedGame:
    deal_lines, lines = text_format.split_actions(text)
    deal = text_format.deal_from_lines(deal_lines, name)
    if lines is None:
        raise NoGame(f"{place(name)}a deal without actions: expected a line `actions:`")
    words = ((word, line.number) for line in lines for word in line.text.split())
    entries = list(_each_entry(words, name))
    about_game = [line.comment for line in deal_lines]
    about_entry: dict[int, list[str]] = {}
    played = 0
    for line in lines:
        played += len(line.text.split())
        (about_entry.setdefault(played - 1, []) if played else about_game).append(line.comment)
    for index, comments in about_entry.items():
        entries[index] = entries[index]._replace(comment=_clean_comment("\n".join(comments)))
    kept = [comment for comment in about_game if comment not in _OWN_COMMENTS]
    return RecordedGame(deal, tuple(entries), name, tuple(_clean_lines(kept)))


def _read_json(text: str, name: str) -> RecordedGame:
    found = json_format.load(text, name)
    deal = json_format.deal_from_object(found, name)
    actions = found.get("actions")
    if actions is None:
        raise NoGame(f'{place(name)}a deal without actions: expected a list "actions"')
    if not isinstance(actions, list):
        raise NotationError(f'{place(name)}"actions": expected a list of actions')
    comments = found.get("comments") or []
    if not isinstance(comments, list) or not all(isinstance(item, str) for item in comments):
        raise NotationError(f'{place(name)}"comments": expected a list of texts in quotes')
    entries = tuple(_each_entry(((item, None) for item in actions), name))
    return RecordedGame(deal, entries, name, tuple(_clean_lines(comments)))


def _each_entry(items: Iterable[tuple[object, int | None]], name: str) -> Iterator[Entry]:
    latest = 0.0
    for number, (item, line) in enumerate(items, 1):
        if number > MAX_ACTIONS:
            raise NotationError(f"{place(name, line)}more than {MAX_ACTIONS} actions")
        try:
            entry = _read_entry(item, line)
            if entry.time is not None:
                if entry.time < latest:
                    raise NotationError(
                        f"time {_time_text(entry.time)} is before that of an earlier action,"
                        f" {_time_text(latest)}: expected seconds since the deal was first shown"
                    )
                latest = entry.time
        except NotationError as error:
            raise NotationError(f"{place(name, line)}action {number}: {error}") from None
        yield entry


def _read_entry(item: object, line: int | None) -> Entry:
    """An entry as a text, or as JSON's object with time and comment."""
    if isinstance(item, str):
        return _parse_entry(item.strip(), line)
    if not isinstance(item, Mapping) or not isinstance(item.get("action"), str):
        raise NotationError('expected a text in quotes like "4-7x3", or {"action": "4-7x3", ...}')
    entry = _parse_entry(item["action"].strip(), line)
    time, comment = item.get("time"), item.get("comment")
    if time is not None:
        # Compared first, so that a whole number too big for a float is refused as well.
        if isinstance(time, bool) or not isinstance(time, int | float) or not 0 <= time < 1e9:
            raise NotationError('"time": expected seconds, from 0')
        entry = entry._replace(time=float(time))
    if comment is not None:
        if not isinstance(comment, str):
            raise NotationError('"comment": expected a text in quotes')
        entry = entry._replace(comment=_clean_comment(comment))
    return entry


def _clean_comment(comment: str) -> str:
    """The comment as both forms can hold it: lines without blanks around, none of them empty."""
    return "\n".join(filter(None, (printable(line).strip() for line in comment.splitlines())))


def recorded_game(
    deal: Deal,
    actions: Iterable[Action | Revision],
    name: str = "",
    comments: Iterable[str] = (),
) -> RecordedGame:
    """The recorded game of a deal and what was played on it."""
    entries = (Entry(action, action_text(action)) for action in actions)
    return RecordedGame(deal, tuple(entries), name, tuple(comments))


def write_recorded(game: RecordedGame, format: Literal["text", "json"] = "text") -> str:
    """A recorded game, with its times and comments, as ``read_game`` reads it back."""
    if format == "json":
        return json_format.dump(_game_object(game))
    if format != "text":
        raise DealError(f"{quote(format)} holds no recorded games: expected text or json")
    lines = [f"# {comment}" for comment in _clean_lines(game.comments)]
    lines.append(text_format.write(game.deal).rstrip("\n"))
    lines.append(_ACTIONS_LINE)
    lines += _entry_lines(game.actions)
    return "\n".join(lines) + "\n"


def _clean_lines(comments: Iterable[str]) -> list[str]:
    """The comments on the game as both forms can hold them: one line each, none empty."""
    lines = (printable(" ".join(comment.splitlines())).strip() for comment in comments)
    return [line for line in lines if line]


def _entry_lines(entries: Iterable[Entry]) -> Iterator[str]:
    """The lines of text; after an entry with a comment begins a new one."""
    words: list[str] = []
    for entry in entries:
        words.append(_entry_text(entry))
        first, *more = _clean_comment(entry.comment).split("\n")
        if first or len(words) == _WRAP:
            yield " ".join(words) + (f"  # {first}" if first else "")
            yield from (f"# {line}" for line in more)
            words = []
    if words:
        yield " ".join(words)


def _entry_text(entry: Entry) -> str:
    time = "" if entry.time is None else f"{_TIME_MARK}{_time_text(entry.time)}"
    return action_text(entry.action) + time


def _game_object(game: RecordedGame) -> dict[str, Any]:
    found = json_format.deal_object(game.deal)
    if comments := _clean_lines(game.comments):
        found["comments"] = comments
    found["actions"] = [_entry_object(entry) for entry in game.actions]
    return found


def _entry_object(entry: Entry) -> str | dict[str, object]:
    text, comment = action_text(entry.action), _clean_comment(entry.comment)
    if entry.time is None and not comment:
        return text
    found: dict[str, object] = {"action": text}
    if entry.time is not None:
        found["time"] = round(entry.time, 3)
    if comment:
        found["comment"] = comment
    return found
