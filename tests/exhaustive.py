"""Positions to search exhaustively, and the reference implementation of that search."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator
from itertools import count

from packed import MODES, free_deal
from play import random_position, sensible_position

from spider_solver.deal import Deal, RowRule
from spider_solver.game import Position
from spider_solver.kernels.exhaustive import depth_first
from spider_solver.kernels.exhaustive.search import ExhaustiveSearch

MEMORY = 2**30


def everything(position: Position) -> object:
    """Everything that tells positions apart: columns, face-down counts, stock, completed runs."""
    columns = tuple(map(tuple, position.columns))
    completed = tuple(sorted(position.completed))
    return columns, tuple(position.face_down), len(position.stock), completed


def reachable(
    deal: Deal, most: int, key: Callable[[Position], object] = everything
) -> tuple[bool, int]:
    """Whether a win can be reached, and how many positions can be reached.

    Breadth first, on the plain rules, with a plain set. The search ends at the first win, or when
    it has seen more than ``most`` positions. key: two positions with the same key count as one.
    """
    seen = {key(Position(deal))}
    todo = [deal]
    while todo and len(seen) <= most:
        found: list[Deal] = []
        for one in todo:
            position = Position(one)
            for action in list(position.legal_actions()):
                position.push(action)
                if position.won:
                    return True, len(seen)
                one_key = key(position)
                if one_key not in seen:
                    seen.add(one_key)
                    found.append(position.to_deal())
                position.pop()
        todo = found
    return False, len(seen)


def search(deal: Deal, reductions: int, most: int) -> tuple[int, ExhaustiveSearch]:
    """Search exhaustively until ``most`` positions are seen: the answer, and the search."""
    running = ExhaustiveSearch(deal, MEMORY, reductions)
    return running.advance(most - 1), running


def late_positions(seed: int) -> Iterator[Deal]:
    """Positions after the last row, of all suit modes and both rules, without end.

    They come from random play, from half-sensible play, and from random columns.
    """
    for number in count(seed):
        chance = random.Random(number)
        suits, rules = chance.choice([*MODES]), chance.choice([*RowRule])
        kind = chance.choice(("random", "sensible", "sensible", "free"))
        if kind == "random":
            deal = random_position(number, chance.randint(60, 200), suits, rules).to_deal()
        elif kind == "sensible":
            deal = sensible_position(number, chance.randint(60, 250), suits, rules).to_deal()
        else:
            deal = free_deal(number, suits, rules)
        if not deal.stock and not Position(deal).won:
            yield deal


def small(deals: Iterable[Deal], most: int) -> Iterator[Deal]:
    """The deals that the compiled search, without reductions, decides within ``most`` positions."""
    for deal in deals:
        answer, _ = search(deal, 0, most)
        if answer != depth_first.RUNNING:
            yield deal
