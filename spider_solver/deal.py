"""Deal: 104 cards in their places, with a complete check of the cards.

A Deal is immutable. It is either fresh (no action was played yet) or a position in mid-game.
``game.Position`` starts from a Deal and plays actions.

Columns have the numbers 0 to 9 in code, and 1 to 10 in all text that users see. A column lists
its cards from the bottom card to the end card. No card lies on the end card.

A face-down card or a card of the stock may be unknown: nobody has seen it. Then ``cards.UNKNOWN``
is at its place. The field ``unknown`` lists the unknown cards, which are the cards that eight full
suits have besides the known ones.
"""

from __future__ import annotations

import enum
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain, product

from .cards import ACE, KING, SUIT_LETTERS, UNKNOWN, card, card_name, card_text, rank_of, suit_of
from .errors import DealError
from .words import counted

COLUMNS = 10
ROW_CARDS = 10  # cards in a row of the stock: one for each column
RUN_CARDS = 13  # cards in a completed run, King to Ace
SETS = 8  # sets of thirteen cards, King to Ace, in two decks
DECK = 104
MAX_ROWS = 5  # rows in the stock of a fresh deal
# For each suit mode: how many sets of thirteen cards each of its suits usually has.
USUAL_SETS = {1: (8,), 2: (4, 4), 3: (4, 2, 2), 4: (2, 2, 2, 2)}
STANDARD_HEIGHTS = (6, 6, 6, 6, 5, 5, 5, 5, 5, 5)  # cards in each column of a fresh deal
STANDARD_TABLEAU = sum(STANDARD_HEIGHTS)

_CARDS = frozenset(
    card(rank, suit) for suit in range(len(SUIT_LETTERS)) for rank in range(ACE, KING + 1)
)
_PLACES_SHOWN = 9  # of a surplus card, in an error message
_FAULTS_SHOWN = 3  # surplus cards in an error message
_MISSING_SHOWN = 10  # different missing or unknown cards in an error message

Columns = tuple[tuple[int, ...], ...]


class RowRule(enum.StrEnum):
    """Whether a row may be dealt while a column is empty."""

    STANDARD = "standard"  # it may not
    RELAXED = "relaxed"  # it may


@dataclass(frozen=True, slots=True)
class Deal:
    """104 cards in their places. ``Deal.make`` builds a Deal and checks its cards."""

    columns: Columns  # ten tuples of cards, each from the bottom card to the end card
    face_down: tuple[int, ...]  # for each column: how many cards, from the bottom, are face down
    stock: tuple[int, ...]  # the undealt cards, next row first; a row is ten cards, column 1 first
    completed: tuple[int, ...] = ()  # suits of the completed runs, in the order of completion
    rules: RowRule = RowRule.STANDARD
    name: str = ""  # "scheme:number", the name of a file, or empty
    unknown: tuple[int, ...] = ()  # the unknown cards, sorted: which they are, but not where

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
        """Return a Deal after ``check(suits)``.

        If ``face_down`` is None, all cards except the end card of each column are face down.
        Where a place has ``UNKNOWN``, the field ``unknown`` is set: see ``_unknown_cards``.
        Raises DealError if the cards cannot be a position of Spider.
        """
        tableau = tuple(tuple(column) for column in columns)
        if face_down is None:
            face_down = (max(len(column) - 1, 0) for column in tableau)
        deal = cls(tableau, tuple(face_down), tuple(stock), tuple(completed), rules, name)
        if deal.unknown_count:
            deal = replace(deal, unknown=_unknown_cards(deal, suits))
        deal.check(suits)
        return deal

    @property
    def suits(self) -> int:
        """The suit mode: how many different suits the deal has."""
        return len({suit_of(one_card) for one_card in (*self._known_cards(), *self.unknown)})

    @property
    def unknown_count(self) -> int:
        """How many places have an unknown card."""
        return sum(column.count(UNKNOWN) for column in self.columns) + self.stock.count(UNKNOWN)

    @property
    def fresh(self) -> bool:
        """True if no action was played yet.

        Then all five rows are in the stock, no run is completed, and in each column the end
        card, and only the end card, is face up.
        """
        return (
            len(self.stock) == MAX_ROWS * ROW_CARDS
            and not self.completed
            and all(
                down == len(column) - 1
                for column, down in zip(self.columns, self.face_down, strict=True)
            )
        )

    @property
    def won(self) -> bool:
        """True if all eight runs are completed."""
        return len(self.completed) == SETS

    def with_rules(self, rules: RowRule) -> Deal:
        """Return the same cards under the given rule for rows."""
        return replace(self, rules=rules)

    def require_known(self) -> None:
        """Raise DealError, which names the unknown cards, if there are any."""
        if self.unknown:
            count = counted(len(self.unknown), "unknown card")
            shown = cards_with_counts(self.unknown, _MISSING_SHOWN)
            raise DealError(f"{count} ({shown}): expected a deal whose cards are all known")

    def check(self, suits: int | None = None) -> None:
        """Raise DealError unless these cards can be a position of Spider.

        These are checked in this order: the numbers of columns, face-down counts and completed
        runs; the codes of cards and suits; that all cards together are eight full suits; the
        stock; each column. The first fault is reported. If the cards are not eight full suits,
        the message names all surplus and missing cards, but cuts long lists. Unknown cards may
        be face down or in the stock.

        suits: the suit mode that the source of the deal states, or None if it states none.
        """
        if len(self.columns) != COLUMNS:
            raise DealError(f"{len(self.columns)} columns: expected {COLUMNS}")
        if len(self.face_down) != COLUMNS:
            raise DealError(f"{len(self.face_down)} face-down counts: expected {COLUMNS}")
        if len(self.completed) > SETS:
            raise DealError(f"{len(self.completed)} completed runs: expected at most {SETS}")
        self._check_codes()
        self._check_card_counts(suits)
        if len(self.stock) % ROW_CARDS or len(self.stock) > MAX_ROWS * ROW_CARDS:
            raise DealError(
                f"{len(self.stock)} cards in the stock: expected rows of ten, at most {MAX_ROWS}"
            )
        for number, (column, down) in enumerate(zip(self.columns, self.face_down, strict=True), 1):
            _check_column(number, column, down)

    def _check_codes(self) -> None:
        for one_card, place in _cards_and_places(self.columns, self.stock):
            if one_card not in _CARDS and one_card != UNKNOWN:
                raise DealError(f"{place}: {one_card!r} is not the code of a card")
        for suit in self.completed:
            if suit not in range(len(SUIT_LETTERS)):
                raise DealError(f"completed runs: {suit!r} is not the code of a suit, 0 to 3")

    def _check_card_counts(self, suits: int | None) -> None:
        if suits is not None and suits not in range(1, len(SUIT_LETTERS) + 1):
            raise DealError(f"{suits} suits: expected 1, 2, 3 or 4")
        known, unknown_count = self._known_cards(), self.unknown_count
        found = known + Counter(self.unknown)
        suits_found = len({suit_of(one_card) for one_card in found})
        is_full = found == full_suits(_suits_of_aces(found)) and found.total() == DECK
        if suits is not None and suits != suits_found and (is_full or unknown_count):
            raise DealError(f"the cards have {suits_found} suits, but {suits} are stated")
        if is_full and unknown_count == len(self.unknown):
            return
        expected = _nearest_full_suits(known, suits_found if unknown_count else suits)
        count = f"{known.total() + unknown_count} cards"
        if unknown_count:
            count += f", {unknown_count} of them unknown,"
            expected &= known  # so that no card counts as missing
        faults = _count_faults(known, expected, list(_cards_and_places(self.columns, self.stock)))
        if not faults:
            raise DealError(f"{count} instead of {DECK}")
        raise DealError(f"{count} that are not {SETS} full suits: {'; '.join(faults)}")

    def _known_cards(self) -> Counter[int]:
        """Count the known cards, those of completed runs included."""
        cards = Counter(chain(self.stock, *self.columns))
        del cards[UNKNOWN]
        return cards + full_suits(self.completed)


def cards_with_counts(cards: Iterable[int], shown: int) -> str:
    """Return the text of sorted cards with their counts, such as ``2S 4C x2 KD``.

    shown: how many different cards; ``...`` stands for the others.
    """
    words = [
        card_text(one_card) + (f" x{count}" if count > 1 else "")
        for one_card, count in sorted(Counter(cards).items())
    ]
    return " ".join(words[:shown]) + (" ..." if words[shown:] else "")


def ends_in_completed_run(column: Sequence[int], face_down: int) -> bool:
    """Return True if the last thirteen cards are face up, of one suit, King down to Ace.

    column: cards, from the bottom card to the end card.
    face_down: how many of them, from the bottom, are face down.
    """
    if len(column) - face_down < RUN_CARDS or rank_of(column[-1]) != ACE:
        return False
    suit = suit_of(column[-1])
    return all(column[-rank] == card(rank, suit) for rank in range(ACE, KING + 1))


def full_suits(suits: Iterable[int]) -> Counter[int]:
    """Count the cards of one full suit (thirteen cards, King to Ace) for each suit listed."""
    return Counter(card(rank, suit) for suit in suits for rank in range(ACE, KING + 1))


def _check_column(number: int, column: Sequence[int], face_down: int) -> None:
    """Check the face-down count, the unknown cards, and that no run in the column is completed.

    The rules remove a completed run at once. So a column of a position cannot contain one, neither
    at its end nor under other cards.
    """
    if not 0 <= face_down <= max(len(column) - 1, 0):
        raise DealError(
            f"column {number} has {counted(len(column), 'card')} and {face_down} of them face down:"
            " its end card must be face up"
        )
    if UNKNOWN in column[face_down:]:
        raise DealError(
            f"column {number} card {column.index(UNKNOWN, face_down) + 1} is face up and unknown:"
            " expected the name of each face-up card"
        )
    for end in range(len(column), face_down + RUN_CARDS - 1, -1):
        if ends_in_completed_run(column[:end], face_down):
            run = f"a completed run of {SUIT_LETTERS[suit_of(column[end - 1])]}, King to Ace"
            if end == len(column):
                raise DealError(
                    f"column {number} ends in {run}: the rules remove such a run at once, so list"
                    " it as completed"
                )
            raise DealError(
                f"column {number} has {run}, under other cards: by this program's rules a completed"
                " run leaves at once, so this position cannot arise (other games let the player"
                " choose when it leaves): take the run off and list it as completed"
            )


def _unknown_cards(deal: Deal, suits: int | None) -> tuple[int, ...]:
    """Return, sorted, the cards that a deal with unknown cards has besides the known ones.

    All cards together are eight full suits of as many different suits as are stated, or else as
    the known cards have. If the known cards allow several such decks, the usual one counts: see
    ``_nearest_full_suits``. If the known cards are too many of a kind, the result is what the
    nearest such deck has besides them.

    suits: the suit mode that the source of the deal states, or None if it states none.
    """
    known = deal._known_cards()
    suits_known = len({suit_of(one_card) for one_card in known})
    wanted = max(suits or 0, suits_known, 1)
    deck = _nearest_full_suits(known, min(wanted, len(SUIT_LETTERS)))
    return tuple(sorted((deck - known).elements()))


def _cards_and_places(columns: Columns, stock: Sequence[int]) -> Iterator[tuple[int, str]]:
    """Yield each card with its place in words, columns first."""
    for number, column in enumerate(columns, 1):
        for height, one_card in enumerate(column, 1):
            yield one_card, f"column {number} card {height}"
    for index, one_card in enumerate(stock):
        yield one_card, f"stock row {index // ROW_CARDS + 1} card {index % ROW_CARDS + 1}"


def _count_faults(
    found: Counter[int], expected: Counter[int], places: Sequence[tuple[int, str]]
) -> list[str]:
    """Return phrases about the differences between the cards found and the cards expected.

    Each surplus card is a phrase with its places. All missing cards together are one phrase.
    Long lists are cut.
    """
    faults = []
    for surplus in sorted(found - expected)[:_FAULTS_SHOWN]:
        where = [place for one_card, place in places if one_card == surplus][:_PLACES_SHOWN]
        faults.append(
            f"{card_text(surplus)} ({card_name(surplus)}) occurs {found[surplus]} times instead"
            f" of {expected[surplus]} ({', '.join(where) or 'completed runs'})"
        )
    missing = expected - found
    if missing:
        faults.append(f"missing: {cards_with_counts(missing, _MISSING_SHOWN)}")
    return faults


def _suits_of_aces(found: Counter[int]) -> list[int]:
    """Return each suit as often as its Ace occurs.

    If the cards are full suits, they are the full suits of this list.
    """
    return [suit for suit in range(len(SUIT_LETTERS)) for _ in range(found[card(ACE, suit)])]


def _nearest_full_suits(found: Counter[int], suits: int | None) -> Counter[int]:
    """Return the eight full suits that differ from the given cards in the fewest cards.

    If several are equally near, one with the usual numbers of the suits is chosen, then the most
    even one, then the first in the order of the suits.

    suits: how many different suits the result must have; None if it may have any number.
    """
    best: tuple[tuple[int, bool, int], Counter[int]] | None = None
    for sets_of_suit in product(range(SETS, -1, -1), repeat=len(SUIT_LETTERS)):
        if sum(sets_of_suit) != SETS or suits not in (None, sum(1 for n in sets_of_suit if n)):
            continue
        expected = full_suits(suit for suit, n in enumerate(sets_of_suit) for _ in range(n))
        distance = (found - expected).total() + (expected - found).total()
        present = tuple(sorted(filter(None, sets_of_suit), reverse=True))
        rating = (distance, present != USUAL_SETS[len(present)], present[0])
        if best is None or rating < best[0]:
            best = (rating, expected)
    assert best is not None  # such sets exist for every number of suits from 1 to 4
    return best[1]
