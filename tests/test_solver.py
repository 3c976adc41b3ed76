"""The Python API: verified solutions, verdicts, limits, and reproducible results."""

from __future__ import annotations

import dataclasses
import signal
import threading
import time
from itertools import pairwise
from pathlib import Path

import pytest
from packed import mid_game_deal
from play import endgame, one_move_from_won, position_of, run, sensible_position

from spider_solver import memory, searches, solver
from spider_solver.cards import KING
from spider_solver.deal import Deal, RowRule
from spider_solver.errors import InternalError
from spider_solver.formats import read_deal
from spider_solver.game import ROW, START_SCORE, Position
from spider_solver.numbering import deal_from_number
from spider_solver.result import Limits, Method, Progress, Result, Verdict
from spider_solver.simplify import simplify
from spider_solver.solver import LONG_SOLUTION, solve, widths
from spider_solver.verify import verify_solution

pytestmark = pytest.mark.kernels

DEALS = Path(__file__).parent.parent / "deals"
HARD = sensible_position(2, 40, 4).to_deal()  # minutes of search find no solution; 2 rows left
UNWINNABLE = sensible_position(134, 130, 2).to_deal()  # deals/end_two_suit.txt


def solve_number(number: int, suits: int, rules: RowRule = RowRule.STANDARD, **limits) -> Result:
    return solve(deal_from_number(str(number), suits, rules), Limits(**limits))


def assert_won(deal: Deal, result: Result) -> None:
    """Assert that the result holds a legal solution, with the right counts and score."""
    assert (result.verdict, result.reason) == (Verdict.WON, "")
    report = verify_solution(deal, result.actions)
    assert report.verdict == "won"
    assert (result.moves, result.rows, result.score) == (report.moves, report.rows, report.score)
    assert len(result.actions) == result.moves + result.rows


@pytest.fixture(scope="module", autouse=True)
def _compiled() -> None:
    solve_number(1, 1)


# Solutions


@pytest.mark.parametrize("suits", [1, 2, 4])
@pytest.mark.parametrize("rules", RowRule)
@pytest.mark.parametrize("number", [1, 2, 2**64 - 1])
def test_fresh_deals(number, suits, rules):
    deal = deal_from_number(str(number), suits, rules)
    position = Position(deal)
    result = solve(position.to_deal())
    assert_won(deal, result)
    assert result.rows == 5
    assert result.width == result.widths[-1] >= 64
    assert result.states > 0
    assert position.to_deal() == deal


@pytest.mark.parametrize("suits", [1, 2])
@pytest.mark.parametrize("rules", RowRule)
def test_positions_in_mid_game(suits, rules):
    won = 0
    for seed in range(8):
        for position in (
            sensible_position(seed, 30, suits, rules),
            Position(mid_game_deal(seed, suits, rules)),
        ):
            result = solve(position.to_deal(), Limits(max_width=250))
            if result.verdict is Verdict.WON:
                won += 1
                assert_won(position.to_deal(), result)
    assert won > 8


def test_with_an_empty_column_a_row_needs_a_split_run_or_the_relaxed_rule():
    columns = [run(KING, 2), run(KING, 2), run(KING, 2), [3, 2, 1], *([1],) * 3, [4], [4], []]
    columns[0], columns[1] = columns[0][:-1], columns[1][:-1]
    columns[2] = columns[2][:-3]
    columns[6] = [1, 2]
    columns[7], columns[8] = [2], [4, 3, 2]
    for rules in RowRule:
        deal = Deal.make(columns, run(KING, 4), [0] * 10, [0] * 4, rules=rules)
        result = solve(deal)
        assert_won(deal, result)
        assert result.rows == 1
        if rules is RowRule.STANDARD:
            assert result.actions[0] != ROW


def test_a_position_in_play_is_solved_from_where_it_is():
    position = Position(one_move_from_won())
    position.push(next(position.legal_moves()))
    result = solve(position.to_deal())
    assert_won(position.to_deal(), result)


@pytest.mark.parametrize("name", ["middle_two_suit.txt", "middle_four_suit.txt"])
def test_samples(name):
    deal = read_deal((DEALS / name).read_text(encoding="utf-8"), name)
    assert_won(deal, solve(deal))


def test_a_position_that_is_won_already():
    won = endgame([])
    result = solve(won)
    assert_won(won, result)
    assert (result.actions, result.score, result.states, result.widths) == ((), START_SCORE, 0, ())


def test_one_move_from_won():
    result = solve(one_move_from_won())
    assert_won(one_move_from_won(), result)
    assert result.moves == 1


# No solution


def test_no_legal_action_is_a_proof():
    ends = [[card] for card in (2, 4, 6, 8, 10, 12, 18, 20, 22, 24)]
    result = solve(position_of(ends).to_deal())
    assert (result.verdict, result.reason) == (Verdict.UNWINNABLE, "there is no legal action")
    assert (result.actions, result.states, result.widths) == ((), 0, ())


def test_a_search_that_ends_without_a_solution_is_undecided():
    result = solve(HARD, Limits(max_width=300))
    assert result.verdict is Verdict.UNDECIDED
    assert result.reason == (
        "no solution found with beams up to 300 states wide,"
        f" and an exhaustive search of {result.positions:,} positions decided nothing"
    )
    assert solver.FIRST_POSITIONS <= result.positions < solver.FIRST_POSITIONS + 100
    assert result.decided_by is None
    assert result.widths == (64, 128, 256, 300)
    assert result.width == 300
    assert (result.actions, result.moves, result.rows, result.score) == ((), 0, 0, 0)


def test_the_reason_has_one_state_and_one_position_in_the_singular():
    result = solve(HARD, Limits(max_width=1, max_positions=1))
    assert result.reason == (
        "no solution found with beams up to 1 state wide,"
        " and an exhaustive search of 1 position decided nothing"
    )


def test_a_proof_by_exhaustive_search():
    result = solve(UNWINNABLE)
    assert (result.verdict, result.decided_by) == (Verdict.UNWINNABLE, Method.EXHAUSTIVE)
    assert (result.positions, result.states, result.widths) == (10_368, 0, ())
    assert result.reason == (
        "all 10,368 positions that can be reached were seen, and none is won"
        " (compared by 128-bit keys: chance of error below 1.1e-29)"
    )
    assert 1e-29 < result.error_bound < 1.1e-29  # the text rounds it up


def test_the_exhaustive_search_goes_on_after_the_beams():
    """Before the beams it may see half of max_states: 10,000 positions, not all of them."""
    result = solve(UNWINNABLE, Limits(max_states=20_000, max_width=64))
    assert (result.verdict, result.positions) == (Verdict.UNWINNABLE, 10_368)
    assert result.widths == (64,)


# Solutions by exhaustive search, where a beam of one or two states finds none

WON_BEFORE_THE_BEAMS = mid_game_deal(4, 2)  # no row left
WON_AFTER_THE_BEAMS = mid_game_deal(716, 1)  # one row left


def test_a_win_by_the_exhaustive_search_before_the_beams():
    result = solve(WON_BEFORE_THE_BEAMS, Limits(max_width=1))
    assert_won(WON_BEFORE_THE_BEAMS, result)
    assert (result.decided_by, result.widths) == (Method.EXHAUSTIVE, (1,))
    assert 0 < result.positions < solver.FIRST_POSITIONS


def test_a_win_by_the_exhaustive_search_after_the_beams():
    result = solve(WON_AFTER_THE_BEAMS, Limits(max_width=2, max_positions=200_000))
    assert_won(WON_AFTER_THE_BEAMS, result)
    assert (result.decided_by, result.widths) == (Method.EXHAUSTIVE, (2,))
    assert solver.FIRST_POSITIONS < result.positions < 200_000


def test_a_known_solution_is_replaced_by_a_shorter_one_only(monkeypatch):
    deal = mid_game_deal(16, 1)
    by_beam = solve(deal)
    assert by_beam.decided_by is Method.BEAM
    assert by_beam.positions > 0  # the exhaustive search came first
    monkeypatch.setattr(solver, "run_beam_search", lambda *_: None)
    by_exhaustive_search = solve(deal)
    assert by_exhaustive_search.decided_by is Method.EXHAUSTIVE
    assert by_exhaustive_search.widths == (64, 128)
    assert len(by_exhaustive_search.actions) > len(by_beam.actions)
    known = by_exhaustive_search.actions
    monkeypatch.setattr(solver, "run_beam_search", lambda *_: known)
    as_long = solve(deal)
    assert (as_long.decided_by, as_long.widths) == (Method.EXHAUSTIVE, (64,))


def test_what_decided():
    assert solve_number(1, 1).decided_by is Method.BEAM
    assert solve(endgame([])).decided_by is Method.RULES
    assert solve_number(1, 1).positions == 0


def test_limits_of_the_exhaustive_search():
    limited = solve(HARD, Limits(max_width=20, max_positions=70_000))
    assert limited.verdict is Verdict.UNDECIDED
    assert 70_000 <= limited.positions < 70_100
    assert ", and an exhaustive search of 70,0" in limited.reason
    states = solve(HARD, Limits(max_width=20, max_states=30_000))
    assert states.reason == "the limit of 30,000 states was reached"
    assert 30_000 <= states.states + states.positions < 30_100
    again = solve(HARD, Limits(max_width=20, max_states=30_000))
    assert (states.positions, states.states) == (again.positions, again.states)
    starved = solve(HARD, Limits(max_width=20, max_positions=10**9, max_memory=2**23))
    assert starved.reason.endswith(" positions, which ended at the memory limit, decided nothing")
    assert starved.positions < 2**20
    timed = solve(HARD, Limits(max_width=1, max_positions=10**9, time_limit=0.4))
    assert timed.reason == "the time limit of 0.4 s was reached"
    assert timed.seconds < 1.4


# Limits


def test_widths():
    assert [*widths(Limits())] == [2**k for k in range(6, 17)]
    assert [*widths(Limits(max_width=1))] == [1]
    assert [*widths(Limits(max_width=64))] == [64]
    assert [*widths(Limits(max_width=5000))] == [64, 128, 256, 512, 1024, 2048, 4096, 5000]
    assert [*widths(Limits(first_width=300, max_width=2000))] == [300, 600, 1200, 2000]
    assert [*widths(Limits(first_width=300, max_width=300))] == [300]
    assert [*widths(Limits(first_width=300, max_width=20))] == [20]
    assert [*widths(Limits(max_width=64), quick_for=1)] == [8, 16, 32, 64]
    assert [*widths(Limits(max_width=64), quick_for=2)] == [16, 32, 64]
    assert [*widths(Limits(max_width=128), quick_for=4)] == [64, 128]
    assert [*widths(Limits(first_width=5, max_width=12), quick_for=1)] == [5, 10, 12]


# Quick searches, and shorter solutions


@pytest.mark.parametrize(("suits", "width"), [(1, 8), (2, 16), (4, 64)])
def test_a_quick_search_keeps_the_first_solution(suits, width):
    deal = deal_from_number("native:4", suits)
    first, result = solve(deal, quick=True), solve(deal)
    assert first.width == width
    assert first.settings["widths"] == [*widths(Limits(), quick_for=suits)]
    assert len(first.actions) > len(result.actions)
    assert first.states < result.states


def test_a_quick_search_ends_with_a_solution_of_the_exhaustive_search():
    result = solve(one_move_from_won(), quick=True)
    assert (result.decided_by, result.widths) == (Method.EXHAUSTIVE, ())


@pytest.mark.parametrize("limits", [Limits(max_width=199), Limits(max_states=15_000)])
def test_a_long_solution_is_shortened_within_the_limits(limits):
    """native:8 has a long first solution: 218 actions, with 10,943 states."""
    deal = deal_from_number("native:8")
    quick, limited, result = solve(deal, quick=True), solve(deal, limits), solve(deal)
    simple = simplify(deal, quick.actions)
    assert len(simple) >= LONG_SOLUTION
    assert limited.actions == simple
    assert len(result.actions) < len(simple)
    assert result.width == quick.width
    assert result.states > quick.states
    assert limited.states <= 16_000


def test_max_states():
    result = solve(HARD, Limits(max_states=60_000))
    assert result.verdict is Verdict.UNDECIDED
    assert result.reason == "the limit of 60,000 states was reached"
    assert 60_000 <= result.states < 60_000 + result.width * 2
    assert solve(HARD, Limits(max_states=60_000)).states == result.states
    assert solve(HARD, Limits(max_states=1)).states < 300


def test_states_and_children_of_all_widths_are_counted():
    one, other, both = (
        solve(HARD, Limits(first_width=first, max_width=most))
        for first, most in ((20, 20), (40, 40), (20, 40))
    )
    assert both.widths == (20, 40)
    assert both.states == one.states + other.states
    assert both.children == one.children + other.children > both.states
    limited = solve(HARD, Limits(max_states=30_000))
    assert limited.children > limited.states >= 30_000


def test_max_states_that_is_enough_changes_nothing():
    whole = solve_number(1, 4)
    limited = solve_number(1, 4, max_states=whole.states + 1000)
    assert limited.actions == whole.actions


@pytest.mark.parametrize("seconds", [0.3, 2.0])
def test_time_limit(seconds):
    start = time.perf_counter()
    result = solve(HARD, Limits(time_limit=seconds))
    taken = time.perf_counter() - start
    assert result.verdict is Verdict.UNDECIDED
    assert result.reason == f"the time limit of {seconds:g} s was reached"
    assert seconds <= result.seconds <= taken
    assert taken < seconds + 1  # a busy machine may be late
    assert result.states > 0


def test_max_memory():
    start = solve(HARD, Limits(max_memory=1000))
    assert (start.verdict, start.states) == (Verdict.UNDECIDED, 0)
    assert start.reason == "the memory limit of 0 MiB was reached at width 64"
    later = solve(HARD, Limits(max_memory=2**22))
    assert later.reason.startswith("the memory limit of 4 MiB was reached at width ")
    assert later.states > 10_000


def test_the_default_memory_limit_is_half_of_the_memory(monkeypatch, tmp_path):
    own, outer = tmp_path / "own", tmp_path / "outer"
    monkeypatch.setattr(memory, "_CONTAINER_LIMITS", (own, outer))
    whole = memory.default_memory()
    assert whole > 2**27
    own.write_text("max\n")  # this container has no limit
    assert memory.default_memory() == whole
    outer.write_text(f"{2**23}\n")
    assert memory.default_memory() == 2**22
    assert solve(HARD).reason.startswith("the memory limit of 4 MiB was reached at width ")


@pytest.mark.parametrize("name", [field.name for field in dataclasses.fields(Limits)])
def test_limits_are_above_zero(name):
    with pytest.raises(ValueError, match=f"{name} 0: expected a number above zero"):
        Limits(**{name: 0})


# Reports


def test_progress():
    seen: list[Progress] = []
    result = solve(HARD, Limits(max_width=1000, max_states=400_000), seen.append)
    assert len(seen) > 3
    assert {one.width for one in seen} - {0} == {*result.widths}
    for one, other in pairwise(seen):
        assert one.states < other.states
        assert one.seconds <= other.seconds
        assert one.level < other.level or one.width < other.width or not other.width
    assert all(0 <= one.completed < 8 for one in seen)
    assert all(one.proof is None for one in seen)


def test_settings_hold_the_limits():
    result = solve_number(1, 1, max_width=400, max_states=10**6, time_limit=60, max_memory=2**30)
    assert result.settings == {
        "widths": [64, 128, 256, 400],
        "max_states": 10**6,
        "time_limit": 60,
        "max_memory": 2**30,
        "max_positions": None,
        "prove": False,
    }


def test_the_searches_are_loaded_once_per_process(monkeypatch):
    monkeypatch.setattr(searches, "_loaded", False)
    searches.load_searches()
    from spider_solver.kernels import library

    monkeypatch.delattr(library, "open_library")  # a second load would need it
    searches.load_searches()


def test_the_result_is_reproducible():
    def answer() -> Result:
        return dataclasses.replace(solve_number(8, 4), seconds=0)

    assert answer() == answer()


def test_the_size_of_a_slice_changes_nothing(monkeypatch):
    whole = solve_number(8, 4)
    monkeypatch.setattr(searches, "STATES_PER_SLICE", 500)
    parts = solve_number(8, 4)
    assert (parts.actions, parts.states) == (whole.actions, whole.states)


# Faults and interrupts


def test_a_solution_that_fails_its_replay_is_an_internal_error(monkeypatch):
    from spider_solver.kernels.beam.search import BeamSearch

    solution = BeamSearch.solution
    monkeypatch.setattr(BeamSearch, "solution", lambda self: solution(self)[1:])
    with pytest.raises(InternalError, match=r"a solution of native:1 failed its replay \("):
        solve_number(1, 1)
    monkeypatch.setattr(BeamSearch, "solution", lambda self: solution(self)[:-1])
    with pytest.raises(InternalError, match="runs are missing"):
        solve_number(1, 1)


def test_an_interrupt_during_a_search():
    assert threading.current_thread() is threading.main_thread()
    sent: list[float] = []

    def interrupt() -> None:
        sent.append(time.perf_counter())
        signal.raise_signal(signal.SIGINT)

    timer = threading.Timer(0.5, interrupt)
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        solve(HARD)
    assert time.perf_counter() - sent[0] < 1
    timer.join()
