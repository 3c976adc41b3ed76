"""benchmarks/tables.py: it makes the published tables, checks them and finds faults in them."""

from __future__ import annotations

from pathlib import Path

import pytest
import tables
from click.testing import CliRunner
from results import record

NAME = "native_one_suit"


@pytest.fixture(scope="module")
def made(tmp_path_factory) -> Path:
    """A table of five deals. For one of them an earlier run had too little memory."""
    folder = tmp_path_factory.mktemp("tables")
    key = tables.TABLES[NAME].work.key
    starved = record(1, "undecided", suits=1, key=key, starved=True)
    (folder / f"{NAME}.jsonl").write_bytes(starved.to_line())
    arguments = ["make", NAME, "--sample", "5", "--jobs", "1", "--folder", str(folder)]
    result = CliRunner().invoke(tables.cli, [*arguments, "--results", str(folder)])
    assert result.exit_code == 0, result.output
    return folder / f"{NAME}.csv"


def check(path: Path, count: int = 5):
    arguments = ["check", NAME, "-n", str(count), "--seed", "1", "--folder", str(path.parent)]
    return CliRunner().invoke(tables.cli, arguments)


def test_a_table_is_made_and_checked(made):
    comments, rows = tables.read_table(made)
    assert comments["made by"] == (
        f"spider-solver winrate native:1-10000 --suits 1 --max-width 65536 -o {NAME}.jsonl -n 5"
    )
    assert comments["settings"] == tables.TABLES[NAME].work.key
    assert [row[0] for row in rows] == ["1", "2001", "4001", "6001", "8001"]
    assert {row[1] for row in rows} == {"won"}
    result = check(made)
    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout == (f"{made}: 5 deals, 5 solved again (number, verdict, moves, width)\n")


@pytest.mark.parametrize("names", [[], [NAME]])
def test_a_missing_table_is_an_error(tmp_path, names):
    result = CliRunner().invoke(tables.cli, ["check", *names, "--folder", str(tmp_path)])
    missing = ", ".join(names or tables.TABLES)
    assert result.exit_code == 1
    assert result.stderr == (
        f"Error: no table {missing} in {tmp_path}: the command make writes them\n"
    )


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("2001,won,", "2001,won,1", "solved again, 2001,won,"),
        ("2001,won,", "2001,undecided,", "the moves do not fit the verdict"),
        ("2001,won,", "20001,won,", "a number occurs twice or is not in native:1-10000"),
        (" -n 5", "", "9995 deals of native:1-10000 are missing"),
    ],
)
def test_faults_are_found(made, tmp_path, old, new, message):
    path = tmp_path / made.name
    path.write_text(made.read_text().replace(old, new, 1))
    result = check(path)
    assert result.exit_code == 1
    assert message in result.stderr


def test_moves_of_another_version_are_not_compared(made, tmp_path):
    path = tmp_path / made.name
    text = made.read_text().replace("# settings: ", "# settings: 0.0.9 ")
    path.write_text(text.replace("2001,won,", "2001,won,1", 1))
    result = check(path)
    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout == f"{path}: 5 deals, 5 solved again (number, verdict)\n"


def test_each_table_is_published():
    assert {path.stem for path in tables.FOLDER.glob("*.csv")} == set(tables.TABLES)


@pytest.mark.parametrize("name", tables.TABLES)
def test_published_tables_have_no_fault(name):
    comments, rows = tables.read_table(tables.FOLDER / f"{name}.csv")
    assert list(tables.faults(tables.TABLES[name], comments, rows)) == []
