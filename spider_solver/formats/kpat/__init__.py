"""Format kpat: a saved game of KPatience, as ``DealerScene::saveFile`` in ``dealer.cpp`` writes it.

The root of the XML is ``<kpat-game game-type="spider" game-type-options="SUITS"
deal-number="N">``. It contains the whole game as ``<state>`` elements:

- The first state is the deal. The state with ``current="true"`` is the current position; if
  there is none, the last state is. The states after the current one are those of actions that
  were taken back; they are ignored.
- A state has an element ``<move pile="stack0" position="0">`` for each pile that got cards. Its
  elements ``<card id suit rank turn>`` are these cards. They leave the pile that they were in and
  go to that position. A card has ``turn`` only if its face changes.

The piles are:

- ``redeals0`` to ``redeals4``: the rows of the stock. Each is dealt from its top card, which is
  listed last.
- ``stack0`` to ``stack9``: the columns.
- ``legs0`` to ``legs7``: the completed runs. KPatience may save a state before it removes a
  completed run, as its demo does. The reader treats such a run as completed.

Older versions of KPatience write the legacy format, which newer ones still offer. It is read, but
not written. Its root is ``<dealer id="17" options="SUITS" number="N">``, often after ``<!DOCTYPE
kpat>``; ``options`` is missing before KDE 4.3. It has one state: elements ``<pile index="1">`` with
elements ``<card suit value faceup>``. The piles 1 to 5 are the rows, 6 to 15 the columns, and 16 to
23 the completed runs. The suits 0 to 3 are clubs, diamonds, hearts and spades.

The file can hold a deal number of KPatience. It cannot hold the rule for rows or a number of
another scheme.
"""

from __future__ import annotations

from ..format import Format
from .reader import detect, positions, read
from .writer import omits, write

__all__ = ["FORMAT", "detect", "omits", "positions", "read", "write"]

FORMAT = Format(
    name="kpat",
    title="saved game of KPatience",
    detect=detect,
    read=read,
    write=write,
    omits=omits,
    holds_games=True,
)
