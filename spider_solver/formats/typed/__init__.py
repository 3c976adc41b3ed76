"""Format typed: a board as people type it, or paste it from a page or another program.

This reader is tolerant. It is used if no other format matches, or if a board or text in a strict
format cannot be read. It guesses the layout from the numbers of cards, and its notes say what it
took the board for. If the cards fit two layouts, it refuses the board and names both.

Cards may be separated by blanks, commas, semicolons, tabs or the bars of a table. Markdown fences,
bullets and list numbers are ignored, and so are lines of prose. Brackets or a bar mark face-down
cards. The layouts are:

- ten lines, one for each column, bottom card first; an empty column is ``-``
- rows printed across: a line has one card of each column; the bottom cards come first
- all 104 cards in the order dealt

Labels such as ``Stock:``, ``Column 1:`` and ``Completed:`` may say more. A labelled stock is in the
order dealt. The modules are ``lines``, which finds the cards in the lines, ``layout``, which finds
the layouts that fit, and ``reader``. The format is read, but not written.
"""

from __future__ import annotations

from ..format import Format
from .reader import AmbiguousBoardError, detect, read

__all__ = ["FORMAT", "AmbiguousBoardError"]

FORMAT = Format(name="typed", title="board as people type it", detect=detect, read=read)
