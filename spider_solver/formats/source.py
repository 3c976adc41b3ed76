"""The text in the bytes of a file or of standard input.

The text may be UTF-8, with or without a byte order mark, or UTF-16 with one. Its lines may end in
LF, CRLF or CR. Of a saved game of Windows Vista/7 it is the XML in the file. Everything else is
refused with a DealError, which names the kind of a binary file if ``binary`` knows it.
"""

from __future__ import annotations

import codecs
from typing import BinaryIO

from ..errors import DealError, in_source
from . import binary
from .win7 import container

MAX_BYTES = 64 * 2**20

_UTF16_MARKS = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


def lines_of(text: str) -> list[str]:
    """Return the lines of a text, without the line ends LF, CRLF or CR."""
    return text.replace("\r\n", "\n").replace("\r", "\n").split("\n")


def require_content(text: str) -> None:
    """Raise DealError if a text is blank, or contains a NUL character as binary files do."""
    if not text.strip():
        raise DealError("empty: expected a deal as text or JSON")
    nul = text.find("\0")
    if nul >= 0:
        line = len(lines_of(text[:nul]))
        raise DealError("a NUL character: expected text, not a binary file", line)


def decode_text(data: bytes, name: str = "") -> str:
    """Return the text in the bytes of a file, with newlines as line ends.

    data: at most ``MAX_BYTES``; more is an error.
    name: the file's name, for messages.

    Raises DealError if the data is too big, blank, binary, a pickle, or in another encoding.
    """
    with in_source(name):
        text = _decode(data)
        require_content(text)
    return "\n".join(lines_of(text))


def read_stream(stream: BinaryIO, name: str = "") -> str:
    """Return the text in a binary stream, as ``decode_text`` does.

    Reads at most ``MAX_BYTES`` + 1 bytes.
    """
    return decode_text(stream.read(MAX_BYTES + 1), name)


def _decode(data: bytes) -> str:
    if len(data) > MAX_BYTES:
        raise DealError(f"bigger than {MAX_BYTES // 2**20} MiB: expected a deal or a recorded game")
    if data.startswith(container.MAGIC):
        return container.xml_in(data)
    kind = binary.kind_of(data)
    if kind:
        raise DealError(kind)
    encoding = "UTF-16" if data.startswith(_UTF16_MARKS) else "UTF-8"
    try:
        return data.decode(encoding).removeprefix("\ufeff")
    except UnicodeDecodeError as error:
        if encoding == "UTF-8" and binary.looks_binary(data):
            raise DealError(
                "a binary file of an unknown kind: expected a deal or a recorded game as text"
            ) from None
        raise DealError(
            f"not {encoding} text at byte {error.start}"
            f" ({data[error.start : error.start + 4].hex(' ')}): save the file as UTF-8 text"
        ) from None
