"""How time and memory grow with the beam's width.

    python benchmarks/growth.py
    python benchmarks/growth.py native:1-5 --levels 80 --json growth.json --plot growth.png

Each search runs in a process of its own, warm, up to a fixed level, so that its peak of memory
is its own: what the process holds at its highest, less what it held before the search. The
search's own count of what it allocates stands beside it; what it never touched isn't in the
process, and a table that grows is there twice for a moment. Times are processor time, so that
other processes disturb them less.
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
from common import deals_of, machine_line, table, this_machine, warm_up, write_json

from spider_solver.cli.options import whole_number
from spider_solver.deal import RowRule
from spider_solver.errors import SpiderError

WIDTHS = (250, 500, 1000, 2000, 4000, 8000, 16_000, 32_000, 64_000)
MOST = 2**40  # bytes: no limit
AIM = 160  # bytes a state kept


@dataclass(frozen=True, slots=True)
class Run:
    """One search. seconds, processor: of wall and processor time; memory, peak: bytes, by the
    search's own count at its highest, and by the process's growth.
    """

    deal: str
    width: int
    level: int
    states: int
    children: int
    seconds: float
    processor: float
    memory: int
    peak: int


@dataclass(frozen=True, slots=True)
class Growth:
    """The runs of one width: time in the mean, memory of the worst, bytes a state kept."""

    width: int
    levels: float
    states: float
    children: float
    processor: float
    nanoseconds_a_state: float
    memory: int
    peak: int
    memory_a_state: float
    peak_a_state: float


def run_here(name: str, suits: int, rules: str, width: int, levels: int) -> Run:
    """Search one deal in this process, up to a level or its end."""
    from spider_solver.kernels.beam.evaluation import Weights
    from spider_solver.kernels.beam.levels import RUNNING
    from spider_solver.kernels.beam.search import BeamSearch

    (deal,) = deals_of([name], suits, rules)
    warm_up()
    before = _forget_peak()
    start, processor = time.perf_counter(), time.process_time()
    search = BeamSearch(deal, width, MOST, Weights())
    memory = search.memory
    while search.level < levels and search.advance(0) == RUNNING:
        memory = max(memory, search.memory)
    seconds, processor = time.perf_counter() - start, time.process_time() - processor
    memory = max(memory, search.memory)
    peak = max(_peak() - before, 0)
    counts = (search.level, search.states, search.generated)
    return Run(name, width, *counts, seconds, processor, memory, peak)


_STATUS = Path("/proc/self/status")


def _forget_peak() -> int:
    """Begin to measure the peak of this process's memory; what it holds now."""
    with suppress(OSError):  # not Linux: the peak is that since the process began
        Path("/proc/self/clear_refs").write_text("5", encoding="ascii")
    return int(psutil.Process().memory_info().rss)


def _peak() -> int:
    """The most that this process has held, in bytes."""
    if _STATUS.exists():
        for line in _STATUS.read_text(encoding="ascii").splitlines():
            if line.startswith("VmHWM:"):
                return int(line.split()[1]) * 1024
    if sys.platform == "win32":
        return int(psutil.Process().memory_info().peak_wset)
    import resource

    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most if sys.platform == "darwin" else most * 1024


def run_apart(name: str, suits: int, rules: str, width: int, levels: int) -> Run:
    """The same in a process of its own."""
    words = [name, str(suits), rules, str(width), str(levels)]
    done = subprocess.run(
        [sys.executable, __file__, "--one", json.dumps(words)],
        stdout=subprocess.PIPE,
        encoding="utf-8",
        check=True,
    )
    return Run(**json.loads(done.stdout))


def growth_at(width: int, runs: Sequence[Run]) -> Growth:
    """What the runs of one width come to."""

    def mean(name: str) -> float:
        return float(sum(getattr(run, name) for run in runs)) / len(runs)

    return Growth(
        width,
        mean("level"),
        mean("states"),
        mean("children"),
        mean("processor"),
        1e9 * mean("processor") / mean("states"),
        max(run.memory for run in runs),
        max(run.peak for run in runs),
        max(run.memory / run.states for run in runs),
        max(run.peak / run.states for run in runs),
    )


def exponent(found: Sequence[Growth], name: str) -> float | None:
    """The power of the width that a figure grows with, by least squares of the logarithms.

    What is small against the noise is left out: a process finds room for a little memory in
    what it holds already.
    """
    least = {"peak": 4 * 2**20, "memory": 0, "processor": 0}[name]
    points = [(one.width, getattr(one, name)) for one in found if getattr(one, name) > least]
    if len(points) < 2:
        return None
    widths, values = np.log(np.array(points, float)).T
    return float(np.polyfit(widths, values, 1)[0])


def report(found: Sequence[Growth]) -> list[str]:
    """The table, and how it grows."""
    rows = [("width", "states", "s", "ns/state", "MiB", "peak MiB", "B/state", "peak B/state")]
    rows += [
        (
            f"{one.width:,}",
            f"{one.states:,.0f}",
            f"{one.processor:.3f}",
            f"{one.nanoseconds_a_state:,.0f}",
            f"{one.memory / 2**20:.1f}",
            f"{one.peak / 2**20:.1f}",
            f"{one.memory_a_state:.0f}",
            f"{one.peak_a_state:.0f}",
        )
        for one in found
    ]
    lines = table(rows)
    for name in ("processor", "memory", "peak"):
        power = exponent(found, name)
        if power is not None:
            lines.append(f"{name} grows with the width to the power of {power:.2f}")
    return lines


def plot(path: str, found: Sequence[Growth], title: str) -> None:
    """Draw time and memory against width, each with a straight line of power one."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    widths = np.array([one.width for one in found], float)
    figure, (left, right) = pyplot.subplots(1, 2, figsize=(11, 4.5), layout="constrained")
    figure.suptitle(title)
    seconds = np.array([one.processor for one in found])
    left.plot(widths, seconds, "o-", label="measured")
    left.plot(widths, seconds[-1] * widths / widths[-1], "--", color="grey", label="linear")
    left.set_ylabel("seconds of processor time")
    for name, label in (("memory", "allocated"), ("peak", "peak of the process")):
        sizes = np.array([getattr(one, name) for one in found]) / 2**20
        sizes[sizes < 0.1] = np.nan  # lost in what the process held before
        right.plot(widths, sizes, "o-", label=label)
    aim = np.array([one.states for one in found]) * AIM / 2**20
    right.plot(widths, aim, "--", color="grey", label=f"{AIM} bytes a state kept")
    right.set_ylabel("MiB")
    for axes in (left, right):
        axes.set_xscale("log")
        axes.set_yscale("log")
        axes.set_xticks(widths, [f"{width:,.0f}" for width in widths], rotation=45)
        axes.minorticks_off()
        axes.set_xlabel("width, states a level")
        axes.legend()
    figure.savefig(path, dpi=120)
    pyplot.close(figure)


def _widths(text: str) -> tuple[int, ...]:
    """An option's type: whole numbers above zero, with commas between them."""
    found = tuple(int(part) if part.isdigit() else 0 for part in text.split(","))
    if not all(found):
        raise click.BadParameter(f"{text!r}: expected widths such as 250,1000,4000")
    return tuple(sorted({*found}))


def _run_one(ctx: click.Context, param: click.Parameter, value: str | None) -> None:
    """``--one``: what ``run_apart`` asks of the other process."""
    if value is not None:
        name, suits, rules, width, levels = json.loads(value)
        run = run_here(name, int(suits), rules, int(width), int(levels))
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
    type=_widths,
    default=",".join(map(str, WIDTHS)),
    show_default=True,
    help="Widths, with commas between them.",
)
@click.option("--json", "json_file", metavar="FILE", help="Also write all figures as JSON.")
@click.option("--plot", "plot_file", metavar="FILE", help="Also draw them: .png, .svg or .pdf.")
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
    """Search DEALS (numbers and ranges; native:1-3 if none) up to a level, at each width."""
    deals = deals or ("native:1-3",)
    machine = this_machine()
    try:
        names = [deal.name for deal in deals_of(deals, suits, rules)]
    except SpiderError as error:
        raise click.ClickException(str(error)) from None
    warm_up()  # so that no other process compiles
    runs: list[Run] = []
    found: list[Growth] = []
    for width in widths:
        at = [run_apart(name, suits, rules, width, levels) for name in names]
        runs += at
        found.append(growth_at(width, at))
        if sys.stderr.isatty():
            click.echo(f"width {width:,} done", err=True)
    facts = machine.finished()
    title = f"{' '.join(deals)}, {suits} suits, {rules} rules, {levels} levels"
    click.echo(f"{title}\n{machine_line(facts)}\n")
    click.echo("\n".join(report(found)))
    if json_file is not None:
        content: dict[str, Any] = {
            "benchmark": "growth",
            "machine": facts,
            "deals": list(deals),
            "suits": suits,
            "rules": rules,
            "levels": levels,
            "widths": [asdict(one) for one in found],
            "each": [asdict(run) for run in runs],
        }
        write_json(json_file, content)
    if plot_file is not None:
        plot(plot_file, found, title)


if __name__ == "__main__":
    main()
