"""Results files: one line, the whole file, and all that can happen to it."""

from __future__ import annotations

import errno
import json
import os
from dataclasses import replace
from pathlib import Path

import pytest
from commandline import PROJECT
from hypothesis import given
from hypothesis import strategies as st
from play import sensible_position
from results import KEY, record

from spider_solver import __version__, records
from spider_solver.deal import RowRule
from spider_solver.formats import read_deal, read_game
from spider_solver.records import (
    Record,
    ResultsError,
    ResultsFile,
    Task,
    TaskSet,
    find_flaw,
    read_results,
    settings_key,
)
from spider_solver.result import Limits, Result, Verdict
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
def test_a_line_reads_back(result):
    line = result.to_line()
    assert line.endswith(b"}\n")
    assert line.count(b"\n") == 1
    assert Record.parse(line) == result


def test_keys_are_those_of_the_documentation():
    won, lost = record(solution="row"), record(verdict="undecided", starved=True)
    keys = dict.fromkeys((*json.loads(won.to_line()), *json.loads(lost.to_line())))
    table = records.record.__doc__.split("=\n")[1]
    documented = [line.split()[0] for line in table.splitlines()[:-1] if line[:1] not in ("", " ")]
    assert sorted(documented) == sorted(keys)
    assert list(json.loads(won.to_line()))[:5] == documented[:5]


def test_unknown_keys_are_passed_over():
    later = {**json.loads(record().to_line()), "news": [1, {}]}
    assert Record.parse(json.dumps(later).encode()) == record()


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"schema": 2}, "schema '2': this version reads 1"),
        ({"deal": "native:x"}, "expected a deal number"),
        ({"deal": "native:" + "1" * 50}, "expected a deal number"),
        ({"deal": None}, "deal: expected a text, not 'null'"),
        ({"verdict": "lost"}, "'lost' is not a valid Verdict"),
        ({"rules": "none"}, "'none' is not a valid RowRule"),
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
def test_what_is_wrong_with_a_line_is_said(change, message):
    line = json.dumps({**json.loads(record().to_line()), **change})
    with pytest.raises(ResultsError) as error:
        Record.parse(line.encode())
    assert message in str(error.value)


def test_what_only_a_win_has_may_be_left_out():
    lost, won = (json.loads(record(1, verdict).to_line()) for verdict in ("undecided", "won"))
    for name in ("moves", "rows", "score"):
        del lost[name], won[name]
    assert Record.parse(json.dumps(lost).encode()) == record(1, "undecided")
    with pytest.raises(ResultsError, match="moves None with the verdict won"):
        Record.parse(json.dumps(won).encode())


def test_a_result_becomes_a_record():
    game = read_game((PROJECT / "deals/won_four_suit.txt").read_text(), "game")
    actions = tuple(entry.action for entry in game.actions)
    result = Result(Verdict.WON, actions, 115, 5, 1180, 28744, 250, (250,), 0.123456)
    found = Record.from_result(
        Task("native:1", 4, RowRule.STANDARD), result, KEY, with_solution=True
    )
    assert found.actions() == list(actions)
    assert (found.seconds, found.version, found.key) == (0.1235, __version__, KEY)
    assert Record.from_result(found.task, result, KEY).solution == ""


def test_the_settings_key_tells_limits_and_version():
    assert settings_key(Limits(max_width=10, time_limit=2.5)).startswith(
        f"{__version__} max_width=10 time_limit=2.5"
    )
    keys = {settings_key(limits) for limits in (Limits(), Limits(max_states=9), Limits(7))}
    assert len(keys) == 3


@pytest.mark.parametrize(
    ("limits", "memory"),
    [
        (Limits(), 2**21),
        (Limits(max_width=20, max_positions=10**9), 2**23),
        (Limits(max_states=80_000), 2**21),  # reached after the memory's
    ],
    ids=["beams", "exhaustive search", "both limits"],
)
def test_what_a_share_of_memory_starves_is_recorded(limits, memory):
    result = solve(
        sensible_position(2, 40, 4).to_deal(), replace(limits, max_memory=memory)
    )  # a hard one
    task = Task("native:2", 4, RowRule.STANDARD)
    assert result.verdict is Verdict.UNDECIDED
    assert Record.from_result(task, result, KEY, memory_shared=True).starved
    assert not Record.from_result(task, result, KEY).starved


# Solutions replayed


@pytest.fixture
def won() -> Record:
    """A record with the solution of native:1, four suits."""
    path = PROJECT / "deals" / "won_four_suit.txt"
    game = read_game(path.read_text(), path.name)
    assert game.deal == read_deal(path.read_text(), path.name)
    text = " ".join(entry.text for entry in game.actions)
    rows = text.split().count("row")
    moves = len(game.actions) - rows
    return record(1, moves=moves, rows=rows, score=500 - moves - rows + 800, solution=text)


def test_a_right_solution_has_no_flaw(won):
    assert find_flaw(won) == ""


def test_flaws_are_told(won):
    words = won.solution.split()
    assert "action 1 '9-9x1' is illegal" in find_flaw(replace(won, solution="9-9x1"))
    assert "the game is unfinished at its end" in find_flaw(
        replace(won, solution=" ".join(words[:-1]))
    )
    assert find_flaw(replace(won, moves=won.moves + 1)).startswith(
        f"moves {won.moves + 1}: the replay"
    )
    assert "is illegal" in find_flaw(replace(won, task=won.task._replace(deal="native:2")))
    with pytest.raises(ResultsError, match="expected a move"):
        find_flaw(replace(won, solution="undo"))


# The set of tasks done


@given(
    st.lists(
        st.tuples(
            st.sampled_from(["native:", "pysol:ms", "pysol:"]),
            st.integers(0, 600) | st.integers(0, 2**64 - 1),
            st.sampled_from([1, 4]),
        )
    )
)
def test_the_set_is_a_set(triples):
    tasks = [
        Task(f"{prefix}{number}", suits, RowRule.STANDARD) for prefix, number, suits in triples
    ]
    plain: set[Task] = set()
    found = TaskSet()
    for task in tasks:
        assert (task in found) is (task in plain)
        assert found.add(task) is (task not in plain)
        plain.add(task)
    assert all(task._replace(rules=RowRule.RELAXED) not in found for task in tasks)


# The file


def test_lines_are_appended_and_read(path):
    write(path, record(1), record(2))
    write(path, record(3))
    assert list(read_results(path)) == [record(1), record(2), record(3)]
    with ResultsFile(path, KEY) as file:
        assert (file.count, file.removed_bytes) == (3, 0)
        assert all(record(number).task in file.done for number in (1, 2, 3))
    assert os.listdir(os.path.dirname(path)) == ["results.jsonl"]


def test_a_line_is_there_at_once(path):
    with ResultsFile(path, KEY) as file:
        file.append(record(1))
        assert list(read_results(path)) == [record(1)]


def test_a_line_torn_anywhere_is_cut_off(path):
    whole, torn = record(1).to_line(), record(2).to_line()
    for end in range(1, len(torn) - 1):
        Path(path).write_bytes(whole + torn[:end])
        assert list(read_results(path)) == [record(1)]
        with ResultsFile(path, KEY) as file:
            assert (file.count, file.removed_bytes) == (1, end)
            file.append(record(2))
        assert Path(path).read_bytes() == whole + torn


def test_the_only_line_may_be_torn(path):
    for content in (record(1).to_line()[:-30], b'{"sch', b"\0" * 4096, b'{"schema":\0\0\0'):
        Path(path).write_bytes(content)
        write(path, record(2))
        assert list(read_results(path)) == [record(2)]


def test_blank_lines_are_nothing_torn(path):
    content = b"\n" + record(1).to_line() + b"\n  \n"
    Path(path).write_bytes(content)
    assert list(read_results(path)) == [record(1)]
    with ResultsFile(path, KEY) as file:
        assert (file.count, file.removed_bytes) == (1, 0)
        file.append(record(2))
    assert Path(path).read_bytes() == content + record(2).to_line()
    Path(path).write_bytes(content + b" ")  # an editor's last line without an end
    write(path, record(2))
    assert list(read_results(path)) == [record(1), record(2)]


def test_what_memory_starved_is_not_done(path):
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


def test_only_the_end_of_the_last_line_may_be_missing(path):
    Path(path).write_bytes(record(1).to_line() + record(2).to_line()[:-1])
    assert list(read_results(path)) == [record(1), record(2)]
    write(path, record(3))
    assert list(read_results(path)) == [record(1), record(2), record(3)]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"hello\nworld\n", "line 1: not a result: 'hello' is not JSON; name another file"),
        (b"hello", "line 1: not a result"),
        (b'{"a": 1}\n', "is not the result of a deal"),
        (b"[1, 2]\n", "is not the result of a deal"),
        (b"[" * 100_000, "is not JSON"),
        (b"\xff\xfe\x00" * 1_000_000, "is not JSON"),
        (b'{"schema": 7}\n', "schema '7': this version reads 1"),
        (record(1).to_line() + b"what?\n" + record(2).to_line(), "line 2: not a result: 'what?'"),
        (record(1).to_line() + b"x" * 3_000_000, "line 2: not a result"),
    ],
    ids=lambda value: repr(value)[:20],
)
def test_another_file_is_left_alone(path, content, message):
    Path(path).write_bytes(content)
    for use in (lambda: write(path, record(9)), lambda: list(read_results(path))):
        with pytest.raises(ResultsError) as error:
            use()
        assert message in str(error.value)
        assert path in str(error.value)
    assert Path(path).read_bytes() == content


def test_other_settings_are_refused_unless_mixed(path):
    other = record(1, key="0.1.0 max_width=9")
    Path(path).write_bytes(other.to_line())
    with pytest.raises(
        ResultsError, match=r"other settings, '0.1.0 max_width=9'.*: name another file"
    ):
        write(path, record(2))
    with ResultsFile(path, KEY, mix=True) as file:
        assert file.count == 1
        assert other.task not in file.done
        file.append(record(1))
    assert list(read_results(path)) == [other, record(1)]


def test_one_run_at_a_time(path, tmp_path):
    link = tmp_path / "link.jsonl"
    with ResultsFile(path, KEY) as file:
        link.symlink_to(path)
        for name in (path, str(link)):
            with pytest.raises(ResultsError, match="in use by another run"):
                ResultsFile(name, KEY)
        file.append(record(1))
    write(str(link), record(2))
    assert len(list(read_results(path))) == 2


def test_a_full_disk_leaves_whole_lines(path, monkeypatch):
    written = os.write

    def full(descriptor: int, data: bytes) -> int:
        """Takes ten bytes of a line, and then no more."""
        if len(data) < len(record(2).to_line()):
            raise OSError(errno.ENOSPC, "No space left on device")
        return written(descriptor, data[:10])

    with ResultsFile(path, KEY) as file:
        file.append(record(1))
        monkeypatch.setattr(os, "write", full)
        with pytest.raises(OSError, match="No space left") as error:
            file.append(record(2))
        assert error.value.filename == path
        assert Path(path).read_bytes() == record(1).to_line()
        assert record(2).task not in file.done
        monkeypatch.undo()
        file.append(record(2))
    assert list(read_results(path)) == [record(1), record(2)]


def test_what_is_no_ordinary_file(path, tmp_path):
    for name, message in (
        (str(tmp_path), "is a folder"),
        (os.devnull, "is not a regular file"),
        (str(tmp_path / "no" / "file"), "there is no such folder"),
    ):
        with pytest.raises(ResultsError, match=message):
            ResultsFile(name, KEY)
    with pytest.raises(FileNotFoundError):
        list(read_results(path))


def test_a_flaw_needs_a_deal(won):
    with pytest.raises(ValueError, match="unknown scheme"):
        find_flaw(replace(won, task=won.task._replace(deal="nobody:1")))
