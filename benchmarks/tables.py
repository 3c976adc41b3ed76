"""The tables in deals/results: make them by winrate, or solve a sample of their deals again.

    python benchmarks/tables.py make                    # all tables; continues a stopped run
    python benchmarks/tables.py make native_one_suit --sample 40 --folder trial
    python benchmarks/tables.py check -n 50             # fifty deals of each table

A table is a CSV file. It starts with comments on how it was made. Then it has one line
``number,verdict,moves,width`` for each deal. Moves do not include rows and are empty unless the
deal is won.
"""

from __future__ import annotations

import csv
import os
import random
import shlex
import subprocess
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

import click
from common import PROJECT, this_machine

from spider_solver.numbering import parse_numbers
from spider_solver.records import Record, Task, read_results
from spider_solver.result import Limits, Verdict
from spider_solver.winrate import Tasks, Work
from spider_solver.winrate.work import solve_task

FOLDER = PROJECT / "deals" / "results"
MAX_REPORTED = 20  # faults that one check of a table reports
COLUMNS = ("number", "verdict", "moves", "width")
Row = tuple[str, str, str, str]  # the values of COLUMNS for one deal


@dataclass(frozen=True, slots=True)
class Table:
    """A range of deals in one suit mode, and the limit of their searches."""

    deals: str  # deal numbers, as winrate takes them
    suits: int
    max_width: int = Limits().max_width  # of the widest beam

    @property
    def work(self) -> Work:
        """How each deal is solved."""
        return Work(Limits(max_width=self.max_width))

    @property
    def tasks(self) -> Tasks:
        """The deals, in the table's order."""
        return Tasks(parse_numbers(self.deals), (self.suits,))

    def arguments(self, results: str) -> list[str]:
        """The program's arguments that solve all deals into a results file."""
        width = ("--max-width", str(self.max_width))
        return ["winrate", self.deals, "--suits", str(self.suits), *width, "-o", results]


TABLES = {
    "pysol_ms_four_suit": Table("pysol:ms1-ms32000", 4),
    "native_one_suit": Table("native:1-10000", 1),
    "native_two_suit": Table("native:1-10000", 2),
    "native_four_suit": Table("native:1-10000", 4),
}


def row_of(record: Record) -> Row:
    """The line of a deal in a table."""
    moves = "" if record.moves is None else str(record.moves)
    return (number_of(record.task), str(record.verdict), moves, str(record.width))


def number_of(task: Task) -> str:
    """A deal's number without its scheme."""
    return task.deal.partition(":")[2]


def comments_on(command: str, records: Sequence[Record], jobs: int) -> Iterator[str]:
    """The comments of a table: how it was made, and a summary of the verdicts.

    command: the command line that solved the deals. jobs: the number of its processes.
    """
    machine = this_machine()
    verdicts = Counter(record.verdict for record in records)
    seconds = sum(record.seconds for record in records)
    yield f"made by: {command}"
    yield f"settings: {'; '.join(sorted({record.key for record in records}))}"
    yield (
        f"machine: {machine.processor}, {machine.cores} cores, {machine.system},"
        f" Python {machine.python}"
    )
    yield f"time: {seconds:,.0f} s of search in all, by {jobs} processes"
    yield ", ".join(f"{verdict} {verdicts[verdict]}" for verdict in Verdict)
    for verdict in (Verdict.UNWINNABLE, Verdict.UNDECIDED):
        if verdicts[verdict]:
            names = (number_of(record.task) for record in records if record.verdict is verdict)
            yield f"{verdict}: {' '.join(names)}"


def read_table(path: Path) -> tuple[dict[str, str], list[Row]]:
    """A table's comments, by the text before their colon, and its lines."""
    text = path.read_text(encoding="utf-8").splitlines()
    comments = (line[2:].partition(": ") for line in text if line.startswith("# "))
    lines = csv.reader(line for line in text if not line.startswith("#"))
    if tuple(next(lines)) != COLUMNS:
        raise click.ClickException(f"{path}: expected the columns {','.join(COLUMNS)}")
    rows = [(number, verdict, moves, width) for number, verdict, moves, width in lines]
    return {name: value for name, _, value in comments}, rows


def write_table(path: Path, comments: Iterable[str], rows: Iterable[Row]) -> None:
    """Write a table and report that."""
    with path.open("w", encoding="utf-8", newline="") as file:
        file.writelines(f"# {comment}\n" for comment in comments)
        csv.writer(file, lineterminator="\n").writerows((COLUMNS, *rows))
    click.echo(f"{path}: written")


@click.group()
def cli() -> None:
    """Make or check the tables of solved deals."""


@cli.command()
@click.argument("names", nargs=-1, type=click.Choice(list(TABLES)))
@click.option("--sample", type=click.IntRange(1), help="Only so many deals of each, for a trial.")
@click.option("--jobs", type=click.IntRange(1), default=os.cpu_count(), show_default=True)
@click.option(
    "--folder",
    type=click.Path(path_type=Path),
    default=FOLDER,
    help="Folder of the tables.  [default: deals/results]",
)
@click.option(
    "--results",
    type=click.Path(path_type=Path),
    default=Path("build", "results"),
    show_default=True,
    help="Folder of the results files, which a stopped run continues.",
)
def make(
    names: tuple[str, ...], sample: int | None, jobs: int, folder: Path, results: Path
) -> None:
    """Solve all deals of the named tables, or of all tables, and write the tables."""
    for target in (folder, results):
        target.mkdir(parents=True, exist_ok=True)
    for name in names or TABLES:
        table = TABLES[name]
        file = results / f"{name}.jsonl"
        only = [] if sample is None else ["-n", str(sample)]
        arguments = [*table.arguments(str(file)), *only, "--jobs", str(jobs)]
        subprocess.run([sys.executable, "-m", "spider_solver", *arguments], check=True)
        # A deal may have several records; the last one is from the run with enough memory.
        by_number = {number_of(record.task): record for record in read_results(str(file))}
        found = (by_number.get(number_of(task)) for task in table.tasks)
        records = [record for record in found if record is not None]
        command = shlex.join(["spider-solver", *table.arguments(f"{name}.jsonl"), *only])
        comments = comments_on(command, records, jobs)
        write_table(folder / f"{name}.csv", comments, map(row_of, records))


@cli.command()
@click.argument("names", nargs=-1, type=click.Choice(list(TABLES)))
@click.option("-n", "count", type=click.IntRange(1), default=20, show_default=True)
@click.option("--seed", type=int, help="Seed of the sample.  [default: a new one each time]")
@click.option(
    "--folder",
    type=click.Path(path_type=Path),
    default=FOLDER,
    help="Folder of the tables.  [default: deals/results]",
)
def check(names: tuple[str, ...], count: int, seed: int | None, folder: Path) -> None:
    """Solve a random sample of each table again: verdict, moves and width must be the same.

    Moves and width are compared only if this version of the program made the table, with the
    same settings.
    """
    paths = {name: folder / f"{name}.csv" for name in names or TABLES}
    missing = [name for name, path in paths.items() if not path.exists()]
    if missing and (names or len(missing) == len(paths)):
        raise click.ClickException(
            f"no table {', '.join(missing)} in {folder}: the command make writes them"
        )
    fault_count = 0
    for name, path in paths.items():
        if name not in missing:
            fault_count += check_table(TABLES[name], path, count, seed)
    sys.exit(1 if fault_count else 0)


def check_table(table: Table, path: Path, count: int, seed: int | None) -> int:
    """Check a table and solve ``count`` of its deals again. Returns the number of faults."""
    comments, rows = read_table(path)
    fault_count = report_faults(path, faults(table, comments, rows))
    same_settings = comments.get("settings") == table.work.key
    compared = COLUMNS if same_settings else COLUMNS[:2]
    sample = random.Random(seed).sample(rows, min(count, len(rows)))
    scheme = table.deals.partition(":")[0]
    for row in sample:
        task = Task(f"{scheme}:{row[0]}", table.suits, table.tasks.rules)
        found = row_of(solve_task(task, table.work))
        if found[: len(compared)] != row[: len(compared)]:
            difference = f"{','.join(row)}: solved again, {','.join(found)}"
            fault_count += report_faults(path, [difference])
    click.echo(f"{path}: {len(rows)} deals, {len(sample)} solved again ({', '.join(compared)})")
    return fault_count


def faults(table: Table, comments: dict[str, str], rows: list[Row]) -> Iterator[str]:
    """The faults of a table that can be seen without solving its deals."""
    numbers = [row[0] for row in rows]
    known = dict.fromkeys(map(number_of, table.tasks))
    if any(number not in known for number in numbers) or len(set(numbers)) < len(numbers):
        yield f"a number occurs twice or is not in {table.deals}"
    if "-n" not in comments.get("made by", "").split() and len(numbers) < len(known):
        yield f"{len(known) - len(numbers)} deals of {table.deals} are missing"
    for row in rows:
        if row[1] not in set(Verdict) or (row[1] == Verdict.WON) is not row[2].isdigit():
            yield f"{','.join(row)}: the moves do not fit the verdict"


def report_faults(path: Path, faults: Iterable[str]) -> int:
    """Write the first ``MAX_REPORTED`` faults to stderr. Returns how many were written."""
    reported = list(islice(faults, MAX_REPORTED))
    for fault in reported:
        click.echo(f"{path}: {fault}", err=True)
    return len(reported)


if __name__ == "__main__":
    cli()
