"""The constraint model of an event. If it has no solution, the event cannot happen.

relaxation.py defines the terms. ``Model(layout, event, lemmas)`` builds the CP-SAT model of one
event. Take any real game that leads to the event, and cut it off right after the event. Give each
variable the value that describes this game. Then all constraints are satisfied, because each
constraint below is a true statement about every such game. So if the model has no solution, no game
leads to the event. A missing statement makes the model weaker, not wrong.

**Indices.** S is the stage of the event, and s is a stage from 0 to S. Row t is dealt between the
stages t-1 and t. i is a column; r and x are ranks. k is the number of a block in its column,
counted from the bottom: first the blocks of the position, then one number for the card of each
row. A row card that joins is not a block, but it has a number too.

**Variables.** All are boolean except order.

- left[i,k,s]: block k of column i leaves in stage s. A block leaves at most once. A row card that
  joined never leaves. A King never leaves, because no rank is higher. The bottom block never
  leaves, because its column would become empty; the only exception is the event "column i becomes
  empty", in stage S.
- end_block[i,k,s]: block k is the end block of column i at the end of stage s.
- join[t,i,k]: the card of row t joins block k of column i. The end of this block was one rank
  higher than the card.
- back[t,i,k,r,s]: the card of row t buried block k of column i when the end of this block had rank
  r, and the card leaves in stage s. So block k shows in stage s, and its end has rank r again. r is
  at most the rank of the base of block k, and it is not the rank on which the card would join. For
  each row card and each stage s, the sum of its variables back over k and r is equal to its
  variable left of stage s.
- new, first, order: see Order.

A row card that neither joins nor leaves is *dead*. The block that it buried does not show again, so
no variable says which block this is. For one row card, at most one of its join and back variables
is 1. If such a variable of block k is 1, the card was put on block k, so end_block[i,k,t-1] is 1.
Therefore, for each k, the sum of the join and back variables of the card is at most
end_block[i,k,t-1].

**End blocks.** In stage s, block k becomes the end block of its column in one of three ways: the
card of row s joins it; it is the card of row s, which does not join; or the block directly above it
leaves. The block directly above k is k+1 if both are blocks of the position, or else the row card
that buried k (a back variable). Block k stops being the end block when it leaves. The end block of
stage s-1 is no longer the end block if the card of row s buries it. Each of these things happens at
most once in a stage. So end_block[i,k,s] is the sum of

- join[s,i,k],
- 1 minus the sum of join[s,i,.], if k is the number of the card of row s,
- left[i,k+1,s], if k and k+1 are both blocks of the position,
- the sum of back[.,i,k,.,s],
- minus left[i,k,s].

At the start of stage 0, the end block is the last block of the position. At the end of a stage,
exactly one block of a column is its end block, unless the column has become empty.

**Counts.** The ends at the start of stage s are those of the position (s = 0) or the cards of row
s. ends(s,r) = start + shown - consumed is the number of ends of rank r at the end of stage s. It is
never negative. The cards of row t that are not dead and were put on ends of rank r were put on
different ends. All of these were there at the end of stage t-1, so there are at most ends(t-1,r)
such cards.

**Steps.** steps(s,x), for x from 2 to 13, is the number of end blocks that contain the ranks x and
x-1 at the end of stage s. It is equal to the number of end blocks whose base is at least x, minus
the number of end blocks whose end is at least x: the latter are among the former, because an end is
at most its base. steps(s,x) is never negative. Consider the join and back variables of row s+1 that
are 1 and for which the base of block k >= x > r (for join, r is the rank of the end that is
joined). They belong to different columns, and each belongs to an end block that contains x and x-1.
So there are at most steps(s,x) of them.

**Order.** In a stage, an end must be there before it is consumed. Call a rank *absent* if no end
has it at the start of stage s. new[s,r] is 1 if an end of the absent rank r is consumed in stage s.
In this case, exactly one leaving block is the first to show r in the stage; its variable
first[s,r,.] is 1. order[s,r] is the place of r in the order in which the absent ranks show for the
first time; two ranks never show at the same time. The block that is the first to show r consumes an
end that was there before. So this end does not have rank r, and its rank is not absent or comes
earlier in the order. The same holds for the end that is consumed by a block above it which left in
the same stage, because that block left earlier.

In addition, let R be a set of absent ranks. Consider the first time in the stage that an end with a
rank in R is there. At this moment a block leaves that shows a rank in R and consumes a rank that is
not in R. So if a rank in R is consumed at all, there is such a block.

**Events.**

- EMPTY: the bottom block of the column leaves in stage S. The game is cut off after this move. It
  does not matter whether the move also makes thirteen cards lie together at its target.
- LEAVES: the block leaves in stage S, and no first event has happened before.
- THIRTEEN: when the game is cut off, an end block reaches from King to Ace. So steps(S,x) >= 1 for
  all x, an Ace is among the ends, and a King is the base of an end block. In a case of the event,
  this King is the one that the case names.

**Lemmas.** A LEAVES event that was refuted earlier was refuted by such a model, cut off at its own
stage. So the block never leaves in that stage before a first event, and it does not leave in that
stage by the move that makes thirteen cards lie together. Its variable left is omitted from later
models. Other variables that can be 1 only if an omitted variable is 1 are omitted too: those of
ends that cannot occur in a stage, and those of blocks that cannot be an end block at the end of a
stage. variables.py computes possible_ends and possible_end_blocks for this, from stage to stage.
Both contain everything that can occur, and may contain more.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations
from typing import Any

from ..cards import ACE, KING
from ..deal import COLUMNS
from .cpsat import import_cp_model
from .relaxation import BlockLayout, Event, EventKind
from .variables import RANKS, Variables

MODEL_VERSION = 1  # part of the certificate format
_STEP_RANKS = range(ACE + 1, KING + 1)  # the ranks x for which steps(s,x) is defined
_LARGEST_SET = 3  # the size of the largest sets R for which there is a constraint


class Model:
    """The constraint model of one event.

    ``model`` is the CpModel. The methods follow the paragraphs of the module's docstring, which
    gives the reason for each constraint.
    """

    def __init__(self, layout: BlockLayout, event: Event, lemmas: Iterable[Event] = ()) -> None:
        self.model = import_cp_model().CpModel()
        self.variables = Variables(self.model, layout, event, lemmas)
        self._layout, self._event = layout, event
        self._ends: dict[tuple[int, int], Any] = {}  # by stage and rank
        self._add_end_blocks()
        self._add_counts()
        for stage in self.variables.stages:
            self._add_order(stage)
        self._add_steps()
        self._add_event()

    def _add_end_blocks(self) -> None:
        variables = self.variables
        gained: dict[tuple[int, int, int], list[Any]] = {}
        for (row, column, block), variable in variables.join.items():
            gained.setdefault((column, block, row), []).append(variable)
            card = variables.initial[column] + row - 1
            gained.setdefault((column, card, row), []).append(-variable)
        for (_, column, block, _, stage), variable in variables.back.items():
            gained.setdefault((column, block, stage), []).append(variable)
        for column in range(COLUMNS):
            for stage in variables.stages:
                end_blocks = [
                    variable
                    for block in variables.blocks(column, stage)
                    if (variable := self._add_end_block(column, block, stage, gained)) is not None
                ]
                if not (variables.empties(column) and stage == self._event.stage):
                    self.model.add_exactly_one(end_blocks)

    def _add_end_block(
        self, column: int, block: int, stage: int, gained: dict[tuple[int, int, int], list[Any]]
    ) -> Any:
        """Add the constraint on one variable end_block; return it, or None if it must be 0.

        gained: the terms of join and back in the sum, by column, block and stage.
        """
        variables, key = self.variables, (column, block, stage)
        total = sum(gained.get(key, ()))
        if block == variables.blocks(column, stage)[-1]:
            total = total + 1  # the row's card, or the last block of the position
        if block + 1 < variables.initial[column]:
            total = total + variables.left.get((column, block + 1, stage), 0)
        total = total - variables.left.get(key, 0)
        if key in variables.possible_end_blocks:
            if key not in variables.end_block:
                variables.end_block[key] = variables.new_bool()
            self.model.add(variables.end_block[key] == total)
            return variables.end_block[key]
        if not isinstance(total, int):
            self.model.add(total == 0)
        return None

    def _add_counts(self) -> None:
        variables = self.variables
        for stage in variables.stages:
            start = variables.start(stage)
            for rank in RANKS:
                self._ends[stage, rank] = ends = (
                    start.count(rank)
                    + sum(one.variable for one in variables.shown.get((stage, rank), ()))
                    - sum(one.variable for one in variables.consumed.get((stage, rank), ()))
                )
                self.model.add(ends >= 0)
                if stage < self._event.stage:
                    self.model.add(sum(self._put_on_ends(stage, rank)) <= ends)

    def _put_on_ends(self, stage: int, rank: int) -> list[Any]:
        """The join and back variables for cards that the next row puts on ends of a rank."""
        joined = [
            variable
            for (row, column, _), variable in self.variables.join.items()
            if row == stage + 1 and self._layout.rows[stage][column] + 1 == rank
        ]
        buried = [
            variable
            for (row, _, _, end, _), variable in self.variables.back.items()
            if row == stage + 1 and end == rank
        ]
        return joined + buried

    def _add_order(self, stage: int) -> None:
        variables, present = self.variables, set(self.variables.start(stage))
        absent = [rank for rank in RANKS if rank not in present]
        order = {rank: self.model.new_int_var(1, len(absent), "") for rank in absent}
        new: dict[int, Any] = {}
        for rank in absent:
            if not variables.consumed.get((stage, rank)):
                continue
            new[rank] = variables.new_bool()
            for leaving in variables.consumed[stage, rank]:
                self.model.add_implication(leaving.variable, new[rank])
            first = self._add_first(stage, rank, order)
            self.model.add(sum(first) == new[rank])
        for size in range(1, _LARGEST_SET + 1):
            for ranks in combinations(new, size):  # a set R
                entering = sum(
                    leaving.variable
                    for rank in ranks
                    for leaving in variables.shown.get((stage, rank), ())
                    if variables.bases[leaving.column][leaving.block] + 1 not in ranks
                )
                for rank in ranks:
                    self.model.add(new[rank] <= entering)

    def _add_first(self, stage: int, rank: int, order: dict[int, Any]) -> list[Any]:
        """Add and return the variables first of one absent rank.

        order: the variables order of this stage, by absent rank.
        """
        model, variables = self.model, self.variables
        first = []
        for shown, column, block in variables.shown.get((stage, rank), ()):
            consumed = variables.bases[column][block] + 1
            if consumed == rank:
                continue
            variable = variables.new_bool()
            first.append(variable)
            model.add_implication(variable, shown)
            if consumed in order:
                model.add(order[rank] >= order[consumed] + 1).only_enforce_if(variable)
            for above in range(block + 1, variables.initial[column] + stage):
                left = variables.left.get((column, above, stage))
                consumed = variables.bases[column][above] + 1
                if left is None or consumed not in order:
                    continue
                if consumed == rank:
                    model.add_bool_or([~variable, ~left])
                else:
                    model.add(order[rank] >= order[consumed] + 1).only_enforce_if([variable, left])
        return first

    def _add_steps(self) -> None:
        variables = self.variables
        for stage in variables.stages:
            for rank in _STEP_RANKS:
                bases = sum(
                    variables.end_block[column, block, stage]
                    for column in range(COLUMNS)
                    for block in variables.blocks(column, stage)
                    if variables.bases[column][block] >= rank
                    and (column, block, stage) in variables.end_block
                )
                ends = sum(self._ends[stage, end] for end in range(rank, KING + 1))
                steps = bases - ends
                if stage < self._event.stage:
                    self.model.add(steps >= sum(self._put_on_steps(stage, rank)))
                else:
                    self.model.add(steps >= (self._event.kind is EventKind.THIRTEEN))

    def _put_on_steps(self, stage: int, rank: int) -> list[Any]:
        """The join and back variables of the next row for end blocks that contain a step.

        rank: the rank x of the step, which consists of the ranks x and x-1.
        """
        variables = self.variables
        joined = [
            variable
            for (row, column, block), variable in variables.join.items()
            if row == stage + 1
            and variables.bases[column][block] >= rank > self._layout.rows[stage][column] + 1
        ]
        buried = [
            variable
            for (row, column, block, end, _), variable in variables.back.items()
            if row == stage + 1 and variables.bases[column][block] >= rank > end
        ]
        return joined + buried

    def _add_event(self) -> None:
        variables, event, last = self.variables, self._event, self._event.stage
        if event.kind is EventKind.EMPTY:
            self._require(variables.left.get((event.column or 0, 0, last)))
        elif event.kind is EventKind.LEAVES:
            self._require(variables.left.get((event.column or 0, event.block or 0, last)))
        else:
            self.model.add(self._ends[last, ACE] >= 1)
            king_bases = sum(
                variables.end_block[column, block, last]
                for column in range(COLUMNS)
                for block in variables.blocks(column, last)
                if variables.bases[column][block] == KING
                and (column, block, last) in variables.end_block
            )
            self.model.add(king_bases >= 1)
            if event.column is not None and event.block is not None:
                self._require(variables.end_block.get((event.column, event.block, last)))

    def _require(self, variable: Any) -> None:
        """Require that a variable is 1. If it is missing, it is 0, and the model is infeasible."""
        if variable is None:
            self.model.add_bool_or([])
        else:
            self.model.add(variable == 1)
