"""Solved deals as JSON lines, one a deal: written as soon as a deal is done, read back, checked.

record.py holds one line: its keys, and what each means. results.py holds the file: whole at
any moment, one run at a time, one set of settings unless told to mix. taskset.py tells which
deals are done, in little memory.
"""

from __future__ import annotations

from .record import SCHEMA, Record, ResultsError, Task, flaw, settings_key
from .results import ResultsFile, read_results
from .taskset import TaskSet

__all__ = [
    "SCHEMA",
    "Record",
    "ResultsError",
    "ResultsFile",
    "Task",
    "TaskSet",
    "flaw",
    "read_results",
    "settings_key",
]
