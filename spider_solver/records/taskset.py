"""A set of tasks that needs little memory if their numbers are close together."""

from __future__ import annotations

from .record import Task

_PAGE_SIZE = 256  # deal numbers in one page, which is an integer used as a bit set
_DIGITS = "0123456789"


class TaskSet:
    """A set of tasks.

    A million deals with consecutive numbers take half a megabyte. A deal with no other one near it
    takes about 130 bytes.
    """

    def __init__(self) -> None:
        # For each series of tasks (see _locate): the pages by their number.
        self._pages: dict[tuple[str, int, str], dict[int, int]] = {}

    def __contains__(self, task: Task) -> bool:
        series, page, bit = _locate(task)
        return bool(self._pages.get(series, {}).get(page, 0) & bit)

    def add(self, task: Task) -> bool:
        """Add a task. Return False if it was already in the set."""
        series, page, bit = _locate(task)
        pages = self._pages.setdefault(series, {})
        before = pages.get(page, 0)
        if before & bit:
            return False
        pages[page] = before | bit
        return True


def _locate(task: Task) -> tuple[tuple[str, int, str], int, int]:
    """Return the task's series (all but the deal's digits), its page, and its bit in the page."""
    prefix = task.deal.rstrip(_DIGITS)
    page, index = divmod(int(task.deal[len(prefix) :]), _PAGE_SIZE)
    return (prefix, task.suits, task.rules), page, 1 << index
