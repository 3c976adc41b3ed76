"""The signature of the search, and the programs that measure it."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import common
import exhaust_rate
import growth
import hard_deals
import prove_classics
import pytest
import signature
import solve_rate
from click.testing import CliRunner
from fake_prover import FakeProver

from spider_solver.cards import ACE, KING
from spider_solver.deal import ROW_CARDS, SETS, RowRule
from spider_solver.prove import checked, read_certificate
from spider_solver.result import Limits

BENCHMARKS = Path(__file__).parent.parent / "benchmarks"

# The signature


def test_the_signature_is_the_one_in_the_file():
    found = signature.as_text(signature.signature())
    message = signature.difference(signature.EXPECTED.read_text(encoding="utf-8"), found)
    assert not message, message


def test_the_signature_covers_suit_modes_rules_and_mid_game_positions():
    cases = list(signature.cases())
    assert len({case.name for case in cases}) == len(cases)
    assert {(case.deal.suits, case.deal.rules) for case in cases} == {
        (suits, rules) for suits in (1, 2, 3, 4) for rules in RowRule
    }
    assert {len(case.deal.stock) // ROW_CARDS for case in cases} == {0, 2, 3, 4, 5}
    assert any(case.deal.completed for case in cases)
    assert any(case.limits.first_width < case.limits.max_width for case in cases)


def test_a_changed_signature_is_shown_with_what_to_do():
    lines = [signature.Line(name, 10, 200, "won", 99) for name in ("one", "another")]
    expected = signature.as_text(lines)
    assert expected.splitlines()[-1].split() == ["total", "20", "400"]
    assert signature.difference(expected, expected) == ""
    lines[1] = signature.Line("another", 10, 201, "won", 99)
    message = signature.difference(expected, signature.as_text(lines)).splitlines()
    assert [line.split() for line in message if line.startswith(("-", "+"))] == [
        ["-", "another", "10", "200", "won", "99"],
        ["-", "total", "20", "400"],
        ["+", "another", "10", "201", "won", "99"],
        ["+", "total", "20", "401"],
    ]
    assert message[0] == "the signature of the search differs from benchmarks/signature.txt:"
    assert "  python benchmarks/signature.py --write" in message
    assert any("say in the commit message" in line for line in message)


def test_the_signature_is_written_and_checked(tmp_path, monkeypatch):
    cases = list(signature.cases())[:2]
    monkeypatch.setattr(signature, "cases", lambda: iter(cases))
    monkeypatch.setattr(signature, "EXPECTED", tmp_path / "signature.txt")

    def run(*arguments: str):
        return CliRunner().invoke(signature.main, list(arguments))

    missing = run()
    assert (missing.exit_code, missing.stdout) == (1, "")
    written = "signature.txt written: say so in the commit message\n"
    assert run("--write").stdout.startswith(written)
    assert run("--write").stdout.startswith("signature.txt unchanged\n")
    checked = run()
    assert (checked.exit_code, checked.stderr) == (0, "")
    assert checked.stdout.startswith("total ")


# The machine and tables


def test_facts_about_the_machine_in_one_line():
    facts = json.loads(json.dumps(common.this_machine().facts_at_end()))
    line = common.machine_line(facts)
    assert f", {facts['cores']} cores, " in line
    assert f", numba {facts['packages']['numba']}, " in line
    assert "\n" not in line
    assert common.machine_line(facts | {"commit": ""}).endswith(", commit unknown")
    assert ", load 0.5 to 2.0; " in common.machine_line(facts | {"load": [0.5, 2]})
    assert ", load unknown; " in common.machine_line(facts | {"load": []})


def test_the_first_column_of_a_table_is_aligned_left_and_the_others_right():
    cells = [("", "ab", "c"), ("name", "1", "2.0")]
    assert common.table_lines(cells) == ["      ab    c", "name   1  2.0"]


# Solve rate


@pytest.mark.parametrize(
    ("max_width", "wins_with_four_suits", "undecided", "exit_code"),
    [(40, {10: 1, 20: 1, 40: 1}, [], 0), (20, {10: 1, 20: 1}, ["native:1"], 1)],
)
def test_solve_rate_writes_a_table_and_all_figures(
    max_width, wins_with_four_suits, undecided, exit_code, tmp_path
):
    path = tmp_path / "rate.json"
    words = f"native:1-2 kpat:5 --suits 1 --suits 4 --first-width 10 --max-width {max_width}"
    result = CliRunner().invoke(solve_rate.main, [*words.split(), "--json", str(path)])
    assert (result.exit_code, result.stderr) == (exit_code, "")
    widths = list(wins_with_four_suits)
    head, machine, _, columns, deals, won, *rest = result.stdout.splitlines()
    assert head == f"native:1-2 kpat:5, standard rules, widths {', '.join(map(str, widths))}"
    assert "Python 3" in machine
    assert columns.split() == ["1", "suit", "4", "suits"]
    assert deals.split() == ["deals", "3", "3"]
    assert won.split() == ["won", "3", str(3 - len(undecided))]
    last_lines = ["", "undecided, 4 suits:", "  native:1"] if undecided else []
    figures = rest[: len(rest) - len(last_lines)]
    assert rest[len(figures) :] == last_lines
    assert figures[len(widths)].split() == ["unwinnable", "0", "0"]
    assert figures[len(widths) + 1].split() == ["undecided", "0", str(len(undecided))]
    assert figures[-1].split() == ["mean", "length", "91.0", "166.5" if undecided else "158.7"]

    content = json.loads(path.read_text(encoding="utf-8"))
    assert content["limits"]["widths"] == widths
    one_suit, four_suits = content["suits"]["1"], content["suits"]["4"]
    assert one_suit["won_at_width"] == {"10": 3}
    assert four_suits["won_at_width"] == {str(k): v for k, v in wins_with_four_suits.items()}
    assert (one_suit["undecided"], four_suits["undecided"]) == ([], undecided)
    assert [(deal["deal"], deal["suits"]) for deal in content["each"]] == [
        (name, suits) for suits in (1, 4) for name in ("native:1", "native:2", "kpat:5")
    ]
    for mode, each in ((one_suit, content["each"][:3]), (four_suits, content["each"][3:])):
        assert mode["states"] == sum(deal["states"] for deal in each)
        assert mode["children"] == sum(deal["children"] for deal in each)


def solved_deal(
    verdict: str, seconds: float, width: int = 250, length: int = 0
) -> solve_rate.SolvedDeal:
    return solve_rate.SolvedDeal(
        deal="d",
        suits=4,
        verdict=verdict,
        width=width,
        length=length,
        states=100,
        children=1000,
        seconds=seconds,
        processor=seconds / 2,
        reason="",
    )


def test_the_figures_of_a_suit_mode():
    figures = solve_rate.summary(
        [
            solved_deal("won", 1, length=100),
            solved_deal("won", 2, 1000, 120),
            solved_deal("won", 3, length=110),
            solved_deal("undecided", 10),
        ]
    )
    assert (figures["deals"], figures["won"]) == (4, 3)
    assert figures["won_at_width"] == {250: 2, 1000: 1}
    assert (figures["mean"], figures["median"], figures["longest"]) == (4, 2.5, 10)
    assert figures["percentile_95"] == pytest.approx(8.95)
    assert (figures["mean_length"], figures["processor_mean"]) == (110, 2)
    assert figures["states_a_second"] == 25
    assert figures["children_a_second"] == 250
    assert figures["states_a_processor_second"] == 50
    assert figures["children_a_processor_second"] == 500
    assert (figures["undecided"], figures["unwinnable"]) == (["d"], [])
    none_won = solve_rate.summary([solved_deal("undecided", 1)])
    assert none_won["mean_length"] is None
    lines = solve_rate.report({1: figures, 4: none_won})
    assert lines[3:5] == [
        "  at width 250             2        0",
        "  at width 1,000           1        0",
    ]
    assert lines[-3:] == ["", "undecided, 4 suits:", "  d"]


def test_solve_rate_keeps_to_its_limits():
    (deal,) = common.parse_deals(["native:1"], 4, "standard")
    solved = solve_rate.solve_deal(deal, Limits(max_width=5, first_width=5, max_states=100))
    assert (solved.verdict, solved.width, solved.length) == ("undecided", 5, 0)
    assert solved.reason == "the limit of 100 states was reached"
    assert solved.children > solved.states > 0


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["native:5-3"], "runs backwards"),
        (["win7:1", "--suits", "2"], "no deals with 2 suits"),
    ],
)
@pytest.mark.parametrize("program", [solve_rate.main, growth.main])
def test_deals_that_do_not_exist_are_an_error(program, words, message):
    result = CliRunner().invoke(program, words)
    assert result.exit_code == 1
    assert message in result.stderr
    assert result.stdout == ""


# Growth


def test_growth_measures_each_width_in_a_process_of_its_own(tmp_path):
    data, picture = tmp_path / "growth.json", tmp_path / "growth.png"
    words = ["native:1", "--suits", "2", "--levels", "6", "--widths", "400,40"]
    pytest.importorskip("matplotlib")
    result = CliRunner().invoke(growth.main, [*words, "--json", str(data), "--plot", str(picture)])
    assert (result.exit_code, result.stderr) == (0, "")
    content = json.loads(data.read_text(encoding="utf-8"))
    assert [figures["width"] for figures in content["widths"]] == [40, 400]
    narrow, wide = content["each"]
    assert (narrow["level"], wide["level"]) == (6, 6)
    assert narrow["states"] < wide["states"] <= 1 + 6 * 400
    assert 0 < narrow["memory"] < wide["memory"]
    assert "processor grows with the width to the power of " in result.stdout
    assert picture.read_bytes().startswith(b"\x89PNG")


def test_exponents_of_growth():
    def at(width: int, seconds: float) -> growth.Growth:
        return growth.Growth(width, 1, 1, 1, seconds, 1, width, width, 1, 1)

    growths = [at(10, 3), at(100, 300), at(1000, 30_000)]
    assert growth.exponent(growths, "processor") == pytest.approx(2)
    assert growth.exponent(growths, "memory") == pytest.approx(1)
    assert growth.exponent(growths, "peak") is None  # a growth by 1000 bytes is below the noise
    assert growth.exponent(growths[:1], "memory") is None  # one figure has no exponent


@pytest.mark.parametrize("text", ["", "1,,2", "0", "a", "5,-1"])
def test_widths_that_are_not_numbers_above_zero_are_an_error(text):
    result = CliRunner().invoke(growth.main, ["--widths", text])
    assert result.exit_code == 2
    assert f"{text!r}: expected widths such as 250,1000,4000" in result.stderr


# Kernels


@pytest.mark.slow
def test_the_benchmarks_of_the_kernels_run():
    options = ["--benchmark-disable", "-q", "-p", "no:cacheprovider", "-k", "not 8000"]
    process = subprocess.run(
        [sys.executable, "-m", "pytest", *options, BENCHMARKS / "kernels.py"],
        capture_output=True,
        encoding="utf-8",
        timeout=300,
    )
    assert process.returncode == 0, process.stdout
    assert " passed, 1 deselected" in process.stdout
    assert "nanoseconds per item" not in process.stdout


# The exhaustive search


def test_spaces_of_a_wanted_size_are_searched_completely():
    space = next(exhaust_rate.spaces(500, 5000))
    assert space.positions == 648
    assert space.memory >= 16 * space.positions
    assert space.seconds > 0


# Hard deals

GROUPS = {"on top": 0, "in the first row": 1, "in the last row": 5}


@pytest.mark.parametrize("kind", hard_deals.KINDS)
def test_hard_deals_are_as_the_name_of_their_kind_says(kind):
    for number in range(5):
        deal = hard_deals.hard_deal(kind, number)  # it checks the cards
        assert deal == hard_deals.hard_deal(kind, number)
        groups = [[column[-1] for column in deal.columns]]
        groups += [[*deal.stock[start : start + ROW_CARDS]] for start in range(0, 50, ROW_CARDS)]
        if kind == "no neighbours":
            assert not any(card + 1 in cards for cards in groups for card in cards)
        else:
            rank, where = kind.split(maxsplit=1)
            cards = groups[GROUPS[where]]
            assert cards.count({"Kings": KING, "Aces": ACE}[rank]) == SETS


def test_the_search_decides_hard_deals():
    deals = {number: hard_deals.hard_deal("no neighbours", number) for number in (0, 2, 3, 5, 8)}
    assert {number: hard_deals.decide(deal, 1) for number, deal in deals.items()} == {
        0: "unwinnable: exhaustive search",
        2: "unwinnable: exhaustive search",
        3: "won",
        5: "won",
        8: "unwinnable: exhaustive search",
    }


@pytest.mark.parametrize(
    ("proved", "verdict"), [(True, "unwinnable: relaxation"), (False, "undecided")]
)
def test_the_relaxation_is_tried_if_the_search_leaves_a_hard_deal_undecided(
    proved, verdict, monkeypatch
):
    deal = hard_deals.hard_deal("no neighbours", 1)
    tried = []

    def prove(deal, time_limit):
        tried.append((deal, time_limit))
        return SimpleNamespace(proved=proved)

    monkeypatch.setattr(hard_deals, "WIDTH", 64)
    monkeypatch.setattr(hard_deals, "prove", prove)
    assert hard_deals.decide(deal, 7.5) == verdict
    assert tried == [(deal, 7.5)]


def test_hard_deals_are_counted_by_kind_and_verdict():
    words = ["Kings in the last row", "Aces on top", "--deals", "2"]
    result = CliRunner().invoke(hard_deals.main, words)
    assert result.exit_code == 0
    assert result.stdout.splitlines() == [
        "Kings in the last row, 2 deals: won 2",
        "Aces on top, 2 deals: won 2",
    ]


# Proofs of well-known deals


@pytest.fixture
def fake_prover(monkeypatch) -> FakeProver:
    fake = FakeProver()
    monkeypatch.setattr(checked, "prove", fake)
    return fake


@pytest.mark.parametrize(
    ("options", "lines"),
    [
        (
            [],
            [
                "  1/66    1.25 s  an event: refuted",
                "  1/66    1.25 s  an event: refuted",
                "pysol:ms1748: proved in 12.5 s, 66 events, 0 lemmas, a solver",
                "pysol:ms1748: checked: proved in 12.5 s",
            ],
        ),
        (
            ["--no-check"],
            [
                "  1/66    1.25 s  an event: refuted",
                "pysol:ms1748: proved in 12.5 s, 66 events, 0 lemmas, a solver",
            ],
        ),
    ],
)
def test_proofs_are_printed_event_by_event_and_written(options, lines, fake_prover, tmp_path):
    words = ["pysol:ms1748", *options, "--out", str(tmp_path)]
    result = CliRunner().invoke(prove_classics.main, words)
    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout.splitlines() == lines
    (file,) = tmp_path.iterdir()
    assert file.name == "pysol-ms1748.json"
    assert read_certificate(file.read_text(encoding="utf-8"), file.name)["verdict"] == "proved"


def test_a_proof_of_a_number_that_no_deal_has_is_an_error(fake_prover):
    result = CliRunner().invoke(prove_classics.main, ["pysol:ms0"])
    assert result.exit_code == 1
    assert "pysol deal number ms0 is out of range" in result.stderr
    assert fake_prover.calls == []
