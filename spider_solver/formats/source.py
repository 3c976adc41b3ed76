"""From the bytes of a file or of standard input to text, and where in it a fault lies.

Accepted: UTF-8, with or without a byte order mark, and UTF-16 with one; line ends of any
system. Everything else is refused with a DealError of one line.
"""

from __future__ import annotations

import codecs
from typing import BinaryIO

from ..errors import DealError

MAX_BYTES = 64 * 2**20

_PICKLE_PROTOCOLS = (b"\x02", b"\x03", b"\x04", b"\x05")
_OLD_PICKLES = (b"S", b"V", b"U", b"X")  # begin with a text: the program's name
_OLD_PICKLE_HEAD = 16
_PYSOL = b"PySol"
_UTF16_MARKS = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


def place(name: str, line: int | None = None) -> str:
    """``file.txt, line 3: `` to begin an error message with; shorter if less is known."""
    parts = [printable(name)] if name else []
    if line is not None:
        parts.append(f"line {line}")
    return ", ".join(parts) + ": " if parts else ""


def printable(text: str) -> str:
    """The text on one line: anything that can't be shown is replaced by ``_``."""
    return "".join(c if c.isprintable() else "_" for c in text)


def lines_of(text: str) -> list[str]:
    """The lines of a text whose lines end as on any system, without their ends."""
    return text.replace("\r\n", "\n").replace("\r", "\n").split("\n")


def require_content(text: str, name: str = "") -> None:
    """Raise DealError if there is nothing but blanks, or a NUL, which no text has."""
    if not text.strip():
        raise DealError(f"{place(name)}empty: expected a deal as text or JSON")
    nul = text.find("\0")
    if nul >= 0:
        line = len(lines_of(text[:nul]))
        raise DealError(f"{place(name, line)}a NUL character: expected text, not a binary file")


def _is_pickle(data: bytes) -> bool:
    """True for a pickle of protocol 2 up, and for one of 0 or 1 that PySolFC wrote."""
    if data[:1] == b"\x80":
        return data[1:2] in _PICKLE_PROTOCOLS
    return data[:1] in _OLD_PICKLES and _PYSOL in data[:_OLD_PICKLE_HEAD]


def decode_text(data: bytes, name: str = "") -> str:
    """The text in the bytes of a file.

    data: at most ``MAX_BYTES``. name: the file's, for messages. Line ends become newlines.
    Raises DealError for what is too big, empty, binary, a pickle, or in another encoding.
    """
    if len(data) > MAX_BYTES:
        raise DealError(
            f"{place(name)}bigger than {MAX_BYTES // 2**20} MB: expected a deal or a recorded game"
        )
    if _is_pickle(data):
        raise DealError(
            f"{place(name)}a Python pickle, as PySolFC saves its games (.pso): not read, because"
            " reading one runs whatever program is in it; take the game's number from PySolFC"
            " instead, like pysol:617"
        )
    encoding = "UTF-16" if data.startswith(_UTF16_MARKS) else "UTF-8"
    try:
        text = data.decode(encoding).removeprefix("\ufeff")
    except UnicodeDecodeError as error:
        raise DealError(
            f"{place(name)}no {encoding} text at byte {error.start}"
            f" ({data[error.start : error.start + 4].hex(' ')}): save it as UTF-8 text"
        ) from None
    require_content(text, name)
    return "\n".join(lines_of(text))


def read_stream(stream: BinaryIO, name: str = "") -> str:
    """The text of an open binary stream, of which no more than the bound is read."""
    return decode_text(stream.read(MAX_BYTES + 1), name)
