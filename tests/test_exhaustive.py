"""Exhaustive search: held against its slow twin, the beam, and positions built for it."""

from __future__ import annotations

import random
from collections import Counter
from itertools import islice

import numpy as np
import pytest
from exhaustive import MEMORY, late_positions, reachable, search, small_positions
from packed import KEYS, Packed, free_deal, random_action
from play import endgame, position_of, random_position, run

from spider_solver.cards import KING
from spider_solver.deal import COLUMNS, Deal, Rules
from spider_solver.game import ROW, Move, Position
from spider_solver.kernels import depth_first, moves, space
from spider_solver.kernels.depth_first import EXHAUSTED, RUNNING, WON
from spider_solver.kernels.exhaust import ExhaustiveSearch
from spider_solver.verify import verify_solution

EACH_REDUCTION = (
    *(space.ORDER, space.EMPTY, space.WHOLE, space.AGAIN, space.TOO_FEW),
    space.ORDER | space.EMPTY,
    space.ORDER | space.WHOLE | space.AGAIN,
    space.ALL_REDUCTIONS,
)
KEEP_ALL = (space.AGAIN,)  # these leave no position out


def assert_as_the_twin(deal: Deal, most: int) -> tuple[bool, int]:
    """The same verdict with and without reductions; without them, as many positions."""
    won, positions = reachable(deal, most)
    for reduced in (0, *EACH_REDUCTION):
        answer, running = search(deal, reduced, 10 * most)
        assert answer == (WON if won else EXHAUSTED)
        if won:
            assert verify_solution(deal, running.solution()).verdict == "won"
        elif reduced in (0, *KEEP_ALL):
            assert running.seen == positions
        else:
            assert running.seen <= positions
    return won, positions


# Against the twin


@pytest.mark.parametrize("part", range(4))
def test_the_verdict_and_the_count_are_the_twins(part):
    verdicts = Counter[bool]()
    for deal in islice(small_positions(1000 * part, 1500), 100):
        won, _ = assert_as_the_twin(deal, 1500)
        verdicts[won] += 1
    assert verdicts[False] > 20


def test_small_endgames_that_are_won_by_some_and_lost_by_others():
    """Two runs left, in few columns, some face down: empty columns come and go."""
    verdicts = Counter[bool]()
    for seed in range(150):
        deal = scattered(seed)
        answer, _ = search(deal, 0, 2500)
        if answer != RUNNING:
            won, _ = assert_as_the_twin(deal, 2500)
            verdicts[won] += 1
    assert min(verdicts[True], verdicts[False]) >= 10


def scattered(seed: int) -> Deal:
    """One suit, the last run of it in pieces, each on cards that hinder it."""
    chance = random.Random(seed)
    left = chance.randint(1, 2)
    pieces: list[list[int]] = []
    for _ in range(left):
        high = KING
        while high:
            low = chance.randint(max(high - 5, 1), high)
            pieces.append(run(high, low))
            high = low - 1
    chance.shuffle(pieces)
    used = chance.randint(2, COLUMNS)
    while True:
        columns: list[list[int]] = [[] for _ in range(COLUMNS)]
        for piece in pieces:
            columns[chance.randrange(used)] += piece
        down = [chance.randint(0, max(len(column) - 1, 0)) for column in columns]
        try:
            return endgame(columns, down)
        except Exception:  # a whole run stands there already
            used = COLUMNS
            chance.shuffle(pieces)


@pytest.mark.parametrize("rules", Rules)
def test_with_rows_left(rules):
    checked = 0
    for seed in range(400):
        deal = random_position(seed, 120, 4, rules).to_deal()
        if len(deal.stock) not in (10, 20) or search(deal, 0, 2500)[0] == RUNNING:
            continue
        assert_as_the_twin(deal, 2500)
        checked += 1
    assert checked >= 1


# Against the beam


def test_what_the_beam_wins_is_never_called_unwinnable():
    from spider_solver.solver import Limits, Verdict, solve

    won = 0
    for deal in islice(late_positions(50_000), 120):
        answer, running = search(deal, space.ALL_REDUCTIONS, 100_000)
        result = solve(Position(deal), Limits(max_width=64, max_positions=1))
        if result.verdict is Verdict.WON:
            won += 1
            assert answer != EXHAUSTED
        if answer == WON:
            assert verify_solution(deal, running.solution()).verdict == "won"
    assert won > 20


# Positions built by hand


def test_no_legal_action_at_all():
    deal = position_of([[card] for card in (2, 4, 6, 8, 10, 12, 18, 20, 22, 24)]).to_deal()
    answer, running = search(deal, space.ALL_REDUCTIONS, 100)
    assert (answer, running.seen) == (EXHAUSTED, 1)


def test_only_moves_that_can_be_taken_back():
    columns = ["5S", "5H", "5D", "4C", *(f"K{suit}" for suit in "SHDCSH")]
    deal = position_of(columns).to_deal()
    assert search(deal, 0, 100)[1].seen == reachable(deal, 100_000)[1]


@pytest.mark.parametrize("reduced", [0, space.ALL_REDUCTIONS])
def test_won_only_by_splitting_a_run_to_fill_an_empty_column_before_a_row(reduced):
    columns = [run(KING, 5)] + [[] for _ in range(9)]
    columns[1:9] = [[card] for card in (18, 20, 22, 24, 26, 28, 18, 20)]
    stock = [4, *[29] * 9]
    deal = position_of(columns, stock=stock).to_deal()
    answer, running = search(deal, reduced, 10**6)
    assert answer != WON  # cards of no deal: what counts is what is reached
    reached = Position(deal)
    assert reached.why_illegal(ROW) is not None
    reached.push(Move(0, 9, 1))
    assert reached.why_illegal(ROW) is None
    assert running.seen > 10
