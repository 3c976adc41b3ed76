"""Every failure as one line on stderr and an exit code; never a traceback for bad input."""

from __future__ import annotations

import enum
import sys

import click

from ..errors import InternalError, SpiderError
from ..result import Verdict

PROGRAM = "spider-solver"


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
    """Something can't be written: a file's folder is missing, a disk is full."""


class InputError(SpiderError):
    """Something can't be read: no such file, a folder, no permission."""


class Interrupted(click.ClickException):
    """Ctrl-C. Click's own answer to it, an empty line and ``Aborted!``, says less."""

    exit_code = Exit.INTERRUPTED

    def __init__(self) -> None:
        super().__init__("interrupted")


def one_line(text: str) -> str:
    """Text on one line: blanks for line ends, escapes for what can't be printed."""
    words = " ".join(text.split())
    return "".join(
        c if c.isprintable() else c.encode("unicode_escape", "surrogatepass").decode()
        for c in words
    )


def report(error: BaseException) -> int:
    """Write an error's line to stderr and give the exit code. Called while it is handled."""
    message, code = describe(error)
    # Not click.echo: it refuses to write what the output's encoding can't hold.
    if sys.stderr is not None:
        line = one_line(f"{PROGRAM}: error: {message}")
        encoding = sys.stderr.encoding or "ascii"
        print(line.encode(encoding, "backslashreplace").decode(encoding), file=sys.stderr)
    return code


def describe(error: BaseException) -> tuple[str, int]:
    """An error's message, not yet on one line, and its exit code."""
    if isinstance(error, click.UsageError):
        return _usage(error), Exit.USAGE
    if isinstance(error, click.ClickException):
        return error.format_message(), error.exit_code
    if isinstance(error, SpiderError):
        return str(error), Exit.ERROR
    if isinstance(error, OSError):
        where = repr(error.filename) if error.filename else "the output can't be written"
        return f"{where}: {reason(error)}", Exit.ERROR
    if isinstance(error, MemoryError):
        return "out of memory: try a smaller --max-width", Exit.ERROR
    what = str(error) if isinstance(error, InternalError) else repr(error)
    return f"{what}: this is a fault of {PROGRAM}, please report it (-v shows where)", Exit.ERROR


def is_expected(error: BaseException) -> bool:
    """Whether an error has its cause outside this program, so that no traceback serves."""
    return isinstance(
        error, click.ClickException | click.exceptions.Exit | SpiderError | OSError | MemoryError
    )


def reason(error: OSError) -> str:
    """Why the system refused, in its own words, in lower case."""
    text = error.strerror or str(error) or type(error).__name__
    return text[:1].lower() + text[1:]


def _usage(error: click.UsageError) -> str:
    context = error.ctx
    if isinstance(error, click.BadParameter) and error.param is not None:
        param = error.param
        option = param.opts[-1] if isinstance(param, click.Option) else ""
        if isinstance(error, click.MissingParameter):
            values = param.make_metavar(context or click.Context(click.Command("")))
            message = f"missing {option} {values}" if option else f"missing {values}"
        else:
            message = f"{option or param.human_readable_name}: {error.message}"
    else:
        text = error.format_message()
        message = text[:1].lower() + text[1:].replace(". Did you mean", ": did you mean")
    path = context.command_path if context else PROGRAM
    return f"{message.rstrip('.?')}; see {path} --help"
