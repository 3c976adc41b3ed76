"""What the readers of all formats share: from the parts of a layout to a checked Deal."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from ..cards import ACE, KING, card, card_text, parse_card, suit_of
from ..deal import DECK, Deal, RowRule, full_suits
from ..errors import DealError
from ..numbering import SCHEMES, deal_from_number, deal_of_name, number_of
from ..numbering.grammar import split_number
from ..words import quote
from .source import place, printable

MAX_CARDS = 1000  # enough to name what is too many, little enough to refuse a flood
MAX_LABEL = 200  # characters of a deal's label
_HIDDEN = ("##", "XX", "xx", "??")  # how programs write a card that they keep to themselves


@dataclass(slots=True)
class Layout:
    """The parts of a deal as a format's reader finds them.

    columns: bottom to end. face_down: for each column how many, from the bottom, are face
    down. stock: in the order dealt. completed: suits. label: ``scheme:number`` or any text.
    suits: the suit mode that the source states, if it does. notes: doubts about the layout
    that explain a failed check of the cards, such as a row that is too short.
    """

    columns: Sequence[Sequence[int]] = ()
    face_down: Sequence[int] = ()
    stock: Sequence[int] = ()
    completed: Sequence[int] = ()
    label: str = ""
    suits: int | None = None
    rules: RowRule = RowRule.STANDARD
    notes: list[str] = field(default_factory=list)

    def to_deal(self, name: str = "") -> Deal:
        """The checked Deal, called by its label, else by ``name``, the file's.

        Raises DealError if it can't be one, or if it is fresh and its label is the number
        of another deal.
        """
        label = clean_label(self.label)
        try:
            deal = Deal.make(
                self.columns,
                self.stock,
                self.face_down,
                self.completed,
                rules=self.rules,
                name=label or clean_label(name),
                suits=self.suits,
            )
        except DealError as error:
            raise DealError("; ".join((f"{place(name)}{error}", *self.notes))) from None
        if self.notes:
            raise DealError(place(name) + "; ".join(self.notes))
        if label and deal.fresh:
            return _held_to_number(deal, name)
        return deal

    def by_number(self, name: str = "", line: int | None = None) -> Deal:
        """The deal that the label numbers, for a source without columns.

        name, line: of the source, for the DealError if there is no such deal.
        """
        try:
            return deal_from_number(self.label, self.suits or 4, self.rules)
        except DealError as error:
            raise DealError(f"{place(name, line)}no columns, and {error}") from None


def _held_to_number(deal: Deal, name: str) -> Deal:
    """A fresh deal whose label, if it is a deal number, was found to be right."""
    numbered = deal_of_name(deal)
    if numbered is None:
        return deal  # any other label is free
    if number_of(deal) is None:
        raise DealError(
            f"{place(name)}the cards aren't those of deal {numbered.name} (suits: {deal.suits}):"
            " mend the cards or leave out its number"
        )
    return numbered


def read_card(text: str) -> int:
    """A card; DealError if it is none, or one that another program keeps hidden."""
    if text.strip("|<>") in _HIDDEN:
        raise DealError(
            f"{quote(text)} is a card whose face isn't told: expected every card by name, also"
            " those face down"
        )
    return parse_card(text)


def read_cards(words: Sequence[str], first: int = 1) -> list[int]:
    """Several cards; DealError says which of them is none, counted from ``first``."""
    if len(words) > MAX_CARDS:
        raise DealError(f"more than {MAX_CARDS} cards: a deal has {DECK}")
    cards = []
    for number, word in enumerate(words, first):
        try:
            cards.append(read_card(word))
        except DealError as error:
            raise DealError(f"card {number}: {error}") from None
    return cards


def count_face_down(hidden: Sequence[bool]) -> int:
    """How many of a column's cards are face down; DealError if one lies on a face-up card."""
    down = sum(hidden)
    if not all(hidden[:down]):
        number = list(hidden).index(False) + 1
        raise DealError(
            f"card {number} is face up and a card on it is face down: face-down cards are a"
            " column's lowest"
        )
    return down


def whole_runs(cards: Iterable[int]) -> list[int]:
    """The suits of completed runs, of which all cards are listed; DealError if one isn't whole.

    They are in the order in which their last cards are listed.
    """
    suits: list[int] = []
    count: Counter[int] = Counter()
    for one in cards:
        suit = suit_of(one)
        count[one] += 1
        runs = suits.count(suit)
        if all(count[card(rank, suit)] > runs for rank in range(ACE, KING + 1)):
            suits.append(suit)
    if count != full_suits(suits):
        odd = next(iter(count - full_suits(suits)))
        raise DealError(
            f"the completed runs have {card_text(odd)}, but not all of its suit: expected King to"
            " Ace of each"
        )
    return suits


def has_number(deal: Deal) -> bool:
    """Whether the deal is called by a number of a scheme, not by a label or a file's name."""
    parts = split_number(deal.name)
    return parts is not None and parts.scheme in SCHEMES


def omits_name_and_rules(deal: Deal) -> list[str]:
    """What of a deal a format doesn't hold that has no place for a number and for rules."""
    found = []
    if has_number(deal):
        found.append(f"the file doesn't hold the number {deal.name}")
    if deal.rules is RowRule.RELAXED:
        found.append("the file doesn't hold the rule for rows (relaxed)")
    return found


def clean_label(label: str) -> str:
    """The label as every format can hold it: one line, no ``#``, not too long."""
    return printable(" ".join(label.split())).replace("#", "_")[:MAX_LABEL].rstrip()


def parse_suits(value: int | str) -> int:
    """The suit mode, 1 to 4, that a source states; DealError if it is none."""
    text = str(value).strip()
    if text not in ("1", "2", "3", "4"):
        raise DealError(f"suits {quote(text)}: expected 1, 2, 3 or 4")
    return int(text)


def parse_rules(text: str) -> RowRule:
    """The rule for rows by its name; DealError if it is none."""
    try:
        return RowRule(text.strip().lower())
    except ValueError:
        raise DealError(f"rules {quote(text)}: expected {alternatives(RowRule)}") from None


def alternatives(names: Iterable[str]) -> str:
    """``a, b or c``, for messages that say what was expected."""
    *head, last = map(str, names)
    return f"{', '.join(head)} or {last}" if head else last
