"""Functions that the benchmarks share: facts about the machine, deals by number, tables, JSON."""

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

from spider_solver import __version__, searches
from spider_solver.deal import Deal, RowRule
from spider_solver.numbering.ranges import parse_numbers

PROJECT = Path(__file__).resolve().parent.parent
PACKAGES = ("numba", "numpy", "llvmlite")


@dataclass(frozen=True, slots=True)
class Machine:
    """The machine and the software of a measurement. The field names are keys in JSON files."""

    processor: str  # the name of its model
    cores: int  # those that this process may use
    memory: int  # bytes
    load: tuple[float, ...]  # load average over the last minute; empty if the system has none
    system: str  # operating system and architecture
    python: str  # version
    packages: dict[str, str]  # versions of PACKAGES
    version: str  # of spider-solver
    commit: str  # of the sources; "+" at its end if a file has changed; empty without git
    when: str  # UTC, as in 2025-01-31T12:00:00Z

    def facts_at_end(self) -> dict[str, Any]:
        """Return the fields, with the load at the start and the load now under ``load``."""
        return {**asdict(self), "load": [*self.load, *_load()]}


def this_machine() -> Machine:
    """Return the facts about this machine, with its load at this moment."""
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
    """Return one line of text for the facts that ``Machine.facts_at_end`` returns."""
    load = " to ".join(f"{average:.1f}" for average in facts["load"]) or "unknown"
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
        commit = _git("rev-parse", "--short=10", "HEAD")
        return commit + ("+" if _git("status", "--porcelain", "--untracked-files=no") else "")
    except (OSError, subprocess.SubprocessError):
        return ""


def _git(*arguments: str) -> str:
    return subprocess.run(
        ["git", "--no-optional-locks", *arguments],
        cwd=PROJECT,
        capture_output=True,
        encoding="utf-8",
        timeout=20,
        check=True,
    ).stdout.strip()


def parse_deals(texts: Sequence[str], suits: int, rules: str) -> list[Deal]:
    """Return the deals of deal numbers and ranges. Raises DealError."""
    return list(parse_numbers(*texts).deals(suits, RowRule(rules)))


def load_searches() -> float:
    """Load both searches, or compile them. Returns the seconds that it took."""
    start = time.perf_counter()
    searches.load_searches()
    return time.perf_counter() - start


def table_lines(cells: Iterable[Sequence[str]]) -> list[str]:
    """Return the lines of a table. The first column is aligned left, the others right."""
    lines = [list(line) for line in cells]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    aligned = []
    for first, *others in lines:
        right = (cell.rjust(width) for cell, width in zip(others, widths[1:], strict=True))
        aligned.append("  ".join([first.ljust(widths[0]), *right]).rstrip())
    return aligned


def write_json(path: str, content: object) -> None:
    """Write a JSON file, with which the figures of two runs can be compared."""
    Path(path).write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")
