"""Deal numbers: ``scheme:number`` to a Deal. The same number is another deal in each scheme.

A scheme is one module with a ``SCHEME``; this registry finds the right one. A bare number is
native.
"""

from __future__ import annotations

from ..deal import Deal, Rules
from ..errors import DealError
from .native import SCHEME as _NATIVE
from .scheme import Scheme

SCHEMES: dict[str, Scheme] = {scheme.name: scheme for scheme in (_NATIVE,)}
DEFAULT = _NATIVE.name


def deal_from_number(text: str, suits: int = 4, rules: Rules = Rules.STANDARD) -> Deal:
    """The deal that ``NUMBER`` or ``SCHEME:NUMBER`` names; DealError if there is none."""
    name, colon, number = text.rpartition(":")
    scheme = SCHEMES.get((name if colon else DEFAULT).lower())
    if scheme is None:
        raise DealError(
            f"{text[:40]!r}: unknown scheme {name[:20]!r}; known are {', '.join(SCHEMES)}"
        )
    return scheme.deal(number, suits, rules)
