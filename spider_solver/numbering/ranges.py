"""Many deals by number: ``kpat:1-20``, ``pysol:ms1-ms20``, ``pysol:1,5,9``, ``native:1-3,7``.

Ranges are inclusive. A scheme's name holds until the next one; without any, numbers are
native. Nothing is dealt, and no list of numbers made, until somebody asks for it: ten
thousand million deals take no more memory than one.
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
class Span:
    """The numbers ``first`` to ``last`` of a scheme; prefix: letters before each, like ``ms``."""

    scheme: Scheme
    prefix: str
    first: int
    last: int

    @property
    def count(self) -> int:
        """How many numbers these are."""
        return self.last - self.first + 1

    def name(self, index: int) -> str:
        """``scheme:number`` of the number at an index from 0."""
        return f"{self.scheme.name}:{self.prefix}{self.first + index}"


class DealNumbers:
    """Deal numbers in the order given, as names ``scheme:number``; as a sequence, but lazy.

    ``count`` is how many there are. ``len()`` is the same, but Python bounds it by
    ``sys.maxsize``, which the whole of native's numbers is beyond.
    """

    def __init__(self, spans: Iterable[Span]) -> None:
        self.spans = tuple(spans)
        self._ends = tuple(accumulate(span.count for span in self.spans))

    @property
    def count(self) -> int:
        """How many deals there are, those named twice counted twice."""
        return self._ends[-1] if self._ends else 0

    def __len__(self) -> int:
        return self.count

    def __iter__(self) -> Iterator[str]:
        for span in self.spans:
            yield from map(span.name, range(span.count))

    def __getitem__(self, index: int) -> str:
        place = index + self.count if index < 0 else index
        if not 0 <= place < self.count:
            raise IndexError(f"{index} of {self.count} deals")
        which = bisect_right(self._ends, place)
        before = self._ends[which - 1] if which else 0
        return self.spans[which].name(place - before)

    def deals(self, suits: int = 4, rules: RowRule = RowRule.STANDARD) -> Iterator[Deal]:
        """The deals, one by one. DealError at once if a scheme hasn't that suit mode."""
        for span in self.spans:
            span.scheme.check_suits(suits)
        return self._deals(suits, rules)

    def _deals(self, suits: int, rules: RowRule) -> Iterator[Deal]:
        for span in self.spans:
            for number in range(span.first, span.last + 1):
                yield span.scheme.deal(f"{span.prefix}{number}", suits, rules)


def parse_numbers(*texts: str) -> DealNumbers:
    """The deal numbers in one or more texts, each a list of numbers and ranges. DealError."""
    spans: list[Span] = []
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
                    f"{quote(text)}: nothing stands at a comma: expected numbers like"
                    f" {scheme.name}:1,5,9"
                )
            spans.append(_span(scheme, numbers.strip(), text))
    return DealNumbers(spans)


def _span(scheme: Scheme, text: str, whole: str) -> Span:
    # A minus at the start is the sign of a number, if of no deal's.
    head, dash, last = text[1:].replace("\u2013", "-").partition("-")
    first, last = text[:1] + head, last.strip()
    again, number = split_scheme(last)
    if again is not None and scheme_named(again, whole) is scheme:
        last = number.strip()  # kpat:1-kpat:20
    if dash and not last:
        raise DealError(
            f"{quote(whole)}: the range {quote(text)} has no end: expected two numbers like"
            f" {scheme.name}:1-20"
        )
    prefix, low = _number(scheme, first)
    if not dash:
        return Span(scheme, prefix, low, low)
    if prefix and last.isascii() and last.isdigit():
        last = prefix + last  # ms1-20
    other, high = _number(scheme, last)
    if other != prefix:
        raise DealError(
            f"{quote(whole)}: the range {quote(text)} mixes two kinds of numbers: write both"
            f" ends as {prefix or other}N or both without"
        )
    if high < low:
        raise DealError(
            f"{quote(whole)}: the range {quote(text)} runs backwards: expected"
            f" {scheme.name}:{prefix}{high}-{prefix}{low}"
        )
    return Span(scheme, prefix, low, high)


def _number(scheme: Scheme, text: str) -> tuple[str, int]:
    parts = split_number(f"{scheme.name}:{scheme.parse(text)}")
    assert parts is not None  # every scheme's numbers have the canonical form
    return parts.prefix, parts.value
