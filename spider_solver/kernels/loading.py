"""Compiling and caching kernels. All kernels use the decorator ``kernel``.

numba's own cache checks the source of one function only. After an edit in a function that it
calls, stale machine code would run; and a run with bounds checks would load code without them.
So the name of the cache folder contains a digest of the source of all kernels, the versions of
numba, numpy and Python, the processor and all NUMBA_* settings. If no folder can be written, the
kernels are compiled again in each process.

``kernel`` turns off three features of numba:

- The loop vectorizer, and a separate compilation for each constant argument. Kernels have many
  short loops over bytes: both would more than double the time to compile and gain no speed.
- Reference counting of arrays, a locked instruction at each call, which took a fourth of the
  search's time. Kernels allocate nothing and return no arrays, so there is nothing to count. A
  kernel that allocates doesn't compile.
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
_OPTIONS: dict[str, Any] = {"nogil": True, "_nrt": False}  # _nrt: reference counting
# The modules outside kernels/ whose constants are compiled into kernels.
COMPILED_IN = ("cards.py", "deal.py")


def source_digest() -> str:
    """A digest of everything that determines the kernels' machine code."""
    digest = hashlib.sha256()
    here = Path(__file__).parent
    for path in (*sorted(here.rglob("*.py")), *(here.parent / name for name in COMPILED_IN)):
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
    """The cache folder for this source, created if it is missing; None if it can't be written."""
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
    """Make numba use the cache folder for this source while kernels are imported."""
    before = numba.config.CACHE_DIR
    if FOLDER is not None:
        numba.config.CACHE_DIR = str(FOLDER)
    try:
        yield
    finally:
        numba.config.CACHE_DIR = before


def kernel(function: Callable[..., Any]) -> Any:
    """Compile a function with numba: without Python objects, and with the GIL released."""
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
    """Announce, around the first call of a search's kernels, that they must be compiled.

    say: called with one line of text, unless it is None. part: the name of the search. The call is
    delayed by half a second, so that a cache filled by another process stays silent.
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
