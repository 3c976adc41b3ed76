"""A recorded game being played on the plain rules: entry by entry, forwards and back.

``Replay`` keeps the position and the counts; ``verify`` reports what it finds at the end,
renderers and viewers show it on the way. Undo takes back an action with its cost and its
completed runs; restart takes back all of them. What they take back is still counted in
``Counts.made`` and in ``Counts.gross_score``.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from .errors import IllegalAction, NotationError
from .game import (
    ACTION_COST,
    RUN_BONUS,
    START_SCORE,
    CompletedRun,
    Outcome,
    Position,
    Row,
    Turn,
)
from .notation import Entry, RecordedGame, Revision, resolve


class Counts(NamedTuple):
    """What a game came to, beside what its position counts (moves, rows, score).

    made: moves and rows in all, those taken back and those of abandoned attempts too.
    abandoned: restarts after an action was made, unless the game was won by then.
    gross_score: of this attempt, where an action that is taken back gives its runs' bonus
    back but not its cost. started: whether an action was made in this attempt.
    """

    made: int = 0
    undos: int = 0
    restarts: int = 0
    abandoned: int = 0
    gross_score: int = START_SCORE
    started: bool = False


@dataclass(frozen=True, slots=True)
class PlayedEntry:
    """What an entry did. number: from 1.

    outcome: of the action; for an undo, of the action that it took back; None for a restart.
    undone: for an undo and a restart, the actions taken back, oldest first, else none.
    undone_number: for an undo, the number of the entry that it took back.
    """

    number: int
    entry: Entry
    outcome: Outcome | None
    undone: tuple[Outcome, ...] = ()
    undone_number: int | None = None

    @property
    def revision(self) -> Revision | None:
        """The undo or restart that this is, if it is one."""
        return self.entry.action if isinstance(self.entry.action, Revision) else None

    @property
    def is_row(self) -> bool:
        """True if a row was dealt."""
        return isinstance(self.entry.action, Row)

    @property
    def turned(self) -> tuple[Turn, ...]:
        """The cards that an action turned; none for an undo or restart."""
        return () if self.outcome is None or self.revision else self.outcome.turned

    @property
    def completed(self) -> tuple[CompletedRun, ...]:
        """The runs that an action completed; none for an undo or restart."""
        return () if self.outcome is None or self.revision else self.outcome.completed


class _Step(NamedTuple):
    event: PlayedEntry
    counts_before: Counts
    numbers_undone: tuple[int, ...]


class Replay:
    """A recorded game in play; it begins before the first entry.

    game: what is played. position: as the entries played so far left it; not to be changed
    from outside. counts: what they came to.
    """

    def __init__(self, game: RecordedGame) -> None:
        self.game = game
        self.position = Position(game.deal)
        self.counts = Counts()
        self._steps: list[_Step] = []
        self._standing: list[int] = []  # the numbers of the entries that position.history has

    @property
    def number(self) -> int:
        """How many entries were played; that of the last one."""
        return len(self._steps)

    @property
    def at_end(self) -> bool:
        """True if no entry is left."""
        return self.number == len(self.game.actions)

    @property
    def last(self) -> PlayedEntry | None:
        """What the last entry did; None at the beginning."""
        return self._steps[-1].event if self._steps else None

    @property
    def attempt(self) -> int:
        """1, and one more after each restart."""
        return self.counts.restarts + 1

    def forward(self) -> PlayedEntry:
        """Play the next entry. IllegalAction, saying why, if the rules refuse it."""
        entry = self.game.actions[self.number]
        counts = self.counts
        if entry.action is Revision.UNDO:
            event, numbers = self._undo(entry)
        elif entry.action is Revision.RESTART:
            event, numbers = self._restart(entry)
        else:
            event, numbers = self._act(entry), ()
        self._steps.append(_Step(event, counts, numbers))
        return event

    def _act(self, entry: Entry) -> PlayedEntry:
        assert not isinstance(entry.action, Revision)
        try:
            action = resolve(entry.action, self.position)
        except NotationError as error:
            raise IllegalAction(str(error)) from None
        outcome = self.position.push(action)
        counts = self.counts
        paid = max(counts.gross_score - ACTION_COST, 0)
        self.counts = counts._replace(
            made=counts.made + 1,
            gross_score=paid + RUN_BONUS * len(outcome.completed),
            started=True,
        )
        number = self.number + 1
        self._standing.append(number)
        return PlayedEntry(number, entry, outcome)

    def _undo(self, entry: Entry) -> tuple[PlayedEntry, tuple[int, ...]]:
        if not self._standing:
            raise IllegalAction("nothing to undo: no action was made before it, or none is left")
        outcome = self.position.pop()
        undone_number = self._standing.pop()
        counts = self.counts
        self.counts = counts._replace(
            undos=counts.undos + 1,
            gross_score=max(counts.gross_score - RUN_BONUS * len(outcome.completed), 0),
        )
        event = PlayedEntry(self.number + 1, entry, outcome, (outcome,), undone_number)
        return event, (undone_number,)

    def _restart(self, entry: Entry) -> tuple[PlayedEntry, tuple[int, ...]]:
        counts = self.counts
        self.counts = counts._replace(
            restarts=counts.restarts + 1,
            abandoned=counts.abandoned + (counts.started and not self.position.won),
            gross_score=START_SCORE,
            started=False,
        )
        undone = self.position.history
        for _ in undone:
            self.position.pop()
        numbers = tuple(self._standing)
        self._standing.clear()
        return PlayedEntry(self.number + 1, entry, None, undone), numbers

    def back(self) -> PlayedEntry:
        """Unplay the last entry, whatever it was. IllegalAction at the beginning."""
        if not self._steps:
            raise IllegalAction("this is the beginning")
        event, self.counts, numbers = self._steps.pop()
        if event.revision is None:
            self.position.pop()
            self._standing.pop()
        for outcome in event.undone:
            self.position.push(outcome.action)
        self._standing += numbers
        return event

    def go_to(self, number: int) -> None:
        """Play or unplay to where so many entries are played."""
        while self.number > number:
            self.back()
        while self.number < number:
            self.forward()

    def rest(self) -> Iterator[PlayedEntry]:
        """Play the entries that are left, as they are asked for. Raises as ``forward`` does."""
        while not self.at_end:
            yield self.forward()
