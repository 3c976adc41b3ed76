"""What the benchmarks share: the machine that a figure belongs to, deals by number, tables."""

from __future__ import annotations

import importlib.metadata
import json
import os
import platform
import subprocess
import time
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import psutil

from spider_solver import __version__
from spider_solver.deal import Deal, RowRule
from spider_solver.numbering import deal_from_number
from spider_solver.numbering.ranges import parse_numbers
from spider_solver.result import Limits
from spider_solver.solver import solve

PROJECT = Path(__file__).resolve().parent.parent
PACKAGES = ("numba", "numpy", "llvmlite")


@dataclass(frozen=True, slots=True)
class Machine:
    """Where a figure was measured, and with what.

    cores: that this process may use. memory: bytes. load: processes running or waiting, in the
    mean over the last minute, before the benchmark and (set by ``finished``) after it; empty
    where the system doesn't tell. commit: of the sources; empty without git, ``+`` at its end
    if a file differs from it.
    """

    processor: str
    cores: int
    memory: int
    load: tuple[float, ...]
    system: str
    python: str
    packages: dict[str, str]
    version: str
    commit: str
    when: str

    def finished(self) -> dict[str, Any]:
        """As JSON's keys, with the load at the end as well."""
        return {**asdict(self), "load": [*self.load, *_load()]}


def this_machine() -> Machine:
    """This machine, now."""
    return Machine(
        processor=_processor(),
        cores=_cores(),
        memory=psutil.virtual_memory().total,
        load=_load(),
        system=f"{platform.system()} {platform.machine()}",
        python=platform.python_version(),
        packages={name: importlib.metadata.version(name) for name in PACKAGES},
        version=__version__,
        commit=_commit(),
        when=time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
    )


def machine_line(facts: dict[str, Any]) -> str:
    """What ``finished`` gives, in one line."""
    load = " to ".join(f"{one:.1f}" for one in facts["load"]) or "unknown"
    packages = ", ".join(f"{name} {version}" for name, version in facts["packages"].items())
    return (
        f"{facts['processor']}, {facts['cores']} cores, {facts['memory'] / 2**30:.0f} GiB,"
        f" load {load}; {facts['system']}, Python {facts['python']}, {packages};"
        f" spider-solver {facts['version']}, commit {facts['commit'] or 'unknown'}"
    )


def _processor() -> str:
    try:
        for line in Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    except OSError:
        pass
    return platform.processor() or platform.machine()


def _cores() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _load() -> tuple[float, ...]:
    return (round(os.getloadavg()[0], 2),) if hasattr(os, "getloadavg") else ()


def _commit() -> str:
    try:
        name = _git("rev-parse", "--short=10", "HEAD")
        return name + ("+" if _git("status", "--porcelain", "--untracked-files=no") else "")
    except (OSError, subprocess.SubprocessError):
        return ""


def _git(*words: str) -> str:
    return subprocess.run(
        ["git", "--no-optional-locks", *words],
        cwd=PROJECT,
        capture_output=True,
        encoding="utf-8",
        timeout=20,
        check=True,
    ).stdout.strip()


def deals_of(texts: Sequence[str], suits: int, rules: str) -> list[Deal]:
    """The deals that numbers and ranges name. Raises a DealError."""
    return list(parse_numbers(*texts).deals(suits, RowRule(rules)))


def warm_up() -> float:
    """Load or compile all that a search uses, by one; the seconds that it took."""
    start = time.perf_counter()
    solve(deal_from_number("1", 1), Limits(max_width=20))
    return time.perf_counter() - start


def table(rows: Iterable[Sequence[str]]) -> list[str]:
    """Lines of a table: the first column to the left, the others to the right."""
    cells = [list(row) for row in rows]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    lines = []
    for first, *others in cells:
        right = (cell.rjust(width) for cell, width in zip(others, widths[1:], strict=True))
        lines.append("  ".join([first.ljust(widths[0]), *right]).rstrip())
    return lines


def write_json(path: str, content: object) -> None:
    """Write a file for programs, and for comparing one run with another."""
    Path(path).write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")
