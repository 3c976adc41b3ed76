"""The tables of this folder: made by runs of winrate, checked by solving a sample again.

    python deals/results/tables.py make                    # all; goes on where it was stopped
    python deals/results/tables.py make native_one_suit --sample 40 --folder trial
    python deals/results/tables.py check -n 50             # fifty deals of each table

A table is CSV: comments that tell how it was made, then ``number,verdict,moves,width`` for
each deal, moves without rows and only where the deal is won.
"""

from __future__ import annotations

import csv
import os
import platform
import random
import shlex
import subprocess
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

import click

from spider_solver.numbering import parse_numbers
from spider_solver.records import Record, Task, read_results
from spider_solver.result import Limits, Verdict
from spider_solver.winrate import Tasks, Work
from spider_solver.winrate.work import solve_task

HERE = Path(__file__).parent
MAX_TOLD = 20  # faults of one kind
COLUMNS = ("number", "verdict", "moves", "width")


@dataclass(frozen=True, slots=True)
class Table:
    """A range of deals in one suit mode, and how wide the widest beam may be."""

    deals: str
    suits: int
    max_width: int = Limits().max_width

    @property
    def work(self) -> Work:
        """How each deal is solved."""
        return Work(Limits(max_width=self.max_width))

    @property
    def tasks(self) -> Tasks:
        """The deals, in the table's order."""
        return Tasks(parse_numbers(self.deals), (self.suits,))

    def arguments(self, results: str) -> list[str]:
        """The arguments of the command that solves them all."""
        width = ("--max-width", str(self.max_width))
        return ["winrate", self.deals, "--suits", str(self.suits), *width, "-o", results]


TABLES = {
    "pysol_ms_four_suit": Table("pysol:ms1-ms32000", 4),
    "native_one_suit": Table("native:1-10000", 1),
    "native_two_suit": Table("native:1-10000", 2),
    "native_four_suit": Table("native:1-10000", 4),
}
Row = tuple[str, str, str, str]


def row_of(record: Record) -> Row:
    """A deal's line in a table."""
    moves = "" if record.moves is None else str(record.moves)
    return (number_of(record.task), str(record.verdict), moves, str(record.width))


def number_of(task: Task) -> str:
    """A deal's number without its scheme."""
    return task.deal.partition(":")[2]


def machine() -> str:
    """The processor's name, and how many cores there are."""
    name = platform.processor() or platform.machine()
    try:
        for line in Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines():
            if line.startswith("model name"):
                name = line.partition(":")[2].strip()
                break
    except OSError:
        pass
    return f"{name}, {os.cpu_count()} cores, {platform.system()}, Python {sys.version.split()[0]}"


def head(command: str, records: Iterable[Record], jobs: int) -> Iterator[str]:
    """The comments that tell how a table was made and what came out."""
    found = list(records)
    verdicts = Counter(record.verdict for record in found)
    yield f"made by: {command}"
    yield f"settings: {'; '.join(sorted({record.key for record in found}))}"
    yield f"machine: {machine()}"
    yield f"time: {sum(r.seconds for r in found):,.0f} s of search in all, by {jobs} processes"
    yield ", ".join(f"{verdict} {verdicts[verdict]}" for verdict in Verdict)
    for verdict in (Verdict.UNWINNABLE, Verdict.UNDECIDED):
        if verdicts[verdict]:
            names = (number_of(record.task) for record in found if record.verdict is verdict)
            yield f"{verdict}: {' '.join(names)}"


def read_table(path: Path) -> tuple[dict[str, str], list[Row]]:
    """A table's comments by what stands before their colon, and its lines."""
    text = path.read_text(encoding="utf-8").splitlines()
    comments = (line[2:].partition(": ") for line in text if line.startswith("# "))
    lines = csv.reader(line for line in text if not line.startswith("#"))
    if tuple(next(lines)) != COLUMNS:
        raise click.ClickException(f"{path}: expected the columns {','.join(COLUMNS)}")
    rows = [(number, verdict, moves, width) for number, verdict, moves, width in lines]
    return {name: value for name, _, value in comments}, rows


@click.group()
def cli() -> None:
    """Make or check the tables of solved deals."""


@cli.command()
@click.argument("names", nargs=-1, type=click.Choice(list(TABLES)))
@click.option("--sample", type=click.IntRange(1), help="Only so many deals of each, for a trial.")
@click.option("--jobs", type=click.IntRange(1), default=os.cpu_count(), show_default=True)
@click.option(
    "--folder", type=click.Path(path_type=Path), default=HERE, help="For the tables.  [here]"
)
@click.option(
    "--results",
    type=click.Path(path_type=Path),
    default=Path("build", "results"),
    show_default=True,
    help="For the results files, from which a stopped run goes on.",
)
def make(
    names: tuple[str, ...], sample: int | None, jobs: int, folder: Path, results: Path
) -> None:
    """Solve all deals of the tables named, or of all, and write the tables."""
    for place in (folder, results):
        place.mkdir(parents=True, exist_ok=True)
    for name in names or TABLES:
        table = TABLES[name]
        file = results / f"{name}.jsonl"
        some = [] if sample is None else ["-n", str(sample)]
        arguments = [*table.arguments(str(file)), *some, "--jobs", str(jobs)]
        subprocess.run([sys.executable, "-m", "spider_solver", *arguments], check=True)
        by_number = {number_of(r.task): r for r in read_results(str(file))}
        places = (by_number.get(number_of(task)) for task in table.tasks)
        records = [record for record in places if record is not None]
        command = shlex.join(["spider-solver", *table.arguments(f"{name}.jsonl"), *some])
        write(folder / f"{name}.csv", head(command, records, jobs), map(row_of, records))


def write(path: Path, comments: Iterable[str], rows: Iterable[Row]) -> None:
    """Write a table."""
    with path.open("w", encoding="utf-8", newline="") as file:
        file.writelines(f"# {comment}\n" for comment in comments)
        csv.writer(file, lineterminator="\n").writerows((COLUMNS, *rows))
    click.echo(f"{path}: written")


@cli.command()
@click.argument("names", nargs=-1, type=click.Choice(list(TABLES)))
@click.option("-n", "count", type=click.IntRange(1), default=20, show_default=True)
@click.option("--seed", type=int, help="Of the sample.  [default: another one each time]")
@click.option("--folder", type=click.Path(path_type=Path), default=HERE, help="Of the tables.")
def check(names: tuple[str, ...], count: int, seed: int | None, folder: Path) -> None:
    """Solve a random sample of each table again: verdict, moves and width must be the same.

    Moves and width only under the settings, and by the version, that made the table.
    """
    paths = {name: folder / f"{name}.csv" for name in names or TABLES}
    missing = [name for name, path in paths.items() if not path.exists()]
    if missing and (names or len(missing) == len(paths)):
        raise click.ClickException(f"no table {', '.join(missing)} in {folder}: make writes them")
    wrong = 0
    for name, path in paths.items():
        if name in missing:
            continue
        comments, rows = read_table(path)
        table = TABLES[name]
        wrong += report(path, faults(table, comments, rows))
        same = comments.get("settings") == table.work.key
        compared = COLUMNS if same else COLUMNS[:2]
        sample = random.Random(seed).sample(rows, min(count, len(rows)))
        scheme = table.deals.partition(":")[0]
        for row in sample:
            task = Task(f"{scheme}:{row[0]}", table.suits, table.tasks.rules)
            found = row_of(solve_task(task, table.work))
            if found[: len(compared)] != row[: len(compared)]:
                wrong += report(path, [f"{','.join(row)}: solved again, {','.join(found)}"])
        click.echo(f"{path}: {len(rows)} deals, {len(sample)} solved again ({', '.join(compared)})")
    sys.exit(1 if wrong else 0)


def faults(table: Table, comments: dict[str, str], rows: list[Row]) -> Iterator[str]:
    """What is wrong with a table on the face of it."""
    numbers = [row[0] for row in rows]
    known = dict.fromkeys(map(number_of, table.tasks))
    if any(number not in known for number in numbers) or len(set(numbers)) < len(numbers):
        yield f"a number that is there twice, or not in {table.deals}"
    if "-n" not in comments.get("made by", "").split() and len(numbers) < len(known):
        yield f"{len(known) - len(numbers)} deals of {table.deals} are missing"
    for row in rows:
        if row[1] not in set(Verdict) or (row[1] == Verdict.WON) is not row[2].isdigit():
            yield f"{','.join(row)}: the moves don't go with the verdict"


def report(path: Path, faults: Iterable[str]) -> int:
    """Say what is wrong, and how much."""
    told = list(islice(faults, MAX_TOLD))
    for fault in told:
        click.echo(f"{path}: {fault}", err=True)
    return len(told)


if __name__ == "__main__":
    cli()
