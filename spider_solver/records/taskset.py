"""A set of tasks in little memory: a bit a deal where numbers are close together."""

from __future__ import annotations

from .record import Task

_PAGE = 256  # numbers in one integer
_DIGITS = "0123456789"


class TaskSet:
    """Tasks; a million deals in a row take a third of a megabyte."""

    def __init__(self) -> None:
        self._pages: dict[tuple[str, int, str], dict[int, int]] = {}

    def __contains__(self, task: Task) -> bool:
        series, page, bit = _place(task)
        return bool(self._pages.get(series, {}).get(page, 0) & bit)

    def add(self, task: Task) -> bool:
        """Add a task; False if it was there."""
        series, page, bit = _place(task)
        pages = self._pages.setdefault(series, {})
        before = pages.get(page, 0)
        if before & bit:
            return False
        pages[page] = before | bit
        return True


def _place(task: Task) -> tuple[tuple[str, int, str], int, int]:
    """A task's series (all but the number), and the number's page and bit in it."""
    prefix = task.deal.rstrip(_DIGITS)
    page, place = divmod(int(task.deal[len(prefix) :]), _PAGE)
    return (prefix, task.suits, task.rules), page, 1 << place
