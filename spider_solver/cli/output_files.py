"""The files that commands write, checked before a command works.

A command declares all its outputs and inputs at its start. An output must not be an input or
another output. It replaces only a file of its own kind, unless the user asks for more. Each file
is written beside its place and then moved there, so that it is complete or as before.
"""

from __future__ import annotations

import os
import stat
import sys
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from typing import TextIO

import click

from ..words import quote_file
from .errors import OutputError, one_line, reason
from .file_kinds import FileKind
from .inputs import STDIN


@dataclass(frozen=True, slots=True)
class OutputFile:
    """The file that an option names, if the option is given."""

    option: str  # such as "-o"
    path: str | None  # None if the option is not given
    # None for a results file, which is appended to. ``ResultsFile`` checks it.
    kind: FileKind | None = None
    force: bool = False  # replace an existing file of any kind

    @property
    def name(self) -> str:
        """The file's name in quotes, for messages."""
        assert self.path is not None
        return quote_file(self.path)

    def check(self) -> None:
        """Raise OutputError if the file cannot be written or is of another kind.

        Changes nothing.
        """
        if self.path is None or self.kind is None:
            return
        try:
            self._check_place()
            self._check_kind()
        except (OSError, ValueError) as error:
            raise self._error(error) from None

    def _check_place(self) -> None:
        """Raise OutputError or OSError if no file can be written at the path."""
        target = self._target
        if target.is_dir():
            raise OutputError(f"{self.name} is a folder: expected a file's name")
        if not target.parent.is_dir():
            folder = quote_file(str(self._shown_folder(target)))
            raise OutputError(f"{self.name} cannot be written: there is no folder {folder}")
        if target.exists():
            if not os.access(target, os.W_OK):
                raise OutputError(f"{self.name} cannot be written: it is read-only")
            if not target.is_file():  # a device or a pipe
                return
        with tempfile.TemporaryFile(dir=target.parent):
            pass

    def _shown_folder(self, target: Path) -> Path:
        """The folder of the target; as the user wrote it, unless the path is a link."""
        assert self.path is not None
        return target.parent if os.path.islink(self.path) else Path(self.path).parent

    def _check_kind(self) -> None:
        """Raise OutputError if the file exists and is of another kind."""
        from ..formats.source import MAX_BYTES

        target, kind = self._target, self.kind
        if self.force or kind is None or not target.is_file():
            return
        size = target.stat().st_size
        if size and (size > MAX_BYTES or not kind.matches(target.read_bytes())):
            raise OutputError(
                f"{self.name} exists and is not {kind.title}: name another file, or use --force to"
                " replace it"
            )

    def write(self, content: str | bytes) -> None:
        """Write the file in one step. After a failure, which raises OutputError, it is as before.

        The kind of an existing file is checked again, because the file may be newer than the check.
        """
        data = content.encode() if isinstance(content, str) else content
        try:
            self._check_kind()
            _write_beside(self._target, data)
        except (OSError, ValueError) as error:
            raise self._error(error) from None

    @property
    def _target(self) -> Path:
        """The path of the file itself, where the path may be a link."""
        assert self.path is not None
        target = Path(os.path.realpath(self.path))
        # The real path of a pipe such as /dev/stdout is the path of no file.
        return Path(self.path) if os.path.exists(self.path) and not target.exists() else target

    def _error(self, error: OSError | ValueError) -> OutputError:
        cause = reason(error) if isinstance(error, OSError) else one_line(str(error))
        return OutputError(f"{self.name} cannot be written: {cause}")


def declare_outputs(outputs: Iterable[OutputFile], inputs: Iterable[str] = ()) -> None:
    """Check all outputs of a command, before it works.

    inputs: arguments that name files. ``-`` is standard input, and an argument that is not the
    name of a file is ignored.

    Raises UsageError if an output is another output, standard output or an input, and OutputError
    as ``OutputFile.check`` does.
    """
    requested = [output for output in outputs if output.path is not None]
    if not requested:
        return
    read = list(_places_of_inputs(inputs))
    streams = {  # they may be redirected to files
        "standard output": _place_of_stream(sys.stdout),
        "standard error": _place_of_stream(sys.stderr),
    }
    places = [(output, _place_of_file(output.path or "")) for output in requested]
    for (first, place), (second, other) in combinations(places, 2):
        if place.is_same(other):
            raise click.UsageError(
                f"{first.option} {first.name} and {second.option} {second.name} are one file: give"
                " two names"
            )
    for output, place in places:
        for name, stream in streams.items():
            if stream is not None and place.is_same(stream):
                raise click.UsageError(
                    f"{output.option} {output.name} is also {name}: give another name"
                )
        if any(place.is_same(other) for other in read):
            raise click.UsageError(
                f"{output.option} {output.name} is a file that is read: give another name"
            )
        output.check()


@dataclass(frozen=True, slots=True)
class _Place:
    """Where a file is or will be."""

    path: Path | None  # without links; None if unknown
    status: os.stat_result | None  # None if there is no file yet

    def is_same(self, other: _Place) -> bool:
        """Return whether both are one file, maybe by different names. A device never is."""
        if self.status is not None and other.status is not None:
            if stat.S_ISCHR(self.status.st_mode):
                return False
            if self.status.st_ino and os.path.samestat(self.status, other.status):
                return True
        return self.path is not None and self.path == other.path


def _place_of_file(path: str) -> _Place:
    status = None
    with suppress(OSError, ValueError):
        status = os.stat(path)
    with suppress(OSError, ValueError):
        return _Place(Path(os.path.realpath(path)), status)
    return _Place(None, status)


def _place_of_stream(stream: TextIO | None) -> _Place | None:
    """Return the file that a stream reads or writes; None if it is not a regular file."""
    with suppress(OSError, ValueError, AttributeError):
        status = os.fstat(stream.fileno())  # type: ignore[union-attr]
        if stat.S_ISREG(status.st_mode):
            return _Place(None, status)
    return None


def _places_of_inputs(inputs: Iterable[str]) -> Iterator[_Place]:
    for text in inputs:
        place = _place_of_stream(sys.stdin) if text == STDIN else _place_of_file(text)
        if place is not None and place.status is not None:  # it is a file
            yield place


def _write_beside(target: Path, data: bytes) -> None:
    """Write a new file beside the target, and move it there when it is on the disk.

    A device or a pipe is written directly. Raises OSError; the target is then as before.
    """
    if target.exists() and not target.is_file():
        target.write_bytes(data)
        return
    mode = stat.S_IMODE(target.stat().st_mode) if target.exists() else 0o666 & ~_umask()
    descriptor, temporary = tempfile.mkstemp(prefix=f".{target.name[:40]}.", dir=target.parent)
    try:
        with open(descriptor, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.chmod(temporary, mode)
        os.replace(temporary, target)
    except BaseException:
        with suppress(OSError):
            os.unlink(temporary)
        raise


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
