"""Deal numbers: ``scheme:number`` to a Deal. The same number is another deal in each scheme.

A scheme is one module with a ``SCHEME``; ``registry`` finds the right one, ``ranges`` reads
many numbers at once. A bare number is native.
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
