"""Scheme kpat: KPatience's deal numbers, 1 to 2147483647, with one, two, three and four suits.

Source: KPatience's ``shuffle.h`` and ``spider.cpp``. The order of the shuffle does not depend on
the suit mode: with fewer suits, the same cards get other suits. KPatience replaces a number that
is out of range by the nearest one in range; here it is an error.
"""

from __future__ import annotations

from ..cards import CLUBS, DIAMONDS, HEARTS, SPADES
from ..deal import ROW_CARDS, STANDARD_TABLEAU, RowRule
from . import microsoft
from .scheme import DealtCards, Scheme, round_robin, shuffle, two_decks_by_rank, whole_numbers

SMALLEST, LARGEST = 1, 2**31 - 1
SUITS_OF_MODE = {
    4: (CLUBS, DIAMONDS, HEARTS, SPADES),
    3: (CLUBS, SPADES, HEARTS, SPADES),
    2: (HEARTS, SPADES, HEARTS, SPADES),
    1: (SPADES, SPADES, SPADES, SPADES),
}


def deck(suits: int) -> list[int]:
    """Return the 104 cards of a suit mode before the shuffle."""
    return two_decks_by_rank(SUITS_OF_MODE[suits])


def _deal_cards(number: str, suits: int) -> DealtCards:
    cards = deck(suits)
    states = microsoft.states(int(number))
    shuffle(cards, lambda bound: microsoft.rand_output(next(states)) % bound)
    cards.reverse()  # KPatience deals from the end
    stock: list[int] = []
    for start in range(STANDARD_TABLEAU, len(cards), ROW_CARDS):
        # Each row is a pile, which is dealt from its top.
        stock += reversed(cards[start : start + ROW_CARDS])
    return DealtCards(round_robin(cards), stock)


SCHEME = Scheme(
    name="kpat",
    title="KPatience",
    numbers=f"{SMALLEST} to {LARGEST}",
    suit_modes=(1, 2, 3, 4),
    game_rules=RowRule.RELAXED,
    example="kpat:12345",
    parse=whole_numbers("kpat", SMALLEST, LARGEST),
    deal_cards=_deal_cards,
    note="its own solver keeps to the standard rule",
)
