"""Read saved games of KPatience; the package's docstring describes the format."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial

from ...cards import RANK_NAMES, SUIT_NAMES, card
from ...deal import ROW_CARDS, RUN_CARDS, Deal, RowRule, ends_in_completed_run
from ...errors import DealError, in_part
from ...infer import infer_actions
from ...numbering.kpat import SCHEME, SUITS_OF_MODE
from ...recorded_games import RecordedGame, recorded_game
from ...words import quote, visible
from .. import xml
from ..format import Contents
from ..parts import DealParts
from ..reading import MAX_CARDS, count_face_down, suits_of_completed_runs
from . import legacy
from .legacy import LegacySave
from .names import (
    CARD,
    COLUMN_PILES,
    FACE_DOWN,
    FACE_UP,
    GAME,
    MOVE,
    NO_NUMBER,
    ROW_PILES,
    RUN_PILES,
    STATE,
    integer,
)

MAX_STATES = 20_000
_PARENT = {GAME: "", STATE: GAME, MOVE: STATE, CARD: MOVE}
_STARTS = ("<?xml", "<!DOCTYPE", f"<{GAME}", f"<{legacy.ROOT}", "<!--")


def detect(text: str) -> bool:
    """Return True if the text begins as an XML document does."""
    return text.lstrip("\ufeff \t\r\n").startswith(_STARTS)


def read(text: str) -> Contents:
    """Read the current position. The actions are found later. Raises DealError."""
    states = _read_states(text)
    deal = states[0].to_deal()  # this also checks the number of the deal
    current = deal if len(states) == 1 else states[-1].to_deal()
    return Contents(current, partial(_find_game, states), after_actions=True)


def positions(text: str) -> list[Deal]:
    """Return the deal, then the position after each state up to the current one.

    They have the relaxed rule for rows, which KPatience plays by. Raises DealError.
    """
    return _positions(_read_states(text))


def _positions(states: Sequence[DealParts]) -> list[Deal]:
    return [state.to_deal().with_rules(RowRule.RELAXED) for state in states]


def _find_game(states: Sequence[DealParts]) -> RecordedGame:
    deals = _positions(states)
    return recorded_game(deals[0], infer_actions(deals))


def _read_states(text: str) -> list[DealParts]:
    """Return the states up to the current one, at least one. Their cards are not yet checked."""
    save: _Save | LegacySave = _Save()

    def start(tag: str, attributes: Mapping[str, str]) -> None:
        nonlocal save
        if tag == legacy.ROOT and save.elements == [""]:
            save = LegacySave()
        save.start(tag, attributes)

    xml.parse(text, start, lambda tag: save.end(tag))
    states = save.states
    if not states:
        raise DealError("a saved game without a state: expected a deal")
    return states


@dataclass(slots=True)
class _Save:
    """A saved game that is being read: the place of each card after the states read so far."""

    suits: int = 0  # the suit mode
    number: str = ""  # the deal's number with its scheme; empty if it has none
    states: list[DealParts] = field(default_factory=list)
    current_read: bool = False  # whether the state marked as current was read
    elements: list[str] = field(default_factory=lambda: [""])  # the open elements, root first
    # The ids of the cards in each pile, bottom card first.
    piles: dict[str, list[str]] = field(
        default_factory=lambda: {pile: [] for pile in (*ROW_PILES, *COLUMN_PILES, *RUN_PILES)}
    )
    # By the id of a card: the card, its pile and whether it is face down.
    cards: dict[str, int] = field(default_factory=dict)
    pile_of: dict[str, str] = field(default_factory=dict)
    face_down: dict[str, bool] = field(default_factory=dict)
    # The pile and position to which the next card of the open <move> goes.
    pile: str = ""
    position: int = 0
    is_current: bool = False  # whether the open <state> is marked as current

    def start(self, tag: str, attributes: Mapping[str, str]) -> None:
        """Handle the start of an element."""
        parent = self.elements[-1]
        if _PARENT.get(tag) != parent:
            where = f"inside <{parent}>" if parent else "as the first element"
            expected = "no element" if parent == CARD else "another element"
            raise DealError(
                f"not a saved game of KPatience: <{visible(tag)}> {where}: expected {expected}"
            )
        self.elements.append(tag)
        if self.current_read:
            return
        if tag == GAME:
            self._start_game(attributes)
        elif tag == STATE:
            if len(self.states) >= MAX_STATES:
                raise DealError(f"more than {MAX_STATES} states: not read")
            self.is_current = attributes.get("current") == "true"
        elif tag == MOVE:
            self.pile = attributes.get("pile", "")
            self.position = integer(attributes, "position")
            if self.pile not in self.piles:
                raise DealError(
                    f"{quote(self.pile)} is not a pile of Spider: expected a name like stack0"
                )
        else:
            self._move_card(attributes)

    def end(self, tag: str) -> None:
        """Handle the end of an element."""
        self.elements.pop()
        if tag == STATE and not self.current_read:
            self._remove_completed_runs()
            self.states.append(self._state())
            self.current_read = self.is_current

    def _start_game(self, attributes: Mapping[str, str]) -> None:
        game = attributes.get("game-type", "")
        if game != "spider":
            raise DealError(f"a saved game of {quote(game)}: expected a game of spider")
        options = attributes.get("game-type-options", "")
        if options not in map(str, SUITS_OF_MODE):
            raise DealError(
                f"game-type-options {quote(options)}: expected the number of suits, 1 to 4"
            )
        self.suits = int(options)
        number = integer(attributes, "deal-number")
        self.number = "" if number == NO_NUMBER else f"{SCHEME.name}:{number}"

    def _move_card(self, attributes: Mapping[str, str]) -> None:
        """Move the card of a <card> element from its old pile to the position of the <move>."""
        identity = attributes.get("id", "")
        self._identify(identity, attributes)
        if identity in self.pile_of:
            self.piles[self.pile_of[identity]].remove(identity)
        pile = self.piles[self.pile]
        if self.position > len(pile):
            raise DealError(
                f"position {self.position} of {self.pile}, which has {len(pile)} cards: expected"
                " no gap"
            )
        pile.insert(self.position, identity)
        self.pile_of[identity] = self.pile
        self.position += 1

    def _identify(self, identity: str, attributes: Mapping[str, str]) -> None:
        """Store the card of an id, and whether it is face down."""
        suit, rank = attributes.get("suit", ""), attributes.get("rank", "")
        if suit not in SUIT_NAMES or rank not in RANK_NAMES:
            raise DealError(
                f"{quote(f'{rank} of {suit}')} is not a card: expected words like ten, spades"
            )
        one_card = card(RANK_NAMES.index(rank) + 1, SUIT_NAMES.index(suit))
        if self.cards.setdefault(identity, one_card) != one_card:
            raise DealError(f"card {quote(identity)} is two different cards: expected another id")
        if len(self.cards) > MAX_CARDS:
            raise DealError(f"more than {MAX_CARDS} cards")
        turn = attributes.get("turn")
        if turn in (FACE_UP, FACE_DOWN):
            self.face_down[identity] = turn == FACE_DOWN
        elif turn is not None or identity not in self.face_down:
            raise DealError(f"turn {quote(turn or '')}: expected {FACE_UP} or {FACE_DOWN}")

    def _remove_completed_runs(self) -> None:
        """Move each completed run to the foundation, as KPatience does after the state."""
        for column in COLUMN_PILES:
            pile = self.piles[column]
            down = sum(self.face_down[identity] for identity in pile)
            free = next((run_pile for run_pile in RUN_PILES if not self.piles[run_pile]), None)
            if free is None or not ends_in_completed_run(self._cards_of(column), down):
                continue
            run = pile[-RUN_CARDS:]
            del pile[-RUN_CARDS:]
            self.piles[free] += run
            self.pile_of.update((identity, free) for identity in run)
            if pile:
                self.face_down[pile[-1]] = False

    def _state(self) -> DealParts:
        """Return the current places of the cards."""
        parts = DealParts(label=self.number, suits=self.suits)
        face_down = []
        for number, column in enumerate(COLUMN_PILES, 1):
            with in_part(f"column {number}: "):
                is_face_down = [self.face_down[identity] for identity in self.piles[column]]
                face_down.append(count_face_down(is_face_down))
        parts.face_down = face_down
        parts.columns = [self._cards_of(column) for column in COLUMN_PILES]
        parts.stock = [
            one_card for pile in ROW_PILES for one_card in reversed(self._cards_of(pile))
        ]
        for pile in ROW_PILES:
            if len(self.piles[pile]) not in (0, ROW_CARDS):
                parts.notes.append(f"{pile} has {len(self.piles[pile])} cards, not ten or none")
        parts.completed = suits_of_completed_runs(
            one_card for pile in RUN_PILES for one_card in self._cards_of(pile)
        )
        return parts

    def _cards_of(self, pile: str) -> list[int]:
        return [self.cards[identity] for identity in self.piles[pile]]
