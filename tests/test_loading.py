"""Compiling and caching the search: announced once, never stale, with or without a cache.

Each test has its own copy of the package and its own cache folder. Most tests call only parts of
the search, which compile within seconds.
"""

from __future__ import annotations

import ast
import os
import resource
import shutil
import stat
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

PACKAGE = Path(__file__).parent.parent / "spider_solver"
NOTICE = "compiling the search for this machine"

# Kernels that call others in other files, so an edit there changes what they return.
EVALUATE = """
from packed import Packed
from play import one_move_from_won
from spider_solver.game import Move
packed = Packed(one_move_from_won())
print(packed.node["key"], packed.make(Move(1, 0, 1)))
"""
# An index beyond the end of one array of a record, which is still inside the record.
BEYOND = """
from packed import KEYS
from spider_solver.kernels.keys import group_key
from spider_solver.kernels.layout import STATE, new_record
state = new_record(STATE)
state["face_down"][0] = 200
print(group_key(KEYS, state))
"""


class Installation:
    """A copy of the package with an empty cache."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder / "installed"
        self.cache = folder / "cache"
        self.package = self.folder / "spider_solver"
        shutil.copytree(PACKAGE, self.package, ignore=shutil.ignore_patterns("__pycache__"))

    def start(self, *arguments: str, **variables: str) -> subprocess.Popen[str]:
        """Python in a new process that sees this copy and its cache."""
        path = os.pathsep.join([str(self.folder), str(Path(__file__).parent)])
        plain = {k: v for k, v in os.environ.items() if not k.startswith("NUMBA_")}
        return subprocess.Popen(
            [sys.executable, *arguments],
            cwd=self.folder,
            env={
                **plain,
                "PYTHONPATH": path,
                "PYTHONDONTWRITEBYTECODE": "1",
                "NUMBA_CACHE_DIR": str(self.cache),
                **variables,
            },
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            encoding="utf-8",
        )

    def run(self, *arguments: str, **variables: str) -> tuple[int, str, str]:
        """Exit code, stdout and stderr."""
        process = self.start(*arguments, **variables)
        out, error = process.communicate(timeout=300)
        return process.returncode, out, error

    def script(self, text: str, **variables: str) -> str:
        """What a script prints, or its traceback."""
        code, out, error = self.run("-c", text, **variables)
        return out if code == 0 else error

    def edit(self, file: str, old: str, new: str) -> None:
        path = self.package / file
        text = path.read_text(encoding="utf-8")
        assert text.count(old) == 1
        path.write_text(text.replace(old, new), encoding="utf-8")

    def cached(self) -> list[Path]:
        """The files of machine code."""
        return sorted(self.cache.rglob("*.nbc"))


@pytest.fixture
def installation(tmp_path: Path) -> Installation:
    return Installation(tmp_path)


def processor_seconds() -> float:
    """The processor time of all ended child processes, which a busy machine doesn't change."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


SOLVE = ("-m", "spider_solver", "solve", "1", "--suits", "1")


@pytest.mark.slow
def test_first_runs_compile_and_the_next_ones_are_fast(installation):
    start = processor_seconds()
    first = [installation.start(*SOLVE) for _ in range(2)]  # at once: neither harms the other
    outputs = [process.communicate(timeout=300) for process in first]
    assert processor_seconds() - start < 2 * 20
    for out, error in outputs:
        assert out.startswith("native:1, 1 suit, standard rules\nwon: ")
        assert error.startswith(NOTICE)
        assert error.count("\n") == 1
    assert [process.returncode for process in first] == [0, 0]
    before = installation.cached()
    assert before
    fastest = 9.0
    for _ in range(4):
        start = processor_seconds()
        code, out, error = installation.run(*SOLVE)
        fastest = min(fastest, processor_seconds() - start)
        assert (code, error) == (0, "")
        assert out.splitlines()[3:] == outputs[0][0].splitlines()[3:]
    assert installation.cached() == before
    assert fastest < 1.2


@pytest.mark.slow
def test_without_any_place_to_write_it_still_runs_and_quiet_is_quiet(installation, tmp_path):
    nowhere = tmp_path / "a file, no folder"
    nowhere.write_text("")
    for path in sorted(installation.folder.rglob("*")):
        path.chmod(path.stat().st_mode & ~(stat.S_IWUSR | stat.S_IWGRP | stat.S_IWOTH))
    places = {name: str(nowhere) for name in ("HOME", "XDG_CACHE_HOME", "NUMBA_CACHE_DIR")}
    code, out, error = installation.run(*SOLVE, "-q", **places)
    assert (code, error) == (0, "")
    assert out.startswith("native:1, 1 suit, standard rules\nwon: ")


@pytest.mark.parametrize(
    ("file", "old", "new"),
    [
        ("kernels/keys.py", "np.uint64(0xBF58476D1CE4E5B9)", "np.uint64(0x94D049BB133111EB)"),
        ("kernels/apply.py", "            count += 1\n            total", "            total"),
    ],
    ids=["keys", "apply"],
)
def test_an_edit_in_another_file_is_seen(installation, file, old, new):
    before = installation.script(EVALUATE)
    assert before.split()[-1] == "1"
    files = installation.cached()
    assert installation.script(EVALUATE) == before
    assert installation.cached() == files
    text = (installation.package / file).read_text(encoding="utf-8")
    installation.edit(file, old, new)
    after = installation.script(EVALUATE)
    assert len(after.split()) == 2, after
    assert after != before
    (installation.package / file).write_text(text, encoding="utf-8")
    files = installation.cached()
    assert installation.script(EVALUATE) == before  # from the first cache
    assert installation.cached() == files


def test_bounds_checks_are_never_served_from_a_cache_without_them(installation):
    assert installation.script(BEYOND).strip().isdecimal()
    checked = installation.script(BEYOND, NUMBA_BOUNDSCHECK="1")
    assert "IndexError" in checked
    assert installation.script(BEYOND).strip().isdecimal()


def test_the_machine_code_is_in_the_users_cache_and_nowhere_else(installation, tmp_path):
    code, _, error = installation.run("-c", EVALUATE, NUMBA_CACHE_DIR="", HOME=str(tmp_path))
    assert code == 0, error
    assert not list(installation.folder.rglob("*.nb?"))
    assert not list(installation.folder.rglob("__pycache__"))


@pytest.mark.slow
def test_each_kernel_is_compiled_once_and_numba_is_left_as_it_was(installation):
    script = """
import numba
before = numba.config.CACHE_DIR, numba.config.LOOP_VECTORIZE
from play import one_move_from_won
import sys
from spider_solver.kernels.beam.search import BeamSearch
BeamSearch(one_move_from_won(), 1, 2**30).advance(1)
for name, module in list(sys.modules.items()):
    if name.startswith("spider_solver.kernels."):
        for value in vars(module).values():
            if hasattr(value, "signatures"):
                print(value.__name__, len(value.signatures))
after = numba.config.CACHE_DIR, numba.config.LOOP_VECTORIZE
print("same", int(before == after))
"""
    counts = dict(line.split() for line in installation.script(script).splitlines())
    assert counts.pop("same") == "1"
    assert {"advance", "expand_moves", "apply_action", "mix", "contains"} <= {*counts}
    assert {*counts.values()} <= {"0", "1"}  # none for what the search didn't need
    assert counts["apply_action"] == "1"


def test_the_cache_depends_on_all_modules_whose_constants_are_compiled_in():
    from spider_solver.kernels.loading import COMPILED_IN

    not_compiled_in = {"game", "errors", "result", "numbering.splitmix"}  # used from Python only
    found = set()
    for path in (PACKAGE / "kernels").rglob("*.py"):
        depth = len(path.relative_to(PACKAGE).parts)  # leading dots that lead out of kernels/
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and node.level == depth and node.module:
                found.add(node.module)
    assert "cards" in found
    assert {f"{name}.py" for name in found - not_compiled_in} == {*COMPILED_IN}


def test_a_kernel_that_would_allocate_does_not_compile():
    """So kernels need no reference counting."""
    from numba.core.errors import NumbaError

    from spider_solver.kernels.loading import kernel

    @kernel
    def allocate(size):
        return np.zeros(size, np.uint8)[0]

    with pytest.raises((NumbaError, NotImplementedError)):
        allocate(3)
