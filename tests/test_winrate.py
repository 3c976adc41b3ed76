"""Many deals: the deals of a run, worker processes, and all ways in which a run can end."""

from __future__ import annotations

import errno
import fcntl
import json
import os
import pty
import random
import re
import resource
import signal
import termios
import time
from collections.abc import Iterator
from contextlib import closing
from itertools import islice
from pathlib import Path

import psutil
import pytest
from commandline import error_of, run, start
from results import KEY, by_task, count_lines, record, records_in, wait_for_lines

from spider_solver.cli import winrate as command
from spider_solver.deal import RowRule
from spider_solver.errors import DealError, InternalError, SpiderError
from spider_solver.numbering import deal_from_number, parse_numbers
from spider_solver.records import Record, Task, TaskSet, read_results
from spider_solver.result import Limits, ShorteningLimits, Verdict
from spider_solver.shorten import shorten
from spider_solver.solver import solve
from spider_solver.winrate import (
    Shard,
    Tasks,
    Work,
    WorkerDeathsError,
    WorkError,
    processes,
    remaining_tasks,
    solve_on_processes,
)
from spider_solver.winrate.work import solve_task

FAST = Limits(max_width=30)
QUICK = ("--suits", "1", "--max-width", "30")  # as FAST; about 20 ms a deal


def tasks(text: str, **options) -> Tasks:
    return Tasks(parse_numbers(text), **options)


def names(found: Tasks) -> list[str]:
    return [f"{task.deal}/{task.suits}" for task in found]


# The deals of a run


def test_each_deal_is_solved_in_all_suit_modes():
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
def test_invalid_shards(text):
    with pytest.raises(SpiderError, match="expected a share like 2/8"):
        Shard.parse(text)


def test_a_sample_is_spread_evenly_over_the_deals():
    assert names(tasks("1-100", sample=4)) == [f"native:{n}/4" for n in (1, 26, 51, 76)]
    assert names(tasks("1-3", sample=9)) == names(tasks("1-3"))
    huge = tasks(f"0-{2**64 - 1}", sample=2**40, shard=Shard(2, 2))
    assert huge.count == 2**39
    assert names(islice(huge, 1)) == [f"native:{2**24}/4"]


def test_a_suit_mode_that_a_scheme_lacks_is_an_error():
    with pytest.raises(DealError, match="win7 has no deals with 2 suits"):
        tasks("1-5,win7:1", suits=(4, 2))


def test_tasks_that_are_done_or_named_twice_are_skipped():
    done = TaskSet()
    done.add(Task("native:2", 4, RowRule.STANDARD))
    skipped: list[None] = []
    found = remaining_tasks(tasks("1-4,3,1"), done, lambda: skipped.append(None))
    assert [task.deal for task in found] == ["native:1", "native:3", "native:4"]
    assert len(skipped) == 3


# Processes


def ignore(text: str) -> None:
    """Ignore a status message."""


def solved_here(found: Tasks) -> dict[Task, Record]:
    """The records of tasks solved in this process, with the settings FAST and solutions."""
    return by_task(solve_task(task, Work(FAST, solutions=True)) for task in found)


@pytest.mark.parametrize("jobs", [1, 3])
def test_the_number_of_processes_does_not_change_the_records(jobs):
    found = tasks("1-6", suits=(1,))
    records = by_task(solve_on_processes(found, Work(FAST, solutions=True), jobs, ignore))
    assert records == solved_here(found)
    assert all(record.solution for record in records.values())


def test_memory_is_shared_only_by_the_workers_that_are_started(monkeypatch):
    # A 4096th of this memory would be too little for pysol:ms2.
    monkeypatch.setattr(processes, "default_memory", lambda: 3 * 2**30)
    found = list(solve_on_processes(tasks("pysol:ms1-ms3"), Work(Limits()), 4096, ignore))
    assert {record.verdict for record in found} == {Verdict.WON}


def test_another_worker_solves_the_deal_of_a_killed_one():
    messages: list[str] = []
    work = Work(FAST, solutions=True)
    running = solve_on_processes(tasks("1-12", suits=(1,)), work, 2, messages.append)
    with closing(running) as found:
        records = list(islice(found, 3))
        psutil.Process().children()[-1].kill()
        records += found
    assert by_task(records) == solved_here(tasks("1-12", suits=(1,)))
    (line,) = messages
    assert re.fullmatch(
        "a worker was killed by SIGKILL"
        r" (at native:\d+, 1 suit; another worker solves this deal"
        r"|while it had no deal; another worker replaces it)",
        line,
    )


def test_the_next_deal_is_not_blamed_for_the_death_of_an_idle_worker():
    messages: list[str] = []
    running = solve_on_processes(tasks("1-8", suits=(1,)), Work(FAST, True), 1, messages.append)
    records = []
    with closing(running) as found:
        for result in found:  # the worker waits for its next task meanwhile
            records.append(result)
            if len(records) in (1, 3, 5):
                worker = psutil.Process().children()[-1]
                worker.kill()
                while worker.status() != psutil.STATUS_ZOMBIE:
                    time.sleep(0.01)
    assert by_task(records) == solved_here(tasks("1-8", suits=(1,)))
    idle = "a worker was killed by SIGKILL while it had no deal; another worker replaces it"
    assert messages == [idle] * 3


def test_workers_end_when_the_iterator_is_closed():
    before = {process.pid for process in psutil.Process().children()}
    running = solve_on_processes(tasks("1-1000000", suits=(1,)), Work(FAST), 2, ignore)
    with closing(running) as found:
        next(found)
    left = {p.pid for p in psutil.Process().children()} - before
    assert all("resource_tracker" in " ".join(psutil.Process(pid).cmdline()) for pid in left)


class Deadly(Work):
    """Kills each worker before it sends a record."""

    @property
    def key(self) -> str:
        os.kill(os.getpid(), signal.SIGKILL)
        return ""


def die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


class Unreadable(Work):
    """Kills each worker while it starts."""

    def __reduce__(self):
        return die, ()


class Refused(Work):
    """The system refuses what each worker needs."""

    @property
    def key(self) -> str:
        if self.solutions:
            raise MemoryError
        raise OSError("could not\nload a library\x1b.")


class Faulty(Work):
    """Raises an error in each worker."""

    @property
    def key(self) -> str:
        raise RuntimeError("no key")


class EndOfFile(Work):
    """Raises in each worker an error such as a closed connection raises."""

    @property
    def key(self) -> str:
        raise EOFError("no line")


def test_a_deal_that_kills_each_worker_ends_the_run():
    messages: list[str] = []
    with pytest.raises(WorkerDeathsError) as error:
        list(solve_on_processes(tasks("1", suits=(1,)), Deadly(FAST), 1, messages.append))
    killed = "a worker was killed by SIGKILL at native:1, 1 suit"
    assert messages == [f"{killed}; another worker solves this deal"] * 2
    assert str(error.value) == f"{killed}, as 2 did before it"


def test_workers_that_die_before_they_have_a_deal_end_the_run():
    messages: list[str] = []
    with pytest.raises(WorkerDeathsError) as error:
        list(solve_on_processes(tasks("1-9", suits=(1,)), Unreadable(FAST), 1, messages.append))
    killed = "a worker was killed by SIGKILL while it had no deal"
    assert messages == [f"{killed}; another worker replaces it"] * 2
    assert str(error.value) == f"{killed}, as 2 did before it"


def test_what_the_system_refuses_to_a_worker_ends_the_run():
    for solutions, reason in ((True, "out of memory"), (False, r"could not load a library\x1b")):
        work = Refused(FAST, solutions=solutions)
        with pytest.raises(WorkerDeathsError) as error:
            list(solve_on_processes(tasks("1-3", suits=(1,)), work, 1, ignore))
        assert str(error.value) == f"a worker failed at native:1, 1 suit: {reason}"


@pytest.mark.parametrize(
    ("work", "message"),
    [(Faulty, r"RuntimeError\('no key'\)"), (EndOfFile, r"EOFError\('no line'\)")],
)
def test_a_fault_in_a_worker_is_raised_in_the_parent(work, message):
    with pytest.raises(InternalError, match=f"native:1, 1 suit: {message}") as error:
        list(solve_on_processes(tasks("1-3", suits=(1,)), work(FAST), 1, ignore))
    assert "Traceback" in error.value.__notes__[0]


# The command winrate


def test_a_run_is_written_continued_and_added_up(tmp_path):
    path = tmp_path / "a.jsonl"
    options = (*QUICK, "--jobs", "1", "--solutions", "-o", str(path))
    first = run("winrate", "1-3", *options)
    assert (first.exit_code, first.stderr) == (0, "")
    before = path.read_bytes()
    again = run("winrate", "1-5,2", *options)
    assert (again.exit_code, again.stderr) == (0, "")
    assert path.read_bytes().startswith(before)
    assert records_in(path) == solved_here(tasks("1-5", suits=(1,)))
    assert again.stdout == run("summary", str(path)).stdout
    checked = run("verify", "--results", str(path))
    assert (checked.exit_code, checked.stderr) == (0, "")
    assert checked.stdout == (
        f"{path}: 5 results, 5 won: 5 solutions verified, 0 failed, 0 not kept\n"
    )


def test_shorter_solutions_are_searched_for_on_request(tmp_path):
    paths = [tmp_path / name for name in ("first.jsonl", "short.jsonl")]
    options = ("--suits", "2", "--jobs", "2", "--solutions", "-o")
    for path, more in zip(paths, ((), ("--shorten-states", "150000")), strict=True):
        assert run("winrate", "1-4", *options, str(path), *more).exit_code == 0
        assert run("verify", "--results", str(path)).exit_code == 0
    first, short = map(records_in, paths)
    for task, found in short.items():
        assert found.score > first[task].score
        assert found.key == f"{first[task].key.removesuffix('quick')}shorten_states=150000"
        deal = deal_from_number(task.deal, task.suits)
        alone = shorten(deal, solve(deal), ShorteningLimits(states=150_000))
        assert found.actions() == list(alone.actions)
    assert run("winrate", "1-4", *options, str(paths[0]), "--shorten", "1").exit_code == 1


def test_results_of_other_settings_are_refused_without_mix(tmp_path):
    path = tmp_path / "a.jsonl"
    path.write_bytes(record(1, suits=1).to_line())
    arguments = ("winrate", "1", *QUICK, "--jobs", "1", "-o", str(path))
    key = Work(FAST).key
    assert error_of(run(*arguments)) == (
        f"'{path}' has results of other settings, '{KEY}'; the settings of this run are '{key}':"
        " name another file, or use --mix to keep both in one file"
    )
    mixed = run(*arguments, "--mix", "--json")
    assert (mixed.exit_code, mixed.stderr) == (0, "")
    assert json.loads(mixed.stdout)["settings"] == {KEY: 1, key: 1}


def test_a_deal_that_lacked_memory_is_solved_again(tmp_path, monkeypatch):
    path = tmp_path / "a.jsonl"
    arguments = ("winrate", "pysol:ms2", "--jobs", "1", "--solutions", "-o", str(path))
    with monkeypatch.context() as small:
        small.setattr(processes, "default_memory", lambda: 3 * 2**20)
        assert run(*arguments).exit_code == 0
    (starved,) = read_results(str(path))
    assert starved.starved
    for _ in range(2):  # the second of these runs has nothing to solve
        again = run(*arguments, "--json")
        found = json.loads(again.stdout)
        assert (again.exit_code, found["groups"][0]["won"], found["repeated"]) == (0, 1, 1)
        assert again.stdout == run("summary", "--json", str(path)).stdout
        assert count_lines(path) == 2
    checked = run("verify", "--results", str(path))
    assert (checked.exit_code, checked.stderr) == (0, "")
    assert checked.stdout == (
        f"{path}: 2 results, 1 won: 1 solution verified, 0 failed, 0 not kept\n"
    )


@pytest.mark.parametrize(
    ("error", "message"),
    [
        (WorkError("the scheduler has ended"), "the scheduler has ended"),
        (
            WorkerDeathsError("a worker died"),
            "a worker died: try fewer --jobs, or a smaller --max-memory",
        ),
        (
            InternalError("a replay failed"),
            "a replay failed: this is a fault of spider-solver, please report it (-v shows where)",
        ),
        (
            OSError(errno.EMFILE, "Too many open files"),
            "too many open files: raise the limit (ulimit -n), or use fewer --jobs",
        ),
    ],
    ids=repr,
)
def test_the_results_before_an_error_are_printed(error, message, monkeypatch):
    def broken(*_: object) -> Iterator[Record]:
        yield record(1)
        raise error

    monkeypatch.setattr(command, "solve_on_processes", broken)
    result = run("winrate", "1-3")
    assert error_of(result, after_output=True) == message
    assert re.search(r"^ deals +1$", result.stdout, re.MULTILINE)


def test_a_shard_gives_the_same_records_as_the_whole_run(tmp_path):
    path = tmp_path / "shard.jsonl"
    options = (*QUICK, "--jobs", "1", "--solutions", "--shard", "2/3", "-o", str(path))
    assert run("winrate", "1-10", *options).exit_code == 0
    assert records_in(path) == solved_here(tasks("2,5,8", suits=(1,)))


def test_a_run_that_was_killed_at_any_moment_can_be_continued(tmp_path):
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
    assert records_in(path) == solved_here(tasks("1-60", suits=(1,)))


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP], ids=str)
def test_an_interrupted_run_says_how_to_continue_it(number, tmp_path):
    path = tmp_path / "a b.jsonl"
    arguments = ("winrate", "native:1-1000000000", *QUICK, "--jobs", "1", "-o", "a b.jsonl")
    process = start(*arguments, cwd=tmp_path, start_new_session=True)
    began = time.monotonic()
    wait_for_lines(path, 2, process)
    assert time.monotonic() - began < 30  # although there are a billion deals
    second = run("winrate", "7", *QUICK, "-o", str(path))
    assert error_of(second).startswith(f"{str(path)!r} is in use by another run: ")
    os.killpg(process.pid, number)
    _, errors = process.communicate(timeout=30)
    assert process.returncode == 130
    count = len(records_in(path))
    kept, command, error = errors.splitlines()
    assert kept == f"{count} results in 'a b.jsonl'; continue with:"
    assert command == (
        "spider-solver winrate native:1-1000000000 --suits 1 --max-width 30 --jobs 1 -o 'a b.jsonl'"
    )
    assert error == "spider-solver: error: interrupted"


def test_a_run_whose_terminal_is_closed_ends_like_an_interrupted_one(tmp_path):
    our_end, its_end = pty.openpty()

    def take_terminal() -> None:
        fcntl.ioctl(its_end, termios.TIOCSCTTY, 0)

    path = tmp_path / "a.jsonl"
    process = start(
        *("winrate", "1-1000000000", *QUICK, "--jobs", "2", "-o", str(path)),
        **{"stdin": its_end, "stdout": its_end, "stderr": its_end},
        start_new_session=True,
        preexec_fn=take_terminal,
    )
    os.close(its_end)
    wait_for_lines(path, 3, process)
    os.close(our_end)
    assert process.wait(timeout=30) == 130
    assert len(records_in(path)) >= 3


def test_a_run_under_nohup_goes_on_when_the_terminal_is_closed(monkeypatch):
    handlers: dict[signal.Signals, object] = {}

    def keep_handlers(*_: object) -> Iterator[Record]:
        handlers.update({n: signal.getsignal(n) for n in (signal.SIGTERM, signal.SIGHUP)})
        yield record(1)

    monkeypatch.setattr(command, "solve_on_processes", keep_handlers)
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        assert run("winrate", "1").exit_code == 0
        assert signal.getsignal(signal.SIGHUP) is signal.SIG_IGN
    finally:
        signal.signal(signal.SIGHUP, before)
    assert handlers[signal.SIGHUP] is signal.SIG_IGN
    assert callable(handlers[signal.SIGTERM])
    try:
        signal.signal(signal.SIGHUP, signal.SIG_DFL)
        assert run("winrate", "1").exit_code == 0
        assert signal.getsignal(signal.SIGHUP) is signal.SIG_DFL
    finally:
        signal.signal(signal.SIGHUP, before)
    assert callable(handlers[signal.SIGHUP])
    assert handlers[signal.SIGHUP] is not signal.SIG_DFL


def test_a_full_disk_ends_a_run_with_complete_lines(tmp_path):
    limit = 1000  # bytes; a few lines

    def limit_file_sizes() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))

    path = tmp_path / "a.jsonl"
    arguments = ("winrate", "1-9", *QUICK, "--jobs", "1", "-o", str(path))
    # Earlier tests have compiled the search. With this limit its cache could not be written.
    process = start(*arguments, cwd=tmp_path, preexec_fn=limit_file_sizes)
    _, errors = process.communicate(timeout=100)
    assert process.returncode == 1
    size, count = path.stat().st_size, len(records_in(path))
    kept, _, error = errors.splitlines()
    assert kept == f"{count} results in '{path}'; continue with:"
    assert error == f"spider-solver: error: '{path}': file too large"
    assert run(*arguments).exit_code == 0
    assert set(records_in(path)) == set(tasks("1-9", suits=(1,)))
    longest = max(map(len, path.read_bytes().splitlines(keepends=True)))
    assert limit - longest < size <= limit  # the next line did not fit


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["1-5", "--suits", "1,5"], 2, "--suits: '5': expected a whole number from 1 to 4"),
        (["1-5", "--suits", ""], 2, "--suits: '': expected a whole number from 1 to 4"),
        (["win7:1-5", "--suits", "1,4"], 1, "win7 has no deals with 1 suit"),
        (["1-5", "--shard", "5/2"], 2, "--shard: '5/2': expected a share like 2/8"),
        (["1-5", "--solutions"], 2, "--solutions and --mix need -o FILE"),
        (["1-5", "--mix"], 2, "--solutions and --mix need -o FILE"),
        (
            ["1", "-j", "2", "--scheduler", "tcp://localhost:1"],
            2,
            "--jobs cannot be combined with --scheduler",
        ),
        (["9-1"], 1, "runs backwards: expected native:1-9"),
        (
            ["1-5", "deal.txt"],
            1,
            "'deal.txt' is not a deal number: expected deal numbers",
        ),
        (["deals/native_1.txt"], 1, "winrate reads no deals from files"),
        (["-"], 1, "winrate reads no deals from files"),
        (["-5"], 1, "'-5' is not a native deal number: expected 0 to"),
        (["1-5", "-o", "/"], 1, "'/' is a folder: expected a results file"),
        (["1-5", "--plot", "x.gif"], 2, "expected a name that ends in .png, .svg, .pdf"),
        (["1", "--scheduler", "rubbish"], 1, "no dask scheduler answers at 'rubbish'"),
    ],
)
def test_errors_are_one_line(arguments, code, message):
    assert message in error_of(run("winrate", *arguments), code)


def test_a_file_that_the_system_refuses_is_reported_in_one_line():
    if not Path("/sys/kernel").is_dir():
        pytest.skip("needs a file system on which no file can be created")
    error = error_of(run("winrate", "1", "-o", "/sys/kernel/results.jsonl"))
    assert error.startswith("'/sys/kernel/results.jsonl': ")
