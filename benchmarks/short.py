"""Short solutions: measures them, and keeps the shortest ones known in deals/records.

    python benchmarks/short.py measure native_four_suit --seconds 5   # mean lengths from nothing
    python benchmarks/short.py improve                                # shorter records, all groups
    python benchmarks/short.py check                                  # verifies every record
    python benchmarks/short.py table                                  # mean lengths of the records

A record is a recorded game that wins its deal. It is replaced only by a shorter one.
"""

from __future__ import annotations

import json
import os
import statistics
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

import click
from common import PROJECT, table_lines
from tqdm import tqdm

from spider_solver.cards import parse_card
from spider_solver.cli.options import whole_number
from spider_solver.deal import Deal
from spider_solver.formats import read_game, write_game
from spider_solver.numbering import deal_from_number
from spider_solver.recorded_games import recorded_game
from spider_solver.result import Result, ShorteningLimits, Verdict
from spider_solver.shorten import shorten
from spider_solver.solver import solve
from spider_solver.verify import GameVerdict, Report, verify_game

FOLDER = PROJECT / "deals" / "records"
PUBLISHED = FOLDER / "published_two_suit.json"
PUBLISHED_BEAMS = ("500", "5000", "50000")  # states per stage of the published searches
NUMBERS = range(1, 101)


@dataclass(frozen=True, slots=True)
class Group:
    """Deals of one kind in one suit mode."""

    deals: dict[str, Deal]  # by the name of the deal's file, without its suffix

    def names(self) -> list[str]:
        """The names of the deals, in order."""
        return list(self.deals)


def _numbered(prefix: str, suits: int) -> Group:
    return Group({str(n): deal_from_number(f"{prefix}{n}", suits) for n in NUMBERS})


def _published() -> Group:
    """The two-suit deals with published lengths."""
    deals = {}
    for entry in json.loads(PUBLISHED.read_text(encoding="utf-8"))["deals"]:
        columns = [[parse_card(text) for text in column] for column in entry["columns"]]
        stock = [parse_card(text) for text in entry["stock"]]
        name = f"published {entry['id']}"
        deals[str(entry["id"])] = Deal.make(columns, stock, name=name, suits=2)
    return Group(deals)


GROUPS: dict[str, Callable[[], Group]] = {
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


def solved(deal: Deal, known: Path | None, limits: ShorteningLimits) -> Result:
    """The shortest solution found within the limits, starting from the record if there is one."""
    result = solve(deal)
    if known is not None and known.exists():
        report = _verified(known)
        actions = tuple(outcome.action for outcome in report.position.history)
        if result.verdict is not Verdict.WON or len(actions) < len(result.actions):
            result = replace(result, verdict=Verdict.WON, actions=actions)
    return shorten(deal, result, limits)


def write_record(path: Path, deal: Deal, result: Result) -> bool:
    """Write a solution, unless the record is at least as short. Returns whether it was written."""
    game = recorded_game(deal, result.actions)
    if path.exists() and _length(path) <= len(result.actions):
        return False
    path.parent.mkdir(exist_ok=True)
    beside = path.with_suffix(".new")
    beside.write_text(write_game(game), encoding="utf-8")
    os.replace(beside, path)
    return True


def _verified(path: Path) -> Report:
    """The replay of a record. Raises ClickException unless it wins its deal."""
    report = verify_game(read_game(path.read_text(encoding="utf-8")))
    if report.verdict is not GameVerdict.WON:
        raise click.ClickException(f"{path}: {report.verdict}: {report.reason}")
    return report


def _length(path: Path) -> int:
    """The actions of a record."""
    report = _verified(path)
    return report.moves + report.rows


def _task(group: str, name: str, limits: ShorteningLimits, keep: bool) -> tuple[str, str, Result]:
    deal = GROUPS[group]().deals[name]
    path = record_path(group, name)
    result = solved(deal, path if keep else None, limits)
    if keep and result.verdict is Verdict.WON:
        write_record(path, deal, result)
    return group, name, result


def _run(
    groups: Sequence[str], limits: ShorteningLimits, jobs: int, last: int, keep: bool
) -> Iterator[tuple[str, str, Result]]:
    """The results of the first deals of some groups, in order."""
    tasks = [(group, name) for group in groups for name in GROUPS[group]().names()[:last]]
    with ProcessPoolExecutor(jobs) as pool:
        runs = [pool.submit(_task, group, name, limits, keep) for group, name in tasks]
        for run in tqdm(runs, unit="deal", disable=None):
            yield run.result()


@click.group()
def cli() -> None:
    """Measure short solutions, and keep the shortest ones known."""


_groups = click.argument("groups", nargs=-1, type=click.Choice(list(GROUPS)))
_seconds = click.option("--seconds", type=float, help="Seconds for each deal.")
_states = click.option("--states", type=whole_number(1), help="States for each deal.")
_jobs = click.option("--jobs", type=whole_number(1), default=1, help="Processes.")
_last = click.option("--last", type=whole_number(1), default=NUMBERS.stop, help="Deals of a group.")


@cli.command()
@_groups
@_seconds
@_states
@_jobs
@_last
def measure(
    groups: tuple[str, ...], seconds: float | None, states: int | None, jobs: int, last: int
) -> None:
    """Solve and shorten the deals of GROUPS from nothing, and print their mean lengths."""
    limits = ShorteningLimits(seconds, states)
    lengths: dict[str, list[int]] = {}
    first: dict[str, list[int]] = {}
    for group, _, result in _run(groups or list(GROUPS), limits, jobs, last, keep=False):
        if result.shortening is not None:
            lengths.setdefault(group, []).append(len(result.actions))
            first.setdefault(group, []).append(result.shortening.first_length)
    rows = [
        (group, str(len(found)), _mean(first[group]), _mean(found))
        for group, found in lengths.items()
    ]
    for line in table_lines([("group", "won", "solve", "shortened"), *rows]):
        click.echo(line)


@cli.command()
@_groups
@_seconds
@_states
@_jobs
@_last
def improve(
    groups: tuple[str, ...], seconds: float | None, states: int | None, jobs: int, last: int
) -> None:
    """Search for shorter solutions than the records of GROUPS, and keep those that are found."""
    limits = ShorteningLimits(seconds, states)
    shorter = 0
    for _, _, result in _run(groups or list(GROUPS), limits, jobs, last, keep=True):
        found = result.shortening
        shorter += found is not None and len(result.actions) < found.first_length
    click.echo(f"{shorter} solutions are shorter than the ones that the searches started from")


@cli.command()
def check() -> None:
    """Replay every record on the plain rules, and compare its deal."""
    checked = 0
    for group, make in GROUPS.items():
        for name, deal in make().deals.items():
            path = record_path(group, name)
            if path.exists():
                _length(path)
                found = read_game(path.read_text(encoding="utf-8")).deal
                if replace(found, name="") != replace(deal, name=""):
                    raise click.ClickException(f"{path}: the record is of another deal")
                checked += 1
    click.echo(f"{checked} records win their deals")


@cli.command()
def table() -> None:
    """Print the mean lengths of the records, and those published."""
    rows = []
    for group, make in GROUPS.items():
        paths = [record_path(group, name) for name in make().names()]
        found = [_length(path) for path in paths if path.exists()]
        if found:
            rows.append((group, str(len(found)), _mean(found), str(min(found)), str(max(found))))
    for line in table_lines([("group", "records", "mean", "shortest", "longest"), *rows]):
        click.echo(line)
    entries = json.loads(PUBLISHED.read_text(encoding="utf-8"))["deals"]
    for beam in PUBLISHED_BEAMS:
        lengths = [entry["published"][beam] for entry in entries]
        click.echo(f"published, {beam} states per stage: {len(lengths)} deals, {_mean(lengths)}")


def _mean(numbers: Sequence[int]) -> str:
    return f"{statistics.mean(numbers):.2f}"


if __name__ == "__main__":
    cli()
