"""The architecture: who may import whom, what a command loads, and the sizes of modules."""

import ast
import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from spider_solver.cli.main import COMMANDS

PROJECT = Path(__file__).parent.parent
PACKAGE = PROJECT / "spider_solver"
MODULES = sorted(PACKAGE.rglob("*.py"))
SCRIPTS = sorted([*(PROJECT / "tests").glob("*.py"), *(PROJECT / "benchmarks").glob("*.py")])

# A layer is a module or a package right below spider_solver. It may import itself and the layers
# before it in this list.
LAYERS = [
    *("words", "errors", "cards", "deal", "numbering", "game", "telling", "notation"),
    *("recorded_games", "infer", "formats", "replay", "verify"),
    *("bound", "result", "memory", "budget", "kernels", "searches"),
    *("simplify", "prove", "solver", "shorten"),
    *("records", "winrate", "stats", "unknown", "render", "cli", "__main__"),
]
HEAVY = {"numba", "numpy", "llvmlite", "scipy", "matplotlib", "distributed", "dask", "ortools"}
MAX_MODULE_LINES = 350
MAX_FUNCTION_LINES = 60  # from "def" to the last line, with the docstring
MAX_KERNEL_PARAMETERS = 8
# Functions that may be longer, each with its reason in a comment, such as a measured loss of speed.
LONG_FUNCTIONS: set[str] = set()
OPTION = re.compile(r"(?<![\w-])--[a-z]")
OTHER_PROGRAMS = re.compile(r"solvitaire --type spider(?: --random N)?", re.IGNORECASE)


def name_of(path: Path) -> str:
    """``cli.main``; for an ``__init__``, the name of its package; empty for the root's."""
    parts = path.relative_to(PACKAGE).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def layer_of(path: Path) -> str:
    """The layer that a module is in; empty for the root's ``__init__``."""
    return name_of(path).split(".")[0]


def parsed(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def imports(path: Path, *, lazy: bool) -> set[str]:
    """The full names that a module imports.

    lazy: include the imports inside functions and those for type checking only.
    """
    return set(_imports_of(parsed(path), path, lazy))


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
    """True for code that does not run when its module is imported."""
    if isinstance(node, ast.If):
        return ast.unparse(node.test) == "TYPE_CHECKING"
    return isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)


def imported_layer(full_name: str) -> str | None:
    """The layer that an import is from; None if it is not from this package."""
    parts = full_name.split(".")
    if parts[0] != "spider_solver" or parts[1:] == ["__version__"]:
        return None
    return parts[1]


# Imports


def test_imports_are_found():
    found = imports(PACKAGE / "cli" / "solve.py", lazy=True)
    assert {"spider_solver.solver", "spider_solver.render.text.title", "json"} <= found
    assert {"spider_solver.cli.errors.EXIT_CODES", "spider_solver.render.html", "click"} <= found
    at_once = imports(PACKAGE / "cli" / "solve.py", lazy=False)
    assert "spider_solver.render.html" not in at_once


def test_the_list_of_layers_is_complete():
    assert sorted(LAYERS) == sorted({layer_of(path) for path in MODULES} - {""})


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_a_layer_imports_only_the_layers_before_it(path):
    layer = layer_of(path)
    if not layer:  # the package's own __init__ may import any layer
        return
    allowed = {*LAYERS[: LAYERS.index(layer) + 1], None}
    assert {imported_layer(name) for name in imports(path, lazy=True)} <= allowed


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_only_kernels_import_numba_and_only_a_search_loads_kernels(path):
    if layer_of(path) == "kernels":
        return
    at_any_time = imports(path, lazy=True)
    at_once = imports(path, lazy=False)
    assert not {name.split(".")[0] for name in at_any_time} & {"numba", "llvmlite"}
    assert not {name.split(".")[0] for name in at_once} & HEAVY
    assert "kernels" not in map(imported_layer, at_once)


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_only_prove_imports_ortools(path):
    imported = {name.split(".")[0] for name in imports(path, lazy=True)}
    assert "ortools" not in imported or layer_of(path) == "prove"


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_the_html_page_is_loaded_only_where_a_page_is_written(path):
    assert "spider_solver.render.html" not in imports(path, lazy=False)


def test_verify_never_imports_kernels():
    layers = {imported_layer(name) for name in imports(PACKAGE / "verify.py", lazy=True)}
    assert layers == {"deal", "errors", "game", "notation", "recorded_games", "replay", None}


@pytest.mark.parametrize(
    "path", [*MODULES, *SCRIPTS], ids=lambda path: str(path.relative_to(PROJECT))
)
def test_limits_and_results_are_imported_from_the_module_that_defines_them(path):
    defined = {node.name for node in parsed(PACKAGE / "result.py").body if hasattr(node, "name")}
    assert {"Limits", "Method", "Progress", "Result", "Verdict"} <= defined
    tree = ast.walk(parsed(path))
    from_solver = {
        alias.name
        for node in tree
        if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[-1] == "solver"
        for alias in node.names
    }
    assert not from_solver & defined


@pytest.mark.parametrize("command", COMMANDS)
def test_commands_do_not_import_each_other(command):
    found = imports(PACKAGE / "cli" / f"{command}.py", lazy=True)
    others = {f"spider_solver.cli.{name}" for name in COMMANDS if name != command}
    assert not {".".join(name.split(".")[:3]) for name in found} & others


# Loading

GAME = """
suits: 1
1: KS QS JS TS 9S 8S 7S 6S 5S 4S 3S 2S
2: AS
""" + "".join(f"{column}: -\n" for column in range(3, 11))
GAME += "completed: S S S S S S S\nactions:\n2-1x1\n"

LIST_LOADED_MODULES = """
import json, sys
from spider_solver.cli.main import main
try:
    main(sys.argv[1:])
except SystemExit as exit:
    print(json.dumps([exit.code, sorted(sys.modules)]), file=sys.stderr)
"""


@pytest.mark.parametrize(
    ("command", "code"),
    [
        (["--help"], 0),
        (["-h"], 0),
        (["--version"], 0),
        (["solve", "--help"], 0),
        (["winrate", "--help"], 0),
        (["summary", "--help"], 0),
        (["prove", "--help"], 0),
        (["show", "1", "--reveal"], 0),
        (["show", "1", "--format", "json"], 0),
        (["show", "kpat:1-3", "win7:5"], 0),
        (["convert", "pysol:1", "--to", "kpat"], 0),
        (["schemes"], 0),
        (["verify", "GAME"], 0),
        (["replay", "GAME", "--boards"], 0),
        (["solve", "no-deal"], 1),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else str(value),
)
def test_commands_that_do_not_search_load_neither_numba_nor_kernels(command, code, tmp_path):
    game = tmp_path / "game.txt"
    game.write_text(GAME)
    arguments = [str(game) if word == "GAME" else word for word in command]
    result = run_python("-c", LIST_LOADED_MODULES, *arguments)
    exit_code, loaded = json.loads(result.stderr.splitlines()[-1])
    assert exit_code == code, result.stderr
    assert {"click", "spider_solver.cli.main"} <= set(loaded)
    assert not {name for name in loaded if name.startswith("spider_solver.kernels")}
    assert not {name.split(".")[0] for name in loaded} & {*HEAVY, "tqdm", "rich"}


def test_help_loads_no_command():
    loaded = run_python("-X", "importtime", "-m", "spider_solver", "--help").stderr
    assert "spider_solver.cli.options" in loaded
    for command in COMMANDS:
        assert f"spider_solver.cli.{command}" not in loaded
    assert "spider_solver.game" not in loaded


def run_python(*arguments: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, *arguments],
        env={**os.environ, "PYTHONPATH": str(PROJECT)},
        capture_output=True,
        encoding="utf-8",
        timeout=60,
    )


# Text and size


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_only_cli_mentions_options(path):
    if layer_of(path) == "cli":
        return
    texts = [
        node.value
        for node in ast.walk(parsed(path))
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    ]
    assert [text for text in texts if OPTION.search(OTHER_PROGRAMS.sub("", text))] == []


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_modules_are_short(path):
    assert len(path.read_text(encoding="utf-8").splitlines()) <= MAX_MODULE_LINES


def test_functions_are_short():
    found = {
        f"{name_of(path)}.{node.name}"
        for path in MODULES
        for node in ast.walk(parsed(path))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and node.end_lineno is not None
        and node.end_lineno - node.lineno + 1 > MAX_FUNCTION_LINES
    }
    assert found == LONG_FUNCTIONS


def test_kernels_take_few_parameters():
    too_many = {
        f"{path.name}:{function.name}"
        for path in (PACKAGE / "kernels").rglob("*.py")
        for function in ast.walk(parsed(path))
        if isinstance(function, ast.FunctionDef)
        and len([*function.args.args, *function.args.kwonlyargs]) > MAX_KERNEL_PARAMETERS
    }
    assert too_many == set()


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_each_module_has_a_docstring(path):
    assert ast.get_docstring(parsed(path))


def test_the_documentation_names_each_layer():
    page = (PROJECT / "docs" / "architecture.md").read_text(encoding="utf-8")
    for path in PACKAGE.iterdir():
        if path.is_dir() and (path / "__init__.py").exists():
            assert f"{path.name}/" in page
        elif path.suffix == ".py" and not path.name.startswith("__"):
            assert path.name in page
