"""Searches and proofs for the orders of unknown cards, and the commands that make them."""

from __future__ import annotations

import json
import random
import time
from pathlib import Path

import pytest
from commandline import error_of, run
from play import cards, hidden_places, sensible_position, two_aces, with_unknown

from spider_solver import solver
from spider_solver.deal import Deal
from spider_solver.formats import read_deal, write_deal
from spider_solver.game import ROW, Position
from spider_solver.notation import action_text
from spider_solver.numbering import deal_from_number
from spider_solver.prove import CheckedProof, prove
from spider_solver.result import Limits, Result, Verdict
from spider_solver.stats import wilson_interval
from spider_solver.unknown import (
    OrdersLimits,
    OrdersProgress,
    OrdersResult,
    all_orders,
    order_count,
    orders_won,
    prove_orders,
    proving,
    solve_orders,
    solving,
    with_order,
)
from spider_solver.verify import GameVerdict, verify_solution

INPUTS = Path(__file__).parent / "data" / "inputs"
FOUR_UNKNOWN = str(INPUTS / "09_four_unknown_cards.txt")
ALL_HIDDEN = str(INPUTS / "05_hidden_blocks.txt")


def some_unknown(seed: int, actions: int, count: int, suits: int = 2) -> Deal:
    """Return a position after sensible play, with at most that many unknown cards."""
    deal = sensible_position(seed, actions, suits).to_deal()
    places = hidden_places(deal)
    random.Random(seed).shuffle(places)
    return with_unknown(deal, places[:count])


def texts(result: OrdersResult) -> list[object]:
    """Return a result without its times."""
    return [
        [(one.order, one.verdict, one.actions, one.searched) for one in result.results],
        result.common_solution,
        result.first_actions,
    ]


# Searches.


@pytest.mark.parametrize("seed", range(8))
def test_every_order_has_the_verdict_of_a_search_of_its_own(seed: int) -> None:
    deal = some_unknown(seed, 100 + 5 * seed, 3)
    limits = Limits(max_width=256, max_positions=2000)
    found = solve_orders(deal, limits)
    orders = list(all_orders(deal))
    assert [one.order for one in found.results] == orders
    assert (found.order_count, found.seed) == (len(orders), None)
    for order, one in zip(orders, found.results, strict=True):
        known = with_order(deal, order)
        if one.verdict is Verdict.WON:
            assert verify_solution(known, one.actions).verdict is GameVerdict.WON
        else:
            assert solver.solve(known, limits).verdict is one.verdict
            assert one.reason


@pytest.mark.parametrize(("seed", "actions"), [(1, 60), (2, 90), (5, 100), (6, 100), (9, 110)])
def test_the_orders_that_a_solution_wins_are_those_of_a_replay(seed: int, actions: int) -> None:
    deal = some_unknown(seed, actions, 4, suits=1)
    orders = list(all_orders(deal))
    lines = [one.actions for one in solve_orders(deal, Limits(max_width=256)).results]
    for line in {line for line in lines if line}:
        assert orders_won(deal, line, orders) == [
            index
            for index, order in enumerate(orders)
            if verify_solution(with_order(deal, order), line).verdict is GameVerdict.WON
        ]


def test_the_number_of_threads_does_not_change_the_result() -> None:
    deal = some_unknown(4, 80, 4)
    one, two, five = (
        solve_orders(deal, Limits(max_width=128), OrdersLimits(jobs=jobs)) for jobs in (1, 2, 5)
    )
    assert texts(one) == texts(two) == texts(five)


def test_a_sample_depends_on_the_seed_only() -> None:
    deal = some_unknown(4, 30, 40)
    limits = Limits(max_width=64)
    first, again, other = (
        solve_orders(deal, limits, OrdersLimits(samples=6, seed=seed, jobs=jobs))
        for seed, jobs in ((3, 1), (3, 2), (4, 1))
    )
    assert texts(first) == texts(again) != texts(other)
    assert (first.seed, first.sampled, len(first.results)) == (3, True, 6)
    assert first.order_count == order_count(deal) > 5040


@pytest.fixture
def one_line(monkeypatch: pytest.MonkeyPatch) -> list[Deal]:
    """A fake ``solver.solve`` that finds the line of ``two_aces``; returns the deals it got."""
    deals: list[Deal] = []
    line = tuple(two_aces()[1])

    def fake(deal: Deal, limits: Limits, *more: object, quick: bool) -> Result:
        deals.append(deal)
        return Result(Verdict.WON, line, 9, 0, 891, 5, 64, (64,), 0.0)

    monkeypatch.setattr(solver, "solve", fake)
    monkeypatch.setattr(solving, "load_searches", lambda announce: None)
    return deals


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_solution_that_wins_other_orders_saves_their_searches(
    one_line: list[Deal], jobs: int
) -> None:
    deal, line = two_aces()
    steps: list[OrdersProgress] = []
    found = solve_orders(deal, Limits(), OrdersLimits(jobs=jobs), steps.append)
    assert (found.verdict, found.common_solution) == (Verdict.WON, tuple(line))
    assert [one.searched for one in found.results] == [True, False]
    assert found.searches == 1
    assert steps == [OrdersProgress(2, 2, 2)]
    assert len(one_line) <= jobs
    (first,) = found.first_actions
    assert (first.action, first.orders) == (line[0], 2)


def test_the_time_limit_is_for_all_orders_together() -> None:
    deal = read_deal(Path(FOUR_UNKNOWN).read_text(encoding="utf-8"))
    solve_orders(two_aces()[0])  # loads the search
    started = time.monotonic()
    found = solve_orders(deal, Limits(time_limit=0.05))
    assert time.monotonic() - started < 2
    assert len(found.results) == 24
    assert found.verdict is Verdict.UNDECIDED
    last = found.results[-1]
    assert (last.verdict, last.searched) == (Verdict.UNDECIDED, False)
    assert last.reason == "the time limit of 0.05 s was reached"


def test_wrong_arguments() -> None:
    with pytest.raises(ValueError, match="the deal has no unknown cards"):
        solve_orders(deal_from_number("1"))
    for wrong in ({"max_orders": 0}, {"samples": 0}, {"jobs": 0}):
        with pytest.raises(ValueError, match="expected numbers above zero"):
            OrdersLimits(**wrong)


def test_ctrl_c_ends_all_searches(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(now: OrdersProgress) -> None:
        raise KeyboardInterrupt

    deal = some_unknown(4, 30, 40)
    limits = OrdersLimits(samples=1000, jobs=2)
    started = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        solve_orders(deal, Limits(max_width=512), limits, interrupt)
    assert time.monotonic() - started < 10


def result_of(verdicts: list[Verdict], seed: int | None = None) -> OrdersResult:
    deal = two_aces()[0]
    (move, *_), order = two_aces()[1], deal.unknown
    results = tuple(
        solving.OrderResult(order, verdict, (move,) if verdict is Verdict.WON else ())
        for verdict in verdicts
    )
    return OrdersResult(deal, 2, seed, results, None, 1.0)


def test_the_verdict_for_all_orders() -> None:
    won, lost, open_ = Verdict.WON, Verdict.UNWINNABLE, Verdict.UNDECIDED
    assert result_of([won, won]).verdict is won
    assert result_of([lost, lost]).verdict is lost
    for verdicts in ([won, lost], [won, open_], [lost, open_], [open_, open_]):
        assert result_of(verdicts).verdict is open_
    for verdict in Verdict:  # a sample proves nothing about the other orders
        assert result_of([verdict, verdict], seed=0).verdict is open_


def test_the_interval_of_a_sample_is_that_of_win_rates() -> None:
    rate = result_of([Verdict.WON] * 6 + [Verdict.UNDECIDED] + [Verdict.UNWINNABLE] * 3, 0).win_rate
    assert (rate.lower, rate.upper) == (0.6, 0.7)
    assert rate.interval == (wilson_interval(6, 10)[0], wilson_interval(7, 10)[1])


# The command solve.


def test_solve_decides_all_orders_of_four_unknown_cards() -> None:
    found = run("solve", FOUR_UNKNOWN)
    assert found.exit_code == 0
    title, won, searched, *rest = found.stdout.splitlines()
    assert title.endswith("4 suits, standard rules, 4 unknown cards")
    assert won == "won in 24 of 24 orders of the unknown cards"
    assert searched.startswith("searched ")
    assert rest[-1].startswith(("most common first action: ", "  "))


def test_solve_estimates_the_chance_if_all_hidden_cards_are_unknown() -> None:
    deal = deal_from_number("1")
    text = write_deal(with_unknown(deal, hidden_places(deal)), "text")
    started = time.monotonic()
    found = run("solve", "-", "--json", input=text)
    assert time.monotonic() - started < 10
    result = json.loads(found.stdout)
    assert found.exit_code == 4
    assert "2.5e+133 orders of the unknown cards: trying 100 random orders" in found.stderr
    assert (result["verdict"], result["sampled"], result["seed"]) == ("undecided", True, 0)
    assert (result["solved"], len(result["results"]), len(result["unknown"])) == (100, 100, 94)
    assert result["win_rate"]["least"] == result["won"] / 100 > 0.9
    low, high = result["win_rate"]["interval"]
    assert low < result["win_rate"]["least"] <= high
    assert result["settings"]["max_width"] == solving.SAMPLE_WIDTH
    assert sum(first["orders"] for first in result["first_actions"]) == result["won"]
    assert result["columns"][0] == [None] * 5 + ["2S"]


def test_solve_takes_the_options_for_orders() -> None:
    arguments = [FOUR_UNKNOWN, "--orders", "23", "--samples", "3", "--json", "--max-width", "100"]
    one, two, other = (
        json.loads(run("solve", *arguments, *more).stdout)
        for more in (("--seed", "5"), ("--seed", "5", "--jobs", "2"), ("--seed", "6"))
    )
    assert (one["sampled"], one["seed"], one["solved"]) == (True, 5, 3)
    assert one["settings"]["max_width"] == 100
    assert one["results"] == two["results"] != other["results"]
    whole = json.loads(run("solve", FOUR_UNKNOWN, "--orders", "24", "--json").stdout)
    assert (whole["sampled"], whole["solved"], whole["verdict"]) == (False, 24, "won")
    assert whole["win_rate"]["interval"] is None
    assert whole["settings"]["max_width"] == Limits().max_width


def test_solve_prints_a_line_that_wins_every_order(one_line: list[Deal]) -> None:
    found = run("solve", "-", input=write_deal(two_aces()[0], "text"))
    line = " ".join(map(action_text, two_aces()[1]))
    assert found.stdout.splitlines()[-2:] == [
        "9 actions that win each of these orders:",
        f"  {line}",
    ]
    assert found.exit_code == 0


def test_solve_takes_the_only_order() -> None:
    deal = two_aces()[0]
    known = with_order(deal, tuple(cards("AS AH")))
    text = write_deal(with_unknown(known, [(0, 0)]), "text")
    found = run("solve", "-", input=text)
    assert found.exit_code == 0
    assert found.stderr == "1 unknown card: it can only be AS\n"
    assert found.stdout.splitlines()[1].startswith("won: ")


@pytest.mark.parametrize(
    "option", [["--boards"], ["-o", "game.txt"], ["--html", "page.html"], ["--shorten"]]
)
def test_options_that_need_all_cards(
    option: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert error_of(run("solve", FOUR_UNKNOWN, *option)) == (
        f"{option[0]} needs a deal whose cards are all known: this one has 4 unknown cards"
    )


# Proofs.


def test_orders_with_the_same_ranks_share_a_proof(monkeypatch: pytest.MonkeyPatch) -> None:
    proved: list[Deal] = []

    def fake(deal: Deal, *, time_limit: float, check: bool) -> CheckedProof:
        proved.append(deal)
        return CheckedProof(_no_proof(deal), time_limit)

    monkeypatch.setattr(proving, "prove_and_check", fake)
    found = prove_orders(two_aces()[0])
    assert (found.order_count, found.needed, len(proved)) == (2, 1, 1)
    assert found.verdict is Verdict.UNDECIDED


def _no_proof(deal: Deal):
    pytest.importorskip("ortools")
    return prove(deal, time_limit=0.01)


def test_prove_proves_every_order() -> None:
    pytest.importorskip("ortools")
    position = Position(deal_from_number("pysol:ms14934", 4))
    while position.stock:
        position.push(ROW)
    text = write_deal(with_unknown(position.to_deal(), [(0, 0), (0, 1), (3, 2)]), "text")
    found = run("prove", "-", input=text)
    assert found.exit_code == 3, found.output
    first, *_, verdict = found.stdout.splitlines()[1:]
    assert first.startswith("1/6  unwinnable in ")
    assert verdict == "unwinnable: each order of the unknown cards is proved so, by 6 proofs"
    result = json.loads(run("prove", "-", "--json", "--no-check", input=text).stdout)
    assert (result["orders"], result["needed"], result["proved"]) == (6, 6, 6)
    assert result["verdict"] == "unwinnable"


def test_prove_stops_at_an_order_that_is_not_proved() -> None:
    pytest.importorskip("ortools")
    found = run("prove", FOUR_UNKNOWN, "--time-limit", "0.5")
    assert found.exit_code == 4
    assert "1/12  undecided in " in found.stdout  # two of the four cards are kings
    assert "undecided: in one order of the unknown cards, " in found.stdout
    many = run("prove", ALL_HIDDEN, "--json")
    assert many.exit_code == 4
    result = json.loads(many.stdout)
    assert (result["needed"], result["proved"], result["verdict"]) == (0, 0, "undecided")
    assert result["reason"].endswith("orders of the unknown cards are too many to prove")
    assert error_of(run("prove", FOUR_UNKNOWN, "-o", "proof.json")) == (
        "-o needs a deal whose cards are all known: this one has 4 unknown cards"
    )
