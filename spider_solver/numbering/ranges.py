"""Many deal numbers at once: ``kpat:1-20``, ``pysol:ms1-ms20``, ``pysol:1,5,9``, ``native:1-3,7``.

Ranges include both ends. A scheme applies until the next one in the same text; numbers before the
first scheme of a text are native. ``grammar`` has the exact form.

A range is stored as its two ends. Its numbers and deals are made one by one while a caller
iterates over them. So a range of ten billion deals needs no more memory than one deal.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import accumulate

from ..deal import Deal, RowRule
from ..errors import DealError
from ..words import quote
from .grammar import split_number, split_scheme
from .registry import DEFAULT, scheme_named
from .scheme import Scheme

MAX_PARTS = 100_000  # ranges and single numbers in one list


@dataclass(frozen=True, slots=True)
class NumberRange:
    """The numbers from one to another in a scheme."""

    scheme: Scheme
    prefix: str  # the letters before each number, such as "ms"; usually empty
    first: int
    last: int  # included

    @property
    def count(self) -> int:
        """The number of deal numbers."""
        return self.last - self.first + 1

    def name(self, index: int) -> str:
        """Return ``scheme:number`` for the number at an index from 0."""
        return f"{self.scheme.name}:{self.prefix}{self.first + index}"


class DealNumbers:
    """Deal numbers in the order given: a lazy sequence of canonical texts ``scheme:number``."""

    def __init__(self, ranges: Iterable[NumberRange]) -> None:
        self.ranges = tuple(ranges)
        # For each range: the number of deal numbers up to its end.
        self._ends = tuple(accumulate(number_range.count for number_range in self.ranges))

    @property
    def count(self) -> int:
        """The number of deal numbers. A number that occurs twice counts twice.

        ``len()`` returns the same, but raises OverflowError above ``sys.maxsize``; a range of
        native numbers may be longer.
        """
        return self._ends[-1] if self._ends else 0

    def __len__(self) -> int:
        return self.count

    def __iter__(self) -> Iterator[str]:
        for number_range in self.ranges:
            yield from map(number_range.name, range(number_range.count))

    def __getitem__(self, index: int) -> str:
        offset = index + self.count if index < 0 else index
        if not 0 <= offset < self.count:
            raise IndexError(f"{index} of {self.count} deals")
        range_index = bisect_right(self._ends, offset)
        before = self._ends[range_index - 1] if range_index else 0
        return self.ranges[range_index].name(offset - before)

    def deals(self, suits: int = 4, rules: RowRule = RowRule.STANDARD) -> Iterator[Deal]:
        """Return an iterator over the deals.

        Raises DealError at once, before the first deal, if a scheme has no such suit mode.
        """
        for number_range in self.ranges:
            number_range.scheme.check_suits(suits)
        return self._deals(suits, rules)

    def _deals(self, suits: int, rules: RowRule) -> Iterator[Deal]:
        for number_range in self.ranges:
            for number in range(number_range.first, number_range.last + 1):
                yield number_range.scheme.deal(f"{number_range.prefix}{number}", suits, rules)


def parse_numbers(*texts: str) -> DealNumbers:
    """Return the deal numbers in one or more lists of numbers and ranges.

    Each list begins with the native scheme. Raises DealError.
    """
    ranges: list[NumberRange] = []
    for text in texts:
        scheme = scheme_named(DEFAULT)
        parts = text.split(",", MAX_PARTS)
        if len(parts) > MAX_PARTS:
            raise DealError(f"more than {MAX_PARTS} deal numbers and ranges in one list")
        for part in parts:
            name, numbers = split_scheme(part)
            if name is not None:
                scheme = scheme_named(name, text)
            if not numbers.strip() and len(parts) > 1:
                raise DealError(
                    f"{quote(text)}: a number is missing before or after a comma: expected numbers"
                    f" like {scheme.name}:1,5,9"
                )
            ranges.append(_parse_range(scheme, numbers.strip(), text))
    return DealNumbers(ranges)


def _parse_range(scheme: Scheme, text: str, whole: str) -> NumberRange:
    """Return the range of a number or a range. whole: the list that has it, for messages."""
    first, last = _split_range(scheme, text, whole)
    prefix, low = _parse_number(scheme, first)
    if last is None:
        return NumberRange(scheme, prefix, low, low)
    if prefix and last.isascii() and last.isdigit():
        last = prefix + last  # ms1-20
    last_prefix, high = _parse_number(scheme, last)
    if last_prefix != prefix:
        raise DealError(
            f"{quote(whole)}: the range {quote(text)} mixes two kinds of numbers: expected both"
            f" ends with {prefix or last_prefix} or both without it"
        )
    if high < low:
        raise DealError(
            f"{quote(whole)}: the range {quote(text)} runs backwards: expected"
            f" {scheme.name}:{prefix}{high}-{prefix}{low}"
        )
    return NumberRange(scheme, prefix, low, high)


def _split_range(scheme: Scheme, text: str, whole: str) -> tuple[str, str | None]:
    """Return the two ends of a range as texts, or one number and None."""
    # A minus at the start is a sign. No deal has a negative number, so parsing it fails later.
    rest, dash, last = text[1:].replace("\u2013", "-").partition("-")
    first = text[:1] + rest
    if not dash:
        return first, None
    last = last.strip()
    name, number = split_scheme(last)
    if name is not None and scheme_named(name, whole) is scheme:
        last = number.strip()  # kpat:1-kpat:20
    if not last:
        raise DealError(
            f"{quote(whole)}: the range {quote(text)} has no end: expected two numbers like"
            f" {scheme.name}:1-20"
        )
    return first, last


def _parse_number(scheme: Scheme, text: str) -> tuple[str, int]:
    """Return the prefix and the value of a number."""
    parts = split_number(f"{scheme.name}:{scheme.parse(text)}")
    assert parts is not None  # every scheme's numbers have the canonical form
    return parts.prefix, parts.value
