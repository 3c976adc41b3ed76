"""Names the kind of a binary file, for the message that refuses it."""

from __future__ import annotations

import re
import struct

from ..deal import COLUMNS, DECK
from ..words import counted, quote

_COMPRESSED = "unpack it and give the file that is in it"
_PICTURE = "type its cards as text instead"
_DOCUMENT = "save its text as a plain text file"
# The first bytes of files, their kind, and what to do.
_SIGNATURES: tuple[tuple[bytes, str, str], ...] = (
    (b"\x1f\x8b", "a gzip file", _COMPRESSED),
    (b"BZh", "a bzip2 file", _COMPRESSED),
    (b"\xfd7zXZ\0", "an xz file", _COMPRESSED),
    (b"\x28\xb5\x2f\xfd", "a Zstandard file", _COMPRESSED),
    (b"7z\xbc\xaf\x27\x1c", "a 7-Zip archive", _COMPRESSED),
    (b"Rar!\x1a\x07", "a RAR archive", _COMPRESSED),
    (b"PK\x03\x04", "a ZIP archive or an office document", _DOCUMENT),
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "an office document", _DOCUMENT),
    (b"%PDF-", "a PDF document", _DOCUMENT),
    (b"\x89PNG\r\n\x1a\n", "a PNG picture", _PICTURE),
    (b"\xff\xd8\xff", "a JPEG picture", _PICTURE),
    (b"GIF8", "a GIF picture", _PICTURE),
    (b"RIFF", "a RIFF file, such as a WebP picture", _PICTURE),
    (b"BM", "a BMP picture", _PICTURE),
    (b"\x7fELF", "a program", "expected a deal or a recorded game"),
    (b"MZ", "a program", "expected a deal or a recorded game"),
    (b"SQLite format 3\0", "an SQLite database", "expected a deal or a recorded game"),
)
_PICKLE_PROTOCOLS = (b"\x02", b"\x03", b"\x04", b"\x05")  # second byte of a pickle
_OLD_PICKLES = (b"S", b"V", b"U", b"X")  # first byte of a pickle that begins with a text
_OLD_PICKLE_HEAD = 16  # bytes at the beginning of a pickle that contain the program's name
_PYSOL = b"PySol"
_HEAD = 4096  # bytes at the beginning of a file that are searched for control characters
_CONTROL = re.compile(rb"[\x00-\x08\x0e-\x1a\x1c-\x1f\x7f]")  # not in texts, except for ESC
# xpat2, module loadsave.c: the short name of the game in 32 bytes, then big-endian numbers.
_XPAT2 = struct.Struct(">32s16i")
_XPAT2_SEED, _XPAT2_MOVES, _XPAT2_MAGIC = 8, 9, 15  # indices of these numbers
_XPAT2_MAGICS = (0x7419, 0x741A)  # of xpat 1 and xpat2
# Spider of Windows XP: little-endian numbers of 32 bits.
_XP_SEED = 1
_XP_COLUMNS = 18  # the index of the first column: a count, how many are hidden, the cards
_XP_SUITS = (1, 2, 4)


def kind_of(data: bytes) -> str:
    """Return a sentence on a binary file: its kind, and what to do. Empty if it may be text."""
    if _is_pickle(data):
        return (
            "a Python pickle, as PySolFC saves its games (.pso): not read, because reading a"
            " pickle runs any program in it; give the number of the game instead, like pysol:617"
        )
    return _xpat2_save(data) or _windows_xp_save(data) or _known_by_signature(data)


def looks_binary(data: bytes) -> bool:
    """Return True if the data has control characters that texts do not have."""
    return _CONTROL.search(data[:_HEAD]) is not None


def _known_by_signature(data: bytes) -> str:
    """Return a sentence on a file that begins with a signature, and is not text; else nothing."""
    for start, kind, advice in _SIGNATURES:
        if data.startswith(start) and not _is_text(data):
            return f"{kind}, not text: {advice}"
    return ""


def _is_text(data: bytes) -> bool:
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return not looks_binary(data)


def _is_pickle(data: bytes) -> bool:
    """Return True for a pickle of protocol 2 or later, or an older one that PySolFC wrote."""
    if data[:1] == b"\x80":
        return data[1:2] in _PICKLE_PROTOCOLS
    return data[:1] in _OLD_PICKLES and _PYSOL in data[:_OLD_PICKLE_HEAD]


def _xpat2_save(data: bytes) -> str:
    """Return a sentence on a saved game of xpat2; empty if the file is none."""
    if len(data) < _XPAT2.size:
        return ""
    name, *numbers = _XPAT2.unpack_from(data)
    if numbers[_XPAT2_MAGIC] not in _XPAT2_MAGICS:
        return ""
    game = name.partition(b"\0")[0].decode("ascii", errors="replace")
    seed, moves = numbers[_XPAT2_SEED], numbers[_XPAT2_MOVES]
    if game.lower() != "spider":
        return f"a saved game of xpat2, of the game {quote(game)}: expected a game of Spider"
    return (
        f"a saved game of xpat2, seed {seed}: its {counted(max(moves, 0), 'move')} are not read;"
        f" xpat2:{seed} is its deal"
    )


def _windows_xp_save(data: bytes) -> str:
    """Return a sentence on a ``spider.sav`` of Windows XP; empty if the file is none."""
    if len(data) % 4 or not _XP_COLUMNS * 4 < len(data) < 4096:
        return ""
    numbers = struct.unpack(f"<{len(data) // 4}I", data)
    counts = _windows_xp_heights(numbers)
    if numbers[0] not in _XP_SUITS or numbers[_XP_SEED] >= 2**31 or not counts:
        return ""
    return (
        f"a saved game of Windows XP's Spider with {counted(numbers[0], 'suit')}, seed"
        f" {numbers[_XP_SEED]} and columns of {' '.join(map(str, counts))} cards: how it numbers"
        " deals and cards is not known, so it is not read; type the board as text instead"
    )


def _windows_xp_heights(numbers: tuple[int, ...]) -> list[int]:
    """Return the heights of the ten columns; empty if the numbers are no columns."""
    heights: list[int] = []
    at = _XP_COLUMNS
    while len(heights) < COLUMNS:
        if at + 2 > len(numbers) or not numbers[at + 1] <= numbers[at] <= DECK:
            return []
        cards = numbers[at + 2 : at + 2 + numbers[at]]
        if len(cards) < numbers[at] or any(one >= DECK for one in cards):
            return []
        heights.append(numbers[at])
        at += 2 + numbers[at]
    return heights if sum(heights) else []
