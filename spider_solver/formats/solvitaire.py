"""Format solvitaire: a deal as JSON of Solvitaire (C. Blake and I. Gent, ``deal_parser.cpp``).

The object is ``{"tableau piles": [...], "stock": [...], "foundations": [...]}``:

- ``tableau piles``: the ten columns, each a list of cards, bottom card first. An upper-case suit
  letter is a face-up card, a lower-case one a face-down card. Files with upper-case letters only
  have all cards face up. The ten is written ``10S``.
- ``stock``: a list of cards; the last one is dealt first.
- ``foundations``: the cards of the completed runs, Ace to King, one run after the other. Older
  files have one list for each foundation, which is read as well.

``##`` is an unknown card, which is read, but not written. The format cannot hold the deal's number
or the rule for rows.
"""

from __future__ import annotations

import json
import re

from ..cards import ACE, KING, SUIT_LETTERS, card, card_text
from ..deal import COLUMNS, Deal
from ..errors import DealError, in_part
from ..words import quote
from . import json_format
from .format import Contents, Format, omits_name_and_rules
from .json_format import cards_in, list_in, texts_in
from .parts import DealParts
from .reading import count_hidden, suits_of_completed_runs

_COLUMNS, _STOCK, _FOUNDATIONS = "tableau piles", "stock", "foundations"
_KEY = re.compile(rf'"{_COLUMNS}"\s*:')
_LOWER_SUITS = SUIT_LETTERS.lower()


def detect(text: str) -> bool:
    """Return True if the text is a JSON object with ``"tableau piles"``."""
    return json_format.detect(text) and _KEY.search(text) is not None


def read(text: str) -> Contents:
    """Read a deal. Raises DealError."""
    found = json_format.load(text)
    for key, value in found.items():
        if key not in (_COLUMNS, _STOCK, _FOUNDATIONS) and value:
            raise DealError(
                f"{quote(key)} does not belong to Spider: expected {quote(_COLUMNS)},"
                f" {quote(_STOCK)} and {quote(_FOUNDATIONS)} only"
            )
    columns = list_in(found.get(_COLUMNS), _COLUMNS)
    if len(columns) != COLUMNS:
        raise DealError(f'{len(columns)} lists in "{_COLUMNS}": expected {COLUMNS}')
    tableau, face_down = [], []
    for number, column in enumerate(columns, 1):
        words = texts_in(column, f"column {number}")
        cards = cards_in(words, f"column {number}")
        tableau.append(cards)
        with in_part(f"column {number}: "):
            face_down.append(count_hidden(cards, [word[-1] in _LOWER_SUITS for word in words]))
    stock = cards_in(texts_in(found.get(_STOCK, []), _STOCK), _STOCK)[::-1]
    completed = suits_of_completed_runs(
        cards_in(_foundation_cards(found.get(_FOUNDATIONS, [])), _FOUNDATIONS)
    )
    return Contents(DealParts(tableau, face_down, stock, completed).to_deal())


def _foundation_cards(value: object) -> list[str]:
    """Return the cards of the foundations, from one list or from one list for each foundation."""
    items = list_in(value, _FOUNDATIONS)
    if any(isinstance(item, list) for item in items):
        return [word for item in items for word in texts_in(item, _FOUNDATIONS)]
    return texts_in(items, _FOUNDATIONS)


def write(deal: Deal) -> str:
    """Return the deal as Solvitaire reads it, one line for each column."""
    columns = [
        [_text(one_card, height >= down) for height, one_card in enumerate(column)]
        for column, down in zip(deal.columns, deal.face_down, strict=True)
    ]
    stock = [_text(one_card) for one_card in reversed(deal.stock)]
    foundations = [
        _text(card(rank, suit)) for suit in deal.completed for rank in range(ACE, KING + 1)
    ]
    lines = ",\n".join(f"    {json.dumps(column)}" for column in columns)
    return (
        f'{{\n  "{_COLUMNS}": [\n{lines}\n  ],\n'
        f'  "{_STOCK}": {json.dumps(stock)},\n'
        f'  "{_FOUNDATIONS}": {json.dumps(foundations)}\n}}\n'
    )


def _text(one_card: int, face_up: bool = True) -> str:
    text = card_text(one_card).replace("T", "10")
    return text if face_up else text[:-1] + text[-1].lower()


FORMAT = Format(
    name="solvitaire",
    title="JSON of Solvitaire",
    detect=detect,
    read=read,
    write=write,
    omits=omits_name_and_rules,
)
