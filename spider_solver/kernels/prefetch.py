"""Software prefetch. numba has no function for it."""

from __future__ import annotations

from typing import Any

from . import jit

# Arguments of llvm.prefetch: to read, not to write; the highest locality; data, not code.
_READ, _MOST_LOCAL, _DATA = 0, 3, 1


def _make_prefetch() -> Any:
    from llvmlite import ir
    from numba.core import cgutils, types
    from numba.extending import intrinsic

    @intrinsic
    def prefetch(typingctx: Any, array: Any, index: Any) -> Any:
        """Start to load ``array[index]`` without waiting for it.

        index: uint64.
        """

        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            view = context.make_array(array)(context, builder, arguments[0])
            stride = cgutils.unpack_tuple(builder, view.strides)[0]
            address = builder.add(
                builder.ptrtoint(view.data, stride.type), builder.mul(arguments[1], stride)
            )
            place = builder.inttoptr(address, ir.IntType(8).as_pointer())
            word = ir.IntType(32)
            kind = ir.FunctionType(ir.VoidType(), [place.type, word, word, word])
            name = "llvm.prefetch.p0i8"
            function = cgutils.get_or_insert_function(builder.module, kind, name)
            builder.call(function, [place, word(_READ), word(_MOST_LOCAL), word(_DATA)])
            return context.get_dummy_value()

        return types.void(array, index), generate

    return prefetch


# Without numba no kernel is compiled, so none needs it.
prefetch = _make_prefetch() if jit.is_with_numba() else None
