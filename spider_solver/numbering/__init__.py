"""Deal numbers: from ``scheme:number`` to a Deal.

The same number stands for different deals in different schemes. A number without a scheme is
native. The modules are:

- ``native``, ``kpat``, ``pysol``, ``win7``, ``solvitaire``, ``xpat2``: one scheme each, with a
  ``SCHEME``; ``registry`` collects them, and ``scheme`` has their interface and shared functions.
- ``microsoft``, ``splitmix``: random number generators of the schemes.
- ``grammar``: the form of a deal number.
- ``lookup``: the deal of a number, and the number of a deal.
- ``ranges``: many numbers at once.
"""

from __future__ import annotations

from .lookup import check_number, deal_from_number, deal_of_name, number_of
from .ranges import DealNumbers, parse_numbers
from .registry import DEFAULT, SCHEMES, scheme_named
from .scheme import Scheme

__all__ = [
    "DEFAULT",
    "SCHEMES",
    "DealNumbers",
    "Scheme",
    "check_number",
    "deal_from_number",
    "deal_of_name",
    "number_of",
    "parse_numbers",
    "scheme_named",
]
