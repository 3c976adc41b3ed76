"""Deal numbers: from ``scheme:number`` to a Deal. A number means another deal in each scheme.

Each scheme is one module with a ``SCHEME``; ``registry`` collects them. ``grammar`` defines what
a deal number looks like, ``lookup`` finds the deal of a number, and ``ranges`` reads many numbers
at once. A number without a scheme is native.
"""

from __future__ import annotations

from .lookup import deal_from_number, deal_of_name, number_of
from .ranges import DealNumbers, parse_numbers
from .registry import DEFAULT, SCHEMES, scheme_named
from .scheme import Scheme

__all__ = [
    "DEFAULT",
    "SCHEMES",
    "DealNumbers",
    "Scheme",
    "deal_from_number",
    "deal_of_name",
    "number_of",
    "parse_numbers",
    "scheme_named",
]
