"""Measures how time and memory grow with the beam width.

    python benchmarks/growth.py
    python benchmarks/growth.py native:1-5 --levels 80 --json growth.json --plot growth.png

Each search runs up to a fixed level, in a process of its own that has loaded the search before.
Memory is given twice:

- allocated: the bytes in the search's arrays, as the search counts them;
- peak: the most memory that the process held, minus what it held before the search. It does not
  include array memory that was never touched. It includes the old and the new table while a table
  grows.

The times are processor time, on which other processes have less influence than on wall-clock time.
"""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import click
import numpy as np
import psutil
from common import (
    load_searches,
    machine_line,
    parse_deals,
    table_lines,
    this_machine,
    write_json,
)

from spider_solver.cli.options import whole_number
from spider_solver.deal import RowRule
from spider_solver.errors import SpiderError

WIDTHS = (250, 500, 1000, 2000, 4000, 8000, 16_000, 32_000, 64_000)
MAX_BYTES = 2**40  # more than any search needs
GOAL = 160  # bytes per kept state, drawn in the plot for comparison
# Figures that are not larger are left out of an exponent. A process can hold a few MiB more
# without growing, because it reuses memory that it had freed.
NOISE = {"processor": 0, "memory": 0, "peak": 4 * 2**20}


@dataclass(frozen=True, slots=True)
class Run:
    """One search. The field names are keys in JSON files."""

    deal: str  # deal number
    width: int
    level: int  # the level that the search reached
    states: int  # states kept
    children: int  # children generated
    seconds: float  # wall-clock time
    processor: float  # seconds of processor time
    memory: int  # bytes allocated, the most during the search
    peak: int  # bytes by which the process grew, the most during the search


@dataclass(frozen=True, slots=True)
class Growth:
    """The searches with one width. The field names are keys in JSON files."""

    width: int
    levels: float  # mean
    states: float  # mean
    children: float  # mean
    processor: float  # mean, in seconds
    nanoseconds_a_state: float  # processor time per kept state
    memory: int  # of the search that allocated the most, in bytes
    peak: int  # of the search with the highest peak, in bytes
    memory_a_state: float  # of the search with the most bytes allocated per kept state
    peak_a_state: float  # of the search with the highest peak per kept state, in bytes


def run_in_this_process(name: str, suits: int, rules: str, width: int, levels: int) -> Run:
    """Search one deal up to a level, or until the search ends."""
    from spider_solver.kernels.beam.levels import RUNNING
    from spider_solver.kernels.beam.search import BeamSearch
    from spider_solver.kernels.beam.settings import DEADLINES, Settings

    (deal,) = parse_deals([name], suits, rules)
    load_searches()
    before = _reset_peak()
    start, processor = time.perf_counter(), time.process_time()
    search = BeamSearch(deal, width, MAX_BYTES, Settings(deadlines=DEADLINES))
    memory = search.memory
    while search.level < levels and search.advance(0) == RUNNING:
        memory = max(memory, search.memory)
    seconds, processor = time.perf_counter() - start, time.process_time() - processor
    return Run(
        deal=name,
        width=width,
        level=search.level,
        states=search.states,
        children=search.generated,
        seconds=seconds,
        processor=processor,
        memory=max(memory, search.memory),
        peak=max(_peak() - before, 0),
    )


_STATUS = Path("/proc/self/status")


def _reset_peak() -> int:
    """Reset the peak memory of this process. Returns the bytes that the process holds now."""
    with suppress(OSError):  # only Linux can do it; elsewhere the peak is that of the whole run
        Path("/proc/self/clear_refs").write_text("5", encoding="ascii")
    return int(psutil.Process().memory_info().rss)


def _peak() -> int:
    """Return the peak memory of this process, in bytes."""
    if _STATUS.exists():
        for line in _STATUS.read_text(encoding="ascii").splitlines():
            if line.startswith("VmHWM:"):
                return int(line.split()[1]) * 1024
    if sys.platform == "win32":
        return int(psutil.Process().memory_info().peak_wset)
    import resource

    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else peak * 1024


def run_in_new_process(name: str, suits: int, rules: str, width: int, levels: int) -> Run:
    """Do the same as ``run_in_this_process``, in a new process."""
    arguments = [name, str(suits), rules, str(width), str(levels)]
    process = subprocess.run(
        [sys.executable, __file__, "--one", json.dumps(arguments)],
        stdout=subprocess.PIPE,
        encoding="utf-8",
        check=True,
    )
    return Run(**json.loads(process.stdout))


def growth_at(width: int, runs: Sequence[Run]) -> Growth:
    """Summarize the searches with one width."""

    def mean(name: str) -> float:
        return float(sum(getattr(run, name) for run in runs)) / len(runs)

    return Growth(
        width=width,
        levels=mean("level"),
        states=mean("states"),
        children=mean("children"),
        processor=mean("processor"),
        nanoseconds_a_state=1e9 * mean("processor") / mean("states"),
        memory=max(run.memory for run in runs),
        peak=max(run.peak for run in runs),
        memory_a_state=max(run.memory / run.states for run in runs),
        peak_a_state=max(run.peak / run.states for run in runs),
    )


def exponent(growths: Sequence[Growth], name: str) -> float | None:
    """Return the power of the width with which a figure grows; None with fewer than two figures.

    It is fitted to the logarithms by least squares. Figures up to ``NOISE`` are left out.
    """
    points = [(growth.width, getattr(growth, name)) for growth in growths]
    points = [(width, figure) for width, figure in points if figure > NOISE[name]]
    if len(points) < 2:
        return None
    widths, figures = np.log(np.array(points, float)).T
    return float(np.polyfit(widths, figures, 1)[0])


def report(growths: Sequence[Growth]) -> list[str]:
    """Return the lines of a table with one line per width, and the exponents."""
    cells = [("width", "states", "s", "ns/state", "MiB", "peak MiB", "B/state", "peak B/state")]
    cells += [
        (
            f"{growth.width:,}",
            f"{growth.states:,.0f}",
            f"{growth.processor:.3f}",
            f"{growth.nanoseconds_a_state:,.0f}",
            f"{growth.memory / 2**20:.1f}",
            f"{growth.peak / 2**20:.1f}",
            f"{growth.memory_a_state:.0f}",
            f"{growth.peak_a_state:.0f}",
        )
        for growth in growths
    ]
    lines = table_lines(cells)
    for name in NOISE:
        power = exponent(growths, name)
        if power is not None:
            lines.append(f"{name} grows with the width to the power of {power:.2f}")
    return lines


def plot(path: str, growths: Sequence[Growth], title: str) -> None:
    """Draw time and memory against the width, each with a line for comparison.

    The line for time grows in proportion to the width. The line for memory is ``GOAL`` bytes per
    kept state.
    """
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    widths = np.array([growth.width for growth in growths], float)
    figure, (left, right) = pyplot.subplots(1, 2, figsize=(11, 4.5), layout="constrained")
    figure.suptitle(title)
    seconds = np.array([growth.processor for growth in growths])
    left.plot(widths, seconds, "o-", label="measured")
    left.plot(widths, seconds[-1] * widths / widths[-1], "--", color="grey", label="linear")
    left.set_ylabel("seconds of processor time")
    for name, label in (("memory", "allocated"), ("peak", "peak of the process")):
        sizes = np.array([getattr(growth, name) for growth in growths]) / 2**20
        sizes[sizes < 0.1] = np.nan  # the process did not have to grow
        right.plot(widths, sizes, "o-", label=label)
    goal = np.array([growth.states for growth in growths]) * GOAL / 2**20
    right.plot(widths, goal, "--", color="grey", label=f"{GOAL} bytes per kept state")
    right.set_ylabel("MiB")
    for axes in (left, right):
        axes.set_xscale("log")
        axes.set_yscale("log")
        axes.set_xticks(widths, [f"{width:,.0f}" for width in widths], rotation=45)
        axes.minorticks_off()
        axes.set_xlabel("beam width (states per level)")
        axes.legend()
    figure.savefig(path, dpi=120)
    pyplot.close(figure)


def _parse_widths(text: str) -> tuple[int, ...]:
    """Return the widths of an option's text: whole numbers above zero, separated by commas."""
    widths = tuple(int(part) if part.isdigit() else 0 for part in text.split(","))
    if not all(widths):
        raise click.BadParameter(f"{text!r}: expected widths such as 250,1000,4000")
    return tuple(sorted({*widths}))


def _run_one(ctx: click.Context, param: click.Parameter, value: str | None) -> None:
    """Handle ``--one``, with which ``run_in_new_process`` starts this program."""
    if value is not None:
        name, suits, rules, width, levels = json.loads(value)
        run = run_in_this_process(name, int(suits), rules, int(width), int(levels))
        click.echo(json.dumps(asdict(run)))
        ctx.exit()


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
@click.argument("deals", metavar="[DEALS]...", nargs=-1)
@click.option("--suits", type=whole_number(1, 4), default=4, show_default=True)
@click.option(
    "--rules", type=click.Choice([str(rules) for rules in RowRule]), default=str(RowRule.STANDARD)
)
@click.option("--levels", type=whole_number(1), default=60, show_default=True)
@click.option(
    "--widths",
    type=_parse_widths,
    default=",".join(map(str, WIDTHS)),
    show_default=True,
    help="Beam widths, separated by commas.",
)
@click.option("--json", "json_file", metavar="FILE", help="Also write all figures to a JSON file.")
@click.option("--plot", "plot_file", metavar="FILE", help="Also write a plot: .png, .svg or .pdf.")
@click.option("--one", hidden=True, is_eager=True, expose_value=False, callback=_run_one)
def main(
    deals: tuple[str, ...],
    suits: int,
    rules: str,
    levels: int,
    widths: tuple[int, ...],
    json_file: str | None,
    plot_file: str | None,
) -> None:
    """Search DEALS up to a level with each width. Prints time and memory.

    DEALS are deal numbers and ranges. Without them, native:1-3 is searched.
    """
    deals = deals or ("native:1-3",)
    machine = this_machine()
    try:
        names = [deal.name for deal in parse_deals(deals, suits, rules)]
    except SpiderError as error:
        raise click.ClickException(str(error)) from None
    load_searches()  # so that the other processes need not compile
    runs: list[Run] = []
    growths: list[Growth] = []
    for width in widths:
        runs_at_width = [run_in_new_process(name, suits, rules, width, levels) for name in names]
        runs += runs_at_width
        growths.append(growth_at(width, runs_at_width))
        if sys.stderr.isatty():
            click.echo(f"width {width:,} done", err=True)
    facts = machine.facts_at_end()
    title = f"{' '.join(deals)}, {suits} suits, {rules} rules, {levels} levels"
    click.echo(f"{title}\n{machine_line(facts)}\n")
    click.echo("\n".join(report(growths)))
    if json_file is not None:
        content: dict[str, Any] = {
            "benchmark": "growth",
            "machine": facts,
            "deals": list(deals),
            "suits": suits,
            "rules": rules,
            "levels": levels,
            "widths": [asdict(growth) for growth in growths],
            "each": [asdict(run) for run in runs],
        }
        write_json(json_file, content)
    if plot_file is not None:
        plot(plot_file, growths, title)


if __name__ == "__main__":
    main()
