"""The tests of the compiled search carry the marker by which CI selects them."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

TESTS = sorted(Path(__file__).parent.glob("test_*.py"))
# These import the search, but a second run with bounds checks would show nothing new.
UNMARKED = {
    "test_bound",  # the search only provides solutions for the tests of bounds
    "test_library",  # its processes use compiled code that numba does not check
    "test_loading",  # its processes compile with settings of their own
    "test_shortest",  # most of the time is that of the reference implementations
    "test_simplify",  # the search only provides solutions
    "test_unknown_solving",  # each order is an ordinary search
    "test_winrate",  # its searches are like those of test_solver
    "test_prove_solutions",  # the search only provides solutions for the tests of proofs
}


def imported_names(path: Path) -> Iterator[str]:
    """Yield the full name of each import in a module, at any level."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def imports_the_search(path: Path) -> bool:
    return any(
        name.startswith("spider_solver.kernels") or name == "spider_solver.solver.solve"
        for name in imported_names(path)
    )


@pytest.mark.parametrize("path", TESTS, ids=lambda path: path.stem)
def test_modules_that_import_the_search_carry_the_marker(path: Path) -> None:
    if path.stem in UNMARKED or not imports_the_search(path):
        return
    assert "\npytestmark = pytest.mark.kernels\n" in path.read_text(encoding="utf-8")
