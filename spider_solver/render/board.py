"""The board as text: the ten columns side by side, the stock and the completed runs.

Columns are numbered 1-10. The bottom card of a column is in the highest line, and its end card in
the lowest line, as on a screen.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from itertools import zip_longest

from ..deal import COLUMNS, DECK, ROW_CARDS, SETS, Deal
from ..game import Move, Position
from ..replay import PlayedEntry
from ..words import counted
from .style import DEFAULT_STYLE, Style

# A column (0-9) and the index of a card in it, counted from the bottom.
CardPlace = tuple[int, int]

_CELL_WIDTH = 5
_EMPTY = -1  # stands for an empty column where a card is expected


def board(
    position: Position | Deal,
    *,
    reveal: bool = False,
    style: Style = DEFAULT_STYLE,
    marked: Collection[CardPlace] = (),
) -> str:
    """The board as several lines of text.

    reveal: show face-down cards in brackets and list the rows of the stock. An unknown card is
    ``??``. Which cards are unknown is always said.
    marked: the places of the cards to highlight.
    """
    deal = position.to_deal() if isinstance(position, Position) else position
    lines = [style.faint("".join(f"{number:^{_CELL_WIDTH}}" for number in range(1, COLUMNS + 1)))]
    lines += _column_lines(deal, reveal, style, marked)
    rows = len(deal.stock) // ROW_CARDS
    lines += ["", f"Stock: {counted(rows, 'row')} left"]
    if reveal and rows:
        lines[-1] += ", in the order dealt:"
        for start in range(0, len(deal.stock), ROW_CARDS):
            row = deal.stock[start : start + ROW_CARDS]
            lines.append("".join(_pad(style.card(card)) for card in row))
    lines.append(f"Completed runs: {_completed_runs(deal.completed, style)}")
    if deal.unknown:
        lines.append(f"Unknown cards: {_unknown_cards(deal.unknown, style)}")
    return "\n".join(line.rstrip() for line in lines)


def _column_lines(
    deal: Deal, reveal: bool, style: Style, marked: Collection[CardPlace]
) -> Iterable[str]:
    """One line for each height, with a cell for each column."""
    shown = (column or (_EMPTY,) for column in deal.columns)
    for height, cards in enumerate(zip_longest(*shown)):
        yield "".join(
            style.marked_card(card)
            if card is not None and (column, height) in marked
            else _cell(card, height < deal.face_down[column], reveal, style)
            for column, card in enumerate(cards)
        )


def _cell(card: int | None, face_down: bool, reveal: bool, style: Style) -> str:
    if card is None:
        return " " * _CELL_WIDTH
    if card == _EMPTY:
        return style.faint(f"{'--':^{_CELL_WIDTH}}")
    if face_down and reveal:
        return style.faint("[") + style.card(card) + style.faint("]") + " "
    if face_down:
        return style.faint(_pad(style.back))
    return _pad(style.card(card))


def _pad(card: str) -> str:
    """A card's text, two characters wide on the screen, centred in its cell."""
    return f" {card}  "


def _completed_runs(suits: Sequence[int], style: Style) -> str:
    if not suits:
        return f"none of {SETS}"
    return f"{' '.join(map(style.suit, suits))} ({len(suits)} of {SETS})"


def _unknown_cards(cards: Sequence[int], style: Style) -> str:
    """Such as ``J♠ K♥ x2 (3 of 104)``."""
    words = (
        style.card(card) + (f" x{count}" if count > 1 else "")
        for card, count in sorted(Counter(cards).items())
    )
    return f"{' '.join(words)} ({len(cards)} of {DECK})"


def moved_cards(played: PlayedEntry | None, position: Position) -> frozenset[CardPlace]:
    """The places of the cards that an entry moved, or that an undo put back.

    played: the last entry played, if any.
    position: the position right after it.

    Cards that left the board in a completed run have no place.
    """
    if played is None or played.outcome is None:
        return frozenset()
    action, is_undo = played.outcome.action, played.revision is not None
    completed_columns = set() if is_undo else {run.column for run in played.outcome.completed}
    if isinstance(action, Move):
        moved = {action.source if is_undo else action.target: action.count}
    else:
        moved = {} if is_undo else dict.fromkeys(range(COLUMNS), 1)
    return frozenset(
        (column, len(position.columns[column]) - depth)
        for column, count in moved.items()
        if column not in completed_columns
        for depth in range(1, count + 1)
    )
