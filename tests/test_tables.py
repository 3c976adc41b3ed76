"""The script of the published tables: makes them, checks them, finds what is wrong in them."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import pytest
from click.testing import CliRunner
from results import record

FOLDER = Path(__file__).parent.parent / "deals" / "results"
NAME = "native_one_suit"


@pytest.fixture(scope="module")
def tables() -> ModuleType:
    """The script, as a module."""
    spec = importlib.util.spec_from_file_location("tables", FOLDER / "tables.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["tables"] = module
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def made(tables, tmp_path_factory) -> Path:
    """A table of a few deals, one of which an earlier run had too little memory for."""
    folder = tmp_path_factory.mktemp("tables")
    key = tables.TABLES[NAME].work.key
    starved = record(1, "undecided", suits=1, key=key, starved=True)
    (folder / f"{NAME}.jsonl").write_bytes(starved.to_line())
    arguments = ["make", NAME, "--sample", "5", "--jobs", "1", "--folder", str(folder)]
    result = CliRunner().invoke(tables.cli, [*arguments, "--results", str(folder)])
    assert result.exit_code == 0, result.output
    return folder / f"{NAME}.csv"


def check(tables, path: Path, count: int = 5):
    arguments = ["check", NAME, "-n", str(count), "--seed", "1", "--folder", str(path.parent)]
    return CliRunner().invoke(tables.cli, arguments)


def test_a_table_is_made_and_checked(tables, made):
    comments, rows = tables.read_table(made)
    assert comments["made by"].endswith(f" -o {NAME}.jsonl -n 5")
    assert comments["settings"] == tables.TABLES[NAME].work.key
    assert [row[0] for row in rows] == ["1", "2001", "4001", "6001", "8001"]
    assert {row[1] for row in rows} == {"won"}
    result = check(tables, made)
    assert result.exit_code == 0
    assert "5 deals, 5 solved again (number, verdict, moves, width)" in result.stdout


@pytest.mark.parametrize("names", [[], [NAME]])
def test_no_table_is_an_error(tables, tmp_path, names):
    result = CliRunner().invoke(tables.cli, ["check", *names, "--folder", str(tmp_path)])
    assert result.exit_code == 1
    (line,) = result.stderr.splitlines()
    assert line.startswith("Error: no table ")
    assert NAME in line
    assert line.endswith(f" in {tmp_path}: make writes them")


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("2001,won,", "2001,won,1", "solved again, 2001,won,"),
        ("2001,won,", "2001,undecided,", "the moves don't go with the verdict"),
        ("2001,won,", "20001,won,", "not in native:1-10000"),
        (" -n 5", "", "9995 deals of native:1-10000 are missing"),
    ],
)
def test_what_is_wrong_is_found(tables, made, tmp_path, old, new, message):
    path = tmp_path / made.name
    path.write_text(made.read_text().replace(old, new, 1))
    result = check(tables, path)
    assert result.exit_code == 1
    assert message in result.stderr


def test_another_versions_moves_are_not_compared(tables, made, tmp_path):
    path = tmp_path / made.name
    text = made.read_text().replace("# settings: ", "# settings: 0.0.9 ")
    path.write_text(text.replace("2001,won,", "2001,won,1", 1))
    result = check(tables, path)
    assert result.exit_code == 0
    assert "5 solved again (number, verdict)" in result.stdout


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.csv")), ids=lambda path: path.stem)
def test_published_tables_are_whole(tables, path):
    comments, rows = tables.read_table(path)
    assert list(tables.faults(tables.TABLES[path.stem], comments, rows)) == []
