"""win7: Windows Vista's and Windows 7's Spider, four suits; ``GameSeed`` in its save file.

Found from saved games; how the one- and two-suit games are dealt isn't known, so they
aren't offered. Windows XP's Spider and the Microsoft Solitaire Collection deal otherwise.
"""

from __future__ import annotations

from ..cards import ACE, CLUBS, DIAMONDS, HEARTS, KING, SPADES, card
from ..deal import STANDARD_TABLEAU, RowRule
from . import microsoft
from .scheme import Layout, Scheme, round_robin, whole_numbers

LARGEST = 2**32 - 1
_SUITS = (HEARTS, SPADES, DIAMONDS, CLUBS)
_RANKS = (ACE, *range(KING, ACE, -1))


def _layout(number: str, suits: int) -> Layout:
    pool = [card(rank, suit) for _ in range(2) for suit in _SUITS for rank in _RANKS]
    states = microsoft.states(int(number))
    cards = []
    while pool:
        cards.append(pool.pop(microsoft.drawn(next(states)) % len(pool)))
    cards.reverse()  # dealt from the end
    return round_robin(cards), cards[STANDARD_TABLEAU:]


SCHEME = Scheme(
    name="win7",
    title="Windows Vista/7 Spider",
    numbers=f"0 to {LARGEST}",
    suit_modes=(4,),
    game_rules=RowRule.STANDARD,
    example="win7:8115",
    parse=whole_numbers("win7", 0, LARGEST),
    layout=_layout,
)
