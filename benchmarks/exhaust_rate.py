"""How fast the exhaustive search goes through all that a position can reach.

    python benchmarks/exhaust_rate.py
    python benchmarks/exhaust_rate.py --spaces 4 --least 20000

The positions have no row left, and come from legal actions at random on native deals. Those
count whose space has a size between --least and --most, searched to its end, with all that
this takes: a table that grows, going back from each position. Processor time, the least of three.
"""

from __future__ import annotations

import random
import statistics
import time
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count, islice

import click
from common import machine_line, table, this_machine, warm_up

from spider_solver.deal import Deal
from spider_solver.game import Position
from spider_solver.kernels.exhaustive import depth_first
from spider_solver.kernels.exhaustive.search import ExhaustiveSearch
from spider_solver.numbering import deal_from_number

MEMORY = 2**33  # bytes
REPEATS = 3


@dataclass(frozen=True, slots=True)
class Space:
    """A space searched to its end: positions in it, processor seconds, bytes allocated."""

    positions: int
    seconds: float
    memory: int


def late_deals() -> Iterator[Deal]:
    """Positions without rows left, one a native number, without end."""
    for number in count(1):
        chance = random.Random(number)
        position = Position(deal_from_number(f"native:{number}", chance.choice((1, 2, 4))))
        for _ in range(chance.randint(60, 200)):
            actions = list(position.legal_actions())
            if not actions:
                break
            position.push(chance.choice(actions))
        if position.rows_left == 0:
            yield position.to_deal()


def spaces(least: int, most: int) -> Iterator[Space]:
    """The spaces of a size in between, each searched a few times."""
    for deal in late_deals():
        search = ExhaustiveSearch(deal, MEMORY)
        if search.advance(most) == depth_first.EXHAUSTED and search.seen >= least:
            seconds = min(timed(deal) for _ in range(REPEATS))
            yield Space(search.seen, seconds, search.memory)


def timed(deal: Deal) -> float:
    """Processor seconds of a search to the end."""
    start = time.process_time()
    ExhaustiveSearch(deal, MEMORY).advance(10**12)
    return time.process_time() - start


@click.command()
@click.option("--spaces", "wanted", type=click.IntRange(1), default=12, show_default=True)
@click.option("--least", type=click.IntRange(1), default=100_000, show_default=True)
@click.option("--most", type=click.IntRange(1), default=3_000_000, show_default=True)
def main(wanted: int, least: int, most: int) -> None:
    """Search spaces to their end: positions a second, bytes a position."""
    machine = this_machine()
    warm_up()
    found = list(islice(spaces(least, most), wanted))
    click.echo(machine_line(machine.finished()))
    rates = [space.positions / space.seconds for space in found]
    rows = [("positions", "seconds", "positions/s", "bytes each")]
    for space, rate in zip(found, rates, strict=True):
        each = space.memory / space.positions
        rows.append((f"{space.positions:,}", f"{space.seconds:.3f}", f"{rate:,.0f}", f"{each:.0f}"))
    click.echo("\n".join(table(rows)))
    click.echo(f"median {statistics.median(rates):,.0f} positions a second")


if __name__ == "__main__":
    main()
