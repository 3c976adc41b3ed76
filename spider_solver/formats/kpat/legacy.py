"""Read legacy saves of KPatience; the package's docstring describes the format."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from ...cards import ACE, CLUBS, DIAMONDS, HEARTS, KING, SPADES, card
from ...deal import COLUMNS, MAX_ROWS, ROW_CARDS, SETS
from ...errors import DealError, in_part
from ...numbering.kpat import SCHEME
from ...words import quote, visible
from ..parts import DealParts
from ..reading import MAX_CARDS, count_face_down, parse_suit_mode, suits_of_completed_runs
from .names import NO_NUMBER, integer

ROOT = "dealer"  # the root element
_PILE, _CARD = "pile", "card"
_PARENT = {ROOT: "", _PILE: ROOT, _CARD: _PILE}
_SPIDER = 17  # the id of the game
_SUITS = (CLUBS, DIAMONDS, HEARTS, SPADES)  # by the number in the file
# The indices of the piles.
_ROWS = range(1, 1 + MAX_ROWS)
_COLUMNS = range(_ROWS.stop, _ROWS.stop + COLUMNS)
_RUNS = range(_COLUMNS.stop, _COLUMNS.stop + SETS)


@dataclass(slots=True)
class LegacySave:
    """A legacy save that is being read. It has one state."""

    suits: int | None = None  # the suit mode; None if the file does not state it
    number: str = ""  # the deal's number with its scheme; empty if it has none
    elements: list[str] = field(default_factory=lambda: [""])  # the open elements, root first
    pile: int = 0  # the index of the open <pile>
    # The cards in each pile, and whether each is face up; bottom card first.
    cards: dict[int, list[tuple[int, bool]]] = field(
        default_factory=lambda: {index: [] for index in (*_ROWS, *_COLUMNS, *_RUNS)}
    )

    def start(self, tag: str, attributes: Mapping[str, str]) -> None:
        """Handle the start of an element."""
        parent = self.elements[-1]
        if _PARENT.get(tag) != parent:
            raise DealError(
                f"not a saved game of KPatience: <{visible(tag)}> inside <{parent}>: expected"
                f" {'no element' if parent == _CARD else 'another element'}"
            )
        self.elements.append(tag)
        if tag == ROOT:
            self._start_game(attributes)
        elif tag == _PILE:
            self.pile = integer(attributes, "index")
            if self.pile not in self.cards:
                raise DealError(
                    f"pile {self.pile}: expected one of Spider, {_ROWS.start} to {_RUNS.stop - 1}"
                )
        else:
            self._add_card(attributes)

    def end(self, tag: str) -> None:
        """Handle the end of an element."""
        self.elements.pop()

    @property
    def states(self) -> list[DealParts]:
        """The one state in the file. Its cards are not yet checked."""
        parts = DealParts(label=self.number, suits=self.suits)
        face_down = []
        for number, index in enumerate(_COLUMNS, 1):
            with in_part(f"column {number}: "):
                face_down.append(count_face_down([not up for _, up in self.cards[index]]))
        parts.face_down = face_down
        parts.columns = [self._cards_of(index) for index in _COLUMNS]
        parts.stock = [one_card for index in _ROWS for one_card in reversed(self._cards_of(index))]
        for index in _ROWS:
            if len(self.cards[index]) not in (0, ROW_CARDS):
                parts.notes.append(f"pile {index} has {len(self.cards[index])} cards, not ten")
        parts.completed = suits_of_completed_runs(
            one_card for index in _RUNS for one_card in self._cards_of(index)
        )
        return [parts]

    def _cards_of(self, index: int) -> list[int]:
        return [one_card for one_card, _ in self.cards[index]]

    def _start_game(self, attributes: Mapping[str, str]) -> None:
        game = integer(attributes, "id")
        if game != _SPIDER:
            raise DealError(
                f"a saved game of KPatience's game {game}: expected Spider, whose id is {_SPIDER}"
            )
        if "options" in attributes:
            with in_part("options: "):
                self.suits = parse_suit_mode(attributes["options"])
        number = integer(attributes, "number")
        self.number = "" if number == NO_NUMBER else f"{SCHEME.name}:{number}"

    def _add_card(self, attributes: Mapping[str, str]) -> None:
        suit, rank = integer(attributes, "suit"), integer(attributes, "value")
        if suit >= len(_SUITS) or not ACE <= rank <= KING:
            raise DealError(
                f"suit {suit}, value {rank} is not a card: expected a suit of 0 to 3 and a value of"
                f" {ACE} to {KING}"
            )
        face_up = attributes.get("faceup", "")
        if face_up not in ("0", "1"):
            raise DealError(f"faceup {quote(face_up)}: expected 0 or 1")
        if sum(map(len, self.cards.values())) >= MAX_CARDS:
            raise DealError(f"more than {MAX_CARDS} cards")
        self.cards[self.pile].append((card(rank, _SUITS[suit]), face_up == "1"))
