"""The command ``prove`` end to end, and the proofs in deals/proofs/."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from commandline import error_of, on_terminal, run, start
from fake_prover import FakeProver
from play import one_move_from_won

from spider_solver.cli import prove as prove_command
from spider_solver.cli.output_files import OutputFile
from spider_solver.formats import read_deal, write_deal
from spider_solver.game import ROW, Position
from spider_solver.numbering import deal_from_number
from spider_solver.prove import (
    CHECK_SETTINGS,
    Event,
    EventKind,
    Settings,
    cases,
    certificate_deal,
    checked,
    events,
    read_certificate,
)

PROJECT = Path(__file__).parent.parent
PROOFS = PROJECT / "deals" / "proofs"
AGAIN = "proved again with another seed and without presolve"


@pytest.fixture
def unwinnable(tmp_path: Path) -> str:
    """The file of a position with a quick proof: pysol:ms14934 with all rows dealt."""
    position = Position(deal_from_number("pysol:ms14934", 4))
    while position.stock:
        position.push(ROW)
    path = tmp_path / "unwinnable.txt"
    path.write_text(write_deal(position.to_deal(), "text"))
    return str(path)


@pytest.fixture
def fake(monkeypatch: pytest.MonkeyPatch) -> FakeProver:
    fake = FakeProver()
    monkeypatch.setattr(checked, "prove", fake)
    return fake


# with the real solver


def test_a_proof_is_checked_and_its_certificate_is_checked_again(unwinnable, tmp_path):
    pytest.importorskip("ortools", reason="needs OR-tools")
    target = tmp_path / "proof.json"
    result = run("prove", unwinnable, "-o", str(target))
    assert (result.exit_code, result.stderr) == (3, "")
    title, first, *_, verdict, check = result.stdout.splitlines()
    assert title.endswith("4 suits, standard rules, a position in mid-game")
    assert first.startswith(" 1/11  column 1 empties after row 5: refuted in ")
    assert verdict.startswith("unwinnable: proved, 11 events refuted, in ")
    assert check.startswith(f"checked: {AGAIN}, in ")
    assert read_deal(target.read_text(), "") == read_deal(Path(unwinnable).read_text(), unwinnable)
    again = run("prove", "--check", str(target))
    assert (again.exit_code, again.stderr) == (3, "")
    assert f"unwinnable: {AGAIN}, 11 events refuted, in " in again.stdout
    assert "not checked" not in again.stdout
    piped = run("prove", "--check", "-", "--json", input=target.read_text())
    assert json.loads(piped.stdout)["settings"]["presolve"] is False


def test_a_forged_certificate_does_not_pass(unwinnable, tmp_path):
    pytest.importorskip("ortools", reason="needs OR-tools")
    target = tmp_path / "proof.json"
    assert run("prove", unwinnable, "--no-check", "-o", str(target), "-q").exit_code == 3
    forged = json.loads(target.read_text()) | json.loads(
        write_deal(deal_from_number("native:1"), "json")
    )
    target.write_text(json.dumps(forged))
    result = run("prove", "--check", str(target), "-q")
    assert result.exit_code == 4
    assert "\nundecided: " in result.stdout


def test_a_deal_that_can_be_won_stays_undecided_and_nothing_is_written(tmp_path):
    pytest.importorskip("ortools", reason="needs OR-tools")
    target = tmp_path / "proof.json"
    result = run("prove", "1", "--suits", "2", "-o", str(target))
    assert result.exit_code == 4
    assert "native:1, 2 suits, standard rules\n" in result.stdout
    event, verdict = result.stdout.splitlines()[-2:]
    text = event.partition("  ")[2].partition(": possible in ")[0]
    assert verdict.startswith(
        f"undecided: the model allows '{text}', which proves nothing either way, in "
    )
    assert result.stderr == f"nothing written to {str(target)!r}: there is no proof to write\n"
    assert not target.exists()


def test_a_position_after_its_first_event_is_undecided():
    pytest.importorskip("ortools", reason="needs OR-tools")
    result = run("prove", "-", input=write_deal(one_move_from_won(), "text"))
    assert result.exit_code == 4
    assert "undecided: only a position without an empty column" in result.stdout


def test_events_that_stay_open_when_the_time_is_up_are_listed():
    pytest.importorskip("ortools", reason="needs OR-tools")
    result = run("prove", "pysol:ms14934", "--time-limit", "0.3")
    assert result.exit_code == 4
    lines = result.stdout.splitlines()
    assert any("undecided: the time limit of 0.3 s was reached, in" in line for line in lines)
    assert lines[-1] == "open: thirteen ranks together after row 5"


def test_an_interrupt_ends_a_long_event_at_once(tmp_path):
    pytest.importorskip("ortools", reason="needs OR-tools")
    with start("prove", "pysol:ms1748", "-v", stdout=subprocess.DEVNULL) as process:
        assert process.stderr is not None
        process.stderr.readline()  # the first lemma: the proof is running
        time.sleep(1)
        started = time.monotonic()
        process.send_signal(signal.SIGINT)
        _, error = process.communicate(timeout=60)
    assert process.returncode == 130
    assert error.splitlines()[-1] == "spider-solver: error: interrupted"
    assert time.monotonic() - started < 5


def test_a_terminal_shows_the_progress_below_the_lines(unwinnable):
    pytest.importorskip("ortools", reason="needs OR-tools")
    written = on_terminal("-m", "spider_solver", "prove", unwinnable)
    assert " 1/11  column 1 empties after row 5: refuted in " in written
    assert "of 11 events refuted, 0 lemmas [00:0" in written
    assert "of 11 events checked, 0 lemmas [00:0" in written
    assert written.count("/11  ") == 11  # the check prints no lines
    quiet = on_terminal("-m", "spider_solver", "prove", unwinnable, "-q")
    assert "events checked" not in quiet


# with a replacement for the solver


def test_the_check_runs_unless_no_check_is_given(fake):
    result = run("prove", "1", "--rules", "relaxed")
    assert (result.exit_code, result.stderr) == (3, "")
    assert result.stdout == (
        "native:1, 4 suits, relaxed rules\n"
        " 1/66  an event: refuted in 1.25 s\n"
        "unwinnable: proved, 66 events refuted, in 12.50 s\n"
        f"checked: {AGAIN}, in 12.50 s\n"
    )
    assert [call[1:] for call in fake.calls] == [(Settings(), 600), (CHECK_SETTINGS, 600)]
    fake.calls.clear()
    result = run("prove", "1", "--no-check", "--time-limit", "7")
    assert result.exit_code == 3
    assert result.stdout.endswith("not checked, because of --no-check\n")
    assert [call[1:] for call in fake.calls] == [(Settings(), 7)]


def test_json_has_the_keys_in_order(fake):
    result = run("prove", "1", "--json")
    found = json.loads(result.stdout)
    assert list(found) == [
        *("deal", "suits", "rules", "verdict", "reason", "events", "refuted", "lemmas"),
        *("possible", "open", "seconds", "settings", "check", "solver", "version"),
    ]
    assert (found["verdict"], found["events"], len(found["refuted"])) == ("unwinnable", 66, 66)
    assert found["check"]["settings"]["seed"] == CHECK_SETTINGS.seed
    fake.calls.clear()
    assert json.loads(run("prove", "1", "--json", "--no-check").stdout)["check"] is None


def test_a_check_that_runs_out_of_time_leaves_it_undecided_but_keeps_the_certificate(
    fake, tmp_path
):
    deal = deal_from_number("native:1")
    fake.open[1] = events(deal)[-1:]
    target = tmp_path / "proof.json"
    result = run("prove", "1", "-o", str(target))
    assert result.exit_code == 4
    assert result.stdout.endswith(
        "undecided: proved once, but the time limit of 600 s was reached in the check,"
        " after 12.50 s for the proof\n"
        "open: thirteen ranks together after row 5\n"
    )
    found = read_certificate(target.read_text())
    assert (found["verdict"], found["check"]["verdict"]) == ("proved", "open")


def test_a_check_that_contradicts_the_proof_is_an_internal_error(fake):
    fake.possible[1] = [Event(EventKind.EMPTY, 3, 4)]
    result = run("prove", "1")
    message = error_of(result, after_output=True)
    assert message.startswith(
        "native:1: 'column 5 empties after row 3' was refuted by the proof, but its check"
    )
    assert "please report it" in message
    assert "unwinnable" not in result.stdout


def test_verbose_prints_lemmas(fake):
    result = run("prove", "1", "-v")
    assert "lemma: a block leaves: refuted in 0.50 s\n" in result.stderr


def test_a_failing_write_is_reported_after_the_result(fake, tmp_path, monkeypatch):
    def fail(file: OutputFile, content: str) -> None:
        raise prove_command.OutputError("disk full")

    monkeypatch.setattr(OutputFile, "write", fail)
    result = run("prove", "1", "-o", str(tmp_path / "proof.json"))
    assert error_of(result, after_output=True) == "disk full"
    assert "\nunwinnable: proved" in result.stdout


@pytest.mark.parametrize(
    ("arguments", "code", "expected"),
    [
        ([], 1, 'standard input: no "columns": expected'),
        (["1", "--check", "x.json"], 2, "--check cannot be combined with DEAL"),
        (["--check", "x.json", "--suits", "2"], 2, "--check cannot be combined with --suits"),
        (["--check", "x.json", "--at", "0"], 2, "--check cannot be combined with --at"),
        (["--check", "x.json", "-o", "y.json"], 2, "--check cannot be combined with -o"),
        (["--check", "x.json", "--no-check"], 2, "--check cannot be combined with --no-check"),
        (["--check", "missing.json"], 1, "'missing.json' is not a file: expected a certificate"),
        (["--check", "."], 1, "'.' is not a file: expected a certificate"),
        (["--check", "-"], 1, "standard input"),
        (["nonsense"], 1, "'nonsense' is not a file and not a deal number"),
        (["-5"], 1, "-5"),
        (["1", "--time-limit", "0"], 2, "'0': expected a positive number of seconds"),
        (["1", "-o", "missing/proof.json"], 1, "there is no folder 'missing'"),
    ],
    ids=str,
)
def test_errors_are_one_line(arguments, code, expected, fake):
    assert expected in error_of(run("prove", *arguments, input="{}"), code)
    assert not fake.calls


@pytest.mark.parametrize(
    "change",
    [
        {"columns": 5},
        {"columns": [["KS"]] * 10},
        {"rules": "none"},
        {"face_down": ["a"] * 10},
        {"format": "spider-solver proof 0"},
        {"deal": []},
    ],
    ids=str,
)
def test_a_broken_certificate_is_an_error_of_one_line(change, tmp_path, fake):
    target = tmp_path / "proof.json"
    found = json.loads((PROOFS / "pysol-ms14934.json").read_text()) | change
    target.write_text(json.dumps(found))
    assert error_of(run("prove", "--check", str(target))).startswith(str(target))


@pytest.mark.parametrize("name", ["native_1.txt", "native_42_two_suit.json", "README.md"])
def test_a_file_that_is_not_a_certificate_is_refused_with_what_is_expected(name, fake):
    path = str(PROOFS.parent / name)
    assert error_of(run("prove", "--check", path)) == (
        f"{path}: this is not a certificate of a proof:"
        ' expected JSON with "format": "spider-solver proof 1"'
    )


def test_the_help_states_the_default_time_limit():
    assert "[default: 600]" in run("prove", "--help").stdout


def test_without_ortools_one_line_names_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "ortools", None)
    monkeypatch.setitem(sys.modules, "ortools.sat.python", None)
    message = error_of(run("prove", "1"))
    assert message.endswith("which is not installed: pip install 'spider-solver[prove]'")


# the certificates in deals/proofs/


@pytest.mark.parametrize("path", sorted(PROOFS.iterdir()), ids=lambda path: path.name)
def test_a_proof_is_of_the_deal_that_it_names_and_refutes_every_event(path):
    found = read_certificate(path.read_text(encoding="utf-8"), path.name)
    deal = certificate_deal(found)
    assert path.name == deal.name.replace(":", "-") + ".json"
    assert deal == deal_from_number(deal.name, deal.suits)
    assert (found["verdict"], found["check"]["verdict"]) == ("proved", "proved")
    assert (found["possible"], found["open"]) == ([], [])
    refuted = {
        Event(EventKind(one["kind"]), one["stage"], one["column"], one["block"])
        for one in found["events"]
    }
    for event in events(deal):
        assert event in refuted or set(cases(deal, event)) <= refuted
    readme = (PROOFS.parent / "README.md").read_text(encoding="utf-8")
    assert f"| `proofs/{path.name}` |" in readme
