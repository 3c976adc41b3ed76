"""A dask scheduler and worker processes on the loopback interface."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from commandline import PROJECT


@dataclass
class Cluster:
    """A running cluster."""

    address: str  # of the scheduler
    workers: list[subprocess.Popen[bytes]]


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
    """A scheduler and workers, killed at the end. folder: for the files that they write."""
    scheduler_file = folder / "scheduler.json"
    started = [
        _start(
            "dask_scheduler",
            *("--host", "127.0.0.1", "--port", "0", "--scheduler-file", str(scheduler_file)),
            folder=folder,
        )
    ]
    try:
        started += [
            _start(
                "dask_worker",
                *("--scheduler-file", str(scheduler_file), "--nthreads", "1", "--no-nanny"),
                *("--memory-limit", "0", "--local-directory", str(folder)),
                folder=folder,
            )
            for _ in range(workers)
        ]
        end = time.monotonic() + 60
        while not (scheduler_file.exists() and scheduler_file.read_text()):
            assert time.monotonic() < end, "the scheduler does not start"
            time.sleep(0.05)
        yield Cluster(json.loads(scheduler_file.read_text())["address"], started[1:])
    finally:
        for process in started:
            process.kill()
        for process in started:
            process.wait()
