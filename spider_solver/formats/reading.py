"""Parsers of cards, runs, suit modes and rules that several formats use."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from ..cards import ACE, KING, card, card_text, parse_card, suit_of
from ..deal import DECK, RowRule, full_suits
from ..errors import DealError, in_part
from ..words import alternatives, quote

MAX_CARDS = 1000  # longer lists are refused at once; in shorter ones all surplus cards are named
_UNKNOWN = ("##", "XX", "xx", "??")  # other programs write these for a card that they do not show


def read_card(text: str) -> int:
    """Return the card that a text stands for.

    Raises DealError if it is not a card, or is an unknown card.
    """
    if text.strip("|<>") in _UNKNOWN:
        raise DealError(
            f"{quote(text)} is an unknown card: expected the name of every card, also of the"
            " face-down ones"
        )
    return parse_card(text)


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
