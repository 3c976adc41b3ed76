"""Solving one deal of a run. All workers use this function, on any machine."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from .. import solver
from ..errors import SpiderError
from ..numbering import deal_from_number
from ..records import Record, Task, settings_key
from ..result import Limits, Progress


class WorkError(SpiderError):
    """The run cannot continue: for example, the workers cannot be reached."""


class WorkerDeathsError(WorkError):
    """Several workers died at one deal, or one failed; most likely the memory was too small."""


@dataclass(frozen=True, slots=True)
class Work:
    """How to solve each deal of a run."""

    limits: Limits  # of each search
    solutions: bool = False  # keep the solutions in the records

    @property
    def key(self) -> str:
        """The settings key of the records."""
        return settings_key(self.limits)


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
    result = solver.solve(deal, limits, progress)
    return Record.from_result(
        task, result, work.key, with_solution=work.solutions, memory_shared=memory_shared
    )
