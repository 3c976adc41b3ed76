"""The report of a failure: one line on stderr and an exit code, never a traceback for bad input."""

from __future__ import annotations

import enum
import errno
import sys
from contextlib import suppress

import click

from ..errors import InternalError, SpiderError
from ..result import Verdict
from ..words import alternatives, quote, quote_file, visible

PROGRAM = "spider-solver"

_PACKAGE = __name__.partition(".")[0]
_LINE_LENGTH = 1000  # characters of an error's line
_LIBRARY_LENGTH = 200  # characters of a library's own message
_OUT_OF_MEMORY = "out of memory: try a smaller --max-width"
# The errors of a write to stdout. Such an OSError does not name a file.
_WRITE_ERRORS = {errno.EPIPE, errno.ENOSPC, errno.EIO, errno.EFBIG, errno.EBADF, errno.EDQUOT}


class Exit(enum.IntEnum):
    """The exit codes of all commands."""

    DONE = 0  # solve: won
    ERROR = 1
    USAGE = 2
    UNWINNABLE = 3  # proved
    UNDECIDED = 4  # a limit was reached
    INTERRUPTED = 130


EXIT_CODES = {
    Verdict.WON: Exit.DONE,
    Verdict.UNWINNABLE: Exit.UNWINNABLE,
    Verdict.UNDECIDED: Exit.UNDECIDED,
}


class OutputError(click.ClickException):
    """An output cannot be written: for example, there is no such folder, or the disk is full."""


class InputError(SpiderError):
    """An input cannot be read: for example, there is no such file."""


class Interrupted(click.ClickException):
    """Ctrl-C. Replaces click's own message, which is an empty line and ``Aborted!``."""

    exit_code = Exit.INTERRUPTED

    def __init__(self) -> None:
        super().__init__("interrupted")


def one_line(text: str) -> str:
    """The text on one line: line ends become blanks, and a long text loses its middle."""
    return visible(" ".join(text.split()), _LINE_LENGTH)


def report_error(error: BaseException) -> Exit:
    """Write an error's line to stderr and return its exit code."""
    message, code = describe_error(error)
    # Not click.echo, which fails for characters that the output's encoding lacks.
    if sys.stderr is not None:
        line = one_line(f"{PROGRAM}: error: {message}")
        encoding = sys.stderr.encoding or "ascii"
        with suppress(OSError):  # the terminal was closed
            print(line.encode(encoding, "backslashreplace").decode(encoding), file=sys.stderr)
    return code


def describe_error(error: BaseException) -> tuple[str, Exit]:
    """An error's message, which may have several lines, and its exit code."""
    if isinstance(error, click.UsageError):
        return _usage_message(error), Exit.USAGE
    if isinstance(error, click.ClickException):
        return error.format_message(), Exit(error.exit_code)
    if isinstance(error, SpiderError):
        return str(error), Exit.ERROR
    if isinstance(error, OSError):
        return _system_message(error), Exit.ERROR
    if isinstance(error, MemoryError):
        return _OUT_OF_MEMORY, Exit.ERROR
    if isinstance(error, ImportError) and not (error.name or "").startswith(_PACKAGE):
        return _library_message(error), Exit.ERROR
    what = str(error) if isinstance(error, InternalError) else repr(error)
    return f"{what}: this is a fault of {PROGRAM}, please report it (-v shows where)", Exit.ERROR


def is_expected(error: BaseException) -> bool:
    """True if an error has its cause outside this program, so that a traceback is of no use."""
    return isinstance(
        error, click.ClickException | click.exceptions.Exit | SpiderError | OSError | MemoryError
    )


def reason(error: OSError) -> str:
    """The system's reason for an error, with a small first letter."""
    text = error.strerror or str(error) or type(error).__name__
    return text[:1].lower() + text[1:]


def _system_message(error: OSError) -> str:
    """The message about an error that the operating system reported."""
    if error.filename is not None:
        return f"{quote_file(str(error.filename))}: {reason(error)}"
    if error.errno in _WRITE_ERRORS:
        return f"the output cannot be written: {reason(error)}"
    if error.errno in (errno.EMFILE, errno.ENFILE):
        return f"{reason(error)}: raise the limit (ulimit -n), or use fewer --jobs"
    if error.errno == errno.ENOMEM:
        return _OUT_OF_MEMORY
    if error.errno is None:  # raised by a library, not by the system
        return _library_message(error)
    return f"the system refused a request: {reason(error)}"


def _library_message(error: Exception) -> str:
    """The message about a library that cannot be loaded."""
    text = visible(" ".join(str(error).split()).rstrip("."), _LIBRARY_LENGTH)
    return f"a library cannot be loaded (too little memory, or a broken installation): {text}"


def _usage_message(error: click.UsageError) -> str:
    """The message about wrong usage, with the command that prints the help."""
    context = error.ctx
    if isinstance(error, click.BadParameter) and error.param is not None:
        param = error.param
        option = param.opts[-1] if isinstance(param, click.Option) else ""
        if isinstance(error, click.MissingParameter):
            values = param.make_metavar(context or click.Context(click.Command("")))
            message = f"missing {option} {values}" if option else f"missing {values}"
        else:
            message = f"{option or param.human_readable_name}: {error.message}"
    elif isinstance(error, click.NoSuchOption):
        # click's own text differs between its versions.
        message = f"no such option {quote(error.option_name)}"
        if error.possibilities:
            message += f": did you mean {alternatives(map(repr, error.possibilities))}"
    else:
        text = error.format_message()
        message = text[:1].lower() + text[1:].replace(". Did you mean", ": did you mean")
    path = context.command_path if context else PROGRAM
    return f"{message.rstrip('.?')}; see {path} --help"
