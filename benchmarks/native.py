"""Solve native deals 1 to N in each suit mode; print how many, at which widths, how fast.

    python benchmarks/native.py [N]

N is 100 unless given. Exit code 1 if a deal isn't won.
"""

from __future__ import annotations

import sys
from collections import Counter

from spider_solver.game import Position
from spider_solver.numbering import deal_from_number
from spider_solver.solver import Limits, Verdict, solve


def main(last: int = 100) -> int:
    """Print a line for each suit mode; the exit code."""
    lost = 0
    solve(Position(deal_from_number("native:1", 1)), Limits(max_width=250))  # compiles
    print(f"native 1 to {last}: won, seconds a deal, moves and rows, states, deals at each width")
    for suits in (1, 2, 4):
        results = [
            solve(Position(deal_from_number(f"native:{number}", suits)))
            for number in range(1, last + 1)
        ]
        won = [result for result in results if result.verdict is Verdict.WON]
        seconds = [result.seconds for result in results]
        length = sum(len(result.actions) for result in won) / max(len(won), 1)
        print(
            f"{suits} suit{'s' * (suits > 1)}: {len(won)} won;"
            f" {sum(seconds) / last:.3f} s in the mean, {max(seconds):.2f} s the longest;"
            f" {length:.1f} actions; {sum(result.states for result in results):,} states;"
            f" widths {dict(sorted(Counter(result.width for result in won).items()))}",
            flush=True,
        )
        lost += last - len(won)
    return 1 if lost else 0


if __name__ == "__main__":
    sys.exit(main(*map(int, sys.argv[1:])))
