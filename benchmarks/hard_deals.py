"""Solves deals that are hard by construction: how many are won, and how many proved unwinnable?

    python benchmarks/hard_deals.py                       # 100 of each kind, one suit
    python benchmarks/hard_deals.py --deals 300 "no neighbours"

All cards have one suit, so only their ranks can make a deal unwinnable: a deal with the same
ranks and more suits is unwinnable as well. If the search leaves a deal undecided, the relaxation
of the command prove is tried. Its time limit is --seconds, so its result depends on the machine.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Sequence

import click

from spider_solver.cards import ACE, KING
from spider_solver.deal import COLUMNS, MAX_ROWS, SETS, STANDARD_TABLEAU, Deal
from spider_solver.numbering.scheme import round_robin
from spider_solver.prove import prove
from spider_solver.result import Limits, Verdict
from spider_solver.solver import solve
from spider_solver.words import counted

WIDTH = 1024  # of the widest beam
SPADES = [rank for rank in range(ACE, KING + 1) for _ in range(SETS)]  # all 104 cards
END_CARDS = slice(STANDARD_TABLEAU - COLUMNS, STANDARD_TABLEAU)  # face up at the start

# All functions below return the 104 cards of a deal in the order in which they are dealt.


def row(index: int) -> slice:
    """Return where the cards of a row are among the 104 cards. The first row has the index 0."""
    start = STANDARD_TABLEAU + COLUMNS * index
    return slice(start, start + COLUMNS)


def rank_together(rank: int, where: slice, rng: random.Random) -> list[int]:
    """Put all eight cards of one rank in ten places; everything else is random."""
    others = [card for card in SPADES if card != rank]
    rng.shuffle(others)
    ten_cards = [rank] * SETS + [others.pop() for _ in range(COLUMNS - SETS)]
    rng.shuffle(ten_cards)
    return others[: where.start] + ten_cards + others[where.start :]


def without_neighbours(groups: int, rng: random.Random) -> list[int]:
    """Divide the last cards into groups of ten without consecutive ranks in any of them.

    groups: how many. Five are the rows; the sixth is the cards that are face up at the start.
    """
    while True:
        left, last_cards = SPADES.copy(), list[int]()
        rng.shuffle(left)
        for _ in range(groups):
            ten_cards: list[int] = []
            for card in left:
                if (
                    len(ten_cards) < COLUMNS
                    and card + 1 not in ten_cards
                    and card - 1 not in ten_cards
                ):
                    ten_cards.append(card)
            for card in ten_cards:
                left.remove(card)
            rng.shuffle(ten_cards)
            last_cards = ten_cards + last_cards
        if len(last_cards) == COLUMNS * groups:
            return left + last_cards


KINDS: dict[str, Callable[[random.Random], Sequence[int]]] = {
    "Kings on top": lambda rng: rank_together(KING, END_CARDS, rng),
    "Kings in the first row": lambda rng: rank_together(KING, row(0), rng),
    "Kings in the last row": lambda rng: rank_together(KING, row(MAX_ROWS - 1), rng),
    "Aces on top": lambda rng: rank_together(ACE, END_CARDS, rng),
    "no neighbours": lambda rng: without_neighbours(1 + MAX_ROWS, rng),
}


def hard_deal(kind: str, number: int) -> Deal:
    """Return the deal with a number of a kind, the same in every run."""
    cards = [*KINDS[kind](random.Random(number))]
    return Deal.make(round_robin(cards), cards[STANDARD_TABLEAU:], name=f"{kind} {number}")


def decide(deal: Deal, seconds: float) -> str:
    """Return the verdict on a deal. If it is unwinnable, the method that proved it is added.

    seconds: the time limit of the relaxation.
    """
    result = solve(deal, Limits(max_width=WIDTH))
    if result.verdict is Verdict.UNWINNABLE:
        return f"unwinnable: {result.decided_by}"
    if result.verdict is Verdict.UNDECIDED and prove(deal, time_limit=seconds).proved:
        return "unwinnable: relaxation"
    return str(result.verdict)


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
@click.argument("kinds", metavar="[KIND]...", nargs=-1, type=click.Choice(list(KINDS)))
@click.option(
    "--deals",
    "count",
    type=click.IntRange(1),
    default=100,
    show_default=True,
    help="Number of deals of each kind.",
)
@click.option(
    "--seconds",
    type=click.FloatRange(0, min_open=True),
    default=60,
    show_default=True,
    help="Time limit of the relaxation, for each deal.",
)
def main(kinds: tuple[str, ...], count: int, seconds: float) -> None:
    """Solve hard deals and print one line for each KIND: the number of deals by verdict.

    Without a KIND, all kinds are solved.
    """
    for kind in kinds or KINDS:
        deals = (hard_deal(kind, number) for number in range(count))
        verdicts = Counter(decide(deal, seconds) for deal in deals)
        parts = (f"{verdict} {verdicts[verdict]}" for verdict in sorted(verdicts))
        click.echo(f"{kind}, {counted(count, 'deal')}: {', '.join(parts)}")


if __name__ == "__main__":
    main()
