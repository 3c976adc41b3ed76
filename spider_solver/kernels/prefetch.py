"""Software prefetch, which numba has no function for."""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba.core import cgutils, types
from numba.extending import intrinsic

_READ, _KEEP, _DATA = 0, 3, 1  # arguments of llvm.prefetch: for reading, keep in cache, data


@intrinsic
def prefetch(typingctx: Any, array: Any, index: Any) -> Any:
    """Start to load ``array[index]`` of a two-dimensional array, without waiting for it.

    index: uint64.
    """

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        view = context.make_array(array)(context, builder, arguments[0])
        (stride, _) = cgutils.unpack_tuple(builder, view.strides)
        address = builder.add(
            builder.ptrtoint(view.data, stride.type), builder.mul(arguments[1], stride)
        )
        place = builder.inttoptr(address, ir.IntType(8).as_pointer())
        word = ir.IntType(32)
        kind = ir.FunctionType(ir.VoidType(), [place.type, word, word, word])
        name = "llvm.prefetch.p0i8"
        function = cgutils.get_or_insert_function(builder.module, kind, name)
        builder.call(function, [place, word(_READ), word(_KEEP), word(_DATA)])
        return context.get_dummy_value()

    return types.void(array, index), generate
