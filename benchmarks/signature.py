"""Checks the signature of the search: states kept and children generated on fixed positions.

    python benchmarks/signature.py            # exit code 1 if it differs from signature.txt
    python benchmarks/signature.py --write    # after a change that is meant to alter it

The numbers are the same on every machine. So a change that only makes the search faster must not
alter them. The message of a commit that alters them says so, and says why.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import click
from common import table_lines

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

MAX_STATES = 25_000  # states kept per case, so that no case takes long
FRESH = (  # deal number, suit modes, beam widths
    ("native:1", (1, 2, 4), (30, 100)),
    ("native:2", (1, 2, 4), (30, 100)),
    ("kpat:7", (1, 2, 3, 4), (100,)),
    ("pysol:ms3", (2, 4), (100,)),
)
ROWS_FIRST = (1, 2, 5)  # rows dealt on native:3 before the search
MID_GAME = ("middle_two_suit.txt", "middle_four_suit.txt", "kpat_18_one_suit.xml")  # sample deals
UNWINNABLE = "end_two_suit.txt"  # the exhaustive search decides it, so no beam keeps a state
OTHER_WIDTHS = (  # deal number, suits, first width, widest width, limit of states kept
    ("native:2", 4, 20, 320, MAX_STATES),
    ("native:4", 4, 5000, 5000, 4 * MAX_STATES),  # its table and its log must grow
)


@dataclass(frozen=True, slots=True)
class Case:
    """A position and the limits of its search."""

    name: str
    deal: Deal
    limits: Limits

    def solve(self) -> Result:
        """Search for a solution."""
        return solve(self.deal, self.limits)


@dataclass(frozen=True, slots=True)
class Line:
    """The line of a case in the signature."""

    name: str
    states: int  # states kept
    children: int  # children generated
    verdict: str
    length: int  # moves and rows of the solution; 0 without one

    def cells(self) -> tuple[str, ...]:
        """Return the line as the cells of a table."""
        return (self.name, str(self.states), str(self.children), self.verdict, str(self.length))


def cases() -> Iterator[Case]:
    """Yield the cases: all suit modes under both rules, fresh deals and mid-game positions."""
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
        for name in (*MID_GAME, UNWINNABLE):
            deal = read_deal((SAMPLES / name).read_text(encoding="utf-8"), name).with_rules(rules)
            yield _case(f"{name}, {counted(deal.suits, 'suit')}", deal, 100)
    for number, suits, first, width, states in OTHER_WIDTHS:
        name = f"{number}, {counted(suits, 'suit')}"
        yield _case(name, deal_from_number(number, suits), width, first, states)


def _case(
    name: str, deal: Deal, width: int, first: int | None = None, max_states: int = MAX_STATES
) -> Case:
    """Return a case with the widths from ``first`` to ``width``, or with one width."""
    first = first or width
    widths = str(width) if first == width else f"{first} to {width}"
    limits = Limits(max_width=width, first_width=first, max_states=max_states)
    return Case(f"{name}, {deal.rules}, width {widths}", deal, limits)


def signature() -> list[Line]:
    """Search all cases and return their lines."""
    lines = []
    for case in cases():
        result = case.solve()
        length = len(result.actions)
        lines.append(Line(case.name, result.states, result.children, str(result.verdict), length))
    return lines


def as_text(lines: Sequence[Line]) -> str:
    """Return the content of signature.txt: a line for each case, then the totals."""
    head = ("position", "states", "children", "verdict", "length")
    states, children = sum(line.states for line in lines), sum(line.children for line in lines)
    total = ("total", str(states), str(children), "", "")
    return "\n".join(table_lines([head, *(line.cells() for line in lines), total])) + "\n"


def difference(expected: str, found: str) -> str:
    """Return a message about the difference of two signatures. It is empty if they are equal."""
    if found == expected:
        return ""
    old, new = expected.splitlines(), found.splitlines()
    removed = [f"- {line}" for line in old if line not in new]
    added = [f"+ {line}" for line in new if line not in old]
    return "\n".join(
        [
            "the signature of the search differs from benchmarks/signature.txt:",
            *removed,
            *added,
            "If the change is meant to alter which states the search keeps, run",
            "  python benchmarks/signature.py --write",
            "and say in the commit message that the signature changes, from what to what, and why.",
            "A change that is only meant to make the search faster must not alter the signature.",
        ]
    )


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
@click.option("--write", is_flag=True, help="Write the signature to signature.txt.")
def main(write: bool) -> None:
    """Search fixed positions and compare the counts with benchmarks/signature.txt.

    Prints the totals. The exit code is 1 if the counts differ.
    """
    found = as_text(signature())
    expected = EXPECTED.read_text(encoding="utf-8") if EXPECTED.exists() else ""
    changed = difference(expected, found)
    if write:
        EXPECTED.write_text(found, encoding="utf-8")
        click.echo(
            f"signature.txt {'written: say so in the commit message' if changed else 'unchanged'}"
        )
    elif changed:
        click.echo(changed, err=True)
        sys.exit(1)
    click.echo(found.splitlines()[-1])


if __name__ == "__main__":
    main()
