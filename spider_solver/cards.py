"""Cards: codes, ranks, suits, and their text both ways.

A card is an ``int``: ``suit << 4 | rank``. Ranks run from 1 (Ace) to 13 (King), suits
are 0 spades, 1 hearts, 2 diamonds, 3 clubs. Two copies of a card are the same ``int``.
"""

from __future__ import annotations

from .errors import DealError

SUITS = "SHDC"
SUIT_SIGNS = "♠♥♦♣"
RANKS = "A23456789TJQK"
ACE, KING = 1, 13
SPADES, HEARTS, DIAMONDS, CLUBS = range(4)
SUIT_NAMES = ("spades", "hearts", "diamonds", "clubs")
RANK_NAMES = (
    *("ace", "two", "three", "four", "five", "six", "seven"),
    *("eight", "nine", "ten", "jack", "queen", "king"),
)

_SUIT_OF_TEXT = {
    **{letter: suit for suit, letter in enumerate(SUITS)},
    **{letter.lower(): suit for suit, letter in enumerate(SUITS)},
    **{sign: suit for suit, sign in enumerate(SUIT_SIGNS)},
    **{sign: suit for suit, sign in enumerate("♤♡♢♧")},
}
_RANK_OF_TEXT = {
    **{letter: rank for rank, letter in enumerate(RANKS, 1)},
    **{letter.lower(): rank for rank, letter in enumerate(RANKS, 1)},
    "10": 10,
}
_EMOJI_SELECTORS = "\ufe0e\ufe0f"
_CARD_BLOCK = 0x1F0A0  # Unicode playing cards: four rows of sixteen, spades first
_CARD_BLOCK_RANKS = {**{i: i for i in range(1, 12)}, 13: 12, 14: 13}  # 12 is the Knight


def card(rank: int, suit: int) -> int:
    """The card of a rank (1 to 13) and a suit (0 to 3)."""
    return suit << 4 | rank


def rank_of(card: int) -> int:
    """1 (Ace) to 13 (King)."""
    return card & 15


def suit_of(card: int) -> int:
    """0 spades, 1 hearts, 2 diamonds, 3 clubs."""
    return card >> 4


def is_red(card: int) -> bool:
    """True for hearts and diamonds."""
    return suit_of(card) in (HEARTS, DIAMONDS)


def card_text(card: int) -> str:
    """``TS``: rank and suit letter, as every file that this program writes has it."""
    return RANKS[rank_of(card) - 1] + SUITS[suit_of(card)]


def card_sign(card: int) -> str:
    """``T♠``: rank and suit sign, for people."""
    return RANKS[rank_of(card) - 1] + SUIT_SIGNS[suit_of(card)]


def card_name(card: int) -> str:
    """``ten of spades``, for error messages and screen readers."""
    return f"{RANK_NAMES[rank_of(card) - 1]} of {SUIT_NAMES[suit_of(card)]}"


def parse_suit(text: str) -> int:
    """A suit from its letter or sign; DealError if it is none."""
    suit = _SUIT_OF_TEXT.get(text.rstrip(_EMOJI_SELECTORS))
    if suit is None:
        raise DealError(f"{text[:20]!r} is no suit: expected one of S H D C")
    return suit


def parse_card(text: str) -> int:
    """A card from ``TS``, ``10S``, ``ts``, ``T♠``, ``T♤`` or one playing-card character.

    A bare ``1`` is never read as ten or as an Ace. Raises DealError.
    """
    if len(text) == 1 and 0 < ord(text) - _CARD_BLOCK < 64:
        row, place = divmod(ord(text) - _CARD_BLOCK, 16)
        if place in _CARD_BLOCK_RANKS:
            return card(_CARD_BLOCK_RANKS[place], row)
    plain = text.rstrip(_EMOJI_SELECTORS)
    rank, suit = _RANK_OF_TEXT.get(plain[:-1]), _SUIT_OF_TEXT.get(plain[-1:])
    if rank is None or suit is None:
        raise DealError(
            f"{text[:20]!r} is no card: expected a rank of A 2-9 T J Q K and a suit of S H D C,"
            " like TS"
        )
    return card(rank, suit)
