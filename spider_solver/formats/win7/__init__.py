"""Format win7: a saved game of Spider in Windows Vista and Windows 7 (``.SpiderSolitaireSave-ms``).

The file begins with ``RGMH``. It contains a picture and XML (see ``container``). The XML is::

    <Root>
        <GameState><GameSeed>8115</GameSeed><Moves>0</Moves> ...</GameState>
        <CardTable><CardStacks>
            <CardStack>
                <Name>Stack1</Name>
                <Cards><Card><Name>TwoOfHearts1</Name><FaceUp>false</FaceUp> ...</Card> ...</Cards>
            </CardStack> ...
        </CardStacks></CardTable>
    </Root>

- ``GameSeed`` is the deal's number in the scheme win7.
- ``Stack1`` to ``Stack10`` are the columns, bottom card first. ``Deck`` is the stock; the card
  dealt last comes first. ``Complete`` holds the completed runs.
- A digit after the name of a card distinguishes its copies.

Other elements are ignored. If the file lists no cards, it is read as the fresh deal of its number.
The format is read, but not written.
"""

from __future__ import annotations

from ..format import Format
from .reader import detect, read

__all__ = ["FORMAT"]

FORMAT = Format(
    name="win7",
    title="saved game of Windows Vista/7 Spider",
    detect=detect,
    read=read,
)
