"""Measures how many deals are won, at which widths, and how fast.

    python benchmarks/solve_rate.py native:1-1000 --suits 4
    python benchmarks/solve_rate.py kpat:1-250 --suits 1 --suits 2 --suits 4 --json rate.json
    python benchmarks/solve_rate.py native:1001-1300 --first-width 200 --max-width 200

One process solves the deals one after the other. It loads or compiles the search first; that time
is reported separately. All deals count in the times, undecided ones too. There are two times of a
deal:

- seconds: wall-clock time of the search alone;
- processor: processor time of the search, of its setup, and of the replay that checks its
  solution. Other processes have less influence on it.
"""

from __future__ import annotations

import sys
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

import click
import numpy as np
from common import (
    load_searches,
    machine_line,
    parse_deals,
    table_lines,
    this_machine,
    write_json,
)

from spider_solver.cli.options import memory, seconds, whole_number
from spider_solver.deal import Deal, RowRule
from spider_solver.errors import SpiderError
from spider_solver.result import Limits, Verdict
from spider_solver.solver import solve, widths
from spider_solver.words import counted

DEFAULT = Limits()


@dataclass(frozen=True, slots=True)
class SolvedDeal:
    """The result of one deal. The field names are keys in JSON files."""

    deal: str  # deal number
    suits: int
    verdict: str
    width: int  # of the last beam; 0 without a beam
    length: int  # moves and rows of the solution; 0 without one
    states: int  # states kept
    children: int  # children generated
    seconds: float  # wall-clock time of the search
    processor: float  # seconds of processor time, with the setup and the replay
    reason: str  # why it is undecided, or what the proof is; empty if won


def solve_deal(deal: Deal, limits: Limits) -> SolvedDeal:
    """Solve a deal. The search must be loaded, or its loading is part of the time."""
    start = time.process_time()
    result = solve(deal, limits)
    return SolvedDeal(
        deal=deal.name,
        suits=deal.suits,
        verdict=str(result.verdict),
        width=result.width,
        length=len(result.actions),
        states=result.states,
        children=result.children,
        seconds=result.seconds,
        processor=time.process_time() - start,
        reason=result.reason,
    )


def summary(solved: Sequence[SolvedDeal]) -> dict[str, Any]:
    """Return the figures of one suit mode, by their keys in JSON files. All times are seconds."""
    won = [deal for deal in solved if deal.verdict == Verdict.WON]
    times = np.array([deal.seconds for deal in solved])
    total = max(float(times.sum()), 1e-9)
    processor = max(sum(deal.processor for deal in solved), 1e-9)
    states = sum(deal.states for deal in solved)
    children = sum(deal.children for deal in solved)
    return {
        "deals": len(solved),
        "won": len(won),
        "won_at_width": dict(sorted(Counter(deal.width for deal in won).items())),
        "unwinnable": [deal.deal for deal in solved if deal.verdict == Verdict.UNWINNABLE],
        "undecided": [deal.deal for deal in solved if deal.verdict == Verdict.UNDECIDED],
        "mean": float(times.mean()),
        "median": float(np.median(times)),
        "percentile_95": float(np.percentile(times, 95)),
        "longest": float(times.max()),
        "processor_mean": processor / len(solved),
        "states": states,
        "children": children,
        "states_a_second": states / total,
        "children_a_second": children / total,
        "states_a_processor_second": states / processor,
        "children_a_processor_second": children / processor,
        "mean_length": sum(deal.length for deal in won) / len(won) if won else None,
    }


def report(summaries: dict[int, dict[str, Any]]) -> list[str]:
    """Return the lines of a table with one column per suit mode, and the deals not won.

    summaries: the figures by number of suits.
    """
    modes = list(summaries.values())
    cells = [["", *(counted(suits, "suit") for suits in summaries)]]

    def add(title: str, key: str, number_format: str = ",.0f") -> None:
        figures = (mode[key] for mode in modes)
        texts = ("-" if figure is None else f"{figure:{number_format}}" for figure in figures)
        cells.append([title, *texts])

    add("deals", "deals")
    add("won", "won")
    for width in sorted({width for mode in modes for width in mode["won_at_width"]}):
        counts = (mode["won_at_width"].get(width, 0) for mode in modes)
        cells.append([f"  at width {width:,}", *map(str, counts)])
    for verdict in ("unwinnable", "undecided"):
        cells.append([verdict, *(str(len(mode[verdict])) for mode in modes)])
    add("mean s", "mean", ".4f")
    add("median s", "median", ".4f")
    add("95th percentile s", "percentile_95", ".4f")
    add("longest s", "longest", ".3f")
    add("mean processor s", "processor_mean", ".4f")
    add("states/s", "states_a_second")
    add("children/s", "children_a_second")
    add("states/processor s", "states_a_processor_second")
    add("children/processor s", "children_a_processor_second")
    add("mean length", "mean_length", ".1f")
    lines = table_lines(cells)
    for suits, mode in summaries.items():
        for verdict in ("unwinnable", "undecided"):
            if mode[verdict]:
                lines += ["", f"{verdict}, {counted(suits, 'suit')}:"]
                lines += [f"  {name}" for name in mode[verdict]]
    return lines


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
@click.argument("deals", metavar="[DEALS]...", nargs=-1)
@click.option(
    "--suits",
    type=whole_number(1, 4),
    multiple=True,
    default=(4,),
    show_default="4",
    help="Number of suits. The option may be repeated.",
)
@click.option(
    "--rules", type=click.Choice([str(rules) for rules in RowRule]), default=str(RowRule.STANDARD)
)
@click.option(
    "--first-width",
    type=whole_number(1, 2**31 - 1),
    default=DEFAULT.first_width,
    show_default=True,
    help="Width of the first beam, in states per level. If equal to --max-width, the only one.",
)
@click.option(
    "--max-width",
    type=whole_number(1, 2**31 - 1),
    default=DEFAULT.max_width,
    show_default=True,
    help="Width of the widest beam.",
)
@click.option(
    "--max-states", type=whole_number(1), help="Limit of states per deal, over all widths."
)
@click.option("--time-limit", type=seconds, help="Limit of seconds per deal.")
@click.option("--max-memory", type=memory, help="Limit of memory per deal, such as 500M or 2G.")
@click.option("--json", "json_file", metavar="FILE", help="Also write all figures to a JSON file.")
def main(
    deals: tuple[str, ...],
    suits: tuple[int, ...],
    rules: str,
    first_width: int,
    max_width: int,
    max_states: int | None,
    time_limit: float | None,
    max_memory: int | None,
    json_file: str | None,
) -> None:
    """Solve DEALS and print a table of the figures.

    DEALS are deal numbers and ranges, such as native:1-100 or kpat:1-20,31. Without them,
    native:1-100 is solved. The exit code is 1 if a deal stays undecided.
    """
    deals = deals or ("native:1-100",)
    machine = this_machine()
    limits = Limits(
        max_width=max_width,
        max_states=max_states,
        time_limit=time_limit,
        max_memory=max_memory,
        first_width=first_width,
    )
    modes = tuple(dict.fromkeys(suits))
    try:
        parsed = {mode: parse_deals(deals, mode, rules) for mode in modes}
    except SpiderError as error:
        raise click.ClickException(str(error)) from None
    loading = load_searches()
    solved = {mode: _solve_all(parsed[mode], limits) for mode in modes}
    summaries = {mode: summary(solved[mode]) for mode in modes}
    facts = machine.facts_at_end()
    click.echo(f"{' '.join(deals)}, {rules} rules, widths {', '.join(map(str, widths(limits)))}")
    click.echo(f"{machine_line(facts)}; search loaded or compiled in {loading:.1f} s\n")
    click.echo("\n".join(report(summaries)))
    if json_file is not None:
        content = {
            "benchmark": "solve_rate",
            "machine": facts,
            "deals": list(deals),
            "rules": rules,
            "limits": {**asdict(limits), "widths": list(widths(limits))},
            "loading": loading,
            "suits": {str(mode): figures for mode, figures in summaries.items()},
            "each": [asdict(deal) for mode in modes for deal in solved[mode]],
        }
        write_json(json_file, content)
    sys.exit(1 if any(figures["undecided"] for figures in summaries.values()) else 0)


def _solve_all(deals: Sequence[Deal], limits: Limits) -> list[SolvedDeal]:
    """Solve deals one after the other. Shows the progress on a terminal."""
    hidden = not sys.stderr.isatty()
    with click.progressbar(deals, file=sys.stderr, show_pos=True, hidden=hidden) as bar:
        return [solve_deal(deal, limits) for deal in bar]


if __name__ == "__main__":
    main()
