"""The interface of a numbering scheme, and functions to shuffle and deal for several schemes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from ..cards import ACE, KING, card
from ..deal import COLUMNS, STANDARD_TABLEAU, Deal, RowRule
from ..errors import DealError
from ..words import counted, quote
from .grammar import MAX_DIGITS


class DealtCards(NamedTuple):
    """The 104 cards of a fresh deal. Schemes may deal columns of different heights."""

    columns: list[list[int]]  # ten columns, each from the bottom card to the end card
    stock: list[int]  # the other cards in the order dealt


@dataclass(frozen=True, slots=True)
class Scheme:
    """How a program makes a deal from a number. Each scheme's module has one as ``SCHEME``."""

    name: str  # the text before the colon of a deal number
    title: str  # the program
    numbers: str  # the range of numbers, in words
    suit_modes: tuple[int, ...]  # the suit modes in which it has deals
    game_rules: RowRule  # the rule for rows in the program's own game
    example: str  # a canonical deal number of this scheme
    # Returns the canonical form (see ``grammar``) of a number in a text. Raises DealError if the
    # text is not a number of this scheme. All numbers between two numbers with the same prefix
    # must be numbers of the scheme.
    parse: Callable[[str], str]
    deal_cards: Callable[[str, int], DealtCards]  # from a canonical number and a suit mode
    note: str = ""  # more about the program's own game

    def check_suits(self, suits: int) -> None:
        """Raise DealError if there are no deals with that many suits."""
        if suits not in self.suit_modes:
            modes = ", ".join(map(str, self.suit_modes))
            raise DealError(
                f"{self.name} has no deals with {counted(suits, 'suit')}: expected {modes}"
            )

    def deal(self, number: str, suits: int, rules: RowRule) -> Deal:
        """Return the deal of a number, in any form that ``parse`` reads.

        Raises DealError if the scheme has no such number or suit mode.
        """
        canonical = self.parse(number)
        self.check_suits(suits)
        columns, stock = self.deal_cards(canonical, suits)
        return Deal.make(columns, stock, rules=rules, name=f"{self.name}:{canonical}")


def whole_numbers(scheme: str, low: int, high: int) -> Callable[[str], str]:
    """Return the ``parse`` of a scheme whose numbers are the whole numbers from low to high."""

    def parse(text: str) -> str:
        digits = text.strip()
        if not (digits.isascii() and digits.isdigit()) or len(digits) > MAX_DIGITS:
            raise DealError(
                f"{quote(text)} is not a {scheme} deal number: expected {low} to {high}"
            )
        if not low <= int(digits) <= high:
            raise DealError(
                f"{scheme} deal number {digits} is out of range: expected {low} to {high}"
            )
        return str(int(digits))

    return parse


def two_decks_by_suit(suits: Sequence[int]) -> list[int]:
    """Return two decks, one after the other, each suit by suit and Ace to King in a suit."""
    return [card(rank, suit) for _ in range(2) for suit in suits for rank in range(ACE, KING + 1)]


def two_decks_by_rank(suits: Sequence[int]) -> list[int]:
    """Return two decks, one after the other, each rank by rank from the Aces up."""
    return [card(rank, suit) for _ in range(2) for rank in range(ACE, KING + 1) for suit in suits]


def shuffle(deck: list[int], below: Callable[[int], int]) -> None:
    """Shuffle the deck in place: a Fisher-Yates shuffle from the last card down.

    below: draws a number from 0 to its argument, exclusive.
    """
    for i in range(len(deck) - 1, 0, -1):
        j = below(i + 1)
        deck[i], deck[j] = deck[j], deck[i]


def round_robin(cards: Sequence[int], count: int = STANDARD_TABLEAU) -> list[list[int]]:
    """Return ten columns that get the first ``count`` cards in turn, one card at a time."""
    return [list(cards[column:count:COLUMNS]) for column in range(COLUMNS)]
