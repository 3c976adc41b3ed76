"""Actions and recorded games as text, both ways.

An action is ``4-7x3`` (three cards from column 4 to column 7, columns 1-10) or ``row``.
On reading, ``x3`` may be left out where the target isn't empty, as the target's end card
then fixes the count: such an action is an ``OpenMove`` until ``resolve`` sees the position.

A recorded game is a deal and its actions. As text: the deal (see formats.text), a line
``actions:``, then the actions, blank separated, in as many lines as one likes; as JSON: the
deal's keys (see formats.json_format) and ``actions``, a list of texts.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

from .cards import rank_of
from .deal import COLUMNS, Deal
from .errors import DealError, NotationError
from .formats import detect_format, json_format
from .formats import text as text_format
from .formats.source import place, printable, quote
from .game import ROW, Action, Move, Position, Row

MAX_ACTIONS = 1_000_000
ROW_TEXT = "row"
_MOVE = re.compile(r"([0-9]{1,3})-([0-9]{1,3})(?:x([0-9]{1,3}))?", re.IGNORECASE)
_LATER = ("undo", "restart")
_WRAP = 10  # actions a line, of those written


class OpenMove(NamedTuple):
    """A move whose count was left out: columns ``source`` and ``target`` (both 0-9)."""

    source: int
    target: int


class RecordedAction(NamedTuple):
    """An action of a recorded game, how it was written, and in which line (JSON: None)."""

    action: Action | OpenMove
    text: str
    line: int | None = None


@dataclass(frozen=True, slots=True)
class RecordedGame:
    """A deal and what was played on it, as written: nothing is checked against the rules.

    name: of the file that it was read from, or empty.
    """

    deal: Deal
    actions: tuple[RecordedAction, ...]
    name: str = ""


def action_text(action: Action) -> str:
    """``4-7x3`` or ``row``; the count is always written."""
    if isinstance(action, Row):
        return ROW_TEXT
    return f"{action.source + 1}-{action.target + 1}x{action.count}"


def parse_action(text: str) -> Action | OpenMove:
    """The action that a text without blanks is. Raises NotationError."""
    if text.lower() == ROW_TEXT:
        return ROW
    match = _MOVE.fullmatch(text)
    if match is None:
        if text.lower() in _LATER:
            raise NotationError(f"{text!r} can't be read yet: expected moves and rows only")
        raise NotationError(
            f"{quote(text)} is no action: expected a move like 4-7x3 (three cards from column 4"
            f" to column 7) or {ROW_TEXT}"
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
        short = f"{action.source + 1}-{action.target + 1}"
        raise NotationError(
            f"column {action.target + 1} is empty, so the count can't be left out: write"
            f" {short}x1, or how many"
        )
    return Move(*action, max(rank_of(target[-1]) - rank_of(source[-1]), 1))


def read_game(text: str, name: str = "") -> RecordedGame:
    """The recorded game in a text or JSON, which the content tells.

    name: the file's, for messages and for a deal without a label. Raises DealError for the
    deal, NotationError for the actions.
    """
    found = detect_format(text, name)
    if found.name == "json":
        return _read_json(text, name)
    if found.name == "text":
        return _read_text(text, name)
    raise NotationError(
        f"{place(name)}{found.title} holds a deal, no recorded game: expected text or JSON"
    )


def _read_text(text: str, name: str) -> RecordedGame:
    deal_lines, lines = text_format.split_actions(text)
    deal = text_format.deal_from_lines(deal_lines, name)
    if lines is None:
        raise NotationError(f"{place(name)}a deal without actions: expected a line `actions:`")
    words = ((word, line.number) for line in lines for word in line.text.split())
    return RecordedGame(deal, _read_actions(words, name), name)


def _read_json(text: str, name: str) -> RecordedGame:
    found = json_format.load(text, name)
    deal = json_format.deal_from_object(found, name)
    actions = found.get("actions")
    if not isinstance(actions, list):
        raise NotationError(f'{place(name)}a deal without actions: expected a list "actions"')
    return RecordedGame(deal, _read_actions(((word, None) for word in actions), name), name)


def _read_actions(
    words: Iterable[tuple[object, int | None]], name: str
) -> tuple[RecordedAction, ...]:
    return tuple(_each_action(words, name))


def _each_action(words: Iterable[tuple[object, int | None]], name: str) -> Iterator[RecordedAction]:
    for number, (word, line) in enumerate(words, 1):
        if number > MAX_ACTIONS:
            raise NotationError(f"{place(name, line)}more than {MAX_ACTIONS} actions")
        try:
            if not isinstance(word, str):
                raise NotationError('expected a text in quotes like "4-7x3"')
            yield RecordedAction(parse_action(word.strip()), word.strip(), line)
        except NotationError as error:
            raise NotationError(f"{place(name, line)}action {number}: {error}") from None


def record(deal: Deal, actions: Sequence[Action], name: str = "") -> RecordedGame:
    """The recorded game of a deal and the actions played on it."""
    return RecordedGame(
        deal, tuple(RecordedAction(action, action_text(action)) for action in actions), name
    )


def write_game(
    deal: Deal,
    actions: Sequence[Action],
    *,
    format: Literal["text", "json"] = "text",
    comments: Sequence[str] = (),
) -> str:
    """The recorded game as text or JSON that ``read_game`` reads back.

    comments: lines for the head of the text; JSON, which has no comments, leaves them out.
    """
    words = [action_text(action) for action in actions]
    if format == "json":
        return json_format.dump({**json_format.deal_object(deal), "actions": words})
    if format != "text":
        raise DealError(f"{quote(format)} holds no recorded games: expected text or json")
    lines = [f"# {printable(comment)}" for comment in comments]
    lines.append(text_format.write(deal).rstrip("\n"))
    lines.append(f"{text_format.ACTIONS_KEY}:  # columns 1-10; 4-7x3: three cards from 4 to 7")
    lines += [" ".join(words[i : i + _WRAP]) for i in range(0, len(words), _WRAP)]
    return "\n".join(lines) + "\n"
