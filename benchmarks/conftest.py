"""Tells, after pytest-benchmark's own table, what each of the things timed takes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from common import machine_line, table, this_machine

Timed = Callable[[int, Callable[[], object]], None]
RATES = pytest.StashKey[list[tuple[str, float, float]]]()
MACHINE = pytest.StashKey[Any]()


def pytest_configure(config: pytest.Config) -> None:
    config.stash[RATES] = []
    config.stash[MACHINE] = this_machine()


@pytest.fixture
def timed(benchmark: Any, request: pytest.FixtureRequest) -> Timed:
    """``timed(count, run)`` times a function that does something ``count`` times in each call."""

    def measure(count: int, run: Callable[[], object]) -> None:
        assert count > 0
        run()  # compiles
        benchmark.pedantic(run, rounds=15, warmup_rounds=1)
        if benchmark.stats is not None:  # None with --benchmark-disable
            stats = benchmark.stats.stats
            least, median = (one / count * 1e9 for one in (stats.min, stats.median))
            benchmark.extra_info |= {"count": count, "nanoseconds": least}
            name = request.node.name.removeprefix("test_")
            request.config.stash[RATES].append((name, least, median))

    return measure


def pytest_terminal_summary(
    terminalreporter: pytest.TerminalReporter, config: pytest.Config
) -> None:
    if not config.stash[RATES]:
        return
    terminalreporter.section("nanoseconds each", sep="-")
    terminalreporter.write_line(machine_line(config.stash[MACHINE].finished()))
    terminalreporter.write_line("")
    rows = [(name, *(f"{one:,.1f}" for one in times)) for name, *times in config.stash[RATES]]
    for line in table([("", "least", "median"), *rows]):
        terminalreporter.write_line(line)
