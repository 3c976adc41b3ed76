"""From a deal number to its deal, and from a deal to the number that it really has."""

from __future__ import annotations

from dataclasses import replace

from ..deal import Deal, RowRule
from ..errors import DealError
from .grammar import split_scheme
from .registry import DEFAULT, scheme_named


def deal_from_number(text: str, suits: int = 4, rules: RowRule = RowRule.STANDARD) -> Deal:
    """Return the deal of ``NUMBER`` (a native number) or ``SCHEME:NUMBER``.

    Raises DealError if the scheme is unknown, or lacks the number or the suit mode.
    """
    scheme, number = split_scheme(text)
    return scheme_named(DEFAULT if scheme is None else scheme, text).deal(number, suits, rules)


def deal_of_name(deal: Deal) -> Deal | None:
    """Return the fresh deal of the number that is the given deal's name.

    It has the suit mode and the rule for rows of the given deal, but maybe other cards. The result
    is None if the name is not a deal number, or if the scheme lacks the suit mode.
    """
    try:
        return deal_from_number(deal.name, deal.suits, deal.rules)
    except DealError:
        return None


def number_of(deal: Deal) -> str | None:
    """Return the canonical number of a deal, or None if the deal has no number.

    A deal has a number if its name is a deal number, in any form, and the deal is card by card
    the fresh deal of that number in its suit mode. A position in mid-game has none.
    """
    numbered = deal_of_name(deal)
    if numbered is None or replace(deal, name=numbered.name) != numbered:
        return None
    return numbered.name
