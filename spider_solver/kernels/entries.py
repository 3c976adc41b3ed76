"""Calls of kernels from Python: through numba, or through the library of machine code.

``entry(search, kernel)`` returns the function that Python code calls. With numba that is the
kernel. From the library it is a function that passes the arguments by address: it flattens them
into one array of 64-bit integers, from which code in the library (build.py) makes the kernel's
arguments. An argument is flattened so:

    an array       its address, then its length in each dimension
    a record       its address
    a tuple        its items, one after the other; NamedTuples as well
    an integer     itself, as 64 bits

The layouts of the arguments are those of the first call when the library is built, so
``compile_search`` of each search must call all of its entries, and must not depend on their
results. An entry returns an integer, or
None if its kernel returns nothing; from the library it returns 0 then.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np

from . import jit, library

_MASK = 2**64 - 1


class FirstCall(NamedTuple):
    """The first call of an entry while the library is built."""

    kernel: Any
    arguments: tuple[object, ...]


# By the entry's name. None unless the library is built: then entries are not run, they return 0.
first_calls: dict[str, FirstCall] | None = None


def entry(search: str, kernel: Any) -> Callable[..., int]:
    """The function with which the Python code of a search calls a kernel.

    search: its name. Both searches may have an entry for one kernel, with other arguments.
    """
    name = f"{search}: {_name_of(kernel)}"
    if jit.is_with_numba():
        return kernel if first_calls is None else _recording(name, kernel)

    def call(*arguments: object) -> int:
        return library.call(name, list(flatten(arguments)))

    return call


def _recording(name: str, kernel: Any) -> Callable[..., int]:
    def call(*arguments: object) -> int:
        assert first_calls is not None
        first_calls.setdefault(name, FirstCall(kernel, arguments))
        return 0

    return call


def _name_of(kernel: Any) -> str:
    """``beam.levels.advance``: the kernel's module in this package, and its own name."""
    function = kernel.py_func
    return f"{function.__module__.removeprefix(__package__ + '.')}.{function.__name__}"


def flatten(argument: object) -> Iterator[int]:
    """The integers that stand for an argument of an entry."""
    if isinstance(argument, tuple):
        for part in argument:
            yield from flatten(part)
    elif isinstance(argument, np.ndarray):
        yield argument.ctypes.data
        yield from argument.shape
    elif isinstance(argument, np.void):
        yield argument.__array_interface__["data"][0]
    else:
        yield int(argument) & _MASK  # type: ignore[call-overload]
