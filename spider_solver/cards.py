"""Cards as integers, and their text form in both directions.

A card is an ``int``: ``suit << 4 | rank``. Ranks run from 1 (Ace) to 13 (King). Suits are
0 spades, 1 hearts, 2 diamonds, 3 clubs. The two copies of a card have the same ``int``, because
the program does not distinguish them. ``UNKNOWN`` stands for a card that nobody has seen.
"""

from __future__ import annotations

from .errors import DealError
from .words import quote

SUIT_LETTERS = "SHDC"
SUIT_SIGNS = "♠♥♦♣"
RANK_LETTERS = "A23456789TJQK"
ACE, KING = 1, 13
SPADES, HEARTS, DIAMONDS, CLUBS = range(4)
# An unknown card. Its suit is none of the four, and its rank is 0, so it fits onto no card.
UNKNOWN = 4 << 4
UNKNOWN_TEXT = "??"
SUIT_NAMES = ("spades", "hearts", "diamonds", "clubs")
RANK_NAMES = (
    *("ace", "two", "three", "four", "five", "six", "seven"),
    *("eight", "nine", "ten", "jack", "queen", "king"),
)

_SUIT_OF_TEXT = {
    **{letter: suit for suit, letter in enumerate(SUIT_LETTERS)},
    **{letter.lower(): suit for suit, letter in enumerate(SUIT_LETTERS)},
    **{sign: suit for suit, sign in enumerate(SUIT_SIGNS)},
    **{sign: suit for suit, sign in enumerate("♤♡♢♧")},
}
_RANK_OF_TEXT = {
    **{letter: rank for rank, letter in enumerate(RANK_LETTERS, 1)},
    **{letter.lower(): rank for rank, letter in enumerate(RANK_LETTERS, 1)},
    "10": 10,
    "0": 10,
}
_EMOJI_SELECTORS = "\ufe0e\ufe0f"  # these may follow a suit sign
# The Unicode block of playing cards has four groups of sixteen characters: spades first, then
# hearts, diamonds and clubs. In each group 1 is the Ace, 12 is a Knight, 13 the Queen, 14 the King.
_CARD_BLOCK = 0x1F0A0
_CARD_BLOCK_SIZE = 64
_CARD_BLOCK_RANKS = {**{i: i for i in range(1, 12)}, 13: 12, 14: 13}


def card(rank: int, suit: int) -> int:
    """Return the card of a rank (1 to 13) and a suit (0 to 3)."""
    return suit << 4 | rank


def rank_of(card: int) -> int:
    """Return the rank of a card: 1 (Ace) to 13 (King)."""
    return card & 15


def suit_of(card: int) -> int:
    """Return the suit of a card: 0 spades, 1 hearts, 2 diamonds, 3 clubs."""
    return card >> 4


def is_red(card: int) -> bool:
    """Return True for hearts and diamonds."""
    return suit_of(card) in (HEARTS, DIAMONDS)


def card_text(card: int) -> str:
    """Return rank and suit letter, such as ``TS``; ``??`` for an unknown card.

    All files of this program use this form.
    """
    if card == UNKNOWN:
        return UNKNOWN_TEXT
    return RANK_LETTERS[rank_of(card) - 1] + SUIT_LETTERS[suit_of(card)]


def card_sign(card: int) -> str:
    """Return rank and suit sign, such as ``T♠``, for display; ``??`` for an unknown card."""
    if card == UNKNOWN:
        return UNKNOWN_TEXT
    return RANK_LETTERS[rank_of(card) - 1] + SUIT_SIGNS[suit_of(card)]


def card_name(card: int) -> str:
    """Return a name such as ``ten of spades``, for error messages and screen readers."""
    if card == UNKNOWN:
        return "unknown card"
    return f"{RANK_NAMES[rank_of(card) - 1]} of {SUIT_NAMES[suit_of(card)]}"


def parse_suit(text: str) -> int:
    """Return the suit that a letter or sign stands for.

    Raises DealError if the text is not a suit.
    """
    suit = _SUIT_OF_TEXT.get(text.rstrip(_EMOJI_SELECTORS))
    if suit is None:
        raise DealError(f"{quote(text)} is not a suit: expected one of S H D C")
    return suit


def parse_card(text: str) -> int:
    """Return the card that a text stands for.

    The text may be ``TS``, ``10S``, ``0S``, ``ts``, ``T♠``, ``T♤`` or one Unicode playing card
    character. The suit may come first: ``♠10``. A bare ``1`` is an error: it could be a ten or an
    Ace.
    Raises DealError if the text is not a card.
    """
    if len(text) == 1 and 0 < ord(text) - _CARD_BLOCK < _CARD_BLOCK_SIZE:
        suit_in_block, rank_in_block = divmod(ord(text) - _CARD_BLOCK, 16)
        if rank_in_block in _CARD_BLOCK_RANKS:
            return card(_CARD_BLOCK_RANKS[rank_in_block], suit_in_block)
    bare = text.rstrip(_EMOJI_SELECTORS)
    rank, suit = _RANK_OF_TEXT.get(bare[:-1]), _SUIT_OF_TEXT.get(bare[-1:])
    if rank is None or suit is None:  # the suit may come first; no letter is a rank and a suit
        suit, rank = (
            _SUIT_OF_TEXT.get(bare[:1]),
            _RANK_OF_TEXT.get(bare[1:].lstrip(_EMOJI_SELECTORS)),
        )
    if rank is None or suit is None:
        raise DealError(
            f"{quote(text)} is not a card: expected a rank of A 2-9 T J Q K and a suit of"
            " S H D C, like TS"
        )
    return card(rank, suit)
