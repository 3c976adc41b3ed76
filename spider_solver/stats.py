"""Win rates and what else results add up to, by suit mode and rule for rows.

A deal that stays undecided may be winnable or not. So the win rate has two bounds: undecided
deals counted as lost, and as won. The interval around them is Wilson's score interval at 95%
[1]: its lower end for the lower bound, its upper end for the upper one. So it's the likely range
of the rate among all deals like these, whatever the undecided ones are. It takes the deals
for a random sample, which native's numbers are as good as.

[1] E. B. Wilson, "Probable inference, the law of succession, and statistical inference",
Journal of the American Statistical Association 22 (1927), 209-212.
"""

from __future__ import annotations

import heapq
import statistics
from array import array
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from . import __version__
from .deal import RowRule
from .records import Record, ResultsError, Task, TaskSet
from .result import Verdict
from .words import counted

CONFIDENCE = 0.95
METHOD = "wilson"
HARDEST = 10  # deals that are named


@dataclass(frozen=True, slots=True)
class Spread:
    """How numbers are spread; quartiles as numpy's default ``linear`` has them."""

    count: int
    mean: float
    least: float
    quartiles: tuple[float, float, float]
    most: float

    @classmethod
    def of(cls, numbers: Sequence[float]) -> Spread | None:
        """The spread of numbers; None if there are none."""
        if not numbers:
            return None
        least, most = min(numbers), max(numbers)
        if len(numbers) == 1:
            quartiles = (least, least, least)
        else:
            first, second, third = statistics.quantiles(numbers, n=4, method="inclusive")
            quartiles = (first, second, third)
        return cls(len(numbers), statistics.fmean(numbers), least, quartiles, most)


@dataclass(frozen=True, slots=True)
class WinRate:
    """The win rate's bounds, undecided deals counted as lost and as won, and its interval."""

    least: float
    most: float
    interval: tuple[float, float]

    @classmethod
    def of(cls, won: int, undecided: int, deals: int) -> WinRate:
        """The rate of a number of deals, at least one."""
        least, most = won, won + undecided
        interval = (wilson_interval(least, deals)[0], wilson_interval(most, deals)[1])
        return cls(least / deals, most / deals, interval)


def wilson_interval(successes: int, trials: int) -> tuple[float, float]:
    """Wilson's score interval of a proportion at 95%."""
    from scipy.stats import binomtest

    found = binomtest(successes, trials).proportion_ci(CONFIDENCE, method=METHOD)
    return float(found.low), float(found.high)


@dataclass(frozen=True, slots=True)
class Hard:
    """A deal that was hard to decide."""

    deal: str
    verdict: Verdict
    width: int
    states: int


@dataclass(frozen=True, slots=True)
class Group:
    """The deals of one suit mode, under one rule for rows.

    unwinnable, undecided: their names, in the order of the results. moves (rows not counted),
    score: of solutions; states, seconds: of all searches; None if there are none. hardest:
    undecided ones first, then by states. states_won: states searched up to each win.
    lengths: the moves of each solution.
    """

    suits: int
    rules: RowRule
    deals: int
    won: int
    unwinnable: tuple[str, ...]
    undecided: tuple[str, ...]
    win_rate: WinRate
    moves: Spread | None
    score: Spread | None
    states: Spread | None
    seconds: Spread | None
    total_seconds: float
    hardest: tuple[Hard, ...]
    states_won: Sequence[int]
    lengths: Sequence[int]

    @property
    def title(self) -> str:
        """``4 suits``, or ``2 suits, relaxed``."""
        relaxed = ", relaxed" if self.rules is RowRule.RELAXED else ""
        return f"{counted(self.suits, 'suit')}{relaxed}"


@dataclass(frozen=True, slots=True)
class Summary:
    """What results add up to.

    settings: the key of each settings, with its number of results. repeated: results of deals
    that others are there for: of these the first that decides counts.
    """

    groups: tuple[Group, ...]
    settings: dict[str, int]
    repeated: int


class _Sums:
    """A group while results come in; some thirty bytes a deal."""

    def __init__(self) -> None:
        self.moves = array("q")
        self.score = array("q")
        self.states_won = array("q")
        self.states_rest = array("q")
        self.seconds = array("d")
        self.unwinnable: dict[str, None] = {}
        self.undecided: dict[str, Record] = {}  # counted at the end: another may decide it
        self.hardest: list[tuple[int, str, Record]] = []

    def add(self, record: Record) -> None:
        self.seconds.append(record.seconds)
        if record.verdict is Verdict.WON:
            assert record.moves is not None
            assert record.score is not None
            self.moves.append(record.moves)
            self.score.append(record.score)
            self.states_won.append(record.states)
        else:
            self.states_rest.append(record.states)
        if record.verdict is Verdict.UNWINNABLE:
            self.unwinnable[record.task.deal] = None
        heapq.heappush(self.hardest, (record.states, record.task.deal, record))
        if len(self.hardest) > HARDEST:
            heapq.heappop(self.hardest)

    def group(self, suits: int, rules: RowRule) -> Group:
        undecided = list(self.undecided.values())
        open_first = sorted(undecided, key=lambda record: (-record.states, record.task.deal))
        by_states = sorted(self.hardest, key=lambda hard: (-hard[0], hard[1]))
        then = (record for _, _, record in by_states)
        hardest = [*open_first, *then][:HARDEST]
        states = self.states_won + self.states_rest
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
            hardest=tuple(Hard(r.task.deal, r.verdict, r.width, r.states) for r in hardest),
            states_won=self.states_won,
            lengths=self.moves,
        )


class Tally:
    """Adds results up, one by one."""

    def __init__(self, records: Iterable[Record] = ()) -> None:
        self._sums: defaultdict[tuple[int, RowRule], _Sums] = defaultdict(_Sums)
        self._seen = TaskSet()
        self._settings: Counter[str] = Counter()
        self._repeated = 0
        for record in records:
            self.add(record)

    def add(self, record: Record) -> None:
        """Count a result. ResultsError if it contradicts an earlier one."""
        task = record.task
        self._settings[record.key] += 1
        sums = self._sums[task.suits, task.rules]
        decided = record.verdict is not Verdict.UNDECIDED
        if self._seen.add(task):
            if decided:
                sums.add(record)
            else:
                sums.undecided[task.deal] = record
            return
        self._repeated += 1
        before = sums.undecided.get(task.deal)
        if before is None:
            if decided and (task.deal in sums.unwinnable) is (record.verdict is Verdict.WON):
                raise _contradiction(task)
        elif decided:
            del sums.undecided[task.deal]
            sums.add(record)
        elif record.states > before.states:  # the longer search says more
            sums.undecided[task.deal] = record

    def summary(self) -> Summary:
        """What the results so far add up to, by suit mode."""
        groups = tuple(self._sums[key].group(*key) for key in sorted(self._sums))
        return Summary(groups, dict(self._settings), self._repeated)


def _contradiction(task: Task) -> ResultsError:
    return ResultsError(
        f"{task}: won in one result, unwinnable in another: one of them is wrong"
        " (verify --results checks solutions)"
    )


def summary_object(summary: Summary) -> dict[str, Any]:
    """A summary for ``--json``. Keys are only ever added, at the end."""
    return {
        "groups": [_group_object(group) for group in summary.groups],
        "settings": summary.settings,
        "repeated": summary.repeated,
        "version": __version__,
    }


def _group_object(group: Group) -> dict[str, Any]:
    spreads = {name: getattr(group, name) for name in ("moves", "score", "states", "seconds")}
    return {
        "suits": group.suits,
        "rules": str(group.rules),
        "deals": group.deals,
        "won": group.won,
        "unwinnable": len(group.unwinnable),
        "undecided": len(group.undecided),
        "win_rate": {**asdict(group.win_rate), "confidence": CONFIDENCE, "method": METHOD},
        **{name: spread and asdict(spread) for name, spread in spreads.items()},
        "total_seconds": round(group.total_seconds, 3),
        "hardest": [asdict(hard) for hard in group.hardest],
        "unwinnable_deals": list(group.unwinnable),
        "undecided_deals": list(group.undecided),
    }
