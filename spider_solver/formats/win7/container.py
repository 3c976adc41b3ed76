"""The file around the XML in a saved game of Windows Vista/7 Spider.

The little-endian number of 32 bits at byte 20 is the size of a PNG picture, which begins at byte
0x2028. After the picture there are six bytes: the size of the XML, and a byte order mark. Then
there is the XML in UTF-16, and after it perhaps zeros.
"""

from __future__ import annotations

import struct

from ...errors import DealError

MAGIC = b"RGMH"
_PICTURE_START = 0x2028
_PICTURE_SIZE = struct.Struct("<20xI")  # at the beginning of the file
_XML_HEAD = 6  # bytes between the picture and the XML


def xml_in(data: bytes) -> str:
    """Return the XML in a file that begins with ``MAGIC``. Raises DealError if there is none."""
    size = _PICTURE_SIZE.unpack_from(data)[0] if len(data) >= _PICTURE_SIZE.size else 0
    start = _PICTURE_START + size + _XML_HEAD
    text = data[start:].decode("utf-16-le", errors="replace").partition("\0")[0]
    if not text.lstrip().startswith("<"):
        raise DealError(
            "a saved game of Windows Vista/7 without its XML: expected the whole file,"
            " .SpiderSolitaireSave-ms"
        )
    return text
