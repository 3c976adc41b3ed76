"""Records for tests, and results files that a running program writes."""

from __future__ import annotations

import subprocess
import time
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

from spider_solver.deal import RowRule
from spider_solver.records import Record, Task, read_results
from spider_solver.result import Verdict

KEY = "0.1.0 max_width=1000"


def record(number: int = 1, verdict: str = "won", **values: Any) -> Record:
    """A record of a native deal, with plausible values unless others are given."""
    won = verdict == "won"
    suits, rules = values.pop("suits", 4), values.pop("rules", RowRule.STANDARD)
    plausible: dict[str, Any] = {
        "moves": 120 if won else None,
        "rows": 5 if won else None,
        "score": 1175 if won else None,
        "width": 250,
        "states": 20_000,
        "seconds": 0.25,
        "key": KEY,
        "version": "0.1.0",
        "reason": "" if won else "a limit was reached",
    }
    task = Task(f"native:{number}", suits, rules)
    return Record(task, Verdict(verdict), **plausible | values)


def by_task(records: Iterable[Record]) -> dict[Task, Record]:
    """The records without their seconds. Checks that each task occurs once."""
    found: dict[Task, Record] = {}
    for result in records:
        assert result.task not in found
        found[result.task] = replace(result, seconds=0)
    return found


def records_in(path: Path) -> dict[Task, Record]:
    """The records in a results file, as ``by_task``. Checks that the last line is complete."""
    assert path.read_bytes().endswith(b"\n")
    return by_task(read_results(str(path)))


def count_lines(path: Path) -> int:
    """The number of complete lines in a file; 0 if there is no file."""
    return path.read_bytes().count(b"\n") if path.exists() else 0


def wait_for_lines(path: Path, count: int, process: subprocess.Popen[str]) -> None:
    """Wait until a file has ``count`` lines, or the process has ended."""
    end = time.monotonic() + 100
    while process.poll() is None and count_lines(path) < count:
        assert time.monotonic() < end
        time.sleep(0.01)
