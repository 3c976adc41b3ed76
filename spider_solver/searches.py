"""The two compiled searches: loaded once per process, and run within a budget.

The package kernels is imported only when a function of this module is called. Each search is run
in slices. Between two slices the limits are checked and the progress is reported.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

from .bound import joins_needed
from .budget import Budget, LimitReached, MemoryLimitReached
from .deal import COLUMNS, Deal
from .game import Action, Move, Position, Row
from .numbering import deal_from_number
from .result import Progress

if TYPE_CHECKING:
    from .kernels.beam.search import BeamSearch

STATES_PER_SLICE = 20_000  # a slice of a beam search ends with the level that reaches this many
CHILDREN_PER_CALL = 100_000  # between two checks of the clock and of Ctrl-C: about 30 ms
POSITIONS_PER_SLICE = 200_000  # a position takes about a fifth of the time of a beam's state
SILENT_POSITIONS = 50_000  # no progress is reported before it has seen this many: about 30 ms

_SAMPLE_DEAL = "native:1"  # any deal serves to load a search
_loaded = False  # whether this process has loaded the searches

Announce = Callable[[str], None]  # called with a line of text for the user
OnProgress = Callable[[Progress], None]
IsOver = Callable[[], bool]  # returns True once a search is to stop


def load_searches(announce: Announce | None = None) -> None:
    """Load both searches into this process, or compile them, if it has not done so yet.

    announce: called with a line of text for the user if the searches must be compiled first.
    """
    global _loaded
    if _loaded:
        return
    from .kernels.library import open_library

    if not open_library(announce):  # numba compiles what isn't compiled yet
        from .kernels.beam.search import compile_search as compile_beam_search
        from .kernels.exhaustive.search import compile_search as compile_exhaustive_search

        deal = deal_from_number(_SAMPLE_DEAL)
        compile_beam_search(deal)
        compile_exhaustive_search(deal)
    _loaded = True


def run_beam_search(
    deal: Deal, width: int, budget: Budget, on_progress: OnProgress | None
) -> tuple[Action, ...] | None:
    """Search with a beam of one width. Returns the solution, or None if it finds none.

    The states that it kept and the children that it evaluated are added to the budget. Raises
    LimitReached, or MemoryLimitReached, which is one.
    """
    from .kernels.beam import levels, search

    memory = budget.memory
    running = None
    try:
        running = search.BeamSearch(deal, width, memory - budget.exhaustive_memory)
        answer = _advance_in_slices(running, budget, on_progress)
    except MemoryError:
        raise MemoryLimitReached(
            f"the memory limit of {memory / 2**20:,.0f} MiB was reached at width {width:,}"
        ) from None
    finally:
        if running is not None:
            budget.states += running.states
            budget.children += running.generated
    if answer == levels.WON:
        return running.solution()
    budget.check_states()
    return None


class LineSearch(NamedTuple):
    """A beam search for a shorter solution than a known one."""

    width: int  # states a level
    played: int  # actions of the known solution that are kept
    complete: bool = False  # whether to keep all states that may lead to a shorter solution


class FoundLine(NamedTuple):
    """What a LineSearch found."""

    actions: tuple[Action, ...] | None  # a shorter solution
    # Whether it is proved that no shorter solution begins with the actions that were kept, unless
    # two states had the same 64-bit key.
    exhausted: bool
    states: int  # states kept
    stopped: bool  # whether a limit stopped the search


def search_shorter_line(
    deal: Deal,
    line: tuple[Action, ...],
    wanted: LineSearch,
    budget: Budget,
    is_over: IsOver | None = None,
) -> FoundLine:
    """Search for a solution that is shorter than ``line``.

    The search ends at the limits of the budget, or soon after ``is_over`` returns True. It may run
    in a thread of its own, with a budget of its own.
    """
    from .kernels.beam import levels, search, settings

    of_mode = settings.complete_settings if wanted.complete else settings.shortening_settings
    running = None
    answer = None
    stopped = False
    try:
        running = search.BeamSearch(
            deal,
            wanted.width,
            budget.memory,
            of_mode(deal.suits),
            line,
            wanted.played,
            joins_needed(deal, len(line) - 1),
        )
        answer = _advance_in_slices(running, budget, None, is_over)
    except LimitReached:
        stopped = True
    except MemoryError:
        pass
    if running is None:
        return FoundLine(None, exhausted=False, states=0, stopped=False)
    budget.states += running.states
    budget.children += running.generated
    found = []
    shortcut = running.shortcut()
    if shortcut is not None:
        found.append(_with_shortcut(deal, line, *shortcut))
    if answer == levels.WON:
        found.append(running.solution())
    return FoundLine(
        min(found, key=len, default=None),
        exhausted=answer == levels.NO_STATES and running.is_complete and not found,
        states=running.states,
        stopped=stopped,
    )


def _with_shortcut(
    deal: Deal, line: tuple[Action, ...], shortcut: tuple[Action, ...], replaced: int
) -> tuple[Action, ...]:
    """A solution whose first actions are replaced.

    replaced: how many. The position after them is the one after ``shortcut``; if no row is left,
    the order of the columns may differ.
    """
    before, after = Position(deal), Position(deal)
    for action in line[:replaced]:
        before.push(action)
    for action in shortcut:
        after.push(action)
    free = list(range(COLUMNS))
    column_of = {}  # after the shortcut, by the column on the line
    for column in range(COLUMNS):
        same = [
            index
            for index in free
            if after.columns[index] == before.columns[column]
            and after.face_down[index] == before.face_down[column]
        ]
        column_of[column] = column if column in same else same[0]
        free.remove(column_of[column])
    rest = tuple(
        action
        if isinstance(action, Row)
        else Move(column_of[action.source], column_of[action.target], action.count)
        for action in line[replaced:]
    )
    return shortcut + rest


def _advance_in_slices(
    running: BeamSearch,
    budget: Budget,
    on_progress: OnProgress | None,
    is_over: IsOver | None = None,
) -> int:
    """Run a beam search to its end, in slices. Returns levels.WON or NO_STATES.

    Raises LimitReached, also if ``is_over`` returns True, and MemoryError.
    """
    from .kernels.beam import levels

    answer, goal = running.advance(0), 0
    while answer in (levels.RUNNING, levels.PAUSED):
        if answer == levels.RUNNING:  # at the end of a level
            if on_progress is not None:
                level, completed = running.level, running.completed
                on_progress(budget.progress(running.width, level, completed, running.states))
            budget.check_time()
            budget.check_states(running.states)
            wanted = budget.states_allowed(STATES_PER_SLICE, running.states)
        else:  # inside a level: the slice goes on as if there had been no pause
            wanted = goal - running.states
        goal = running.states + wanted
        answer = running.advance(wanted, CHILDREN_PER_CALL)
        budget.check_time()
        if is_over is not None and is_over():
            raise LimitReached("the search was stopped")
    return answer


class ExhaustiveRun:
    """An exhaustive search that can be continued up to a larger number of positions."""

    def __init__(self, deal: Deal, budget: Budget, on_progress: OnProgress | None) -> None:
        """Raises MemoryError if the search needs more memory than it may allocate."""
        from .kernels.exhaustive.search import ExhaustiveSearch

        self.solution: tuple[Action, ...] | None = None  # set when one is found
        self.exhausted = False  # whether all positions were seen and none of them is won
        self._budget = budget
        self._on_progress = on_progress
        self._search = ExhaustiveSearch(deal, budget.memory)
        self._count()

    def advance_to(self, positions: int) -> None:
        """Search until ``positions`` are seen in all, a solution is found, or no position is left.

        Raises LimitReached, and MemoryError if the search needs more memory than it may allocate.
        """
        from .kernels.exhaustive import depth_first

        search, budget = self._search, self._budget
        while search.seen < positions:
            if self._on_progress is not None and search.seen > SILENT_POSITIONS:
                self._on_progress(budget.progress(0, search.depth, search.completed))
            budget.check_states()
            wanted = min(POSITIONS_PER_SLICE, positions - search.seen)
            try:
                answer = search.advance(budget.states_allowed(wanted))
            finally:
                self._count()
            if answer == depth_first.EXHAUSTED:
                self.exhausted = True
                return
            if answer == depth_first.WON:
                self.solution = search.solution()
                return
            budget.check_time()

    def _count(self) -> None:
        self._budget.positions = self._search.seen
        self._budget.exhaustive_memory = self._search.memory
