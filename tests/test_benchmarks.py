"""The search's signature, and that each benchmark runs."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import common
import exhaust_rate
import growth
import hard_deals
import pytest
import signature
import solve_rate
from click.testing import CliRunner

from spider_solver.deal import RowRule
from spider_solver.result import Limits

BENCHMARKS = Path(__file__).parent.parent / "benchmarks"

# The signature


def test_the_signature_is_the_one_in_the_file():
    found = signature.as_text(signature.signature())
    changed = signature.difference(signature.EXPECTED.read_text(encoding="utf-8"), found)
    assert not changed, changed


def test_the_signature_covers_suit_modes_rules_and_mid_game():
    cases = list(signature.cases())
    assert len({case.name for case in cases}) == len(cases)
    assert {(case.deal.suits, case.deal.rules) for case in cases} == {
        (suits, rules) for suits in (1, 2, 3, 4) for rules in RowRule
    }
    assert {len(case.deal.stock) // 10 for case in cases} >= {0, 2, 3, 4, 5}
    assert any(case.deal.completed for case in cases)
    assert any(case.limits.first_width < case.limits.max_width for case in cases)


def test_a_change_of_the_signature_says_what_to_do():
    lines = [signature.Line(name, 10, 200, "won", 99) for name in ("one", "another")]
    expected = signature.as_text(lines)
    assert expected.splitlines()[-1].split() == ["total", "20", "400"]
    assert signature.difference(expected, expected) == ""
    lines[1] = signature.Line("another", 10, 201, "won", 99)
    said = signature.difference(expected, signature.as_text(lines)).splitlines()
    assert [line.split() for line in said if line.startswith(("-", "+"))] == [
        ["-", "another", "10", "200", "won", "99"],
        ["-", "total", "20", "400"],
        ["+", "another", "10", "201", "won", "99"],
        ["+", "total", "20", "401"],
    ]
    assert "  python benchmarks/signature.py --write" in said
    assert any("say in the commit" in line for line in said)


def test_the_signature_is_written_and_checked(tmp_path, monkeypatch):
    cases = list(signature.cases())[:2]
    monkeypatch.setattr(signature, "cases", lambda: iter(cases))
    monkeypatch.setattr(signature, "EXPECTED", tmp_path / "signature.txt")

    def run(*arguments: str):
        return CliRunner().invoke(signature.main, list(arguments))

    missing = run()
    assert (missing.exit_code, missing.stdout) == (1, "")
    assert run("--write").stdout.startswith("signature.txt written: say so in the commit\n")
    assert run("--write").stdout.startswith("signature.txt unchanged\n")
    checked = run()
    assert (checked.exit_code, checked.stderr) == (0, "")
    assert checked.stdout.startswith("total ")


# The machine


def test_the_machine_in_a_line():
    facts = json.loads(json.dumps(common.this_machine().finished()))
    line = common.machine_line(facts)
    assert f"{facts['cores']} cores" in line
    assert "numba " in line
    assert "\n" not in line
    for unknown in ({"commit": ""}, {"load": []}):
        assert "unknown" in common.machine_line(facts | unknown)


def test_tables():
    assert common.table([("", "ab"), ("name", "1")]) == ["      ab", "name   1"]


# Solve rate


def test_solve_rate_prints_a_table_and_writes_all(tmp_path):
    path = tmp_path / "rate.json"
    words = "native:1-2 kpat:5 --suits 1 --suits 4 --first-width 10 --max-width 40 --json"
    result = CliRunner().invoke(solve_rate.main, [*words.split(), str(path)])
    found = json.loads(path.read_text())
    undecided = found["suits"]["4"]["undecided"]
    assert result.exit_code == (1 if undecided else 0)
    head, machine, _, columns, deals, won, *rest = result.stdout.splitlines()
    assert head == "native:1-2 kpat:5, standard rules, widths 10, 20, 40"
    assert "Python 3" in machine
    assert columns.split() == ["1", "suit", "4", "suits"]
    assert deals.split() == ["deals", "3", "3"]
    assert won.split() == ["won", "3", str(3 - len(undecided))]
    assert [line.strip() for line in rest if ":" in line][1 if undecided else 0 :] == undecided
    assert len(found["each"]) == 6
    assert {one["deal"] for one in found["each"]} == {"native:1", "native:2", "kpat:5"}
    assert found["limits"]["widths"] == [10, 20, 40]
    assert sum(one["states"] for one in found["each"]) == sum(
        mode["states"] for mode in found["suits"].values()
    )


def solved(verdict: str, seconds: float, width: int = 250, length: int = 0) -> solve_rate.Solved:
    return solve_rate.Solved("d", 4, verdict, width, length, 100, 1000, seconds, seconds / 2, "")


def test_figures_of_a_suit_mode():
    figures = solve_rate.summary(
        [
            solved("won", 1, length=100),
            solved("won", 2, 1000, 120),
            solved("won", 3, length=110),
            solved("undecided", 10),
        ]
    )
    assert figures["won_at_width"] == {250: 2, 1000: 1}
    assert (figures["mean"], figures["median"], figures["longest"]) == (4, 2.5, 10)
    assert figures["percentile_95"] == pytest.approx(8.95)
    assert (figures["mean_length"], figures["processor_mean"]) == (110, 2)
    assert figures["children_a_second"] == 250
    assert figures["children_a_processor_second"] == 500
    assert figures["undecided"] == ["d"]
    nothing = solve_rate.summary([solved("undecided", 1)])
    assert nothing["mean_length"] is None
    lines = solve_rate.report({1: figures, 4: nothing})
    assert lines[3:5] == [
        "  at width 250             2        0",
        "  at width 1,000           1        0",
    ]
    assert lines[-3:] == ["", "undecided, 4 suits:", "  d"]


@pytest.mark.parametrize(
    ("words", "says"),
    [(["native:5-3"], "runs backwards"), (["win7:1", "--suits", "2"], "no deals with 2 suits")],
)
@pytest.mark.parametrize("program", [solve_rate.main, growth.main])
def test_bad_deals(program, words, says):
    result = CliRunner().invoke(program, words)
    assert result.exit_code == 1
    assert says in result.stderr


# Growth


def test_growth_measures_each_width_in_a_process_of_its_own(tmp_path):
    data, picture = tmp_path / "growth.json", tmp_path / "growth.png"
    words = ["native:1", "--suits", "2", "--levels", "6", "--widths", "400,40"]
    pytest.importorskip("matplotlib")
    result = CliRunner().invoke(growth.main, [*words, "--json", str(data), "--plot", str(picture)])
    assert (result.exit_code, result.stderr) == (0, "")
    found = json.loads(data.read_text())
    assert [one["width"] for one in found["widths"]] == [40, 400]
    narrow, wide = found["each"]
    assert (narrow["level"], wide["level"]) == (6, 6)
    assert narrow["states"] < wide["states"] <= 1 + 6 * 400
    assert 0 < narrow["memory"] < wide["memory"]
    assert "processor grows with the width to the power of " in result.stdout
    assert picture.read_bytes().startswith(b"\x89PNG")


def test_exponents():
    def at(width: int, seconds: float) -> growth.Growth:
        return growth.Growth(width, 1, 1, 1, seconds, 1, width, width, 1, 1)

    found = [at(10, 3), at(100, 300), at(1000, 30_000)]
    assert growth.exponent(found, "processor") == pytest.approx(2)
    assert growth.exponent(found, "memory") == pytest.approx(1)
    assert growth.exponent(found, "peak") is None  # too little to tell
    assert growth.exponent(found[:1], "memory") is None


@pytest.mark.parametrize("text", ["", "1,,2", "0", "a", "5,-1"])
def test_widths_that_are_none(text):
    result = CliRunner().invoke(growth.main, ["--widths", text])
    assert result.exit_code == 2
    assert "expected widths such as 250,1000,4000" in result.stderr


# Kernels


@pytest.mark.slow
def test_what_is_timed_of_the_kernels_runs():
    words = ["--benchmark-disable", "-q", "-p", "no:cacheprovider", "-k", "not 8000"]
    done = subprocess.run(
        [sys.executable, "-m", "pytest", *words, BENCHMARKS / "kernels.py"],
        capture_output=True,
        encoding="utf-8",
        timeout=300,
    )
    assert done.returncode == 0, done.stdout
    assert " passed" in done.stdout
    assert "nanoseconds each" not in done.stdout


def test_solve_rate_solves_by_its_limits():
    (deal,) = common.deals_of(["native:1"], 4, "standard")
    one = solve_rate.solve_deal(deal, Limits(max_width=5, first_width=5, max_states=100))
    assert (one.verdict, one.width, one.length) == ("undecided", 5, 0)
    assert one.reason == "the limit of 100 states was reached"
    assert one.children > one.states > 0


# Exhaustive search, and deals made hard


def test_spaces_are_searched_to_their_end():
    space = next(exhaust_rate.spaces(500, 5000))
    assert 500 <= space.positions <= 5000
    assert space.memory >= 16 * space.positions
    assert space.seconds > 0


@pytest.mark.parametrize("kind", hard_deals.KINDS)
def test_hard_deals_are_what_they_are_called(kind):
    for number in range(5):
        deal = hard_deals.deal_of(kind, number)  # all cards are checked
        assert deal == hard_deals.deal_of(kind, number)
        tens = [[column[-1] for column in deal.columns]]
        tens += [[*deal.stock[at : at + 10]] for at in range(0, 50, 10)]
        if kind == "no neighbours":
            assert not any(card + 1 in ten for ten in tens for card in ten)
        else:
            rank, where = kind.split(maxsplit=1)
            ten = tens[{"on top": 0, "in the first row": 1, "in the last row": 5}[where]]
            assert ten.count({"Kings": 13, "Aces": 1}[rank]) == 8


def test_hard_deals_are_decided():
    found = {hard_deals.decided(hard_deals.deal_of("no neighbours", n), 1) for n in range(12)}
    assert found >= {"won", "unwinnable: exhaustive search"}
