"""What a search may use, what it tells on its way, and what it answers."""

from __future__ import annotations

import enum
from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .game import Action

FIRST_WIDTH = 64


class Verdict(enum.StrEnum):
    """won: with a solution. unwinnable: proved. undecided: a limit was reached."""

    WON = "won"
    UNWINNABLE = "unwinnable"
    UNDECIDED = "undecided"


@dataclass(frozen=True, slots=True)
class Limits:
    """When a search gives up. Width and states are reproducible; time and memory aren't.

    max_width: the widest beam, in states a level. max_states: states kept over all widths,
    None for no limit. time_limit: seconds of search, None for none. max_memory: bytes that
    the search may allocate, None for half of the machine's. first_width: the beam to begin
    with. max_positions: seen by the exhaustive search after the beams, None for 20 million
    after the last row, else as many as the beams kept states. max_states is for both together.
    ValueError unless all are above zero.
    """

    max_width: int = 65_536
    max_states: int | None = None
    time_limit: float | None = None
    max_memory: int | None = None
    first_width: int = FIRST_WIDTH
    max_positions: int | None = None

    def __post_init__(self) -> None:
        for field_ in fields(self):
            limit = getattr(self, field_.name)
            if limit is not None and not limit > 0:
                raise ValueError(f"{field_.name} {limit!r}: expected a number above zero")


@dataclass(frozen=True, slots=True)
class Progress:
    """Where a running search is: the beam's width and level, the most runs completed by a
    state so far, states kept over all widths, seconds since the start.

    An exhaustive search has the width 0. Its level is that of the position that it's at, as
    are the completed runs; the positions that it saw are added to the states.
    """

    width: int
    level: int
    completed: int
    states: int
    seconds: float


class Method(enum.StrEnum):
    """What can decide a position. rules: it's won already, or nothing is legal."""

    RULES = "rules"
    BEAM = "beam"
    EXHAUSTIVE = "exhaustive search"
    RELAXATION = "relaxation"


@dataclass(frozen=True, slots=True)
class Result:
    """What a search found.

    actions: the solution if won, else empty. moves, rows, score: of the solution. states:
    kept over all widths. width: of the beam that won, or of the last one; 0 if none was
    needed. widths: all that were tried. seconds: of the search, without loading or compiling
    it. reason: why undecided, or what proved it; empty if won. settings: the limits, and what
    else decides the answer. children: worked out over all widths, to choose the states from.
    decided_by: what found the solution or the proof; None if undecided. positions: distinct
    ones seen by the exhaustive search. error_bound: an upper bound on the chance that a proof
    is wrong, as the exhaustive search compares 128-bit keys; 0 for what rests on no chance.
    starved: whether it's undecided and more memory might have decided it.
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
    children: int = 0
    decided_by: Method | None = None
    positions: int = 0
    error_bound: float = 0.0
    starved: bool = False
