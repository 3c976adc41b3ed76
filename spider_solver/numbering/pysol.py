"""Scheme pysol: PySolFC's deal numbers, with one, two and four suits.

These are the deals of its games Spider, Spider (2 Suits), Spider (1 Suit), Relaxed Spider and
Open Spider. Source: PySolFC's ``pysolrandom.py`` and ``games/spider.py``.

- The numbers 1 to 31999 use Microsoft's generator, and so do ``ms1`` to ``ms8589934591``
  (2^33-1).
- The numbers from 32000 on use the Mersenne Twister as CPython seeds it. This program reads up to
  40 digits. Versions of PySolFC use different generators for 32000 itself; ``ms32000`` is
  unambiguous.

PySolFC ignores blanks and ``# - _ . ,`` in a number and an ``L`` at its end. So does ``_parse``;
but in lists of numbers, ``ranges`` first splits the text at commas and dashes. The program
plspider (2005) lists the deals of the numbers with four suits and Microsoft's generator.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable

from ..cards import CLUBS, DIAMONDS, HEARTS, SPADES
from ..deal import COLUMNS, RowRule
from ..errors import DealError
from ..words import quote
from . import microsoft
from .grammar import MAX_DIGITS
from .scheme import DealtCards, Scheme, shuffle, two_decks_by_suit

MICROSOFT_BELOW = 32000  # numbers without prefix below this one use Microsoft's generator
LARGEST_MICROSOFT = 2**33 - 1
_MICROSOFT = "ms"  # the prefix of numbers that use Microsoft's generator
_SUITS_OF_MODE = {
    4: (CLUBS, SPADES, HEARTS, DIAMONDS),
    2: (CLUBS, CLUBS, HEARTS, HEARTS),
    1: (CLUBS, CLUBS, CLUBS, CLUBS),
}
_IGNORED = re.compile(r"[\s#\-_.,]")
_NUMBER = re.compile(r"(ms)?([0-9]+)L?", re.ASCII | re.IGNORECASE)
_MAX_LENGTH = 3 * MAX_DIGITS  # characters of a number, with ignored ones
_SIX_CARDS = (0, 3, 6, 9)  # the columns that get a sixth card
_FULL_ROUNDS = 4  # times that each column gets a card, before the sixth cards are dealt


def _parse(text: str) -> str:
    """Return the canonical number. Raises DealError."""
    match = None
    if len(text) <= _MAX_LENGTH and not text.lstrip().startswith("-"):
        match = _NUMBER.fullmatch(_IGNORED.sub("", text))
    if match is None:
        raise DealError(
            f"{quote(text)} is not a pysol deal number: expected 1 or more, or ms1 to"
            f" ms{LARGEST_MICROSOFT}"
        )
    number = int(match[2])
    if match[1]:
        if not 1 <= number <= LARGEST_MICROSOFT:
            raise DealError(
                f"pysol deal number ms{number} is out of range: expected ms1 to"
                f" ms{LARGEST_MICROSOFT}"
            )
        return f"{_MICROSOFT}{number}"
    if not 1 <= number < 10**MAX_DIGITS:
        raise DealError(
            f"pysol deal number {number} is out of range: expected 1 or more, at most"
            f" {MAX_DIGITS} digits"
        )
    return str(number)


def _microsoft_draws(number: int) -> Callable[[int], int]:
    """Return the draws of PySolFC's ``MSRandom``, which has three ranges of numbers."""
    if number < 2**32:
        states = microsoft.states(number)
        high_bit = 0x8000 if number >= 2**31 else 0
        return lambda bound: (microsoft.rand_output(next(states)) | high_bit) % bound
    states = microsoft.states(number - 2**32)
    return lambda bound: ((next(states) >> 16 & 0xFFFF) + 1) % bound


def _mersenne_draws(number: int) -> Callable[[int], int]:
    """Return the draws of PySolFC's ``MTRandom``."""
    source = random.Random(number)
    return lambda bound: int(source.random() * bound)


def _deal_cards(number: str, suits: int) -> DealtCards:
    digits = number.removeprefix(_MICROSOFT)
    has_prefix = digits != number
    if has_prefix or int(digits) < MICROSOFT_BELOW:
        below = _microsoft_draws(int(digits))
    else:
        below = _mersenne_draws(int(digits))
    cards = two_decks_by_suit(_SUITS_OF_MODE[suits])
    shuffle(cards, below)
    undealt = reversed(cards)
    columns: list[list[int]] = [[] for _ in range(COLUMNS)]
    for dealt_to in (*[range(COLUMNS)] * _FULL_ROUNDS, _SIX_CARDS, range(COLUMNS)):
        for column in dealt_to:
            columns[column].append(next(undealt))
    return DealtCards(columns, list(undealt))


SCHEME = Scheme(
    name="pysol",
    title="PySolFC",
    numbers=f"1 to 10^{MAX_DIGITS}-1; ms1 to ms{LARGEST_MICROSOFT}",
    suit_modes=(1, 2, 4),
    game_rules=RowRule.STANDARD,
    example="pysol:ms617",
    parse=_parse,
    deal_cards=_deal_cards,
    note="Relaxed Spider has the same deals and the relaxed rule",
)
