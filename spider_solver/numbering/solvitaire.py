"""solvitaire: the deals of ``solvitaire --type spider --random N``, four suits.

A Mersenne Twister seeded as C++'s ``std::mt19937`` is (M. Matsumoto and T. Nishimura's
``init_genrand``, 2002), and a Fisher-Yates shuffle that draws as Boost's ``uniform_int``
does: the outputs in equal buckets, those beyond the last bucket skipped.
"""

from __future__ import annotations

import random
from collections.abc import Callable

from ..cards import CLUBS, DIAMONDS, HEARTS, SPADES
from ..deal import STANDARD_TABLEAU, RowRule
from .scheme import Layout, Scheme, round_robin, shuffle, two_decks_by_rank, whole_numbers

LARGEST = 2**32 - 1
_SUITS = (CLUBS, HEARTS, SPADES, DIAMONDS)
_WORDS = 624  # of the Mersenne Twister's state
_STATE_VERSION = 3  # of random.Random.setstate


def _twister(seed: int) -> random.Random:
    """The Mersenne Twister in the state that ``init_genrand(seed)`` leaves it in."""
    words = [seed]
    for i in range(1, _WORDS):
        words.append((1812433253 * (words[-1] ^ words[-1] >> 30) + i) & 0xFFFFFFFF)
    source = random.Random()
    source.setstate((_STATE_VERSION, (*words, _WORDS), None))
    return source


def _draw(seed: int) -> Callable[[int], int]:
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


def _layout(number: str, suits: int) -> Layout:
    cards = two_decks_by_rank(_SUITS)
    shuffle(cards, _draw(int(number)))
    stock = cards[STANDARD_TABLEAU:]  # put down from the end, so its last card lies on top
    return round_robin(cards[STANDARD_TABLEAU - 1 :: -1]), stock


SCHEME = Scheme(
    name="solvitaire",
    title="Solvitaire --type spider",
    numbers=f"0 to {LARGEST}",
    suit_modes=(4,),
    game_rules=RowRule.RELAXED,
    example="solvitaire:17",
    parse=whole_numbers("solvitaire", 0, LARGEST),
    layout=_layout,
)
