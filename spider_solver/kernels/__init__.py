"""The compiled search: the only package that imports numba.

Shared modules: loading (compiling and caching), layout (the packed state), moves (move codes and
legal moves), apply (actions on packed states), keys (Zobrist keys), table (the transposition
table), prefetch (software prefetch). On them stand ``beam``, the beam search, and
``exhaustive``, the depth-first search that can prove that there is no solution.

State lives in records with named fields: a kernel takes a record where a Python function would
take an object, and modifies it in place. Importing any module of the package imports all of them
from here, so that all are compiled into one cache folder (see loading.py).
"""

from __future__ import annotations

from .loading import cache_folder

with cache_folder():
    from .beam import search as beam_search
    from .exhaustive import search as exhaustive_search

__all__ = ["beam_search", "exhaustive_search"]
