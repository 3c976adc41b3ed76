"""Solving many deals. Each result is a ``records.Record``.

============  =======================================================================
tasks.py      the deals of a run, as ranges; suit modes and shards
work.py       solving one deal
processes.py  solving deals on processes of this machine
cluster.py    solving deals on the workers of a dask scheduler
============  =======================================================================

The number of processes or workers does not change the results, unless a search ends because of
a limit on time or because its share of the memory is too small.
"""

from __future__ import annotations

from .cluster import solve_on_cluster
from .processes import solve_on_processes
from .tasks import Shard, Tasks, remaining_tasks
from .work import Work, WorkerDeathsError, WorkError

__all__ = [
    "Shard",
    "Tasks",
    "Work",
    "WorkError",
    "WorkerDeathsError",
    "remaining_tasks",
    "solve_on_cluster",
    "solve_on_processes",
]
