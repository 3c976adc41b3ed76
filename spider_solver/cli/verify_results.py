"""``verify --results``: replay each solution in results files by the rules in game.py."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator

import click

from ..errors import SpiderError
from ..records import Record, SolutionCheck, read_results
from ..render.json import solution_check_object
from ..words import counted, quote_file, visible_file
from .errors import Exit, report_error
from .output import Messages


def verify_results(files: Iterable[str], as_json: bool, messages: Messages) -> Exit:
    """Check the solutions in results files and print the result for each file.

    Returns Exit.ERROR if a solution is wrong, or if a file has won deals but no solution.
    """
    failed = False
    for file in files:
        check = _check_file(file, messages)
        if as_json:
            click.echo(json.dumps(solution_check_object(file, check)))
        else:
            click.echo(
                f"{visible_file(file)}: {counted(check.results, 'result')}, {check.won:,} won:"
                f" {counted(check.verified, 'solution')} verified,"
                f" {len(check.flawed):,} failed, {check.without_solution:,} not kept"
            )
        if check.nothing_to_check:
            report_error(
                SpiderError(
                    f"{quote_file(file)} has no solutions to verify: winrate --solutions keeps them"
                )
            )
        failed |= check.nothing_to_check or bool(check.flawed)
    return Exit.ERROR if failed else Exit.DONE


def _check_file(file: str, messages: Messages) -> SolutionCheck:
    """Check the solutions in a results file. Each wrong one is reported on stderr."""
    check = SolutionCheck()
    for record in _with_progress(read_results(file), messages):
        if flaw := check.add(record):
            report_error(SpiderError(f"{quote_file(file)}, {record.task}: {flaw}"))
    return check


def _with_progress(records: Iterator[Record], messages: Messages) -> Iterable[Record]:
    """The same records. On a terminal, a counter on stderr shows how many were read."""
    if not messages.shows_progress:
        return records
    from tqdm import tqdm

    return tqdm(records, file=sys.stderr, unit=" results", leave=False, delay=0.5)
