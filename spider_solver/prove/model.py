"""The relaxation (see relaxation.py) as a constraint model. Infeasible means impossible.

``Model(layout, event, lemmas)`` builds a CP-SAT model for one event. Each real play that leads to
the event satisfies the model, with the variables set to what happened in that play. So if the
model has no solution, no play leads to the event. Each constraint below is therefore a true
statement about real play up to the first event. A statement that is missing makes the model
weaker, not wrong.

S is the stage of the event. The play is cut off at the event. The blocks of column i are numbered
by k from the bottom of the column: first the blocks of the position, then one block for each row
card. A row card is a block only if it does not join.

**Variables.** All are boolean except order.

- left[i,k,s]: block k of column i leaves in stage s. This happens at most once, and never if the
  block is a row card that joined. A King never leaves, because no rank is higher. The lowest block
  never leaves, because the column would become empty; the only exception is the event "column i
  empties", in stage S.
- top[i,k,s]: block k is the end block of column i at the end of stage s.
- join[t,i,k]: the card of row t joins block k of column i, whose end was one rank higher.
- back[t,i,k,r,s]: the card of row t buried block k of column i when that block had the end r, and
  the card leaves in stage s. So block k shows in stage s, and r is an end again. r is at most the
  base of block k, and it is not the rank that the card would join. The sum of these variables
  over k and r is left of that card in stage s.
- new, first, order: see Order.

A row card that neither joins nor leaves is *dead*: what it buried has no consequence any more and
has no variable. For one row card, at most one of its join and back variables is 1. If the card is
put on block k, then top[i,k,t-1] is 1. So for each k, the join and back variables of the card sum
to at most top[i,k,t-1].

**Tops.** In a stage, block k becomes the end block in one of three ways: the row's card joins it;
it is the row's card itself, which does not join; or the block directly above it leaves. The block
directly above is k+1 if that is one of the position's own blocks, or a row card that buried k (its
back variable). Block k stops being the end block when it leaves. The block that was the end block
before the row is buried if the row's card does not join it. Each of these happens at most once
in a stage. So top[i,k,s] is the sum of

- join[s,i,k],
- 1 minus the sum of join[s,i,.], if k is the card of row s,
- left[i,k+1,s], if k and k+1 are both the position's own blocks,
- the sum of back[.,i,k,.,s],
- minus left[i,k,s].

In stage 0 the position's last block is the end block at the start. Exactly one block of a column
is its end block, unless the column has become empty.

**Counts.** The ends at the start of stage s are those of the position, or the cards of row s.
ends(s,r) = start + shown - consumed is the number of ends of rank r at the end of stage s. It is
never negative. The cards of row t that are not dead and were put on ends of rank r were put on
different ends, which were all there at the end of stage t-1: so they are at most ends(t-1,r).

**Steps.** steps(s,x), for x from 2 to 13, is the number of end blocks that contain both x and x-1
at the end of stage s. It is the number of end blocks with a base of at least x, minus the number
of end blocks with an end of at least x; the latter are among the former, as an end is at most its
base. steps(s,x) is never negative. It is at least the number of the join and back variables of row
s+1 that are 1 and have base of k >= x > r (for join, r is the end that is joined): these are such
blocks, in different columns.

**Order.** In a stage, an end of a rank that is absent at the start must show before it is
consumed. new[s,r]: such an absent rank r is consumed in stage s. Then one leaving block is the
first to show r in that stage: first[s,r,.]. That block consumes an end of a rank other than r
which was there before: a rank of the start, or a rank of lower order. The order of the ranks is
that of their first time in the stage; two ranks never show at the same time. The same holds for
every block above that block which left in the same stage, because those left before it; in
particular none of them consumed r. Furthermore, let R be any set of ranks that are absent at the
start. The first time that an end with a rank in R is there, a block has left that shows a rank in
R and consumes a rank not in R. So if a rank in R is consumed at all, there is such a block.

**Events.** EMPTY: the lowest block of the column leaves in stage S. This is the last thing that
the model covers; whether the move makes thirteen cards lie together at its target does not matter.
LEAVES: the block leaves in stage S, and no event happened before. THIRTEEN: at that moment an end
block reaches from King to Ace. So steps(S,x) >= 1 for all x, an Ace is among the ends, and a King
is the base of an end block; in a case of the event it is the King that the case names.

**Lemmas.** Take a LEAVES event that was refuted earlier, by such a model cut off at its own stage.
That block never leaves in that stage before a first event, nor by the move that makes thirteen
cards lie together. So it has no variable in later models. Variables that can only be 1 if such a
missing variable is 1 are left out as well: those of ends that cannot occur in a stage (may_end),
and of blocks that cannot be the end block at the end of a stage (may_top). Both sets are supersets
of what can occur, and a plain forward count finds them.
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

VERSION = 1  # of the model; part of the certificate format
_STEPS = range(ACE + 1, KING + 1)
_LARGEST_SET = 3  # the largest set R of ranks for which the constraint is written out


class Model:
    """The constraint model of one event.

    ``model`` is the CpModel. The methods follow the paragraphs of the module's docstring.
    """

    def __init__(self, layout: BlockLayout, event: Event, lemmas: Iterable[Event] = ()) -> None:
        self.model = import_cp_model().CpModel()
        self.variables = Variables(self.model, layout, event, lemmas)
        self._layout, self._event = layout, event
        self._ends: dict[tuple[int, int], Any] = {}  # by stage and rank
        self._add_tops()
        self._add_counts()
        for stage in self.variables.stages:
            self._add_order(stage)
        self._add_steps()
        self._add_event()

    def _add_tops(self) -> None:
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
                tops = [
                    top
                    for block in variables.blocks(column, stage)
                    if (top := self._add_top(column, block, stage, gained)) is not None
                ]
                if not (variables.empties(column) and stage == self._event.stage):
                    self.model.add_exactly_one(tops)

    def _add_top(
        self, column: int, block: int, stage: int, gained: dict[tuple[int, int, int], list[Any]]
    ) -> Any:
        """Add the constraint on one top variable; returns the variable, None if it must be 0.

        gained: the terms of join and back, by column, block and stage.
        """
        variables, key = self.variables, (column, block, stage)
        total = sum(gained.get(key, ()))
        if block == variables.blocks(column, stage)[-1]:
            total = total + 1  # the row's card, or the last block of the position
        if block + 1 < variables.initial[column]:
            total = total + variables.left.get((column, block + 1, stage), 0)
        total = total - variables.left.get(key, 0)
        if key in variables.may_top:
            if key not in variables.top:
                variables.top[key] = variables.new_bool()
            self.model.add(variables.top[key] == total)
            return variables.top[key]
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
        """The join and back variables of the row after a stage whose cards meet ends of a rank."""
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
            for group in combinations(new, size):
                entries = sum(
                    leaving.variable
                    for rank in group
                    for leaving in variables.shown.get((stage, rank), ())
                    if variables.bases[leaving.column][leaving.block] + 1 not in group
                )
                for rank in group:
                    self.model.add(new[rank] <= entries)

    def _add_first(self, stage: int, rank: int, order: dict[int, Any]) -> list[Any]:
        """Add first[s,r,.] for one absent rank. order: the order variables of absent ranks."""
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
            for rank in _STEPS:
                bases = sum(
                    variables.top[column, block, stage]
                    for column in range(COLUMNS)
                    for block in variables.blocks(column, stage)
                    if variables.bases[column][block] >= rank
                    and (column, block, stage) in variables.top
                )
                ends = sum(self._ends[stage, end] for end in range(rank, KING + 1))
                steps = bases - ends
                if stage < self._event.stage:
                    self.model.add(steps >= sum(self._buried_steps(stage, rank)))
                else:
                    self.model.add(steps >= (self._event.kind is EventKind.THIRTEEN))

    def _buried_steps(self, stage: int, rank: int) -> list[Any]:
        """The join and back variables of the row after a stage whose blocks contain a step."""
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
                variables.top[column, block, last]
                for column in range(COLUMNS)
                for block in variables.blocks(column, last)
                if variables.bases[column][block] == KING and (column, block, last) in variables.top
            )
            self.model.add(king_bases >= 1)
            if event.column is not None and event.block is not None:
                self._require(variables.top.get((event.column, event.block, last)))

    def _require(self, variable: Any) -> None:
        """Require that a variable is 1. A missing variable is 0, so the model is infeasible."""
        if variable is None:
            self.model.add_bool_or([])
        else:
            self.model.add(variable == 1)
