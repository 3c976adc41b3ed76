"""Builds the library of machine code with numba: ``build`` in a process of its own.

Every entry is called once for a sample deal. That runs nothing; it shows the layouts of the
arguments. For each entry a wrapper is generated that makes the arguments from the flattened
integers (entries.py) and calls the kernel. One function calls the wrapper by the entry's number;
its object code contains all kernels.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import numba
import numpy as np
from numba.core import types
from numba.extending import intrinsic
from numba.np.arrayobj import make_array, populate_array

from ..numbering import deal_from_number
from . import cache, entries, jit, library
from .entries import FirstCall

_SAMPLE = "native:1"


@intrinsic
def record_at(typingctx: Any, address: Any, dtype: Any) -> Any:
    """The record of a dtype at an address."""
    record = dtype.dtype

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.inttoptr(arguments[0], context.get_value_type(record))

    return record(types.int64, dtype), generate


@intrinsic
def array_at(typingctx: Any, address: Any, length: Any, dtype: Any) -> Any:
    """The one-dimensional array of a dtype and a length at an address."""
    array = types.Array(dtype.dtype, 1, "C")

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return _array(context, builder, array, arguments[0], [arguments[1]])

    return array(types.int64, types.int64, dtype), generate


@intrinsic
def table_at(typingctx: Any, address: Any, rows: Any, columns: Any, dtype: Any) -> Any:
    """The two-dimensional array of a dtype and a shape at an address."""
    array = types.Array(dtype.dtype, 2, "C")

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return _array(context, builder, array, arguments[0], [arguments[1], arguments[2]])

    return array(types.int64, types.int64, types.int64, dtype), generate


def _array(context: Any, builder: Any, kind: Any, address: Any, shape: list[Any]) -> Any:
    """The value of an array, in C order, without an owner of its memory."""
    size = context.get_constant(
        types.intp, context.get_abi_sizeof(context.get_data_type(kind.dtype))
    )
    strides: list[Any] = []
    stride = size
    for length in reversed(shape):
        strides.insert(0, stride)
        stride = builder.mul(stride, length)
    array = make_array(kind)(context, builder)
    populate_array(
        array,
        data=builder.inttoptr(address, array.data.type),
        shape=shape,
        strides=strides,
        itemsize=size,
        meminfo=None,
    )
    return array._getvalue()


class _Wrapper:
    """The source of one entry's wrapper."""

    def __init__(self, name: str, call: FirstCall) -> None:
        self.names: dict[str, Any] = {
            "array_at": array_at,
            "record_at": record_at,
            "table_at": table_at,
            "int64": np.int64,
            "uint64": np.uint64,
            "kernel": call.kernel,
        }
        self._taken = 1  # integers used so far; the first one is the entry's number
        arguments = ", ".join(map(self._expression, call.arguments))
        result = f"kernel({arguments})"
        kinds = tuple(map(numba.typeof, call.arguments))
        call.kernel.compile(kinds)
        returns = call.kernel.overloads[kinds].signature.return_type != types.none
        last = f"    return int64({result})" if returns else f"    {result}\n    return 0"
        self.names["INT64"] = np.dtype(np.int64)
        first = f"    n = array_at(address, {self._taken}, INT64)"
        self.source = f"def wrapper(address):\n{first}\n{last}\n"

    def _next(self) -> str:
        self._taken += 1
        return f"n[{self._taken - 1}]"

    def _name(self, value: Any) -> str:
        name = f"value_{len(self.names)}"
        self.names[name] = value
        return name

    def _expression(self, argument: object) -> str:
        """The expression that makes an argument from the next integers."""
        if isinstance(argument, tuple):
            parts = "".join(f"{self._expression(part)}, " for part in argument)
            return (
                f"{self._name(type(argument))}({parts})"
                if hasattr(argument, "_fields")
                else f"({parts})"
            )
        if isinstance(argument, np.void):
            return f"record_at({self._next()}, {self._name(argument.dtype)})"
        if isinstance(argument, np.ndarray):
            make = {1: "array_at", 2: "table_at"}[argument.ndim]
            places = ", ".join(self._next() for _ in range(1 + argument.ndim))
            return f"{make}({places}, {self._name(argument.dtype)})"
        if isinstance(argument, np.uint64):
            return f"uint64({self._next()})"
        return self._next()


def _compiled(source: str, name: str, names: dict[str, Any]) -> Any:
    from .jit import kernel

    exec(source, names)
    return kernel(names[name])


def build(path: Path) -> None:
    """Compile all entries and write the library's file."""
    cache.disk_cache_of_numba = False
    # Python doesn't call the kernels of the library directly.
    jit.more_options.update(no_cpython_wrapper=True, no_cfunc_wrapper=True)
    entries.first_calls = {}
    from .beam.search import compile_search as compile_beam_search
    from .exhaustive.search import compile_search as compile_exhaustive_search

    deal = deal_from_number(_SAMPLE)
    compile_beam_search(deal)
    compile_exhaustive_search(deal)
    names: dict[str, Any] = {
        "array_at": array_at,
        "INT64": np.dtype(np.int64),
    }
    source = "def call_entry(address):\n    number = array_at(address, 1, INT64)[0]\n"
    for number, (name, call) in enumerate(entries.first_calls.items()):
        wrapper = _Wrapper(name, call)
        names[f"wrapper_{number}"] = _compiled(wrapper.source, "wrapper", wrapper.names)
        source += f"    if number == {number}:\n        return wrapper_{number}(address)\n"
    source += "    return 0\n"
    function = _compiled(source, "call_entry", names)
    function.compile((types.int64,))
    (result,) = function.overloads.values()
    _, _, (code, _) = result.library.serialize_using_object_code()
    library.write(path, code, result.fndesc.mangled_name, [*entries.first_calls])


def main() -> None:
    """Build the library; the command line is the folder of the package and the file to write."""
    build(Path(sys.argv[2]))
