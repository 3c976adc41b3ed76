"""The relaxation (see relaxation.py) as a constraint model: infeasible means impossible.

``Model(layout, event, lemmas)`` builds a CP-SAT model that every real play which leads to the
event satisfies, by setting the variables to what happened. So if it has no solution, no play
leads to the event. Each constraint below is therefore a true sentence about real play up to
the first event; that they might miss something only costs strength. S is the event's stage;
the play is cut at the event. Blocks of column i are numbered k from its bottom: first those
of the position, then one for each row card, which is a block only if it doesn't join.

**Variables**, all boolean but order:

- left[i,k,s]: block k of column i leaves in stage s: once at most, and never if it joined. A
  King never leaves (nothing is higher). The lowest block never leaves, as that would empty
  the column, except in the event "column i empties", in stage S.
- top[i,k,s]: block k is the end block of column i at the end of stage s.
- join[t,i,k]: the card of row t joins block k of column i, which ended one rank higher.
- back[t,i,k,r,s]: the card of row t buried block k of column i, which ended in r, and leaves
  in stage s; so block k shows then, and r is an end again. r is at most block k's base and
  not what the card would join. Their sum over k and r is left of that card in stage s.
- new, first, order: see Order.

A row card that neither joins nor leaves is *dead*: what it buried has no consequence any more
and has no variable. A row card is one of join and back of its row at most, and if it's put on
block k then top[i,k,t-1]: so these, for a k, sum to at most top[i,k,t-1].

**Tops.** In a stage a block k gets on top by the row's card joining it, by being the row's
card itself without joining, or by the leaving of the block right above it, which is k+1 if
that is one of the position's own, or a row card that buried k (its back). It stops being on
top by leaving. What was on top before the row and isn't joined is buried. Each of these
happens once in a stage at most, so top[i,k,s] = join[s,i,k] + (1 - the sum of join[s,i,.], if
k is the row's card) + left[i,k+1,s] (if both are the position's own) + the sum of
back[.,i,k,.,s] - left[i,k,s]. In stage 0 the position's last block starts on top. Exactly one
block of a column is its end block, unless the column has emptied.

**Counts.** With the position's ends or the row's cards as the start of stage s, ends(s,r) =
start + shown - consumed is how many ends of rank r stand at its end: never negative. The
cards of row t that aren't dead and were put on ends of rank r were put on different ones, of
those that stood then: they are at most ends(t-1,r).

**Steps.** steps(s,x), for x from 2 to 13, is how many end blocks hold both x and x-1 at the
end of stage s: those with a base of at least x, less those with an end of at least x, which
are among them as ends are at most bases. Never negative; and at least the number of join and
back of row s+1 with base of k >= x > r (for join, r is the end that is joined): such blocks,
in different columns.

**Order.** In a stage, an end of a rank that doesn't stand at its start must show before it's
consumed. new[s,r]: such a rank r is consumed in stage s. Then one leaving is the first to
show r in that stage, first[s,r,.]. That consumes a rank other than r that stood before: one
from the start, or one of lower order, the order of ranks being that of their first time in
the stage (two ranks never show at the same time). The same goes for every block above it that
left in the stage, as those left before it; so none of them consumed r. And for every set R of
ranks that don't stand at the start: the first time that any rank in R stands, it's by a block
that shows a rank in R and consumes one not in R. So if a rank in R is consumed at all, there
is such a block.

**Events.** EMPTY: the lowest block of the column leaves in stage S, as the last thing that is
looked at (whether it makes thirteen stand together where it lands doesn't matter). LEAVES:
the block leaves in stage S, and no event happened before. THIRTEEN: at that moment an end
block is King to Ace, so steps(S,x) >= 1 for all x, an Ace is among the ends, and a King is an
end block's base; in a case of the event, the King that the case names.

**Lemmas.** A LEAVES event that was refuted before, by such a model cut at its own stage,
never happens before a first event, so it has no variable in later models. What can't be
without it has none either: ends that never stand in a stage (may_end) and blocks that are
never on top at its end (may_top), both of them supersets found by a plain forward count.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations
from typing import TYPE_CHECKING, Any

from ..cards import ACE, KING
from ..deal import COLUMNS
from ..errors import SpiderError
from .relaxation import Event, EventKind, Layout

if TYPE_CHECKING:
    from ortools.sat.python import cp_model

VERSION = 1
_RANKS = range(ACE, KING + 1)
_STEPS = range(ACE + 1, KING + 1)
_CUT_SIZE = 3  # the largest set R of ranks for which the cut is written out


def ortools() -> Any:
    """The module cp_model of OR-tools; SpiderError says what to install if it's missing."""
    try:
        from ortools.sat.python import cp_model
    except ImportError:
        raise SpiderError(
            "proofs need OR-tools, which isn't installed: pip install 'spider-solver[prove]'"
        ) from None
    return cp_model


def _sum(terms: Iterable[Any]) -> Any:
    return sum(terms)


class Model:
    """The constraint model of one event; ``model`` is the CpModel, ``left`` as above."""

    def __init__(self, layout: Layout, event: Event, lemmas: Iterable[Event] = ()) -> None:
        self.model: cp_model.CpModel = ortools().CpModel()
        self.layout, self.event = layout, event
        self.stages = range(event.stage + 1)
        self.bases = [layout.bases(column, event.stage) for column in range(COLUMNS)]
        self.initial = [len(column) for column in layout.columns]
        self.never = {(one.column, one.block, one.stage) for one in lemmas if one != event}
        self.left: dict[tuple[int, int, int], Any] = {}
        self.top: dict[tuple[int, int, int], Any] = {}
        self.join: dict[tuple[int, int, int], Any] = {}
        self.back: dict[tuple[int, int, int, int, int], Any] = {}
        # in a stage, of a rank: (literal, column, block that leaves)
        self.shown: dict[tuple[int, int], list[tuple[Any, int, int]]] = {}
        self.consumed: dict[tuple[int, int], list[tuple[Any, int, int]]] = {}
        self.ends: dict[tuple[int, int], Any] = {}
        self.steps: dict[tuple[int, int], Any] = {}
        self._leaving()
        self._possible()
        self._rows()
        self._tops()
        self._counts()
        for stage in self.stages:
            self._order(stage)
        self._steps()
        self._event()

    def _bool(self) -> Any:
        return self.model.new_bool_var("")

    def _arrival(self, column: int, block: int) -> int:
        return max(block - self.initial[column] + 1, 0)

    def _blocks(self, column: int, stage: int) -> range:
        return range(self.initial[column] + stage)

    def _empties(self, column: int) -> bool:
        return self.event.kind is EventKind.EMPTY and self.event.column == column

    def _leaving(self) -> None:
        last = self.event.stage
        for column in range(COLUMNS):
            for block, base in enumerate(self.bases[column]):
                for stage in range(self._arrival(column, block), last + 1):
                    lowest = not (block or (self._empties(column) and stage == last))
                    if base == KING or lowest or (column, block, stage) in self.never:
                        continue
                    self.left[column, block, stage] = left = self._bool()
                    self.consumed.setdefault((stage, base + 1), []).append((left, column, block))
                    if 0 < block < self.initial[column]:
                        end = self.layout.columns[column][block - 1].end
                        self.shown.setdefault((stage, end), []).append((left, column, block))

    def _possible(self) -> None:
        """Supersets, to leave out variables that must be zero: ends in a stage, top blocks."""
        self.may_end: list[set[int]] = []
        for stage in self.stages:
            ends = {*self._start(stage), *(r for r in _RANKS if (stage, r) in self.shown)}
            for row in range(1, stage + 1):
                for column in range(COLUMNS):
                    if (column, self.initial[column] + row - 1, stage) in self.left:
                        ends |= self.may_end[row - 1]
            self.may_end.append(ends)
        self.may_top: set[tuple[int, int, int]] = set()
        for stage in self.stages:
            for column in range(COLUMNS):
                for block in reversed(self._blocks(column, stage)):
                    self.may_top.add((column, block, stage))
                    arrival = self._arrival(column, block)
                    joins = arrival and self.bases[column][block] + 1 in self.may_end[arrival - 1]
                    if not joins and not any(
                        (column, block, earlier) in self.left for earlier in range(stage + 1)
                    ):
                        break

    def _rows(self) -> None:
        """What each row card did: join and back, with what shows by them."""
        model = self.model
        for row in range(1, self.event.stage + 1):
            ends = self.may_end[row - 1]
            for column in range(COLUMNS):
                card = self.initial[column] + row - 1  # the row card's number as a block
                onto = self.bases[column][card] + 1  # the end that it joins
                below = [b for b in range(card) if (column, b, row - 1) in self.may_top]
                on: dict[int, list[Any]] = {block: [] for block in below}
                fate = []
                for block in below:
                    if onto in ends and onto <= self.bases[column][block]:
                        self.join[row, column, block] = variable = self._bool()
                        on[block].append(variable)
                        fate.append(variable)
                for stage in range(row, self.event.stage + 1):
                    left = self.left.get((column, card, stage))
                    if left is None:
                        continue
                    by_rank: dict[int, list[Any]] = {}
                    for block in below:
                        for rank in sorted(ends - {onto}):
                            if rank <= self.bases[column][block]:
                                variable = self._bool()
                                self.back[row, column, block, rank, stage] = variable
                                on[block].append(variable)
                                by_rank.setdefault(rank, []).append(variable)
                    model.add(left == _sum(one for each in by_rank.values() for one in each))
                    for rank, variables in by_rank.items():
                        for one in variables:
                            self.shown.setdefault((stage, rank), []).append((one, column, card))
                    fate.append(left)
                model.add_at_most_one(fate)
                for block in below:
                    self._below(row, column, block, on[block])
        for column in range(COLUMNS):
            for block in range(self.initial[column]):
                model.add_at_most_one(
                    self.left[column, block, stage]
                    for stage in self.stages
                    if (column, block, stage) in self.left
                )

    def _below(self, row: int, column: int, block: int, on: list[Any]) -> None:
        self.top[column, block, row - 1] = top = self._bool()
        self.model.add(_sum(on) <= top)

    def _tops(self) -> None:
        gained: dict[tuple[int, int, int], list[Any]] = {}
        for (row, column, block), variable in self.join.items():
            gained.setdefault((column, block, row), []).append(variable)
            card = self.initial[column] + row - 1
            gained.setdefault((column, card, row), []).append(-variable)
        for (_, column, block, _, stage), variable in self.back.items():
            gained.setdefault((column, block, stage), []).append(variable)
        for column in range(COLUMNS):
            for stage in self.stages:
                tops = []
                for block in self._blocks(column, stage):
                    key = column, block, stage
                    gain = _sum(gained.get(key, ()))
                    if block == self._blocks(column, stage)[-1]:
                        gain += 1  # the row's card, or the last block of the position
                    if block + 1 < self.initial[column]:
                        gain += self.left.get((column, block + 1, stage), 0)
                    gain -= self.left.get(key, 0)
                    if key in self.may_top:
                        if key not in self.top:
                            self.top[key] = self._bool()
                        self.model.add(self.top[key] == gain)
                        tops.append(self.top[key])
                    elif not isinstance(gain, int):
                        self.model.add(gain == 0)
                if not (self._empties(column) and stage == self.event.stage):
                    self.model.add_exactly_one(tops)

    def _start(self, stage: int) -> list[int]:
        if stage:
            return list(self.layout.rows[stage - 1])
        return [column[-1].end for column in self.layout.columns]

    def _counts(self) -> None:
        for stage in self.stages:
            start = self._start(stage)
            for rank in _RANKS:
                self.ends[stage, rank] = ends = (
                    start.count(rank)
                    + _sum(one[0] for one in self.shown.get((stage, rank), ()))
                    - _sum(one[0] for one in self.consumed.get((stage, rank), ()))
                )
                self.model.add(ends >= 0)
                if stage < self.event.stage:
                    used = [
                        *(
                            variable
                            for (row, column, _), variable in self.join.items()
                            if row == stage + 1 and self.layout.rows[stage][column] + 1 == rank
                        ),
                        *(
                            variable
                            for (row, _, _, end, _), variable in self.back.items()
                            if row == stage + 1 and end == rank
                        ),
                    ]
                    self.model.add(_sum(used) <= ends)

    def _order(self, stage: int) -> None:
        model, start = self.model, set(self._start(stage))
        absent = [rank for rank in _RANKS if rank not in start]
        order = {rank: model.new_int_var(1, len(absent), "") for rank in absent}
        new: dict[int, Any] = {}
        for rank in absent:
            if not self.consumed.get((stage, rank)):
                continue
            new[rank] = self._bool()
            for left, _, _ in self.consumed[stage, rank]:
                model.add_implication(left, new[rank])
            first = []
            for shown, column, block in self.shown.get((stage, rank), ()):
                sources = [self.bases[column][block] + 1]
                if sources[0] == rank:
                    continue
                variable = self._bool()
                first.append(variable)
                model.add_implication(variable, shown)
                if sources[0] in order:
                    model.add(order[rank] >= order[sources[0]] + 1).only_enforce_if(variable)
                for above in range(block + 1, self.initial[column] + stage):
                    left = self.left.get((column, above, stage))
                    source = self.bases[column][above] + 1
                    if left is None or source in start:
                        continue
                    if source == rank:
                        model.add_bool_or([~variable, ~left])
                    else:
                        model.add(order[rank] >= order[source] + 1).only_enforce_if(
                            [variable, left]
                        )
            model.add(_sum(first) == new[rank])
        for size in range(1, _CUT_SIZE + 1):
            for group in combinations(new, size):
                entries = _sum(
                    shown
                    for rank in group
                    for shown, column, block in self.shown.get((stage, rank), ())
                    if self.bases[column][block] + 1 not in group
                )
                for rank in group:
                    model.add(new[rank] <= entries)

    def _steps(self) -> None:
        for stage in self.stages:
            for x in _STEPS:
                high = _sum(
                    self.top[column, block, stage]
                    for column in range(COLUMNS)
                    for block in self._blocks(column, stage)
                    if self.bases[column][block] >= x and (column, block, stage) in self.top
                )
                self.steps[stage, x] = steps = high - _sum(
                    self.ends[stage, rank] for rank in range(x, KING + 1)
                )
                if stage < self.event.stage:
                    held = [
                        *(
                            variable
                            for (row, column, block), variable in self.join.items()
                            if row == stage + 1
                            and self.bases[column][block] >= x > self.layout.rows[stage][column] + 1
                        ),
                        *(
                            variable
                            for (row, column, block, end, _), variable in self.back.items()
                            if row == stage + 1 and self.bases[column][block] >= x > end
                        ),
                    ]
                    self.model.add(steps >= _sum(held))
                else:
                    self.model.add(steps >= (self.event.kind is EventKind.THIRTEEN))

    def _event(self) -> None:
        event, last = self.event, self.event.stage
        if event.kind is EventKind.EMPTY:
            self._require(self.left.get((event.column or 0, 0, last)))
        elif event.kind is EventKind.LEAVES:
            self._require(self.left.get((event.column or 0, event.block or 0, last)))
        else:
            self.model.add(self.ends[last, ACE] >= 1)
            self.model.add(
                _sum(
                    self.top[column, block, last]
                    for column in range(COLUMNS)
                    for block in self._blocks(column, last)
                    if self.bases[column][block] == KING and (column, block, last) in self.top
                )
                >= 1
            )
            if event.column is not None and event.block is not None:
                self._require(self.top.get((event.column, event.block, last)))

    def _require(self, variable: Any) -> None:
        if variable is None:
            self.model.add_bool_or([])
        else:
            self.model.add(variable == 1)
