"""The compiled search: the only package that imports numba.

layout (the packed state), zobrist (keys), moves, evaluate (the score), children (what a state
leads to), table (keys seen), tidy (joining runs), selection (which candidates to keep), beam
(the search), search (the search as a Python object); space (a position made and unmade in
place), prefetch (memory asked for ahead of its use), depth_first (the exhaustive search on
both), exhaust (that as a Python object). Importing any of them goes through here, so all share
one cache folder (loading.py).
"""

from __future__ import annotations

from .loading import cache_folder

with cache_folder():
    from . import (
        beam,
        children,
        depth_first,
        evaluate,
        exhaust,
        layout,
        moves,
        search,
        selection,
        space,
        table,
        tidy,
        zobrist,
    )

__all__ = [
    "beam",
    "children",
    "depth_first",
    "evaluate",
    "exhaust",
    "layout",
    "moves",
    "search",
    "selection",
    "space",
    "table",
    "tidy",
    "zobrist",
]
