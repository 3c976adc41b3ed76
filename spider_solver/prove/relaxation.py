"""The relaxation that ignores suits: its terms, its events, and the first event of real play.

The *first event* of a game is the first time that a column becomes empty, or that thirteen cards
from King to Ace, face up and of any suits, lie together at the end of a column. Nobody can win
without a first event. Before it no run was completed and no column was empty. The statements
below about play before the first event do not depend on suits, so they hold in every suit mode.
No column is empty before it, so the standard and the relaxed rule for rows are the same there. A
move that takes a whole column and makes thirteen cards lie together at its target counts as
"column becomes empty": the column becomes empty first, when the cards are lifted.

**Blocks.** A column ends in a block: its longest tail of face-up cards that descend by one,
whatever their suits. The highest card of a block is its *base*, the lowest card is its *end*.
Below a block there is nothing, a face-down card, or a *buried* block. Every legal move lifts a
tail of the end block (a run is such a tail). Let h be the rank of the highest card that is
lifted. The cards are put on another column, whose end has rank h+1. There are two cases:

- The card below h is in the block, so it has rank h+1. Then both columns keep their bases and
  exchange their ends.
- h is the base. Then the block *leaves*. The end of rank h+1 on which it is put is *consumed*;
  the end of the block that left becomes the end there. What lay below the block *shows*: a
  face-down card is turned and becomes a block by itself; a buried block has the base and the end
  that it had when it was buried.

A *stage* is the play between two rows. In a stage the multiset of the ten ends changes only when
a block leaves: a base of rank b consumes an end of rank b+1, and the end of what shows is added.
Exchanges can change which column has which end, but no end is ever higher than its base.

**Rows.** A row puts a card, of rank c, on each column. If the end of the column has rank c+1, the
card *joins* the block. Otherwise the block is buried with the end that it has, and the card
becomes a block by itself. After the row the ends are the ten cards of the row.

A card that has left as a base, or has joined, lies on a face-up card that is one rank higher. It
is not a base again before the first event: a move that takes it off that card puts it on another
card of the same rank as that card.
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
    """A block; a face-down card counts as the block that it will be when it is turned."""

    base: int  # rank of the highest card
    end: int  # rank of the lowest card


@dataclass(frozen=True, slots=True)
class BlockLayout:
    """A position as the relaxation sees it: blocks and ranks, without suits."""

    columns: tuple[tuple[Block, ...], ...]  # the blocks of each column, lowest first
    rows: tuple[tuple[int, ...], ...]  # the ranks of each row that is left in the stock

    def bases(self, column: int, stage: int) -> list[int]:
        """The ranks of all cards of a column that can be a base up to a stage.

        They are in the order of their block numbers: the bases of the position's blocks, then the
        row cards.
        """
        return [block.base for block in self.columns[column]] + [
            row[column] for row in self.rows[:stage]
        ]


def block_layout(deal: Deal) -> BlockLayout:
    """The blocks and rows of a position."""
    columns = []
    for cards, down in zip(deal.columns, deal.face_down, strict=True):
        ranks = [rank_of(card) for card in cards]
        blocks = [Block(rank, rank) for rank in ranks[:down]]
        for below, rank in zip([None, *ranks[down:]], ranks[down:], strict=False):
            if below == rank + 1:
                blocks[-1] = Block(blocks[-1].base, rank)
            else:
                blocks.append(Block(rank, rank))
        columns.append(tuple(blocks))
    stock = [rank_of(card) for card in deal.stock]
    rows = (tuple(stock[n : n + ROW_CARDS]) for n in range(0, len(stock), ROW_CARDS))
    return BlockLayout(tuple(columns), tuple(rows))


class EventKind(enum.StrEnum):
    """The kinds of events. The values are part of the certificate format."""

    EMPTY = "column empties"  # a first event
    THIRTEEN = "thirteen ranks together"  # a first event
    LEAVES = "block leaves"  # not a first event: a lemma that helps to refute them


@dataclass(frozen=True, slots=True)
class Event:
    """Something that can happen in a stage, as the first event or before it.

    - EMPTY: ``column`` becomes empty.
    - THIRTEEN without a column: King to Ace lie together in some column. With a column, a case of
      that: they lie together and the base is block number ``block`` of ``column``.
    - LEAVES: block number ``block`` of ``column`` leaves.
    """

    kind: EventKind
    stage: int  # rows dealt since the position
    column: int | None = None  # 0 to 9
    block: int | None = None  # counted from the bottom of the column, from 0, row cards included

    def text(self, layout: BlockLayout) -> str:
        """The event in words, such as ``column 3 empties after row 2``.

        Columns and blocks are counted from 1, and rows from the first row of the deal.
        """
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
    """All first events that are to be refuted for a position, stage by stage."""
    return [
        event
        for stage in range(len(deal.stock) // ROW_CARDS + 1)
        for event in (
            *(Event(EventKind.EMPTY, stage, column) for column in range(COLUMNS)),
            Event(EventKind.THIRTEEN, stage),
        )
    ]


def cases(deal: Deal, event: Event) -> list[Event]:
    """A THIRTEEN event split by the King that is the base.

    If the event happens, one of the cases happens.
    """
    layout = block_layout(deal)
    return [
        Event(event.kind, event.stage, column, block)
        for column in range(COLUMNS)
        for block, base in enumerate(layout.bases(column, event.stage))
        if base == KING
    ]


def event_in_position(position: Position, stage: int) -> Event | None:
    """The event that is already there in a position: an empty column, or thirteen together.

    None if there is neither. stage: the stage that the event gets.
    """
    for column, (cards, down) in enumerate(zip(position.columns, position.face_down, strict=True)):
        if not cards:
            return Event(EventKind.EMPTY, stage, column)
        tail = [rank_of(card) for card in cards[down:][-KING:]]
        if tail == list(range(KING, ACE - 1, -1)):
            return Event(EventKind.THIRTEEN, stage)
    return None


def first_event(deal: Deal, actions: Iterable[Action]) -> Event | None:
    """The first event of real play: the actions are played by game.py. None if there is none."""
    position = Position(deal)
    stage = 0
    event = event_in_position(position, stage)
    for action in actions:
        if event is not None:
            break
        stage += isinstance(action, Row)
        outcome = position.push(action)
        if isinstance(action, Move) and not position.columns[action.source]:
            return Event(EventKind.EMPTY, stage, action.source)
        if outcome.completed:  # thirteen cards lay together before they left as a completed run
            return Event(EventKind.THIRTEEN, stage)
        event = event_in_position(position, stage)
    return event
