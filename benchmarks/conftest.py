"""The fixture that times kernels, and a table of its results at the end of the output.

pytest-benchmark prints the time of a call. The table here gives the time per item, where one
call handles many items.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import pytest
from common import Machine, machine_line, table_lines, this_machine

Timed = Callable[[int, Callable[[], object]], None]


class Timing(NamedTuple):
    """The nanoseconds per item of one benchmark, over all calls."""

    name: str
    least: float
    median: float


TIMINGS = pytest.StashKey[list[Timing]]()
MACHINE = pytest.StashKey[Machine]()


def pytest_configure(config: pytest.Config) -> None:
    config.stash[TIMINGS] = []
    config.stash[MACHINE] = this_machine()


@pytest.fixture
def timed(benchmark: Any, request: pytest.FixtureRequest) -> Timed:
    """``timed(count, run)`` times the function ``run``. Each call of it handles ``count`` items."""

    def measure(count: int, run: Callable[[], object]) -> None:
        assert count > 0
        run()  # compiles the kernels
        benchmark.pedantic(run, rounds=15, warmup_rounds=1)
        if benchmark.stats is not None:  # it is None with --benchmark-disable
            stats = benchmark.stats.stats
            least, median = (seconds / count * 1e9 for seconds in (stats.min, stats.median))
            benchmark.extra_info |= {"count": count, "nanoseconds": least}
            name = request.node.name.removeprefix("test_")
            request.config.stash[TIMINGS].append(Timing(name, least, median))

    return measure


def pytest_terminal_summary(
    terminalreporter: pytest.TerminalReporter, config: pytest.Config
) -> None:
    timings = config.stash[TIMINGS]
    if not timings:
        return
    terminalreporter.section("nanoseconds per item", sep="-")
    terminalreporter.write_line(machine_line(config.stash[MACHINE].facts_at_end()))
    terminalreporter.write_line("")
    cells = [(name, f"{least:,.1f}", f"{median:,.1f}") for name, least, median in timings]
    for line in table_lines([("", "least", "median"), *cells]):
        terminalreporter.write_line(line)
