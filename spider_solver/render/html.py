"""A recorded game as one self-contained HTML page: the board, controls and the list of actions.

``page`` is a pure function. The folder ``page/`` has the page's frame (HTML), style (CSS) and
script (JavaScript); this module fills in the text and the data of the game. The script knows no
rules: the data has the effect of each action, computed by ``game``, and the script only shows it.

The data is a JSON object with these keys:

=========  ======================================================================
columns    ten strings of cards, such as ``"KSQS"``, bottom card first; ``??`` is an unknown
           card that the game does not tell
down       the number of face-down cards of each column
stock      a string of cards, in the order dealt
completed  a string of suit letters
score      the score at the start
steps      one object for each entry of the game
=========  ======================================================================

The step of a move or row has these keys:

=========  ======================================================================
move       source column, target column (both 0-9) and count; absent for a row
done       columns in which a run was completed; absent if there are none
turn       columns in which a card was turned; absent if there are none
moves      the number of moves after the entry
rows       the number of rows after the entry
score      the score after the entry
=========  ======================================================================

The step of an undo or restart has ``to``: the number of the state that it restores, which is the
number of entries played before that state (0: the deal). An undo also has ``undo``: the number
of the entry that it took back.
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
from ..cards import SUIT_LETTERS, SUIT_SIGNS, card_text
from ..deal import SETS, Deal
from ..errors import IllegalAction, SpiderError
from ..formats import write_game
from ..game import START_SCORE, Move
from ..notation import Revision
from ..recorded_games import RecordedGame
from ..replay import PlayedEntry, Replay, told_deal
from ..words import counted, visible
from .style import Style
from .text import entry_lines, revisions_text

MAX_ENTRIES = 20_000  # a browser shows a page of this size without delay
_STYLE = Style(bars=False)
_FIELD = re.compile(r"\{\{(\w+)\}\}")
_CARD = re.compile(rf"([A2-9TJQK]?)([{SUIT_SIGNS}])")
_TEXT_VARIANT = "\ufe0e"  # after a suit sign: asks for a plain character instead of an emoji


def page(game: RecordedGame, *, deal_command: str = "", game_command: str = "") -> str:
    """The page of a recorded game, up to its first illegal action.

    deal_command: a command line that shows the deal, for the page's notes; empty for none.
    game_command: a command line that makes the game again; empty for none.

    Raises SpiderError if the game has more than ``MAX_ENTRIES`` entries.
    """
    if len(game.entries) > MAX_ENTRIES:
        raise SpiderError(
            f"{len(game.entries)} actions are too many for a page: expected at most {MAX_ENTRIES}"
        )
    replay = Replay(game)
    steps, items, error = _play(replay)
    about = _about(game, revisions_text(replay.counts), deal_command, game_command)
    fields = {
        **_header(replay, illegal=bool(error)),
        "generator": f"spider-solver {__version__}",
        "total": str(replay.number),
        "start_score": str(START_SCORE),
        "sets": str(SETS),
        "notice": f'<p class="notice" role="alert">{escape(error)}</p>' if error else "",
        "entries": "\n".join(items),
        "about": about,
        "data": _data(told_deal(game), steps),
        "style": _page_file("page.css"),
        "script": _page_file("page.js"),
    }
    return _FIELD.sub(lambda match: fields[match[1]], _page_file("page.html"))


@cache
def _page_file(name: str) -> str:
    """The text of a file of the folder ``page/``."""
    return resources.files(__package__).joinpath("page", name).read_text(encoding="utf-8").strip()


def _play(replay: Replay) -> tuple[list[dict[str, Any]], list[str], str]:
    """Play the whole game.

    Returns the step and the list item of each entry, and the message about the illegal action
    that ended the game, or an empty string.
    """
    steps, items = [], []
    try:
        for played in replay.play_rest():
            steps.append(_step(played, replay))
            items.append(_list_item(played, replay))
    except IllegalAction as error:
        text = visible(replay.game.entries[replay.number].text)
        return steps, items, f"Action {replay.number + 1}, {text}, is illegal: {error}"
    return steps, items, ""


def _header(replay: Replay, *, illegal: bool) -> dict[str, str]:
    """The fields about the whole game, after it was played."""
    deal, position = replay.game.deal, replay.position
    name = escape(visible(deal.name, None) or "a deal")
    return {
        "title": f"Spider {name}",
        "subheading": f"{counted(deal.suits, 'suit')}, {deal.rules} rules",
        "verdict": "illegal" if illegal else "won" if position.won else "unfinished",
        "result": f"{counted(position.moves, 'move')}, {counted(position.rows, 'row')},"
        f" score {position.score}",
    }


def _data(deal: Deal, steps: list[dict[str, Any]]) -> str:
    """The game's data as JSON, escaped so that it can be the content of a script element."""
    found = {
        "columns": ["".join(map(card_text, column)) for column in deal.columns],
        "down": deal.face_down,
        "stock": "".join(map(card_text, deal.stock)),
        "completed": "".join(SUIT_LETTERS[suit] for suit in deal.completed),
        "score": START_SCORE,
        "steps": steps,
    }
    return json.dumps(found, separators=(",", ":")).replace("<", "\\u003c")


def _step(played: PlayedEntry, replay: Replay) -> dict[str, Any]:
    """The step of an entry; see the module's docstring. replay: right after the entry."""
    if played.revision is Revision.UNDO:
        assert played.undone_number is not None  # true of every undo
        return {"to": played.undone_number - 1, "undo": played.undone_number}
    if played.revision is Revision.RESTART:
        return {"to": 0}
    assert played.outcome is not None  # true of every action
    found: dict[str, Any] = {}
    if isinstance(played.outcome.action, Move):
        found["move"] = played.outcome.action
    if played.completed:
        found["done"] = [run.column for run in played.completed]
    if played.turned:
        found["turn"] = [turn.column for turn in played.turned]
    position = replay.position
    return {**found, "moves": position.moves, "rows": position.rows, "score": position.score}


def _list_item(played: PlayedEntry, replay: Replay) -> str:
    """An entry in the list of actions, as HTML. replay: right after the entry."""
    kinds = [str(played.revision.value)] if played.revision else []
    kinds += ["row"] if played.is_row else []
    kinds += ["run"] if played.completed else []
    comments = len(played.entry.comment.splitlines())
    lines = entry_lines(played, replay, _STYLE)
    first, done, notes = lines[0], lines[1 : len(lines) - comments], lines[len(lines) - comments :]
    words = f"<span>{_coloured(first)}</span>"
    words += "".join(f'<span class="done">{_coloured(line)}</span>' for line in done)
    words += "".join(f"<span><em>{escape(note)}</em></span>" for note in notes)
    return (
        f'<li class="{" ".join(kinds)}"><button type="button" data-number="{played.number}">'
        f'<span class="n">{played.number}</span><span class="what">{words}</span>'
        f'<span class="score">{replay.position.score}</span></button></li>'
    )


def _coloured(text: str) -> str:
    """Text as HTML, with cards and suit signs in the colour of their suit."""

    def coloured(match: re.Match[str]) -> str:
        letter = SUIT_LETTERS[SUIT_SIGNS.index(match[2])].lower()
        return f'<i class="{letter}">{match[0]}{_TEXT_VARIANT}</i>'

    return _CARD.sub(coloured, escape(text))


def _about(game: RecordedGame, revised: str, deal_command: str, game_command: str) -> str:
    """The notes on the game, as HTML: its comments, its undos, commands, and the game as a file."""
    lines = []
    if game.comments:
        comments = (escape(visible(comment, None)) for comment in game.comments)
        lines.append(f'<p class="comments">{"<br>".join(comments)}</p>')
    if revised:
        lines.append(f"<p>{revised[:1].upper()}{revised[1:]}.</p>")
    if deal_command:
        lines.append(f"<p>This deal: <code>{escape(deal_command)}</code></p>")
    if game_command:
        lines.append(f"<p>This game: <code>{escape(game_command)}</code></p>")
    name = re.sub(r"[^\w.-]+", "_", game.deal.name).strip("._") or "game"
    content = quote(write_game(game))
    lines.append(
        f'<p><a download="{escape(name)}.txt" href="data:text/plain;charset=utf-8,{content}">Save'
        " the recorded game</a>, to replay and verify it with spider-solver.</p>"
    )
    return "\n".join(lines)
