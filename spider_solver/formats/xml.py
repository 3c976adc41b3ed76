"""Reading XML that nobody vouches for, in one pass, without building a tree.

A document type declaration is refused before anything in it is read: without one there are
no entities to expand and nothing to fetch, and the parser by itself opens neither files nor
the network (compare the attacks listed by the project defusedxml). Text is bounded in size,
elements in depth.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from xml.parsers import expat

from ..errors import DealError
from ..words import quote
from .source import place

MAX_CHARACTERS = 8 * 2**20  # a save of KPatience has 8,000, and 200 more for each move
MAX_DEPTH = 20

OnStart = Callable[[str, Mapping[str, str]], None]
OnEnd = Callable[[str], None]


def parse(text: str, name: str, on_start: OnStart, on_end: OnEnd) -> None:
    """Parse a document and call for each element's start, with its attributes, and end.

    name: the file's, for messages. A DealError that ``on_start`` or ``on_end`` raises gets
    the file's name and the line. Raises DealError for what is no well-formed XML, has a
    document type, or is too big or nested too deep.
    """
    if len(text) > MAX_CHARACTERS:
        raise DealError(f"{place(name)}more than {MAX_CHARACTERS // 2**20} MB of XML: not read")
    parser = expat.ParserCreate()
    depth = 0

    def start(tag: str, attributes: Mapping[str, str]) -> None:
        nonlocal depth
        depth += 1
        if depth > MAX_DEPTH:
            raise DealError(f"XML nested more than {MAX_DEPTH} deep: not read")
        on_start(tag, attributes)

    def end(tag: str) -> None:
        nonlocal depth
        depth -= 1
        on_end(tag)

    def doctype(tag: str, *_: object) -> None:
        raise DealError(
            f"a document type <!DOCTYPE {quote(tag)[1:-1]}>, which no save has: not read, as it"
            " may define entities"
        )

    parser.StartElementHandler = start
    parser.EndElementHandler = end
    parser.StartDoctypeDeclHandler = doctype
    try:
        parser.Parse(text.removeprefix("\ufeff"), True)
    except DealError as error:
        raise DealError(f"{place(name, parser.CurrentLineNumber)}{error}") from None
    except expat.ExpatError as error:
        what = expat.ErrorString(error.code)
        raise DealError(f"{place(name, error.lineno)}no valid XML: {what}") from None
    except UnicodeError:
        raise DealError(f"{place(name)}no valid XML: a character that no text has") from None
