"""Read XML from an untrusted file in one pass, without building a tree.

A document type declaration may only have a name, such as ``<!DOCTYPE kpat>``. One that defines
something or refers to a file is refused before its content is read. So there are no entities to
expand and nothing to fetch. The parser itself opens neither files nor the network. (The
documentation of the project defusedxml lists the attacks.) The length of the text and the depth
of the elements are bounded.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from xml.parsers import expat

from ..errors import DealError, SourceError
from ..words import visible

MAX_CHARACTERS = 8 * 2**20  # a save of KPatience has about 8,000, and 200 more for each action
MAX_DEPTH = 20

OnStart = Callable[[str, Mapping[str, str]], None]  # the element's name and its attributes
OnEnd = Callable[[str], None]  # the element's name
OnText = Callable[[str], None]  # a part of the text in an element


def parse(text: str, on_start: OnStart, on_end: OnEnd, on_text: OnText | None = None) -> None:
    """Parse a document; call ``on_start`` and ``on_end`` for each element.

    on_text: is called for each part of the text in an element.

    A DealError raised by one of these functions gets the number of the line. Raises DealError if
    the text is not well-formed XML, has a document type with content, is too long, or is nested
    too deep.
    """
    if len(text) > MAX_CHARACTERS:
        raise DealError(f"more than {MAX_CHARACTERS:,} characters of XML: not read")
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

    def doctype(
        tag: str, system_id: str | None, public_id: str | None, has_definitions: bool
    ) -> None:
        if system_id is None and public_id is None and not has_definitions:
            return  # older versions of KPatience write <!DOCTYPE kpat>
        raise DealError(
            f"a document type <!DOCTYPE {visible(tag)}> that may define entities: not read"
        )

    parser.StartElementHandler = start
    parser.EndElementHandler = end
    parser.StartDoctypeDeclHandler = doctype
    parser.CharacterDataHandler = on_text
    try:
        parser.Parse(text.removeprefix("\ufeff"), True)
    except SourceError as error:
        error.line = parser.CurrentLineNumber
        raise
    except expat.ExpatError as error:
        what = expat.ErrorString(error.code)
        raise DealError(f"not valid XML: {what}", error.lineno) from None
    except UnicodeError:
        raise DealError("not valid XML: a character that no text has") from None
