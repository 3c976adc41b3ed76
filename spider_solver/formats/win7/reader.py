"""Read the XML in saved games of Windows Vista/7 Spider; the package's docstring describes it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from ...cards import RANK_NAMES, SUIT_NAMES, card
from ...deal import COLUMNS
from ...errors import DealError, in_part
from ...numbering.win7 import SCHEME
from ...words import counted, quote
from .. import xml
from ..format import Contents
from ..parts import DealParts
from ..reading import MAX_CARDS, count_face_down, suits_of_completed_runs

_STACKS = ("CardTable", "CardStacks")
_STACK = (*_STACKS, "CardStack")
_CARD = (*_STACK, "Cards", "Card")
_SEED, _MOVES = ("GameState", "GameSeed"), ("GameState", "Moves")
_STACK_NAME = (*_STACK, "Name")
_CARD_NAME, _FACE_UP = (*_CARD, "Name"), (*_CARD, "FaceUp")
_VALUES = {_SEED, _MOVES, _STACK_NAME, _CARD_NAME, _FACE_UP}  # the elements whose text is read
_COLUMN_STACKS = [f"Stack{number}" for number in range(1, COLUMNS + 1)]
_DECK, _COMPLETE = "Deck", "Complete"
_START = re.compile(r"\s*(?:<\?xml[^>]*>\s*)?<Root[\s>]")
_CARD_TEXT = re.compile(rf"({'|'.join(RANK_NAMES)})Of({'|'.join(SUIT_NAMES)})[0-9]?", re.IGNORECASE)
_MAX_TEXT = 1000  # characters in an element


def detect(text: str) -> bool:
    """Return True if the text is XML whose root is ``<Root>``."""
    return _START.match(text.removeprefix("\ufeff")) is not None


def read(text: str) -> Contents:
    """Read a deal or position. Raises DealError."""
    save = _Save()
    xml.parse(text, save.start, save.end, save.characters)
    number = save.values.get(_SEED, "").strip()
    parts = DealParts(label=f"{SCHEME.name}:{number}" if number else "")
    if save.cards:
        save.fill(parts)
        return Contents(parts.to_deal())
    if not number:
        raise DealError("no cards and no GameSeed: expected a saved game of Windows Vista/7 Spider")
    deal = parts.to_numbered_deal()
    moves = save.values.get(_MOVES, "").strip()
    made = f"; its moves ({moves}) are not known" if moves.isdecimal() and int(moves[:9]) else ""
    return Contents(
        deal, notes=(f"the file lists no cards: taken as the fresh deal of its number{made}",)
    )


@dataclass(slots=True)
class _Save:
    """A saved game that is being read."""

    values: dict[tuple[str, ...], str] = field(default_factory=dict)  # the last of each path
    # The cards in each stack, and whether each is face up.
    stacks: dict[str, list[tuple[int, bool]]] = field(default_factory=dict)
    elements: list[str] = field(default_factory=list)  # the open elements, root first
    cards: int = 0  # cards read so far

    @property
    def _path(self) -> tuple[str, ...]:
        return tuple(self.elements[1:])

    def start(self, tag: str, attributes: Mapping[str, str]) -> None:
        """Handle the start of an element."""
        self.elements.append(tag)
        if self._path == _CARD:
            self.values[_CARD_NAME] = self.values[_FACE_UP] = ""
        elif self._path in _VALUES:
            self.values[self._path] = ""

    def characters(self, text: str) -> None:
        """Handle a part of the text in an element."""
        path = self._path
        if path in _VALUES and len(self.values[path]) < _MAX_TEXT:
            self.values[path] += text

    def end(self, tag: str) -> None:
        """Handle the end of an element."""
        path = self._path
        self.elements.pop()
        if path == _STACK_NAME:
            self._start_stack()
        elif path == _CARD:
            self._add_card()

    def _start_stack(self) -> None:
        name = self.values[_STACK_NAME].strip()
        if name not in (*_COLUMN_STACKS, _DECK, _COMPLETE):
            raise DealError(
                f"{quote(name)} is not a stack of Spider: expected {_COLUMN_STACKS[0]} to"
                f" {_COLUMN_STACKS[-1]}, {_DECK} or {_COMPLETE}"
            )
        if name in self.stacks:
            raise DealError(f"a second stack {name}: expected one")
        self.stacks[name] = []

    def _add_card(self) -> None:
        name, face_up = self.values[_CARD_NAME].strip(), self.values[_FACE_UP].strip().lower()
        match = _CARD_TEXT.fullmatch(name)
        if match is None:
            raise DealError(f"{quote(name)} is not a card: expected a name like TwoOfHearts1")
        if face_up not in ("true", "false"):
            raise DealError(f"FaceUp {quote(face_up)}: expected true or false")
        if not self.stacks:
            raise DealError("a card before the first stack's name: expected the name first")
        self.cards += 1
        if self.cards > MAX_CARDS:
            raise DealError(f"more than {MAX_CARDS} cards")
        rank, suit = match[1].lower(), match[2].lower()
        one_card = card(RANK_NAMES.index(rank) + 1, SUIT_NAMES.index(suit))
        self.stacks[next(reversed(self.stacks))].append((one_card, face_up == "true"))

    def fill(self, parts: DealParts) -> None:
        """Set the cards of a deal from the stacks."""
        columns = [self.stacks.get(name, []) for name in _COLUMN_STACKS]
        face_down = []
        for number, column in enumerate(columns, 1):
            with in_part(f"column {number}: "):
                face_down.append(count_face_down([not up for _, up in column]))
        parts.columns = [_cards_of(column) for column in columns]
        parts.face_down = face_down
        parts.stock = _cards_of(self.stacks.get(_DECK, []))[::-1]
        parts.completed = suits_of_completed_runs(_cards_of(self.stacks.get(_COMPLETE, [])))
        missing = [name for name in _COLUMN_STACKS if name not in self.stacks]
        if missing:
            parts.notes.append(f"{counted(len(missing), 'stack')} missing: {', '.join(missing)}")


def _cards_of(stack: Iterable[tuple[int, bool]]) -> list[int]:
    return [one_card for one_card, _ in stack]
