"""Where output goes: results to stdout, messages to stderr."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, TextIO

import click

from ..words import visible

if TYPE_CHECKING:
    from ..render.style import Style


@dataclass(slots=True)
class Messages:
    """The messages on stderr other than errors."""

    quiet: bool = False  # no messages
    verbose: bool = False  # more messages

    def info(self, text: str) -> None:
        """Write a line, or several, to stderr, unless quiet."""
        if not self.quiet:
            _write_message(text)

    def detail(self, text: str) -> None:
        """Write a line, or several, to stderr, if verbose."""
        if self.verbose:
            _write_message(text)

    @property
    def shows_progress(self) -> bool:
        """True if progress is shown: only on a terminal, and not if quiet."""
        return not self.quiet and is_terminal(sys.stderr)


def _write_message(text: str) -> None:
    """Write lines to stderr, if it is not closed."""
    with suppress(OSError):
        click.echo("\n".join(visible(line, None) for line in text.split("\n")), err=True)


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
