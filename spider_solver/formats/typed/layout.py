"""The layouts that the lines of a typed board fit."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ...deal import COLUMNS, DECK, MAX_ROWS, ROW_CARDS, STANDARD_TABLEAU
from .lines import Board, BoardLine, Cell

_ALIGNED = 1.0  # characters by which a card may be beside the place of its column


class Layout(NamedTuple):
    """The places of the cards, as a layout gives them."""

    name: str  # describes the layout
    columns: list[list[Cell]]  # ten columns, bottom card first
    stock: list[int]  # in the order dealt


class _Split(NamedTuple):
    """The lines of a board, as tableau and stock."""

    tableau: Sequence[BoardLine]
    stock: Sequence[BoardLine]


def layouts(board: Board) -> list[Layout]:
    """Return all layouts that the numbers of cards in the lines allow. They may be equal."""
    found = [
        Layout(f"{name}{order}", columns, stock)
        for split, name, columns in (*_as_columns(board), *_across(board))
        for order, stock in _stocks(board, split.stock)
    ]
    if board.stock is None and not (board.header or board.columns_labelled or board.last_row_first):
        found += _in_the_order_dealt(board.lines)
    return found


def _stocks(board: Board, lines: Sequence[BoardLine]) -> Iterator[tuple[str, list[int]]]:
    """Yield the orders in which the stock may be dealt, in words, and the stock in that order."""
    cards = [one_card for line in lines for one_card in line.cards]
    rows = [cards[start : start + ROW_CARDS] for start in range(0, len(cards), ROW_CARDS)]
    if board.stock is not None or len(rows) < 2:
        yield "", cards
        return
    if not board.last_row_first:
        yield ", the first ten cards of the stock being dealt first", cards
    last_first = [one_card for row in reversed(rows) for one_card in row]
    yield ", the last ten cards of the stock being dealt first", last_first


def _may_be_stock(lines: Sequence[BoardLine]) -> bool:
    """Return True if the lines have rows of ten cards, and at most five rows."""
    count = sum(len(line.cells) for line in lines)
    full = all(cell.card is not None for line in lines for cell in line.cells)
    return full and count % ROW_CARDS == 0 and count <= MAX_ROWS * ROW_CARDS


def _as_columns(board: Board) -> Iterator[tuple[_Split, str, list[list[Cell]]]]:
    """Yield the readings as one line for each column; none below a line of column numbers."""
    lines = board.lines
    if board.header:
        return
    splits = [_Split(lines, board.stock)] if board.stock is not None else []
    if board.stock is None:
        splits = [_Split(lines[:COLUMNS], lines[COLUMNS:])]
        if len(lines) > COLUMNS:
            splits.append(_Split(lines[-COLUMNS:], lines[:-COLUMNS]))
    for split in splits:
        if len(split.tableau) == COLUMNS and _may_be_stock(split.stock):
            columns = [
                [cell for cell in line.cells if cell.card is not None] for line in split.tableau
            ]
            yield split, "ten columns, one in each line", columns


def _across(board: Board) -> Iterator[tuple[_Split, str, list[list[Cell]]]]:
    """Yield the readings as rows printed across."""
    lines = board.lines
    if board.columns_labelled:
        return
    splits = [_Split(lines, board.stock)] if board.stock is not None else []
    if board.stock is None:
        splits = [
            _Split(lines[:height], lines[height:])
            for height in range(1, len(lines) + 1)
            if height == len(lines) or _may_end(lines[height - 1], lines[height])
        ]
    for split in splits:
        if split.tableau and _may_be_stock(split.stock):
            columns = _columns_of_rows(split.tableau, board.header)
            if columns is not None:
                yield split, "rows printed across, with the bottom cards first", columns


def _may_end(last: BoardLine, after: BoardLine) -> bool:
    """Return True if the rows of the tableau may end between two lines."""
    return after.after_gap or len(after.cells) > len(last.cells)


def _columns_of_rows(
    rows: Sequence[BoardLine], header: tuple[Cell, ...]
) -> list[list[Cell]] | None:
    """Return the columns of rows printed across; None if the lines are no such rows."""
    places = header or rows[0].cells
    if len(places) != COLUMNS:
        return None
    columns: list[list[Cell]] = [[] for _ in range(COLUMNS)]
    for height, row in enumerate(rows):
        numbers = _column_numbers(row, places, must_align=bool(header))
        if numbers is None:
            return None
        for number, cell in zip(numbers, row.cells, strict=True):
            if cell.card is None:
                continue
            if len(columns[number]) != height:  # nothing below the card
                return None
            columns[number].append(cell)
    return columns


def _column_numbers(
    row: BoardLine, places: Sequence[Cell], must_align: bool
) -> Sequence[int] | None:
    """Return the column, 0 to 9, of each cell in a row; None if this is not clear."""
    count = len(row.cells)
    if count > COLUMNS:
        return None
    if row.has_places or count == COLUMNS:
        return range(count)
    nearest = [
        min(range(COLUMNS), key=lambda number: _distance(cell, places[number]))
        for cell in row.cells
    ]
    is_aligned = sorted(set(nearest)) == nearest and all(
        _distance(cell, places[number]) <= _ALIGNED
        for cell, number in zip(row.cells, nearest, strict=True)
    )
    if is_aligned:
        return nearest
    return None if must_align or _widest_gap(row.cells) > _widest_gap(places) else range(count)


def _distance(one: Cell, other: Cell) -> float:
    """Return how many characters the middles of two cells are apart."""
    return abs(one.start + one.end - other.start - other.end) / 2


def _widest_gap(cells: Sequence[Cell]) -> int:
    """Return the most characters before a cell of a line."""
    return max(
        cell.start - end for cell, end in zip(cells, (-1, *(c.end for c in cells)), strict=False)
    )


def _in_the_order_dealt(lines: Sequence[BoardLine]) -> Iterator[Layout]:
    """Yield the reading as all cards in the order dealt."""
    cells = [cell for line in lines for cell in line.cells]
    if len(cells) != DECK or any(cell.card is None for cell in cells):
        return
    columns = [cells[number:STANDARD_TABLEAU:COLUMNS] for number in range(COLUMNS)]
    stock = [cell.card for cell in cells[STANDARD_TABLEAU:] if cell.card is not None]
    yield Layout("104 cards in the order dealt, one to each column in turn", columns, stock)
