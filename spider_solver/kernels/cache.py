"""The folder in which compiled kernels are kept, and who may write to it.

The folder's name contains a digest of everything that determines the machine code: the source of
all kernels, the versions of numba, llvmlite, numpy and Python, the processor and the NUMBA_*
settings. So machine code is never loaded for another source. Nothing is loaded from a folder that
another user can write to, because loaded code runs with this user's rights.
"""

from __future__ import annotations

import functools
import hashlib
import os
import platform
import stat
import sys
import tempfile
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import platformdirs

FOLDER_VARIABLE = "NUMBA_CACHE_DIR"  # names another folder than the user's cache folder
_DIGEST_LENGTH = 20  # hexadecimal digits of the folder's name
# Settings of numba that don't change the machine code.
_OTHER_SETTINGS = (FOLDER_VARIABLE, "NUMBA_NUM_THREADS")
# The modules outside kernels/ whose constants are compiled into kernels.
COMPILED_IN = ("cards.py", "deal.py", "numbering/splitmix.py")

disk_cache_of_numba = True  # whether numba may keep files of its own; read when it is imported


@functools.cache
def source_digest() -> str:
    """A digest of everything that determines the kernels' machine code."""
    import llvmlite.binding

    digest = hashlib.sha256()
    here = Path(__file__).parent
    for path in (*sorted(here.rglob("*.py")), *(here.parent / name for name in COMPILED_IN)):
        name = path.relative_to(here.parent).as_posix()
        digest.update(name.encode() + b"\0" + path.read_bytes() + b"\0")
    versions = (_numba_version(), llvmlite.__version__, np.__version__, sys.version)
    processor = (
        platform.machine(),
        llvmlite.binding.get_host_cpu_name(),
        llvmlite.binding.get_host_cpu_features().flatten(),
    )
    settings = sorted(
        f"{key}={value}"
        for key, value in os.environ.items()
        if key.startswith("NUMBA_") and key not in _OTHER_SETTINGS
    )
    digest.update("\0".join((*versions, *processor, *settings)).encode())
    return digest.hexdigest()[:_DIGEST_LENGTH]


def _numba_version() -> str:
    """The text of the file that holds numba's version; importing numba takes much longer."""
    found = find_spec("numba")
    if found is None or found.origin is None:
        return ""
    return (Path(found.origin).parent / "_version.py").read_text(encoding="utf-8")


class UnsafeFolder(Exception):
    """Another user can write to the cache folder. The message says which folder."""


@functools.cache
def cache_folder() -> Path | None:
    """The folder for this source, created if it is missing; None if it can't be written.

    Raises UnsafeFolder.
    """
    base = os.environ.get(FOLDER_VARIABLE) or platformdirs.user_cache_dir("spider-solver")
    folder = Path(base).absolute() / source_digest()
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        for part in (folder, folder.parent):
            if not _is_safe(part):
                raise UnsafeFolder(f"{str(part)!r} can be written by other users")
        with tempfile.TemporaryFile(dir=folder):
            return folder
    except OSError:
        return None


def _is_safe(folder: Path) -> bool:
    """Whether only this user (and the system's administrator) can write to a folder."""
    if not hasattr(os, "geteuid"):  # Windows: the user's profile is protected by its own rules
        return True
    status = folder.stat()
    return status.st_uid in (0, os.geteuid()) and not status.st_mode & (stat.S_IWGRP | stat.S_IWOTH)


@functools.cache
def numba_cache_folder() -> str:
    """The folder for numba's own files of this source; empty if it may keep none."""
    if not disk_cache_of_numba:
        return ""
    try:
        folder = cache_folder()
    except UnsafeFolder:
        return ""
    return "" if folder is None else str(folder)
