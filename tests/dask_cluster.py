"""A dask scheduler and worker processes on loopback, each a program of its own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from commandline import PROJECT


class Cluster:
    """What runs: the scheduler's address, and the worker processes."""

    def __init__(self, address: str, workers: list[subprocess.Popen[bytes]]) -> None:
        self.address = address
        self.workers = workers


def _start(module: str, *arguments: str, folder: Path) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-m", f"distributed.cli.{module}", "--no-dashboard", *arguments],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(PROJECT), "OMP_NUM_THREADS": "1"},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )


@contextmanager
def cluster(folder: Path, workers: int = 2) -> Iterator[Cluster]:
    """A scheduler and workers, ended at the end; folder: for what they write."""
    tells = folder / "scheduler.json"
    started = [
        _start(
            "dask_scheduler",
            *("--host", "127.0.0.1", "--port", "0", "--scheduler-file", str(tells)),
            folder=folder,
        )
    ]
    try:
        started += [
            _start(
                "dask_worker",
                *("--scheduler-file", str(tells), "--nthreads", "1", "--no-nanny"),
                *("--memory-limit", "0", "--local-directory", str(folder)),
                folder=folder,
            )
            for _ in range(workers)
        ]
        end = time.monotonic() + 60
        while not (tells.exists() and tells.read_text()):
            assert time.monotonic() < end, "the scheduler doesn't start"
            time.sleep(0.05)
        yield Cluster(json.loads(tells.read_text())["address"], started[1:])
    finally:
        for process in started:
            process.kill()
        for process in started:
            process.wait()
