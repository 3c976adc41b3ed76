"""``replay --step``: a recorded game in a full-screen terminal, key by key or by itself."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from prompt_toolkit.application import Application
from prompt_toolkit.formatted_text import ANSI
from prompt_toolkit.input import Input, create_input
from prompt_toolkit.key_binding import KeyBindings
from prompt_toolkit.key_binding.key_processor import KeyPressEvent
from prompt_toolkit.layout import HSplit, Layout, Window
from prompt_toolkit.layout.controls import FormattedTextControl
from prompt_toolkit.output import Output

from ..render import text as render
from ..replay import PlayedEntry, Replay

_HELP = (
    "right, left: next, back   t, r, c: to the next turned card, row, completed run",
    "28 Enter: to action 28    T, R, C: to the one before   space: play   q: quit",
)
_SECONDS = 1.0  # for an action, if played by key
_LONGEST_NUMBER = 7  # digits
_SEEK: dict[str, tuple[str, Callable[[PlayedEntry], bool]]] = {
    "t": ("turned card", lambda event: bool(event.turned)),
    "r": ("row", lambda event: event.is_row),
    "c": ("completed run", lambda event: bool(event.completed)),
}


class Viewer:
    """Shows a replay on a terminal until it is quit.

    last: the number of the last entry that can be played. ending: what is said there.
    seconds: for each action, to play by itself from the start; None to wait for keys.
    """

    def __init__(
        self,
        replay: Replay,
        last: int,
        ending: str,
        style: render.Style,
        seconds: float | None = None,
    ) -> None:
        self.replay = replay
        self.last = last
        self.playing = seconds is not None
        self._seconds = seconds or _SECONDS
        self._ending = ending
        self._style = style
        self._digits = ""
        self._note = ""
        self._window = Window(FormattedTextControl(lambda: ANSI(self.screen())), wrap_lines=True)

    def run(self, input: Input | None = None, output: Output | None = None) -> None:
        """Show the replay until it is quit. input, output: the terminal's, if None."""
        application: Application[None] = Application(
            layout=Layout(HSplit([self._window])),
            key_bindings=self._keys(),
            full_screen=True,
            # A game that comes through a pipe leaves the terminal for the keys.
            input=input or create_input(always_prefer_tty=True),
            output=output,
        )
        application.run(pre_run=lambda: self._start_clock(application))

    def _start_clock(self, application: Application[None]) -> None:
        application.create_background_task(self._play(application))

    async def _play(self, application: Application[None]) -> None:
        while True:
            await asyncio.sleep(self._seconds)
            if self.playing:
                self.step()
                self.playing = self.replay.number < self.last
                application.invalidate()

    def screen(self) -> str:
        """All that is shown: title, counts, board, what the last entry did, and the keys."""
        replay, style = self.replay, self._style
        event = replay.last
        lines = [
            style.strong(render.title(replay.game.deal)),
            f"action {replay.number} of {len(replay.game.actions)}:"
            f" {render.counts(replay.position)}",
            "",
            render.board(
                replay.position,
                style=style,
                marked=render.moved_cards(event, replay.position),
            ),
            "",
        ]
        if event is not None:
            lines += render.event_words(event, replay, style)
        if replay.number == self.last:
            lines += ["", self._ending]
        if self._note or self._digits:
            lines += ["", self._note or f"to action {self._digits}_"]
        lines += ["", *map(style.faint, _HELP)]
        return "\n".join(lines)

    def step(self) -> None:
        """The next entry, if there is one."""
        if self.replay.number < self.last:
            self.replay.forward()

    def back(self) -> None:
        """The entry before, if there is one."""
        if self.replay.number:
            self.replay.back()

    def seek(self, key: str, forwards: bool = True) -> None:
        """To the next entry (or the one before) that turned a card and so on; see ``_SEEK``."""
        what, wanted = _SEEK[key]
        replay, start = self.replay, self.replay.number
        end = self.last if forwards else 0
        while replay.number != end:
            (self.step if forwards else self.back)()
            if replay.last is not None and wanted(replay.last):
                return
        replay.go_to(start)
        self._note = f"no {what} {'after' if forwards else 'before'} this action"

    def go_to(self, number: int) -> None:
        """To an entry by its number; beyond the end, to the last."""
        self.replay.go_to(min(number, self.last))

    def _keys(self) -> KeyBindings:
        bindings = KeyBindings()

        def on(*keys: str, keep: bool = False) -> Callable[[Callable[[], None]], None]:
            """Bind keys to what to do; it ends playing and what was typed, unless ``keep``."""

            def bind(do: Callable[[], None]) -> None:
                def handle(_: KeyPressEvent) -> None:
                    self._note = ""
                    if not keep:
                        self.playing = False
                    do()
                    if not keep:
                        self._digits = ""

                for key in keys:
                    bindings.add(key, eager=True)(handle)

            return bind

        on("right", "n", "down", "j")(self.step)
        on("left", "b", "up", "k", "backspace")(self.back)
        on("home")(lambda: self.go_to(0))
        on("end")(lambda: self.go_to(self.last))
        for key in _SEEK:
            on(key)(lambda key=key: self.seek(key))  # type: ignore[misc]
            on(key.upper())(lambda key=key: self.seek(key, forwards=False))  # type: ignore[misc]
        for digit in "0123456789":
            on(digit, keep=True)(lambda digit=digit: self._type(digit))  # type: ignore[misc]
        on("enter")(self._enter)
        on("space", keep=True)(self._toggle)

        @bindings.add("q", eager=True)
        @bindings.add("escape", eager=True)
        @bindings.add("c-c", eager=True)
        def _quit(event: KeyPressEvent) -> None:
            event.app.exit()

        return bindings

    def _type(self, digit: str) -> None:
        self.playing = False
        self._digits = (self._digits + digit)[-_LONGEST_NUMBER:]

    def _enter(self) -> None:
        if self._digits:
            self.go_to(int(self._digits))
        else:
            self.step()

    def _toggle(self) -> None:
        if self.replay.number == self.last and not self.playing:
            self.replay.go_to(0)
        self.playing = not self.playing
