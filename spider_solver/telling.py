"""Saying which cards an action turns or deals, where the deal has unknown cards there.

A recorded game of a deal with unknown cards tells them when they become face up. ``replay`` calls
``tell`` before it plays such an action.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from .cards import UNKNOWN, card_text
from .deal import ROW_CARDS
from .errors import IllegalAction
from .game import Action, Position, Row, UnknownCardRevealed
from .words import counted


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
    told: list[int] = []  # those that were unknown
    for (known_cards, index), one_card in zip(places, cards, strict=True):
        known = known_cards[index]
        if known == UNKNOWN:
            told.append(one_card)
        elif known != one_card:
            raise IllegalAction(
                f"it tells {card_text(one_card)}, but that card is {card_text(known)}"
            )
    surplus = Counter(told) - Counter(position.unknown)
    if surplus:
        name = card_text(min(surplus))
        raise IllegalAction(f"it tells {name}, which is not one of the unknown cards that are left")
    for (known_cards, index), one_card in zip(places, cards, strict=True):
        known_cards[index] = one_card
    position.unknown = sorted((Counter(position.unknown) - Counter(told)).elements())


def _revealed_places(
    position: Position, action: Action, cards: Sequence[int]
) -> list[tuple[list[int], int]]:
    """Return the place of each card that a legal action reveals: a list of cards and an index.

    cards: as ``tell`` takes them. Those of a row decide which runs the row completes.

    Raises IllegalAction if the number of cards is not the number of places.
    """
    trial = Position(position.to_deal())
    places = []
    if isinstance(action, Row) and len(cards) >= ROW_CARDS:
        trial.stock[:ROW_CARDS] = cards[:ROW_CARDS]
        places = [(position.stock, index) for index in range(ROW_CARDS)]
    try:
        outcome = trial.push(action)
    except UnknownCardRevealed as error:
        outcome = error.outcome
    if len(cards) != len(outcome.revealed):
        raise IllegalAction(
            f"it tells {counted(len(cards), 'card')}, but {len(outcome.revealed)} become face up"
        )
    return places + [
        (position.columns[turn.column], position.face_down[turn.column] - 1)
        for turn in outcome.turned
    ]
