"""Many deals solved: which ones, and by whom. What comes out are ``records.Record``s.

tasks.py holds the deals of a run, never as a list: ranges, suit modes, shards. work.py solves
one of them. processes.py spreads them over the processes of this machine, cluster.py over
the workers of a dask scheduler. All of them find the same for the same deals, as long as the
memory, which they share, is enough.
"""

from __future__ import annotations

from .cluster import on_cluster
from .processes import on_processes
from .tasks import Shard, Tasks, outstanding
from .work import Work, WorkError

__all__ = [
    "Shard",
    "Tasks",
    "Work",
    "WorkError",
    "on_cluster",
    "on_processes",
    "outstanding",
]
