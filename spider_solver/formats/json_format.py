"""json: a deal, fresh or in mid-game, as one JSON object.

Keys, in the order written:

deal: ``scheme:number`` or any label; without ``columns`` it is the deal of that number.
suits: the suit mode. rules: ``standard`` or ``relaxed``. columns: ten lists of cards like
``"TS"``, bottom to end. face_down: for each column how many, from the bottom, are face down;
left out, all are face up. stock: the undealt cards in the order dealt. completed: suit
letters of the completed runs. A recorded game has ``actions`` as well (see notation). Other
keys are left aside.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from ..cards import SUITS, card_text, parse_suit
from ..deal import COLUMNS, ROW_CARDS, SETS, Deal
from ..errors import DealError
from ..words import quote
from .layout import Layout, parse_rules, parse_suits, read_cards
from .source import place


def detect(text: str) -> bool:
    """True if the text begins as a JSON object does."""
    return text.lstrip("\ufeff \t\r\n").startswith("{")


def load(text: str, name: str = "") -> dict[str, Any]:
    """The JSON object in a text. Raises DealError."""
    try:
        found = json.loads(text.lstrip("\ufeff"), object_pairs_hook=_distinct)
    except json.JSONDecodeError as error:
        raise DealError(
            f"{place(name, error.lineno)}no valid JSON at character {error.colno}: {error.msg}"
        ) from None
    except DealError as error:
        raise DealError(f"{place(name)}{error}") from None
    except ValueError:
        raise DealError(f"{place(name)}a number of too many digits: expected a deal") from None
    except RecursionError:
        raise DealError(f"{place(name)}JSON nested too deep: expected a deal") from None
    if not isinstance(found, dict):
        raise DealError(f'{place(name)}JSON, but no object: expected {{"columns": [...], ...}}')
    return found


def _distinct(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        ((twice, _),) = Counter(key for key, _ in pairs).most_common(1)
        raise DealError(f"the key {quote(twice)} is there twice: leave one out")
    return found


def read(text: str, name: str = "") -> Deal:
    """The deal in a JSON text; its recorded actions, if any, are left aside.

    name: the file's, for messages and for a deal without a label. Raises DealError.
    """
    return deal_from_object(load(text, name), name)


def deal_from_object(found: Mapping[str, Any], name: str = "") -> Deal:
    """The deal in a JSON object that was loaded already. Raises DealError."""
    layout = Layout()
    try:
        if found.get("deal") is not None:
            layout.label = _label(found["deal"])
        if found.get("suits") is not None:
            layout.suits = parse_suits(_whole(found["suits"], "suits"))
        if found.get("rules") is not None:
            layout.rules = parse_rules(_string(found["rules"], "rules"))
        if found.get("columns") is not None:
            _fill(layout, found)
    except DealError as error:
        raise DealError(f"{place(name)}{error}") from None
    if not layout.columns:
        if layout.label:
            return layout.by_number(name)
        raise DealError(f'{place(name)}no "columns": expected ten lists of cards like "TS"')
    return layout.to_deal(name)


def _fill(layout: Layout, found: Mapping[str, Any]) -> None:
    columns = list_in(found["columns"], '"columns"')
    if len(columns) != COLUMNS:
        raise DealError(f'{len(columns)} lists in "columns": expected {COLUMNS}')
    layout.columns = [
        cards_in(texts_in(column, f"column {number}"), f"column {number}")
        for number, column in enumerate(columns, 1)
    ]
    layout.face_down = [0] * COLUMNS
    if found.get("face_down") is not None:
        counts = list_in(found["face_down"], '"face_down"')
        layout.face_down = [_whole(count, '"face_down"') for count in counts]
    layout.stock = cards_in(texts_in(_given(found, "stock"), "stock"), "stock")
    suits = texts_in(_given(found, "completed"), '"completed"')
    if len(suits) > SETS:
        raise DealError(f'{len(suits)} suits in "completed": expected at most {SETS}')
    layout.completed = [parse_suit(suit) for suit in suits]


def _given(found: Mapping[str, Any], key: str) -> object:
    value = found.get(key)
    return [] if value is None else value


def _label(value: object) -> str:
    if isinstance(value, int) and not isinstance(value, bool):
        return str(_whole(value, '"deal"'))
    return _string(value, '"deal"')


def cards_in(words: Sequence[str], where: str) -> list[int]:
    """The cards of a list; DealError says which of them is none. where: the list, in words."""
    try:
        return read_cards(words)
    except DealError as error:
        raise DealError(f"{where}, {error}") from None


def texts_in(value: object, where: str) -> list[str]:
    """The value as a list of texts, or DealError."""
    return [_string(item, where) for item in list_in(value, where)]


def list_in(value: object, where: str) -> list[Any]:
    """The value as a list, or DealError."""
    if not isinstance(value, list):
        raise DealError(f"{where} is {_shown(value)}: expected a list")
    return value


def _string(value: object, where: str) -> str:
    if not isinstance(value, str):
        raise DealError(f"{where} has {_shown(value)}: expected a text in quotes")
    return value


def _whole(value: object, where: str) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or abs(value) >= 10**40:
        raise DealError(f"{where} has {_shown(value)}: expected a whole number")
    return value


def _shown(value: object) -> str:
    if isinstance(value, list | dict):
        return "a list" if isinstance(value, list) else "an object"
    return quote(value) if isinstance(value, str) else quote(json.dumps(value))[1:-1]


def deal_object(deal: Deal) -> dict[str, Any]:
    """The deal as an object for ``json.dumps``, its keys in the order of the format."""
    return {
        "deal": deal.name,
        "suits": deal.suits,
        "rules": str(deal.rules),
        "columns": [[card_text(card) for card in column] for column in deal.columns],
        "face_down": list(deal.face_down),
        "stock": [card_text(card) for card in deal.stock],
        "completed": [SUITS[suit] for suit in deal.completed],
    }


def dump(found: Mapping[str, Any]) -> str:
    """An object as JSON for people: a key or a column a line, ten of a long list a line."""
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
    """The deal as JSON that reads back as the same Deal."""
    return dump(deal_object(deal))
