"""A real dask scheduler and two worker processes, one of which is killed meanwhile."""

from __future__ import annotations

import pytest
from results import by_task, findings, start, wait_for_lines

from spider_solver.numbering import parse_numbers
from spider_solver.solver import Limits
from spider_solver.winrate import Tasks, Work
from spider_solver.winrate.work import solve_task

pytest.importorskip("distributed")

from dask_cluster import cluster

QUICK = ("--suits", "1", "--max-width", "30", "--solutions")


def test_a_cluster_finds_the_same_and_survives_a_workers_death(tmp_path):
    path = tmp_path / "cluster.jsonl"
    with cluster(tmp_path, workers=2) as running:
        arguments = ("winrate", "1-60", *QUICK, "-o", path.name, "--scheduler", running.address)
        process = start(*arguments, folder=tmp_path)
        wait_for_lines(path, 6, process)
        running.workers[0].kill()
        said = process.communicate(timeout=100)
    assert process.returncode == 0, said
    tasks = Tasks(parse_numbers("1-60"), (1,))
    work = Work(Limits(max_width=30), solutions=True)
    assert findings(path) == by_task(solve_task(task, work) for task in tasks)
