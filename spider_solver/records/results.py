"""A results file: JSON lines, appended one by one. The file is complete at any moment.

A line is written when its deal is solved. If writing fails, the part of the line that was written
is removed. If the program is killed or there is a power cut, the last line may be incomplete; it
is removed when the file is opened again. So a run that ends for any reason loses only the deals
in progress. A power cut may also remove the lines after the last ``fsync``, which is called when a
line is written and ``SYNC_SECONDS`` have passed since the last call.
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

from ..words import quote, quote_file
from .record import KEY_LENGTH, IncompleteLineError, Record, ResultsError
from .taskset import TaskSet

MAX_LINE = 1 << 20  # bytes; far more than any line has
SYNC_SECONDS = 5.0  # the shortest time between two calls of fsync
_LINE_START = b'{"schema":'


class OtherSettingsError(ResultsError):
    """A results file with results of other settings than those of the run."""


def read_results(path: str) -> Iterator[Record]:
    """Yield the records in a results file. An incomplete last line is ignored.

    Raises ResultsError if the file is not a results file, OSError if it cannot be read.
    """
    _check_regular_file(path)
    with open(path, "rb") as stream:
        for record, _ in _records(stream, path):
            if record is not None:
                yield record


class ResultsFile:
    """A results file open for appending, by one run at a time. A context manager."""

    # The tasks in the file with this run's settings. Tasks that ended because of too little
    # memory are not included, because they are to be solved again.
    done: TaskSet
    count: int  # records in the file
    removed_bytes: int  # size of the incomplete last line that was removed on opening

    def __init__(self, path: str, key: str, *, mix: bool = False) -> None:
        """Open a results file. Create it if it does not exist.

        key: the settings of the run, as ``settings_key`` returns them.
        mix: whether the file may have results of other settings.

        Raises OtherSettingsError if the file has results of other settings and ``mix`` is false,
        ResultsError if it is not a results file or is in use by another run, OSError if it cannot
        be read or written.
        """
        self.path = path
        self.done = TaskSet()
        self.count = 0
        self.removed_bytes = 0
        self._target = Path(os.path.realpath(path))  # so that two links share one lock
        self._key = key
        self._mix = mix
        self._descriptor = -1
        self._end = 0  # size of the complete lines in bytes
        self._synced = 0.0  # when the system was last asked to write to the disk
        if not self._target.parent.is_dir():
            raise ResultsError(f"{quote_file(path)} cannot be written: there is no such folder")
        if self._target.exists():
            _check_regular_file(path)
        self._lock = filelock.FileLock(self._target.with_name(f".{self._target.name}.lock"))
        self._acquire_lock()
        try:
            self._open()
        except BaseException:
            self.close()
            raise

    def _acquire_lock(self) -> None:
        try:
            self._lock.acquire(blocking=False)
        except filelock.Timeout:
            raise self._in_use() from None
        except OSError as error:
            raise _with_path(error, self.path) from None

    def _lock_descriptor(self) -> None:
        """Lock the file itself, too, because each hard link to it has another lock file.

        This does nothing on Windows, or if the file system has no locks.
        """
        try:
            import fcntl
        except ImportError:
            return
        try:
            fcntl.flock(self._descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise self._in_use() from None
        except OSError:
            pass

    def _in_use(self) -> ResultsError:
        return ResultsError(
            f"{quote_file(self.path)} is in use by another run: wait for its end, or name another"
            " file"
        )

    def _open(self) -> None:
        """Read the records in the file and prepare it for appending."""
        flags = os.O_RDWR | os.O_CREAT | os.O_APPEND | getattr(os, "O_BINARY", 0)
        try:
            self._descriptor = os.open(self._target, flags | getattr(os, "O_CLOEXEC", 0), 0o666)
            self._lock_descriptor()
            with open(self._target, "rb") as stream:
                for record, end in _records(stream, self.path):
                    if record is not None:
                        self._count_record(record)
                    self._end = end
                self.removed_bytes = stream.seek(0, os.SEEK_END) - self._end
                stream.seek(max(self._end - 1, 0))
                newline_missing = self._end > 0 and stream.read(1) != b"\n"
            if self.removed_bytes:
                os.ftruncate(self._descriptor, self._end)
            if newline_missing:  # some editors omit the newline at the end of a file
                self._write(b"\n")
        except OSError as error:
            raise _with_path(error, self.path) from None

    def _count_record(self, record: Record) -> None:
        """Count a record in the file. Raises OtherSettingsError."""
        if record.key == self._key:
            if not record.starved:
                self.done.add(record.task)
        elif not self._mix:
            raise OtherSettingsError(
                f"{quote_file(self.path)} has results of other settings,"
                f" {quote(record.key, KEY_LENGTH)}; the settings of this run are"
                f" {quote(self._key, KEY_LENGTH)}: name another file"
            )
        self.count += 1

    def append(self, record: Record) -> None:
        """Write a record. Raises OSError if that fails; the file is then as it was before."""
        try:
            self._write(record.to_line())
            now = time.monotonic()
            if now - self._synced >= SYNC_SECONDS:
                self._synced = now
                os.fsync(self._descriptor)
        except OSError as error:
            raise _with_path(error, self.path) from None
        self._count_record(record)

    def _write(self, data: bytes) -> None:
        """Append all of the data, or nothing if an error is raised."""
        try:
            written = os.write(self._descriptor, data)
            while written < len(data):  # a disk with little space left takes only a part at first
                written += os.write(self._descriptor, data[written:])
        except BaseException:
            with suppress(OSError):
                os.ftruncate(self._descriptor, self._end)
            raise
        self._end += len(data)

    def close(self) -> None:
        """Close the file and release its lock. May be called more than once."""
        if self._descriptor >= 0:
            with suppress(OSError):
                os.fsync(self._descriptor)
            os.close(self._descriptor)
            self._descriptor = -1
        if self._lock.is_locked:
            # If another run waits for the lock, filelock notices that its file was removed.
            with suppress(OSError):
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
    """Yield each complete line's record, or None for a blank line, and the offset of its end.

    The last line may lack its newline; if it is incomplete, it is left out. It can only be an
    incomplete result if a record was read before it or it begins as a record does.

    name: the file's name, for messages.

    Raises ResultsError for a line that is not a result.
    """
    end = 0
    has_record = False
    for number, line in enumerate(_lines(stream), 1):
        has_newline = line.endswith(b"\n")
        try:
            record = Record.parse(line) if line.strip() else None
        except ResultsError as error:
            may_be_cut = not has_newline and isinstance(error, IncompleteLineError)
            may_be_cut = may_be_cut and len(line) <= MAX_LINE
            if may_be_cut and (has_record or _may_be_beginning(line)):
                return
            raise _not_a_result(name, number, error, has_record) from None
        has_record = has_record or record is not None
        end += len(line)
        yield record, end


def _lines(stream: BinaryIO) -> Iterator[bytes]:
    """Yield the lines of a file, each at most ``MAX_LINE + 1`` bytes; longer ones in parts."""
    while line := stream.readline(MAX_LINE + 1):
        yield line


def _may_be_beginning(line: bytes) -> bool:
    """Return True if the first line with content may be the beginning of a record.

    If it cannot be, the file is of another program and must not be changed.
    """
    text = line.rstrip(b"\0")  # after a power cut, some file systems leave NUL bytes
    return text[: len(_LINE_START)] == _LINE_START[: len(text)]


def _not_a_result(name: str, number: int, error: ResultsError, has_record: bool) -> ResultsError:
    """Return the error of a line. has_record: there is a record before the line."""
    advice = (
        "name another file, or remove that line to have its deal solved again"
        if has_record
        else "expected a results file, as winrate writes it"
    )
    return ResultsError(f"{quote_file(name)}, line {number}: not a result: {error}; {advice}")


def _check_regular_file(path: str) -> None:
    """Raise ResultsError for a folder or a device, OSError if there is no such file."""
    mode = os.stat(path).st_mode
    if stat.S_ISDIR(mode):
        raise ResultsError(f"{quote_file(path)} is a folder: expected a results file")
    if not stat.S_ISREG(mode):
        raise ResultsError(f"{quote_file(path)} is not a regular file: expected a results file")


def _with_path(error: OSError, path: str) -> OSError:
    """Return the same error with the name of the file that the user gave."""
    return OSError(error.errno or errno.EIO, error.strerror or str(error), path)
