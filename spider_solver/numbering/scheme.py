"""What one numbering scheme offers, and the shuffling and dealing that several share."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from ..cards import ACE, KING, card
from ..deal import COLUMNS, STANDARD_TABLEAU, Deal, RowRule
from ..errors import DealError
from ..words import counted, quote
from .grammar import MAX_DIGITS

Layout = tuple[list[list[int]], list[int]]


@dataclass(frozen=True, slots=True)
class Scheme:
    """A program's way from a number to a deal.

    name: what stands before the colon. title: the program. numbers: the range, in words.
    suit_modes: the numbers of suits that it deals. game_rules: the rule for rows that the
    program's own game plays by; note: what else there is to say of that game.
    parse: number text to the number's canonical text; DealError if out of range. Where a
    range's both ends can be parsed, so can every number between them.
    layout: canonical text and suit mode to (columns, stock), stock in the order dealt.
    """

    name: str
    title: str
    numbers: str
    suit_modes: tuple[int, ...]
    game_rules: RowRule
    example: str
    parse: Callable[[str], str]
    layout: Callable[[str, int], Layout]
    note: str = ""

    def check_suits(self, suits: int) -> None:
        """DealError if there are no deals with that many suits."""
        if suits not in self.suit_modes:
            modes = ", ".join(map(str, self.suit_modes))
            raise DealError(
                f"{self.name} has no deals with {counted(suits, 'suit')}: expected {modes}"
            )

    def deal(self, number: str, suits: int, rules: RowRule) -> Deal:
        """The deal of a number, DealError if number or suit mode isn't offered."""
        canonical = self.parse(number)
        self.check_suits(suits)
        columns, stock = self.layout(canonical, suits)
        return Deal.make(columns, stock, rules=rules, name=f"{self.name}:{canonical}")


def whole_numbers(scheme: str, low: int, high: int) -> Callable[[str], str]:
    """The ``parse`` of a scheme whose numbers are those from low to high."""

    def parse(text: str) -> str:
        digits = text.strip()
        if not (digits.isascii() and digits.isdigit()) or len(digits) > MAX_DIGITS:
            raise DealError(f"{quote(text)} is no {scheme} deal number: expected {low} to {high}")
        if not low <= int(digits) <= high:
            raise DealError(
                f"{scheme} deal number {digits} is out of range: expected {low} to {high}"
            )
        return str(int(digits))

    return parse


def two_decks_by_suit(suits: Sequence[int]) -> list[int]:
    """Two decks one after the other, each Ace to King suit by suit."""
    return [card(rank, suit) for _ in range(2) for suit in suits for rank in range(ACE, KING + 1)]


def two_decks_by_rank(suits: Sequence[int]) -> list[int]:
    """Two decks one after the other, each with all its suits rank by rank, Aces first."""
    return [card(rank, suit) for _ in range(2) for rank in range(ACE, KING + 1) for suit in suits]


def shuffle(deck: list[int], below: Callable[[int], int]) -> None:
    """Shuffle in place as Fisher and Yates do, from the last card down.

    below: draws a number from 0 to its argument, exclusive.
    """
    for i in range(len(deck) - 1, 0, -1):
        j = below(i + 1)
        deck[i], deck[j] = deck[j], deck[i]


def round_robin(cards: Sequence[int], count: int = STANDARD_TABLEAU) -> list[list[int]]:
    """The first ``count`` cards dealt one by one to columns 1 to 10, over and over."""
    return [list(cards[column:count:COLUMNS]) for column in range(COLUMNS)]
