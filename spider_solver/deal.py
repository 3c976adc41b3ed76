"""Deal: columns, stock, suit mode and where they came from, with a complete check of the cards.

A Deal is immutable. It is either fresh (as dealt: ``Deal.fresh``) or the layout of a
position in mid-game; game.Position plays on from it. Columns are 0-9 in code and 1-10 in
everything shown; each is listed from its bottom card to its end card.
"""

from __future__ import annotations

import enum
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import product

from .cards import ACE, KING, SUITS, card, card_name, card_text, rank_of, suit_of
from .errors import DealError

COLUMNS = 10
ROW_CARDS = 10  # dealt at once, one a column
SETS = 8  # King-to-Ace sets in two decks
DECK = 104
MAX_ROWS = 5
STANDARD_HEIGHTS = (6, 6, 6, 6, 5, 5, 5, 5, 5, 5)
STANDARD_TABLEAU = sum(STANDARD_HEIGHTS)

_CARDS = frozenset(card(rank, suit) for suit in range(len(SUITS)) for rank in range(ACE, KING + 1))

Columns = tuple[tuple[int, ...], ...]


class RowRule(enum.StrEnum):
    """Whether a row may be dealt while a column is empty: only when relaxed."""

    STANDARD = "standard"
    RELAXED = "relaxed"


@dataclass(frozen=True, slots=True)
class Deal:
    """104 cards in their places.

    columns: ten tuples of cards, bottom to end.
    face_down: for each column, how many of its cards, from the bottom, are face down.
    stock: the undealt cards in the order dealt; ten a row, to columns 1 to 10.
    completed: the suits of the completed runs, in the order completed.
    rules: the rule for rows. name: ``scheme:number``, a file's name, or empty.

    Use ``Deal.make`` to build one: it checks every card and raises DealError.
    """

    columns: Columns
    face_down: tuple[int, ...]
    stock: tuple[int, ...]
    completed: tuple[int, ...] = ()
    rules: RowRule = RowRule.STANDARD
    name: str = ""

    @classmethod
    def make(
        cls,
        columns: Iterable[Iterable[int]],
        stock: Iterable[int],
        face_down: Iterable[int] | None = None,
        completed: Iterable[int] = (),
        *,
        rules: RowRule = RowRule.STANDARD,
        name: str = "",
        suits: int | None = None,
    ) -> Deal:
        """A checked Deal; without ``face_down`` all but the end card of each column are."""
        tableau = tuple(tuple(column) for column in columns)
        if face_down is None:
            face_down = (max(len(column) - 1, 0) for column in tableau)
        deal = cls(tableau, tuple(face_down), tuple(stock), tuple(completed), rules, name)
        deal.check(suits)
        return deal

    @property
    def suits(self) -> int:
        """How many different suits are in the deal: the suit mode."""
        cards = (*self.stock, *(c for column in self.columns for c in column))
        return len({*map(suit_of, cards), *self.completed})

    @property
    def fresh(self) -> bool:
        """True if nothing was played yet: all rows in the stock, only end cards face up."""
        return (
            len(self.stock) == MAX_ROWS * ROW_CARDS
            and not self.completed
            and all(
                down == len(column) - 1
                for column, down in zip(self.columns, self.face_down, strict=True)
            )
        )

    def with_rules(self, rules: RowRule) -> Deal:
        """The same cards under the given rule for rows."""
        return replace(self, rules=rules)

    def check(self, suits: int | None = None) -> None:
        """Raise DealError, naming each thing wrong, unless this can be a position of Spider.

        suits: the suit mode that the source states, if it does.
        """
        if len(self.columns) != COLUMNS:
            raise DealError(f"{len(self.columns)} columns where a deal has {COLUMNS}")
        if len(self.face_down) != COLUMNS:
            raise DealError(f"{len(self.face_down)} face-down counts where {COLUMNS} belong")
        if len(self.completed) > SETS:
            raise DealError(f"{len(self.completed)} completed runs where at most {SETS} can be")
        _check_cards(self.columns, self.stock, self.completed, suits)
        if len(self.stock) % ROW_CARDS or len(self.stock) > MAX_ROWS * ROW_CARDS:
            raise DealError(
                f"{len(self.stock)} cards in the stock: expected rows of ten, at most {MAX_ROWS}"
            )
        for number, (column, down) in enumerate(zip(self.columns, self.face_down, strict=True), 1):
            if not 0 <= down <= max(len(column) - 1, 0):
                raise DealError(
                    f"column {number} has {len(column)} cards and {down} of them face down:"
                    " its end card must be face up"
                )
            for end in range(len(column), down + KING - 1, -1):
                if ends_in_full_run(column[:end], down):
                    raise DealError(
                        f"column {number} {'ends in' if end == len(column) else 'holds'} a whole"
                        f" run of {SUITS[suit_of(column[end - 1])]}, King to Ace: it leaves at"
                        " once, so count it as completed"
                    )


def ends_in_full_run(column: Sequence[int], face_down: int) -> bool:
    """True if the last thirteen cards are face up, of one suit, King down to Ace."""
    if len(column) - face_down < KING or rank_of(column[-1]) != ACE:
        return False
    suit = suit_of(column[-1])
    return all(column[-rank] == card(rank, suit) for rank in range(ACE, KING + 1))


def full_suits(suits: Iterable[int]) -> Counter[int]:
    """The cards of King-to-Ace sets of the given suits."""
    return Counter(card(rank, suit) for suit in suits for rank in range(ACE, KING + 1))


def _places(columns: Columns, stock: Sequence[int]) -> Iterator[tuple[int, str]]:
    for number, column in enumerate(columns, 1):
        for height, one in enumerate(column, 1):
            yield one, f"column {number} card {height}"
    for number, one in enumerate(stock):
        yield one, f"stock row {number // ROW_CARDS + 1} card {number % ROW_CARDS + 1}"


def _check_cards(
    columns: Columns, stock: Sequence[int], completed: Sequence[int], suits: int | None
) -> None:
    places = list(_places(columns, stock))
    for one, where in places:
        if one not in _CARDS:
            raise DealError(f"{where}: {one!r} is no card's code")
    for suit in completed:
        if suit not in range(len(SUITS)):
            raise DealError(f"completed runs: {suit!r} is no suit's code, 0 to 3")
    if suits is not None and suits not in range(1, len(SUITS) + 1):
        raise DealError(f"{suits} suits: expected 1, 2, 3 or 4")
    have = Counter(one for one, _ in places) + full_suits(completed)
    if have == full_suits(_likely_suits(have)) and have.total() == DECK:
        found = len({suit_of(one) for one in have})
        if suits not in (None, found):
            raise DealError(f"cards of {found} suits where {suits} are stated")
        return
    want = _nearest_sets(have, suits)
    problems = []
    for one in sorted(have - want):
        at = [where for other, where in places if other == one]
        problems.append(
            f"{card_text(one)} ({card_name(one)}) is there {have[one]} times instead of"
            f" {want[one]} ({', '.join(at[:9]) or 'completed runs'})"
        )
    missing = [
        card_text(one) + (f" x{n}" if n > 1 else "") for one, n in sorted((want - have).items())
    ]
    if missing:
        problems.append(f"missing: {' '.join(missing[:10])}{' ...' if missing[10:] else ''}")
    shown = problems[:3] + ([problems[-1]] if missing and problems[3:] else [])
    raise DealError(f"{have.total()} cards that aren't {SETS} full suits: " + "; ".join(shown))


def _likely_suits(have: Counter[int]) -> list[int]:
    """Each suit as often as its Aces: if the cards are full suits, these are the ones."""
    return [suit for suit in range(len(SUITS)) for _ in range(have[card(ACE, suit)])]


def _nearest_sets(have: Counter[int], suits: int | None) -> Counter[int]:
    """The eight full suits that differ least from the cards there, evenly spread ones first."""
    best: tuple[int, int, Counter[int]] | None = None
    for sets in product(range(SETS + 1), repeat=len(SUITS)):
        if sum(sets) != SETS or suits not in (None, sum(1 for n in sets if n)):
            continue
        want = full_suits(suit for suit, n in enumerate(sets) for _ in range(n))
        distance = (have - want).total() + (want - have).total()
        if best is None or (distance, max(sets)) < best[:2]:
            best = (distance, max(sets), want)
    assert best is not None  # for each count of suits, 1 to 4, there are such sets
    return best[2]
