"""One deal of a run solved: the same function in each worker, wherever it runs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from .. import solver
from ..numbering import deal_from_number
from ..records import Record, Task, settings_key
from ..result import Limits, Progress


class WorkError(RuntimeError):
    """Workers that can't go on: killed again and again, out of reach, of another version."""


@dataclass(frozen=True, slots=True)
class Work:
    """What to do with each deal. limits: of its search. solutions: whether to keep them."""

    limits: Limits
    solutions: bool = False

    @property
    def key(self) -> str:
        """The settings' key of the records."""
        return settings_key(self.limits)


def solve_task(
    task: Task,
    work: Work,
    memory: int | None = None,
    progress: Callable[[Progress], None] | None = None,
) -> Record:
    """Solve a deal. memory: the worker's share of it in bytes, where the limits give none."""
    deal = deal_from_number(task.deal, task.suits, task.rules)
    limits, share = work.limits, work.limits.max_memory is None
    if share:
        limits = replace(limits, max_memory=memory)
    result = solver.solve(deal, limits, progress)
    return Record.of(task, result, work.key, solution=work.solutions, share=share)
