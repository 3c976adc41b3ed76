"""The suits of completed runs of which a file only states the number."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from itertools import permutations

from ..cards import ACE, SUIT_LETTERS, UNKNOWN, card, suit_of
from ..deal import DECK, RUN_CARDS, SETS, USUAL_SETS
from ..errors import DealError
from ..words import alternatives, counted

_USUAL_MODES = (1, 2, 4)


def suits_of_count(count: int, cards: Iterable[int], suits: int | None) -> list[int]:
    """Return the suits of a number of completed runs, so that the cards are the usual deck.

    cards: all cards that are not in completed runs.
    suits: the suit mode; None if it is not known.

    If a suit that is not among the cards must be chosen, the first one in the order of
    ``SUIT_LETTERS`` is. Raises DealError if no suits fit, if there are several possibilities, or if
    cards are unknown, except with one suit.
    """
    left = list(cards)
    if UNKNOWN in left:
        if suits == 1:
            return [min(map(suit_of, left))] * count
        raise DealError(
            f"{counted(count, 'completed run')} beside unknown cards: name the suits of the runs"
        )
    if not 0 <= count <= SETS or len(left) != DECK - count * RUN_CARDS:
        raise DealError(
            f"{counted(count, 'completed run')} and {counted(len(left), 'other card')}: expected"
            f" {DECK} cards in all"
        )
    found = Counter(left)
    sets_left = [found[card(ACE, suit)] for suit in range(len(SUIT_LETTERS))]
    possible: list[list[int]] = []
    for mode in _USUAL_MODES if suits is None else (suits,):
        possible += [runs for runs in _missing_sets(sets_left, mode) if runs not in possible]
    if not possible:
        raise DealError(
            f"{counted(count, 'completed run')}: the other cards are not part of the usual decks;"
            " name the suits of the completed runs"
        )
    if len(possible) > 1:
        texts = [" ".join(SUIT_LETTERS[suit] for suit in runs) for runs in possible]
        raise DealError(
            f"{counted(count, 'completed run')} may be {alternatives(texts)}: name their suits, or"
            " state the suit mode"
        )
    return possible[0]


def _missing_sets(sets_left: list[int], mode: int) -> list[list[int]]:
    """Return the suits of the sets that a deck of a suit mode has more than ``sets_left``.

    If suits that are not left are alike, only the first one in order is taken.
    """
    present = [suit for suit, count in enumerate(sets_left) if count]
    absent = [suit for suit, count in enumerate(sets_left) if not count]
    names = (present + absent)[:mode]
    if len(present) > mode:
        return []
    found: list[list[int]] = []
    for sizes in sorted(set(permutations(USUAL_SETS[mode])), reverse=True):
        missing = {suit: size - sets_left[suit] for suit, size in zip(names, sizes, strict=True)}
        runs = [suit for suit in sorted(missing) for _ in range(missing[suit])]
        if min(missing.values()) >= 0 and runs not in found:
            found.append(runs)
    return found
