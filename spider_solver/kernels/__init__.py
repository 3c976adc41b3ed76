"""The two compiled searches: the only package that imports numba.

Shared modules: layout (the packed state), moves (move codes and legal moves), apply (actions on
packed states), keys (Zobrist keys), table (the transposition table), prefetch (software prefetch).
Two packages use them: ``beam``, the beam search, and ``exhaustive``, the depth-first search that
can prove that there is no solution. Compiling: jit (the decorator ``kernel``), cache (the folder of
compiled code), entries (calls of kernels from Python), library (machine code that is loaded without
numba), build (makes the library).

The beam search keeps many states and makes children by copying, so it uses the packed STATE of
layout.py. The exhaustive search keeps one position, on which it plays and undoes actions, so it
uses the SEARCH_POSITION of exhaustive/position.py, in which a move touches fewer bytes.

Data is held in records with named fields. Where a Python function takes an object, a kernel takes
a record and modifies it in place.
"""
