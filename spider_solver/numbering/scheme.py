"""What one numbering scheme offers, and the dealing that several share."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from ..deal import COLUMNS, STANDARD_TABLEAU, Deal, Rules
from ..errors import DealError


@dataclass(frozen=True, slots=True)
class Scheme:
    """A program's way from a number to a deal.

    parse: number text to the number's canonical text; DealError if out of range.
    layout: canonical text and suit mode to (columns, stock), stock in the order dealt.
    """

    name: str
    title: str
    numbers: str
    suit_modes: tuple[int, ...]
    game_rules: Rules
    example: str
    parse: Callable[[str], str]
    layout: Callable[[str, int], tuple[list[list[int]], list[int]]]

    def deal(self, number: str, suits: int, rules: Rules) -> Deal:
        """The deal of a number, DealError if number or suit mode isn't offered."""
        canonical = self.parse(number)
        if suits not in self.suit_modes:
            modes = ", ".join(map(str, self.suit_modes))
            raise DealError(f"{self.name} has no deals with {suits} suits: expected {modes}")
        columns, stock = self.layout(canonical, suits)
        return Deal.make(columns, stock, rules=rules, name=f"{self.name}:{canonical}")


def whole_number(text: str, scheme: str, low: int, high: int) -> int:
    """A decimal number from low to high, or DealError saying the range."""
    digits = text.strip()
    if not (digits.isascii() and digits.isdigit()) or len(digits) > 40:
        raise DealError(f"{text[:40]!r} is no {scheme} deal number: expected {low} to {high}")
    if not low <= int(digits) <= high:
        raise DealError(f"{scheme} deal number {digits} is out of range: expected {low} to {high}")
    return int(digits)


def round_robin(cards: Sequence[int], count: int = STANDARD_TABLEAU) -> list[list[int]]:
    """The first ``count`` cards dealt one by one to columns 1 to 10, over and over."""
    return [list(cards[column:count:COLUMNS]) for column in range(COLUMNS)]
