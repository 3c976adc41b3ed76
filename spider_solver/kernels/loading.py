"""Compiling and caching kernels. All kernels use the decorator ``kernel``.

numba's own cache checks the source of one function only. After an edit in a called function, numba
would run stale machine code. A run with NUMBA_BOUNDSCHECK would load code without checks. So the
name of the cache folder contains a digest of the source of all kernels, the versions of numba,
numpy and Python, the processor and all NUMBA_* settings that change the code. If no folder can be
written, the kernels are compiled again in each process.

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

ANNOUNCE_AFTER = 0.5  # seconds
_DIGEST_LENGTH = 20  # hexadecimal digits of the folder's name
_MARKER_SUFFIX = "compiled"  # of a file that says that a search was compiled
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
    return digest.hexdigest()[:_DIGEST_LENGTH]


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


@contextmanager
def announced(say: Callable[[str], None] | None, part: str) -> Iterator[None]:
    """While a search's kernels are called for the first time, announce that they are compiled.

    say: called with one line of text, unless it is None, after ANNOUNCE_AFTER seconds and from
    another thread; so loading from a cache that another process filled prints nothing. part: the
    name of the search.
    """
    how_often = "each time: no cache folder can be written" if FOLDER is None else "only once"
    notice = f"compiling the search for this machine ({how_often}; about 10 s) ..."
    marker = None if FOLDER is None else FOLDER / f"{part}.{_MARKER_SUFFIX}"
    timer = None
    if say is not None and (marker is None or not marker.exists()):
        timer = threading.Timer(ANNOUNCE_AFTER, say, (notice,))
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
