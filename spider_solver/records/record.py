"""One solved deal as one JSON line.

A line is a JSON object with these keys, in this order:

=========  ======================================================================
schema     1; a later number would mean that a key changed its meaning
deal       ``scheme:number``, the number as its scheme writes it
suits      suit mode: 1, 2, 3 or 4
rules      ``standard`` or ``relaxed``: whether a row waits for empty columns
verdict    ``won``, ``unwinnable`` (proved) or ``undecided`` (a limit was reached)
moves      of the solution, rows not counted; null unless won
rows       dealt in the solution; null unless won
score      of the solution; null unless won
width      of the beam that won, or of the last one tried, in states a level
states     kept over all widths
seconds    of the search; the one value that differs from run to run
key        the settings: the program's version, and each limit that was set
version    the program's version
reason     why undecided, or what proved it; left out if won
solution   actions, blank separated, as in a recorded game; only if asked for
starved    true if undecided for want of memory, how much of which the key doesn't
           tell, so that another run may decide it; left out otherwise
=========  ======================================================================

Keys are only ever added, at the end; readers pass over those that they don't know.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, NamedTuple

from .. import __version__
from ..deal import RowRule
from ..errors import SpiderError
from ..game import Action, Move, Row
from ..notation import action_text, parse_action
from ..numbering import deal_from_number
from ..numbering.grammar import split_number
from ..result import Limits, Result, Verdict
from ..verify import Finding, verify_solution
from ..words import counted, quote

SCHEMA = 1
_WON_ONLY = ("moves", "rows", "score")
_TEXTS = ("deal", "rules", "verdict", "key", "version")
_COUNTS = ("suits", "width", "states")


class ResultsError(SpiderError):
    """A results file that can't be used: another program's, another run's, other settings."""


class Task(NamedTuple):
    """What there is to solve: a deal number in a suit mode, under a rule for rows."""

    deal: str
    suits: int
    rules: RowRule

    def __str__(self) -> str:
        relaxed = ", relaxed rules" if self.rules is RowRule.RELAXED else ""
        return f"{self.deal}, {counted(self.suits, 'suit')}{relaxed}"


@dataclass(frozen=True, slots=True)
class Record:
    """One line of a results file; the module's docstring says what each value is.

    moves, rows, score: None unless won. solution: empty if it wasn't kept.
    """

    task: Task
    verdict: Verdict
    moves: int | None
    rows: int | None
    score: int | None
    width: int
    states: int
    seconds: float
    key: str
    version: str
    reason: str = ""
    solution: str = ""
    starved: bool = False

    @classmethod
    def of(
        cls, task: Task, result: Result, key: str, *, solution: bool = False, share: bool = False
    ) -> Record:
        """The record of what a search found.

        solution: whether to keep the actions. share: whether the memory was a worker's share, and
        no limit that the key tells.
        """
        won = result.verdict is Verdict.WON
        return cls(
            task=task,
            verdict=result.verdict,
            moves=result.moves if won else None,
            rows=result.rows if won else None,
            score=result.score if won else None,
            width=result.width,
            states=result.states,
            seconds=round(result.seconds, 4),
            key=key,
            version=__version__,
            reason=result.reason,
            solution=" ".join(map(action_text, result.actions)) if solution else "",
            starved=share and result.starved,
        )

    def line(self) -> bytes:
        """The record as a line of a results file."""
        found: dict[str, object] = {
            "schema": SCHEMA,
            "deal": self.task.deal,
            "suits": self.task.suits,
            "rules": str(self.task.rules),
            "verdict": str(self.verdict),
            "moves": self.moves,
            "rows": self.rows,
            "score": self.score,
            "width": self.width,
            "states": self.states,
            "seconds": self.seconds,
            "key": self.key,
            "version": self.version,
        }
        if self.reason:
            found["reason"] = self.reason
        if self.solution:
            found["solution"] = self.solution
        if self.starved:
            found["starved"] = True
        return json.dumps(found, separators=(",", ":")).encode() + b"\n"

    @classmethod
    def read(cls, line: bytes) -> Record:
        """The record in a line. Raises ResultsError."""
        try:
            found = json.loads(line)
        except (ValueError, RecursionError):
            raise ResultsError(f"{_short(line)} is no JSON") from None
        if not isinstance(found, Mapping) or "schema" not in found:
            raise ResultsError(f"{_short(line)} is no result of a deal")
        if found["schema"] != SCHEMA:
            raise ResultsError(
                f"schema {_short(found['schema'])}, where this version reads {SCHEMA}"
            )
        _check_types(found)
        try:
            task = Task(found["deal"], found["suits"], RowRule(found["rules"]))
            verdict = Verdict(found["verdict"])
        except ValueError as error:
            raise ResultsError(str(error)) from None
        for name in _WON_ONLY:
            if (found.get(name) is None) is (verdict is Verdict.WON):
                raise ResultsError(f"{name} {found.get(name)} with the verdict {verdict}")
        return cls(
            task=task,
            verdict=verdict,
            moves=found.get("moves"),
            rows=found.get("rows"),
            score=found.get("score"),
            width=found["width"],
            states=found["states"],
            seconds=float(found["seconds"]),
            key=found["key"],
            version=found["version"],
            reason=found.get("reason", ""),
            solution=found.get("solution", ""),
            starved=found.get("starved", False),
        )

    def actions(self) -> list[Action]:
        """The actions of the solution. Raises NotationError, ResultsError."""
        actions = [parse_action(word) for word in self.solution.split()]
        for action in actions:
            if not isinstance(action, Move | Row):
                raise ResultsError(f"{action_text(action)!r}: expected a move like 4-7x3, or row")
        return [action for action in actions if isinstance(action, Move | Row)]


def _check_types(found: Mapping[str, Any]) -> None:
    """ResultsError unless each value is of the kind that the docstring above says."""
    for name in _TEXTS:
        if not isinstance(found.get(name), str):
            raise ResultsError(f"{name}: expected a text, not {_short(found.get(name))}")
    for name in ("reason", "solution"):
        if not isinstance(found.get(name, ""), str):
            raise ResultsError(f"{name}: expected a text, not {_short(found[name])}")
    if type(found.get("starved", False)) is not bool:
        raise ResultsError(f"starved: expected true or false, not {_short(found['starved'])}")
    for name in (*_COUNTS, *_WON_ONLY):
        value = found.get(name)
        if value is None and name in _WON_ONLY:
            continue
        if type(value) is not int or not 0 <= value < 2**63:
            raise ResultsError(f"{name}: expected a count, not {_short(value)}")
    seconds = found.get("seconds")
    if type(seconds) not in (int, float) or not 0 <= seconds < 1e9:  # type: ignore[operator]
        raise ResultsError(f"seconds: expected a time, not {_short(seconds)}")
    if split_number(found["deal"]) is None:
        raise ResultsError(f"{quote(found['deal'])}: expected a deal number like native:1")


def _short(value: object) -> str:
    if isinstance(value, bytes):
        return quote(value[:200].decode("utf-8", "backslashreplace").strip())
    return quote(json.dumps(value))


def settings_key(limits: Limits) -> str:
    """What decides verdicts and solutions, as text: ``0.1.0 max_width=64000``."""
    given = (f"{name}={value}" for name, value in asdict(limits).items() if value is not None)
    return " ".join((__version__, *given))


def flaw(record: Record) -> str:
    """What is wrong with a record's solution, replayed on the plain rules; empty if nothing.

    The counts must be those of the record too. SpiderError if there is no such deal, or the
    solution can't be read.
    """
    task = record.task
    report = verify_solution(deal_from_number(task.deal, task.suits, task.rules), record.actions())
    if not report.legal:
        return f"action {report.illegal_number} {report.illegal_text!r} is illegal: {report.reason}"
    if record.verdict is not Verdict.WON or report.verdict is not Finding.WON:
        return f"the verdict is {record.verdict}, but the actions end {report.verdict}"
    for name in _WON_ONLY:
        if getattr(record, name) != getattr(report, name):
            return f"{name} {getattr(record, name)}: the replay counts {getattr(report, name)}"
    return ""
