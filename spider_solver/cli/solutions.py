"""``verify --results``: the solutions in results files, each replayed on the plain rules."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator
from typing import Any

import click

from .. import __version__
from ..errors import SpiderError
from ..records import Record, flaw, read_results
from ..result import Verdict
from ..words import counted
from .errors import Exit, report
from .output import Messages


def verify_solutions(files: Iterable[str], as_json: bool, messages: Messages) -> Exit:
    """Check results files, and print what was found; an error if any solution fails."""
    good = True
    for file in files:
        found = _check(file, messages)
        if as_json:
            click.echo(json.dumps(found))
        else:
            click.echo(
                f"{file}: {counted(found['results'], 'result')}, {found['won']:,} won:"
                f" {counted(found['verified'], 'solution')} verified,"
                f" {len(found['failed']):,} failed, {found['without']:,} not kept"
            )
        if found["without"] and found["without"] == found["won"]:
            report(
                SpiderError(f"{file!r} has no solutions to verify: winrate --solutions keeps them")
            )
            good = False
        good &= not found["failed"]
    return Exit.DONE if good else Exit.ERROR


def _check(file: str, messages: Messages) -> dict[str, Any]:
    """What ``--json`` prints of a file. Keys are only ever added, at the end."""
    results = won = verified = without = 0
    failed: list[dict[str, Any]] = []
    for record in _watched(read_results(file), messages):
        results += 1
        won += record.verdict is Verdict.WON
        if not record.solution:
            without += record.verdict is Verdict.WON
        elif reason := _flaw(record):
            task = record.task
            failed.append(
                {"deal": task.deal, "suits": task.suits, "rules": task.rules, "reason": reason}
            )
            report(SpiderError(f"{file!r}, {task}: {reason}"))
        else:
            verified += 1
    return {
        "file": file,
        "results": results,
        "won": won,
        "verified": verified,
        "without": without,
        "failed": failed,
        "version": __version__,
    }


def _flaw(record: Record) -> str:
    try:
        return flaw(record)
    except SpiderError as error:
        return str(error)


def _watched(records: Iterator[Record], messages: Messages) -> Iterable[Record]:
    """The same records, with their number on a terminal's stderr."""
    if not messages.progress:
        return records
    from tqdm import tqdm

    return tqdm(records, file=sys.stderr, unit=" results", leave=False, delay=0.5)
