"""Statistics of results: win rates, lengths and efforts, by suit mode and rule for rows.

An undecided deal may be winnable or not. So the win rate has two bounds: the lower one counts
undecided deals as lost, the upper one as won. The interval around the bounds comes from Wilson's
score intervals at 95% [1]: it begins at the lower end of the interval of the lower bound, and
ends at the upper end of the interval of the upper bound. It estimates the win rate among all deals
of this kind, whatever the undecided deals are. It assumes that the deals are a random sample; a
range of native deal numbers can be treated as one.

[1] E. B. Wilson, "Probable inference, the law of succession, and statistical inference",
Journal of the American Statistical Association 22 (1927), 209-212.
"""

from __future__ import annotations

import bisect
import heapq
import math
import statistics
from array import array
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from .deal import RowRule
from .records import Record, ResultsError, Task, TaskSet
from .result import Verdict
from .words import counted

CONFIDENCE = 0.95
# The 97.5% quantile of the standard normal distribution, which belongs to CONFIDENCE. It is a
# literal because the error of statistics.NormalDist().inv_cdf(0.975) is 6e-16.
_QUANTILE = 1.959963984540054
INTERVAL_METHOD = "wilson"
HARDEST = 10  # the number of hardest deals in a group


class ContradictionError(ResultsError):
    """Two results of one deal: won and unwinnable."""


@dataclass(frozen=True, slots=True)
class Spread:
    """The distribution of some numbers."""

    count: int
    mean: float
    minimum: float
    # At 25, 50 and 75%, by linear interpolation as numpy's method "linear" computes them.
    quartiles: tuple[float, float, float]
    maximum: float

    @classmethod
    def of(cls, numbers: Sequence[float]) -> Spread | None:
        """Return the distribution of some numbers; None if there are none."""
        if not numbers:
            return None
        minimum, maximum = min(numbers), max(numbers)
        if len(numbers) == 1:
            quartiles = (minimum, minimum, minimum)
        else:
            first, second, third = statistics.quantiles(numbers, n=4, method="inclusive")
            quartiles = (first, second, third)
        return cls(len(numbers), statistics.fmean(numbers), minimum, quartiles, maximum)


@dataclass(frozen=True, slots=True)
class WinRate:
    """The bounds of a win rate, as shares from 0 to 1, and the interval around them."""

    lower: float  # undecided deals counted as lost
    upper: float  # undecided deals counted as won
    interval: tuple[float, float]
    confidence: float = CONFIDENCE  # of the interval
    method: str = INTERVAL_METHOD  # of the interval

    @classmethod
    def of(cls, won: int, undecided: int, deals: int) -> WinRate:
        """Return the win rate. deals: the number of all deals, at least one."""
        least, most = won, won + undecided
        interval = (wilson_interval(least, deals)[0], wilson_interval(most, deals)[1])
        return cls(least / deals, most / deals, interval)


def wilson_interval(successes: int, trials: int) -> tuple[float, float]:
    """Return Wilson's score interval of a proportion at 95%: its lower and its upper end.

    It holds the proportions p from which the observed share, successes / trials, differs by at
    most z standard errors sqrt(p (1 - p) / trials), where z is the 97.5% quantile of the normal
    distribution [1]. This is a quadratic inequality in p. Its solutions are returned as shares
    from 0 to 1. There must be at least one trial.
    """
    z, share = _QUANTILE, successes / trials
    divisor = 2 * (trials + z**2)
    center = (2 * trials * share + z**2) / divisor
    half_width = z / divisor * math.sqrt(4 * trials * share * (1 - share) + z**2)
    # Exact at the ends, where rounding errors would leave the range from 0 to 1.
    low = 0.0 if successes == 0 else center - half_width
    high = 1.0 if successes == trials else center + half_width
    return low, high


@dataclass(frozen=True, slots=True)
class HardDeal:
    """A deal whose search kept many states, or did not decide it."""

    name: str  # the deal number with its scheme
    verdict: Verdict
    width: int  # of the beam that won, or of the last beam tried
    states: int  # kept by all beams together


@dataclass(frozen=True, slots=True)
class Group:
    """The statistics of the deals of one suit mode under one rule for rows.

    One result of each deal is used; ``Summary.repeated`` counts the others.
    """

    suits: int
    rules: RowRule
    deals: int
    won: int
    unwinnable: tuple[str, ...]  # deal numbers, in the order of the results
    undecided: tuple[str, ...]  # deal numbers, in the order of the results
    win_rate: WinRate
    moves: Spread | None  # of solutions, rows not counted; None if there are none
    score: Spread | None  # of solutions; None if there are none
    states: Spread | None  # of the searches of all deals
    seconds: Spread | None  # of the searches of all deals
    total_seconds: float  # of the searches of all deals
    hardest: tuple[HardDeal, ...]  # first undecided deals, then by descending states
    states_won: Sequence[int]  # states of each search that won
    lengths: Sequence[int]  # moves of each solution, rows not counted

    @property
    def title(self) -> str:
        """``4 suits``, or ``2 suits, relaxed``."""
        relaxed = ", relaxed" if self.rules is RowRule.RELAXED else ""
        return f"{counted(self.suits, 'suit')}{relaxed}"


@dataclass(frozen=True, slots=True)
class Summary:
    """The statistics of all results."""

    groups: tuple[Group, ...]  # sorted by suit mode, then by rule for rows
    settings: dict[str, int]  # for each settings key, the number of its results, repeated ones too
    # Results after the first one of their deal. The first result of a deal that is not undecided
    # is used; if all are undecided, the one with the most states.
    repeated: int


class _GroupTotals:
    """The numbers of a group while results are added: about 35 bytes for each won deal."""

    def __init__(self) -> None:
        self.moves = array("q")
        self.score = array("q")
        self.states_won = array("q")
        self.states_not_won = array("q")
        self.seconds = array("d")
        self.unwinnable: dict[str, None] = {}  # deal numbers, as an ordered set
        # They are added to the lists above only by group(), because a later result may decide them.
        self.undecided: dict[str, Record] = {}
        self.hardest: list[Record] = []  # decided deals, hardest first, at most HARDEST

    def add_decided(self, record: Record) -> None:
        """Add the result of a deal that is won or unwinnable."""
        self.seconds.append(record.seconds)
        if record.verdict is Verdict.WON:
            assert record.moves is not None
            assert record.score is not None
            self.moves.append(record.moves)
            self.score.append(record.score)
            self.states_won.append(record.states)
        else:
            self.states_not_won.append(record.states)
            self.unwinnable[record.task.deal] = None
        bisect.insort(self.hardest, record, key=_hardness)
        del self.hardest[HARDEST:]

    def group(self, suits: int, rules: RowRule) -> Group:
        """Return the statistics of the results so far."""
        undecided = list(self.undecided.values())
        states = self.states_won + self.states_not_won
        states.extend(record.states for record in undecided)
        seconds = self.seconds + array("d", [record.seconds for record in undecided])
        won = len(self.moves)
        return Group(
            suits=suits,
            rules=rules,
            deals=len(states),
            won=won,
            unwinnable=tuple(self.unwinnable),
            undecided=tuple(self.undecided),
            win_rate=WinRate.of(won, len(undecided), len(states)),
            moves=Spread.of(self.moves),
            score=Spread.of(self.score),
            states=Spread.of(states),
            seconds=Spread.of(seconds),
            total_seconds=sum(seconds),
            hardest=self._hardest_deals(),
            states_won=self.states_won,
            lengths=self.moves,
        )

    def _hardest_deals(self) -> tuple[HardDeal, ...]:
        """Return undecided deals, then decided ones, each in the order of ``_hardness``."""
        undecided = heapq.nsmallest(HARDEST, self.undecided.values(), key=_hardness)
        return tuple(
            HardDeal(record.task.deal, record.verdict, record.width, record.states)
            for record in [*undecided, *self.hardest][:HARDEST]
        )


def _hardness(record: Record) -> tuple[int, str]:
    """Return a sort key: the most states first; with equal states, by deal number as text."""
    return -record.states, record.task.deal


class Tally:
    """Adds up results one by one."""

    def __init__(self, records: Iterable[Record] = ()) -> None:
        """Start with the given results. Raises ContradictionError, as ``add`` does."""
        self._totals: defaultdict[tuple[int, RowRule], _GroupTotals] = defaultdict(_GroupTotals)
        self._seen = TaskSet()
        self._settings: Counter[str] = Counter()
        self._repeated = 0
        for record in records:
            self.add(record)

    def add(self, record: Record) -> None:
        """Add a result. Raises ContradictionError if it contradicts an earlier one."""
        task = record.task
        self._settings[record.key] += 1
        totals = self._totals[task.suits, task.rules]
        is_decided = record.verdict is not Verdict.UNDECIDED
        if self._seen.add(task):
            if is_decided:
                totals.add_decided(record)
            else:
                totals.undecided[task.deal] = record
            return
        self._repeated += 1
        before = totals.undecided.get(task.deal)
        if before is None:
            was_unwinnable = task.deal in totals.unwinnable
            if is_decided and was_unwinnable is (record.verdict is Verdict.WON):
                raise _contradiction(task)
        elif is_decided:
            del totals.undecided[task.deal]
            totals.add_decided(record)
        elif record.states > before.states:  # the longer search is the better information
            totals.undecided[task.deal] = record

    def summary(self) -> Summary:
        """Return the statistics of the results so far."""
        groups = tuple(self._totals[key].group(*key) for key in sorted(self._totals))
        return Summary(groups, dict(self._settings), self._repeated)


def _contradiction(task: Task) -> ContradictionError:
    return ContradictionError(
        f"{task}: won in one result, unwinnable in another: one of them is wrong"
    )
