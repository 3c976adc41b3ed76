"""The command ``solve`` end to end, with the real search."""

from __future__ import annotations

import json
import resource
import signal
import time
from pathlib import Path

import psutil
import pytest
from commandline import run, start
from play import one_move_from_won, sensible_position

from spider_solver.cli.options import memory
from spider_solver.formats import read_game, write_deal
from spider_solver.verify import verify_game

pytestmark = pytest.mark.kernels

PROJECT = Path(__file__).parent.parent


@pytest.fixture(autouse=True)
def _in_the_project(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(PROJECT)


@pytest.mark.parametrize(
    "arguments",
    [
        ["1"],
        ["1", "--suits", "2"],
        ["1", "--suits", "1"],
        ["1", "--rules", "relaxed"],
        ["18446744073709551615"],
        ["deals/native_7_one_suit.txt"],
        ["deals/native_7_two_suit.txt"],
        ["deals/native_42_two_suit.json"],
        ["deals/middle_two_suit.txt"],
        ["deals/middle_four_suit.txt"],
        ["deals/won_two_suit.txt", "--at", "0"],
    ],
    ids=" ".join,
)
def test_a_verified_solution_is_printed_and_written(arguments, tmp_path):
    target = tmp_path / "game.txt"
    result = run("solve", *arguments, "-q", "-o", str(target))
    assert (result.exit_code, result.stderr) == (0, "")
    title, won, effort, blank, *actions = result.stdout.splitlines()
    assert won.startswith("won: ")
    assert won.endswith(", verified")
    assert effort.startswith("searched ")
    assert (blank, actions[0].split()[0]) == ("", "1.")
    assert actions[-1].endswith("run 8 of 8")
    assert len(title.split(", ")) in (3, 4)
    assert verify_game(read_game(target.read_text(encoding="utf-8"))).verdict == "won"
    assert run("verify", "--won", str(target)).exit_code == 0


def test_show_pipes_into_solve():
    written = run("show", "1", "--format", "text").stdout
    piped, plain = run("solve", "-", "-q", input=written), run("solve", "1", "-q")
    assert piped.exit_code == 0
    assert piped.stdout.splitlines()[3:] == plain.stdout.splitlines()[3:]


@pytest.mark.parametrize("deal", ["1", "deals/middle_two_suit.txt", "deals/native_1.txt", "-"])
def test_solve_as_json_is_a_game_that_verify_reads(deal):
    text = write_deal(one_move_from_won(), "text") if deal == "-" else None
    solved = run("solve", deal, "--json", "-q", input=text).stdout
    found = json.loads(solved)
    numbered = deal in ("1", "deals/native_1.txt")
    assert ("columns" in found) == (not numbered)
    if not numbered:
        assert list(found)[-4:] == ["columns", "face_down", "stock", "completed"]
    checked = run("verify", "--won", "--json", "-", input=solved)
    assert checked.exit_code == 0
    assert json.loads(checked.stdout)["score"] == found["score"]


@pytest.mark.parametrize(
    ("arguments", "code", "verdict"),
    [
        (["deals/end_two_suit.txt", "--max-memory", "1M"], 3, "unwinnable: all 10,368 positions"),
        (
            ["deals/end_two_suit.txt", "--max-memory", "300K", "--max-width", "4000"],
            4,
            "undecided: the memory limit of 0 MiB was reached at width 64, and an exhaustive",
        ),
        (
            ["1", "--max-memory", "1K"],
            4,
            "undecided: the memory limit of 0 MiB was reached at width 64\n",
        ),
    ],
    ids=["enough memory for a proof", "too little for it", "too little for any search"],
)
def test_exit_code_and_reason_without_a_solution(arguments, code, verdict):
    result = run("solve", *arguments, "-q")
    assert result.exit_code == code
    assert verdict in result.stdout


@pytest.mark.parametrize(
    ("text", "size"),
    [
        ("1000", 1000),
        ("2G", 2**31),
        ("2g", 2**31),
        ("1.5K", 1536),
        ("500MB", 500 * 2**20),
        ("3GiB", 3 * 2**30),
        ("1T", 2**40),
    ],
)
def test_memory_sizes(text, size):
    assert memory(text) == size


def processor_seconds() -> float:
    """Processor time of all processes that ended. A busy machine does not change it much."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def test_an_interrupt_ends_a_hard_search_at_once(tmp_path):
    path = tmp_path / "hard.txt"
    path.write_text(write_deal(sensible_position(2, 40, 4).to_deal(), "text"))
    with start("solve", str(path), "-v") as process:
        assert process.stderr is not None
        for line in process.stderr:
            if "beam width 2,048" in line:
                break
        time.sleep(1)
        used = psutil.Process(process.pid).cpu_times()
        ended = processor_seconds()
        process.send_signal(signal.SIGINT)
        out, error = process.communicate(timeout=60)
        taken = processor_seconds() - ended - used.user - used.system
    assert (process.returncode, out) == (130, "")
    assert error.splitlines()[-1] == "spider-solver: error: interrupted"
    assert taken < 0.5
