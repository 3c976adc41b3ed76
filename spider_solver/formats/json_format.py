"""Format json: a deal, a position in mid-game, or a recorded game as one JSON object.

The keys, in the order in which they are written:

- ``deal``: ``scheme:number`` or any label. Without ``columns`` it is the deal of that number, and
  ``face_down``, ``stock`` and ``completed`` must be missing too.
- ``suits``: the suit mode.
- ``rules``: ``standard`` or ``relaxed``.
- ``columns``: ten lists of cards like ``"TS"``, bottom card first; ``null`` is an unknown card.
- ``face_down``: ten counts: how many cards of the column, from the bottom, are face down. If
  the key is missing, all known cards are face up.
- ``stock``: a list of the undealt cards in the order dealt.
- ``completed``: a list of the suit letters of the completed runs, or only their number.
- ``comments``: in a recorded game, a list of texts about the game, if there are any.
- ``actions``: in a recorded game, the list of its entries. An entry is a text (see
  ``recorded_games``) or an object with the keys ``action``, ``time`` (seconds) and ``comment``;
  the last two may be missing.

Other keys are ignored.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from typing import Any

from ..cards import SUIT_LETTERS, UNKNOWN, UNKNOWN_TEXT, card_text, parse_suit
from ..deal import COLUMNS, ROW_CARDS, SETS, Deal
from ..errors import DealError, NotationError, in_part
from ..recorded_games import (
    Entry,
    NoGameError,
    RecordedGame,
    checked_time,
    clean_comment,
    clean_comments,
    parse_entries,
    parse_entry,
    told_action_text,
)
from ..words import quote, visible
from .format import Contents, Format
from .parts import DealParts
from .reading import count_hidden, parse_rules, parse_suit_mode, read_cards

MAX_INTEGER = 10**40  # whole numbers must be below this


def detect(text: str) -> bool:
    """Return True if the text begins as a JSON object does."""
    return text.lstrip("\ufeff \t\r\n").startswith("{")


def load(text: str) -> dict[str, Any]:
    """Return the JSON object in a text. Raises DealError."""
    try:
        found = json.loads(text.lstrip("\ufeff"), object_pairs_hook=_without_repeated_keys)
    except json.JSONDecodeError as error:
        raise DealError(
            f"not valid JSON at character {error.colno}: {error.msg}", error.lineno
        ) from None
    except DealError:
        raise
    except ValueError:
        raise DealError("a number of too many digits: expected a deal") from None
    except RecursionError:
        raise DealError("JSON nested too deep: expected a deal") from None
    if not isinstance(found, dict):
        raise DealError('JSON, but not an object: expected {"columns": [...], ...}')
    return found


def _without_repeated_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        ((repeated, _),) = Counter(key for key, _ in pairs).most_common(1)
        raise DealError(f"the key {quote(repeated)} occurs twice: leave one out")
    return found


def read(text: str) -> Contents:
    """Read a deal, and keep its recorded actions to be parsed later. Raises DealError."""
    found = load(text)
    deal = deal_from_object(found)
    return Contents(deal, partial(_read_game, deal, found))


def deal_from_object(found: Mapping[str, Any]) -> Deal:
    """Return the deal in a JSON object, as ``load`` returns it. Raises DealError."""
    parts = DealParts()
    if found.get("deal") is not None:
        parts.label = _label(found["deal"])
    if found.get("suits") is not None:
        parts.suits = parse_suit_mode(_integer(found["suits"], "suits"))
    if found.get("rules") is not None:
        parts.rules = parse_rules(_text(found["rules"], "rules"))
    if found.get("columns") is not None:
        _read_cards(parts, found)
    if parts.columns:
        return parts.to_deal()
    if parts.label:
        for key in ("face_down", "stock", "completed"):
            if found.get(key) is not None:
                raise DealError(
                    f'"{key}" without "columns": expected "columns" too, or the deal number alone'
                )
        return parts.to_numbered_deal()
    raise DealError('no "columns": expected ten lists of cards like "TS"')


def _read_cards(parts: DealParts, found: Mapping[str, Any]) -> None:
    """Read the columns, the stock and the completed runs into the parts."""
    columns = list_in(found["columns"], '"columns"')
    if len(columns) != COLUMNS:
        raise DealError(f'{len(columns)} lists in "columns": expected {COLUMNS}')
    tableau = [
        cards_in(_card_texts(column, f"column {number}"), f"column {number}")
        for number, column in enumerate(columns, 1)
    ]
    if found.get("face_down") is None:
        parts.face_down = [_count_hidden(column, n) for n, column in enumerate(tableau, 1)]
    else:
        counts = list_in(found["face_down"], '"face_down"')
        parts.face_down = [_integer(count, '"face_down"') for count in counts]
    parts.columns = tableau
    parts.stock = cards_in(_card_texts(_value_or_empty_list(found, "stock"), "stock"), "stock")
    if isinstance(found.get("completed"), int):
        parts.completed_count = _integer(found["completed"], '"completed"')
        return
    suits = texts_in(_value_or_empty_list(found, "completed"), '"completed"')
    if len(suits) > SETS:
        raise DealError(f'{len(suits)} suits in "completed": expected at most {SETS}')
    parts.completed = [parse_suit(suit) for suit in suits]


def _count_hidden(column: Sequence[int], number: int) -> int:
    with in_part(f"column {number}: "):
        return count_hidden(column)


def _value_or_empty_list(found: Mapping[str, Any], key: str) -> object:
    """Return the value of a key, or an empty list if it is missing or null."""
    value = found.get(key)
    return [] if value is None else value


def _label(value: object) -> str:
    if isinstance(value, int) and not isinstance(value, bool):
        return str(_integer(value, '"deal"'))
    return _text(value, '"deal"')


def cards_in(words: Sequence[str], where: str) -> list[int]:
    """Return the cards of a list. Raises DealError. where: the list in words, for messages."""
    with in_part(f"{where}, "):
        return read_cards(words)


def texts_in(value: object, where: str) -> list[str]:
    """Return the value if it is a list of texts, else raise DealError."""
    return [_text(item, where) for item in list_in(value, where)]


def _card_texts(value: object, where: str) -> list[str]:
    """Return a list of cards as texts; null, an unknown card, is ``??``. Raises DealError."""
    return [UNKNOWN_TEXT if item is None else _text(item, where) for item in list_in(value, where)]


def list_in(value: object, where: str) -> list[Any]:
    """Return the value if it is a list, else raise DealError."""
    if not isinstance(value, list):
        raise DealError(f"{where} is {_shown(value)}: expected a list")
    return value


def _text(value: object, where: str) -> str:
    if not isinstance(value, str):
        raise DealError(f"{where} has {_shown(value)}: expected a text in quotes")
    return value


def _integer(value: object, where: str) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or abs(value) >= MAX_INTEGER:
        raise DealError(f"{where} has {_shown(value)}: expected a whole number")
    return value


def _shown(value: object) -> str:
    """Return a wrong value as a message shows it."""
    if isinstance(value, list | dict):
        return "a list" if isinstance(value, list) else "an object"
    return quote(value) if isinstance(value, str) else visible(json.dumps(value))


def _read_game(deal: Deal, found: Mapping[str, Any]) -> RecordedGame:
    """Return the recorded game in an object. deal: the deal in the object."""
    actions = found.get("actions")
    if actions is None:
        raise NoGameError('a deal without actions: expected a list "actions"')
    if not isinstance(actions, list):
        raise NotationError('"actions": expected a list of actions')
    comments = found.get("comments") or []
    if not isinstance(comments, list) or not all(isinstance(item, str) for item in comments):
        raise NotationError('"comments": expected a list of texts in quotes')
    entries = parse_entries(((item, None) for item in actions), _parse_entry)
    return RecordedGame(deal, tuple(entries), comments=tuple(clean_comments(comments)))


def _parse_entry(item: object, line: int | None) -> Entry:
    """Return an entry from a text, or from an object with its time and comment."""
    if isinstance(item, str):
        return parse_entry(item.strip(), line)
    if not isinstance(item, Mapping) or not isinstance(item.get("action"), str):
        raise NotationError('expected a text in quotes like "4-7x3", or {"action": "4-7x3", ...}')
    entry = parse_entry(item["action"].strip(), line)
    time, comment = item.get("time"), item.get("comment")
    if time is not None:
        if not isinstance(time, int | float) or isinstance(time, bool):
            raise NotationError('"time": expected seconds, from 0')
        with in_part('"time": '):
            entry = entry._replace(time=checked_time(time))
    if comment is not None:
        if not isinstance(comment, str):
            raise NotationError('"comment": expected a text in quotes')
        entry = entry._replace(comment=clean_comment(comment))
    return entry


def deal_object(deal: Deal) -> dict[str, Any]:
    """Return the deal as an object for ``json.dumps``, with the keys in the order written."""
    return {
        "deal": deal.name,
        "suits": deal.suits,
        "rules": str(deal.rules),
        "columns": [_card_values(column) for column in deal.columns],
        "face_down": list(deal.face_down),
        "stock": _card_values(deal.stock),
        "completed": [SUIT_LETTERS[suit] for suit in deal.completed],
    }


def _card_values(cards: Iterable[int]) -> list[str | None]:
    return [None if one_card == UNKNOWN else card_text(one_card) for one_card in cards]


def _entry_object(entry: Entry) -> str | dict[str, object]:
    text, comment = told_action_text(entry), clean_comment(entry.comment)
    if entry.time is None and not comment:
        return text
    found: dict[str, object] = {"action": text}
    if entry.time is not None:
        found["time"] = round(entry.time, 3)
    if comment:
        found["comment"] = comment
    return found


def dump(found: Mapping[str, Any]) -> str:
    """Return an object as JSON in short lines.

    Each key begins a line. Each item of a list of lists or objects is a line. Another list is one
    line if it has up to ten items, otherwise lines of ten items.
    """
    entries = (f"  {json.dumps(key)}: {_dump_value(value)}" for key, value in found.items())
    return "{\n" + ",\n".join(entries) + "\n}\n"


def _dump_value(value: object) -> str:
    if not isinstance(value, list):
        return json.dumps(value)
    if any(isinstance(item, list | dict) for item in value):
        lines = [json.dumps(item) for item in value]
    elif len(value) > ROW_CARDS:
        lines = [
            ", ".join(map(json.dumps, value[start : start + ROW_CARDS]))
            for start in range(0, len(value), ROW_CARDS)
        ]
    else:
        return json.dumps(value)
    return "[\n    " + ",\n    ".join(lines) + "\n  ]"


def write(deal: Deal) -> str:
    """Return the deal as JSON that reads back as the same Deal."""
    return dump(deal_object(deal))


def write_game(game: RecordedGame) -> str:
    """Return the recorded game as JSON that reads back as the same game."""
    found = deal_object(game.deal)
    if comments := clean_comments(game.comments):
        found["comments"] = comments
    found["actions"] = [_entry_object(entry) for entry in game.entries]
    return dump(found)


FORMAT = Format(
    name="json",
    title="JSON",
    detect=detect,
    read=read,
    write=write,
    holds_unknown=True,
    holds_games=True,
    write_game=write_game,
)
