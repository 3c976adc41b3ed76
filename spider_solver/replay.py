"""Playing a recorded game by the rules in ``game``, entry by entry, forwards and backwards.

``Replay`` holds the position and the counts. ``verify`` reports them at the end of the game;
renderers and viewers show them after each entry.

Undo takes back one action with its cost and its completed runs. Restart takes back all actions.
Actions that were taken back still count in ``Counts.made``; their cost still counts in
``Counts.gross_score`` after an undo. In some programs an undo is itself a move, which costs a point
and gives none back; two more counts are as in these programs.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import NamedTuple

from .deal import Deal
from .errors import IllegalAction, NotationError
from .game import (
    ACTION_COST,
    RUN_BONUS,
    START_SCORE,
    Action,
    CompletedRun,
    Outcome,
    Position,
    Row,
    Turn,
    UnknownCardRevealed,
)
from .notation import Revision, resolve
from .recorded_games import Entry, RecordedGame
from .telling import tell

_TELLING = "as in 4-7x3=KD, or in row=8D,2D,... with ten cards"


class Counts(NamedTuple):
    """Counts of a recorded game, in addition to the moves, rows and score of its position."""

    # Moves and rows in all, including those taken back and those of abandoned attempts.
    made: int = 0
    undos: int = 0
    restarts: int = 0
    # Restarts after at least one action was made in the attempt, unless the game was won.
    abandoned: int = 0
    # The score of this attempt if undo takes back the bonus of completed runs, but does not
    # give back the cost of the action.
    gross_score: int = START_SCORE
    started: bool = False  # an action was made in this attempt
    # If an undo is itself a move, and the cost of the action that it takes back is not returned:
    moves_if_undo_costs: int = 0  # actions and undos of this attempt
    score_if_undo_costs: int = START_SCORE


@dataclass(frozen=True, slots=True)
class PlayedEntry:
    """An entry of a recorded game and its effect."""

    number: int  # the entry's number in the game, from 1
    entry: Entry
    # Of the action; for an undo, of the action that it took back; None for a restart.
    outcome: Outcome | None
    # For an undo or restart: the outcomes of the actions taken back, oldest first.
    undone: tuple[Outcome, ...] = ()
    undone_number: int | None = None  # for an undo: the number of the entry that it took back

    @property
    def revision(self) -> Revision | None:
        """The undo or restart; None for an action."""
        return self.entry.action if isinstance(self.entry.action, Revision) else None

    @property
    def is_row(self) -> bool:
        """True if the entry dealt a row."""
        return isinstance(self.entry.action, Row)

    @property
    def turned(self) -> tuple[Turn, ...]:
        """The cards that an action turned; none for an undo or restart."""
        return () if self.outcome is None or self.revision else self.outcome.turned

    @property
    def completed(self) -> tuple[CompletedRun, ...]:
        """The runs that an action completed; none for an undo or restart."""
        return () if self.outcome is None or self.revision else self.outcome.completed


def told_deal(game: RecordedGame) -> Deal:
    """Return the deal of a game with all cards that its actions tell, up to an illegal one."""
    replay = Replay(game)
    with suppress(IllegalAction):
        for _ in replay.play_rest():
            pass
    replay.go_to(0)
    return replay.position.to_deal()


class _Step(NamedTuple):
    """A played entry, and the data needed to take it back."""

    played: PlayedEntry
    counts_before: Counts
    numbers_undone: tuple[int, ...]  # the numbers of the entries that it took back


class Replay:
    """A recorded game with its position and counts after some entries; at first, after none."""

    game: RecordedGame
    position: Position  # after the entries played so far; read only
    counts: Counts  # of the entries played so far

    def __init__(self, game: RecordedGame) -> None:
        self.game = game
        self.position = Position(game.deal)
        self.counts = Counts()
        self._steps: list[_Step] = []
        # The numbers of the entries that position.history consists of, in its order.
        self._history_numbers: list[int] = []

    @property
    def number(self) -> int:
        """The number of entries played, which is also the number of the last one."""
        return len(self._steps)

    @property
    def at_end(self) -> bool:
        """True if all entries have been played."""
        return self.number == len(self.game.entries)

    @property
    def last(self) -> PlayedEntry | None:
        """The last entry played; None at the beginning."""
        return self._steps[-1].played if self._steps else None

    @property
    def attempt(self) -> int:
        """The number of the attempt: 1, plus 1 for each restart."""
        return self.counts.restarts + 1

    def forward(self) -> PlayedEntry:
        """Play the next entry.

        Raises IllegalAction, with the state unchanged, at the end of the game or if the rules
        forbid the action.
        """
        if self.at_end:
            raise IllegalAction("this is the end of the game")
        entry = self.game.entries[self.number]
        counts = self.counts
        if entry.action is Revision.UNDO:
            played, numbers_undone = self._undo(entry)
        elif entry.action is Revision.RESTART:
            played, numbers_undone = self._restart(entry)
        else:
            played, numbers_undone = self._act(entry), ()
        self._steps.append(_Step(played, counts, numbers_undone))
        return played

    def _act(self, entry: Entry) -> PlayedEntry:
        assert not isinstance(entry.action, Revision)
        try:
            action = resolve(entry.action, self.position)
        except NotationError as error:
            raise IllegalAction(str(error)) from None
        outcome = self._push(action, entry.told)
        counts = self.counts
        bonus = RUN_BONUS * len(outcome.completed)
        self.counts = counts._replace(
            made=counts.made + 1,
            gross_score=max(counts.gross_score - ACTION_COST, 0) + bonus,
            started=True,
            moves_if_undo_costs=counts.moves_if_undo_costs + 1,
            score_if_undo_costs=max(counts.score_if_undo_costs - ACTION_COST, 0) + bonus,
        )
        number = self.number + 1
        self._history_numbers.append(number)
        return PlayedEntry(number, entry, outcome)

    def _push(self, action: Action, told: tuple[int, ...]) -> Outcome:
        """Play an action. told: the cards that it turns or deals; empty if it tells none."""
        if told:
            tell(self.position, action, told)
        try:
            return self.position.push(action)
        except UnknownCardRevealed as error:
            raise IllegalAction(f"{error}: tell which, {_TELLING}") from None

    def _undo(self, entry: Entry) -> tuple[PlayedEntry, tuple[int, ...]]:
        if not self._history_numbers:
            raise IllegalAction("nothing to undo: no action was made before it, or none is left")
        outcome = self.position.pop()
        undone_number = self._history_numbers.pop()
        counts = self.counts
        bonus = RUN_BONUS * len(outcome.completed)
        self.counts = counts._replace(
            undos=counts.undos + 1,
            gross_score=max(counts.gross_score - bonus, 0),
            moves_if_undo_costs=counts.moves_if_undo_costs + 1,
            score_if_undo_costs=max(counts.score_if_undo_costs - ACTION_COST - bonus, 0),
        )
        played = PlayedEntry(self.number + 1, entry, outcome, (outcome,), undone_number)
        return played, (undone_number,)

    def _restart(self, entry: Entry) -> tuple[PlayedEntry, tuple[int, ...]]:
        counts = self.counts
        self.counts = counts._replace(
            restarts=counts.restarts + 1,
            abandoned=counts.abandoned + (counts.started and not self.position.won),
            gross_score=START_SCORE,
            started=False,
            moves_if_undo_costs=0,
            score_if_undo_costs=START_SCORE,
        )
        undone = self.position.history
        for _ in undone:
            self.position.pop()
        numbers_undone = tuple(self._history_numbers)
        self._history_numbers.clear()
        return PlayedEntry(self.number + 1, entry, None, undone), numbers_undone

    def back(self) -> PlayedEntry:
        """Take back the last entry, of any kind. Raises IllegalAction at the beginning."""
        if not self._steps:
            raise IllegalAction("this is the beginning of the game")
        played, self.counts, numbers_undone = self._steps.pop()
        if played.revision is None:
            self.position.pop()
            self._history_numbers.pop()
        for outcome in played.undone:
            self.position.push(outcome.action)
        self._history_numbers += numbers_undone
        return played

    def go_to(self, number: int) -> None:
        """Play entries or take them back until ``number`` entries have been played.

        Raises IllegalAction at the beginning or end of the game if ``number`` is beyond it, and at
        an illegal action. The state is then the one that was reached.
        """
        while self.number > number:
            self.back()
        while self.number < number:
            self.forward()

    def play_rest(self) -> Iterator[PlayedEntry]:
        """Play the remaining entries, each when the iterator reaches it.

        Raises IllegalAction if the rules forbid an action.
        """
        while not self.at_end:
            yield self.forward()
