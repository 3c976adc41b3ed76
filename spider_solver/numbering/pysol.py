"""pysol: PySolFC's deal numbers, for one, two and four suits.

Its games Spider, Spider (2 Suits), Spider (1 Suit), Relaxed Spider and Open Spider, as its
``pysolrandom.py`` and ``games/spider.py`` deal them:

- 1 to 31999 draw from Microsoft's generator; so does ``msN``, N from 1 to 2^33-1.
- 32000 and up, of any length, draw from the Mersenne Twister as CPython seeds it. 32000
  itself changed its generator between versions of PySolFC; ``ms32000`` is unambiguous.

PySolFC passes over blanks and ``# - _ . ,`` in a number and over an ``L`` at its end. The
program plspider (2005) lists these numbers, four suits, with Microsoft's generator.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable

from ..cards import CLUBS, DIAMONDS, HEARTS, SPADES
from ..deal import COLUMNS, RowRule
from ..errors import DealError
from . import microsoft
from .grammar import MAX_DIGITS
from .scheme import Layout, Scheme, shuffle, two_decks_by_suit

MICROSOFT_BELOW = 32000
LARGEST_MICROSOFT = 2**33 - 1
_MICROSOFT = "ms"
_SUITS_OF_MODE = {
    4: (CLUBS, SPADES, HEARTS, DIAMONDS),
    2: (CLUBS, CLUBS, HEARTS, HEARTS),
    1: (CLUBS, CLUBS, CLUBS, CLUBS),
}
_PASSED_OVER = re.compile(r"[\s#\-_.,]")
_NUMBER = re.compile(r"(ms)?([0-9]+)L?", re.ASCII | re.IGNORECASE)
_SIX_CARDS = (0, 3, 6, 9)  # the columns that get a sixth card
_LOW_ROWS = 4  # rows of ten dealt face down before that sixth card


def _parse(text: str) -> str:
    match = None
    if len(text) <= 3 * MAX_DIGITS and not text.lstrip().startswith("-"):
        match = _NUMBER.fullmatch(_PASSED_OVER.sub("", text))
    if match is None:
        raise DealError(
            f"{text[:40]!r} is no pysol deal number: expected 1 up, or ms1 to ms{LARGEST_MICROSOFT}"
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
            f"pysol deal number {number} is out of range: expected 1 up, at most {MAX_DIGITS}"
            " digits"
        )
    return str(number)


def _draw_microsoft(number: int) -> Callable[[int], int]:
    """Draws as PySolFC's ``MSRandom`` does, in its three ranges of numbers."""
    if number < 2**32:
        states = microsoft.states(number)
        high = 0x8000 if number >= 2**31 else 0
        return lambda bound: (microsoft.drawn(next(states)) | high) % bound
    states = microsoft.states(number - 2**32)
    return lambda bound: ((next(states) >> 16 & 0xFFFF) + 1) % bound


def _draw_mersenne(number: int) -> Callable[[int], int]:
    source = random.Random(number)
    return lambda bound: int(source.random() * bound)


def _layout(number: str, suits: int) -> Layout:
    digits = number.removeprefix(_MICROSOFT)
    forced = digits != number
    if forced or int(digits) < MICROSOFT_BELOW:
        below = _draw_microsoft(int(digits))
    else:
        below = _draw_mersenne(int(digits))
    cards = two_decks_by_suit(_SUITS_OF_MODE[suits])
    shuffle(cards, below)
    deal = reversed(cards)
    columns: list[list[int]] = [[] for _ in range(COLUMNS)]
    for row in (*[range(COLUMNS)] * _LOW_ROWS, _SIX_CARDS, range(COLUMNS)):
        for column in row:
            columns[column].append(next(deal))
    return columns, list(deal)


SCHEME = Scheme(
    name="pysol",
    title="PySolFC",
    numbers=f"1 up to {MAX_DIGITS} digits; ms1 to ms{LARGEST_MICROSOFT}",
    suit_modes=(1, 2, 4),
    game_rules=RowRule.STANDARD,
    example="pysol:ms617",
    parse=_parse,
    layout=_layout,
    note="Relaxed Spider has the same deals and the relaxed rule",
)
