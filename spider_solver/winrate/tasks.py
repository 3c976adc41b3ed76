"""The deals of a run, in order: ranges of numbers in each suit mode, or a share of them.

Nothing is listed: a thousand million deals take no more memory than one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from ..deal import RowRule
from ..errors import SpiderError
from ..numbering import DealNumbers
from ..records import Task, TaskSet


@dataclass(frozen=True, slots=True)
class Shard:
    """One of several equal shares: the ``index``-th (from 1) of ``count``."""

    index: int = 1
    count: int = 1

    @classmethod
    def parse(cls, text: str) -> Shard:
        """The shard that ``i/n`` means. Raises SpiderError."""
        index, slash, count = text.partition("/")
        digits = index.isascii() and index.isdigit() and count.isascii() and count.isdigit()
        if slash and digits and len(text) <= 20 and 1 <= int(index) <= int(count):
            return cls(int(index), int(count))
        raise SpiderError(f"{text[:40]!r}: expected a share like 2/8, from 1/8 to 8/8")


@dataclass(frozen=True, slots=True)
class Tasks:
    """The tasks of a run; each deal in all its suit modes before the next deal.

    sample: so many of the deals only, evenly spread over the numbers; None for all. shard: of
    the deals, every ``shard.count``-th. DealError, when made, if a scheme lacks a suit mode.
    """

    numbers: DealNumbers
    suits: tuple[int, ...] = (4,)
    rules: RowRule = RowRule.STANDARD
    sample: int | None = None
    shard: Shard = Shard()

    def __post_init__(self) -> None:
        for span in self.numbers.spans:
            for suits in self.suits:
                span.scheme.check_suits(suits)

    @property
    def _deals(self) -> int:
        """How many deals all shards have."""
        count = self.numbers.count
        return count if self.sample is None else min(self.sample, count)

    def _places(self) -> range:
        return range(self.shard.index - 1, self._deals, self.shard.count)

    @property
    def count(self) -> int:
        """How many tasks there are, deals named twice counted twice."""
        places = self._places()
        # Not len(), which sys.maxsize bounds.
        deals = max(0, -((places.start - places.stop) // places.step))
        return deals * len(self.suits)

    def __iter__(self) -> Iterator[Task]:
        everything, deals = self.numbers.count, self._deals
        for place in self._places():
            deal = self.numbers[place * everything // deals]
            for suits in self.suits:
                yield Task(deal, suits, self.rules)


def outstanding(
    tasks: Iterable[Task], done: TaskSet, skipped: Callable[[], None]
) -> Iterator[Task]:
    """The tasks that aren't done, each once; skipped is called for each of the others."""
    handed_out = TaskSet()
    for task in tasks:
        if task not in done and handed_out.add(task):
            yield task
        else:
            skipped()
