"""The command ``solve`` with a fake solver: output, files, exit codes."""

import errno
import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from commandline import PROJECT, error_of, on_terminal, run, start_python
from play import game_text, one_move_from_won

from spider_solver import __version__
from spider_solver.cli.solve import progress_text
from spider_solver.errors import InternalError
from spider_solver.formats import read_game
from spider_solver.numbering import deal_from_number
from spider_solver.result import Limits, Progress, ProofCounts, Verdict
from spider_solver.verify import verify_game

OLD_GAME = game_text(one_move_from_won(), [])


def test_solve_prints_header_verdict_effort_and_actions(fake, endgame):
    result = run("solve", endgame)
    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout == (
        "end.txt, 1 suit, standard rules, a position in mid-game\n"
        "won: 2 moves and 0 rows, score 598, verified\n"
        "searched 1,234 states, beam width 500, in 0.50 s\n"
        "\n"
        "1. A♠ from column 2 to empty column 3\n"
        "2. A♠ from column 3 to column 1, onto 2♠\n"
        "   ══ ♠ spades completed in column 1, King to Ace ══ run 8 of 8\n"
    ).replace("end.txt", endgame)


def test_solve_boards(fake, endgame):
    result = run("solve", endgame, "--boards")
    assert result.stdout.count("Completed runs:") == 3
    assert result.stdout.endswith("Completed runs: ♠ ♠ ♠ ♠ ♠ ♠ ♠ ♠ (8 of 8)\n\n")


def test_solve_json_has_the_keys_in_order(fake, endgame):
    found = json.loads(run("solve", endgame, "--json").stdout)
    assert list(found) == [
        *("deal", "suits", "rules", "verdict", "actions", "moves", "rows", "score"),
        *("states", "width", "seconds", "settings", "version", "decided_by", "positions"),
        *("columns", "face_down", "stock", "completed"),
    ]
    assert found["verdict"] == "won"
    assert found["actions"] == ["2-3x1", "3-1x1"]
    assert found["version"] == __version__


@pytest.mark.parametrize(
    ("verdict", "code"), [(Verdict.UNWINNABLE, 3), (Verdict.UNDECIDED, 4)], ids=str
)
def test_without_a_solution_there_is_a_reason_and_another_exit_code(fake, verdict, code, tmp_path):
    fake.verdict, fake.reason = verdict, "a reason"
    target = tmp_path / "game.txt"
    result = run("solve", "1", "-o", str(target))
    assert result.exit_code == code
    assert f"{verdict}: a reason\n" in result.stdout
    assert "nothing written" in result.stderr
    assert not target.exists()
    found = json.loads(run("solve", "1", "--json").stdout)
    assert (found["verdict"], found["actions"]) == (verdict, [])
    assert list(found.items())[-1] == ("reason", "a reason")


def test_solve_passes_the_limits_on(fake):
    run("solve", "3", "--max-width", "7", "--max-states", "99", "--time-limit", "1.5")
    assert fake.calls[0][1] == Limits(max_width=7, max_states=99, time_limit=1.5)
    fake.calls.clear()
    run("solve", "3", "--max-memory", "1.5G")
    assert fake.calls[0][1] == Limits(max_memory=3 * 2**29)
    run("solve", "3")
    assert fake.calls[1][1] == Limits()


def test_solve_passes_the_deal_on(fake):
    run("solve", "18446744073709551615", "--suits", "2", "--rules", "relaxed")
    deal = fake.calls[0][0]
    assert (deal.name, deal.suits, deal.rules) == ("native:18446744073709551615", 2, "relaxed")


def test_show_pipes_into_solve(fake):
    fake.actions = ()
    written = run("show", "1", "--format", "text").stdout
    assert run("solve", "-", input=written).exit_code == 0
    assert fake.calls[0][0] == deal_from_number("1")


@pytest.mark.parametrize("name", ["game.txt", "game.json"])
def test_solve_output_is_read_by_replay_and_verify(fake, endgame, tmp_path, name):
    target = tmp_path / name
    result = run("solve", endgame, "-o", str(target))
    assert result.exit_code == 0
    assert [path.name for path in tmp_path.iterdir() if path.name.startswith(".")] == []
    assert verify_game(read_game(target.read_text())).verdict == "won"
    assert name.endswith("json") == target.read_text().startswith("{")
    assert "won: 2 moves and 0 rows" in run("verify", str(target)).stdout
    assert "won: 2 moves and 0 rows" in run("replay", str(target)).stdout


def test_solve_output_replaces_a_file_and_keeps_its_mode_and_link(fake, endgame, tmp_path):
    target, link = tmp_path / "old.txt", tmp_path / "link.txt"
    target.write_text(OLD_GAME)
    target.chmod(0o640)
    link.symlink_to(target)
    assert run("solve", endgame, "-o", str(link)).exit_code == 0
    assert link.is_symlink()
    assert "found by spider-solver" in target.read_text()
    assert target.stat().st_mode & 0o777 == 0o640


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("", "is a folder"),
        ("no/such/folder.txt", "there is no folder"),
        ("x" * 300, "cannot be written"),
    ],
    ids=["a folder", "missing folder", "name too long"],
)
def test_solve_refuses_an_output_before_it_searches(fake, tmp_path, name, expected):
    message = error_of(run("solve", "1", "-o", f"{tmp_path}/{name}"), 1)
    assert expected in message
    assert fake.calls == []


def test_solve_refuses_a_read_only_output(fake, tmp_path, monkeypatch):
    target = tmp_path / "game.txt"
    target.write_text("old")
    monkeypatch.setattr(os, "access", lambda path, mode: mode != os.W_OK)
    assert "read-only" in error_of(run("solve", "1", "-o", str(target)), 1)


def test_a_failing_write_leaves_the_old_file(fake, endgame, tmp_path, monkeypatch):
    target = tmp_path / "game.txt"
    target.write_text(OLD_GAME)

    def full(descriptor: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", full)
    result = run("solve", endgame, "-o", str(target))
    assert result.exit_code == 1
    assert "2. A♠ from column 3" in result.stdout  # the solution is printed all the same
    assert result.stderr == (
        f"spider-solver: error: {str(target)!r} cannot be written: no space left on device\n"
    )
    assert target.read_text() == OLD_GAME
    assert sorted(path.name for path in tmp_path.iterdir()) == ["end.txt", "game.txt"]


def test_solve_writes_to_a_device(fake, endgame):
    assert run("solve", endgame, "-o", os.devnull).exit_code == 0
    assert not Path(os.devnull).is_file()


def test_verbose_prints_widths_and_quiet_prints_nothing(fake):
    assert "beam width 500" in run("solve", "1", "-v").stderr
    assert "beam width 500" in run("-v", "solve", "1").stderr
    fake.verdict = Verdict.UNDECIDED
    assert run("solve", "1").stderr != ""
    assert run("solve", "1", "-q").stderr == ""
    assert run("-q", "solve", "1").stderr == ""


def test_interrupt_ends_with_130(fake):
    fake.error = KeyboardInterrupt()
    assert error_of(run("solve", "1"), 130) == "interrupted"


# The program with a slow search that reports progress and finds nothing.
SLOW_SEARCH = """
import sys, time
from spider_solver import solver
from spider_solver.result import Progress, ProofCounts, Result, Verdict
from spider_solver.cli.main import main

def solve(deal, limits, progress, announce=None, prove=False):
    for level in range(int(sys.argv[1])):
        if progress is not None:
            progress(Progress(width=500, level=level, completed=2, states=level, seconds=0))
        if level == 0:
            print("searching", file=sys.stderr, flush=True)
        time.sleep(0.1)
    if progress is not None:
        proof = ProofCounts(refuted=1, events=66, checking=False)
        progress(Progress(0, 0, 0, states=9, seconds=0, proof=proof))
        time.sleep(2.2)
    return Result(Verdict.UNDECIDED, (), 0, 0, 0, 9, 500, (500,), 1.0)

solver.solve = solve
main(sys.argv[2:])
"""


def test_control_c_ends_a_running_search():
    with start_python("-c", SLOW_SEARCH, "600", "solve", "1") as process:
        assert process.stderr is not None
        assert process.stderr.readline() == "searching\n"
        process.send_signal(signal.SIGINT)
        stdout, stderr = process.communicate(timeout=30)
    assert (process.returncode, stdout) == (130, "")
    assert stderr == "spider-solver: error: interrupted\n"


def test_progress_is_shown_on_a_terminal_only_and_unless_quiet():
    shown = on_terminal("-c", SLOW_SEARCH, "8", "solve", "1")
    assert "beam width 500, level " in shown
    assert "2 runs completed" in shown
    times = re.findall(r"proof by OR-tools, 1 of 66 events refuted \[(00:\d\d)\]", shown)
    assert len(set(times)) >= 2  # the line is redrawn although nothing is reported
    assert "level" not in on_terminal("-c", SLOW_SEARCH, "8", "solve", "1", "-q")
    piped = subprocess.run(
        [sys.executable, "-c", SLOW_SEARCH, "8", "solve", "1"],
        env={**os.environ, "PYTHONPATH": str(PROJECT)},
        capture_output=True,
        encoding="utf-8",
    )
    assert piped.returncode == 4
    assert "level" not in piped.stderr


def test_progress_shows_width_level_runs_and_speed():
    now = Progress(width=4096, level=57, completed=3, states=3_000_000, seconds=2.5)
    assert progress_text(now, 5) == (
        "beam width 4,096, level 57, 3 runs completed (best 5), 1,200,000 states/s"
    )
    start = Progress(width=64, level=1, completed=1, states=64, seconds=0)
    assert progress_text(start, 1) == "beam width 64, level 1, 1 run completed (best 1), 0 states/s"
    exhaustive = Progress(width=0, level=40, completed=2, states=900_000, seconds=3)
    assert progress_text(exhaustive, 2) == (
        "exhaustive search, 900,000 states and positions, 300,000 per second"
    )


@pytest.mark.parametrize(
    ("checking", "text"),
    [
        (False, "proof by OR-tools, 12 of 66 events refuted"),
        (True, "check of the proof, 12 of 66 events checked"),
    ],
)
def test_progress_of_a_proof_shows_its_events(checking, text):
    counts = ProofCounts(refuted=12, events=66, checking=checking)
    proof = Progress(width=0, level=0, completed=0, states=900_000, seconds=3, proof=counts)
    assert progress_text(proof, 2) == text


@pytest.mark.parametrize(
    ("error", "expected"),
    [
        (InternalError("the replay refuses action 3"), "the replay refuses action 3: this is a"),
        (ZeroDivisionError("division by zero"), "ZeroDivisionError('division by zero'): this is"),
    ],
)
def test_an_internal_error_asks_for_a_report(fake, error, expected):
    fake.error = error
    message = error_of(run("solve", "1"), 1)
    assert expected in message
    assert "please report it" in message
    assert "Traceback" in run("solve", "1", "-v").stderr


def test_a_memory_error_names_the_option_to_change(fake):
    fake.error = MemoryError()
    assert "--max-width" in error_of(run("solve", "1"), 1)


# Shorter solutions


def test_shorten_shows_gains_on_stderr_and_the_shortest_solution(fake, endgame):
    result = run("solve", endgame, "--shorten-states", "1000")
    assert (result.exit_code, result.stderr) == (0, "1 action, score 599\n")
    lines = result.stdout.splitlines()
    assert lines[1] == "won: 1 move and 0 rows, score 599, verified"
    assert lines[3] == "1 action: the shortest solution, proved"
    assert re.fullmatch(r"shortened by 1 action with \d+ states? in \d+\.\d\d s", lines[4])
    assert lines[6].startswith("1. A♠ from column 2 to column 1, onto 2♠")


def test_shorten_without_seconds_takes_the_default(fake, endgame):
    found = json.loads(run("solve", endgame, "--shorten", "--jobs", "2", "--json").stdout)
    assert found["actions"] == ["2-1x1"]
    shortening = found["shortening"]
    assert list(shortening) == [
        *("first_length", "at_least", "shortest", "states", "seconds", "interrupted"),
    ]
    assert (shortening["first_length"], shortening["at_least"]) == (2, 1)
    assert (shortening["shortest"], shortening["interrupted"]) == (True, False)


def test_without_shorten_the_json_does_not_mention_it(fake, endgame):
    assert "shortening" not in json.loads(run("solve", endgame, "--json").stdout)


def test_jobs_need_shorten(endgame):
    message = error_of(run("solve", endgame, "--jobs", "2"), 2)
    assert message.startswith("--jobs needs --shorten, --shorten-states or unknown cards; see")


def test_shorten_does_nothing_without_a_solution(fake, endgame):
    fake.verdict, fake.reason = Verdict.UNWINNABLE, "a reason"
    result = run("solve", endgame, "--shorten", "1")
    assert (result.exit_code, result.stderr) == (3, "")
    assert "shortened" not in result.stdout


def test_shorten_keeps_to_the_limit_on_memory(fake, endgame):
    result = run("solve", endgame, "--shorten-states", "1000", "--max-memory", "1K")
    assert (result.exit_code, result.stderr) == (0, "")
    lines = result.stdout.splitlines()
    assert lines[3] == "2 actions: every solution has at least 1"
    assert lines[4].startswith("shortened by 0 actions with 0 states in ")
