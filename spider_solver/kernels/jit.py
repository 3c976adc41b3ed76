"""The decorator ``kernel``, which compiles a function with numba.

There are two ways to run kernels:

- *With numba.* ``kernel`` returns numba's dispatcher, which compiles the function at its first
  call. Tests, benchmarks and the build of the library (build.py) work so.
- *From the library.* The machine code of all kernels that Python calls was built before, and is
  loaded from one file (library.py). numba is not imported, which saves most of the start-up time.
  ``kernel`` returns an ``Uncompiled`` function, which can't be called. The function ``solve``
  works so, unless numba was asked for.

The way is fixed when the first kernel is defined: ``use_library`` must be called before.

``kernel`` releases the GIL, compiles in one thread at a time, and turns off three features of
numba:

- The loop vectorizer. Kernels have many short loops over bytes: it takes much time to compile
  them and makes nothing faster.
- A separate compilation for each constant argument, for the same reason. Both features together
  would more than double the time to compile.
- Reference counting of arrays. Each call executed an atomic instruction, and these took a quarter
  of the search's time. Kernels allocate nothing and return no arrays, so there is nothing to
  count. A kernel that allocates doesn't compile.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..errors import InternalError
from .cache import numba_cache_folder

_OPTIONS: dict[str, Any] = {"nogil": True, "_nrt": False}  # _nrt: reference counting
# More options of numba for the kernels defined from now on; build.py sets them.
more_options: dict[str, Any] = {}
_with_numba = True
_is_fixed = False  # whether a kernel was defined


class Uncompiled:
    """A kernel in a process that runs kernels from the library."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self.py_func = function  # the function itself, as numba's dispatchers have it
        self.__doc__ = function.__doc__

    def __call__(self, *arguments: object) -> Any:
        """Raise InternalError: only entries.py may call kernels in such a process."""
        raise InternalError(f"{self.py_func.__name__} was called without numba")


def is_with_numba() -> bool:
    """Whether kernels of this process are compiled by numba."""
    return _with_numba


def is_fixed() -> bool:
    """Whether a kernel was defined, so that the way to run kernels can't change any more."""
    return _is_fixed


def use_library() -> bool:
    """Run the kernels of this process from the library; False if a kernel was defined already."""
    global _with_numba
    if not _is_fixed:
        _with_numba = False
    return not _with_numba


def kernel(function: Callable[..., Any]) -> Any:
    """Compile a function with numba: without Python objects, and with the GIL released."""
    global _is_fixed
    _is_fixed = True
    if not _with_numba:
        return Uncompiled(function)
    import numba
    from numba.core.compiler_lock import global_compiler_lock

    folder = numba_cache_folder()
    default_folder, numba.config.CACHE_DIR = numba.config.CACHE_DIR, folder
    dispatcher = numba.njit(cache=bool(folder), **_OPTIONS, **more_options)(function)
    numba.config.CACHE_DIR = default_folder
    compile_for = dispatcher.compile

    def compile_without_vectorizer(signature: Any) -> Any:
        if isinstance(signature, tuple):
            signature = tuple(numba.types.unliteral(argument) for argument in signature)
        with global_compiler_lock:
            before = numba.config.LOOP_VECTORIZE
            numba.config.LOOP_VECTORIZE = 0
            try:
                return compile_for(signature)
            finally:
                numba.config.LOOP_VECTORIZE = before

    dispatcher.compile = compile_without_vectorizer
    return dispatcher
