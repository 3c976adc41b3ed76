"""Many deals: which ones, by several processes, and every way that a run can end."""

from __future__ import annotations

import errno
import json
import os
import random
import re
import resource
import signal
import time
from collections.abc import Iterator
from contextlib import closing
from itertools import islice
from pathlib import Path

import psutil
import pytest
from commandline import error_of, run, start
from results import by_task, count_lines, record, records_in, wait_for_lines

from spider_solver.cli import winrate as command
from spider_solver.deal import RowRule
from spider_solver.errors import DealError, InternalError, SpiderError
from spider_solver.numbering import parse_numbers
from spider_solver.records import Record, Task, TaskSet, read_results
from spider_solver.result import Limits, Verdict
from spider_solver.winrate import (
    Shard,
    Tasks,
    Work,
    WorkError,
    processes,
    remaining_tasks,
    solve_on_processes,
)
from spider_solver.winrate.work import solve_task

FAST = Limits(max_width=30)
QUICK = ("--suits", "1", "--max-width", "30")  # some 20 ms a deal


def tasks(text: str, **options) -> Tasks:
    return Tasks(parse_numbers(text), **options)


def names(found: Tasks) -> list[str]:
    return [f"{task.deal}/{task.suits}" for task in found]


# Which deals


def test_each_deal_in_all_its_suit_modes():
    found = tasks("1-2,9", suits=(1, 4))
    assert names(found) == [f"native:{n}/{s}" for n in (1, 2, 9) for s in (1, 4)]
    assert found.count == 6


@pytest.mark.parametrize("count", [1, 2, 3, 7, 20])
def test_shards_are_a_partition(count):
    whole = tasks("1-10,pysol:ms5-ms6", suits=(2, 4))
    shards = [
        tasks("1-10,pysol:ms5-ms6", suits=(2, 4), shard=Shard(i, count))
        for i in range(1, count + 1)
    ]
    assert sorted(name for shard in shards for name in names(shard)) == sorted(names(whole))
    assert [len(names(shard)) for shard in shards] == [shard.count for shard in shards]


@pytest.mark.parametrize(
    "text", ["0/3", "4/3", "1", "1/", "/2", "a/b", "-1/2", "1/2/3", "1/" + "9" * 50]
)
def test_what_is_no_shard(text):
    with pytest.raises(SpiderError, match="expected a share like 2/8"):
        Shard.parse(text)


def test_a_sample_is_spread_evenly():
    assert names(tasks("1-100", sample=4)) == [f"native:{n}/4" for n in (1, 26, 51, 76)]
    assert names(tasks("1-3", sample=9)) == names(tasks("1-3"))
    huge = tasks(f"0-{2**64 - 1}", sample=2**40, shard=Shard(2, 2))
    assert huge.count == 2**39
    assert names(islice(huge, 1)) == [f"native:{2**24}/4"]


def test_a_suit_mode_that_a_scheme_lacks():
    with pytest.raises(DealError, match="win7 has no deals with 2 suits"):
        tasks("1-5,win7:1", suits=(4, 2))


def test_what_is_done_is_skipped_and_no_deal_named_twice_is_done_twice():
    done = TaskSet()
    done.add(Task("native:2", 4, RowRule.STANDARD))
    skipped: list[None] = []
    found = remaining_tasks(tasks("1-4,3,1"), done, lambda: skipped.append(None))
    assert [task.deal for task in found] == ["native:1", "native:3", "native:4"]
    assert len(skipped) == 3


# Processes


def silent(text: str) -> None:
    """For what is said."""


def plainly(found: Tasks) -> dict[Task, Record]:
    """What is found without any other process."""
    return by_task(solve_task(task, Work(FAST, solutions=True)) for task in found)


@pytest.mark.parametrize("jobs", [1, 3])
def test_any_number_of_processes_finds_the_same(jobs):
    found = tasks("1-6", suits=(1,))
    records = by_task(solve_on_processes(found, Work(FAST, solutions=True), jobs, silent))
    assert records == plainly(found)
    assert any(record.solution for record in records.values())


def test_memory_is_shared_by_the_workers_that_there_are(monkeypatch):
    monkeypatch.setattr(processes, "default_memory", lambda: 3 * 2**30)  # a 4096th starves ms2
    found = list(solve_on_processes(tasks("pysol:ms1-ms3"), Work(Limits()), 4096, silent))
    assert {record.verdict for record in found} == {Verdict.WON}


def test_a_killed_worker_costs_nothing():
    said: list[str] = []
    with closing(
        solve_on_processes(tasks("1-12", suits=(1,)), Work(FAST), 2, said.append)
    ) as found:
        records = list(islice(found, 3))
        psutil.Process().children()[-1].kill()
        records += found
    assert set(by_task(records)) == set(tasks("1-12", suits=(1,)))
    (line,) = said
    assert line.startswith("a worker was killed by SIGKILL at native:")
    assert line.endswith("another worker solves this deal")


def test_workers_end_when_a_run_is_left():
    before = {process.pid for process in psutil.Process().children()}
    with closing(
        solve_on_processes(tasks("1-1000000", suits=(1,)), Work(FAST), 2, silent)
    ) as found:
        next(found)
    left = {p.pid for p in psutil.Process().children()} - before
    assert all("resource_tracker" in " ".join(psutil.Process(pid).cmdline()) for pid in left)


class Deadly(Work):
    """Ends each worker before it answers."""

    @property
    def key(self) -> str:
        os.kill(os.getpid(), signal.SIGKILL)
        return ""


class Faulty(Work):
    """Fails in each worker."""

    @property
    def key(self) -> str:
        raise RuntimeError("no key")


def test_a_deal_that_kills_each_worker_ends_the_run():
    said: list[str] = []
    with pytest.raises(WorkError, match="was killed by SIGKILL at native:1, 1 suit, as 2 did"):
        list(solve_on_processes(tasks("1", suits=(1,)), Deadly(FAST), 1, said.append))
    assert len(said) == 2


def test_a_fault_in_a_worker_is_told():
    with pytest.raises(InternalError, match=r"native:1, 1 suit: RuntimeError\('no key'\)") as error:
        list(solve_on_processes(tasks("1-3", suits=(1,)), Faulty(FAST), 1, silent))
    assert "Traceback" in error.value.__notes__[0]


# The command


def test_a_run_is_written_continued_and_summed_up(tmp_path):
    path = tmp_path / "a.jsonl"
    options = (*QUICK, "--jobs", "1", "--solutions", "-o", str(path))
    first = run("winrate", "1-3", *options)
    assert (first.exit_code, first.stderr) == (0, "")
    before = path.read_bytes()
    again = run("winrate", "1-5,2", *options)
    assert (again.exit_code, again.stderr) == (0, "")
    assert path.read_bytes().startswith(before)
    assert records_in(path) == plainly(tasks("1-5", suits=(1,)))
    assert again.stdout == run("summary", str(path)).stdout
    checked = run("verify", "--results", str(path))
    assert checked.exit_code == 0
    assert f"{path}: 5 results" in checked.stdout
    assert "0 failed" in checked.stdout
    other = run("winrate", "1-3", "--suits", "1", "-o", str(path))
    assert "has results of other settings" in error_of(other)


def test_what_memory_starved_is_done_again(tmp_path, monkeypatch):
    path = tmp_path / "a.jsonl"
    arguments = ("winrate", "pysol:ms2", "--jobs", "1", "--solutions", "-o", str(path))
    with monkeypatch.context() as small:
        small.setattr(processes, "default_memory", lambda: 3 * 2**20)
        assert run(*arguments).exit_code == 0
    (starved,) = read_results(str(path))
    assert starved.starved
    for _ in range(2):  # once it's won, it's done
        again = run(*arguments, "--json")
        found = json.loads(again.stdout)
        assert (again.exit_code, found["groups"][0]["won"], found["repeated"]) == (0, 1, 1)
        assert again.stdout == run("summary", "--json", str(path)).stdout
        assert count_lines(path) == 2
    checked = run("verify", "--results", str(path))
    assert checked.exit_code == 0
    assert "2 results, 1 won: 1 solution verified, 0 failed" in checked.stdout


@pytest.mark.parametrize(
    ("error", "message"),
    [
        (WorkError("the scheduler is gone"), "the scheduler is gone"),
        (InternalError("a replay failed"), "a replay failed: this is a fault"),
        (OSError(errno.EMFILE, "Too many open files"), "too many open files"),
    ],
    ids=repr,
)
def test_what_was_found_before_an_error_is_told(error, message, monkeypatch):
    def broken(*_: object) -> Iterator[Record]:
        yield record(1)
        raise error

    monkeypatch.setattr(command, "solve_on_processes", broken)
    result = run("winrate", "1-3")
    assert message in error_of(result, after_output=True)
    assert re.search(r"^ deals +1$", result.stdout, re.MULTILINE)


def test_a_shard_finds_what_the_whole_run_finds(tmp_path):
    path = tmp_path / "shard.jsonl"
    options = (*QUICK, "--jobs", "1", "--solutions", "--shard", "2/3", "-o", str(path))
    assert run("winrate", "1-10", *options).exit_code == 0
    assert records_in(path) == plainly(tasks("2,5,8", suits=(1,)))


def test_killed_at_any_moment_a_run_goes_on_where_it_was(tmp_path):
    path = tmp_path / "a.jsonl"
    arguments = ("winrate", "1-60", *QUICK, "--solutions", "--jobs", "2", "-q", "-o", str(path))
    moments = random.Random(7)
    for _ in range(3):
        process = start(*arguments, cwd=tmp_path, start_new_session=True)
        wait_for_lines(path, count_lines(path) + moments.randint(1, 15), process)
        time.sleep(moments.uniform(0, 0.05))
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
    assert 3 <= count_lines(path) < 60
    assert run(*arguments).exit_code == 0
    assert records_in(path) == plainly(tasks("1-60", suits=(1,)))


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM], ids=str)
def test_interrupted_a_run_says_how_to_go_on(number, tmp_path):
    path = tmp_path / "a b.jsonl"
    arguments = ("winrate", "native:1-1000000000", *QUICK, "--jobs", "1", "-o", "a b.jsonl")
    process = start(*arguments, cwd=tmp_path, start_new_session=True)
    began = time.monotonic()
    wait_for_lines(path, 2, process)
    assert time.monotonic() - began < 30  # no matter how many deals there are
    second = run("winrate", "7", *QUICK, "-o", str(path))
    assert "a b.jsonl' is in use by another run" in second.stderr
    os.killpg(process.pid, number)
    _, said = process.communicate(timeout=30)
    assert process.returncode == 130
    whole = len(records_in(path))
    kept, command, error = said.splitlines()
    assert kept == f"{whole} results in 'a b.jsonl'; continue with:"
    assert command.startswith("spider-solver winrate native:1-1000000000 --suits 1")
    assert command.endswith("-o 'a b.jsonl'")
    assert error == "spider-solver: error: interrupted"


def test_a_full_disk_ends_a_run_with_a_whole_file(tmp_path):
    def small_files() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))

    path = tmp_path / "a.jsonl"
    arguments = ("winrate", "1-9", *QUICK, "--jobs", "1", "-o", str(path))
    # The search is compiled by now, else that could not be kept.
    process = start(*arguments, cwd=tmp_path, preexec_fn=small_files)
    _, said = process.communicate(timeout=100)
    assert process.returncode == 1
    whole = len(records_in(path))
    assert 2 <= whole <= 4
    kept, _, error = said.splitlines()
    assert kept == f"{whole} results in '{path}'; continue with:"
    assert error == f"spider-solver: error: '{path}': file too large"
    assert run(*arguments).exit_code == 0
    assert set(records_in(path)) == set(tasks("1-9", suits=(1,)))


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["1-5", "--suits", "1,5"], 2, "--suits: '5': expected a whole number from 1 to 4"),
        (["1-5", "--suits", ""], 2, "--suits: '': expected a whole number from 1 to 4"),
        (["win7:1-5", "--suits", "1,4"], 1, "win7 has no deals with 1 suit"),
        (["1-5", "--shard", "5/2"], 2, "--shard: '5/2': expected a share like 2/8"),
        (["1-5", "--solutions"], 2, "--solutions and --mix go with -o FILE"),
        (["1", "-j", "2", "--scheduler", "tcp://localhost:1"], 2, "leave it out with --scheduler"),
        (["9-1"], 1, "runs backwards"),
        (["deal.txt"], 1, "expected"),
        (["-5"], 1, "native deal number"),
        (["1-5", "-o", "/"], 1, "'/' is a folder"),
        (["1-5", "--plot", "x.gif"], 2, "expected a name that ends in .png, .svg, .pdf"),
        (["1", "--scheduler", "rubbish"], 1, "no dask scheduler answers at 'rubbish'"),
    ],
)
def test_errors_are_one_line(arguments, code, message):
    assert message in error_of(run("winrate", *arguments), code)


def test_what_the_system_refuses_is_one_line():
    if not Path("/sys/kernel").is_dir():
        pytest.skip("needs a file system that nobody can write to")
    error = error_of(run("winrate", "1", "-o", "/sys/kernel/results.jsonl"))
    assert error.startswith("'/sys/kernel/results.jsonl': ")
