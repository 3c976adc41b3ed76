"""Saying which card is at the place of an unknown card, in a game in progress.

A recorded game of a deal with unknown cards tells them when they become face up. ``replay`` calls
``tell`` before it plays such an action. ``unknown`` calls ``learn`` to try different cards.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from .cards import UNKNOWN, card_text
from .deal import ROW_CARDS
from .errors import IllegalAction
from .game import Action, Outcome, Position, Row, UnknownCardRevealed
from .words import counted


class Place(NamedTuple):
    """The place of a card that is face down or in the stock."""

    column: int | None  # 0-9; None for the stock
    index: int  # type: ignore[assignment]  # in the column, from its bottom card, or in the stock


def tell(position: Position, action: Action, cards: Sequence[int]) -> None:
    """Write the cards that an action reveals into the position, before the action is played.

    cards: all cards that become face up, also those that were known: of a row its ten cards,
    column 1 first; then the cards that are turned, in the order of ``Outcome.turned``.

    Raises IllegalAction, with the position unchanged, if the action is illegal, if other cards
    are at these places, if a card is not among the unknown cards, or if the number is wrong.
    """
    reason = position.why_illegal(action)
    if reason is not None:
        raise IllegalAction(reason)
    places = _revealed_places(position, action, cards)
    told: list[tuple[Place, int]] = []  # the places that were unknown, and their cards
    for place, one_card in zip(places, cards, strict=True):
        known = _pile(position, place)[place.index]
        if known == UNKNOWN:
            told.append((place, one_card))
        elif known != one_card:
            raise IllegalAction(
                f"it tells {card_text(one_card)}, but that card is {card_text(known)}"
            )
    surplus = Counter(one_card for _, one_card in told) - Counter(position.unknown)
    if surplus:
        name = card_text(min(surplus))
        raise IllegalAction(f"it tells {name}, which is not one of the unknown cards that are left")
    for place, one_card in told:
        learn(position, place, one_card)


def learn(position: Position, place: Place, one_card: int) -> None:
    """Write the card that is at the place of an unknown card into the position.

    The card must be one of ``position.unknown``. It is no longer one of them.
    """
    _pile(position, place)[place.index] = one_card
    position.unknown.remove(one_card)


def unknown_places_in(position: Position, outcome: Outcome) -> list[Place]:
    """Return the places of the unknown cards that an action would deal or turn.

    outcome: of the action, from ``UnknownCardRevealed``. If the action deals unknown cards, only
    their places are returned: the runs that it completes, and the cards that it turns, may depend
    on them.
    """
    if isinstance(outcome.action, Row) and UNKNOWN in outcome.cards:
        return [Place(None, index) for index, c in enumerate(outcome.cards) if c == UNKNOWN]
    return [
        Place(turn.column, position.face_down[turn.column] - 1)
        for turn in outcome.turned
        if turn.card == UNKNOWN
    ]


def _pile(position: Position, place: Place) -> list[int]:
    """Return the column of a place, or the stock."""
    return position.stock if place.column is None else position.columns[place.column]


def _revealed_places(position: Position, action: Action, cards: Sequence[int]) -> list[Place]:
    """Return the place of each card that a legal action reveals.

    cards: as ``tell`` takes them. Those of a row decide which runs the row completes.

    Raises IllegalAction if the number of cards is not the number of places.
    """
    trial = Position(position.to_deal())
    places = []
    if isinstance(action, Row) and len(cards) >= ROW_CARDS:
        trial.stock[:ROW_CARDS] = cards[:ROW_CARDS]
        places = [Place(None, index) for index in range(ROW_CARDS)]
    try:
        outcome = trial.push(action)
    except UnknownCardRevealed as error:
        outcome = error.outcome
    if len(cards) != len(outcome.revealed):
        raise IllegalAction(
            f"it tells {counted(len(cards), 'card')}, but {len(outcome.revealed)} become face up"
        )
    return places + [
        Place(turn.column, position.face_down[turn.column] - 1) for turn in outcome.turned
    ]
