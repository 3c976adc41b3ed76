"""Win rates: counts, bounds and intervals; table, JSON and plot; summary and verify --results."""

from __future__ import annotations

import json
import math
import statistics
from pathlib import Path

import numpy as np
import pytest
from commandline import PROJECT, error_of, run
from hypothesis import given
from hypothesis import strategies as st
from results import record

from spider_solver import __version__
from spider_solver.deal import RowRule
from spider_solver.render.json import summary_object
from spider_solver.render.style import Style
from spider_solver.render.summary import plot, summary_text
from spider_solver.stats import HARDEST, ContradictionError, Spread, Tally, WinRate, wilson_interval


@given(st.lists(st.integers(0, 1000), min_size=1, max_size=50))
def test_a_spread_is_that_of_numpy(numbers):
    found = Spread.of(numbers)
    assert found is not None
    assert found.quartiles == pytest.approx(tuple(np.quantile(numbers, [0.25, 0.5, 0.75])))
    assert (found.minimum, found.maximum, found.count) == (min(numbers), max(numbers), len(numbers))
    assert found.mean == pytest.approx(np.mean(numbers))


def test_there_is_no_spread_without_numbers():
    assert Spread.of([]) is None


# scipy.stats.binomtest(won, deals).proportion_ci(0.95, method="wilson") of scipy 1.17.1
WILSON_INTERVALS = {
    (0, 1): (0.0, 0.7934506856227626),
    (1, 1): (0.20654931437723745, 1.0),
    (0, 20): (0.0, 0.16112515805281935),
    (7, 20): (0.1811918241010821, 0.5671457233147637),
    (20, 20): (0.8388748419471808, 1.0),
    (10, 39): (0.14568780540992587, 0.4108165592168397),
    (1, 1000): (0.00017654637062607809, 0.0056425585979579355),
    (990, 1000): (0.9816905311296852, 0.9945592455544706),
    (999, 1000): (0.9943574414020421, 0.9998234536293739),
    (9999, 10_000): (0.9994337311025987, 0.9999823473263989),
    (31_983, 32_000): (0.9991493238837835, 0.9996682724704108),
    (31_998, 32_000): (0.9997721237466107, 0.9999828600783535),
    (123_456, 1_000_000): (0.12281269653142284, 0.12410219641400437),
    (1_000_000, 1_000_000): (0.999996158555936, 1.0),
}


@pytest.mark.parametrize(("won", "deals"), WILSON_INTERVALS)
def test_the_interval_is_that_of_scipy(won, deals):
    assert wilson_interval(won, deals) == WILSON_INTERVALS[won, deals]


def test_the_interval_is_that_of_the_installed_scipy():
    stats = pytest.importorskip("scipy.stats", reason="scipy is not a dependency")
    for deals in (1, 2, 3, 10, 39, 150):
        for won in range(deals + 1):
            theirs = stats.binomtest(won, deals).proportion_ci(0.95, method="wilson")
            assert wilson_interval(won, deals) == pytest.approx(tuple(theirs), rel=1e-14)


@given(st.integers(1, 10**6).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_the_ends_of_the_interval_solve_wilsons_equation(counts):
    won, deals = counts
    quantile = statistics.NormalDist().inv_cdf(0.975)
    for end in wilson_interval(won, deals):
        assert 0 <= end <= 1
        if 0 < end < 1:
            errors = (won / deals - end) / math.sqrt(end * (1 - end) / deals)
            assert abs(errors) == pytest.approx(quantile, rel=1e-6)


def test_undecided_deals_count_as_lost_and_as_won():
    rate = WinRate.of(won=90, undecided=5, deals=100)
    assert (rate.lower, rate.upper) == (0.9, 0.95)
    assert rate.interval == (wilson_interval(90, 100)[0], wilson_interval(95, 100)[1])


def test_there_is_a_group_for_each_suit_mode_and_rule():
    tally = Tally(
        [
            record(1, suits=4),
            record(1, suits=1),
            record(2, "undecided"),
            record(3, "unwinnable"),
            record(1, rules=RowRule.RELAXED),
        ]
    )
    groups = tally.summary().groups
    assert [group.title for group in groups] == ["1 suit", "4 suits, relaxed", "4 suits"]
    four = groups[2]
    assert (four.deals, four.won) == (3, 1)
    assert (four.unwinnable, four.undecided) == (("native:3",), ("native:2",))
    assert four.moves is not None
    assert (four.moves.count, four.moves.mean) == (1, 120)
    assert four.seconds is not None
    assert (four.seconds.count, four.total_seconds) == (3, 0.75)


def test_a_deal_counts_once_with_its_first_decisive_result():
    tally = Tally(
        [
            record(1, "undecided", states=10),
            record(1, "undecided", states=30, key="wide"),
            record(1, moves=100),
            record(1, moves=90),
            record(2, "undecided", states=30),
            record(2, "undecided", states=20),
        ]
    )
    summary = tally.summary()
    (group,) = summary.groups
    assert (group.deals, group.won, group.undecided) == (2, 1, ("native:2",))
    assert group.moves is not None
    assert group.moves.mean == 100
    assert group.hardest[0].states == 30
    assert summary.repeated == 4
    assert summary.settings == {"0.1.0 max_width=1000": 5, "wide": 1}


@pytest.mark.parametrize("verdicts", [("won", "unwinnable"), ("unwinnable", "won")])
def test_a_contradiction_is_an_error(verdicts):
    with pytest.raises(
        ContradictionError, match="native:7, 4 suits: won in one result, unwinnable"
    ):
        Tally(record(7, verdict) for verdict in verdicts)


def test_the_hardest_deals_are_undecided_ones_then_those_with_most_states():
    tally = Tally(record(number, states=number) for number in range(1, 50))
    tally.add(record(50, "undecided", states=3))
    tally.add(record(51, "undecided", states=4))
    (group,) = tally.summary().groups
    names = [hard.name for hard in group.hardest]
    assert names == ["native:51", "native:50", *(f"native:{n}" for n in range(49, 41, -1))]
    assert len(names) == HARDEST


@pytest.mark.parametrize("verdict", ["won", "unwinnable", "undecided"])
def test_of_equally_hard_deals_the_first_by_name_are_kept(verdict):
    results = [record(number, verdict, states=30) for number in range(10, 10 + 2 * HARDEST)]
    for order in (results, results[::-1]):
        (group,) = Tally(order).summary().groups
        names = [hard.name for hard in group.hardest]
        assert names == [f"native:{number}" for number in range(10, 10 + HARDEST)]


def test_the_hardest_deals_do_not_depend_on_the_order_of_the_results():
    results = [record(number, "undecided" if number < 4 else "won") for number in range(1, 30)]
    forwards, backwards = (Tally(r).summary().groups[0] for r in (results, results[::-1]))
    assert forwards.hardest == backwards.hardest


def test_counts_may_be_as_large_as_a_line_allows():
    (group,) = Tally([record(1, moves=3_000_000_000, score=2**63 - 1)]).summary().groups
    assert group.moves is not None
    assert group.score is not None
    assert (group.moves.maximum, group.score.maximum) == (3_000_000_000, 2**63 - 1)


def some_results() -> Tally:
    tally = Tally(record(n, suits=1, moves=80 + n, states=1000 * n) for n in range(1, 20))
    for number in range(1, 40):
        tally.add(record(number, "undecided" if number > 10 else "won", states=500 * number))
    return tally


def test_the_table_in_ascii():
    text = summary_text(some_results().summary(), Style(unicode=False), "--json has all")
    assert text.isascii()
    assert "\x1b" not in text
    lines = [line.split() for line in text.replace("|", " ").splitlines()]
    assert ["won", "19", "10"] in lines
    assert ["win", "rate,", "at", "least", "100.00%", "25.64%"] in lines
    assert ["win", "rate,", "at", "most", "100.00%", "100.00%"] in lines
    assert "native:30 and 9 more (--json has all)\n" in text
    assert max(map(len, text.splitlines()[:18])) < 80


def test_the_table_without_results():
    assert summary_text(Tally().summary(), Style()) == "no results"


def test_the_table_without_wins_has_no_moves():
    text = summary_text(Tally([record(1, "undecided")]).summary(), Style())
    lines = [line.split() for line in text.splitlines()]
    for name in ("moves, mean", "moves, quartiles", "score, mean", "score, quartiles"):
        assert [*name.split(), "-"] in lines


def test_the_text_says_which_deals_are_not_won_and_why_results_are_left_out():
    results = [record(1), record(1), record(2, "undecided", key="other"), record(3, "unwinnable")]
    lines = summary_text(Tally(results).summary(), Style()).splitlines()
    assert lines[-9:] == [
        "At least: undecided deals count as lost. At most: they count as won.",
        "Interval: Wilson's score interval at 95%, its lower end for the lower rate",
        "and its upper end for the upper rate. It assumes that the deals are a random sample.",
        "Moves do not include rows. A shorter solution may exist.",
        "4 suits, unwinnable: native:3",
        "4 suits, undecided: native:2",
        "4 suits, hardest (undecided first, then by states):"
        " native:2 (20,000), native:1 (20,000), native:3 (20,000)",
        "1 repeated result: of several results for one deal, the first that is not undecided"
        " counts",
        "results of several settings: 0.1.0 max_width=1000 (3); other (1)",
    ]


def test_the_json_object_has_all_statistics_with_its_keys_in_order():
    found = json.loads(json.dumps(summary_object(some_results().summary()), allow_nan=False))
    assert list(found) == ["groups", "settings", "repeated", "version"]
    one, four = found["groups"]
    assert list(one) == [
        *("suits", "rules", "deals", "won", "unwinnable", "undecided", "win_rate"),
        *("moves", "score", "states", "seconds", "total_seconds", "hardest"),
        *("unwinnable_deals", "undecided_deals"),
    ]
    assert one["moves"] == {
        **{"count": 19, "mean": 90, "least": 81, "quartiles": [85.5, 90, 94.5], "most": 99}
    }
    assert four["win_rate"] == {
        "least": 10 / 39,
        "most": 1,
        "interval": pytest.approx([wilson_interval(10, 39)[0], 1]),
        "confidence": 0.95,
        "method": "wilson",
    }
    assert one["hardest"][0] == {
        **{"deal": "native:19", "verdict": "won", "width": 250, "states": 19_000}
    }
    assert (one["won"], four["undecided"]) == (19, 29)
    assert four["undecided_deals"] == [f"native:{number}" for number in range(11, 40)]


@pytest.mark.parametrize(
    ("name", "head"), [("png", b"\x89PNG"), ("svg", b"<?xml"), ("pdf", b"%PDF")]
)
def test_the_plot_has_the_same_bytes_each_time(name, head):
    summary = some_results().summary()
    drawn = plot(summary, name)
    assert drawn.startswith(head)
    assert drawn == plot(summary, name)


def test_a_plot_without_wins():
    for records in ([], [record(1, "undecided")]):
        assert plot(Tally(records).summary(), "png").startswith(b"\x89PNG")


# summary


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    """Two results files."""
    paths = [tmp_path / "a.jsonl", tmp_path / "b.jsonl"]
    for number, path in enumerate(paths, 1):
        path.write_bytes(record(number).to_line() + record(9).to_line())
    return list(map(str, paths))


def test_several_files_are_added_up(files):
    result = run("summary", "--json", *files)
    assert (result.exit_code, result.stderr) == (0, "")
    found = json.loads(result.stdout)
    assert (found["groups"][0]["deals"], found["repeated"]) == (3, 1)
    assert "\n1 repeated result: " in run("summary", *files).stdout


def test_a_contradiction_in_files_is_reported_with_advice(tmp_path):
    path = tmp_path / "a.jsonl"
    path.write_bytes(record(1).to_line() + record(1, "unwinnable").to_line())
    assert error_of(run("summary", str(path))) == (
        "native:1, 4 suits: won in one result, unwinnable in another: one of them is wrong"
        " (verify --results checks solutions)"
    )


def test_a_plot_is_written(files, tmp_path):
    target = tmp_path / "rates.svg"
    assert run("summary", *files, "--plot", str(target)).exit_code == 0
    assert target.read_bytes().startswith(b"<?xml")


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["no-file"], 1, "'no-file': no such file or directory"),
        (["FILE", "--plot", "rates.doc"], 2, "expected a name that ends in .png, .svg, .pdf"),
        (["FILE", "--plot", "no/rates.png"], 1, "there is no folder 'no'"),
        (["."], 1, "'.' is a folder: expected a results file"),
        ([], 2, "missing FILE; see spider-solver summary --help"),
    ],
)
def test_errors_are_one_line(arguments, code, message, files):
    result = run("summary", *(files[0] if word == "FILE" else word for word in arguments))
    assert message in error_of(result, code)


IMPOSSIBLE = PROJECT / "tests" / "data" / "seven_suits_no_scheme.jsonl"


@pytest.mark.parametrize("command", ["summary", "verify --results", "winrate 1 --mix -o"])
def test_the_results_of_deals_that_do_not_exist_are_refused(command, tmp_path):
    lines = IMPOSSIBLE.read_bytes().splitlines(keepends=True)
    out_of_range = lines[1].replace(b"nosuch:1", b"kpat:2147483648")
    for line, reason in (
        (lines[0], "native has no deals with 7 suits: expected 1, 2, 4"),
        (lines[1], "'nosuch:1': unknown scheme 'nosuch': expected one of native, "),
        (out_of_range, "kpat deal number 2147483648 is out of range: expected 1 to 2147483647"),
    ):
        path = tmp_path / "results.jsonl"
        before = record(1).to_line() + line
        path.write_bytes(before)
        message = error_of(run(*command.split(), str(path)))
        assert message.startswith(f"'{path}', line 2: not a result: {reason}")
        assert path.read_bytes() == before


# verify --results


def test_solutions_in_results_are_replayed(tmp_path):
    path = tmp_path / "results.jsonl"
    wrong = record(3, solution="row")
    path.write_bytes(record(1).to_line() + record(2, "undecided").to_line() + wrong.to_line())
    result = run("verify", "--results", str(path))
    assert result.stdout == (
        f"{path}: 3 results, 2 won: 0 solutions verified, 1 failed, 1 not kept\n"
    )
    flaw = "the verdict is won, but the game is unfinished at its end"
    assert error_of(result, after_output=True) == f"'{path}', native:3, 4 suits: {flaw}"
    found = json.loads(run("verify", "--results", "--json", str(path)).stdout)
    assert found == {
        **{"file": str(path), "results": 3, "won": 2, "verified": 0, "without": 1},
        "failed": [{"deal": "native:3", "suits": 4, "rules": "standard", "reason": flaw}],
        "version": __version__,
    }
    assert list(found) == [*("file", "results", "won", "verified", "without", "failed", "version")]


def test_results_without_solutions_are_an_error_if_there_are_wins(tmp_path):
    path = tmp_path / "results.jsonl"
    path.write_bytes(record(1).to_line())
    result = run("verify", "--results", str(path))
    assert error_of(result, after_output=True) == (
        f"'{path}' has no solutions to verify: winrate --solutions keeps them"
    )
    path.write_bytes(record(1, "undecided").to_line())
    result = run("verify", "--results", str(path))
    assert (result.exit_code, result.stderr) == (0, "")
