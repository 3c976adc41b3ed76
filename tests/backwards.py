"""Helpers for the tests of exhaustive search: positions made backwards from a win."""

from __future__ import annotations

import random
from contextlib import suppress

from packed import SUIT_MODES
from play import run

from spider_solver.cards import ACE, KING, rank_of
from spider_solver.deal import COLUMNS, SETS, Deal, RowRule, ends_in_completed_run
from spider_solver.errors import DealError
from spider_solver.game import ROW, Action, Move


def won_position(seed: int) -> tuple[Deal, list[Action]]:
    """Return a position of one to eight runs and actions that win it.

    Some have one or two rows left. Half of them have at most one empty column.
    """
    rng = random.Random(seed)
    while True:
        game = _Backwards(rng)
        game.play(rng.randint(4, 50), rows=rng.choice((0, 0, 1, 2)))
        if game.left or (seed % 2 and game.columns.count([]) > 1):
            continue
        with suppress(DealError):  # a column contains a completed run under other cards
            return game.deal(), game.line[::-1]


class _Backwards:
    """A won position from which actions are taken back."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.rules = rng.choice([*RowRule])
        suits = [*SUIT_MODES[rng.choice([*SUIT_MODES])]]
        rng.shuffle(suits)
        runs = rng.randint(1, SETS)
        self.left, self.completed = suits[:runs], suits[runs:]  # left: to be taken back
        self.columns: list[list[int]] = [[] for _ in range(COLUMNS)]
        self.down = [0] * COLUMNS
        self.stock: list[int] = []
        self.turning = rng.random()  # the chance that a move turned a card
        self.line: list[Action] = []  # the actions taken back, last action first

    def play(self, steps: int, rows: int) -> None:
        """Take back about so many actions, and at most so many rows."""
        for step in range(steps):
            if self.left and self.rng.random() < max(0.3, step / steps):
                self.take_back_run()
            else:
                self.take_back_move()
            if rows and self.rng.random() < 0.3:
                rows -= self.take_back_row()

    def was_turned(self, column: int) -> bool:
        """Return whether the end card was turned by the action; chosen at random if possible."""
        up = len(self.columns[column]) - self.down[column]
        return up == 1 and self.rng.random() < self.turning

    def take_back_run(self) -> None:
        """Take back a move that completed a run."""
        source, target = self.rng.sample(range(COLUMNS), 2)
        count, suit = self.rng.randint(ACE, KING - 1), self.left[-1]
        turned = self.was_turned(source), self.was_turned(target)
        cards = self.columns[source] + run(count, ACE, suit)
        if ends_in_completed_run(cards, self.down[source] + turned[0]):
            return
        self.left.pop()
        self.columns[source] = cards
        self.columns[target] += run(KING, count + 1, suit)
        self.down[source] += turned[0]
        self.down[target] += turned[1]
        self.line.append(Move(source, target, count))

    def take_back_move(self) -> None:
        """Take back a move that completed no run, if the one chosen at random was legal."""
        source, target = self.rng.sample(range(COLUMNS), 2)
        counts = self.counts(target)
        if not counts:
            return
        count = self.rng.choice(counts)
        turned = self.was_turned(source)
        rest, lifted = self.columns[target][:-count], self.columns[target][-count:]
        cards = self.columns[source] + lifted
        if ends_in_completed_run(cards, self.down[source] + turned):
            return
        self.columns[source], self.columns[target] = cards, rest
        self.down[source] += turned
        self.line.append(Move(source, target, count))

    def counts(self, target: int) -> list[int]:
        """Return the numbers of cards that the last move can have put on a column."""
        column, down, counts = self.columns[target], self.down[target], []
        for count in range(1, len(column) - down + 1):
            under = column[-count - 1 : -count]
            if (not under) or (
                count < len(column) - down and rank_of(under[0]) == rank_of(column[-count]) + 1
            ):
                counts.append(count)
            if not under or under[0] != column[-count] + 1:
                break
        return counts

    def take_back_row(self) -> bool:
        """Take back a row if it can have been dealt. Returns whether it was."""
        least = 2 if self.rules is RowRule.STANDARD else 1
        for column, down in zip(self.columns, self.down, strict=True):
            if len(column) < least or 0 < down == len(column) - 1:
                return False
            if len(column) > 1 and ends_in_completed_run(column[:-1], down):
                return False
        self.stock[:0] = [column.pop() for column in self.columns]
        self.line.append(ROW)
        return True

    def deal(self) -> Deal:
        """Return the position. Raises DealError if a completed run lies under other cards."""
        completed = self.completed
        return Deal.make(self.columns, self.stock, self.down, completed, rules=self.rules)
