"""solvitaire: a deal as Solvitaire's JSON (C. Blake and I. Gent, ``deal_parser.cpp``).

``{"tableau piles": [[bottom .. end] x 10], "stock": [..], "foundations": [..]}``: ten is
``10S``; the stock's last item is dealt first; an upper-case suit letter is a face-up card,
a lower-case one a face-down card, so a file of upper-case cards only has them all face up.
Completed runs stand in the foundations, Ace to King, one after the other; older files
have a list for each foundation, which is read as well. Neither the deal's number nor the
rule for rows has a place.
"""

from __future__ import annotations

import json
import re

from ..cards import ACE, KING, SUITS, card, card_text
from ..deal import COLUMNS, Deal
from ..errors import DealError
from ..words import quote
from . import json_format
from .json_format import cards_in, list_in, texts_in
from .layout import Layout, count_face_down, whole_runs
from .source import place

_COLUMNS, _STOCK, _FOUNDATIONS = "tableau piles", "stock", "foundations"
_KEY = re.compile(rf'"{_COLUMNS}"\s*:')
_LOWER_SUITS = SUITS.lower()


def detect(text: str) -> bool:
    """True if it is a JSON object with ``"tableau piles"``."""
    return json_format.detect(text) and _KEY.search(text) is not None


def read(text: str, name: str = "") -> Deal:
    """The deal in a text. Raises DealError."""
    found = json_format.load(text, name)
    layout = Layout()
    try:
        for key, value in found.items():
            if key not in (_COLUMNS, _STOCK, _FOUNDATIONS) and value:
                raise DealError(
                    f"{quote(key)} has no place in Spider: expected {quote(_COLUMNS)},"
                    f" {quote(_STOCK)} and {quote(_FOUNDATIONS)} only"
                )
        columns = list_in(found.get(_COLUMNS), _COLUMNS)
        if len(columns) != COLUMNS:
            raise DealError(f'{len(columns)} lists in "{_COLUMNS}": expected {COLUMNS}')
        tableau, face_down = [], []
        for number, column in enumerate(columns, 1):
            words = texts_in(column, f"column {number}")
            tableau.append(cards_in(words, f"column {number}"))
            try:
                face_down.append(count_face_down([word[-1] in _LOWER_SUITS for word in words]))
            except DealError as error:
                raise DealError(f"column {number}: {error}") from None
        layout.columns, layout.face_down = tableau, face_down
        layout.stock = cards_in(texts_in(found.get(_STOCK, []), _STOCK), _STOCK)[::-1]
        layout.completed = whole_runs(cards_in(_flat(found.get(_FOUNDATIONS, [])), _FOUNDATIONS))
    except DealError as error:
        raise DealError(f"{place(name)}{error}") from None
    return layout.to_deal(name)


def _flat(value: object) -> list[str]:
    """The foundations' cards, be they one list or one for each foundation."""
    lists = list_in(value, _FOUNDATIONS)
    if any(isinstance(one, list) for one in lists):
        return [word for one in lists for word in texts_in(one, _FOUNDATIONS)]
    return texts_in(lists, _FOUNDATIONS)


def write(deal: Deal) -> str:
    """The deal as Solvitaire reads it, a column a line."""
    columns = [
        [_text(one, height >= down) for height, one in enumerate(column)]
        for column, down in zip(deal.columns, deal.face_down, strict=True)
    ]
    found = {
        _COLUMNS: columns,
        _STOCK: [_text(one) for one in reversed(deal.stock)],
        _FOUNDATIONS: [
            _text(card(rank, suit)) for suit in deal.completed for rank in range(ACE, KING + 1)
        ],
    }
    lines = [f"    {json.dumps(column)}" for column in columns]
    rest = ",\n".join(f"  {json.dumps(key)}: {json.dumps(found[key])}" for key in list(found)[1:])
    return f'{{\n  "{_COLUMNS}": [\n' + ",\n".join(lines) + f"\n  ],\n{rest}\n}}\n"


def _text(one: int, face_up: bool = True) -> str:
    text = card_text(one).replace("T", "10")
    return text if face_up else text[:-1] + text[-1].lower()
