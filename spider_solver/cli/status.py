"""A status line on the terminal while a command works."""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, NoReturn, TextIO

if TYPE_CHECKING:
    from tqdm import tqdm


class StatusLine:
    """A line at the bottom of the terminal, with the time since it appeared."""

    def __init__(self, bar: tqdm[NoReturn]) -> None:
        self._bar = bar

    def show(self, text: str) -> None:
        """Replace the text. It is drawn at most ten times per second."""
        self._bar.set_description_str(text, refresh=False)
        self._bar.update()

    @contextmanager
    def hidden(self, output: TextIO) -> Iterator[None]:
        """Hide the line while something is printed on an output of the terminal."""
        with self._bar.external_write_mode(file=output):
            yield


@contextmanager
def status_line(delay: float = 0) -> Iterator[StatusLine]:
    """Show a status line on stderr until the block ends.

    delay: seconds until it appears. The line is redrawn every second, so that its time goes on
    while the command reports nothing.
    """
    from tqdm import tqdm

    ended = threading.Event()
    with tqdm(
        file=sys.stderr,
        leave=False,
        delay=delay,
        miniters=1,
        dynamic_ncols=True,  # a longer line is cut, not wrapped
        bar_format="{desc} [{elapsed}]",
    ) as bar:

        def redraw() -> None:
            while not ended.wait(1):
                if bar.desc:  # there is a text to show
                    bar.refresh()

        clock = threading.Thread(target=redraw, daemon=True)
        clock.start()
        try:
            yield StatusLine(bar)
        finally:
            ended.set()
            clock.join()
