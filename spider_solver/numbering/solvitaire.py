"""Scheme solvitaire: the deals of ``solvitaire --type spider --random N``, with four suits.

The generator is a Mersenne Twister, seeded as C++'s ``std::mt19937`` (``init_genrand`` of
M. Matsumoto and T. Nishimura, 2002). A Fisher-Yates shuffle gets its random numbers as Boost's
``uniform_int`` does: the outputs are divided into buckets of equal size, and outputs beyond the
last bucket are skipped.
"""

from __future__ import annotations

import random
from collections.abc import Callable

from ..cards import CLUBS, DIAMONDS, HEARTS, SPADES
from ..deal import STANDARD_TABLEAU, RowRule
from .scheme import DealtCards, Scheme, round_robin, shuffle, two_decks_by_rank, whole_numbers

LARGEST = 2**32 - 1
_SUITS = (CLUBS, HEARTS, SPADES, DIAMONDS)
_STATE_WORDS = 624  # 32-bit words in the state of the Mersenne Twister
_STATE_VERSION = 3  # the version of a state that random.Random.setstate expects


def _twister(seed: int) -> random.Random:
    """Return the Mersenne Twister in the state after ``init_genrand(seed)``."""
    words = [seed]
    for i in range(1, _STATE_WORDS):
        words.append((1812433253 * (words[-1] ^ words[-1] >> 30) + i) & 0xFFFFFFFF)
    source = random.Random()
    source.setstate((_STATE_VERSION, (*words, _STATE_WORDS), None))
    return source


def _draws(seed: int) -> Callable[[int], int]:
    """Return the draws of Boost's ``uniform_int`` from the Mersenne Twister."""
    source = _twister(seed)

    def below(bound: int) -> int:
        bucket, rest = divmod(2**32 - 1, bound)
        if rest == bound - 1:
            bucket += 1
        while True:
            drawn = source.getrandbits(32) // bucket
            if drawn < bound:
                return drawn

    return below


def _deal_cards(number: str, suits: int) -> DealtCards:
    cards = two_decks_by_rank(_SUITS)
    shuffle(cards, _draws(int(number)))
    # Solvitaire takes cards from the end: first the stock, then the tableau. The last card that
    # it takes for the stock lies on top and is dealt first.
    stock = cards[STANDARD_TABLEAU:]
    return DealtCards(round_robin(cards[STANDARD_TABLEAU - 1 :: -1]), stock)


SCHEME = Scheme(
    name="solvitaire",
    title="Solvitaire --type spider",
    numbers=f"0 to {LARGEST}",
    suit_modes=(4,),
    game_rules=RowRule.RELAXED,
    example="solvitaire:17",
    parse=whole_numbers("solvitaire", 0, LARGEST),
    deal_cards=_deal_cards,
)
