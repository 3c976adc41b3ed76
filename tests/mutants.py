"""Puts faults into the program, one at a time, and reports those that no test detects.

    python tests/mutants.py                     # all faults of faults.py; an ended run goes on
    python tests/mutants.py --module bound      # only the faults in one module
    python tests/mutants.py --list              # the faults, without running anything

Each fault is put into a copy of the project in a temporary folder, where the test files that it
names run until the first failure. A fault that makes them run too long counts as detected. Each
outcome is written to the results file at once, so a run that was stopped goes on where it ended.
Exit code 1 if a fault survived. Faults in kernels take about a minute each, as they are compiled.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Lock, local

import click
from faults import FAULTS, Fault
from tqdm import tqdm

PROJECT = Path(__file__).resolve().parent.parent
COPIED = ("spider_solver", "tests", "benchmarks", "deals", "docs", "pyproject.toml", "README.md")
RESULTS = "mutants.jsonl"
SECONDS = 900  # of the tests of one fault
DETECTED, SURVIVED, TOO_SLOW = "detected", "survived", "detected by the time limit"
TESTS_FAILED = 1  # pytest's exit code


class Workshop:
    """A copy of the project, into which one fault at a time is put."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        for name in COPIED:
            source = PROJECT / name
            copy = shutil.copytree if source.is_dir() else shutil.copy
            copy(source, folder / name)

    def outcome(self, fault: Fault) -> str:
        """Run the tests of a fault. Raises ClickException if they fail for another reason."""
        path = self.folder / fault.path
        text = path.read_text(encoding="utf-8")
        path.write_text(with_fault(fault, text), encoding="utf-8")
        files = [f"tests/test_{name}.py" for name in fault.tests.split()]
        command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", *files]
        environment = {**os.environ, "PYTHONPATH": str(self.folder)}
        try:
            found = subprocess.run(
                command, cwd=self.folder, env=environment, capture_output=True, timeout=SECONDS
            )
        except subprocess.TimeoutExpired:
            return TOO_SLOW
        finally:
            path.write_text(text, encoding="utf-8")
        if found.returncode not in (0, TESTS_FAILED):
            raise click.ClickException(found.stdout.decode() + found.stderr.decode())
        return DETECTED if found.returncode else SURVIVED


def with_fault(fault: Fault, text: str) -> str:
    """The text of a module with a fault. Raises ClickException unless its old text occurs once."""
    if text.count(fault.old) != 1:
        raise click.ClickException(f"{fault.path}: {fault.old!r} must occur exactly once")
    return text.replace(fault.old, fault.new)


def known_outcomes(results: Path) -> dict[Fault, str]:
    """The outcomes in a results file, by fault."""
    if not results.exists():
        return {}
    lines = map(json.loads, results.read_text(encoding="utf-8").splitlines())
    return {Fault(*line["fault"]): line["outcome"] for line in lines}


def run(faults: Iterable[Fault], results: Path, jobs: int) -> Iterator[tuple[Fault, str]]:
    """Yield each fault with its outcome, after writing it to the results file."""
    mine, lock = local(), Lock()
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(jobs) as pool:

        def outcome(fault: Fault) -> tuple[Fault, str]:
            if not hasattr(mine, "workshop"):
                mine.workshop = Workshop(Path(tempfile.mkdtemp(dir=folder)))
            found = mine.workshop.outcome(fault)
            with lock, results.open("a", encoding="utf-8") as file:
                file.write(json.dumps({"fault": fault, "outcome": found}) + "\n")
            return fault, found

        yield from pool.map(outcome, faults)


@click.command()
@click.option("--module", "modules", multiple=True, help="Only the faults in this module.")
@click.option("--jobs", type=click.IntRange(1), default=1, help="Faults at the same time.")
@click.option("--results", type=click.Path(path_type=Path), default=RESULTS, help="Results file.")
@click.option("--list", "lists", is_flag=True, help="Print the faults, and run nothing.")
def cli(modules: tuple[str, ...], jobs: int, results: Path, lists: bool) -> None:
    """Put in each fault, run its tests, and print the faults that survive."""
    chosen = [fault for fault in FAULTS if not modules or fault.module in modules]
    if lists:
        for fault in chosen:
            click.echo(f"{fault.path}: {fault.old!r} -> {fault.new!r}")
        return
    outcomes = known_outcomes(results)
    left = [fault for fault in chosen if fault not in outcomes]
    for fault, outcome in tqdm(run(left, results, jobs), total=len(left), disable=None):
        outcomes[fault] = outcome
    survivors = [fault for fault in chosen if outcomes[fault] == SURVIVED]
    for fault in survivors:
        click.echo(f"survived: {fault.path}: {fault.old!r} -> {fault.new!r}")
    slow = sum(outcomes[fault] == TOO_SLOW for fault in chosen)
    click.echo(f"{len(chosen)} faults, {len(survivors)} survived, {slow} {TOO_SLOW}")
    sys.exit(bool(survivors))


if __name__ == "__main__":
    cli()
