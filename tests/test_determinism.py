"""Results are reproducible: in one process, in threads, in several processes."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest
from packed import mid_game_deal
from play import sensible_position

from spider_solver.deal import Deal, RowRule
from spider_solver.notation import action_text
from spider_solver.numbering import deal_from_number
from spider_solver.result import Limits
from spider_solver.solver import solve

pytestmark = pytest.mark.kernels

LIMITS = Limits(first_width=50, max_width=200, max_states=30_000)


def deals() -> list[Deal]:
    """Fresh deals and positions in mid-game: won by the first beam, by a wider one, or not won."""
    return [
        *(deal_from_number("2", suits, rules) for suits in (1, 2, 4) for rules in RowRule),
        *(
            mid_game_deal(seed, suits, rules)
            for suits in (1, 4)
            for rules in RowRule
            for seed in (3, 4)
        ),
        sensible_position(2, 40, 4).to_deal(),
    ]


def answer(deal: Deal) -> tuple[object, ...]:
    """All of a result but its time."""
    result = solve(deal, LIMITS)
    actions = " ".join(map(action_text, result.actions))
    return (str(result.verdict), result.states, result.children, result.widths, actions)


def answers() -> list[tuple[object, ...]]:
    return [answer(deal) for deal in deals()]


def test_the_positions_cover_all_kinds_of_results():
    found = answers()
    assert {verdict for verdict, *_ in found} == {"won", "undecided"}
    assert {len(widths) for *_, widths, _ in found if widths} == {1, 3}


def test_earlier_searches_of_a_process_change_nothing():
    first, order = answers(), list(range(len(deals())))
    chance = random.Random(1)
    for _ in range(2):
        chance.shuffle(order)
        again = {index: answer(deals()[index]) for index in order}
        assert [again[index] for index in range(len(order))] == first


def test_threads_that_search_at_the_same_time():
    first = answers()
    with ThreadPoolExecutor(3) as pool:
        assert list(pool.map(answer, [*deals(), *deals()])) == first * 2


PRINT = "from test_determinism import answers; print(*answers(), sep='\\n')"


def test_other_processes():
    first = "\n".join(map(str, answers()))
    running = [
        subprocess.Popen(
            [sys.executable, "-c", PRINT],
            env={
                **os.environ,
                "PYTHONPATH": os.pathsep.join(sys.path),
                "PYTHONHASHSEED": str(seed),
            },
            stdout=subprocess.PIPE,
            encoding="utf-8",
        )
        for seed in (1, 2)
    ]
    for process in running:
        out, _ = process.communicate(timeout=300)
        assert process.returncode == 0
        assert out.strip() == first
