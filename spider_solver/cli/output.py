"""Where output goes: results on stdout, talk on stderr, files written whole or not at all."""

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
    from ..render.text import Style


@dataclass(slots=True)
class Messages:
    """What is said on stderr besides errors: nothing if quiet, more if verbose."""

    quiet: bool = False
    verbose: bool = False

    def say(self, text: str) -> None:
        """Say a line, unless quiet."""
        if not self.quiet:
            click.echo(text, err=True)

    def detail(self, text: str) -> None:
        """Say a line, if verbose."""
        if self.verbose:
            click.echo(text, err=True)

    @property
    def progress(self) -> bool:
        """Whether progress is to be shown: only on a terminal, and unless quiet."""
        return not self.quiet and is_terminal(sys.stderr)


def messages_of(ctx: click.Context) -> Messages:
    """The one Messages of this run of the program, which group and command share."""
    return ctx.ensure_object(Messages)


def style_of_stdout() -> Style:
    """What stdout can show. Colours on terminals only and unless NO_COLOR is set."""
    from ..render.text import Style

    color = is_terminal(sys.stdout) and not os.environ.get("NO_COLOR")
    return Style(color=color, unicode=_has_suit_signs(sys.stdout))


def is_terminal(stream: TextIO | None) -> bool:
    """Whether a stream is a terminal that can do more than print lines."""
    with suppress(AttributeError, ValueError):  # closed
        return stream is not None and stream.isatty() and os.environ.get("TERM") != "dumb"
    return False


def _has_suit_signs(stream: TextIO | None) -> bool:
    try:
        "♠♥♦♣░═".encode(getattr(stream, "encoding", None) or "ascii")
    except (UnicodeEncodeError, LookupError):
        return False
    return True


def silence_stdout() -> None:
    """Send what is still in stdout's buffer nowhere, so that it can't fail again at exit."""
    with suppress(OSError, ValueError, AttributeError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)


def check_writable(path: str) -> None:
    """OutputError, if a file can't be written there; it's left untouched."""
    target = _target(path)
    try:
        if target.is_dir():
            raise OutputError(f"{path!r} is a folder: expected a file's name")
        if not target.parent.is_dir():
            folder = os.path.dirname(path)
            raise OutputError(f"{path!r} can't be written: there is no folder {folder!r}")
        if target.exists():
            if not os.access(target, os.W_OK):
                raise OutputError(f"{path!r} can't be written: it is read-only")
            if not _regular(target):
                return
        with tempfile.TemporaryFile(dir=target.parent):
            pass
    except (OSError, ValueError) as error:
        raise _refused(path, error) from None


def write_file(path: str, content: str | bytes) -> None:
    """Write a file in one step: it's there as a whole or, after a failure, as it was before."""
    target = _target(path)
    data = content.encode() if isinstance(content, str) else content
    temporary: str | None = None
    try:
        if target.exists() and not _regular(target):  # a device or a pipe
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
        raise _refused(path, error) from None
    finally:
        if temporary is not None:
            with suppress(OSError):
                os.unlink(temporary)


def _target(path: str) -> Path:
    return Path(os.path.realpath(path))  # a link stays, what it points at is written


def _regular(target: Path) -> bool:
    return stat.S_ISREG(target.stat().st_mode)


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def _refused(path: str, error: OSError | ValueError) -> OutputError:
    why = reason(error) if isinstance(error, OSError) else one_line(str(error))
    return OutputError(f"{path!r} can't be written: {why}")
