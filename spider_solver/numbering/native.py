"""native: this program's own numbering, 0 to 2^64-1, for one, two and four suits.

SplitMix64 (Steele, Lea, Flood, "Fast splittable pseudorandom number generators", OOPSLA
2014) seeded with the number, drawn without bias, and a Fisher-Yates shuffle. Consecutive
numbers give statistically independent deals, so win rates are best estimated on these.
"""

from __future__ import annotations

from ..cards import CLUBS, DIAMONDS, HEARTS, SPADES
from ..deal import STANDARD_TABLEAU, RowRule
from .scheme import Layout, Scheme, round_robin, shuffle, two_decks_by_suit, whole_numbers
from .splitmix import SplitMix64

LARGEST = 2**64 - 1
_SUITS_OF_MODE = {
    4: (SPADES, HEARTS, DIAMONDS, CLUBS),
    2: (SPADES, HEARTS, HEARTS, SPADES),
    1: (SPADES, SPADES, SPADES, SPADES),
}


def _layout(number: str, suits: int) -> Layout:
    deck = two_decks_by_suit(_SUITS_OF_MODE[suits])
    shuffle(deck, SplitMix64(int(number)).below)
    return round_robin(deck), deck[STANDARD_TABLEAU:]


SCHEME = Scheme(
    name="native",
    title="this program's own",
    numbers="0 to 2^64-1",
    suit_modes=(1, 2, 4),
    game_rules=RowRule.STANDARD,
    example="native:1",
    parse=whole_numbers("native", 0, LARGEST),
    layout=_layout,
)
