"""The library of machine code: read whole or built again, safe, and used without numba.

A library is built once for all tests of this module. Each test runs a new process, with its own
cache folder, in which a build only copies that library.
"""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from spider_solver import solver
from spider_solver.kernels import entries, jit, layout
from spider_solver.kernels.library import DamagedLibrary, load, write
from spider_solver.numbering import deal_from_number
from spider_solver.numbering.splitmix import SplitMix64
from spider_solver.result import Limits

PROJECT = Path(__file__).parent.parent
assert layout.STATE  # a module with kernels: from now on numba runs them in this process
BUILD = "import sys; from pathlib import Path; from spider_solver.kernels.build import build"
# Solves a deal and prints: what was announced, the result, the loaded packages.
SOLVE = """
import json, sys
from spider_solver.kernels import library
prepared, suits = sys.argv[1:]
if prepared:
    library._BUILD = f"import shutil, sys; shutil.copy({prepared!r}, sys.argv[2])"
from spider_solver.numbering import deal_from_number
from spider_solver.result import Limits
from spider_solver.solver import solve
announced = []
result = solve(
    deal_from_number("native:1", int(suits)), Limits(max_width=64), announce=announced.append
)
loaded = sorted({"numba", "scipy"} & {*sys.modules})
print(json.dumps([announced, result.states, result.children, len(result.actions), loaded]))
"""


def python(*arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
    """Run Python in a new process that uses this package."""
    inherited = {k: v for k, v in os.environ.items() if not k.startswith("NUMBA_")}
    return subprocess.run(
        [sys.executable, "-c", *arguments],
        env={**inherited, "PYTHONPATH": str(PROJECT), **variables},
        capture_output=True,
        encoding="utf-8",
        timeout=300,
        check=True,
    )


@pytest.fixture(scope="module")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The file of a library."""
    path = tmp_path_factory.mktemp("library") / "prepared.bin"
    python(f"{BUILD}; build(Path(sys.argv[1]))", str(path))
    return path


def solve(prepared: Path | str, cache: Path, suits: int = 1, **variables: str) -> list[object]:
    """Solve a deal in a new process."""
    done = python(SOLVE, str(prepared), str(suits), NUMBA_CACHE_DIR=str(cache), **variables)
    assert done.stderr == ""
    found: list[object] = json.loads(done.stdout)
    return found


def library_in(cache: Path) -> Path:
    (path,) = cache.rglob("library.bin")
    return path


def test_the_library_is_built_once_and_loaded_without_numba(prepared, tmp_path):
    (notice,), *first, loaded = solve(prepared, tmp_path)
    assert notice.startswith("compiling the search for this machine (only once;")
    assert loaded == []
    before = library_in(tmp_path).stat()
    assert solve(prepared, tmp_path) == [[], *first, []]
    assert library_in(tmp_path).stat() == before


@pytest.mark.parametrize("suits", [1, 2, 4])
def test_the_library_and_numba_find_the_same(prepared, tmp_path, suits):
    assert jit.is_with_numba()  # in this process
    result = solver.solve(deal_from_number("native:1", suits), Limits(max_width=64))
    from_numba = [result.states, result.children, len(result.actions)]
    assert solve(prepared, tmp_path, suits)[1:] == [*from_numba, []]


@pytest.mark.slow
def test_with_bounds_checks_numba_is_used(prepared, tmp_path):
    _, *from_library, loaded = solve(prepared, tmp_path)
    assert loaded == []
    announced, *from_numba, loaded = solve(prepared, tmp_path, NUMBA_BOUNDSCHECK="1")
    assert announced == []
    assert "numba" in loaded
    assert from_numba == from_library


def damages(content: bytes) -> dict[str, bytes]:
    """Damaged contents of a library's file, by the kind of damage."""
    chance = random.Random(5)
    middle = len(content) // 2
    return {
        "empty": b"",
        "cut": content[:-1],
        "half": content[:middle],
        "longer": content + b"\0",
        "a flipped bit": content[:middle] + bytes([content[middle] ^ 1]) + content[middle + 1 :],
        "a flipped bit in the list": content[:70] + bytes([content[70] ^ 1]) + content[71:],
        "random": chance.randbytes(len(content)),
        "random at the end": content[:middle] + chance.randbytes(len(content) - middle),
        "zeros": bytes(len(content)),
    }


def test_a_damaged_library_is_announced_and_built_again(prepared, tmp_path):
    _, *whole = solve(prepared, tmp_path)
    path = library_in(tmp_path)
    content = path.read_bytes()
    for kind, damaged in damages(content).items():
        path.write_bytes(damaged)
        announced, *found = solve(prepared, tmp_path)
        assert found == whole, kind
        assert len(announced) == 2
        assert announced[0] == f"{str(path)!r} is damaged: it is compiled again"
        assert path.read_bytes() == content
    for damaged in damages(content).values():
        path.write_bytes(damaged)
        with pytest.raises(DamagedLibrary):
            load(path)


@pytest.mark.skipif(not hasattr(os, "geteuid"), reason="needs permissions as on POSIX")
@pytest.mark.parametrize("mode", [0o777, 0o770, 0o707])
def test_a_folder_that_others_can_write_to_is_not_used(prepared, tmp_path, mode):
    solve(prepared, tmp_path)
    folder = library_in(tmp_path).parent
    library_in(tmp_path).write_bytes(b"not to be read")
    for unsafe in (folder, tmp_path):
        unsafe.chmod(mode)
        (refusal, notice), *_, loaded = solve(prepared, tmp_path)
        unsafe.chmod(0o700)
        assert refusal == f"the cache is not used: {str(unsafe)!r} can be written by other users"
        assert "(each time;" in notice
        assert loaded == []
    assert library_in(tmp_path).read_bytes() == b"not to be read"


@pytest.mark.slow
def test_if_the_build_fails_numba_compiles_in_the_process(tmp_path):
    announced, *_, loaded = solve(tmp_path / "missing", tmp_path)
    assert len(announced) == 1
    assert "numba" in loaded
    assert not list(tmp_path.rglob("library.bin"))


def test_a_library_is_written_whole_or_not_at_all(tmp_path):
    path = tmp_path / "library.bin"
    with pytest.raises(TypeError):
        write(path, "no bytes", "symbol", [])
    assert not list(tmp_path.iterdir())


def test_arguments_are_flattened_to_integers():
    array = np.zeros((3, 2), np.uint64)
    record = np.zeros(2, [("a", np.int64), ("b", [("c", np.int64)])])[1]
    found = list(entries.flatten(((array, (7,)), record["b"], -1, np.uint64(2**64 - 1))))
    inner = record["b"].__array_interface__["data"][0]
    assert found == [array.ctypes.data, 3, 2, 7, inner, 2**64 - 1, 2**64 - 1]
    assert inner == record.__array_interface__["data"][0] + 8


def test_the_numbers_of_all_keys_at_once_are_those_of_the_generator():
    from spider_solver.kernels.keys import FIRST_SEED, splitmix_outputs

    generator = SplitMix64(FIRST_SEED)
    assert splitmix_outputs(FIRST_SEED, 1000).tolist() == [generator.next() for _ in range(1000)]
