"""The two compiled searches: loaded once per process, and run within a budget.

The package kernels is imported only when a function of this module is called. Each search is run
in slices. Between two slices the limits are checked and the progress is reported.
"""

from __future__ import annotations

from collections.abc import Callable

from .budget import Budget, MemoryLimitReached
from .deal import Deal
from .game import Action
from .numbering import deal_from_number
from .result import Progress

STATES_PER_SLICE = 20_000  # a slice of a beam search ends with the level that reaches this many
CHILDREN_PER_CALL = 100_000  # between two checks of the clock and of Ctrl-C: about 30 ms
POSITIONS_PER_SLICE = 200_000  # a position takes about a fifth of the time of a beam's state
SILENT_POSITIONS = 50_000  # no progress is reported before it has seen this many: about 30 ms

_SAMPLE_DEAL = "native:1"  # any deal serves to load a search
_loaded = False  # whether this process has loaded the searches

Announce = Callable[[str], None]  # called with a line of text for the user
OnProgress = Callable[[Progress], None]


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
        answer, goal = running.advance(0), 0
        while answer in (levels.RUNNING, levels.PAUSED):
            if answer == levels.RUNNING:  # at the end of a level
                if on_progress is not None:
                    level, completed = running.level, running.completed
                    on_progress(budget.progress(width, level, completed, running.states))
                budget.check_time()
                budget.check_states(running.states)
                wanted = budget.states_allowed(STATES_PER_SLICE, running.states)
            else:  # inside a level: the slice goes on as if there had been no pause
                wanted = goal - running.states
            goal = running.states + wanted
            answer = running.advance(wanted, CHILDREN_PER_CALL)
            budget.check_time()
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
