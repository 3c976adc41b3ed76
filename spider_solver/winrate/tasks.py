"""The deals of a run, in order: ranges of numbers in each suit mode, or a share of them.

``Tasks`` makes its tasks one by one, so it needs no more memory for a billion deals than for one.
``remaining_tasks`` keeps the deals that it has yielded in a TaskSet.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from ..deal import RowRule
from ..errors import SpiderError
from ..numbering import DealNumbers
from ..records import Task, TaskSet
from ..words import quote

_MAX_SHARD_TEXT = 20  # characters


@dataclass(frozen=True, slots=True)
class Shard:
    """One of several shares of the deals. The sizes of the shares differ by at most one deal."""

    index: int = 1  # from 1 to count
    count: int = 1

    @classmethod
    def parse(cls, text: str) -> Shard:
        """Return the shard in a text like ``2/8``. Raises SpiderError."""
        index, slash, count = text.partition("/")
        digits = index.isascii() and index.isdigit() and count.isascii() and count.isdigit()
        if slash and digits and len(text) <= _MAX_SHARD_TEXT and 1 <= int(index) <= int(count):
            return cls(int(index), int(count))
        raise SpiderError(f"{quote(text)}: expected a share like 2/8, from 1/8 to 8/8")


@dataclass(frozen=True, slots=True)
class Tasks:
    """The tasks of a run: each deal in all suit modes before the next deal.

    Raises DealError when constructed if a scheme lacks a suit mode.
    """

    numbers: DealNumbers
    suits: tuple[int, ...] = (4,)  # suit modes
    rules: RowRule = RowRule.STANDARD
    sample: int | None = None  # how many deals, evenly spread over the numbers; None for all
    shard: Shard = Shard()  # the deals shard.index, shard.index + shard.count, ..., from 1

    def __post_init__(self) -> None:
        for number_range in self.numbers.ranges:
            for suits in self.suits:
                number_range.scheme.check_suits(suits)

    @property
    def _deal_count(self) -> int:
        """The number of deals in all shards together."""
        count = self.numbers.count
        return count if self.sample is None else min(self.sample, count)

    def _deal_indices(self) -> range:
        """Return the indices of this shard's deals among the deals of all shards."""
        return range(self.shard.index - 1, self._deal_count, self.shard.count)

    @property
    def count(self) -> int:
        """The number of tasks. A deal that occurs twice counts twice."""
        indices = self._deal_indices()
        # Not len(), which fails for more than sys.maxsize.
        deals = max(0, -((indices.start - indices.stop) // indices.step))
        return deals * len(self.suits)

    def __iter__(self) -> Iterator[Task]:
        number_count, deal_count = self.numbers.count, self._deal_count
        for index in self._deal_indices():
            deal = self.numbers[index * number_count // deal_count]
            for suits in self.suits:
                yield Task(deal, suits, self.rules)


def remaining_tasks(
    tasks: Iterable[Task], done: TaskSet, on_skip: Callable[[], None]
) -> Iterator[Task]:
    """Yield the tasks that are not done, each once. on_skip: called for each other task."""
    handed_out = TaskSet()
    for task in tasks:
        if task not in done and handed_out.add(task):
            yield task
        else:
            on_skip()
