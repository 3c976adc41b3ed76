"""The settings of beam searches that find a solution, shorten one, or see all states."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from ...cards import KING
from ...deal import MAX_ROWS
from ...result import FIRST_WIDTH
from ..layout import new_record
from ..moves import ALL_MOVES, NO_EQUIVALENTS, WHOLE_RUNS
from .evaluation import Weights
from .records import SETTINGS

# A level that no search reaches, and joins that every state has.
NO_DEADLINE, NO_JOINS = 1 << 20, -(1 << 20)
# By rows left: the level at which a stage is dropped. On the deals native:3001-3200 with four
# suits, at width 400, the last levels with a winning line were 147, 120, 108, 66 and 42 for 1 to 5
# rows left. That was measured before tidying, when every move took a level; with tidying, lines
# take fewer levels. The first entry, for no row left, only bounds the search.
DEADLINES = (300, 160, 130, 110, 75, 50)
# Widths double from FIRST_WIDTH on. One setting often finds what another one misses, so every
# second width (128, 512, 2048, ...) uses the alternative weights. From SPLITTING_FROM on, these
# widths also look at moves that split a run onto a card. Most deals need no such moves, and with
# them a beam of the same width finds fewer solutions. benchmarks/README.md has the measurements.
DEFAULT_WEIGHTS = Weights()
ALTERNATIVE_WEIGHTS = Weights(face_down=-40)
SPLITTING_FROM = 512
# With so many suits, or fewer, the weights for short solutions find a solution as fast as others
# do, without tidying. With more suits they find fewer solutions.
EASY_SUITS = 2


def _short_weights(square: int, bonus: int, **others: int) -> Weights:
    """Weights for short solutions; a completed run counts ``bonus`` more than as a run."""
    pair = 120
    run = pair * (KING - 1) + square * (KING * KING - 1)
    return Weights(pair=pair, square=square, completed_run=run + bonus, **others)


# Weights for short solutions, by suit mode. Those for one, two and four suits were tuned by random
# steps that made the mean solution of some fifty to a hundred deals shorter.
SHORT_WEIGHTS = {
    1: _short_weights(
        1,
        -36,
        off_suit=0,
        empty_column=40,
        king_base=40,
        face_down=-20,
        reach=10,
        join=25,
        row_fit=90,
    ),
    2: _short_weights(
        1,
        14,
        off_suit=-10,
        empty_column=-5,
        king_base=10,
        face_down=-20,
        reach=0,
        join=36,
        row_fit=60,
    ),
    4: _short_weights(
        2,
        -86,
        off_suit=-40,
        empty_column=55,
        king_base=40,
        face_down=-20,
        reach=30,
        join=40,
        row_fit=67,
    ),
}
SHORT_WEIGHTS[3] = SHORT_WEIGHTS[4]
SHORT_GROUP_PART = {1: 0.1, 2: 1.0, 3: 0.6, 4: 0.6}  # by suit mode; tuned with the weights


@dataclass(frozen=True, slots=True)
class Settings:
    """The settings of a beam search, except for its width and its longest solution."""

    weights: Weights = DEFAULT_WEIGHTS
    # One of the constants in moves.py. After the last row ALL_MOVES means NO_EQUIVALENTS.
    move_set: int = WHOLE_RUNS
    tidies: bool = True  # whether joins after an action are free (tidying.py)
    complete: bool = False  # whether each state is a class of its own
    group_part: float = 0.3  # part of a share for states with the same face-down counts
    # By rows left: the level at which a stage is dropped.
    deadlines: tuple[int, ...] = (NO_DEADLINE,) * (MAX_ROWS + 1)

    def record(self, width: int) -> np.void:
        """The settings as kernels take them: a record of the dtype SETTINGS, for one width."""
        record = new_record(SETTINGS)
        record["width"] = width
        record["group_part"] = self.group_part
        record["deadlines"] = self.deadlines
        record["move_set"] = self.move_set
        record["tidies"] = self.tidies
        record["complete"] = self.complete
        record["joins_needed"] = NO_JOINS
        return record


def settings_for(width: int, suits: int) -> Settings:
    """The settings of a beam of some width that is to find any solution, by suit mode."""
    if not _uses_alternative(width):
        if suits > EASY_SUITS:
            return Settings(deadlines=DEADLINES)
        return Settings(SHORT_WEIGHTS[suits], tidies=False, deadlines=DEADLINES)
    moves = NO_EQUIVALENTS if width >= SPLITTING_FROM else WHOLE_RUNS
    return Settings(ALTERNATIVE_WEIGHTS, moves, deadlines=DEADLINES)


def _uses_alternative(width: int) -> bool:
    doublings = max(width // FIRST_WIDTH, 1).bit_length() - 1
    return doublings % 2 == 1


def shortening_settings(suits: int) -> Settings:
    """The settings for finding short solutions. suits: the suit mode of the deal.

    Each move takes a level, so the beam counts what a solution costs. All moves are looked at.
    """
    return Settings(
        weights=SHORT_WEIGHTS[suits],
        move_set=ALL_MOVES,
        tidies=False,
        group_part=SHORT_GROUP_PART[suits],
    )


def complete_settings(suits: int) -> Settings:
    """The settings for a search that drops no state that may win in time, if the width suffices."""
    return replace(shortening_settings(suits), complete=True, group_part=1.0)
