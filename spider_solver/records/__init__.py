"""Results of deals: one JSON line for each, written when the search of the deal ends.

=============  ======================================================================
record.py      one line: its keys and their meaning
results.py     the file, which is complete at any moment; it is written by one run at a
               time, and has results of one kind of settings unless the caller allows more
check.py       the check of the solutions by replaying them
taskset.py     a set of deals that needs little memory
=============  ======================================================================
"""

from __future__ import annotations

from .check import SolutionCheck, find_flaw
from .record import SCHEMA, Record, ResultsError, Task, settings_key
from .results import OtherSettingsError, ResultsFile, read_results
from .taskset import TaskSet

__all__ = [
    "SCHEMA",
    "OtherSettingsError",
    "Record",
    "ResultsError",
    "ResultsFile",
    "SolutionCheck",
    "Task",
    "TaskSet",
    "find_flaw",
    "read_results",
    "settings_key",
]
