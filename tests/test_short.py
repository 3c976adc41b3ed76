"""benchmarks/short.py: it measures short solutions, and replaces records only by shorter ones."""

import pytest
import short
from click.testing import CliRunner
from play import one_move_from_won

from spider_solver.formats import write_game
from spider_solver.game import Move
from spider_solver.numbering import deal_from_number
from spider_solver.recorded_games import recorded_game

ALL_GROUPS = short.GROUPS
LONG = [Move(1, 2, 1), Move(2, 0, 1)]  # a solution of the deal, and its shortest one
SHORTEST = [Move(1, 0, 1)]


@pytest.fixture(autouse=True)
def group(tmp_path, monkeypatch):
    """One group with one deal, and an empty folder of records."""
    monkeypatch.setattr(short, "FOLDER", tmp_path)
    monkeypatch.setattr(short, "GROUPS", {"ends": lambda: {"1": one_move_from_won()}})
    monkeypatch.setattr(short, "ProcessPoolExecutor", InThisProcess)


class InThisProcess:
    """An executor that runs a task when it is submitted."""

    def __init__(self, jobs):
        assert jobs == 1

    def __enter__(self):
        return self

    def __exit__(self, *_):
        pass

    def submit(self, function, *arguments):
        result = function(*arguments)
        return type("Done", (), {"result": lambda self: result})()


def run(*arguments):
    return CliRunner().invoke(short.cli, arguments)


def write(actions, deal=None):
    path = short.record_path("ends", "1")
    path.parent.mkdir(exist_ok=True)
    path.write_text(write_game(recorded_game(deal or one_move_from_won(), actions)))
    return path


def test_improve_writes_a_record_and_replaces_a_longer_one():
    assert run("improve", "--states", "1000").exit_code == 0
    path = short.record_path("ends", "1")
    shortest = path.read_text()
    assert "2-1x1" in shortest
    write(LONG)
    assert run("improve", "--states", "1000").exit_code == 0
    assert path.read_text() == shortest


def test_improve_leaves_a_record_that_is_as_short():
    path = write(SHORTEST)
    path.write_text("# a comment\n" + path.read_text())
    before = path.read_text()
    assert run("improve", "--states", "1000").exit_code == 0
    assert path.read_text() == before


def test_measure_writes_no_record():
    result = run("measure", "--states", "1000")
    assert result.output.splitlines()[1].split()[:4] == ["ends", "1", "1.00", "1.00"]
    assert not short.record_path("ends", "1").exists()


def test_check_and_table():
    write(LONG)
    assert run("check").output == "1 records win their deals\n"
    assert run("table").output.splitlines()[1].split() == ["ends", "1", "2.00", "2", "2"]


@pytest.mark.parametrize(
    ("actions", "deal", "message"),
    [
        ([], None, "unfinished"),
        (SHORTEST * 2, None, "illegal"),
        ([], deal_from_number("native:1"), "unfinished"),
    ],
)
def test_check_refuses_a_record_that_does_not_win(actions, deal, message):
    write(actions, deal)
    result = run("check")
    assert result.exit_code == 1
    assert message in result.output


def test_check_refuses_a_record_of_another_deal(monkeypatch):
    write(SHORTEST)
    monkeypatch.setattr(short, "GROUPS", {"ends": lambda: {"1": deal_from_number("native:1")}})
    result = run("check")
    assert result.exit_code == 1
    assert "the record is of another deal" in result.output


def test_a_search_needs_a_limit():
    assert run("measure").exit_code == 2


def test_the_groups_have_the_deals_that_the_documents_name():
    sizes = {name: len(make()) for name, make in ALL_GROUPS.items()}
    assert sizes.pop("published_two_suit") == 46
    assert len(sizes) == 6
    assert set(sizes.values()) == {100}
