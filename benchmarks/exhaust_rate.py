"""Measures the speed of the exhaustive search.

    python benchmarks/exhaust_rate.py
    python benchmarks/exhaust_rate.py --spaces 4 --least 20000

A space is the set of all positions that can be reached from a first position. The first
positions come from random legal actions on native deals, and no row is left in their stock. Only
spaces without a win and with a size from --least to --most count. Each of them is searched
completely, three times. The time is the least processor time of the three searches. It includes
everything that a search does: the table grows, and every action is taken back.
"""

from __future__ import annotations

import random
import statistics
import time
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count, islice

import click
from common import load_searches, machine_line, table_lines, this_machine

from spider_solver.deal import Deal
from spider_solver.game import Position
from spider_solver.kernels.exhaustive import depth_first
from spider_solver.kernels.exhaustive.search import ExhaustiveSearch
from spider_solver.numbering import deal_from_number

MAX_BYTES = 2**33  # a search may allocate these
REPEATS = 3


@dataclass(frozen=True, slots=True)
class Space:
    """A space that was searched completely."""

    positions: int  # distinct positions in it
    seconds: float  # least processor time of a search
    memory: int  # bytes that a search allocated


def late_deals() -> Iterator[Deal]:
    """Yield positions after the last row, at most one for each native number, without end."""
    for number in count(1):
        rng = random.Random(number)
        position = Position(deal_from_number(f"native:{number}", rng.choice((1, 2, 4))))
        for _ in range(rng.randint(60, 200)):
            actions = list(position.legal_actions())
            if not actions:
                break
            position.push(rng.choice(actions))
        if position.rows_left == 0:
            yield position.to_deal()


def spaces(least: int, most: int) -> Iterator[Space]:
    """Yield the spaces that have from ``least`` to ``most`` positions, and no win."""
    for deal in late_deals():
        search = ExhaustiveSearch(deal, MAX_BYTES)
        if search.advance(most) == depth_first.EXHAUSTED and search.seen >= least:
            seconds = min(seconds_of_search(deal) for _ in range(REPEATS))
            yield Space(search.seen, seconds, search.memory)


def seconds_of_search(deal: Deal) -> float:
    """Return the processor time of a complete search, in seconds."""
    start = time.process_time()
    ExhaustiveSearch(deal, MAX_BYTES).advance(10**12)
    return time.process_time() - start


@click.command()
@click.option("--spaces", "wanted", type=click.IntRange(1), default=12, show_default=True)
@click.option("--least", type=click.IntRange(1), default=100_000, show_default=True)
@click.option("--most", type=click.IntRange(1), default=3_000_000, show_default=True)
def main(wanted: int, least: int, most: int) -> None:
    """Search spaces completely. Prints positions per second and bytes per position."""
    machine = this_machine()
    load_searches()
    found = list(islice(spaces(least, most), wanted))
    click.echo(machine_line(machine.facts_at_end()))
    rates = [space.positions / space.seconds for space in found]
    cells = [("positions", "seconds", "positions/s", "bytes/position")]
    for space, rate in zip(found, rates, strict=True):
        size = space.memory / space.positions
        cells.append(
            (f"{space.positions:,}", f"{space.seconds:.3f}", f"{rate:,.0f}", f"{size:.0f}")
        )
    click.echo("\n".join(table_lines(cells)))
    click.echo(f"median {statistics.median(rates):,.0f} positions per second")


if __name__ == "__main__":
    main()
