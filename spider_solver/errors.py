"""The errors that bad input can cause. Each message is one line: what, where, what to do."""

from __future__ import annotations


class SpiderError(ValueError):
    """Base of everything that the user can cause and mend; commands end with exit code 1."""


class DealError(SpiderError):
    """A deal or position that can't be: a number out of range, a card missing, unreadable text."""


class NotationError(SpiderError):
    """Text that is no action, or a recorded game that can't be read."""


class IllegalAction(SpiderError):
    """An action that the rules refuse in the position where it stands."""


class InternalError(RuntimeError):
    """A fault of this program, never of its input: please report it."""
