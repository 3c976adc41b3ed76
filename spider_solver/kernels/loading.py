"""How kernels are compiled and cached. ``kernel`` is the one decorator that they all use.

numba's own cache looks at the source of one function alone: after an edit in a function that
it calls, stale machine code would run, and a run with bounds checks on would find the code
without them. So the cache folder's name holds a digest of every kernel's source, of the
versions of numba, numpy and Python, of the processor and of all that NUMBA_* sets.
Without a writable folder the kernels are compiled anew in each process.

``kernel`` turns off three habits of numba's. Vectorizing the many short loops over bytes, and
compiling a kernel once more for each constant that it is called with, would more than double
the time that compiling takes, for no gain in speed. Counting the references to each array, with
a locked instruction at each call, took a fourth of the search's time; kernels allocate nothing
and return no arrays, so there is nothing to count (one that did would not compile).
"""

from __future__ import annotations

import hashlib
import os
import platform
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import llvmlite.binding
import numba
import numpy as np
import platformdirs
from numba.core.compiler_lock import global_compiler_lock

_READY = "compiled"
_OPTIONS: dict[str, Any] = {"nogil": True, "_nrt": False}  # the latter counts references
# What kernels know of the rest of the package at compile time: constants of these modules.
_USED = ("cards.py", "deal.py")


def source_digest() -> str:
    """A digest of all that decides the kernels' machine code."""
    digest = hashlib.sha256()
    here = Path(__file__).parent
    for path in (*sorted(here.rglob("*.py")), *(here.parent / name for name in _USED)):
        name = path.relative_to(here.parent).as_posix()
        digest.update(name.encode() + b"\0" + path.read_bytes() + b"\0")
    flags = sorted(
        f"{key}={value}"
        for key, value in os.environ.items()
        if key.startswith("NUMBA_") and key not in ("NUMBA_CACHE_DIR", "NUMBA_NUM_THREADS")
    )
    versions = (numba.__version__, np.__version__, sys.version, platform.machine())
    cpu = (llvmlite.binding.get_host_cpu_name(), *flags)
    digest.update("\0".join((*versions, *cpu)).encode())
    return digest.hexdigest()[:20]


def _writable_folder() -> Path | None:
    """The cache folder of this very source, made if need be; None if none can be written."""
    base = os.environ.get("NUMBA_CACHE_DIR") or platformdirs.user_cache_dir("spider-solver")
    folder = Path(base) / source_digest()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            return folder
    except OSError:
        return None


FOLDER = _writable_folder()


@contextmanager
def cache_folder() -> Iterator[None]:
    """While kernels are imported, numba caches in the folder of this very source."""
    before = numba.config.CACHE_DIR
    if FOLDER is not None:
        numba.config.CACHE_DIR = str(FOLDER)
    try:
        yield
    finally:
        numba.config.CACHE_DIR = before


def kernel(function: Callable[..., Any]) -> Any:
    """Compile a function with numba: no Python objects, the interpreter lock released."""
    dispatcher = numba.njit(cache=FOLDER is not None, **_OPTIONS)(function)
    compile_for = dispatcher.compile

    def compile_plainly(signature: Any) -> Any:
        if isinstance(signature, tuple):
            signature = tuple(numba.types.unliteral(argument) for argument in signature)
        with global_compiler_lock:
            before = numba.config.LOOP_VECTORIZE
            numba.config.LOOP_VECTORIZE = 0
            try:
                return compile_for(signature)
            finally:
                numba.config.LOOP_VECTORIZE = before

    dispatcher.compile = compile_plainly
    return dispatcher


@contextmanager
def announced(say: Callable[[str], None] | None, part: str) -> Iterator[None]:
    """Around a first call of a part's kernels: says so if they are yet to be compiled.

    The notice waits a moment, so that nobody reads it when the cache serves after all.
    """
    how_often = "each time, as no cache folder can be written" if FOLDER is None else "once"
    notice = f"compiling the search for this machine ({how_often}; some 10 s) ..."
    marker = None if FOLDER is None else FOLDER / f"{part}.{_READY}"
    timer = None
    if say is not None and (marker is None or not marker.exists()):
        timer = threading.Timer(0.5, say, (notice,))
        timer.daemon = True
        timer.start()
    try:
        yield
    finally:
        if timer is not None:
            timer.cancel()
    if marker is not None:
        try:
            marker.touch()
        except OSError:
            pass
