"""A results file: JSON lines, appended one by one, whole at any moment.

Each line is written in one piece, and cut off again if that fails; what a power cut leaves of
the last line is cut off when the file is opened again. So a run that ends in whatever way
loses the deals in work and no others.
"""

from __future__ import annotations

import errno
import os
import stat
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import BinaryIO

import filelock

from .record import Record, ResultsError
from .taskset import TaskSet

MAX_LINE = 1 << 20  # bytes; no line comes near
SYNC_SECONDS = 5.0  # between two requests that lines reach the disk
_HEAD = b'{"schema":'


def read_results(path: str) -> Iterator[Record]:
    """The records in a results file, one by one; a torn last line is passed over.

    Raises ResultsError for a file that isn't one, OSError.
    """
    _check_ordinary(path)
    with open(path, "rb") as stream:
        for record, _ in _records(stream, path):
            if record is not None:
                yield record


class ResultsFile:
    """A results file open for appending, by one run at a time. A context manager.

    done: the tasks that are in it with the settings' key, but not those starved of memory, which
    are to be done again. count: how many records it holds. repaired: how many bytes of a torn
    last line were cut off.

    path: made if need be. key: the settings' (``settings_key``). mix: whether results of other
    settings may be in it. Raises ResultsError if it is another program's, in use, or of other
    settings; OSError if it can't be read or written.
    """

    def __init__(self, path: str, key: str, *, mix: bool = False) -> None:
        self.path = path
        self.done = TaskSet()
        self.count = 0
        self.repaired = 0
        self._target = Path(os.path.realpath(path))  # so that two links share a lock
        self._key = key
        self._mix = mix
        self._file = -1
        self._end = 0
        self._synced = 0.0
        if not self._target.parent.is_dir():
            raise ResultsError(f"{path!r} can't be written: there is no such folder")
        if self._target.exists():
            _check_ordinary(path)
        self._lock = filelock.FileLock(self._target.with_name(f".{self._target.name}.lock"))
        try:
            self._lock.acquire(blocking=False)
        except filelock.Timeout:
            raise ResultsError(
                f"{path!r} is in use by another run: wait for its end, or name another file"
            ) from None
        except OSError as error:
            raise _named(error, path) from None
        try:
            self._open()
        except BaseException:
            self.close()
            raise

    def _open(self) -> None:
        """Read what is there, and get ready to append to it."""
        flags = os.O_RDWR | os.O_CREAT | os.O_APPEND | getattr(os, "O_BINARY", 0)
        try:
            self._file = os.open(self._target, flags | getattr(os, "O_CLOEXEC", 0), 0o666)
            with open(self._target, "rb") as stream:
                for record, end in _records(stream, self.path):
                    if record is not None:
                        self._take(record)
                    self._end = end
                self.repaired = stream.seek(0, os.SEEK_END) - self._end
                stream.seek(max(self._end - 1, 0))
                unended = self._end > 0 and stream.read(1) != b"\n"
            if self.repaired:
                os.ftruncate(self._file, self._end)
            if unended:  # by an editor that leaves that out
                self._write(b"\n")
        except OSError as error:
            raise _named(error, self.path) from None

    def _take(self, record: Record) -> None:
        if record.key == self._key:
            if not record.starved:
                self.done.add(record.task)
        elif not self._mix:
            raise ResultsError(
                f"{self.path!r} has results of other settings, {record.key!r}; these are"
                f" {self._key!r}: name another file, or say --mix to have both in one"
            )
        self.count += 1

    def append(self, record: Record) -> None:
        """Write a record. OSError if that fails; the file then ends with the one before."""
        try:
            self._write(record.line())
            now = time.monotonic()
            if now - self._synced >= SYNC_SECONDS:
                self._synced = now
                os.fsync(self._file)
        except OSError as error:
            raise _named(error, self.path) from None
        self._take(record)

    def _write(self, data: bytes) -> None:
        """Append all of the data or nothing."""
        try:
            written = os.write(self._file, data)
            while written < len(data):  # a disk that is filling up takes the first part
                written += os.write(self._file, data[written:])
        except BaseException:
            with suppress(OSError):
                os.ftruncate(self._file, self._end)
            raise
        self._end += len(data)

    def close(self) -> None:
        """Let go of the file; it may be closed already."""
        if self._file >= 0:
            with suppress(OSError):
                os.fsync(self._file)
            os.close(self._file)
            self._file = -1
        if self._lock.is_locked:
            with suppress(OSError):  # filelock notices, should another run be waiting on it
                os.unlink(self._lock.lock_file)
            self._lock.release()

    def __enter__(self) -> ResultsFile:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()


def _records(stream: BinaryIO, name: str) -> Iterator[tuple[Record | None, int]]:
    """Each record, or None for a blank line, with the place where it ends; not a torn last line."""
    end = 0
    for number, line in enumerate(_lines(stream), 1):
        whole = line.endswith(b"\n")
        try:
            record = Record.read(line) if line.strip() else None
        except ResultsError as error:
            if not whole and len(line) <= MAX_LINE and (end or _may_be_torn(line)):
                return
            raise _foreign(name, number, error) from None
        end += len(line)
        yield record, end


def _lines(stream: BinaryIO) -> Iterator[bytes]:
    while line := stream.readline(MAX_LINE + 1):
        yield line


def _may_be_torn(line: bytes) -> bool:
    """Whether a file's only line is the beginning of a record, and so no other program's."""
    text = line.rstrip(b"\0")  # some file systems fill up with these
    return text[: len(_HEAD)] == _HEAD[: len(text)]


def _foreign(name: str, number: int, error: ResultsError) -> ResultsError:
    advice = (
        "name another file"
        if number == 1
        else "name another file, or remove that line to have its deal done again"
    )
    return ResultsError(f"{name!r}, line {number}: no result of winrate: {error}; {advice}")


def _check_ordinary(path: str) -> None:
    """ResultsError for what can't hold lines and be read again."""
    mode = os.stat(path).st_mode
    if stat.S_ISDIR(mode):
        raise ResultsError(f"{path!r} is a folder: expected a results file")
    if not stat.S_ISREG(mode):
        raise ResultsError(f"{path!r} is no ordinary file: expected a results file")


def _named(error: OSError, path: str) -> OSError:
    """The same error about the file that the user named."""
    return OSError(error.errno or errno.EIO, error.strerror or str(error), path)
