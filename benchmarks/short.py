"""Short solutions: measures them, and keeps the shortest ones known in deals/records.

    python benchmarks/short.py measure native_four_suit --seconds 5   # mean lengths from nothing
    python benchmarks/short.py improve --seconds 60                   # shorter records, all groups
    python benchmarks/short.py check                                  # verifies every record
    python benchmarks/short.py table                                  # mean lengths of the records

A record is a recorded game that wins its deal. It is replaced only by a shorter one.
"""

from __future__ import annotations

import json
import statistics
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from functools import partial, wraps
from itertools import islice
from pathlib import Path
from typing import Any

import click
from common import PROJECT, table_lines
from tqdm import tqdm

from spider_solver.cards import parse_card
from spider_solver.cli.file_kinds import RECORDED_GAME
from spider_solver.cli.options import seconds, whole_number
from spider_solver.cli.output_files import OutputFile
from spider_solver.deal import Deal
from spider_solver.formats import read_game, write_game
from spider_solver.numbering import deal_from_number
from spider_solver.recorded_games import recorded_game
from spider_solver.result import Result, ShorteningLimits, Verdict
from spider_solver.shorten import shorten
from spider_solver.solver import solve, with_solution
from spider_solver.verify import GameVerdict, Report, verify_game

FOLDER = PROJECT / "deals" / "records"
PUBLISHED = FOLDER / "published_two_suit.json"
PUBLISHED_BEAMS = ("500", "5000", "50000")  # states per stage of the published searches
NUMBERS = range(1, 101)


Deals = dict[str, Deal]  # by the name of the deal's record, without its suffix


def _numbered(prefix: str, suits: int) -> Deals:
    return {str(n): deal_from_number(f"{prefix}{n}", suits) for n in NUMBERS}


def _published() -> Deals:
    """The two-suit deals with published lengths."""
    deals = {}
    for entry in json.loads(PUBLISHED.read_text(encoding="utf-8"))["deals"]:
        columns = [[parse_card(text) for text in column] for column in entry["columns"]]
        stock = [parse_card(text) for text in entry["stock"]]
        name = f"published {entry['id']}"
        deals[str(entry["id"])] = Deal.make(columns, stock, name=name, suits=2)
    return deals


GROUPS: dict[str, Callable[[], Deals]] = {
    "published_two_suit": _published,
    **{
        f"{scheme}_{mode}_suit": partial(_numbered, prefix, suits)
        for scheme, prefix in (("native", "native:"), ("pysol_ms", "pysol:ms"))
        for mode, suits in (("one", 1), ("two", 2), ("four", 4))
    },
}


def record_path(group: str, name: str) -> Path:
    """The file of a deal's record."""
    return FOLDER / group / f"{name}.txt"


def verified_record(path: Path, deal: Deal) -> Report:
    """The replay of a record. Raises ClickException unless it wins the deal."""
    game = read_game(path.read_text(encoding="utf-8"))
    report = verify_game(game)
    if report.verdict is not GameVerdict.WON:
        raise click.ClickException(f"{path}: {report.verdict}: {report.reason}")
    if replace(game.deal, name=deal.name) != deal:
        raise click.ClickException(f"{path}: the record is of another deal")
    return report


def best_known(deal: Deal, path: Path | None) -> Result:
    """The solution of ``solve``, or that of the record if it is shorter. path: of the record."""
    result = solve(deal)
    if path is None or not path.exists():
        return result
    report = verified_record(path, deal)
    actions = tuple(outcome.action for outcome in report.position.history)
    if result.verdict is Verdict.WON and len(result.actions) <= len(actions):
        return result
    return with_solution(deal, result, actions)


def shortened(deal: Deal, path: Path | None, limits: ShorteningLimits) -> Result:
    """The shortest solution found; it is written to the record if it is shorter. path: of it."""
    result = shorten(deal, best_known(deal, path), limits)
    if path is not None and result.verdict is Verdict.WON:
        known = verified_record(path, deal) if path.exists() else None
        if known is None or len(result.actions) < known.moves + known.rows:
            path.parent.mkdir(exist_ok=True)
            record = OutputFile("record", str(path), RECORDED_GAME)
            record.write(write_game(recorded_game(deal, result.actions)))
    return result


def run(
    groups: Sequence[str], limits: ShorteningLimits, jobs: int, last: int, *, keep: bool
) -> Iterator[tuple[str, Result]]:
    """The group and the result of each deal, in order. keep: use and write records."""
    with ProcessPoolExecutor(jobs) as pool:
        runs = [
            (
                group,
                pool.submit(shortened, deal, record_path(group, name) if keep else None, limits),
            )
            for group in groups or GROUPS
            for name, deal in islice(GROUPS[group]().items(), last)
        ]
        for group, task in tqdm(runs, unit="deal", disable=None):
            yield group, task.result()


def searches(command: Callable[..., None]) -> Any:
    """Add the arguments and options of a command that searches; it gets the values of ``run``."""

    @wraps(command)
    def with_limits(
        groups: tuple[str, ...], seconds: float | None, states: int | None, jobs: int, last: int
    ) -> None:
        if seconds is None and states is None:
            raise click.UsageError("--seconds or --states is needed")
        command(groups, ShorteningLimits(seconds, states), jobs, last)

    decorated: Any = with_limits
    for decorate in (
        click.argument("groups", nargs=-1, type=click.Choice(list(GROUPS))),
        click.option("--seconds", type=seconds, help="Seconds for each deal."),
        click.option("--states", type=whole_number(1), help="States for each deal."),
        click.option("--jobs", type=whole_number(1), default=1, help="Processes."),
        click.option(
            "--last", type=whole_number(1), default=len(NUMBERS), help="Only the first N deals."
        ),
    ):
        decorated = decorate(decorated)
    return decorated


@click.group()
def cli() -> None:
    """Measure short solutions, and keep the shortest ones known."""


@cli.command()
@searches
def measure(groups: Sequence[str], limits: ShorteningLimits, jobs: int, last: int) -> None:
    """Solve and shorten the deals of GROUPS from nothing, and print their mean lengths."""
    lengths: defaultdict[str, list[tuple[int, int, float]]] = defaultdict(list)
    for group, result in run(groups, limits, jobs, last, keep=False):
        if result.shortening is not None:
            found = result.shortening
            lengths[group].append((found.first_length, len(result.actions), found.seconds))
    rows = [
        (group, str(len(found)), *map(_mean, zip(*found, strict=True)))
        for group, found in lengths.items()
    ]
    for line in table_lines([("group", "won", "solve", "shortened", "seconds"), *rows]):
        click.echo(line)


@cli.command()
@searches
def improve(groups: Sequence[str], limits: ShorteningLimits, jobs: int, last: int) -> None:
    """Search for shorter solutions than the records of GROUPS, and keep those that are found."""
    shorter = 0
    for _, result in run(groups, limits, jobs, last, keep=True):
        found = result.shortening
        shorter += found is not None and len(result.actions) < found.first_length
    click.echo(f"{shorter} solutions are shorter than the ones that the searches started from")


def lengths_of_records(group: str) -> list[int]:
    """The actions of each record of a group. Raises ClickException unless all win their deals."""
    lengths = []
    for name, deal in GROUPS[group]().items():
        path = record_path(group, name)
        if path.exists():
            report = verified_record(path, deal)
            lengths.append(report.moves + report.rows)
    return lengths


@cli.command()
def check() -> None:
    """Replay every record on the plain rules, and compare its deal."""
    checked = sum(len(lengths_of_records(group)) for group in GROUPS)
    click.echo(f"{checked} records win their deals")


@cli.command()
def table() -> None:
    """Print the mean lengths of the records, and those published."""
    found = {group: lengths_of_records(group) for group in GROUPS}
    rows = [
        (group, str(len(lengths)), _mean(lengths), str(min(lengths)), str(max(lengths)))
        for group, lengths in found.items()
        if lengths
    ]
    for line in table_lines([("group", "records", "mean", "shortest", "longest"), *rows]):
        click.echo(line)
    entries = json.loads(PUBLISHED.read_text(encoding="utf-8"))["deals"]
    for beam in PUBLISHED_BEAMS:
        lengths = [entry["published"][beam] for entry in entries]
        click.echo(f"published, {beam} states per stage: {len(lengths)} deals, {_mean(lengths)}")


def _mean(numbers: Iterable[float]) -> str:
    return f"{statistics.mean(numbers):.2f}"


if __name__ == "__main__":
    cli()
