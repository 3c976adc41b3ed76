"""The search's signature: states kept and children generated on fixed positions.

    python benchmarks/signature.py            # exit code 1 if it isn't what signature.txt says
    python benchmarks/signature.py --write    # after a change that is meant to alter it

The same numbers come out on any machine, so a change that is to make the search faster and
nothing else leaves them as they are. One that alters them says so in its commit, and why.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import click
from common import table

from spider_solver.deal import Deal, RowRule
from spider_solver.formats import read_deal
from spider_solver.game import ROW, Position
from spider_solver.numbering import deal_from_number
from spider_solver.result import Limits, Result
from spider_solver.solver import solve
from spider_solver.words import counted

HERE = Path(__file__).resolve().parent
EXPECTED = HERE / "signature.txt"
SAMPLES = HERE.parent / "deals"

FRESH = (  # deal number, suit modes, widths
    ("native:1", (1, 2, 4), (30, 100)),
    ("native:2", (1, 2, 4), (30, 100)),
    ("kpat:7", (1, 2, 3, 4), (100,)),
    ("pysol:ms3", (2, 4), (100,)),
)
ROWS_FIRST = (1, 2, 5)  # rows dealt before the search, on native:3
PLAYED = ("middle_two_suit.txt", "middle_four_suit.txt", "kpat_18_one_suit.xml")
LOST = "end_two_suit.txt"  # the beam runs until nothing is left, or up to its last level
MOST_STATES = 25_000  # for each, so that none takes long
BEYOND = (  # deal number, suits, first width, widest, most states
    ("native:2", 4, 20, 320, MOST_STATES),
    ("native:4", 4, 5000, 5000, 4 * MOST_STATES),  # wide beams make more of the moves
)


_COUNTED = ("states", "children")


@dataclass(frozen=True, slots=True)
class Case:
    """A position and the limits to search it with."""

    name: str
    deal: Deal
    limits: Limits

    def solve(self) -> Result:
        """Search for a solution."""
        return solve(self.deal, self.limits)


@dataclass(frozen=True, slots=True)
class Line:
    """A case's part of the signature; length: of the solution, 0 without one."""

    name: str
    states: int
    children: int
    verdict: str
    length: int

    def cells(self) -> tuple[str, ...]:
        """As a row of the table."""
        return (self.name, str(self.states), str(self.children), self.verdict, str(self.length))


def cases() -> Iterator[Case]:
    """All suit modes under both rules; fresh deals, and positions in mid-game."""
    for rules in RowRule:
        for number, modes, widths in FRESH:
            for suits in modes:
                deal = deal_from_number(number, suits, rules)
                for width in widths:
                    yield _case(f"{number}, {counted(deal.suits, 'suit')}", deal, width)
        for rows in ROWS_FIRST:
            position = Position(deal_from_number("native:3", 2, rules))
            for _ in range(rows):
                position.push(ROW)
            name = f"native:3 after {counted(rows, 'row')}"
            yield _case(f"{name}, 2 suits", position.to_deal(), 100)
        for name in (*PLAYED, LOST):
            deal = read_deal((SAMPLES / name).read_text(encoding="utf-8"), name).with_rules(rules)
            yield _case(f"{name}, {counted(deal.suits, 'suit')}", deal, 100)
    for number, suits, first, width, states in BEYOND:
        name = f"{number}, {counted(suits, 'suit')}"
        yield _case(name, deal_from_number(number, suits), width, first, states)


def _case(
    name: str, deal: Deal, width: int, first: int | None = None, most: int = MOST_STATES
) -> Case:
    first = first or width
    widths = str(width) if first == width else f"{first} to {width}"
    limits = Limits(max_width=width, first_width=first, max_states=most)
    return Case(f"{name}, {deal.rules}, width {widths}", deal, limits)


def signature() -> list[Line]:
    """Each case's part, found by searching."""
    lines = []
    for case in cases():
        result = case.solve()
        length = len(result.actions)
        lines.append(Line(case.name, result.states, result.children, str(result.verdict), length))
    return lines


def as_text(lines: Sequence[Line]) -> str:
    """The content of signature.txt: a line for each case, then the totals."""
    states, children = (str(sum(getattr(line, of) for line in lines)) for of in _COUNTED)
    total = ("total", states, children, "", "")
    head = ("position", "states", "children", "verdict", "length")
    return "\n".join(table([head, *(line.cells() for line in lines), total])) + "\n"


def difference(expected: str, found: str) -> str:
    """What to say when the signature isn't the expected one; empty if it is."""
    if found == expected:
        return ""
    old, new = expected.splitlines(), found.splitlines()
    gone = [f"- {line}" for line in old if line not in new]
    come = [f"+ {line}" for line in new if line not in old]
    return "\n".join(
        [
            "the signature of the search isn't that of benchmarks/signature.txt:",
            *gone,
            *come,
            "If the change is meant to alter which states the search keeps: run",
            "  python benchmarks/signature.py --write",
            "and say in the commit that the signature changes, from what to what, and why.",
            "If it was meant to make the search faster and nothing else, it does something else.",
        ]
    )


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
@click.option("--write", is_flag=True, help="Write signature.txt anew.")
def main(write: bool) -> None:
    """Search fixed positions and hold the counts against benchmarks/signature.txt."""
    found = as_text(signature())
    expected = EXPECTED.read_text(encoding="utf-8") if EXPECTED.exists() else ""
    changed = difference(expected, found)
    if write:
        EXPECTED.write_text(found, encoding="utf-8")
        click.echo(f"signature.txt {'written: say so in the commit' if changed else 'unchanged'}")
    elif changed:
        click.echo(changed, err=True)
        sys.exit(1)
    click.echo(found.splitlines()[-1])


if __name__ == "__main__":
    main()
