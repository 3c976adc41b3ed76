"""``replay --step``: a recorded game on a full-screen terminal, controlled by keys."""

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

from ..render.board import board, moved_cards
from ..render.style import Style
from ..render.text import counts_text, entry_lines, title
from ..replay import PlayedEntry, Replay

_HELP = (
    "right, left: next, back   t, r, c: to the next turned card, row, completed run",
    "28 Enter: to action 28    T, R, C: to the one before   space: play   q: quit",
)
_DEFAULT_SECONDS = 1.0  # for each action, when the space key starts playing
_MAX_DIGITS = 7  # of a number that the user types
# For each key that seeks an entry: a name for the entries that it seeks, and the test for them.
_SEEK: dict[str, tuple[str, Callable[[PlayedEntry], bool]]] = {
    "t": ("turned card", lambda played: bool(played.turned)),
    "r": ("row", lambda played: played.is_row),
    "c": ("completed run", lambda played: bool(played.completed)),
}


class Viewer:
    """Shows a replay in full screen on a terminal until the user quits."""

    replay: Replay
    last: int  # number of the last entry that can be played
    playing: bool  # entries are played at regular intervals

    def __init__(
        self,
        replay: Replay,
        last: int,
        ending: str,
        style: Style,
        seconds: float | None = None,
    ) -> None:
        """Prepare the viewer.

        ending: the text shown at the entry ``last``.
        seconds: play from the start, one action each ``seconds``; None to wait for keys.
        """
        self.replay = replay
        self.last = last
        self.playing = seconds is not None
        self._seconds = seconds or _DEFAULT_SECONDS
        self._ending = ending
        self._style = style
        self._digits = ""  # of a number that the user is typing
        self._note = ""  # a message about the last key, if any
        self._window = Window(FormattedTextControl(lambda: ANSI(self.screen())), wrap_lines=True)

    def run(self, input: Input | None = None, output: Output | None = None) -> None:
        """Show the replay until the user quits. input, output: None for the terminal's."""
        application: Application[None] = Application(
            layout=Layout(HSplit([self._window])),
            key_bindings=self._key_bindings(),
            full_screen=True,
            # If the game was read from standard input, the keys still come from the terminal.
            input=input or create_input(always_prefer_tty=True),
            output=output,
        )
        application.run(pre_run=lambda: self._start_clock(application))

    def _start_clock(self, application: Application[None]) -> None:
        application.create_background_task(self._play(application))

    async def _play(self, application: Application[None]) -> None:
        """While ``playing`` is true, play one entry after each interval."""
        while True:
            await asyncio.sleep(self._seconds)
            if self.playing:
                self.step()
                self.playing = self.replay.number < self.last
                application.invalidate()

    def screen(self) -> str:
        """The text on the screen: title, counts, board, effect of the last entry, and keys."""
        replay, style = self.replay, self._style
        played = replay.last
        marked = moved_cards(played, replay.position)
        lines = [
            style.strong(title(replay.game.deal)),
            f"action {replay.number} of {len(replay.game.entries)}: {counts_text(replay.position)}",
            "",
            board(replay.position, style=style, marked=marked),
            "",
        ]
        if played is not None:
            lines += entry_lines(played, replay, style)
        if replay.number == self.last:
            lines += ["", self._ending]
        if self._note or self._digits:
            lines += ["", self._note or f"to action {self._digits}_"]
        lines += ["", *map(style.faint, _HELP)]
        return "\n".join(lines)

    def step(self) -> None:
        """Play the next entry, if there is one."""
        if self.replay.number < self.last:
            self.replay.forward()

    def back(self) -> None:
        """Take back the last entry, if there is one."""
        if self.replay.number:
            self.replay.back()

    def seek(self, key: str, *, forwards: bool = True) -> None:
        """Go to the next entry, or the one before, that passes the test of a key in ``_SEEK``.

        If there is none, stay and show a note.
        """
        name, is_wanted = _SEEK[key]
        replay, start = self.replay, self.replay.number
        end = self.last if forwards else 0
        while replay.number != end:
            (self.step if forwards else self.back)()
            if replay.last is not None and is_wanted(replay.last):
                return
        replay.go_to(start)
        self._note = f"no {name} {'after' if forwards else 'before'} this action"

    def go_to(self, number: int) -> None:
        """Go to an entry by its number, or to the last one if the number is greater."""
        self.replay.go_to(min(number, self.last))

    def _key_bindings(self) -> KeyBindings:
        bindings = KeyBindings()

        def bind(*keys: str, keeps_state: bool = False) -> Callable[[Callable[[], None]], None]:
            """Bind keys to a function.

            keeps_state: the keys neither stop playing nor clear the typed number.
            """

            def bind_to(act: Callable[[], None]) -> None:
                def handle(_: KeyPressEvent) -> None:
                    self._note = ""
                    if not keeps_state:
                        self.playing = False
                    act()
                    if not keeps_state:
                        self._digits = ""

                for key in keys:
                    bindings.add(key, eager=True)(handle)

            return bind_to

        bind("right", "n", "down", "j")(self.step)
        bind("left", "b", "up", "k", "backspace")(self.back)
        bind("home")(lambda: self.go_to(0))
        bind("end")(lambda: self.go_to(self.last))
        for key in _SEEK:
            bind(key)(lambda key=key: self.seek(key))  # type: ignore[misc]
            bind(key.upper())(lambda key=key: self.seek(key, forwards=False))  # type: ignore[misc]
        for digit in "0123456789":
            bind(digit, keeps_state=True)(lambda digit=digit: self._type(digit))  # type: ignore[misc]
        bind("enter")(self._enter)
        bind("space", keeps_state=True)(self._toggle_playing)

        @bindings.add("q", eager=True)
        @bindings.add("escape", eager=True)
        @bindings.add("c-c", eager=True)
        def _quit(event: KeyPressEvent) -> None:
            event.app.exit()

        return bindings

    def _type(self, digit: str) -> None:
        self.playing = False
        self._digits = (self._digits + digit)[-_MAX_DIGITS:]

    def _enter(self) -> None:
        if self._digits:
            self.go_to(int(self._digits))
        else:
            self.step()

    def _toggle_playing(self) -> None:
        """Start or stop playing. At the end, playing starts again from the beginning."""
        if self.replay.number == self.last and not self.playing:
            self.replay.go_to(0)
        self.playing = not self.playing
