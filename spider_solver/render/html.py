"""A recorded game as one self-contained HTML page: board, controls and the list of actions.

``page`` is a pure function. What the page looks like and does is in the folder ``page/``:
its frame, style and script, which this module puts together with the game's data. The
rules aren't written twice: the data says what each action did, as ``game`` played it, and
the script only shows it.

The data, an object: columns (ten texts of cards, ``"KSQS"``), down (face-down counts), stock
(a text of cards in the order dealt), completed (suit letters), score; and steps, one for each
entry: ``move`` (from, to, count; columns 0-9; a row has none), ``done`` (columns in which a
run was completed), ``turn`` (columns in which a card was turned), ``moves``, ``rows`` and
``score`` after it. An undo or restart has ``to`` instead: the number of the state, 0 for the
deal, that it leads back to; an undo has ``undo`` too, the number of the entry it took back.
"""

from __future__ import annotations

import json
import re
from functools import cache
from html import escape
from importlib import resources
from typing import Any
from urllib.parse import quote

from .. import __version__
from ..cards import SUIT_SIGNS, SUITS, card_text
from ..deal import Deal
from ..errors import IllegalAction, SpiderError
from ..game import START_SCORE, Move
from ..notation import RecordedGame, Revision, write_recorded
from ..replay import PlayedEntry, Replay
from ..words import counted
from .text import Style, deal_command, event_words, revisions

MAX_ENTRIES = 20_000  # that a browser still shows at once
_PLAIN = Style(bars=False)
_FIELD = re.compile(r"\{\{(\w+)\}\}")
_CARD = re.compile(rf"([A2-9TJQK]?)([{SUIT_SIGNS}])")
_AS_TEXT = "\ufe0e"  # after a suit sign: no emoji


def page(game: RecordedGame, made_by: str = "") -> str:
    """The page of a recorded game, up to its first illegal action.

    made_by: a command that makes the game again, if there is one. SpiderError if the game is
    too long for a page.
    """
    if len(game.actions) > MAX_ENTRIES:
        raise SpiderError(
            f"{len(game.actions)} actions are too many for a page: expected at most {MAX_ENTRIES}"
        )
    replay = Replay(game)
    steps, entries, illegal = [], [], ""
    try:
        for event in replay.rest():
            steps.append(_step(event, replay))
            entries.append(_entry(event, replay))
    except IllegalAction as error:
        text = game.actions[replay.number].text
        illegal = f"Action {replay.number + 1}, {text[:40]}, is illegal: {error}"
    position = replay.position
    verdict = "illegal" if illegal else "won" if position.won else "unfinished"
    deal = game.deal
    name = deal.name or "a deal"
    fields = {
        "generator": f"spider-solver {__version__}",
        "title": escape(f"Spider {name}"),
        "heading": f"Spider {escape(name)}",
        "subheading": f"{counted(deal.suits, 'suit')}, {deal.rules} rules",
        "verdict": verdict,
        "result": f"{counted(position.moves, 'move')}, {counted(position.rows, 'row')},"
        f" score {position.score}",
        "total": str(replay.number),
        "start_score": str(START_SCORE),
        "notice": f'<p class="notice" role="alert">{escape(illegal)}</p>' if illegal else "",
        "entries": "\n".join(entries),
        "about": _about(game, made_by, revisions(replay.counts)),
        "data": _data(deal, steps),
        "style": _part("page.css"),
        "script": _part("page.js"),
    }
    return _FIELD.sub(lambda match: fields[match[1]], _part("page.html"))


@cache
def _part(name: str) -> str:
    """A file of the folder ``page/``."""
    return resources.files(__package__).joinpath("page", name).read_text(encoding="utf-8").strip()


def _data(deal: Deal, steps: list[dict[str, Any]]) -> str:
    """The data as JSON that can stand in a script element."""
    found = {
        "columns": ["".join(map(card_text, column)) for column in deal.columns],
        "down": deal.face_down,
        "stock": "".join(map(card_text, deal.stock)),
        "completed": "".join(SUITS[suit] for suit in deal.completed),
        "score": START_SCORE,
        "steps": steps,
    }
    return json.dumps(found, separators=(",", ":")).replace("<", "\\u003c")


def _step(event: PlayedEntry, replay: Replay) -> dict[str, Any]:
    """What an entry did, as the script plays it. replay: as it is right after the event."""
    if event.revision is Revision.UNDO:
        assert event.undone_number is not None  # as of every undo
        return {"to": event.undone_number - 1, "undo": event.undone_number}
    if event.revision is Revision.RESTART:
        return {"to": 0}
    assert event.outcome is not None  # as of every action
    found: dict[str, Any] = {}
    if isinstance(event.outcome.action, Move):
        found["move"] = event.outcome.action
    if event.completed:
        found["done"] = [run.column for run in event.completed]
    if event.turned:
        found["turn"] = [turn.column for turn in event.turned]
    position = replay.position
    return {**found, "moves": position.moves, "rows": position.rows, "score": position.score}


def _entry(event: PlayedEntry, replay: Replay) -> str:
    """An entry's place in the list of actions."""
    kinds = [str(event.revision.value)] if event.revision else []
    kinds += ["row"] if event.is_row else []
    kinds += ["run"] if event.completed else []
    comments = len(event.entry.comment.splitlines())
    lines = event_words(event, replay, _PLAIN)
    first, done, notes = lines[0], lines[1 : len(lines) - comments], lines[len(lines) - comments :]
    words = f"<span>{_signs(first)}</span>"
    words += "".join(f'<span class="done">{_signs(line)}</span>' for line in done)
    words += "".join(f"<span><em>{escape(note)}</em></span>" for note in notes)
    return (
        f'<li class="{" ".join(kinds)}"><button type="button" data-number="{event.number}">'
        f'<span class="n">{event.number}</span><span class="what">{words}</span>'
        f'<span class="score">{replay.position.score}</span></button></li>'
    )


def _signs(text: str) -> str:
    """Text as HTML, its cards and suit signs in their suit's colour."""

    def painted(match: re.Match[str]) -> str:
        letter = SUITS[SUIT_SIGNS.index(match[2])].lower()
        return f'<i class="{letter}">{match[0]}{_AS_TEXT}</i>'

    return _CARD.sub(painted, escape(text))


def _about(game: RecordedGame, made_by: str, revised: str) -> str:
    """What the game says itself, and how to come by it again."""
    command = deal_command(game.deal)
    lines = []
    if game.comments:
        lines.append(f'<p class="comments">{"<br>".join(map(escape, game.comments))}</p>')
    if revised:
        lines.append(f"<p>{revised[:1].upper()}{revised[1:]}.</p>")
    if command:
        lines.append(f"<p>This deal: <code>{escape(command)}</code></p>")
    if made_by:
        lines.append(f"<p>This game: <code>{escape(made_by)}</code></p>")
    name = re.sub(r"[^\w.-]+", "_", game.deal.name).strip("._") or "game"
    kept = quote(write_recorded(game))
    lines.append(
        f'<p><a download="{escape(name)}.txt" href="data:text/plain;charset=utf-8,{kept}">Save the'
        " recorded game</a>, to replay and verify it with spider-solver.</p>"
    )
    return "\n".join(lines)
