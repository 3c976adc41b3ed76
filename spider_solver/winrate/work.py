"""Solving one deal of a run. All workers use this function, on any machine."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from .. import solver
from ..errors import SpiderError
from ..numbering import deal_from_number
from ..records import Record, Task, settings_key
from ..result import Limits, Progress, ShorteningLimits
from ..shorten import shorten


class WorkError(SpiderError):
    """The run cannot continue: for example, the workers cannot be reached."""


class WorkerDeathsError(WorkError):
    """Several workers died at one deal, or one failed; most likely the memory was too small."""


@dataclass(frozen=True, slots=True)
class Work:
    """How to solve each deal of a run."""

    limits: Limits  # of each search
    solutions: bool = False  # keep the solutions in the records
    # When the search for shorter solutions of each deal stops. None: the first solution is kept.
    shortening: ShorteningLimits | None = None

    @property
    def key(self) -> str:
        """The settings key of the records."""
        return settings_key(self.limits, self.shortening)


def solve_task(
    task: Task,
    work: Work,
    memory: int | None = None,
    progress: Callable[[Progress], None] | None = None,
) -> Record:
    """Solve a deal.

    memory: the worker's share of the machine's memory in bytes, used if the limits set none.
    progress: called again and again during the search; None to call nothing.
    """
    deal = deal_from_number(task.deal, task.suits, task.rules)
    limits, memory_shared = work.limits, work.limits.max_memory is None
    if memory_shared:
        limits = replace(limits, max_memory=memory)
    result = solver.solve(deal, limits, progress, quick=work.shortening is None)
    if work.shortening is not None:
        shortening = replace(work.shortening, max_memory=limits.max_memory)
        result = shorten(deal, result, shortening)
        if result.shortening is not None and result.shortening.interrupted:
            raise KeyboardInterrupt
    return Record.from_result(
        task, result, work.key, with_solution=work.solutions, memory_shared=memory_shared
    )
