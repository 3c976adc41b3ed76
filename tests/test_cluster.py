"""Solving deals on a dask scheduler with two worker processes."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
from commandline import start
from dask_cluster import cluster
from results import by_task, records_in, wait_for_lines

from spider_solver.deal import RowRule
from spider_solver.errors import InternalError
from spider_solver.numbering import parse_numbers
from spider_solver.records import Task
from spider_solver.result import Limits
from spider_solver.winrate import Tasks, Work, WorkerDeathsError, WorkError
from spider_solver.winrate import cluster as cluster_module
from spider_solver.winrate.work import solve_task

distributed = pytest.importorskip("distributed")
QUICK = ("--suits", "1", "--max-width", "30", "--solutions")


def test_a_cluster_finds_the_same_results_although_a_worker_is_killed(tmp_path):
    path = tmp_path / "cluster.jsonl"
    with cluster(tmp_path, workers=2) as running:
        arguments = ("winrate", "1-60", *QUICK, "-o", path.name, "--scheduler", running.address)
        process = start(*arguments, cwd=tmp_path)
        wait_for_lines(path, 6, process)
        running.workers[0].kill()
        output = process.communicate(timeout=100)
    assert process.returncode == 0, output
    tasks = Tasks(parse_numbers("1-60"), (1,))
    work = Work(Limits(max_width=30), solutions=True)
    assert records_in(path) == by_task(solve_task(task, work) for task in tasks)


@pytest.mark.parametrize(
    ("error", "expected", "message"),
    [
        (
            distributed.KilledWorker("key", SimpleNamespace(address="tcp://a:1"), 3),
            WorkerDeathsError,
            "workers at tcp://s:1 died again and again at native:1, 4 suits; the last one was ",
        ),
        (
            ValueError("x"),
            WorkError,
            "the cluster at tcp://s:1 failed to solve native:1, 4 suits: ",
        ),
        (InternalError("wrong solution"), InternalError, "native:1, 4 suits: wrong solution"),
    ],
    ids=["killed workers", "failed", "fault of the search"],
)
def test_an_error_on_a_cluster_names_the_deal(error, expected, message):
    def raise_error() -> None:
        raise error

    client = SimpleNamespace(status="running")
    task = Task("native:1", 4, RowRule.STANDARD)
    running = cluster_module._ClusterRun(client, iter(()), Work(Limits()), "tcp://s:1", print)
    with pytest.raises(expected) as caught:
        running._record(SimpleNamespace(result=raise_error), task)
    assert str(caught.value).startswith(message)


@pytest.mark.parametrize(
    ("limit", "share"),
    [(2**30, 2**27), (0, 2**28), (None, 2**28)],
    ids=["half of the worker's limit", "limit 0", "no limit"],
)
def test_the_threads_of_a_worker_share_its_memory(limit, share, monkeypatch):
    worker = SimpleNamespace(
        memory_manager=SimpleNamespace(memory_limit=limit), state=SimpleNamespace(nthreads=4)
    )
    monkeypatch.setattr(distributed, "get_worker", lambda: worker)
    monkeypatch.setattr(cluster_module, "default_memory", lambda: 2**30)
    monkeypatch.setattr(cluster_module, "solve_task", lambda *arguments: arguments)
    task, work = Task("native:1", 4, RowRule.STANDARD), Work(Limits())
    assert cluster_module._solve_on_worker(task, work) == (task, work, share)
