"""Scheme native: this program's own deal numbers, 0 to 2^64-1, with one, two and four suits.

The number is the seed of SplitMix64, which gives unbiased random numbers for a Fisher-Yates
shuffle. Consecutive numbers give statistically independent deals. So these numbers are the best
choice for estimating win rates.
"""

from __future__ import annotations

from ..cards import CLUBS, DIAMONDS, HEARTS, SPADES
from ..deal import STANDARD_TABLEAU, RowRule
from .scheme import DealtCards, Scheme, round_robin, shuffle, two_decks_by_suit, whole_numbers
from .splitmix import SplitMix64

LARGEST = 2**64 - 1
_SUITS_OF_MODE = {
    4: (SPADES, HEARTS, DIAMONDS, CLUBS),
    2: (SPADES, HEARTS, HEARTS, SPADES),
    1: (SPADES, SPADES, SPADES, SPADES),
}


def _deal_cards(number: str, suits: int) -> DealtCards:
    deck = two_decks_by_suit(_SUITS_OF_MODE[suits])
    shuffle(deck, SplitMix64(int(number)).below)
    return DealtCards(round_robin(deck), deck[STANDARD_TABLEAU:])


SCHEME = Scheme(
    name="native",
    title="this program's own",
    numbers="0 to 2^64-1",
    suit_modes=(1, 2, 4),
    game_rules=RowRule.STANDARD,
    example="native:1",
    parse=whole_numbers("native", 0, LARGEST),
    deal_cards=_deal_cards,
)
