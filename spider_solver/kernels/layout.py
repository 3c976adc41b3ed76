"""The packed state: 128 bytes, one record of the dtype ``STATE``.

    byte 0-9     face_up        face-up cards of columns 0-9
    byte 10-19   face_down      face-down cards of columns 0-9
    byte 20      completed      completed runs
    byte 21      rows_dealt     rows dealt since the root of the search
    byte 22      face_up_total  face-up cards in all columns
    byte 23      unused         zero
    byte 24-127  cards          the face-up cards, column 0 first, each column from its bottom
                                face-up card to its end, without gaps; the bytes after the
                                last card are arbitrary

    a card's byte:  bit 0-3  rank 1-13
                    bit 4-5  suit
                    bit 6    LINK: it lies on a face-up card of its suit, one rank higher
                    bit 7    STEP: it lies on a face-up card of any suit, one rank higher

LINK implies STEP. The run at a column's end starts at the end card and goes on towards the bottom
while the card has LINK. Only this decides what can be lifted. The identity of the face-down cards
and the order of the stock never change during a search, so the ``ROOT`` record holds them once.
"""

from __future__ import annotations

import numpy as np

from ..cards import rank_of
from ..deal import COLUMNS, DECK, MAX_ROWS, ROW_CARDS, Deal, RowRule
from .jit import kernel

RANK, SUIT, LINK, STEP = 0b1111, 0b11 << 4, 1 << 6, 1 << 7  # masks of a card's byte
CARD = RANK | SUIT
RANK_CODES = 16  # for tables by rank: 0 to 15, of which cards have 1 to 13

STATE = np.dtype(
    [
        ("face_up", np.uint8, COLUMNS),
        ("face_down", np.uint8, COLUMNS),
        ("completed", np.uint8),
        ("rows_dealt", np.uint8),
        ("face_up_total", np.uint8),
        ("unused", np.uint8),
        ("cards", np.uint8, DECK),
    ]
)

# What all states of a search share.
ROOT = np.dtype(
    [
        ("face_down_cards", np.uint8, (COLUMNS, DECK)),  # of each column, bottom first
        ("stock", np.uint8, MAX_ROWS * ROW_CARDS),  # in the order dealt
        ("rows", np.int64),  # rows in the stock at the root
        ("relaxed", np.int64),  # 1 if a row may be dealt while a column is empty, else 0
    ],
    align=True,
)

# Where the cards of a state's columns are, and how they end.
SCAN = np.dtype(
    [
        ("start", np.int64, COLUMNS),  # index in STATE.cards of the column's first card
        ("run_length", np.int64, COLUMNS),  # of the run at the column's end; 0 if it is empty
        # by rank: the columns that end in it, one bit each; moves.find_ends fills it in
        ("ending", np.int64, RANK_CODES),
    ]
)


def new_record(dtype: np.dtype) -> np.void:
    """One record of a structured dtype, all zero. Kernels modify it in place."""
    return np.zeros(1, dtype)[0]


def pack(deal: Deal) -> tuple[np.void, np.void]:
    """A deal as a packed state (a STATE record) and the ROOT record that goes with it."""
    state, root = new_record(STATE), new_record(ROOT)
    root["stock"][: len(deal.stock)] = deal.stock
    root["rows"] = len(deal.stock) // ROW_CARDS
    root["relaxed"] = deal.rules is RowRule.RELAXED
    cards = state["cards"]
    total = 0
    for column, (column_cards, down) in enumerate(zip(deal.columns, deal.face_down, strict=True)):
        root["face_down_cards"][column, :down] = column_cards[:down]
        state["face_up"][column] = len(column_cards) - down
        state["face_down"][column] = down
        for index in range(down, len(column_cards)):
            card, under = column_cards[index], column_cards[index - 1]
            cards[total] = card
            if index > down and rank_of(under) == rank_of(card) + 1:
                cards[total] |= STEP
                if under == card + 1:
                    cards[total] |= LINK
            total += 1
    state["completed"] = len(deal.completed)
    state["face_up_total"] = total
    return state, root


@kernel
def scan_columns(state, scan):
    """Find where each column's cards start and how long its run is.

    scan: SCAN; all but ``ending`` is modified.
    """
    start = 0
    for column in range(COLUMNS):
        scan.start[column] = start
        up = np.int64(state.face_up[column])
        start += up
        length = 0
        if up > 0:
            length = 1
            while state.cards[start - length] & LINK:
                length += 1
        scan.run_length[column] = length


@kernel
def is_stock_empty(state, root):
    """Whether all rows of the root's stock have been dealt."""
    return state.rows_dealt == root.rows


@kernel
def may_deal_row(rows_dealt, heights, root):
    """Whether a row may be dealt. heights: ten counts, 0 where a column is empty."""
    if rows_dealt >= root.rows:
        return False
    if root.relaxed:
        return True
    for column in range(COLUMNS):
        if heights[column] == 0:
            return False
    return True
