"""Parsers of cards, runs, suit modes and rules that several formats use."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from ..cards import (
    ACE,
    KING,
    UNKNOWN,
    UNKNOWN_TEXT,
    card,
    card_text,
    parse_card,
    suit_of,
)
from ..deal import DECK, RowRule, full_suits
from ..errors import DealError, in_part
from ..words import alternatives, quote

MAX_CARDS = 1000  # longer lists are refused at once; in shorter ones all surplus cards are named
# Programs and people write these for a card that nobody has seen. The last one is the back of a
# card in the Unicode block of playing cards.
_UNKNOWN = {UNKNOWN_TEXT, "##", "XX", "xx", "░░", "--", "*", "[]", "\U0001f0a0"}


def read_card(text: str) -> int:
    """Return the card that a text stands for, which may be an unknown card.

    Raises DealError if it is not a card.
    """
    return UNKNOWN if text in _UNKNOWN else parse_card(text)


def read_cards(words: Sequence[str], first: int = 1) -> list[int]:
    """Return several cards.

    first: the number of the first card, for messages.

    Raises DealError, with the number of the card, if one is not a card.
    """
    if len(words) > MAX_CARDS:
        raise DealError(f"more than {MAX_CARDS} cards: a deal has {DECK}")
    cards = []
    for number, word in enumerate(words, first):
        with in_part(f"card {number}: "):
            cards.append(read_card(word))
    return cards


def count_face_down(is_face_down: Sequence[bool]) -> int:
    """Return how many cards of a column are face down.

    is_face_down: for each card of the column, from the bottom.

    Raises DealError if a face-down card lies on a face-up card.
    """
    down = sum(is_face_down)
    if not all(is_face_down[:down]):
        number = list(is_face_down).index(False) + 1
        raise DealError(
            f"card {number} is face up and a card on it is face down: expected the face-down cards"
            " at the bottom of the column"
        )
    return down


def count_hidden(cards: Sequence[int], is_face_down: Sequence[bool] = ()) -> int:
    """Return how many cards of a column are face down: those marked so, and unknown cards.

    cards: the column, from the bottom card.
    is_face_down: for each card, whether the file marks it as face down; empty if it marks none.

    Raises DealError as ``count_face_down`` does.
    """
    marked = is_face_down or [False] * len(cards)
    return count_face_down(
        [mark or one_card == UNKNOWN for mark, one_card in zip(marked, cards, strict=True)]
    )


def suits_of_completed_runs(cards: Iterable[int]) -> list[int]:
    """Return the suits of completed runs from the list of all their cards.

    Their order is that of the last cards of the runs in the list. Raises DealError if the cards
    are not complete runs, King to Ace.
    """
    suits: list[int] = []
    count: Counter[int] = Counter()
    for one_card in cards:
        suit = suit_of(one_card)
        count[one_card] += 1
        runs = suits.count(suit)
        if all(count[card(rank, suit)] > runs for rank in range(ACE, KING + 1)):
            suits.append(suit)
    if count != full_suits(suits):
        surplus = next(iter(count - full_suits(suits)))
        raise DealError(
            f"the completed runs have {card_text(surplus)}, but not all of its suit: expected King"
            " to Ace of each"
        )
    return suits


def parse_suit_mode(value: int | str) -> int:
    """Return the suit mode that a file states. Raises DealError if it is not 1, 2, 3 or 4."""
    text = str(value).strip()
    if text not in ("1", "2", "3", "4"):
        raise DealError(f"suits {quote(text)}: expected 1, 2, 3 or 4")
    return int(text)


def parse_rules(text: str) -> RowRule:
    """Return the rule for rows of a name. Raises DealError if there is none of that name."""
    try:
        return RowRule(text.strip().lower())
    except ValueError:
        raise DealError(f"rules {quote(text)}: expected {alternatives(RowRule)}") from None
