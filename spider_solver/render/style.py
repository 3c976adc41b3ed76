"""The decorations of text: ANSI colours, suit signs, bars around headings."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import click

from ..cards import SUIT_LETTERS, SUIT_SIGNS, card_sign, card_text, is_red


@dataclass(frozen=True, slots=True)
class Style:
    """The decorations that an output can show."""

    color: bool = False  # ANSI colours and bold type
    unicode: bool = True  # suit signs and other characters beyond ASCII
    bars: bool = True  # draw bars around rows and completed runs

    def card(self, card: int) -> str:
        """``9♠`` or ``9S``. Red suits are red."""
        text = card_sign(card) if self.unicode else card_text(card)
        return self._decorate(text, fg="red" if is_red(card) else None, bold=True)

    def cards(self, cards: Iterable[int]) -> str:
        """Several cards, separated by blanks."""
        return " ".join(map(self.card, cards))

    def suit(self, suit: int) -> str:
        """``♠`` or ``S``. Red suits are red."""
        text = (SUIT_SIGNS if self.unicode else SUIT_LETTERS)[suit]
        return self._decorate(text, fg="red" if is_red(suit << 4) else None, bold=True)

    def strong(self, text: str) -> str:
        """Bold text, for headings, rows and completed runs."""
        return self._decorate(text, bold=True)

    def marked_card(self, card: int) -> str:
        """A highlighted card, five characters wide: reversed, or ``>9♠`` without colours."""
        if not self.color:
            return f">{self.card(card)}  "
        return f"\x1b[7m {self.card(card)}\x1b[7m \x1b[0m "

    def faint(self, text: str) -> str:
        """Dimmed text."""
        return self._decorate(text, dim=True)

    @property
    def back(self) -> str:
        """The sign of a face-down card."""
        return "░░" if self.unicode else "##"

    def between_bars(self, text: str, rest: str) -> str:
        """The text between bars, then the rest; without bars, both separated by a comma."""
        if not self.bars:
            return f"{text}, {rest}"
        bar = self.strong("══" if self.unicode else "==")
        return f"{bar} {text} {bar} {rest}"

    def _decorate(
        self, text: str, *, fg: str | None = None, bold: bool | None = None, dim: bool | None = None
    ) -> str:
        return click.style(text, fg=fg, bold=bold, dim=dim) if self.color else text


DEFAULT_STYLE = Style()
