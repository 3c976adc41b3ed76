"""Scheme xpat2: Spider of xpat2 1.07, with four suits.

The program shows the number as "Seed is N". Its random numbers come from the subtractive generator
of D. Knuth, The Art of Computer Programming, volume 2, section 3.6, with the lags 55 and 24 in the
form of a table (compare ``ran3`` in Numerical Recipes). Unlike in most other programs, the columns
1, 4, 7 and 10 have six cards.
"""

from __future__ import annotations

from collections.abc import Iterator

from ..cards import CLUBS, DIAMONDS, HEARTS, SPADES
from ..deal import STANDARD_TABLEAU, RowRule
from .scheme import DealtCards, Scheme, two_decks_by_rank, whole_numbers

HEIGHTS = (6, 5, 5, 6, 5, 5, 6, 5, 5, 6)  # cards in each column
_MODULUS = 10**9
LARGEST = _MODULUS - 1
_SUITS = (CLUBS, SPADES, HEARTS, DIAMONDS)  # inside a rank
_SIZE = 55  # of the generator's table
_STEP = 21  # the table is filled in steps of this size
_SECOND_START = 24  # the slot from which the second index starts; the first one starts from 0
_DISCARDED = 165  # numbers that are drawn first and not used


def _numbers(seed: int) -> Iterator[int]:
    """Yield the numbers of the generator, 0 to ``LARGEST``, without those that are not used."""
    table = [0] * _SIZE
    table[0] = last = seed
    next_value = 1
    for i in range(1, _SIZE):
        slot = _STEP * i % _SIZE
        table[slot] = next_value
        next_value = (last - next_value) % _MODULUS
        last = table[slot]
    first, second, drawn = 0, _SECOND_START, 0
    while True:
        first, second = (first - 1) % _SIZE, (second - 1) % _SIZE
        table[first] = (table[first] - table[second]) % _MODULUS
        drawn += 1
        if drawn > _DISCARDED:
            yield table[first]


def _deal_cards(number: str, suits: int) -> DealtCards:
    pool = two_decks_by_rank(_SUITS)
    numbers = _numbers(int(number))
    # The quotient is rounded before it is multiplied, as in the original.
    drawn = [pool.pop(int(next(numbers) / _MODULUS * len(pool))) for _ in range(len(pool))]
    # The stock are the cards that were drawn first. The columns get the others, last card first.
    undealt = reversed(drawn)
    columns = [[next(undealt) for _ in range(height)] for height in HEIGHTS]
    return DealtCards(columns, drawn[:-STANDARD_TABLEAU])


SCHEME = Scheme(
    name="xpat2",
    title="xpat2",
    numbers=f"0 to {LARGEST}",
    suit_modes=(4,),
    game_rules=RowRule.STANDARD,
    example="xpat2:1",
    parse=whole_numbers("xpat2", 0, LARGEST),
    deal_cards=_deal_cards,
)
