"""The limits, the progress reports and the result of a search."""

from __future__ import annotations

import enum
from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .game import Action

FIRST_WIDTH = 64


class Verdict(enum.StrEnum):
    """The answer to the question whether a position can be won."""

    WON = "won"  # a solution was found
    UNWINNABLE = "unwinnable"  # it is proved that there is no solution
    UNDECIDED = "undecided"  # a limit was reached before a solution or a proof was found


@dataclass(frozen=True, slots=True)
class Limits:
    """The limits at which a search gives up.

    Limits on widths, states and positions give the same result on every machine, as long as the
    memory is enough. Limits on time and memory do not. Raises ValueError if a limit is not above
    zero.
    """

    # The width of the widest beam, in states kept per level.
    max_width: int = 65_536
    # States kept by all beams plus positions seen by the exhaustive search; None: no limit.
    max_states: int | None = None
    # Seconds of search; None: no limit.
    time_limit: float | None = None
    # Bytes that the search may allocate; None: half of the machine's memory.
    max_memory: int | None = None
    # The width of the first beam, in states kept per level.
    first_width: int = FIRST_WIDTH
    # Positions seen by the exhaustive search at the end of its part after the beams; it does not
    # bound the short part before them. None: 20 million if no row is left in the stock, otherwise
    # as many as the beams kept states, and at least 50,000.
    max_positions: int | None = None

    def __post_init__(self) -> None:
        _check_limits(self)


def _check_limits(limits: Limits | ShorteningLimits) -> None:
    """Raise ValueError if a limit is not above zero."""
    for field_ in fields(limits):
        limit = getattr(limits, field_.name)
        if limit is not None and not limit > 0:
            raise ValueError(f"{field_.name} {limit!r}: expected a number above zero")


@dataclass(frozen=True, slots=True)
class ProofCounts:
    """The progress of a proof by the relaxation (package ``prove``)."""

    refuted: int  # first events refuted so far
    events: int  # first events to refute
    checking: bool  # whether the proof is being checked, that is run for the second time


@dataclass(frozen=True, slots=True)
class Progress:
    """The progress of a running search.

    An exhaustive search has the width 0. Its level and its completed runs are those of the
    position that it has reached. During a proof, width, level and completed are 0.
    """

    width: int  # the beam's width
    level: int  # the beam's level: actions made since the first position
    completed: int  # completed runs in the best state so far
    states: int  # states kept by all beams so far, plus positions seen by the exhaustive search
    seconds: float  # since the start of the search
    proof: ProofCounts | None = None  # None unless a proof by the relaxation is running


class Method(enum.StrEnum):
    """The methods that can decide a position."""

    RULES = "rules"  # the position is won already, or it has no legal action
    BEAM = "beam"
    EXHAUSTIVE = "exhaustive search"
    RELAXATION = "relaxation"


@dataclass(frozen=True, slots=True)
class ShorteningLimits:
    """When the search for shorter solutions stops.

    With a limit on states alone the result is the same on every machine. Raises ValueError if a
    limit is not above zero.
    """

    seconds: float | None = None  # None: no limit
    states: int | None = None  # states kept by all searches; None: no limit
    jobs: int = 1  # threads that search at the same time; they change no result
    max_memory: int | None = None  # bytes in all threads; None: half of the machine's memory

    def __post_init__(self) -> None:
        _check_limits(self)


@dataclass(frozen=True, slots=True)
class Shortening:
    """The search for shorter solutions."""

    first_length: int  # actions of the solution that it started from
    at_least: int  # every solution has at least so many actions
    # Whether it is proved that no solution is shorter: the lower bound is reached, or a complete
    # search ended. A complete search compares states by 64-bit keys.
    shortest: bool
    states: int  # states kept by all its searches
    seconds: float  # without loading or compiling the search
    interrupted: bool  # whether Ctrl-C ended it


@dataclass(frozen=True, slots=True)
class Result:
    """The result of a search."""

    verdict: Verdict
    actions: tuple[Action, ...]  # the solution if won, otherwise empty
    moves: int  # in the solution
    rows: int  # in the solution
    score: int  # of the solution
    states: int  # states kept by all beams
    width: int  # of the beam that found the solution, or of the last beam; 0 without a beam
    widths: tuple[int, ...]  # of all beams that ran
    seconds: float  # of the search, without loading or compiling it
    reason: str = ""  # why it is undecided, or what the proof is; empty if won
    settings: dict[str, object] = field(default_factory=dict)  # limits and options of the search
    children: int = 0  # children evaluated by all beams
    decided_by: Method | None = None  # None if undecided
    positions: int = 0  # distinct positions seen by the exhaustive search
    # An upper bound on the probability that the proof is wrong. It is above zero for a proof by
    # exhaustive search, which compares positions by 128-bit keys.
    error_bound: float = 0.0
    starved: bool = False  # undecided, and more memory might have decided it
    shortening: Shortening | None = None  # None if no shorter solution was searched for
