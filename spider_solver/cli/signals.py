"""Signals that end a batch as Ctrl-C does."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager

_ENDING_SIGNALS = ("SIGTERM", "SIGHUP")  # Windows has no SIGHUP


@contextmanager
def signals_as_ctrl_c() -> Iterator[None]:
    """In the block, SIGTERM and SIGHUP have the effect of Ctrl-C, unless they are ignored.

    Job schedulers send SIGTERM. The system sends SIGHUP when a terminal is closed. A command that
    ``nohup`` starts ignores SIGHUP.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def interrupt(number: int, frame: object) -> None:
        raise KeyboardInterrupt

    numbers = [getattr(signal, name) for name in _ENDING_SIGNALS if hasattr(signal, name)]
    before = {n: signal.getsignal(n) for n in numbers if signal.getsignal(n) is not signal.SIG_IGN}
    for number in before:
        signal.signal(number, interrupt)
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler or signal.SIG_DFL)
