"""The house: who may import whom, what a command loads, how long a file may be."""

import ast
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from spider_solver.cli.main import COMMANDS

PROJECT = Path(__file__).parent.parent
PACKAGE = PROJECT / "spider_solver"
MAX_LINES = 450

# Each room may import those before it, and itself.
ROOMS = [
    *("errors", "words", "cards", "deal", "numbering", "formats", "game", "infer"),
    *("notation", "replay", "verify", "result", "memory", "budget", "kernels", "searches"),
    *("prove", "solver"),
    *("records", "winrate", "stats", "render", "cli", "__main__"),
]
MODULES = sorted(PACKAGE.rglob("*.py"))
HEAVY = {"numba", "numpy", "llvmlite", "scipy", "matplotlib", "distributed", "dask", "ortools"}


def name_of(path: Path) -> str:
    """``cli.main``; a package's own name for its ``__init__``; empty for the root's."""
    parts = path.relative_to(PACKAGE).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def imports(path: Path, *, lazy: bool) -> Iterator[str]:
    """The full names that a module imports; without lazy, only those imported with it."""
    yield from _imports_of(ast.parse(path.read_text(encoding="utf-8")), path, lazy)


def _imports_of(node: ast.AST, path: Path, lazy: bool) -> Iterator[str]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.Import):
            yield from (alias.name for alias in child.names)
        elif isinstance(child, ast.ImportFrom):
            base = [child.module] if child.module else []
            if child.level:
                package = ("spider_solver", *path.relative_to(PACKAGE).parts[:-1])
                base = [*package[: len(package) - child.level + 1], *base]
            yield from (".".join([*base, alias.name]) for alias in child.names)
        elif lazy or not _is_lazy(child):
            yield from _imports_of(child, path, lazy)


def _is_lazy(node: ast.AST) -> bool:
    """True for what doesn't run when its module is imported."""
    if isinstance(node, ast.If):
        return ast.unparse(node.test) == "TYPE_CHECKING"
    return isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)


def room_of(full_name: str) -> str | None:
    """The room that an import is from; None if it's no room of this house."""
    parts = full_name.split(".")
    if parts[0] != "spider_solver" or parts[1:] == ["__version__"]:
        return None
    return parts[1]


def test_the_walk_sees_imports():
    found = set(imports(PACKAGE / "cli" / "solve.py", lazy=True))
    assert {"spider_solver.solver", "spider_solver.render.text.title", "json"} <= found
    assert {"spider_solver.cli.errors.EXIT_CODES", "tqdm.tqdm", "click"} <= found
    assert "tqdm.tqdm" not in set(imports(PACKAGE / "cli" / "solve.py", lazy=False))


def test_every_module_is_in_a_room():
    rooms = {name_of(path).split(".")[0] for path in MODULES} - {""}
    assert rooms <= set(ROOMS)


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_imports_only_go_up_the_list(path):
    room = name_of(path).split(".")[0]
    if not room:  # the package's own __init__ offers what the rooms have
        return
    allowed = ROOMS[: ROOMS.index(room) + 1]
    used = {room_of(name) for name in imports(path, lazy=True)} - {None}
    assert used <= set(allowed)


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_numba_and_the_kernels_are_loaded_by_a_search_only(path):
    room = name_of(path).split(".")[0]
    if room == "kernels":
        return
    everywhere = set(imports(path, lazy=True))
    at_once = set(imports(path, lazy=False))
    assert not {name.split(".")[0] for name in everywhere} & {"numba", "llvmlite"}
    assert not {name.split(".")[0] for name in at_once} & HEAVY
    assert "kernels" not in map(room_of, at_once)


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_ortools_is_loaded_by_a_proof_only(path):
    used = {name.split(".")[0] for name in imports(path, lazy=True)}
    assert "ortools" not in used or name_of(path).split(".")[0] == "prove"


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_the_html_page_is_loaded_where_one_is_written_only(path):
    assert "spider_solver.render.html" not in set(imports(path, lazy=False))


def test_verify_never_imports_kernels():
    assert "kernels" not in map(room_of, imports(PACKAGE / "verify.py", lazy=True))


GAME = """
suits: 1
1: KS QS JS TS 9S 8S 7S 6S 5S 4S 3S 2S
2: AS
""" + "".join(f"{column}: -\n" for column in range(3, 11))
GAME += "completed: S S S S S S S\nactions:\n2-1x1\n"

WATCH = """
import json, sys
from spider_solver.cli.main import main
try:
    main(sys.argv[1:])
except SystemExit as exit:
    loaded = sorted({name.partition(".")[0] for name in sys.modules})
    print(json.dumps([exit.code, loaded]), file=sys.stderr)
"""


@pytest.mark.parametrize(
    "command",
    [
        ["--help"],
        ["-h"],
        ["--version"],
        ["solve", "--help"],
        ["winrate", "--help"],
        ["summary", "--help"],
        ["prove", "--help"],
        ["show", "1", "--reveal"],
        ["show", "1", "--format", "json"],
        ["show", "kpat:1-3", "win7:5"],
        ["convert", "pysol:1", "--to", "kpat"],
        ["schemes"],
        ["verify", "GAME"],
        ["replay", "GAME", "--boards"],
        ["solve", "no-deal"],
    ],
    ids=" ".join,
)
def test_what_does_not_search_loads_no_numba(command, tmp_path):
    game = tmp_path / "game.txt"
    game.write_text(GAME)
    result = subprocess.run(
        [sys.executable, "-c", WATCH, *(str(game) if word == "GAME" else word for word in command)],
        env={**os.environ, "PYTHONPATH": str(PROJECT)},
        capture_output=True,
        encoding="utf-8",
        timeout=60,
    )
    code, loaded = json.loads(result.stderr.splitlines()[-1])
    assert code == (1 if "no-deal" in command else 0), result.stderr
    assert "click" in loaded
    assert not {*loaded} & {*HEAVY, "tqdm", "rich", "spider_solver.kernels"}


def test_help_loads_no_command():
    result = subprocess.run(
        [sys.executable, "-X", "importtime", "-m", "spider_solver", "--help"],
        env={**os.environ, "PYTHONPATH": str(PROJECT)},
        capture_output=True,
        encoding="utf-8",
        timeout=60,
    )
    assert "spider_solver.cli.options" in result.stderr
    for command in COMMANDS:
        assert f"spider_solver.cli.{command}" not in result.stderr
    assert "spider_solver.game" not in result.stderr


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_files_keep_short(path):
    assert len(path.read_text(encoding="utf-8").splitlines()) <= MAX_LINES


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_each_module_says_what_it_is(path):
    assert ast.get_docstring(ast.parse(path.read_text(encoding="utf-8")))


def test_the_documentation_names_each_layer():
    page = (PROJECT / "docs" / "architecture.md").read_text(encoding="utf-8")
    for path in PACKAGE.iterdir():
        if path.is_dir() and (path / "__init__.py").exists():
            assert f"{path.name}/" in page
        elif path.suffix == ".py" and not path.name.startswith("__"):
            assert path.name in page
