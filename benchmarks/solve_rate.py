"""How many deals are won, at which widths, how fast.

    python benchmarks/solve_rate.py native:1-1000 --suits 4
    python benchmarks/solve_rate.py kpat:1-250 --suits 1 --suits 2 --suits 4 --json rate.json
    python benchmarks/solve_rate.py native:1001-1300 --first-width 200 --max-width 200

One process solves one deal after the other; what loads and compiles the search comes first and
is told apart. Times are of the search alone and count each deal, undecided ones too. Processor
time is what the process used of it, with setting up and replaying each solution; where other
processes run as well, it is the better measure.
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
from common import deals_of, machine_line, table, this_machine, warm_up, write_json

from spider_solver.cli.options import memory, seconds, whole_number
from spider_solver.deal import Deal, RowRule
from spider_solver.errors import SpiderError
from spider_solver.result import Limits, Verdict
from spider_solver.solver import solve, widths
from spider_solver.words import counted

DEFAULT = Limits()


@dataclass(frozen=True, slots=True)
class Solved:
    """One deal: what came of it, and what it took.

    width: of the last beam. length: moves and rows of the solution, 0 without one. processor:
    seconds of processor time.
    """

    deal: str
    suits: int
    verdict: str
    width: int
    length: int
    states: int
    children: int
    seconds: float
    processor: float
    reason: str


def solve_deal(deal: Deal, limits: Limits) -> Solved:
    """Solve a deal; the search is warm already."""
    before = time.process_time()
    result = solve(deal, limits)
    return Solved(
        deal.name,
        deal.suits,
        str(result.verdict),
        result.width,
        len(result.actions),
        result.states,
        result.children,
        result.seconds,
        time.process_time() - before,
        result.reason,
    )


def summary(solved: Sequence[Solved]) -> dict[str, Any]:
    """The figures of one suit mode; seconds unless the name says otherwise."""
    won = [one for one in solved if one.verdict == Verdict.WON]
    times = np.array([one.seconds for one in solved])
    total = max(float(times.sum()), 1e-9)
    processor = max(sum(one.processor for one in solved), 1e-9)
    states, children = (sum(getattr(one, of) for one in solved) for of in ("states", "children"))
    return {
        "deals": len(solved),
        "won": len(won),
        "won_at_width": dict(sorted(Counter(one.width for one in won).items())),
        "unwinnable": [one.deal for one in solved if one.verdict == Verdict.UNWINNABLE],
        "undecided": [one.deal for one in solved if one.verdict == Verdict.UNDECIDED],
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
        "mean_length": sum(one.length for one in won) / len(won) if won else None,
    }


def report(summaries: dict[int, dict[str, Any]]) -> list[str]:
    """A table, a column for each suit mode; then the deals that weren't won."""
    every = list(summaries.values())
    at = sorted({width for one in every for width in one["won_at_width"]})
    rows = [["", *(counted(suits, "suit") for suits in summaries)]]

    def row(name: str, key: str, form: str = ",.0f") -> None:
        rows.append([name, *("-" if one[key] is None else f"{one[key]:{form}}" for one in every)])

    row("deals", "deals")
    row("won", "won")
    for width in at:
        counts = (one["won_at_width"].get(width, 0) for one in every)
        rows.append([f"  at width {width:,}", *map(str, counts)])
    for verdict in ("unwinnable", "undecided"):
        rows.append([verdict, *(str(len(one[verdict])) for one in every)])
    row("mean s", "mean", ".4f")
    row("median s", "median", ".4f")
    row("95th percentile s", "percentile_95", ".4f")
    row("longest s", "longest", ".3f")
    row("mean processor s", "processor_mean", ".4f")
    row("states/s", "states_a_second")
    row("children/s", "children_a_second")
    row("states/processor s", "states_a_processor_second")
    row("children/processor s", "children_a_processor_second")
    row("mean length", "mean_length", ".1f")
    lines = table(rows)
    for suits, one in summaries.items():
        for verdict in ("unwinnable", "undecided"):
            if one[verdict]:
                lines += ["", f"{verdict}, {counted(suits, 'suit')}:"]
                lines += [f"  {name}" for name in one[verdict]]
    return lines


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
@click.argument("deals", metavar="[DEALS]...", nargs=-1)
@click.option(
    "--suits",
    type=whole_number(1, 4),
    multiple=True,
    default=(4,),
    show_default="4",
    help="Suit mode; may be given more than once.",
)
@click.option(
    "--rules", type=click.Choice([str(rules) for rules in RowRule]), default=str(RowRule.STANDARD)
)
@click.option(
    "--first-width",
    type=whole_number(1, 2**31 - 1),
    default=DEFAULT.first_width,
    show_default=True,
    help="The first beam, in states a level. The same as --max-width: that width alone.",
)
@click.option(
    "--max-width", type=whole_number(1, 2**31 - 1), default=DEFAULT.max_width, show_default=True
)
@click.option("--max-states", type=whole_number(1), help="A deal's, over all widths.")
@click.option("--time-limit", type=seconds, help="A deal's, in seconds.")
@click.option("--max-memory", type=memory, help="Such as 500M or 2G.")
@click.option("--json", "json_file", metavar="FILE", help="Also write all figures as JSON.")
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
    """Solve DEALS (numbers and ranges, as native:1-100 or kpat:1-20,31); native:1-100 if none.

    Prints a table. The exit code is 1 if a deal is neither won nor proved unwinnable.
    """
    deals = deals or ("native:1-100",)
    machine = this_machine()
    limits = Limits(max_width, max_states, time_limit, max_memory, first_width)
    modes = tuple(dict.fromkeys(suits))
    try:
        dealt = {mode: deals_of(deals, mode, rules) for mode in modes}
    except SpiderError as error:
        raise click.ClickException(str(error)) from None
    loading = warm_up()
    solved = {mode: _all_of(dealt[mode], limits) for mode in modes}
    summaries = {mode: summary(solved[mode]) for mode in modes}
    facts = machine.finished()
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
            "suits": {str(mode): one for mode, one in summaries.items()},
            "each": [asdict(one) for mode in modes for one in solved[mode]],
        }
        write_json(json_file, content)
    sys.exit(1 if any(one["undecided"] for one in summaries.values()) else 0)


def _all_of(deals: Sequence[Deal], limits: Limits) -> list[Solved]:
    """Solve deals in turn; how far it is, on a terminal."""
    hidden = not sys.stderr.isatty()
    with click.progressbar(deals, file=sys.stderr, show_pos=True, hidden=hidden) as bar:
        return [solve_deal(deal, limits) for deal in bar]


if __name__ == "__main__":
    main()
