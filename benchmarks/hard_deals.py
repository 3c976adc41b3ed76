"""Deals made hard on purpose: how many are won, how many proved unwinnable from the start.

    python benchmarks/hard_deals.py                       # 100 of each kind, one suit
    python benchmarks/hard_deals.py --deals 300 "no neighbours"

One suit, so that what blocks a deal is its ranks, and no number of suits would help. What the
search leaves open the relaxation gets (prove), for as long as --seconds says.
"""

from __future__ import annotations

import argparse
import random
from collections import Counter
from collections.abc import Callable, Sequence

from spider_solver.cards import ACE, KING
from spider_solver.deal import COLUMNS, MAX_ROWS, SETS, STANDARD_TABLEAU, Deal
from spider_solver.numbering.scheme import round_robin
from spider_solver.prove import prove
from spider_solver.result import Limits, Verdict
from spider_solver.solver import solve

WIDTH = 1024
DECK = [rank for rank in range(ACE, KING + 1) for _ in range(SETS)]  # of spades
ENDS = slice(STANDARD_TABLEAU - COLUMNS, STANDARD_TABLEAU)  # the face-up cards at the start


def row(number: int) -> slice:
    """Where a row's cards are, from the first on."""
    start = STANDARD_TABLEAU + COLUMNS * number
    return slice(start, start + COLUMNS)


def all_there(rank: int, place: slice, chance: random.Random) -> list[int]:
    """Cards as chance has them, but for all of one rank in ten places."""
    others = [card for card in DECK if card != rank]
    chance.shuffle(others)
    ten = [rank] * SETS + [others.pop() for _ in range(COLUMNS - SETS)]
    chance.shuffle(ten)
    return others[: place.start] + ten + others[place.start :]


def without_neighbours(tens: int, chance: random.Random) -> list[int]:
    """Cards of which each of the last ``tens`` tens has no two ranks that follow each other.

    These are the rows, and with six of them the face-up cards at the start.
    """
    while True:
        left, chosen = DECK.copy(), list[int]()
        chance.shuffle(left)
        for _ in range(tens):
            ten: list[int] = []
            for card in left:
                if len(ten) < COLUMNS and card + 1 not in ten and card - 1 not in ten:
                    ten.append(card)
            for card in ten:
                left.remove(card)
            chance.shuffle(ten)
            chosen = ten + chosen
        if len(chosen) == COLUMNS * tens:
            return left + chosen


KINDS: dict[str, Callable[[random.Random], Sequence[int]]] = {
    "Kings on top": lambda chance: all_there(KING, ENDS, chance),
    "Kings in the first row": lambda chance: all_there(KING, row(0), chance),
    "Kings in the last row": lambda chance: all_there(KING, row(MAX_ROWS - 1), chance),
    "Aces on top": lambda chance: all_there(ACE, ENDS, chance),
    "no neighbours": lambda chance: without_neighbours(1 + MAX_ROWS, chance),
}


def deal_of(kind: str, number: int) -> Deal:
    """The number-th deal of a kind."""
    cards = [*KINDS[kind](random.Random(number))]
    return Deal.make(round_robin(cards), cards[STANDARD_TABLEAU:], name=f"{kind} {number}")


def decided(deal: Deal, seconds: float) -> str:
    """A deal's verdict, and by what if it's unwinnable."""
    result = solve(deal, Limits(max_width=WIDTH))
    if result.verdict is Verdict.UNWINNABLE:
        return f"unwinnable: {result.decided_by}"
    if result.verdict is Verdict.UNDECIDED and prove(deal, time_limit=seconds).proved:
        return "unwinnable: relaxation"
    return str(result.verdict)


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("kinds", nargs="*", default=[*KINDS], metavar="KIND")
    parser.add_argument("--deals", type=int, default=100, help="of each kind")
    parser.add_argument("--seconds", type=float, default=60, help="for a proof by the relaxation")
    options = parser.parse_args()
    for kind in options.kinds:
        deals = (deal_of(kind, number) for number in range(options.deals))
        found = Counter(decided(deal, options.seconds) for deal in deals)
        told = ", ".join(f"{verdict} {count}" for verdict, count in sorted(found.items()))
        print(f"{kind}, {options.deals} deals: {told}", flush=True)


if __name__ == "__main__":
    main()
