"""Deal numbers: ``scheme:number`` to a Deal. The same number is another deal in each scheme.

A scheme is one module with a ``SCHEME``; ``registry`` finds the right one, ``ranges`` reads
many numbers at once. A bare number is native.
"""

from __future__ import annotations

from ..deal import Deal, RowRule
from .ranges import DealNumbers, parse_numbers
from .registry import DEFAULT, SCHEMES, scheme_named
from .scheme import Scheme

__all__ = [
    "DEFAULT",
    "SCHEMES",
    "DealNumbers",
    "Scheme",
    "deal_from_number",
    "parse_numbers",
    "scheme_named",
]


def deal_from_number(text: str, suits: int = 4, rules: RowRule = RowRule.STANDARD) -> Deal:
    """The deal that ``NUMBER`` or ``SCHEME:NUMBER`` names; DealError if there is none."""
    name, colon, number = text.rpartition(":")
    scheme = scheme_named(name if colon else DEFAULT, text)
    return scheme.deal(number, suits, rules)
