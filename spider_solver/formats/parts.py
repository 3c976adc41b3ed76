"""The parts of a deal, as a format's reader finds them, and the checked Deal that they make."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from ..cards import UNKNOWN
from ..deal import Deal, RowRule
from ..errors import DealError
from ..numbering import deal_from_number, deal_of_name, number_of
from ..words import printable
from .completed import suits_of_count

MAX_LABEL = 200  # characters in the label of a deal


@dataclass(slots=True)
class DealParts:
    """The parts of a deal. A reader sets those that the file has."""

    columns: Sequence[Sequence[int]] = ()  # cards, each column from the bottom to the end card
    face_down: Sequence[int] = ()  # for each column: how many cards, from the bottom, are face down
    stock: Sequence[int] = ()  # cards in the order dealt
    completed: Sequence[int] = ()  # suits
    completed_count: int | None = None  # of a file that states only the number of completed runs
    label: str = ""  # a deal number or any text
    suits: int | None = None  # the suit mode that the file states; None if it states none
    rules: RowRule = RowRule.STANDARD
    # Faults that may explain a wrong number of cards, such as a row that is too short.
    notes: list[str] = field(default_factory=list)

    def to_deal(self) -> Deal:
        """Return the checked Deal, with its label as its name.

        Raises DealError if the cards cannot be a position of Spider, if there are notes, or if
        the deal is fresh and its label is the number of a deal with other cards.
        """
        name = clean_label(self.label)
        try:
            deal = Deal.make(
                self.columns,
                self.stock,
                self.face_down,
                self._completed(),
                rules=self.rules,
                name=name,
                suits=self.suits,
            )
        except DealError as error:
            raise DealError("; ".join((error.message, *self.notes))) from None
        if self.notes:
            raise DealError("; ".join(self.notes))
        return _with_checked_number(deal) if deal.fresh else deal

    def _completed(self) -> Sequence[int]:
        """Return the suits of the completed runs. Raises DealError if they are not certain."""
        if self.completed_count is None:
            return self.completed
        cards = (*self.stock, *(one_card for column in self.columns for one_card in column))
        return suits_of_count(self.completed_count, cards, self.suits)

    def to_numbered_deal(self) -> Deal:
        """Return the deal whose number is the label, for a file without columns.

        Raises DealError if there is no such deal.
        """
        try:
            return deal_from_number(self.label, self.suits or 4, self.rules)
        except DealError as error:
            raise DealError(f"no columns, and {error.message}") from None


def clean_label(label: str) -> str:
    """Return the label in the form that the formats text and json can hold.

    That is: one line, no ``#``, at most ``MAX_LABEL`` characters, all of them printable.
    """
    return printable(" ".join(label.split())).replace("#", "_")[:MAX_LABEL].rstrip()


def _with_checked_number(deal: Deal) -> Deal:
    """Return a fresh deal. If its name is a deal number, the result has the canonical number.

    Unknown cards stay unknown, although the number determines them. Raises DealError if the name
    is the number of another deal. A name that is not a deal number is kept.
    """
    numbered = deal_of_name(deal)
    if numbered is None:
        return deal
    if deal.unknown and _known_cards_agree(deal, numbered):
        return replace(deal, name=numbered.name)
    if number_of(deal) is None:
        raise DealError(
            f"the cards are not those of deal {numbered.name} (suits: {deal.suits}): correct the"
            " cards or leave out the number"
        )
    return numbered


def _known_cards_agree(deal: Deal, numbered: Deal) -> bool:
    """Return True if a fresh deal differs from another one only by unknown cards."""
    piles, others = (*deal.columns, deal.stock), (*numbered.columns, numbered.stock)
    return all(
        len(cards) == len(expected)
        and all(c in (e, UNKNOWN) for c, e in zip(cards, expected, strict=True))
        for cards, expected in zip(piles, others, strict=True)
    )
