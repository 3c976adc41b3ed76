"""The relaxation in which suits don't count: its words, its events, and what real play says.

Before the *first event* of a game, the first time that a column becomes empty or that
thirteen cards King to Ace stand together at a column's end, face up, whatever their suits,
no run was completed and no column was empty. Nobody can win without a first event. What is
shown here about play up to it needs no suits, so it holds in every suit mode, and since no
column is empty before it, the standard and the relaxed rule for rows are the same there. A
move that takes a whole column and makes thirteen stand together where it lands counts as
"column becomes empty": that comes first, when the cards are lifted.

**Blocks.** A column ends in a block: its longest face-up tail that descends by one,
whatever the suits, from its *base* (the highest card) to its *end*. What lies under a block
is nothing, a face-down card, or a *buried* block. Every legal move lifts a tail of the end
block (a run is such a tail), say from its card h on, and puts it on another column's end of
rank h+1. Two things can happen:

- Under h lies h+1, in the block. Then both columns keep their bases and swap their ends.
- h is the base: the block *leaves*. The end h+1 that it lands on is *consumed*, its own end
  becomes the end there. What lay under it shows: a face-down card is turned and is a block
  by itself; a buried block has the base and end that it had when it was buried.

So during a *stage*, the play between two rows, the multiset of the ten ends changes only
when a block leaves: base b consumes an end of rank b+1, and the end of what shows is added.
Which column has which end can change by swaps, but no end is ever higher than its base.

**A row** puts a card c on each column. If the column's end is c+1, c *joins* the block;
else the block is buried with that end and c is a block of its own. The ends are then the
ten cards of the row.

A card that has left as a base, or has joined, stands on a card one higher, face up, and is
no base again before the first event: a move that takes it off that card puts it on another
of the same rank.
"""

from __future__ import annotations

import enum
from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

from ..cards import ACE, KING, RANK_NAMES, rank_of
from ..deal import COLUMNS, MAX_ROWS, ROW_CARDS, Deal
from ..game import Action, Move, Position, Row


class Block(NamedTuple):
    """A base and an end, as ranks. A face-down card is the block that it will be if turned."""

    base: int
    end: int


@dataclass(frozen=True, slots=True)
class Layout:
    """A position as the relaxation sees it.

    columns: the blocks of each column, lowest first. rows: the ranks of the rows to come.
    """

    columns: tuple[tuple[Block, ...], ...]
    rows: tuple[tuple[int, ...], ...]

    def bases(self, column: int, stage: int) -> list[int]:
        """Every card of a column that may be a base up to a stage: blocks, then row cards."""
        return [block.base for block in self.columns[column]] + [
            row[column] for row in self.rows[:stage]
        ]


def layout_of(deal: Deal) -> Layout:
    """The blocks and rows of a position."""
    columns = []
    for cards, down in zip(deal.columns, deal.face_down, strict=True):
        ranks = [rank_of(one) for one in cards]
        blocks = [Block(rank, rank) for rank in ranks[:down]]
        for above, rank in zip([None, *ranks[down:]], ranks[down:], strict=False):
            if above == rank + 1:
                blocks[-1] = Block(blocks[-1].base, rank)
            else:
                blocks.append(Block(rank, rank))
        columns.append(tuple(blocks))
    stock = [rank_of(one) for one in deal.stock]
    rows = (tuple(stock[n : n + ROW_CARDS]) for n in range(0, len(stock), ROW_CARDS))
    return Layout(tuple(columns), tuple(rows))


class EventKind(enum.StrEnum):
    """EMPTY and THIRTEEN are the first events; LEAVES is a lemma on the way to refute them."""

    EMPTY = "column empties"
    THIRTEEN = "thirteen ranks together"
    LEAVES = "block leaves"


@dataclass(frozen=True, slots=True)
class Event:
    """Something that may happen in a stage, before or as the first event.

    stage: rows dealt since the position. EMPTY: ``column`` (0-9) empties. THIRTEEN: King to
    Ace in some column, or, as one case of that, on the base that is block ``block`` of
    ``column`` (counted from its bottom, row cards included). LEAVES: that block leaves.
    """

    kind: EventKind
    stage: int
    column: int | None = None
    block: int | None = None

    def text(self, layout: Layout) -> str:
        """For people: ``column 3 empties after row 2``, rows counted from the deal's first."""
        row = MAX_ROWS - len(layout.rows) + self.stage
        when = f"after row {row}" if row else "before the first row"
        where = "" if self.column is None else f"column {self.column + 1}"
        if self.kind is EventKind.EMPTY:
            return f"{where} empties {when}"
        base = ""
        if self.column is not None and self.block is not None:
            rank = RANK_NAMES[layout.bases(self.column, self.stage)[self.block] - 1]
            base = f"the {rank} that is block {self.block + 1} of {where}"
        if self.kind is EventKind.LEAVES:
            return f"{base} leaves {when}"
        return f"{self.kind} {when}" + (f", on {base}" if base else "")


def events(deal: Deal) -> list[Event]:
    """Every first event that a position may still have, stage by stage."""
    return [
        event
        for stage in range(len(deal.stock) // ROW_CARDS + 1)
        for event in (
            *(Event(EventKind.EMPTY, stage, column) for column in range(COLUMNS)),
            Event(EventKind.THIRTEEN, stage),
        )
    ]


def cases(deal: Deal, event: Event) -> list[Event]:
    """A THIRTEEN event split by the King that is the base: one of them must happen with it."""
    layout = layout_of(deal)
    return [
        Event(event.kind, event.stage, column, block)
        for column in range(COLUMNS)
        for block, base in enumerate(layout.bases(column, event.stage))
        if base == KING
    ]


def standing_event(position: Position, stage: int) -> Event | None:
    """The first event if it stands in this very position, else None."""
    for column, (cards, down) in enumerate(zip(position.columns, position.face_down, strict=True)):
        if not cards:
            return Event(EventKind.EMPTY, stage, column)
        tail = [rank_of(one) for one in cards[down:][-KING:]]
        if tail == list(range(KING, ACE - 1, -1)):
            return Event(EventKind.THIRTEEN, stage)
    return None


def first_event(deal: Deal, actions: Iterable[Action]) -> Event | None:
    """The first event when these actions are played on game.py, None if they have none."""
    position = Position(deal)
    stage = 0
    event = standing_event(position, stage)
    for action in actions:
        if event is not None:
            break
        stage += isinstance(action, Row)
        outcome = position.push(action)
        if isinstance(action, Move) and not position.columns[action.source]:
            return Event(EventKind.EMPTY, stage, action.source)
        if outcome.completed:  # thirteen stood together just before they left
            return Event(EventKind.THIRTEEN, stage)
        event = standing_event(position, stage)
    return event
