"""Helpers for the tests of exhaustive search: its reference implementation, and positions."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator
from itertools import count

from packed import SUIT_MODES, mid_game_deal
from play import random_position, sensible_position

from spider_solver.deal import Deal, RowRule
from spider_solver.game import Position
from spider_solver.kernels.exhaustive import depth_first
from spider_solver.kernels.exhaustive.search import ExhaustiveSearch

MAX_BYTES = 2**30  # a search may allocate these


def full_key(position: Position) -> object:
    """Return an object that is equal for two positions exactly if the positions are equal."""
    columns = tuple(map(tuple, position.columns))
    completed = tuple(sorted(position.completed))
    return columns, tuple(position.face_down), len(position.stock), completed


def reachable(
    deal: Deal, max_positions: int, key: Callable[[Position], object] = full_key
) -> tuple[bool, int]:
    """Return whether a win can be reached, and the number of positions seen.

    The arguments are those of ``breadth_first``.
    """
    length, seen = breadth_first(deal, max_positions, key)
    return length is not None, seen


def breadth_first(
    deal: Deal, max_positions: int, key: Callable[[Position], object]
) -> tuple[int | None, int]:
    """Return the length of a shortest solution, or None, and the number of positions seen.

    This is the reference implementation of the exhaustive search, and of the search for the
    shortest solution. It goes breadth first, with the rules of game.py and a set. It ends at the
    first win, or when it has seen more than ``max_positions``. Positions with the same key count
    once.
    """
    seen = {key(Position(deal))}
    level, length = [deal], 0
    while level and len(seen) <= max_positions:
        length += 1
        next_level: list[Deal] = []
        for parent in level:
            position = Position(parent)
            for action in list(position.legal_actions()):
                position.push(action)
                if position.won:
                    return length, len(seen)
                child_key = key(position)
                if child_key not in seen:
                    seen.add(child_key)
                    next_level.append(position.to_deal())
                position.pop()
        level = next_level
    return None, len(seen)


def search(deal: Deal, reductions: int, max_positions: int) -> tuple[int, ExhaustiveSearch]:
    """Search exhaustively until ``max_positions`` are seen. Returns the answer and the search."""
    running = ExhaustiveSearch(deal, MAX_BYTES, reductions)
    return running.advance(max_positions - 1), running


def late_positions(seed: int) -> Iterator[Deal]:
    """Yield positions after the last row, of all suit modes and both rules, without end.

    Some come from random actions, some from sensible play, and some have random columns.
    """
    for number in count(seed):
        rng = random.Random(number)
        suits, rules = rng.choice([*SUIT_MODES]), rng.choice([*RowRule])
        kind = rng.choice(("random", "sensible", "sensible", "mid-game"))
        if kind == "random":
            deal = random_position(number, rng.randint(60, 200), suits, rules).to_deal()
        elif kind == "sensible":
            deal = sensible_position(number, rng.randint(60, 250), suits, rules).to_deal()
        else:
            deal = mid_game_deal(number, suits, rules)
        if not deal.stock and not Position(deal).won:
            yield deal


def small(deals: Iterable[Deal], max_positions: int) -> Iterator[Deal]:
    """Yield the deals that the search without reductions decides within ``max_positions``."""
    for deal in deals:
        answer, _ = search(deal, 0, max_positions)
        if answer != depth_first.RUNNING:
            yield deal
