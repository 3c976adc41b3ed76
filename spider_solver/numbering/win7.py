"""Scheme win7: Spider of Windows Vista and Windows 7, with four suits.

The number is ``GameSeed`` in a saved game. The way of dealing was derived from saved games. For
one and two suits it is not known, so the scheme has no such deals. Spider of Windows XP and the
Microsoft Solitaire Collection deal in other ways.
"""

from __future__ import annotations

from ..cards import ACE, CLUBS, DIAMONDS, HEARTS, KING, SPADES, card
from ..deal import STANDARD_TABLEAU, RowRule
from . import microsoft
from .scheme import DealtCards, Scheme, round_robin, whole_numbers

LARGEST = 2**32 - 1
_SUITS = (HEARTS, SPADES, DIAMONDS, CLUBS)
_RANKS = (ACE, *range(KING, ACE, -1))


def _deal_cards(number: str, suits: int) -> DealtCards:
    pool = [card(rank, suit) for _ in range(2) for suit in _SUITS for rank in _RANKS]
    states = microsoft.states(int(number))
    cards = []
    while pool:
        cards.append(pool.pop(microsoft.rand_output(next(states)) % len(pool)))
    cards.reverse()  # Windows deals from the end
    return DealtCards(round_robin(cards), cards[STANDARD_TABLEAU:])


SCHEME = Scheme(
    name="win7",
    title="Windows Vista/7 Spider",
    numbers=f"0 to {LARGEST}",
    suit_modes=(4,),
    game_rules=RowRule.STANDARD,
    example="win7:8115",
    parse=whole_numbers("win7", 0, LARGEST),
    deal_cards=_deal_cards,
)
