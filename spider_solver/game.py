"""The rules of Spider in plain Python, written to be read by a card player.

This module is the reference implementation of the rules. The compiled search, the replay of
recorded games and the formats of other programs are all tested against it.

The rules
---------
- The tableau has ten columns. Below the face-up cards of a column there may be face-down cards.
- A move lifts a run, or its last cards, from the end of a column: cards that are face up, of one
  suit, and descending by one. They go onto an end card that is one rank higher, of any suit, or
  into an empty column. The Ace is the lowest rank: nothing goes onto an Ace, and a King goes into
  an empty column only.
- A row deals ten cards from the stock, one face up onto each column. The standard rule forbids
  a row while a column is empty; the relaxed rule allows it.
- When the last thirteen cards of a column are face up, of one suit, and descend from King to Ace,
  the run is completed. It leaves the tableau at once. The player cannot prevent or delay this.
- When the end card of a column is face down, it is turned face up at once.
- The game is won when eight runs are completed. Then no action is legal.

The score
---------
The score starts at 500. Each move and each row costs 1, but the score does not fall below zero.
After that cost, each completed run adds 100.

In code
-------
``Position`` holds a game in progress. ``legal_actions`` lists what can be played, ``push`` plays
an action and ``pop`` takes it back. An action is a ``Move`` or ``ROW``. ``push`` returns an
``Outcome``: the cards that moved, the runs that were completed and the cards that were turned.

An action that turns or deals an unknown card cannot be played until ``telling.tell`` says which
card it is.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

from .cards import ACE, KING, UNKNOWN, card, card_name, card_text, rank_of, suit_of
from .deal import COLUMNS, ROW_CARDS, RUN_CARDS, SETS, Deal, RowRule, ends_in_completed_run
from .errors import IllegalAction
from .words import counted

START_SCORE = 500
ACTION_COST = 1
RUN_BONUS = 100


class Move(NamedTuple):
    """A move of cards from the end of one column to the end of another."""

    source: int  # column, 0-9
    target: int  # column, 0-9
    count: int  # type: ignore[assignment]  # cards moved; it replaces tuple.count, which is unused


class Row(NamedTuple):
    """A row from the stock: one card to the end of each column."""

    def __bool__(self) -> bool:
        """Return True, although the tuple is empty."""
        return True


Action = Move | Row
ROW = Row()


class Turn(NamedTuple):
    """A face-down card that was turned face up."""

    column: int  # 0-9
    card: int


class CompletedRun(NamedTuple):
    """A completed run that left the tableau."""

    column: int  # the column that it left, 0-9
    suit: int


@dataclass(frozen=True, slots=True)
class Outcome:
    """An action and everything that it caused."""

    action: Action
    cards: tuple[int, ...]  # of a move: the cards moved, highest first; of a row: column 1 first
    onto: int | None  # the card that a run was moved onto; None for an empty column and for a row
    completed: tuple[CompletedRun, ...]
    turned: tuple[Turn, ...]

    @property
    def revealed(self) -> tuple[int, ...]:
        """The cards that became face up: those of a row, then those that were turned."""
        dealt = self.cards if isinstance(self.action, Row) else ()
        return (*dealt, *(turn.card for turn in self.turned))


class UnknownCardRevealed(IllegalAction):
    """An action that turns or deals an unknown card."""

    def __init__(self, outcome: Outcome) -> None:
        super().__init__(
            "it deals unknown cards" if UNKNOWN in outcome.cards else "it turns an unknown card"
        )
        self.outcome = outcome  # with ``UNKNOWN`` for each unknown card


class _HistoryEntry(NamedTuple):
    outcome: Outcome
    score_before: int


class Position:
    """A game in progress. ``Position(deal)`` starts from a Deal, fresh or in mid-game."""

    def __init__(self, deal: Deal) -> None:
        # Ten lists of cards, each from the bottom card to the end card.
        self.columns: list[list[int]] = [list(column) for column in deal.columns]
        # For each column: how many of its cards, from the bottom, are face down.
        self.face_down: list[int] = list(deal.face_down)
        # The undealt cards, next row first.
        self.stock: list[int] = list(deal.stock)
        # The suits of the completed runs, in the order of completion.
        self.completed: list[int] = list(deal.completed)
        # The unknown cards, sorted: which they are, but not where.
        self.unknown: list[int] = list(deal.unknown)
        self.rules: RowRule = deal.rules
        self.name: str = deal.name
        # These three count from the given Deal on, even if it is a position in mid-game.
        self.score: int = START_SCORE
        self.moves: int = 0
        self.rows: int = 0
        self._history: list[_HistoryEntry] = []

    @property
    def won(self) -> bool:
        """True if eight runs are completed."""
        return len(self.completed) == SETS

    @property
    def rows_left(self) -> int:
        """The number of rows in the stock."""
        return len(self.stock) // ROW_CARDS

    @property
    def history(self) -> tuple[Outcome, ...]:
        """The outcomes of the actions played since the start, oldest first."""
        return tuple(entry.outcome for entry in self._history)

    def to_deal(self) -> Deal:
        """Return this position as a Deal, which has no score, counts or history."""
        return Deal(
            tuple(map(tuple, self.columns)),
            tuple(self.face_down),
            tuple(self.stock),
            tuple(self.completed),
            self.rules,
            self.name,
            tuple(self.unknown),
        )

    def run_length(self, column: int) -> int:
        """Return how many cards at the end of a column (0-9) can be lifted together.

        These cards are face up, of one suit, and descending by one. An empty column has 0.
        """
        cards = self.columns[column]
        length = 1 if cards else 0
        while (
            length < len(cards) - self.face_down[column]
            and cards[-length - 1] == cards[-length] + 1  # the same suit, one rank higher
        ):
            length += 1
        return length

    def legal_moves(self) -> Iterator[Move]:
        """Yield each legal move.

        The order is: sources from column 0 to 9, for each source the smallest count first, for
        each count the targets from column 0 to 9.
        """
        for source, cards in enumerate(self.columns):
            for count in range(1, self.run_length(source) + 1):
                wanted_rank = rank_of(cards[-count]) + 1
                for target, others in enumerate(self.columns):
                    if target != source and (not others or rank_of(others[-1]) == wanted_rank):
                        yield Move(source, target, count)

    def legal_actions(self) -> Iterator[Action]:
        """Yield each legal action: the moves as in ``legal_moves``, then the row if it is legal."""
        yield from self.legal_moves()
        if not self.won and self._why_row_is_illegal() is None:
            yield ROW

    def why_illegal(self, action: Action) -> str | None:
        """Explain why an action is illegal, with columns as 1-10; return None if it is legal."""
        if self.won:
            return "the game is already won"
        if isinstance(action, Row):
            return self._why_row_is_illegal()
        source, target, count = action
        for column in (source, target):
            if not 0 <= column < COLUMNS:
                return f"there is no column {column + 1}: columns are 1 to {COLUMNS}"
        if source == target:
            return f"column {source + 1} is both the source and the target"
        return self._why_not_lifted(source, count) or self._why_not_placed(source, count, target)

    def _why_row_is_illegal(self) -> str | None:
        if not self.stock:
            return "the stock has no row left"
        empty = [index for index, column in enumerate(self.columns) if not column]
        if empty and self.rules is RowRule.STANDARD:
            return f"a row cannot be dealt while column {empty[0] + 1} is empty (standard rules)"
        return None

    def _why_not_lifted(self, source: int, count: int) -> str | None:
        """Explain why ``count`` cards cannot be lifted from a column; None if they can."""
        if count < 1:
            return f"{count} cards cannot be moved"
        cards = self.columns[source]
        face_up = len(cards) - self.face_down[source]
        if not cards:
            return f"column {source + 1} is empty"
        if count > len(cards):
            return f"column {source + 1} has {counted(len(cards), 'card')}, not {count}"
        if count > face_up:
            return (
                f"{count} cards of column {source + 1} reach into its face-down cards:"
                f" only {face_up} {'is' if face_up == 1 else 'are'} face up"
            )
        lifted = cards[-count:]
        for upper, lower in pairwise(lifted):
            where = f"{card_text(lower)} on {card_text(upper)} in column {source + 1}"
            if rank_of(upper) != rank_of(lower) + 1:
                return f"{where} is not descending by one"
            if suit_of(upper) != suit_of(lower):
                return f"{where} mixes suits"
        return None

    def _why_not_placed(self, source: int, count: int, target: int) -> str | None:
        """Explain why lifted cards cannot go to the end of a column; None if they can."""
        if not self.columns[target]:
            return None
        highest, end_card = self.columns[source][-count], self.columns[target][-1]
        if rank_of(end_card) == rank_of(highest) + 1:
            return None
        return (
            f"{card_name(highest)} cannot go onto {card_name(end_card)} in column {target + 1}:"
            " it is not one rank higher"
        )

    def push(self, action: Action) -> Outcome:
        """Play an action, remove completed runs and turn cards.

        Raises IllegalAction, with the position unchanged, if the rules forbid the action, and
        its subclass UnknownCardRevealed if the action turns or deals an unknown card.
        """
        reason = self.why_illegal(action)
        if reason is not None:
            raise IllegalAction(reason)
        score_before = self.score
        self.score = max(self.score - ACTION_COST, 0)
        outcome = self._play_row() if isinstance(action, Row) else self._play_move(action)
        self.score += RUN_BONUS * len(outcome.completed)
        self._history.append(_HistoryEntry(outcome, score_before))
        if UNKNOWN in outcome.revealed:
            self.pop()
            raise UnknownCardRevealed(outcome)
        return outcome

    def _play_row(self) -> Outcome:
        cards, self.stock = self.stock[:ROW_CARDS], self.stock[ROW_CARDS:]
        for column, dealt in zip(self.columns, cards, strict=True):
            column.append(dealt)
        self.rows += 1
        completed = self._remove_completed_runs(range(COLUMNS))
        turned = self._turn_end_cards(run.column for run in completed)
        return Outcome(ROW, tuple(cards), None, completed, turned)

    def _play_move(self, move: Move) -> Outcome:
        source, target, count = move
        onto = self.columns[target][-1] if self.columns[target] else None
        cards = self.columns[source][-count:]
        del self.columns[source][-count:]
        self.columns[target] += cards
        self.moves += 1
        completed = self._remove_completed_runs([target])
        turned = self._turn_end_cards([source, *(run.column for run in completed)])
        return Outcome(move, tuple(cards), onto, completed, turned)

    def _remove_completed_runs(self, columns: Iterable[int]) -> tuple[CompletedRun, ...]:
        """Remove the completed run from the end of each of these columns that has one."""
        runs = []
        for column in columns:
            cards = self.columns[column]
            if ends_in_completed_run(cards, self.face_down[column]):
                suit = suit_of(cards[-1])
                runs.append(CompletedRun(column, suit))
                self.completed.append(suit)
                del cards[-RUN_CARDS:]
        return tuple(runs)

    def _turn_end_cards(self, columns: Iterable[int]) -> tuple[Turn, ...]:
        """Turn the end card of each of these columns where it is face down."""
        turned = []
        for column in columns:
            cards = self.columns[column]
            if cards and self.face_down[column] == len(cards):
                self.face_down[column] -= 1
                turned.append(Turn(column, cards[-1]))
        return tuple(turned)

    def pop(self) -> Outcome:
        """Take back the last action with everything that it caused, and return its outcome.

        Score and counts are as before the action. A card that is known stays known, also if it is
        face down again. Raises IllegalAction if no action was played.
        """
        if not self._history:
            raise IllegalAction("there is no action to take back")
        outcome, self.score = self._history.pop()
        for turn in outcome.turned:
            self.face_down[turn.column] += 1
        for run in reversed(outcome.completed):
            self.completed.pop()
            self.columns[run.column] += [card(rank, run.suit) for rank in range(KING, ACE - 1, -1)]
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
