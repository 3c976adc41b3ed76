"""Deals, positions and recorded games as files, in both directions.

Each format is one module or package with a ``FORMAT``; ``registry`` collects them. A reader
detects the format from the content unless the caller names it. A board or text that is not quite in
its format is then read as ``typed``. A writer needs the format's name.
"""

from __future__ import annotations

from dataclasses import replace

from ..deal import Deal
from ..errors import DealError, in_source
from ..recorded_games import NoGameError, RecordedGame
from ..words import alternatives, counted, quote
from . import typed
from .format import Contents, Format, named_after_file
from .registry import FORMATS, WRITABLE, detect_format, format_named
from .source import decode_text, read_stream, require_content

__all__ = [
    "FORMATS",
    "WRITABLE",
    "Contents",
    "Format",
    "decode_text",
    "detect_format",
    "format_named",
    "read_contents",
    "read_deal",
    "read_game",
    "read_stream",
    "write_deal",
    "write_game",
]

_STRICT = ("board", "text")


def read_contents(text: str, name: str = "", format: str | None = None) -> Contents:
    """Return the contents of a text. Its recorded game is parsed only by ``Contents.game``.

    name: the file's name, for messages and for a deal without a label.
    format: a key of ``FORMATS``; None to detect the format from the content.

    Raises DealError, with the file's name and in most cases the line, if the text has no deal or
    the deal is impossible.
    """
    with in_source(name):
        contents = _read(text, format)
    return replace(contents, deal=named_after_file(contents.deal, name), name=name)


def read_deal(text: str, name: str = "", format: str | None = None) -> Deal:
    """Return the deal in a text: a fresh deal, a position, or the deal of a recorded game.

    For a saved game of KPatience it is the current position. Arguments and errors are those of
    ``read_contents``.
    """
    return read_contents(text, name, format).deal


def read_game(text: str, name: str = "", format: str | None = None) -> RecordedGame:
    """Return the recorded game in a text, or in a saved game of KPatience.

    Arguments are those of ``read_contents``. Raises DealError if the deal is wrong,
    NotationError if the actions are, and NoGameError if there are none.
    """
    with in_source(name):
        found = _format_of(text, format)
        if not found.holds_games:
            able = [other.title for other in FORMATS.values() if other.holds_games]
            raise NoGameError(
                f"{found.title} holds a deal, not a recorded game: expected {alternatives(able)}"
            )
    return read_contents(text, name, found.name).game()


def _read(text: str, format: str | None) -> Contents:
    """Return the contents of a text.

    If the format is not named, a text in one of the strict formats ``_STRICT`` that cannot be read
    is read as a typed board. If that fails too, the error is that of the strict format, unless the
    board has two readings.
    """
    found = _format_of(text, format)
    try:
        return found.read(text)
    except DealError as strict_error:
        if format is not None or found.name not in _STRICT:
            raise
        try:
            return typed.FORMAT.read(text)
        except typed.AmbiguousBoardError:
            raise
        except DealError:
            raise strict_error from None


def _format_of(text: str, name: str | None) -> Format:
    """Return the format of a name; without a name, the format that the text is in."""
    if name is None:
        return detect_format(text)
    require_content(text)
    return format_named(name)


def write_deal(deal: Deal, format: str) -> str:
    """Return the deal as text in the named format.

    ``FORMATS[format].omits(deal)`` lists the facts that the text does not hold. Raises DealError
    if the format is unknown or cannot hold the deal.
    """
    found = format_named(format)
    if found.write is None:
        raise DealError(
            f"deals cannot be written as {quote(format)}: expected {alternatives(WRITABLE)}"
        )
    if deal.unknown and not found.holds_unknown:
        able = [other.name for other in FORMATS.values() if other.holds_unknown]
        raise DealError(
            f"the format {found.name} cannot hold {counted(len(deal.unknown), 'unknown card')}:"
            f" expected {alternatives(able)}"
        )
    return found.write(deal)


def write_game(game: RecordedGame, format: str = "text") -> str:
    """Return a recorded game, with times and comments, as text that ``read_game`` reads back.

    Raises DealError if the format is unknown or recorded games cannot be written in it.
    """
    write = format_named(format).write_game
    if write is None:
        able = [found.name for found in FORMATS.values() if found.write_game is not None]
        raise DealError(
            f"recorded games cannot be written as {quote(format)}: expected {alternatives(able)}"
        )
    return write(game)
