"""The settings of a beam of some width."""

from __future__ import annotations

import numpy as np

from ...result import FIRST_WIDTH
from ..layout import new_record
from ..moves import NO_EQUIVALENTS, WHOLE_RUNS
from .evaluation import Weights
from .records import SETTINGS

GROUP_PART = 0.3  # of a share, for states with the same face-down counts
# By rows left: the level at which a stage is dropped. On the deals native:3001-3200 with four
# suits, at width 400, the last levels with a winning line were 147, 120, 108, 66 and 42 for 1 to 5
# rows left. That was measured before tidying, when every move took a level; with tidying, lines
# take fewer levels. The first entry, for no row left, only bounds the search.
DEADLINES = (300, 160, 130, 110, 75, 50)
# Widths double from FIRST_WIDTH on. One setting often finds what another one misses, so every
# second width (128, 512, 2048, ...) uses the alternative weights. From SPLITTING_FROM on, these
# widths also look at moves that split a run onto a card. Most deals need no such moves, and with
# them a beam of the same width finds fewer solutions. benchmarks/README.md has the measurements.
ALTERNATIVE_WEIGHTS = Weights(face_down=-40)
SPLITTING_FROM = 512


def weights_for(width: int) -> Weights:
    """The weights of a beam of some width."""
    return ALTERNATIVE_WEIGHTS if _uses_alternative(width) else Weights()


def settings_for(width: int) -> np.void:
    """The SETTINGS record of a beam of some width."""
    settings = new_record(SETTINGS)
    settings["width"] = width
    settings["group_part"] = GROUP_PART
    settings["deadlines"] = DEADLINES
    splits = _uses_alternative(width) and width >= SPLITTING_FROM
    settings["move_set"] = NO_EQUIVALENTS if splits else WHOLE_RUNS
    return settings


def _uses_alternative(width: int) -> bool:
    doublings = max(width // FIRST_WIDTH, 1).bit_length() - 1
    return doublings % 2 == 1
