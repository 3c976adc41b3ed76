"""Write saved games of KPatience; the package's docstring describes the format."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import permutations
from typing import NamedTuple

from ...cards import ACE, KING, RANK_NAMES, SUIT_NAMES, card, is_red, rank_of, suit_of
from ...deal import MAX_ROWS, ROW_CARDS, Deal, RowRule
from ...errors import DealError
from ...numbering import deal_of_name, number_of
from ...numbering.grammar import split_number
from ...numbering.kpat import SCHEME, SUITS_OF_MODE, deck
from ...words import counted
from ..format import is_named_by_number
from .names import (
    CARD,
    COLUMN_PILES,
    FACE_DOWN,
    FACE_UP,
    GAME,
    MOVE,
    NO_NUMBER,
    ROW_PILES,
    RUN_PILES,
    STATE,
)

_ID_SUITS = ("clubs", "diamonds", "hearts", "spades")  # in the order of KCardDeck::Suit


class _Deck(NamedTuple):
    """The deck of KPatience that a deal is written with."""

    mode: int  # KPatience's suit mode
    suit_for: dict[int, int]  # for each suit of the deal, the suit that it is written as

    @property
    def renames(self) -> bool:
        """Whether a suit is written as another one."""
        return any(old != new for old, new in self.suit_for.items())


def write(deal: Deal) -> str:
    """Return the deal as a saved game with one state, which KPatience opens.

    If no deck of KPatience has the suits of the deal, they are written as other suits (see
    ``omits``). Raises DealError if no deck has the same numbers of cards of each suit.
    """
    chosen = _choose_deck(deal)
    elements = _CardElements(chosen)
    rows = len(deal.stock) // ROW_CARDS
    state = len(deal.completed) * 10 + MAX_ROWS - rows
    lines = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        f'<{GAME} game-type="spider" game-type-options="{chosen.mode}"'
        f' deal-number="{_number_in_kpat(deal, chosen)}">',
        f'\t<{STATE} game-specific-state="{state}" current="true">',
    ]
    for number in range(rows):
        row = deal.stock[number * ROW_CARDS : (number + 1) * ROW_CARDS]
        pile = ROW_PILES[MAX_ROWS - rows + number]
        lines += _move_lines(pile, 0, elements.lines(row[::-1], FACE_DOWN))
    for pile, column, down in zip(COLUMN_PILES, deal.columns, deal.face_down, strict=True):
        lines += _move_lines(pile, 0, elements.lines(column[:down], FACE_DOWN))
        lines += _move_lines(pile, down, elements.lines(column[down:], FACE_UP))
    for pile, suit in zip(RUN_PILES, deal.completed, strict=False):
        run = [card(rank, suit) for rank in range(KING, ACE - 1, -1)]
        lines += _move_lines(pile, 0, elements.lines(run, FACE_UP))
    return "\n".join([*lines, f"\t</{STATE}>", f"</{GAME}>", ""])


def omits(deal: Deal) -> list[str]:
    """Return one sentence for each thing that the saved game of a deal leaves out or changes."""
    omitted = []
    chosen = _choose_deck(deal)
    for old, new in chosen.suit_for.items():
        if old != new:
            omitted.append(
                f"{SUIT_NAMES[old]} became {SUIT_NAMES[new]}, which KPatience has with"
                f" {counted(chosen.mode, 'suit')}"
            )
    if _number_in_kpat(deal, chosen) == NO_NUMBER:
        which = f"the number {deal.name}" if is_named_by_number(deal) else "a deal number"
        omitted.append(
            f"the file does not hold {which}: Restart Deal in KPatience deals another deal"
        )
    if deal.rules is RowRule.RELAXED:
        omitted.append(
            "the file does not hold the rule for rows (relaxed), but KPatience plays by it"
        )
    return omitted


def _number_in_kpat(deal: Deal, chosen: _Deck) -> int:
    """Return the number of the deal that the given deal is or comes from, or ``NO_NUMBER``."""
    numbered = deal_of_name(deal)
    if numbered is None or chosen.renames or not _may_come_from(deal, numbered):
        return NO_NUMBER
    parts = split_number(numbered.name)
    assert parts is not None  # the name of a numbered deal is canonical
    return parts.value if parts.scheme == SCHEME.name else NO_NUMBER


def _may_come_from(deal: Deal, numbered: Deal) -> bool:
    """Return True unless the cards of a deal show that it does not come from a fresh deal.

    A fresh deal must be the same. A position in mid-game must have the same cards where no action
    has moved them: in the rows that are left and face down.
    """
    if deal.fresh:
        return number_of(deal) is not None
    dealt = len(numbered.stock) - len(deal.stock)
    return deal.stock == numbered.stock[dealt:] and all(
        down <= down_at_first and column[:down] == column_at_first[:down]
        for column, down, column_at_first, down_at_first in zip(
            deal.columns, deal.face_down, numbered.columns, numbered.face_down, strict=True
        )
    )


def _choose_deck(deal: Deal) -> _Deck:
    """Return the deck of KPatience that changes the fewest suits of the deal.

    If several change equally few, the one that keeps the most colours is chosen.
    """
    cards = [*deal.stock, *(one_card for column in deal.columns for one_card in column)]
    have = Counter(suit_of(one_card) for one_card in cards if rank_of(one_card) == ACE)
    have += Counter(deal.completed)
    best: tuple[tuple[int, int], _Deck] | None = None
    for mode, suits in SUITS_OF_MODE.items():
        want = Counter(suits * 2)
        for new_suits in permutations(want):
            suit_for = dict(zip(sorted(have), new_suits, strict=False))
            if len(want) != len(have) or any(want[suit_for[suit]] != have[suit] for suit in have):
                continue
            kept_suits = sum(old == new for old, new in suit_for.items())
            kept_colours = sum(
                is_red(card(ACE, old)) == is_red(card(ACE, new)) for old, new in suit_for.items()
            )
            if best is None or (kept_suits, kept_colours) > best[0]:
                best = (kept_suits, kept_colours), _Deck(mode, suit_for)
    if best is None:
        counts = ", ".join(f"{SUIT_NAMES[suit]} x{count}" for suit, count in sorted(have.items()))
        raise DealError(
            f"KPatience has no deck of {counts}: it has eight suits alike, two by four, four and"
            " two by two, or four by two"
        )
    return best[1]


class _CardElements:
    """Writes <card> elements with the ids of KPatience's deck. Each id is used once."""

    def __init__(self, chosen: _Deck) -> None:
        self._suit_for = chosen.suit_for
        self._free_ids: dict[int, list[int]] = {}  # by card
        for number, one_card in enumerate(deck(chosen.mode)):
            suit = _ID_SUITS.index(SUIT_NAMES[suit_of(one_card)])
            identity = number << 16 | suit << 8 | rank_of(one_card)
            self._free_ids.setdefault(one_card, []).append(identity)

    def lines(self, cards: Sequence[int], turn: str) -> Iterator[str]:
        """Yield one element for each card. turn: FACE_UP or FACE_DOWN."""
        for one_card in cards:
            suit = self._suit_for[suit_of(one_card)]
            identity = self._free_ids[card(rank_of(one_card), suit)].pop(0)
            yield (
                f'\t\t\t<{CARD} id="{identity:07}" suit="{SUIT_NAMES[suit]}"'
                f' rank="{RANK_NAMES[rank_of(one_card) - 1]}" turn="{turn}"/>'
            )


def _move_lines(pile: str, position: int, cards: Iterator[str]) -> list[str]:
    """Return the lines of a <move> element; none if there are no cards."""
    lines = list(cards)
    if not lines:
        return []
    return [f'\t\t<{MOVE} pile="{pile}" position="{position}">', *lines, f"\t\t</{MOVE}>"]
