"""The rules of Spider in plain Python: the reference that everything else is held against.

``Position`` plays on from a Deal: ``legal_actions``, ``push``, ``pop``. An action is a
``Move`` of a run's tail from one column to another, or ``ROW``, ten cards of the stock.
Completed runs leave by themselves and turned cards turn by themselves, as part of the
action that caused them; ``push`` returns an ``Outcome`` that tells them.

Score: it starts at 500; each action costs 1, never going below zero; then each completed
run adds 100.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from .cards import KING, card_name, card_text, rank_of, suit_of
from .deal import COLUMNS, ROW_CARDS, SETS, Deal, RowRule, ends_in_full_run
from .errors import IllegalAction

START_SCORE = 500
ACTION_COST = 1
RUN_BONUS = 100


class Move(NamedTuple):
    """``count`` cards from the end of column ``source`` to column ``target`` (both 0-9)."""

    source: int
    target: int
    count: int  # type: ignore[assignment]  # tuple.count is of no use here


class Row(NamedTuple):
    """A row of the stock: one card to the end of each column."""


Action = Move | Row
ROW = Row()


class Turn(NamedTuple):
    """A face-down card that was turned: its column (0-9) and the card."""

    column: int
    card: int


class CompletedRun(NamedTuple):
    """A completed run that left: the column (0-9) that it left and its suit."""

    column: int
    suit: int


@dataclass(frozen=True, slots=True)
class Outcome:
    """What an action did.

    cards: those moved, highest first, or the ten of a row, column 1 first.
    onto: the card that they were put on; None on an empty column and for a row.
    """

    action: Action
    cards: tuple[int, ...]
    onto: int | None
    completed: tuple[CompletedRun, ...]
    turned: tuple[Turn, ...]


class _Undo(NamedTuple):
    outcome: Outcome
    score: int


class Position:
    """A game in play. ``Position(deal)`` starts at a Deal, fresh or in mid-game.

    columns: ten lists of cards, bottom to end. face_down: how many of each, from the
    bottom, are face down. stock: all undealt cards, next row first. completed: suits of the
    completed runs. score, moves, rows: counted from the Deal that it started from.
    """

    def __init__(self, deal: Deal) -> None:
        self.columns: list[list[int]] = [list(column) for column in deal.columns]
        self.face_down: list[int] = list(deal.face_down)
        self.stock: list[int] = list(deal.stock)
        self.completed: list[int] = list(deal.completed)
        self.rules: RowRule = deal.rules
        self.name: str = deal.name
        self.score: int = START_SCORE
        self.moves: int = 0
        self.rows: int = 0
        self._history: list[_Undo] = []

    @property
    def won(self) -> bool:
        """True once eight runs are completed."""
        return len(self.completed) == SETS

    @property
    def rows_left(self) -> int:
        """Rows still in the stock."""
        return len(self.stock) // ROW_CARDS

    @property
    def history(self) -> tuple[Outcome, ...]:
        """What each action since the start did, oldest first."""
        return tuple(undo.outcome for undo in self._history)

    def to_deal(self) -> Deal:
        """The layout of this position, immutable."""
        return Deal(
            tuple(map(tuple, self.columns)),
            tuple(self.face_down),
            tuple(self.stock),
            tuple(self.completed),
            self.rules,
            self.name,
        )

    def run_length(self, column: int) -> int:
        """How many cards at the column's end can be lifted: face up, one suit, descending."""
        cards = self.columns[column]
        length = 1 if cards else 0
        while (
            length < len(cards) - self.face_down[column]
            and cards[-length - 1] == cards[-length] + 1  # same suit, one rank higher
        ):
            length += 1
        return length

    def why_illegal(self, action: Action) -> str | None:
        """Why the rules refuse an action here, in words with columns 1-10; None if legal."""
        if self.won:
            return "the game is already won"
        if isinstance(action, Row):
            return self._why_no_row()
        source, target, count = action
        for column in (source, target):
            if not 0 <= column < COLUMNS:
                return f"there is no column {column + 1}: columns are 1 to {COLUMNS}"
        if source == target:
            return f"column {source + 1} is both the source and the target"
        if count < 1:
            return f"{count} cards can't be moved"
        cards, down = self.columns[source], self.face_down[source]
        if not cards:
            return f"column {source + 1} is empty"
        if count > len(cards):
            return f"column {source + 1} has {len(cards)} cards, not {count}"
        if count > len(cards) - down:
            return (
                f"{count} cards of column {source + 1} reach into its face-down cards:"
                f" only {len(cards) - down} are face up"
            )
        for above, below in zip(cards[-count:], cards[len(cards) - count + 1 :], strict=False):
            if rank_of(above) != rank_of(below) + 1:
                return (
                    f"{card_text(below)} on {card_text(above)} in column {source + 1}"
                    " is not descending by one"
                )
            if suit_of(above) != suit_of(below):
                return (
                    f"{card_text(below)} on {card_text(above)} in column {source + 1} mixes suits"
                )
        lifted = cards[-count]
        if self.columns[target]:
            onto = self.columns[target][-1]
            if rank_of(onto) != rank_of(lifted) + 1:
                return (
                    f"{card_name(lifted)} can't go on {card_name(onto)} in column {target + 1}:"
                    " it is not one rank higher"
                )
        return None

    def _why_no_row(self) -> str | None:
        if not self.stock:
            return "the stock has no row left"
        empty = [str(i + 1) for i, column in enumerate(self.columns) if not column]
        if empty and self.rules is RowRule.STANDARD:
            return f"a row can't be dealt while column {empty[0]} is empty (standard rules)"
        return None

    def legal_moves(self) -> Iterator[Move]:
        """Every legal move: sources in order, shortest tail first, targets in order."""
        for source, cards in enumerate(self.columns):
            for count in range(1, self.run_length(source) + 1):
                wanted = rank_of(cards[-count]) + 1
                for target, others in enumerate(self.columns):
                    if target != source and (not others or rank_of(others[-1]) == wanted):
                        yield Move(source, target, count)

    def legal_actions(self) -> Iterator[Action]:
        """Every legal action: the moves, then the row if it may be dealt."""
        yield from self.legal_moves()
        if not self.won and self._why_no_row() is None:
            yield ROW

    def push(self, action: Action) -> Outcome:
        """Play an action with all that it causes; IllegalAction if the rules refuse it."""
        reason = self.why_illegal(action)
        if reason is not None:
            raise IllegalAction(reason)
        score = self.score
        self.score = max(self.score - ACTION_COST, 0)
        onto: int | None = None
        if isinstance(action, Row):
            cards, self.stock = self.stock[:ROW_CARDS], self.stock[ROW_CARDS:]
            for column, dealt in zip(self.columns, cards, strict=True):
                column.append(dealt)
            self.rows += 1
            touched = range(COLUMNS)
            completed = self._sweep(touched)
            turned = self._turn(tuple(run.column for run in completed))
        else:
            source, target, count = action
            if self.columns[target]:
                onto = self.columns[target][-1]
            cards = self.columns[source][-count:]
            del self.columns[source][-count:]
            self.columns[target] += cards
            self.moves += 1
            completed = self._sweep((target,))
            turned = self._turn((source, *(run.column for run in completed)))
        self.score += RUN_BONUS * len(completed)
        outcome = Outcome(action, tuple(cards), onto, completed, turned)
        self._history.append(_Undo(outcome, score))
        return outcome

    def _sweep(self, columns: tuple[int, ...] | range) -> tuple[CompletedRun, ...]:
        runs = []
        for column in columns:
            cards = self.columns[column]
            if ends_in_full_run(cards, self.face_down[column]):
                runs.append(CompletedRun(column, suit_of(cards[-1])))
                self.completed.append(suit_of(cards[-1]))
                del cards[-KING:]
        return tuple(runs)

    def _turn(self, columns: tuple[int, ...]) -> tuple[Turn, ...]:
        turned = []
        for column in columns:
            cards = self.columns[column]
            if cards and self.face_down[column] == len(cards):
                self.face_down[column] -= 1
                turned.append(Turn(column, cards[-1]))
        return tuple(turned)

    def pop(self) -> Outcome:
        """Take back the last action with everything it caused; IllegalAction at the start."""
        if not self._history:
            raise IllegalAction("there is no action to take back")
        outcome, self.score = self._history.pop()
        for turn in outcome.turned:
            self.face_down[turn.column] += 1
        for run in reversed(outcome.completed):
            self.completed.pop()
            self.columns[run.column] += [run.suit << 4 | rank for rank in range(KING, 0, -1)]
        if isinstance(outcome.action, Row):
            for column in self.columns:
                column.pop()
            self.stock[:0] = outcome.cards
            self.rows -= 1
        else:
            source, target, count = outcome.action
            del self.columns[target][-count:]
            self.columns[source] += outcome.cards
            self.moves -= 1
        return outcome
