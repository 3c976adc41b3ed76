"""The deal of a number, and the number of a deal."""

from __future__ import annotations

from dataclasses import replace

from ..deal import Deal, RowRule
from ..errors import DealError
from ..words import quote
from .grammar import split_scheme
from .registry import DEFAULT, scheme_named


def deal_from_number(text: str, suits: int = 4, rules: RowRule = RowRule.STANDARD) -> Deal:
    """Return the deal of ``NUMBER`` (a native number) or ``SCHEME:NUMBER``.

    The text is one number, not a range: PySolFC ignores a dash, so ``pysol:1-5`` is its deal 15.
    (``parse_numbers`` reads the same text as a range.)

    Raises DealError if the scheme is unknown, or if it has no such number or suit mode.
    """
    scheme, number = split_scheme(text)
    return scheme_named(DEFAULT if scheme is None else scheme, text).deal(number, suits, rules)


def check_number(number: str, suits: int) -> None:
    """Raise DealError unless there is a deal of a number with that many suits.

    number: the canonical form, ``scheme:number``; the deal is not made.
    """
    scheme, digits = split_scheme(number)
    found = scheme_named(DEFAULT if scheme is None else scheme, number)
    found.check_suits(suits)
    canonical = f"{found.name}:{found.parse(digits)}"
    if canonical != number:
        raise DealError(f"{quote(number)} is not a canonical deal number: expected {canonical}")


def deal_of_name(deal: Deal) -> Deal | None:
    """Return the fresh deal whose number is the name of the given deal.

    It has the suit mode and the rule for rows of the given deal, but its cards may be others. The
    result is None if the name is not a deal number, or if the scheme has no such suit mode.
    """
    try:
        return deal_from_number(deal.name, deal.suits, deal.rules)
    except DealError:
        return None


def number_of(deal: Deal) -> str | None:
    """Return the canonical number of a deal, or None if the deal has no number.

    A deal has a number if its name is a deal number, in any form, and all its cards are where
    they are in the fresh deal of that number in its suit mode. A position in mid-game has none.
    """
    numbered = deal_of_name(deal)
    if numbered is None or replace(deal, name=numbered.name) != numbered:
        return None
    return numbered.name
