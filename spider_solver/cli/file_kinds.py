"""The kinds of files that commands write, and how a file of each kind is recognised.

A command replaces an existing file only if the file is of the kind that the command writes. So a
wrong name does not destroy a file that has another purpose.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from functools import partial

from ..errors import SpiderError

_GAME_FORMATS = ("text", "json")  # the formats that recorded games are written in
# Keys of JSON objects of this program that are neither a deal nor a recorded game, although they
# can be read as one: certificates and lines of results files.
_OTHER_KEYS = {"format", "schema"}
_CERTIFICATE = "spider-solver proof"  # the beginning of "format" in a certificate of any version
_HEAD = 2000  # bytes at the start of a file that are searched for the name of its program


@dataclass(frozen=True, slots=True)
class FileKind:
    """A kind of file, by its content."""

    title: str  # such as "a recorded game"
    matches: Callable[[bytes], bool]  # whether a file with this content is of the kind


def deal_in(format_name: str) -> FileKind:
    """The kind of a file that holds a deal, without a recorded game, in a format."""
    return FileKind(f"a deal in the format {format_name}", partial(_is_deal, format_name))


def plot_in(picture_format: str) -> FileKind:
    """The kind of a plot in a format of ``render.summary.PLOT_FORMATS``."""
    return FileKind(f"a plot of this program as {picture_format.upper()}", _IS_PLOT[picture_format])


def _is_game(data: bytes) -> bool:
    return any(_holds(data, format_name, game=True) for format_name in _GAME_FORMATS)


def _is_deal(format_name: str, data: bytes) -> bool:
    if format_name in _GAME_FORMATS:
        return _holds(data, format_name, game=False)
    return _holds(data, format_name, game=None)


def _holds(data: bytes, format_name: str, *, game: bool | None) -> bool:
    """Return whether a file holds a deal in a format.

    game: whether it must also hold a recorded game, or must not; None if this does not matter.
    """
    from ..formats import decode_text, detect_format
    from ..recorded_games import NoGameError

    try:
        text = decode_text(data)
        found = detect_format(text)
        if found.name != format_name:
            return False
        if found.name == "json" and not _OTHER_KEYS.isdisjoint(json.loads(text)):
            return False
        contents = found.read(text)
        if game is not None:
            contents.game()
    except NoGameError:
        return game is False
    except (SpiderError, ValueError, RecursionError):
        return False
    return game is not False


def _is_certificate(data: bytes) -> bool:
    with suppress(ValueError, RecursionError):
        found = json.loads(data)
        return isinstance(found, dict) and str(found.get("format")).startswith(_CERTIFICATE)
    return False


def _is_page(data: bytes) -> bool:
    head = data[:_HEAD]
    return head.startswith(b"<!doctype html>") and b' content="spider-solver ' in head


def _is_png(data: bytes) -> bool:
    return data.startswith(b"\x89PNG\r\n") and _is_by_matplotlib(data[:_HEAD])


def _is_svg(data: bytes) -> bool:
    head = data[:_HEAD]
    return b"<svg" in head and _is_by_matplotlib(head)


def _is_pdf(data: bytes) -> bool:
    return data.startswith(b"%PDF-") and _is_by_matplotlib(data)


def _is_by_matplotlib(data: bytes) -> bool:
    """Return whether a picture, or a part of it, names the library that draws the plots."""
    return b"matplotlib" in data.lower()


_IS_PLOT = {"png": _is_png, "svg": _is_svg, "pdf": _is_pdf}
RECORDED_GAME = FileKind("a recorded game", _is_game)
CERTIFICATE = FileKind("a certificate of a proof", _is_certificate)
PAGE = FileKind("a page of this program", _is_page)
