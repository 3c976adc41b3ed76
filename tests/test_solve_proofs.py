"""``solve`` with ``prove``, from Python and on the command line: proof, check, limits, reasons."""

from __future__ import annotations

import dataclasses
import re
import time

import pytest
from commandline import error_of, run
from fake_prover import FakeProver
from packed import mid_game_deal
from play import sensible_position

from spider_solver import solver
from spider_solver.errors import InternalError
from spider_solver.formats import write_deal
from spider_solver.game import ROW, Position
from spider_solver.numbering import deal_from_number
from spider_solver.prove import CHECK_SETTINGS, Event, EventKind, Settings, checked, events
from spider_solver.result import Limits, Method, Progress, ProofCounts, Verdict
from spider_solver.solver import solve

pytestmark = pytest.mark.kernels

HARD = sensible_position(2, 40, 4).to_deal()  # 2 rows left
SHORT = Limits(max_width=20, max_positions=60_000)  # decides nothing about HARD


@pytest.fixture
def prover(monkeypatch: pytest.MonkeyPatch) -> FakeProver:
    """A prover that refutes all events at once."""
    fake = FakeProver()
    monkeypatch.setattr(checked, "prove", fake)
    monkeypatch.setattr(solver, "import_cp_model", lambda: None)
    return fake


def test_a_proof_is_checked_and_its_progress_is_reported(prover):
    seen: list[Progress] = []
    lines: list[str] = []
    result = solve(HARD, SHORT, seen.append, lines.append, prove=True)
    assert (result.verdict, result.decided_by) == (Verdict.UNWINNABLE, Method.RELAXATION)
    assert result.reason == (
        "no column can become empty, and no thirteen cards from King to Ace can be put together,"
        " whatever the suits"
    )
    assert result.settings["prove"] is True
    assert prover.calls == [(HARD, Settings(), 600), (HARD, CHECK_SETTINGS, 600)]
    assert lines == ["trying a proof by OR-tools: at most 1200 s, its check included"]
    proofs = [one.proof for one in seen if one.proof is not None]
    assert proofs == [
        ProofCounts(refuted=0, events=33, checking=False),  # before the first event
        ProofCounts(refuted=0, events=33, checking=False),  # a lemma
        ProofCounts(refuted=1, events=33, checking=False),
        ProofCounts(refuted=0, events=33, checking=True),
        ProofCounts(refuted=1, events=33, checking=True),
    ]
    assert {one.states for one in seen if one.proof} == {result.states + result.positions}


def test_a_check_that_contradicts_the_proof_is_an_internal_error(prover):
    prover.possible[1] = [Event(EventKind.EMPTY, 1, 4)]
    with pytest.raises(InternalError, match="'column 5 empties after row 4' was refuted by"):
        solve(HARD, SHORT, prove=True)


@pytest.mark.parametrize(
    ("run", "reason"),
    [
        (0, "no proof: the time limit of 600 s was reached"),
        (1, "no proof: proved once, but the time limit of 600 s was reached in the check"),
    ],
    ids=["proof", "check"],
)
def test_the_reason_names_the_time_limit_of_a_proof(run, reason, prover):
    prover.open[run] = events(HARD)[-1:]
    result = solve(HARD, SHORT, prove=True)
    assert (result.verdict, result.decided_by) == (Verdict.UNDECIDED, None)
    assert result.reason == (
        "no solution found with beams up to 20 states wide,"
        f" and an exhaustive search of {result.positions:,} positions decided nothing; {reason}"
    )


def test_the_reason_names_an_event_that_the_model_allows(prover):
    prover.possible[0] = [Event(EventKind.EMPTY, 1, 4)]
    result = solve(HARD, SHORT, prove=True)
    assert result.verdict is Verdict.UNDECIDED
    allowed = "the model allows 'column 5 empties after row 4', which proves nothing either way"
    assert result.reason.endswith(f" decided nothing; no proof: {allowed}")


def test_a_proof_stays_within_the_time_limit_of_the_search(prover):
    lines: list[str] = []
    limits = dataclasses.replace(SHORT, time_limit=100)
    solve(HARD, limits, announce=lines.append, prove=True)
    (_, _, first), (_, _, second) = prover.calls
    assert 0 < second < first < 100
    announced = re.search(r"at most (100|\d\d(?:\.\d)?) s, its check included$", lines[-1])
    assert announced is not None
    assert float(announced[1]) == pytest.approx(first, abs=1)
    prover.calls.clear()
    solve(HARD, dataclasses.replace(SHORT, time_limit=10_000), prove=True)
    assert [limit for _, _, limit in prover.calls] == [600, 600]


def test_the_time_limit_of_the_search_ends_a_proof(prover, monkeypatch):
    prover.open[0] = events(HARD)
    monkeypatch.setattr(
        checked, "prove", lambda *given, **options: time.sleep(1) or prover(*given, **options)
    )
    result = solve(HARD, dataclasses.replace(SHORT, time_limit=1), prove=True)
    assert result.verdict is Verdict.UNDECIDED
    assert result.reason == "the time limit of 1 s was reached"


def test_no_proof_is_tried_if_the_search_decides(prover):
    assert solve(deal_from_number("1", 1), prove=True).decided_by is Method.BEAM
    unwinnable = sensible_position(134, 130, 2).to_deal()
    assert solve(unwinnable, prove=True).decided_by is Method.EXHAUSTIVE
    won_after_the_beams, limits = mid_game_deal(716, 1), Limits(max_width=2, max_positions=200_000)
    won = solve(won_after_the_beams, limits, prove=True)
    assert (won.verdict, won.decided_by) == (Verdict.WON, Method.EXHAUSTIVE)
    assert prover.calls == []


def test_a_real_proof(monkeypatch):
    pytest.importorskip("ortools", reason="needs OR-tools")
    position = Position(deal_from_number("pysol:ms14934"))
    while position.stock:
        position.push(ROW)
    limits = Limits(max_width=1, max_positions=1000)
    monkeypatch.setattr(solver, "FIRST_POSITIONS", 1000)
    result = solve(position.to_deal(), limits, prove=True)
    assert (result.verdict, result.decided_by) == (Verdict.UNWINNABLE, Method.RELAXATION)


# The command line


@pytest.fixture
def hard_file(tmp_path) -> str:
    path = tmp_path / "hard.txt"
    path.write_text(write_deal(HARD, "text"))
    return str(path)


SHORT_OPTIONS = ("--max-width", "20", "--max-positions", "60000", "--prove")


def test_help_states_the_time_limit_of_a_proof():
    help_text = " ".join(run("solve", "--help").stdout.split())
    assert "for at most 600 s, and as long again to check the proof" in help_text


def test_the_command_states_the_time_limit_when_a_proof_starts(prover, hard_file):
    result = run("solve", hard_file, *SHORT_OPTIONS)
    assert result.exit_code == 3
    assert "unwinnable: no column can become empty, and no thirteen cards" in result.stdout
    assert result.stderr == "trying a proof by OR-tools: at most 1200 s, its check included\n"
    prover.calls.clear()
    assert run("solve", hard_file, *SHORT_OPTIONS, "-q").stderr == ""


def test_verbose_prints_a_line_for_the_proof_and_one_for_its_check(prover, hard_file):
    lines = run("solve", hard_file, *SHORT_OPTIONS, "-v").stderr.splitlines()
    phases = [line.partition(", after ")[0] for line in lines if ", after " in line]
    assert phases == ["beam width 20", "proof by OR-tools", "check of the proof"]


def test_the_command_reports_a_contradicted_proof_as_an_internal_error(prover, hard_file):
    prover.possible[1] = [Event(EventKind.EMPTY, 1, 4)]
    message = error_of(run("solve", hard_file, *SHORT_OPTIONS, "-q"))
    assert (
        "'column 5 empties after row 4' was refuted by the proof, but its check found it possible"
    ) in message
    assert "please report it" in message


def test_the_command_prints_the_time_limit_that_ended_a_proof(prover, hard_file):
    prover.open[0] = events(HARD)
    result = run("solve", hard_file, *SHORT_OPTIONS, "-q")
    assert result.exit_code == 4
    assert "; no proof: the time limit of 600 s was reached\n" in result.stdout
