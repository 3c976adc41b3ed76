"""The default limit on the memory of a search."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

MEMORY_SHARE = 0.5  # the part of the machine's memory that a search may use by default
_CONTAINER_LIMITS = (  # the files in which Linux states the memory limit of a container
    Path("/sys/fs/cgroup/memory.max"),
    Path("/sys/fs/cgroup/memory/memory.limit_in_bytes"),
)


def default_memory() -> int:
    """Bytes that a search may allocate if no limit is given."""
    return int(_machine_memory() * MEMORY_SHARE)


def _machine_memory() -> int:
    """Bytes of memory that the machine has, or that the container may use if that is less."""
    import psutil

    sizes = [int(psutil.virtual_memory().total)]
    for path in _CONTAINER_LIMITS:
        with suppress(OSError, ValueError):  # the file does not exist, or it says "max"
            sizes.append(int(path.read_text(encoding="ascii")))
    return min(sizes)
