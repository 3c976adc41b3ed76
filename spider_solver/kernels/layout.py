"""The packed state: 128 bytes, two cache lines, one row of a ``uint8`` array.

    byte 0-9     face-up cards in column 0-9
    byte 10-19   face-down cards in column 0-9
    byte 20      completed runs
    byte 21      stage: rows dealt since the root of the search
    byte 22      number of face-up cards in all
    byte 23      zero
    byte 24-127  the face-up cards, column 0 first, each column from its lowest face-up card
                 to its end, without gaps; unused bytes at the end are arbitrary

    a card's byte:  bit 0-3  rank 1-13
                    bit 4-5  suit
                    bit 6    LINK: lies on a face-up card of its suit, one rank higher
                    bit 7    STEP: lies on a face-up card of any suit, one rank higher

Bit 6 implies bit 7. A column's run is its end card and the cards below as long as LINK is
set: nothing else is looked at to know what can be lifted. Which cards are face down, and what
the stock holds, never changes in a search; they are kept once, in the ``Root``.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..cards import rank_of
from ..deal import COLUMNS, DECK, MAX_ROWS, ROW_CARDS, Deal, RowRule
from .loading import kernel

STATE_BYTES = 128
UP, DOWN, RUNS, STAGE, TOTAL, CARDS = 0, 10, 20, 21, 22, 24
RANK, SUIT, FACE, LINK, STEP = 15, 48, 63, 64, 128


class Root(NamedTuple):
    """What stays the same in a whole search, shared by all its states.

    hidden: (10, 104) uint8, the face-down cards of each column at the root, bottom first.
    stock: (50,) uint8, in the order dealt. fixed: int64 array: rows left at the root, and 1
    if a row may be dealt onto empty columns.
    """

    hidden: np.ndarray
    stock: np.ndarray
    fixed: np.ndarray


ROWS, RELAXED = 0, 1  # places in Root.fixed
START, LENGTH, ENDS, WORK = 0, 10, 20, 36  # places in the work array; its size


def pack(deal: Deal) -> tuple[np.ndarray, Root]:
    """A layout as a packed state (uint8, 128) and the Root that goes with it."""
    state = np.zeros(STATE_BYTES, np.uint8)
    hidden = np.zeros((COLUMNS, DECK), np.uint8)
    stock = np.zeros(MAX_ROWS * ROW_CARDS, np.uint8)
    stock[: len(deal.stock)] = deal.stock
    at = CARDS
    for column, (cards, down) in enumerate(zip(deal.columns, deal.face_down, strict=True)):
        hidden[column, :down] = cards[:down]
        state[UP + column] = len(cards) - down
        state[DOWN + column] = down
        for index in range(down, len(cards)):
            state[at] = cards[index]
            if index > down and rank_of(cards[index - 1]) == rank_of(cards[index]) + 1:
                state[at] |= STEP
                if cards[index - 1] == cards[index] + 1:
                    state[at] |= LINK
            at += 1
    state[RUNS] = len(deal.completed)
    state[TOTAL] = at - CARDS
    fixed = np.array([len(deal.stock) // ROW_CARDS, int(deal.rules is RowRule.RELAXED)], np.int64)
    return state, Root(hidden, stock, fixed)


def unpack(state: np.ndarray, root: Root) -> tuple[list[list[int]], list[int], list[int]]:
    """A packed state's columns, face-down counts and stock, as game.Position has them."""
    columns, at = [], CARDS
    for column in range(COLUMNS):
        up, down = int(state[UP + column]), int(state[DOWN + column])
        face_up = (state[at : at + up] & FACE).tolist()
        columns.append(root.hidden[column, :down].tolist() + face_up)
        at += up
    dealt = int(state[STAGE]) * ROW_CARDS
    stock = root.stock[dealt : int(root.fixed[ROWS]) * ROW_CARDS].tolist()
    return columns, state[DOWN : DOWN + COLUMNS].astype(int).tolist(), stock


@kernel
def scan(states, at, work):
    """Note where each column's cards start and how long its run is, for row ``at``.

    work: int64, modified in place; places START + column and LENGTH + column. An empty
    column has length 0.
    """
    start = CARDS
    for column in range(COLUMNS):
        work[START + column] = start
        up = np.int64(states[at, UP + column])
        start += up
        length = 0
        if up > 0:
            length = 1
            while states[at, start - length] & LINK:
                length += 1
        work[LENGTH + column] = length
