"""The library: the machine code of all entries in one file, loaded without numba.

The file holds a digest, a line of JSON that lists the entries, and object code. A file that
doesn't fit its digest is not loaded; it is built again. A build runs in a process of its own
(build.py). llvmlite, numba's binding of LLVM, links the object code into this process.
"""

from __future__ import annotations

import ctypes
import hashlib
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np

from ..errors import InternalError
from . import jit
from .cache import UnsafeFolder, cache_folder

FILE_NAME = "library.bin"
_NUMBA_ONLY = ("NUMBA_BOUNDSCHECK", "NUMBA_DISABLE_JIT")  # settings that ask for numba itself
_C_FUNCTIONS = ("memcpy", "memmove", "memset")  # LLVM makes calls of these from loops
_PACKAGE = __name__.rpartition(".")[0]
_IMPORT_FOLDER = Path(__file__).parents[_PACKAGE.count(".") + 1]
_BUILD = f"import sys; sys.path.insert(0, sys.argv[1]); from {_PACKAGE}.build import main; main()"

_function: Callable[..., int] | None = None
_numbers: dict[str, int] = {}  # of the entries
_engine: Any = None  # keeps the machine code in memory

Announce = Callable[[str], None]  # called with a line of text for the user


class DamagedLibrary(Exception):
    """The content of a library's file doesn't fit its digest."""


def write(path: Path, code: bytes, symbol: str, entries: list[str]) -> None:
    """Write a library's file in one step: it is there as a whole or not at all.

    code: an object file with the function ``symbol``. entries: their names, by number.
    """
    content = json.dumps({"symbol": symbol, "entries": entries}).encode() + b"\n" + code
    digest = hashlib.sha256(content).hexdigest().encode()
    descriptor, temporary = tempfile.mkstemp(dir=path.parent)
    try:
        with open(descriptor, "wb") as file:
            file.write(digest + b"\n" + content)
        os.replace(temporary, path)
    except BaseException:
        with suppress(OSError):
            os.unlink(temporary)
        raise


def load(path: Path) -> None:
    """Link a library's file into this process.

    Raises OSError if it can't be read, DamagedLibrary if its content is not what was written.
    """
    digest, _, content = path.read_bytes().partition(b"\n")
    if hashlib.sha256(content).hexdigest().encode() != digest:
        raise DamagedLibrary(str(path))
    head, _, code = content.partition(b"\n")
    found = json.loads(head)
    _link(code, found["symbol"])
    _numbers.update({name: number for number, name in enumerate(found["entries"])})


def _link(code: bytes, symbol: str) -> None:
    global _engine, _function
    import llvmlite.binding as llvm

    with suppress(RuntimeError):  # newer versions of llvmlite initialise LLVM themselves
        llvm.initialize()
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    c_library = ctypes.CDLL(None) if os.name == "posix" else ctypes.cdll.msvcrt
    for name in _C_FUNCTIONS:
        llvm.add_symbol(name, ctypes.cast(c_library[name], ctypes.c_void_p).value)
    machine = llvm.Target.from_default_triple().create_target_machine(jit=True)
    _engine = llvm.create_mcjit_compiler(llvm.parse_assembly(""), machine)
    _engine.add_object_file(llvm.ObjectFileRef.from_data(code))
    _engine.finalize_object()
    # The calling convention of numba: addresses for the result and an exception, then arguments.
    prototype = ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int64)
    _function = prototype(_engine.get_function_address(symbol))


def call(name: str, arguments: list[int]) -> int:
    """Call an entry with flattened arguments; the GIL is released.

    Raises InternalError if the kernel failed, which none does.
    """
    assert _function is not None
    numbers = np.array([_numbers[name], *arguments], np.uint64)
    result, exception = ctypes.c_int64(0), ctypes.c_void_p(0)
    addresses = ctypes.addressof(result), ctypes.addressof(exception)
    status = _function(*addresses, numbers.ctypes.data)
    if status != 0:
        raise InternalError(f"the kernel {name} failed with status {status}")
    return result.value


def open_library(announce: Announce | None = None) -> bool:
    """Load the library into this process, or build it first; call it before any kernel is defined.

    announce: called with a line of text for the user if the library must be built, or if a
    cache folder or a file is not used. Returns False if the kernels of this process must be
    compiled by numba: it was asked for, or kernels are defined already, or the build failed.
    """
    if _function is not None:
        return True
    if jit.is_fixed() or any(os.environ.get(name) not in (None, "0") for name in _NUMBA_ONLY):
        return False
    say = announce or (lambda text: None)
    try:
        folder = cache_folder()
    except UnsafeFolder as error:
        say(f"the cache is not used: {error}")
        folder = None
    if folder is None:
        with tempfile.TemporaryDirectory() as temporary:
            return _build_and_load(Path(temporary) / FILE_NAME, say, "each time")
    path = folder / FILE_NAME
    try:
        load(path)
    except FileNotFoundError:
        return _build_and_load(path, say, "only once")
    except (DamagedLibrary, OSError):
        say(f"{str(path)!r} is damaged: it is compiled again")
        return _build_and_load(path, say, "only once")
    return jit.use_library()


def _build_and_load(path: Path, say: Announce, how_often: str) -> bool:
    say(f"compiling the search for this machine ({how_often}; about half a minute) ...")
    command = [sys.executable, "-c", _BUILD, str(_IMPORT_FOLDER), str(path)]
    try:
        done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, check=False)
        if done.returncode != 0:
            return False
        load(path)
    except (OSError, DamagedLibrary):
        return False
    return jit.use_library()
