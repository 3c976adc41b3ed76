"""The relaxation, which ignores suits: its terms, its events, and the first event of a real game.

**Terms.** The whole package uses these terms. Ranks are numbers from 1 (Ace) to 13 (King). In a
column, *below* means nearer to the bottom of the column, and *above* means nearer to its end.

- A *block* is a group of face-up cards of a column, each one rank lower than the card directly
  below it, whatever their suits. It is as long as possible.
- The *base* of a block is its bottom card, which has its highest rank. The *end* of a block is
  its last card, which has its lowest rank. A block is identified by its base.
- The *end block* of a column is the block at the end of the column. All other blocks of the
  column are *buried*.
- A *stage* is the play between two rows. Stage 0 is the play before the first row that is dealt
  from the position; stage s is the play after s rows and before the next one.
- An *event* is one of these, in a given stage: a column becomes empty, thirteen cards lie
  together, or a block leaves (see below).
- A *first event* is the first time that a column becomes empty, or that thirteen face-up cards
  from King to Ace, whatever their suits, lie together at the end of a column.
- An event is *refuted* if its model has no solution, and *possible* if its model has one. An
  event for which neither is known yet is *open*.
- A *lemma* is a refuted event of the kind "a block leaves". It is not a first event, but it helps
  to refute first events.

Nobody can win without a first event: thirteen cards lie together before they leave as a completed
run. Before the first event no run is completed and no column is empty. All statements below are
about the play before the first event. They do not depend on suits, so they hold in every suit
mode. They hold under both rules for rows, which differ only while a column is empty. A move that
takes all cards of a column and makes thirteen cards lie together at its target counts as "column
becomes empty": the column becomes empty first, when the cards are lifted.

**Moves.** A legal move lifts a run from the end of a column: the whole end block or its last cards.
Let c be the bottom card of the lifted cards, and h the rank of c. The cards are put on another
column, whose end has rank h+1. There are two cases:

- c is not the base of its block. The card directly below c belongs to the block, so it has rank
  h+1. It becomes the end of its column. So the end blocks of both columns keep their bases and
  exchange their ends.
- c is the base of its block. Then the block *leaves*. The end of rank h+1 on which it is put is
  *consumed*: the end of the block that left becomes the end of that column. What lay directly
  below the block *shows*. This is a face-down card, which is turned and becomes a block by itself,
  or a buried block, which has the same base and the same end as when it was buried. If nothing
  lay below the block, the column becomes empty.

So in a stage, the multiset of the ten ends changes only when a block leaves: a base of rank b
consumes an end of rank b+1, and the end of what shows is added. The moves of the first case only
change which column has which end. The rank of an end is never above the rank of its base.

**Rows.** A row puts one card on each column. Let c be the rank of such a card. If the end of the
column has rank c+1, the card *joins* the end block. Otherwise it *buries* this block, which keeps
its end, and the card becomes a block by itself. After the row, the ends are the ten cards of the
row.

A base that has left and a row card that has joined lie on a face-up card that is one rank higher.
They are not bases again before the first event: a move that takes such a card from there puts it
on another card of the same rank. So a block leaves at most once.
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
    """A block, or a face-down card, which is a block by itself as soon as it is turned."""

    base: int  # rank of the base
    end: int  # rank of the end


@dataclass(frozen=True, slots=True)
class BlockLayout:
    """A position as the relaxation sees it: blocks and ranks, without suits."""

    columns: tuple[tuple[Block, ...], ...]  # the blocks of each column, the bottom block first
    rows: tuple[tuple[int, ...], ...]  # the ranks of each row that is left in the stock

    def bases(self, column: int, stage: int) -> list[int]:
        """The ranks of all cards of a column that can be a base up to and including a stage.

        They are in the order of their block numbers: first the bases of the position's blocks,
        then the cards of the rows.
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
        for rank_below, rank in zip([None, *ranks[down:]], ranks[down:], strict=False):
            if rank_below == rank + 1:
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
    LEAVES = "block leaves"  # not a first event; a lemma if it is refuted


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happens in a stage: a first event, or a block that leaves before it.

    - EMPTY: ``column`` becomes empty.
    - THIRTEEN without a column: King to Ace lie together in some column. With a column: one case
      of this, in which the King is the base of block number ``block`` of ``column``.
    - LEAVES: block number ``block`` of ``column`` leaves.
    """

    kind: EventKind
    stage: int  # rows dealt since the position
    column: int | None = None  # 0 to 9
    block: int | None = None  # number of the block; 0 is the bottom block (see model.py)

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
    """All first events that a proof must refute for a position, stage by stage."""
    return [
        event
        for stage in range(len(deal.stock) // ROW_CARDS + 1)
        for event in (
            *(Event(EventKind.EMPTY, stage, column) for column in range(COLUMNS)),
            Event(EventKind.THIRTEEN, stage),
        )
    ]


def cases(deal: Deal, event: Event) -> list[Event]:
    """The cases of a THIRTEEN event: one for each King that can be the base.

    If the event happens, one of its cases happens.
    """
    layout = block_layout(deal)
    return [
        Event(event.kind, event.stage, column, block)
        for column in range(COLUMNS)
        for block, base in enumerate(layout.bases(column, event.stage))
        if base == KING
    ]


def event_in_position(position: Position, stage: int) -> Event | None:
    """The event that has already happened in a position: an empty column, or thirteen together.

    None if there is neither. stage: the stage of the returned event.
    """
    for column, (cards, down) in enumerate(zip(position.columns, position.face_down, strict=True)):
        if not cards:
            return Event(EventKind.EMPTY, stage, column)
        last_ranks = [rank_of(card) for card in cards[down:][-KING:]]
        if last_ranks == list(range(KING, ACE - 1, -1)):
            return Event(EventKind.THIRTEEN, stage)
    return None


def first_event(deal: Deal, actions: Iterable[Action]) -> Event | None:
    """The first event of a game whose actions are played by game.py. None if there is none."""
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
        if outcome.completed:  # thirteen cards lay together before they left as a run
            return Event(EventKind.THIRTEEN, stage)
        event = event_in_position(position, stage)
    return event
