"""Where output goes: results to stdout, messages to stderr, and files in one step."""

from __future__ import annotations

import os
import stat
import sys
import tempfile
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

import click

from .errors import OutputError, one_line, reason

if TYPE_CHECKING:
    from ..render.style import Style


@dataclass(slots=True)
class Messages:
    """The messages on stderr other than errors."""

    quiet: bool = False  # no messages
    verbose: bool = False  # more messages

    def info(self, text: str) -> None:
        """Write a line to stderr, unless quiet."""
        if not self.quiet:
            click.echo(text, err=True)

    def detail(self, text: str) -> None:
        """Write a line to stderr, if verbose."""
        if self.verbose:
            click.echo(text, err=True)

    @property
    def shows_progress(self) -> bool:
        """True if progress is shown: only on a terminal, and not if quiet."""
        return not self.quiet and is_terminal(sys.stderr)


def messages_of(ctx: click.Context) -> Messages:
    """The Messages of this run of the program, shared by the group and the command."""
    return ctx.ensure_object(Messages)


def style_of_stdout() -> Style:
    """The style for stdout. Colours only on a terminal, and not if NO_COLOR is set."""
    from ..render.style import Style

    color = is_terminal(sys.stdout) and not os.environ.get("NO_COLOR")
    return Style(color=color, unicode=_has_suit_signs(sys.stdout))


def is_terminal(stream: TextIO | None) -> bool:
    """True if a stream is a terminal that can do more than print lines."""
    with suppress(AttributeError, ValueError):  # closed
        return stream is not None and stream.isatty() and os.environ.get("TERM") != "dumb"
    return False


def _has_suit_signs(stream: TextIO | None) -> bool:
    """True if the stream's encoding has all characters beyond ASCII that the output uses."""
    try:
        "♠♥♦♣░═".encode(getattr(stream, "encoding", None) or "ascii")
    except (UnicodeEncodeError, LookupError):
        return False
    return True


def silence_stdout() -> None:
    """Discard the rest of stdout's buffer, so that writing it does not fail again at exit."""
    with suppress(OSError, ValueError, AttributeError):
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, sys.stdout.fileno())
        os.close(null)


def check_writable(path: str) -> None:
    """Raises OutputError if a file cannot be written at the path. Changes nothing there."""
    target = _target(path)
    try:
        if target.is_dir():
            raise OutputError(f"{path!r} is a folder: expected a file's name")
        if not target.parent.is_dir():
            folder = os.path.dirname(path)
            raise OutputError(f"{path!r} cannot be written: there is no folder {folder!r}")
        if target.exists():
            if not os.access(target, os.W_OK):
                raise OutputError(f"{path!r} cannot be written: it is read-only")
            if not _is_regular_file(target):
                return
        with tempfile.TemporaryFile(dir=target.parent):
            pass
    except (OSError, ValueError) as error:
        raise _output_error(path, error) from None


def write_file(path: str, content: str | bytes) -> None:
    """Write a file in one step. After a failure, which raises OutputError, it is as before."""
    target = _target(path)
    data = content.encode() if isinstance(content, str) else content
    temporary: str | None = None
    try:
        if target.exists() and not _is_regular_file(target):  # a device or a pipe
            target.write_bytes(data)
            return
        mode = stat.S_IMODE(target.stat().st_mode) if target.exists() else 0o666 & ~_umask()
        descriptor, temporary = tempfile.mkstemp(prefix=f".{target.name[:40]}.", dir=target.parent)
        with open(descriptor, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.chmod(temporary, mode)
        os.replace(temporary, target)
        temporary = None
    except (OSError, ValueError) as error:
        raise _output_error(path, error) from None
    finally:
        if temporary is not None:
            with suppress(OSError):
                os.unlink(temporary)


def _target(path: str) -> Path:
    """The file to write. For a symbolic link, this is the file that it points to."""
    return Path(os.path.realpath(path))


def _is_regular_file(target: Path) -> bool:
    return stat.S_ISREG(target.stat().st_mode)


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def _output_error(path: str, error: OSError | ValueError) -> OutputError:
    cause = reason(error) if isinstance(error, OSError) else one_line(str(error))
    return OutputError(f"{path!r} cannot be written: {cause}")
