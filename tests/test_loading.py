"""Compiling and caching of the search.

A cache is never stale, the user is told once that the search is compiled, and it also runs if no
cache can be written. Most tests have their own copy of the package and their own cache folder.
Most call only parts of the search, which compile within seconds.
"""

from __future__ import annotations

import ast
import os
import shutil
import stat
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

PACKAGE = Path(__file__).parent.parent / "spider_solver"
NOTICE = "compiling the search for this machine"

# These kernels call kernels in other files. An edit in those files changes what they return.
EVALUATE = """
from packed import Packed
from play import one_move_from_won
from spider_solver.game import Move
packed = Packed(one_move_from_won())
print(packed.node["key"], packed.make(Move(1, 0, 1)))
"""
# The kernel reads beyond the end of one array of a record, but inside the record.
READ_BEYOND_THE_END = """
from packed import NUMBERS
from spider_solver.kernels.keys import group_key
from spider_solver.kernels.layout import STATE, new_record
state = new_record(STATE)
state["face_down"][0] = 200
print(group_key(NUMBERS, state))
"""


class Installation:
    """A copy of the package with an empty cache."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder / "installed"
        self.cache = folder / "cache"
        self.package = self.folder / "spider_solver"
        shutil.copytree(PACKAGE, self.package, ignore=shutil.ignore_patterns("__pycache__"))

    def start(self, *arguments: str, **variables: str) -> subprocess.Popen[str]:
        """Start Python in a new process that uses this copy and its cache.

        variables: changes to the environment, which has no NUMBA_* settings otherwise.
        """
        path = os.pathsep.join([str(self.folder), str(Path(__file__).parent)])
        inherited = {k: v for k, v in os.environ.items() if not k.startswith("NUMBA_")}
        return subprocess.Popen(
            [sys.executable, *arguments],
            cwd=self.folder,
            env={
                **inherited,
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
        """Run Python in a new process. Returns the exit code, stdout and stderr."""
        process = self.start(*arguments, **variables)
        out, error = process.communicate(timeout=300)
        return process.returncode, out, error

    def script(self, text: str, **variables: str) -> str:
        """Run a script. Returns what it prints, or its traceback."""
        code, out, error = self.run("-c", text, **variables)
        return out if code == 0 else error

    def edit(self, file: str, old: str, new: str) -> None:
        """Replace a text that occurs once in a file of the package."""
        path = self.package / file
        text = path.read_text(encoding="utf-8")
        assert text.count(old) == 1
        path.write_text(text.replace(old, new), encoding="utf-8")

    def cached(self) -> list[Path]:
        """Return the files with machine code in the cache."""
        return sorted(self.cache.rglob("*.nbc"))


@pytest.fixture
def installation(tmp_path: Path) -> Installation:
    return Installation(tmp_path)


SOLVE = ("-m", "spider_solver", "solve", "1", "--suits", "1")


@pytest.mark.slow
def test_first_runs_compile_and_later_runs_do_without_numba(installation):
    first = [installation.start(*SOLVE) for _ in range(2)]  # both compile at the same time
    outputs = [process.communicate(timeout=300) for process in first]
    for out, error in outputs:
        assert out.startswith("native:1, 1 suit, standard rules\nwon: ")
        assert error.startswith(NOTICE)
        assert error.count("\n") == 1
    assert [process.returncode for process in first] == [0, 0]
    (library,) = installation.cache.rglob("library.bin")
    before = library.stat()
    assert [path.name for path in library.parent.iterdir()] == ["library.bin"]
    code, out, error = installation.run(*SOLVE)
    assert (code, error) == (0, "")
    assert out.splitlines()[3:] == outputs[0][0].splitlines()[3:]
    assert library.stat() == before


@pytest.mark.slow
def test_without_a_writable_folder_it_runs_and_q_leaves_out_the_notice(installation, tmp_path):
    no_folder = tmp_path / "a file"
    no_folder.write_text("")
    for path in sorted(installation.folder.rglob("*")):
        path.chmod(path.stat().st_mode & ~(stat.S_IWUSR | stat.S_IWGRP | stat.S_IWOTH))
    folders = {name: str(no_folder) for name in ("HOME", "XDG_CACHE_HOME", "NUMBA_CACHE_DIR")}
    code, out, error = installation.run(*SOLVE, "-q", **folders)
    assert (code, error) == (0, "")
    assert out.startswith("native:1, 1 suit, standard rules\nwon: ")


@pytest.mark.parametrize(
    ("file", "old", "new"),
    [
        ("kernels/keys.py", "_MULTIPLIER = np.uint64(F", "_MULTIPLIER = np.uint64(1 ^ F"),
        ("kernels/apply.py", "            count += 1\n            total", "            total"),
    ],
    ids=["keys", "apply"],
)
def test_an_edit_in_another_file_makes_the_cache_stale(installation, file, old, new):
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


def test_code_without_bounds_checks_is_not_used_if_they_are_wanted(installation):
    assert installation.script(READ_BEYOND_THE_END).strip().isdecimal()
    checked = installation.script(READ_BEYOND_THE_END, NUMBA_BOUNDSCHECK="1")
    assert "IndexError" in checked
    assert installation.script(READ_BEYOND_THE_END).strip().isdecimal()


def test_the_machine_code_is_in_the_users_cache_folder_only(installation, tmp_path):
    home = tmp_path / "home"
    home.mkdir()
    folders = {"NUMBA_CACHE_DIR": "", "HOME": str(home), "XDG_CACHE_HOME": str(home / "cache")}
    code, _, error = installation.run("-c", EVALUATE, **folders)
    assert code == 0, error
    written = list(tmp_path.rglob("*.nb?"))
    assert written
    assert all(path.is_relative_to(home) and "spider-solver" in path.parts for path in written)
    assert not list(installation.folder.rglob("__pycache__"))


@pytest.mark.slow
def test_each_kernel_is_compiled_once_and_numbas_settings_are_restored(installation):
    script = """
import numba
before = numba.config.CACHE_DIR, numba.config.LOOP_VECTORIZE
from play import one_move_from_won
import sys
from spider_solver.kernels.beam.search import BeamSearch
BeamSearch(one_move_from_won(), 1, 2**30).advance(1)
for name, module in sys.modules.items():
    if name.startswith("spider_solver.kernels."):
        for kernel in vars(module).values():
            if hasattr(kernel, "signatures") and kernel.py_func.__module__ == name:
                path = name.removeprefix("spider_solver.kernels.")
                print(f"{path}.{kernel.__name__}", len(kernel.signatures))
after = numba.config.CACHE_DIR, numba.config.LOOP_VECTORIZE
print("same", int(before == after))
"""
    counts = dict(line.split() for line in installation.script(script).splitlines())
    assert counts.pop("same") == "1"
    assert {"beam.levels.advance", "apply.apply_action", "exhaustive.position.make"} <= {*counts}
    # A short beam search needs all kernels but these and those of the exhaustive search.
    unused = {"moves.generate", "table.rehash"}
    for name, count in counts.items():
        expected = "0" if name in unused or name.startswith("exhaustive.") else "1"
        assert count == expected, name


def test_the_cache_depends_on_all_modules_with_constants_that_are_compiled_in():
    from spider_solver.kernels.cache import COMPILED_IN

    not_compiled_in = {"game", "errors", "result", "numbering"}  # used from Python only
    found = set()
    for path in (PACKAGE / "kernels").rglob("*.py"):
        depth = len(path.relative_to(PACKAGE).parts)  # leading dots that lead out of kernels/
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and node.level == depth and node.module:
                found.add(node.module)
    assert "cards" in found
    assert {f"{name.replace('.', '/')}.py" for name in found - not_compiled_in} == {*COMPILED_IN}


def test_a_kernel_that_would_allocate_does_not_compile():
    """This is why kernels need no reference counting."""
    from numba.core.errors import NumbaError

    from spider_solver.kernels.jit import kernel

    @kernel
    def allocate(size):
        return np.zeros(size, np.uint8)[0]

    with pytest.raises((NumbaError, NotImplementedError)):
        allocate(3)
