"""kpat: KPatience's deal numbers, 1 to 2147483647, for one, two, three and four suits.

As KPatience's ``shuffle.h`` and ``spider.cpp`` deal them. The order of the shuffle doesn't
depend on the suit mode: with fewer suits the same cards get other suits. KPatience takes
numbers out of range as the nearest one in it; here they are refused.
"""

from __future__ import annotations

from ..cards import CLUBS, DIAMONDS, HEARTS, SPADES
from ..deal import ROW_CARDS, STANDARD_TABLEAU, RowRule
from . import microsoft
from .scheme import Layout, Scheme, round_robin, shuffle, two_decks_by_rank, whole_numbers

SMALLEST, LARGEST = 1, 2**31 - 1
SUITS_OF_MODE = {
    4: (CLUBS, DIAMONDS, HEARTS, SPADES),
    3: (CLUBS, SPADES, HEARTS, SPADES),
    2: (HEARTS, SPADES, HEARTS, SPADES),
    1: (SPADES, SPADES, SPADES, SPADES),
}


def deck(suits: int) -> list[int]:
    """The 104 cards of a suit mode before the shuffle."""
    return two_decks_by_rank(SUITS_OF_MODE[suits])


def _layout(number: str, suits: int) -> Layout:
    cards = deck(suits)
    states = microsoft.states(int(number))
    shuffle(cards, lambda bound: microsoft.drawn(next(states)) % bound)
    cards.reverse()  # dealt from the end
    stock: list[int] = []
    for start in range(STANDARD_TABLEAU, len(cards), ROW_CARDS):
        stock += reversed(
            cards[start : start + ROW_CARDS]
        )  # each row is a pile, dealt from its top
    return round_robin(cards), stock


SCHEME = Scheme(
    name="kpat",
    title="KPatience",
    numbers=f"{SMALLEST} to {LARGEST}",
    suit_modes=(1, 2, 3, 4),
    game_rules=RowRule.RELAXED,
    example="kpat:12345",
    parse=whole_numbers("kpat", SMALLEST, LARGEST),
    layout=_layout,
    note="its own solver keeps to the standard rule",
)
