"""Read a typed board: choose its layout, and find the face-down cards."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ...deal import MAX_ROWS, ROW_CARDS, STANDARD_HEIGHTS, Deal
from ...errors import DealError, in_part
from ...words import alternatives, counted
from ..format import Contents
from ..parts import DealParts
from ..reading import count_face_down
from .layout import Layout, layouts
from .lines import Board, Cell, board_in, count_words, has_title

_MIN_CARDS = 10  # a text with fewer cards is not taken for a board


class AmbiguousBoardError(DealError):
    """A board that fits several layouts, with different deals."""


def detect(text: str) -> bool:
    """Return True if the text has some cards, and the words beside them are mostly cards.

    Also if it begins with the title of a board that this program printed.
    """
    cards, others = count_words(text)
    return (cards >= _MIN_CARDS and cards > others) or has_title(text)


def read(text: str) -> Contents:
    """Read a deal or position. Raises DealError, and AmbiguousBoardError if it has two readings."""
    board = board_in(text)
    found = layouts(board)
    if not found:
        counts = " ".join(str(len(line.cells)) for line in board.lines[:20])
        raise DealError(
            f"{counted(len(board.lines), 'line')} of cards ({counts}): expected ten lines, one for"
            " each column, or rows printed across, each with one card of each column"
        )
    readings: dict[Deal, tuple[str, list[str]]] = {}  # the layout of each deal, and the notes
    failure: DealError | None = None
    for layout in found:
        try:
            deal, notes = _deal(board, layout)
            readings.setdefault(deal, (layout.name, notes))
        except DealError as error:
            failure = failure or error
    if len(readings) > 1:
        names = alternatives(f"{name} ({i})" for i, (name, _) in enumerate(readings.values(), 1))
        raise AmbiguousBoardError(
            f"the board can be read in {len(readings)} ways, as {names}: to say which is meant,"
            " write `Stock:` before the stock in the order dealt, and `1:` to `10:` before columns"
        )
    if not readings:
        assert failure is not None  # a layout was found, and gave no deal
        raise failure
    ((deal, (name, notes)),) = readings.items()
    if board.left_out:
        notes.append(f"{counted(board.left_out, 'line')} without cards left out")
    return Contents(deal, notes=("; ".join([f"read as {name}", *notes]),))


def _deal(board: Board, layout: Layout) -> tuple[Deal, list[str]]:
    """Return the deal that a layout gives, and notes on what was not stated. Raises DealError."""
    columns = layout.columns
    parts = replace(board.parts, notes=[])
    parts.columns = [[cell.card for cell in column if cell.card is not None] for column in columns]
    parts.stock = layout.stock
    parts.face_down, notes = _face_down(columns, parts)
    return parts.to_deal(), notes


def _face_down(columns: Sequence[Sequence[Cell]], parts: DealParts) -> tuple[list[int], list[str]]:
    """Return the numbers of face-down cards in the columns, and notes on how they were found."""
    if any(cell.face_down for column in columns for cell in column):
        counts = []
        for number, column in enumerate(columns, 1):
            with in_part(f"column {number}: "):
                counts.append(count_face_down([cell.face_down for cell in column]))
        return counts, []
    in_lower_case = [[cell.is_lower for cell in column] for column in columns]
    counts = [sum(column) for column in in_lower_case]
    if any(counts) and all(
        all(column[:down]) and (down < len(column) or not column)
        for column, down in zip(in_lower_case, counts, strict=True)
    ):
        return counts, ["the cards in lower case are face down"]
    heights = sorted(map(len, columns), reverse=True)
    if tuple(heights) == STANDARD_HEIGHTS and len(parts.stock) == MAX_ROWS * ROW_CARDS:
        return [len(column) - 1 for column in columns], [
            "no card is marked as face down: taken as a fresh deal"
        ]
    return [0] * len(columns), ["no card is marked as face down: all are face up"]
