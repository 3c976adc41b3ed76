"""The check of the solutions in results: each is replayed by the rules in ``game``."""

from __future__ import annotations

from dataclasses import dataclass, field

from ..errors import SpiderError
from ..numbering import deal_from_number
from ..result import Verdict
from ..verify import GameVerdict, verify_solution
from ..words import quote
from .record import WON_ONLY_KEYS, Record, Task


@dataclass(slots=True)
class SolutionCheck:
    """The counts of a check. ``add`` checks a record and increases them."""

    results: int = 0  # records added
    won: int = 0  # records with the verdict won
    verified: int = 0  # solutions without a flaw
    without_solution: int = 0  # won records that have no solution to check
    flawed: list[tuple[Task, str]] = field(default_factory=list)  # with the flaw of each

    @property
    def nothing_to_check(self) -> bool:
        """True if there are won records, but none of them has a solution."""
        return self.won > 0 and self.without_solution == self.won

    def add(self, record: Record) -> str:
        """Check a record's solution, if it has one. Return its flaw, or an empty string."""
        self.results += 1
        won = record.verdict is Verdict.WON
        self.won += won
        if not record.solution:
            self.without_solution += won
            return ""
        try:
            flaw = find_flaw(record)
        except SpiderError as error:
            flaw = str(error)
        if flaw:
            self.flawed.append((record.task, flaw))
        else:
            self.verified += 1
        return flaw


def find_flaw(record: Record) -> str:
    """Replay a record's solution. Return its flaw, or an empty string.

    It is also a flaw if the verdict or the counts of the record differ from those of the replay.
    Raises SpiderError if there is no such deal or the solution cannot be parsed.
    """
    task = record.task
    report = verify_solution(deal_from_number(task.deal, task.suits, task.rules), record.actions())
    if not report.legal:
        action = quote(report.illegal_text)
        return f"action {report.illegal_number} {action} is illegal: {report.reason}"
    if record.verdict is not Verdict.WON or report.verdict is not GameVerdict.WON:
        return f"the verdict is {record.verdict}, but the game is {report.verdict} at its end"
    for key in WON_ONLY_KEYS:
        if getattr(record, key) != getattr(report, key):
            return f"{key} {getattr(record, key)}: the replay counts {getattr(report, key)}"
    return ""
