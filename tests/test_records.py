"""Results files: one line, the check of solutions, the set of tasks, and the whole file."""

from __future__ import annotations

import errno
import fcntl
import itertools
import json
import os
import time
from dataclasses import replace
from pathlib import Path

import filelock
import pytest
from commandline import PROJECT
from hypothesis import given
from hypothesis import strategies as st
from play import sensible_position
from results import KEY, record

from spider_solver import __version__, records
from spider_solver.deal import RowRule
from spider_solver.errors import DealError, NotationError
from spider_solver.formats import read_deal, read_game
from spider_solver.records import (
    OtherSettingsError,
    Record,
    ResultsError,
    ResultsFile,
    SolutionCheck,
    Task,
    TaskSet,
    find_flaw,
    read_results,
    results,
    settings_key,
)
from spider_solver.result import Limits, Result, ShorteningLimits, Verdict
from spider_solver.solver import solve

pytestmark = pytest.mark.kernels


@pytest.fixture
def path(tmp_path: Path) -> str:
    return str(tmp_path / "results.jsonl")


def write(path: str, *results: Record, **options: bool) -> None:
    with ResultsFile(path, KEY, **options) as file:
        for result in results:
            file.append(result)


# One line


@pytest.mark.parametrize(
    "result",
    [
        record(),
        record(2**64 - 1, suits=2, solution="4-7x3 row"),
        record(5, "undecided", rules=RowRule.RELAXED),
        record(5, "unwinnable", width=0, states=0),
        record(6, "undecided", starved=True),
    ],
    ids=str,
)
def test_a_line_is_read_back(result):
    line = result.to_line()
    assert line.endswith(b"}\n")
    assert line.count(b"\n") == 1
    assert Record.parse(line) == result


def test_the_keys_are_documented():
    full = record(verdict="undecided", solution="row", starved=True)
    table = records.record.__doc__.split("=\n")[1]
    documented = [line.split()[0] for line in table.splitlines()[:-1] if line[:1] not in ("", " ")]
    assert list(json.loads(full.to_line())) == documented


def test_unknown_keys_are_ignored():
    later = {**json.loads(record().to_line()), "unknown": [1, {}]}
    assert Record.parse(json.dumps(later).encode()) == record()


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"schema": 2}, "schema '2': this version reads 1"),
        ({"deal": "native:x"}, "'x' is not a native deal number: expected 0 to "),
        ({"deal": "native:" + "1" * 50}, "is not a native deal number: expected 0 to "),
        ({"deal": f"native:{2**64}"}, f"native deal number {2**64} is out of range: expected 0"),
        ({"deal": "native:01"}, "'native:01' is not a canonical deal number: expected native:1"),
        ({"deal": "1"}, "'1' is not a canonical deal number: expected native:1"),
        ({"deal": "nosuch:1"}, "'nosuch:1': unknown scheme 'nosuch': expected one of native, "),
        ({"suits": 7}, "native has no deals with 7 suits: expected 1, 2, 4"),
        ({"suits": 0}, "native has no deals with 0 suits: expected 1, 2, 4"),
        ({"deal": None}, "deal: expected a text, not 'null'"),
        ({"verdict": "lost"}, "verdict 'lost': expected won, unwinnable or undecided"),
        ({"rules": "none"}, "rules 'none': expected standard or relaxed"),
        ({"states": -1}, "states: expected a count, not '-1'"),
        ({"states": 1.5}, "states: expected a count"),
        ({"suits": True}, "suits: expected a count, not 'true'"),
        ({"moves": None}, "moves None with the verdict won"),
        ({"verdict": "undecided"}, "moves 120 with the verdict undecided"),
        ({"seconds": "1"}, "seconds: expected a time"),
        ({"seconds": float("nan")}, "seconds: expected a time"),
        ({"solution": ["row"]}, "solution: expected a text"),
        ({"starved": 1}, "starved: expected true or false, not '1'"),
    ],
)
def test_the_error_names_the_fault_of_a_line(change, message):
    line = json.dumps({**json.loads(record().to_line()), **change})
    with pytest.raises(ResultsError) as error:
        Record.parse(line.encode())
    assert message in str(error.value)


def test_values_of_a_solution_may_be_absent_unless_won():
    lost, won = (json.loads(record(1, verdict).to_line()) for verdict in ("undecided", "won"))
    for name in ("moves", "rows", "score"):
        del lost[name], won[name]
    assert Record.parse(json.dumps(lost).encode()) == record(1, "undecided")
    with pytest.raises(ResultsError, match="moves None with the verdict won"):
        Record.parse(json.dumps(won).encode())


def test_a_record_is_made_from_a_result():
    game = read_game((PROJECT / "deals/won_four_suit.txt").read_text(), "game")
    actions = tuple(entry.action for entry in game.entries)
    result = Result(
        verdict=Verdict.WON,
        actions=actions,
        moves=115,
        rows=5,
        score=1180,
        states=28744,
        width=250,
        widths=(250,),
        seconds=0.123456,
    )
    found = Record.from_result(
        Task("native:1", 4, RowRule.STANDARD), result, KEY, with_solution=True
    )
    assert found.actions() == list(actions)
    assert (found.seconds, found.version, found.key) == (0.1235, __version__, KEY)
    assert Record.from_result(found.task, result, KEY).solution == ""


def test_the_settings_key_has_the_version_and_each_limit():
    assert settings_key(Limits(max_width=10, time_limit=2.5)) == (
        f"{__version__} max_width=10 time_limit=2.5 first_width=64 quick"
    )
    keys = {settings_key(limits) for limits in (Limits(), Limits(max_states=9), Limits(7))}
    assert len(keys) == 3
    assert settings_key(Limits(), ShorteningLimits(seconds=2, states=5)) == (
        f"{settings_key(Limits()).removesuffix('quick')}shorten_seconds=2 shorten_states=5"
    )


@pytest.mark.parametrize(
    ("limits", "memory"),
    [
        (Limits(), 2**21),
        (Limits(max_width=20, max_positions=10**9), 2**23),
        (Limits(max_states=80_000), 2**21),  # the memory limit is reached first
    ],
    ids=["beams", "exhaustive search", "both limits"],
)
def test_a_record_says_if_the_share_of_memory_was_too_small(limits, memory):
    hard_deal = sensible_position(2, 40, 4).to_deal()
    result = solve(hard_deal, replace(limits, max_memory=memory))
    task = Task("native:2", 4, RowRule.STANDARD)
    assert result.verdict is Verdict.UNDECIDED
    assert Record.from_result(task, result, KEY, memory_shared=True).starved
    assert not Record.from_result(task, result, KEY).starved


# The check of solutions


@pytest.fixture
def won() -> Record:
    """A record with a solution of native:1, four suits."""
    path = PROJECT / "deals" / "won_four_suit.txt"
    game = read_game(path.read_text(), path.name)
    assert game.deal == read_deal(path.read_text(), path.name)
    text = " ".join(entry.text for entry in game.entries)
    rows = text.split().count("row")
    moves = len(game.entries) - rows
    return record(1, moves=moves, rows=rows, score=500 - moves - rows + 800, solution=text)


def test_a_correct_solution_has_no_flaw(won):
    assert find_flaw(won) == ""


def test_the_flaws_of_solutions(won):
    actions = won.solution.split()
    illegal = "action 1 '9-9x1' is illegal: column 9 is both the source and the target"
    assert find_flaw(replace(won, solution="9-9x1")) == illegal
    undecided = replace(won, verdict=Verdict.UNDECIDED)
    assert find_flaw(undecided) == "the verdict is undecided, but the game is won at its end"
    unfinished = "the verdict is won, but the game is unfinished at its end"
    assert find_flaw(replace(won, solution=" ".join(actions[:-1]))) == unfinished
    for key in ("moves", "rows", "score"):
        value = getattr(won, key)
        miscounted = f"{key} {value + 1}: the replay counts {value}"
        assert find_flaw(replace(won, **{key: value + 1})) == miscounted
    other_deal = replace(won, task=won.task._replace(deal="native:2"))
    assert find_flaw(other_deal).startswith(f"action 1 {actions[0]!r} is illegal: ")


def test_a_solution_that_can_t_be_replayed_is_an_error(won):
    with pytest.raises(ResultsError, match="'undo': expected a move like 4-7x3, or row"):
        find_flaw(replace(won, solution="undo"))
    with pytest.raises(NotationError, match="'x'"):
        find_flaw(replace(won, solution="x"))
    with pytest.raises(DealError, match="unknown scheme 'nobody'"):
        find_flaw(replace(won, task=won.task._replace(deal="nobody:1")))


def test_a_check_counts_results_solutions_and_flaws(won):
    check = SolutionCheck()
    flaws = [
        check.add(result)
        for result in (won, record(2), record(3, "undecided"), replace(won, solution="undo"))
    ]
    assert flaws == ["", "", "", "'undo': expected a move like 4-7x3, or row"]
    assert (check.results, check.won, check.verified, check.without_solution) == (4, 3, 1, 1)
    assert check.flawed == [(won.task, flaws[3])]
    assert not check.nothing_to_check


def test_a_check_of_wins_without_solutions_checks_nothing():
    check = SolutionCheck()
    check.add(record(1, "undecided"))
    assert not check.nothing_to_check
    check.add(record(2))
    assert check.nothing_to_check


# The set of tasks


@given(
    st.lists(
        st.tuples(
            st.sampled_from(["native:", "pysol:ms", "pysol:"]),
            st.integers(0, 600) | st.integers(0, 2**64 - 1),
            st.sampled_from([1, 4]),
        )
    )
)
def test_a_task_set_is_a_set(triples):
    tasks = [
        Task(f"{prefix}{number}", suits, RowRule.STANDARD) for prefix, number, suits in triples
    ]
    reference: set[Task] = set()
    found = TaskSet()
    for task in tasks:
        assert (task in found) is (task in reference)
        assert found.add(task) is (task not in reference)
        reference.add(task)
    assert all(task._replace(rules=RowRule.RELAXED) not in found for task in tasks)


# The file


def test_lines_are_appended_and_read_back(path):
    write(path, record(1), record(2))
    write(path, record(3))
    assert list(read_results(path)) == [record(1), record(2), record(3)]
    with ResultsFile(path, KEY) as file:
        assert (file.count, file.removed_bytes) == (3, 0)
        assert all(record(number).task in file.done for number in (1, 2, 3))
    assert os.listdir(os.path.dirname(path)) == ["results.jsonl"]  # the lock is removed


def test_a_line_is_in_the_file_at_once(path):
    with ResultsFile(path, KEY) as file:
        file.append(record(1))
        assert list(read_results(path)) == [record(1)]


def test_an_incomplete_last_line_is_removed(path):
    first, second = record(1).to_line(), record(2).to_line()
    for end in range(1, len(second) - 1):
        Path(path).write_bytes(first + second[:end])
        assert list(read_results(path)) == [record(1)]
        with ResultsFile(path, KEY) as file:
            assert (file.count, file.removed_bytes) == (1, end)
            file.append(record(2))
        assert Path(path).read_bytes() == first + second


def test_the_only_line_may_be_incomplete(path):
    for content in (record(1).to_line()[:-30], b'{"sch', b"\0" * 4096, b'{"schema":\0\0\0', b"\n{"):
        Path(path).write_bytes(content)
        write(path, record(2))
        assert list(read_results(path)) == [record(2)]


def test_blank_lines_are_ignored_and_kept(path):
    content = b"\n" + record(1).to_line() + b"\n  \n"
    Path(path).write_bytes(content)
    assert list(read_results(path)) == [record(1)]
    with ResultsFile(path, KEY) as file:
        assert (file.count, file.removed_bytes) == (1, 0)
        file.append(record(2))
    assert Path(path).read_bytes() == content + record(2).to_line()
    Path(path).write_bytes(content + b" ")  # a last line without a newline
    write(path, record(2))
    assert list(read_results(path)) == [record(1), record(2)]


def test_a_task_that_lacked_memory_is_not_done(path):
    starved = record(1, "undecided", starved=True)
    for expected in ([starved], [starved, starved]):
        with ResultsFile(path, KEY) as file:
            file.append(starved)
            assert starved.task not in file.done
        assert list(read_results(path)) == expected
    write(path, record(1))
    with ResultsFile(path, KEY) as file:
        assert file.count == 3
        assert starved.task in file.done


def test_a_last_line_is_kept_if_it_is_complete_but_not_a_result(path):
    impossible = record(1).to_line().replace(b"native:1", b"later:1").rstrip(b"\n")
    for content in (impossible, record(2).to_line() + impossible):
        Path(path).write_bytes(content)
        with pytest.raises(ResultsError, match="unknown scheme 'later'"):
            write(path, record(3))
        with pytest.raises(ResultsError, match="unknown scheme 'later'"):
            list(read_results(path))
        assert Path(path).read_bytes() == content


def test_the_last_line_may_lack_only_its_newline(path):
    Path(path).write_bytes(record(1).to_line() + record(2).to_line()[:-1])
    assert list(read_results(path)) == [record(1), record(2)]
    write(path, record(3))
    assert list(read_results(path)) == [record(1), record(2), record(3)]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"hello\nworld\n", "line 1: not a result: 'hello' is not JSON; expected a results file"),
        (b"hello", "line 1: not a result"),
        (
            b"\nforeign text",
            "line 2: not a result: 'foreign text' is not JSON; expected",
        ),
        (b"\n  \n[", "line 3: not a result: '[' is not JSON; expected a results file"),
        (b'{"a": 1}\n', "is not the result of a deal"),
        (b"[1, 2]\n", "is not the result of a deal"),
        (b"[" * 100_000, "is not JSON"),
        (b"\xff\xfe\x00" * 1_000_000, "is not JSON"),
        (b'{"schema": 7}\n', "line 1: not a result: schema '7': this version reads 1"),
        (record(1).to_line() + b"what?\n" + record(2).to_line(), "line 2: not a result: 'what?'"),
        (record(1).to_line() + b"x" * 3_000_000, "line 2: not a result"),
    ],
    ids=lambda value: repr(value)[:20],
)
def test_a_file_of_another_program_is_refused_and_not_changed(path, content, message):
    Path(path).write_bytes(content)
    for use in (lambda: write(path, record(9)), lambda: list(read_results(path))):
        with pytest.raises(ResultsError) as error:
            use()
        assert str(error.value).startswith(repr(path))
        assert message in str(error.value)
    assert Path(path).read_bytes() == content


def test_results_of_other_settings_are_refused_unless_allowed(path):
    other = record(1, key="0.1.0 max_width=9")
    Path(path).write_bytes(other.to_line())
    with pytest.raises(OtherSettingsError, match=r"other settings, '0\.1\.0 max_width=9'; "):
        write(path, record(2))
    with ResultsFile(path, KEY, mix=True) as file:
        assert file.count == 1
        assert other.task not in file.done
        file.append(record(1))
    assert list(read_results(path)) == [other, record(1)]


def test_a_file_is_open_for_one_run_at_a_time(path, tmp_path):
    link, hard_link = tmp_path / "link.jsonl", tmp_path / "hard.jsonl"
    with ResultsFile(path, KEY) as file:
        link.symlink_to(path)
        os.link(path, hard_link)
        for name in (path, str(link), str(hard_link)):
            with pytest.raises(ResultsError, match="in use by another run"):
                ResultsFile(name, KEY)
        file.append(record(1))
    write(str(link), record(2))
    write(str(hard_link), record(3))
    assert len(list(read_results(path))) == 3
    assert sorted(os.listdir(tmp_path)) == ["hard.jsonl", "link.jsonl", "results.jsonl"]


def test_without_locks_on_files_the_lock_file_keeps_other_runs_out(path, tmp_path, monkeypatch):
    monkeypatch.setattr(ResultsFile, "_lock_descriptor", lambda self: None)
    link = tmp_path / "link.jsonl"
    link.symlink_to(path)
    with ResultsFile(path, KEY):
        for name in (path, str(link)):
            with pytest.raises(ResultsError, match="in use by another run"):
                ResultsFile(name, KEY)


def test_a_file_system_without_locks_is_no_error(path, monkeypatch):
    def refuse(descriptor: int, operation: int) -> None:
        raise OSError(errno.ENOLCK, "No locks available")

    monkeypatch.setattr(fcntl, "flock", refuse)
    monkeypatch.setattr(filelock.FileLock, "acquire", lambda *_, **__: None)
    write(path, record(1))
    assert list(read_results(path)) == [record(1)]


def test_lines_are_on_the_disk_after_some_seconds_and_at_the_end(path, monkeypatch):
    synced: list[bytes] = []
    seconds = itertools.count(1000.0, results.SYNC_SECONDS / 2)
    monkeypatch.setattr(time, "monotonic", lambda: next(seconds))
    monkeypatch.setattr(os, "fsync", lambda descriptor: synced.append(Path(path).read_bytes()))
    lines = [record(number).to_line() for number in range(4)]
    with ResultsFile(path, KEY) as file:
        for number in range(4):
            file.append(record(number))
    assert synced == [b"".join(lines[:count]) for count in (1, 3, 4)]


def test_a_full_disk_leaves_complete_lines(path, monkeypatch):
    real_write = os.write

    def write_to_full_disk(descriptor: int, data: bytes) -> int:
        """Write ten bytes of a line, and fail when the rest is written."""
        if len(data) < len(record(2).to_line()):
            raise OSError(errno.ENOSPC, "No space left on device")
        return real_write(descriptor, data[:10])

    with ResultsFile(path, KEY) as file:
        file.append(record(1))
        monkeypatch.setattr(os, "write", write_to_full_disk)
        with pytest.raises(OSError, match="No space left") as error:
            file.append(record(2))
        assert error.value.filename == path
        assert Path(path).read_bytes() == record(1).to_line()
        assert record(2).task not in file.done
        monkeypatch.undo()
        file.append(record(2))
    assert list(read_results(path)) == [record(1), record(2)]


def test_only_a_regular_file_can_be_a_results_file(path, tmp_path):
    for name, message in (
        (str(tmp_path), "is a folder"),
        (os.devnull, "is not a regular file"),
        (str(tmp_path / "no" / "file"), "there is no such folder"),
    ):
        with pytest.raises(ResultsError, match=message):
            ResultsFile(name, KEY)
    with pytest.raises(FileNotFoundError):
        list(read_results(path))
