"""Results of solved deals: one JSON line for each, written as soon as the deal is solved.

=============  ======================================================================
record.py      one line: its keys and their meaning
results.py     the file: complete at any moment, one run at a time, and one kind of
               settings unless the caller allows others
check.py       the check of the solutions by replaying them
taskset.py     the set of the deals that are done, in little memory
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
