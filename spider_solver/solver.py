"""The Python API: ``solve(position, limits, progress) -> Result``."""

from __future__ import annotations

import enum
from collections.abc import Callable
from dataclasses import dataclass, field

from .game import Action, Position


class Verdict(enum.StrEnum):
    """won: with a solution. unwinnable: proved. undecided: a limit was reached."""

    WON = "won"
    UNWINNABLE = "unwinnable"
    UNDECIDED = "undecided"


@dataclass(frozen=True, slots=True)
class Limits:
    """When a search gives up. Width and states are reproducible; time and memory aren't.

    max_width: the widest beam, in states a level. max_states: states kept over all widths,
    None for no limit. time_limit: seconds, None for none. max_memory: bytes, None for the
    default share of the machine's.
    """

    max_width: int = 64_000
    max_states: int | None = None
    time_limit: float | None = None
    max_memory: int | None = None


@dataclass(frozen=True, slots=True)
class Progress:
    """Where a running search is."""

    width: int
    level: int
    completed: int
    states: int
    seconds: float


@dataclass(frozen=True, slots=True)
class Result:
    """What a search found.

    actions: the solution if won, else empty. moves, rows, score: of the solution. states:
    kept over all widths. width: the last one tried. reason: why undecided, or what proved
    it, one phrase; empty if won. settings: all that decides the answer.
    """

    verdict: Verdict
    actions: tuple[Action, ...]
    moves: int
    rows: int
    score: int
    states: int
    width: int
    widths: tuple[int, ...]
    seconds: float
    reason: str = ""
    settings: dict[str, object] = field(default_factory=dict)


def solve(
    position: Position,
    limits: Limits = Limits(),
    progress: Callable[[Progress], None] | None = None,
) -> Result:
    raise NotImplementedError
