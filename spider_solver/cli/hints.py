"""Command lines that the output suggests to the user."""

from __future__ import annotations

from ..cards import SUIT_LETTERS
from ..deal import Deal, RowRule
from ..numbering import number_of
from .errors import PROGRAM


def deal_command(deal: Deal, command: str = "show") -> str:
    """The command line that applies a command to a deal; empty if the deal has no number."""
    number = number_of(deal)
    if number is None:
        return ""
    suits = "" if deal.suits == len(SUIT_LETTERS) else f" --suits {deal.suits}"
    rules = "" if deal.rules is RowRule.STANDARD else f" --rules {deal.rules}"
    return f"{PROGRAM} {command} {number}{suits}{rules}"
