"""From a deal number to its deal, and the check that a deal is the one that its name says."""

from __future__ import annotations

from dataclasses import replace

from ..deal import Deal, RowRule
from ..errors import DealError
from .grammar import split_scheme
from .registry import DEFAULT, scheme_named


def deal_from_number(text: str, suits: int = 4, rules: RowRule = RowRule.STANDARD) -> Deal:
    """The deal of ``NUMBER`` (a native number) or ``SCHEME:NUMBER``.

    Raises DealError if the scheme is unknown, or lacks the number or the suit mode.
    """
    scheme, number = split_scheme(text)
    return scheme_named(DEFAULT if scheme is None else scheme, text).deal(number, suits, rules)


def deal_of_name(deal: Deal) -> Deal | None:
    """The fresh deal of the number that is the deal's name, in its suit mode, under its rules.

    None if the name is no deal number, or if the scheme lacks the suit mode.
    """
    try:
        return deal_from_number(deal.name, deal.suits, deal.rules)
    except DealError:
        return None


def number_of(deal: Deal) -> str | None:
    """The canonical number of a deal, if the deal is what its name says.

    That is: the name is a deal number, and the deal is the fresh deal of this number in its
    suit mode, card by card. Otherwise, and so for every position in mid-game, None.
    """
    numbered = deal_of_name(deal)
    if numbered is None or replace(deal, name=numbered.name) != numbered:
        return None
    return numbered.name
