"""native: this program's own numbering, 0 to 2^64-1, for one, two and four suits.

SplitMix64 (Steele, Lea, Flood, "Fast splittable pseudorandom number generators", OOPSLA
2014) seeded with the number, drawn without bias, and a Fisher-Yates shuffle. Consecutive
numbers give statistically independent deals, so win rates are best estimated on these.
"""

from __future__ import annotations

from ..cards import CLUBS, DIAMONDS, HEARTS, SPADES
from ..deal import STANDARD_TABLEAU, RowRule
from .scheme import Layout, Scheme, round_robin, shuffle, two_decks_by_suit, whole_numbers

LARGEST = 2**64 - 1
_MASK = 2**64 - 1
_SUITS_OF_MODE = {
    4: (SPADES, HEARTS, DIAMONDS, CLUBS),
    2: (SPADES, HEARTS, HEARTS, SPADES),
    1: (SPADES, SPADES, SPADES, SPADES),
}


class SplitMix64:
    """The generator, with draws free of bias."""

    def __init__(self, seed: int) -> None:
        self.state = seed & _MASK

    def next(self) -> int:
        """The next 64-bit output."""
        self.state = (self.state + 0x9E3779B97F4A7C15) & _MASK
        z = self.state
        z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 & _MASK
        z = (z ^ z >> 27) * 0x94D049BB133111EB & _MASK
        return z ^ z >> 31

    def below(self, bound: int) -> int:
        """A number from 0 to bound-1: outputs in the incomplete last interval are skipped."""
        limit = 2**64 - 2**64 % bound
        while True:
            output = self.next()
            if output < limit:
                return output % bound


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
