"""Shortening of solutions."""

import threading
import time
from dataclasses import replace

import pytest
from play import one_move_from_won

from spider_solver import shorten as shortening_module
from spider_solver.bound import least_actions
from spider_solver.errors import InternalError
from spider_solver.game import Move
from spider_solver.numbering import deal_from_number
from spider_solver.result import Limits, Result, ShorteningLimits, Verdict
from spider_solver.searches import FoundLine
from spider_solver.shorten import shorten
from spider_solver.solver import solve
from spider_solver.verify import GameVerdict, verify_solution

pytestmark = pytest.mark.kernels

SUIT_MODES = [1, 2, 4]


def shortened(deal, result=None, **limits):
    return shorten(deal, result or solve(deal), ShorteningLimits(**limits))


@pytest.mark.parametrize("suits", SUIT_MODES)
def test_a_shorter_solution_wins_and_has_its_own_counts(suits):
    deal = deal_from_number("native:1", suits)
    first = solve(deal)
    gains = []
    result = shorten(
        deal, first, ShorteningLimits(states=250_000), lambda *gain: gains.append(gain)
    )
    assert len(result.actions) < len(first.actions)
    assert verify_solution(deal, result.actions).verdict is GameVerdict.WON
    assert (result.moves + result.rows, result.rows) == (len(result.actions), 5)
    assert result.score == 1300 - len(result.actions)
    lengths = [length for length, _ in gains]
    assert lengths == sorted(set(lengths), reverse=True)
    assert gains[-1] == (len(result.actions), result.score)
    shortening = result.shortening
    assert shortening.first_length == len(first.actions)
    assert shortening.at_least == least_actions(deal) < len(result.actions)
    assert 125_000 <= shortening.states < 300_000
    assert (shortening.shortest, shortening.interrupted) == (False, False)


@pytest.mark.parametrize("suits", SUIT_MODES)
def test_more_states_never_give_a_longer_solution(suits):
    deal = deal_from_number("native:2", suits)
    first = solve(deal)
    lengths = [
        len(shortened(deal, first, states=states).actions)
        for states in (1, 1_000, 20_000, 40_000, 80_000)
    ]
    assert lengths == sorted(lengths, reverse=True)
    assert lengths[0] <= len(first.actions)


def test_the_number_of_jobs_changes_nothing():
    deal = deal_from_number("native:3", 2)
    first = solve(deal)
    one, two = (shortened(deal, first, states=100_000, jobs=jobs) for jobs in (1, 2))
    assert one.actions == two.actions
    assert one.shortening.states == two.shortening.states


def test_the_searches_of_a_batch_share_the_limit_on_time(monkeypatch):
    clock = iter(range(1000))  # a second for each look at the clock
    monkeypatch.setattr(shortening_module.time, "perf_counter", lambda: next(clock))
    is_over = []

    def search(*arguments):
        is_over.append([arguments[-1]() for _ in range(3)][-1])
        return FoundLine(None, exhausted=False, states=1, stopped=is_over[-1])

    monkeypatch.setattr(shortening_module, "search_shorter_line", search)
    deal = deal_from_number("native:1")
    shortened(deal, solve(deal), seconds=6)
    assert is_over == [False, True, True]  # the first search runs alone


def test_a_solution_of_thousands_of_actions_is_shortened():
    deal = one_move_from_won()
    there_and_back = (Move(1, 2, 1), Move(2, 1, 1)) * 1500
    long = replace(solve(deal), actions=(*there_and_back, Move(1, 0, 1)))
    assert len(shortened(deal, long, states=1000).actions) == 1


def test_a_search_without_memory_keeps_the_solution():
    deal = deal_from_number("native:1")
    first = solve(deal)
    result = shortened(deal, first, states=1000, max_memory=1)
    assert (result.actions, result.shortening.states) == (first.actions, 0)


def test_a_solution_that_does_not_win_is_a_fault(monkeypatch):
    deal = deal_from_number("native:1")
    first = solve(deal)
    wrong = FoundLine(first.actions[:-1], exhausted=False, states=1, stopped=False)
    monkeypatch.setattr(shortening_module, "search_shorter_line", lambda *_: wrong)
    with pytest.raises(InternalError, match=r"native:1 failed its replay \(unfinished: runs are"):
        shortened(deal, first, states=1000)


def test_a_proof_ends_the_search():
    result = shortened(one_move_from_won(), states=10**9)
    assert (len(result.actions), result.shortening.shortest) == (1, True)
    assert result.shortening.states == 0


def test_a_result_without_a_solution_is_returned_as_it_is():
    deal = deal_from_number("native:1")
    result = solve(deal, Limits(max_states=1))
    assert result.verdict is Verdict.UNDECIDED
    assert shortened(deal, result, states=1000) is result


def test_ctrl_c_keeps_what_was_found(monkeypatch):
    deal = deal_from_number("native:1")
    first = solve(deal)
    search = shortening_module.search_shorter_line
    calls = []

    def interrupted(*arguments):
        calls.append(threading.current_thread())
        if len(calls) > 2:
            raise KeyboardInterrupt
        return search(*arguments)

    monkeypatch.setattr(shortening_module, "search_shorter_line", interrupted)
    result: Result = shortened(deal, first, states=10**7)
    assert result.shortening.interrupted
    assert len(result.actions) < len(first.actions)


def test_ctrl_c_ends_the_searches_that_run_in_other_threads(monkeypatch):
    deal = deal_from_number("native:1")
    first = solve(deal)
    calls = []
    ended = threading.Event()

    def search(*arguments):
        """The first search finds nothing, the second is interrupted, the third waits."""
        calls.append(arguments)
        if len(calls) == 2:
            raise KeyboardInterrupt
        is_over = arguments[-1]
        deadline = time.monotonic() + 20
        while len(calls) > 2 and time.monotonic() < deadline:
            if is_over():
                ended.set()
                break
        return FoundLine(None, exhausted=False, states=1, stopped=False)

    monkeypatch.setattr(shortening_module, "search_shorter_line", search)
    assert shortened(deal, first, states=10**9, jobs=2).shortening.interrupted
    assert ended.is_set()


@pytest.mark.parametrize("field", ["seconds", "states", "jobs", "max_memory"])
def test_limits_are_above_zero(field):
    with pytest.raises(ValueError, match=f"{field} 0: expected a number above zero"):
        ShorteningLimits(**{field: 0})
