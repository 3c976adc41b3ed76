"""The result of one deal as one JSON line.

A line is a JSON object with these keys, in this order:

=========  ======================================================================
schema     1; a greater number means that a key has changed its meaning
deal       ``scheme:number``, with the number as its scheme writes it
suits      suit mode: 1, 2, 3 or 4
rules      ``standard``, or ``relaxed``: rows may be dealt while a column is empty
verdict    ``won``, ``unwinnable`` (proved) or ``undecided`` (a limit was reached)
moves      moves of the solution, rows not counted; null unless won
rows       rows dealt in the solution; null unless won
score      score of the solution; null unless won
width      width of the beam that won, or of the last beam tried, in states per level
states     states kept by all beams together, without the search for shorter solutions
seconds    seconds of the search, also without it; they differ from run to run
key        the settings: the program's version, and each limit, unless it is None; with
           ``shorten_seconds`` or ``shorten_states`` if shorter solutions were searched for,
           else with ``quick``
version    the program's version
reason     why the deal is undecided, or what proved it; absent if won
solution   actions separated by blanks, as in a recorded game; only on request
starved    true if undecided because of too little memory, where the amount of
           memory is not part of ``key``: another run may decide it; else absent
=========  ======================================================================

With the same key, all values but ``seconds`` are the same in each run, unless the search ended
because of a limit on time, or because of a limit on memory that is not part of ``key``.

Later versions add keys only at the end. Readers ignore keys that they do not know. The shape of a
line is defined here, and not in ``render.json``, because this module writes and reads it and may
not import ``render``.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import Any, NamedTuple, TypeVar

from .. import __version__
from ..deal import RowRule
from ..errors import SpiderError
from ..game import Action, Move, Row
from ..notation import action_text, parse_action
from ..numbering import check_number
from ..result import Limits, Result, ShorteningLimits, Verdict
from ..words import alternatives, counted, quote

_Kind = TypeVar("_Kind", bound=StrEnum)

SCHEMA = 1
KEY_LENGTH = 200  # characters of a settings key that a message shows; its limits need up to 150
WON_ONLY_KEYS = ("moves", "rows", "score")
_TEXT_KEYS = ("deal", "rules", "verdict", "key", "version")
_OPTIONAL_TEXT_KEYS = ("reason", "solution")
_COUNT_KEYS = ("suits", "width", "states")


class ResultsError(SpiderError):
    """A results file that cannot be used: of another program, or in use by another run."""


class IncompleteLineError(ResultsError):
    """A line that is not JSON. It may be the beginning of a result."""


class Task(NamedTuple):
    """A deal to solve."""

    deal: str  # the deal number with its scheme
    suits: int  # suit mode
    rules: RowRule

    def __str__(self) -> str:
        relaxed = ", relaxed rules" if self.rules is RowRule.RELAXED else ""
        return f"{self.deal}, {counted(self.suits, 'suit')}{relaxed}"


@dataclass(frozen=True, slots=True)
class Record:
    """One line of a results file. The module's docstring defines each value."""

    task: Task
    verdict: Verdict
    moves: int | None  # None unless won
    rows: int | None  # None unless won
    score: int | None  # None unless won
    width: int
    states: int
    seconds: float
    key: str
    version: str
    reason: str = ""
    solution: str = ""  # empty if it was not kept
    starved: bool = False

    @classmethod
    def from_result(
        cls,
        task: Task,
        result: Result,
        key: str,
        *,
        with_solution: bool = False,
        memory_shared: bool = False,
    ) -> Record:
        """Return the record of a search's result.

        key: the settings, as ``settings_key`` returns them.
        with_solution: whether the record has the actions of the solution.
        memory_shared: whether the memory limit was a worker's share of the machine's memory, which
        is not part of ``key``.
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
            solution=" ".join(map(action_text, result.actions)) if with_solution else "",
            starved=memory_shared and result.starved,
        )

    def to_line(self) -> bytes:
        """Return the record as a line of a results file, with the newline."""
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
    def parse(cls, line: bytes) -> Record:
        """The record in a line of a results file.

        Raises IncompleteLineError if the line is not JSON, ResultsError if it is not a result or
        there is no such deal.
        """
        found = _parse_object(line)
        _check_types(found)
        task = Task(found["deal"], found["suits"], _member(RowRule, found, "rules"))
        verdict = _member(Verdict, found, "verdict")
        try:
            check_number(task.deal, task.suits)
        except SpiderError as error:
            raise ResultsError(str(error)) from None
        for key in WON_ONLY_KEYS:
            if (found.get(key) is None) is (verdict is Verdict.WON):
                raise ResultsError(f"{key} {found.get(key)} with the verdict {verdict}")
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
        """Return the actions of the solution. Raises NotationError or ResultsError."""
        actions: list[Action] = []
        for action in map(parse_action, self.solution.split()):
            if not isinstance(action, Move | Row):
                text = quote(action_text(action))
                raise ResultsError(f"{text}: expected a move like 4-7x3, or row")
            actions.append(action)
        return actions


def settings_key(limits: Limits, shortening: ShorteningLimits | None = None) -> str:
    """Return the settings of a run: ``0.1.0 max_width=64000 first_width=64 quick``.

    They are the version and each limit that is not None, also those with their default values.
    shortening: the limits on the search for shorter solutions; None if the searches are quick.
    """
    settings = asdict(limits)
    if shortening is not None:
        settings["shorten_seconds"] = shortening.seconds
        settings["shorten_states"] = shortening.states
    given = [f"{name}={value}" for name, value in settings.items() if value is not None]
    if shortening is None:
        given.append("quick")
    return " ".join((__version__, *given))


def _parse_object(line: bytes) -> Mapping[str, Any]:
    """The JSON object in a line.

    Raises IncompleteLineError if it is not JSON, ResultsError if it is not of this program and
    schema.
    """
    try:
        found = json.loads(line)
    except (ValueError, RecursionError):
        raise IncompleteLineError(f"{_excerpt(line)} is not JSON") from None
    if not isinstance(found, Mapping) or "schema" not in found:
        raise ResultsError(f"{_excerpt(line)} is not the result of a deal")
    if found["schema"] != SCHEMA:
        raise ResultsError(f"schema {_excerpt(found['schema'])}: this version reads {SCHEMA}")
    return found


def _member(kind: type[_Kind], found: Mapping[str, Any], key: str) -> _Kind:
    """The member of an enumeration that a value names. Raises ResultsError."""
    try:
        return kind(found[key])
    except ValueError:
        raise ResultsError(f"{key} {quote(found[key])}: expected {alternatives(kind)}") from None


def _check_types(found: Mapping[str, Any]) -> None:
    """Raise ResultsError unless each value has the type that the module's docstring defines."""
    for key in _TEXT_KEYS:
        if not isinstance(found.get(key), str):
            raise ResultsError(f"{key}: expected a text, not {_excerpt(found.get(key))}")
    for key in _OPTIONAL_TEXT_KEYS:
        if not isinstance(found.get(key, ""), str):
            raise ResultsError(f"{key}: expected a text, not {_excerpt(found[key])}")
    if type(found.get("starved", False)) is not bool:
        raise ResultsError(f"starved: expected true or false, not {_excerpt(found['starved'])}")
    for key in (*_COUNT_KEYS, *WON_ONLY_KEYS):
        value = found.get(key)
        if value is None and key in WON_ONLY_KEYS:
            continue
        if type(value) is not int or not 0 <= value < 2**63:
            raise ResultsError(f"{key}: expected a count, not {_excerpt(value)}")
    seconds = found.get("seconds")
    if type(seconds) not in (int, float) or not 0 <= seconds < 1e9:  # type: ignore[operator]
        raise ResultsError(f"seconds: expected a time, not {_excerpt(seconds)}")


def _excerpt(value: object) -> str:
    """Return the beginning of a line or of a JSON value, quoted for an error message."""
    if isinstance(value, bytes):
        return quote(value[:200].decode("utf-8", "backslashreplace").strip())
    return quote(json.dumps(value))
