"""Format kpat: a saved game of KPatience, as ``DealerScene::saveFile`` in ``dealer.cpp`` writes it.

The root of the XML is ``<kpat-game game-type="spider" game-type-options="SUITS"
deal-number="N">``. It contains the whole game as ``<state>`` elements:

- The first state is the deal. The state with ``current="true"`` is the current position; if
  there is none, the last state is. The states after the current one wait for a redo and are
  ignored.
- A state lists, for each pile that got cards, ``<move pile="stack0" position="0">`` with the
  cards ``<card id suit rank turn>``. They leave the pile that they were in and go to that
  position. ``turn`` is there only if the face of the card changes.

The piles are:

- ``redeals0`` to ``redeals4``: the rows of the stock. Each is dealt from its top card, which is
  listed last.
- ``stack0`` to ``stack9``: the columns.
- ``legs0`` to ``legs7``: the completed runs. KPatience may save a state, as its demo does, before
  it takes away a completed run; such a run counts as completed.

A deal number of KPatience has a place in the file; the rule for rows and numbers of other schemes
have none.
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
