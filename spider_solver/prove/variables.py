"""The variables left, join, back and end_block of the constraint model.

model.py defines the variables and gives the reason for each constraint. Each kind of variable is a
dictionary, with the indices of the variable as its key. A variable that must be 0 is omitted.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, NamedTuple

from ..cards import ACE, KING
from ..deal import COLUMNS
from .relaxation import BlockLayout, Event, EventKind

if TYPE_CHECKING:
    from ortools.sat.python import cp_model

RANKS = range(ACE, KING + 1)


class Leaving(NamedTuple):
    """A block that can leave in a stage and then consumes or shows an end of some rank."""

    variable: Any  # 1 if the block leaves in the stage and consumes or shows an end of the rank
    column: int  # of the block that leaves
    block: int  # number of the block that leaves


class Variables:
    """The variables of one model, and the constraints between left, join and back.

    end_block has the variables of all stages but the last one; ``Model`` adds those of the last.
    """

    def __init__(
        self,
        model: cp_model.CpModel,
        layout: BlockLayout,
        event: Event,
        lemmas: Iterable[Event],
    ) -> None:
        self.model, self.layout, self.event = model, layout, event
        self.stages = range(event.stage + 1)
        self.bases = [layout.bases(column, event.stage) for column in range(COLUMNS)]
        self.initial = [len(column) for column in layout.columns]  # blocks of the position
        # Column, block and stage of each lemma.
        self.never_leaves = {(one.column, one.block, one.stage) for one in lemmas if one != event}
        # Keys: column, block, stage.
        self.left: dict[tuple[int, int, int], Any] = {}
        self.end_block: dict[tuple[int, int, int], Any] = {}
        # Keys: row, column, block.
        self.join: dict[tuple[int, int, int], Any] = {}
        # Keys: row, column, block, rank of the end, stage.
        self.back: dict[tuple[int, int, int, int, int], Any] = {}
        # The blocks that can show or consume an end. Keys: stage, rank of the end.
        self.shown: dict[tuple[int, int], list[Leaving]] = {}
        self.consumed: dict[tuple[int, int], list[Leaving]] = {}
        # For each stage, the ranks of all ends that can occur in it, and perhaps more.
        self.possible_ends: list[set[int]] = []
        # (column, block, stage) of all blocks that can be the end block of their column at the end
        # of the stage, and perhaps of more.
        self.possible_end_blocks: set[tuple[int, int, int]] = set()
        self._add_left()
        self._find_possible_ends()
        self._find_possible_end_blocks()
        self._add_row_cards()
        self._leave_once()

    def new_bool(self) -> Any:
        """A new boolean variable."""
        return self.model.new_bool_var("")

    def blocks(self, column: int, stage: int) -> range:
        """The block numbers of a column in a stage."""
        return range(self.initial[column] + stage)

    def start(self, stage: int) -> list[int]:
        """The ends at the start of a stage."""
        if stage:
            return list(self.layout.rows[stage - 1])
        return [column[-1].end for column in self.layout.columns]

    def empties(self, column: int) -> bool:
        """Whether the model's event is that this column becomes empty."""
        return self.event.kind is EventKind.EMPTY and self.event.column == column

    def _arrival(self, column: int, block: int) -> int:
        """The first stage of a block: 0 for a block of the position, t for the card of row t."""
        return max(block - self.initial[column] + 1, 0)

    def _add_left(self) -> None:
        last = self.event.stage
        for column in range(COLUMNS):
            for block, base in enumerate(self.bases[column]):
                for stage in range(self._arrival(column, block), last + 1):
                    stays = block == 0 and not (self.empties(column) and stage == last)
                    if base == KING or stays or (column, block, stage) in self.never_leaves:
                        continue
                    self.left[column, block, stage] = left = self.new_bool()
                    leaving = Leaving(left, column, block)
                    self.consumed.setdefault((stage, base + 1), []).append(leaving)
                    if 0 < block < self.initial[column]:
                        end = self.layout.columns[column][block - 1].end
                        self.shown.setdefault((stage, end), []).append(leaving)

    def _find_possible_ends(self) -> None:
        for stage in self.stages:
            ends = {*self.start(stage), *(rank for rank in RANKS if (stage, rank) in self.shown)}
            for row in range(1, stage + 1):
                for column in range(COLUMNS):
                    if (column, self.initial[column] + row - 1, stage) in self.left:
                        ends |= self.possible_ends[row - 1]
            self.possible_ends.append(ends)

    def _find_possible_end_blocks(self) -> None:
        for stage in self.stages:
            for column in range(COLUMNS):
                for block in reversed(self.blocks(column, stage)):
                    self.possible_end_blocks.add((column, block, stage))
                    arrival = self._arrival(column, block)
                    joins = (
                        arrival and self.bases[column][block] + 1 in self.possible_ends[arrival - 1]
                    )
                    if not joins and not any(
                        (column, block, earlier) in self.left for earlier in range(stage + 1)
                    ):
                        break  # this block stays, so no block below it becomes the end block

    def _add_row_cards(self) -> None:
        for row in range(1, self.event.stage + 1):
            for column in range(COLUMNS):
                self._add_row_card(row, column)

    def _add_row_card(self, row: int, column: int) -> None:
        """Add the variables join and back of one row card, and the ends that show if it leaves."""
        model = self.model
        card = self.initial[column] + row - 1  # the card's number as a block
        joined_end = self.bases[column][card] + 1
        ends = self.possible_ends[row - 1]
        below = [
            block for block in range(card) if (column, block, row - 1) in self.possible_end_blocks
        ]
        put_on: dict[int, list[Any]] = {block: [] for block in below}
        alternatives = []  # the card joins a block, or it leaves in a stage: at most one is 1
        for block in below:
            if joined_end in ends and joined_end <= self.bases[column][block]:
                self.join[row, column, block] = variable = self.new_bool()
                put_on[block].append(variable)
                alternatives.append(variable)
        for stage in range(row, self.event.stage + 1):
            left = self.left.get((column, card, stage))
            if left is None:
                continue
            by_rank: dict[int, list[Any]] = {}
            for block in below:
                for rank in sorted(ends - {joined_end}):
                    if rank <= self.bases[column][block]:
                        variable = self.new_bool()
                        self.back[row, column, block, rank, stage] = variable
                        put_on[block].append(variable)
                        by_rank.setdefault(rank, []).append(variable)
            model.add(left == sum(one for variables in by_rank.values() for one in variables))
            for rank, variables in by_rank.items():
                shown = self.shown.setdefault((stage, rank), [])
                shown.extend(Leaving(variable, column, card) for variable in variables)
            alternatives.append(left)
        model.add_at_most_one(alternatives)
        for block in below:
            self.end_block[column, block, row - 1] = end_block = self.new_bool()
            model.add(sum(put_on[block]) <= end_block)

    def _leave_once(self) -> None:
        for column in range(COLUMNS):
            for block in range(self.initial[column]):
                self.model.add_at_most_one(
                    self.left[column, block, stage]
                    for stage in self.stages
                    if (column, block, stage) in self.left
                )
