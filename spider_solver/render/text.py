"""Boards, actions and headers as text for a terminal or a file.

Everything here is a pure function: it returns text and prints nothing. ``Style`` says
whether colours and suit signs may be used; whoever prints asks the output what it can show.
Columns are numbered 1-10, bottom card at the top, end card lowest, as on a screen.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import zip_longest

import click

from ..cards import SUIT_NAMES, SUIT_SIGNS, SUITS, card_sign, card_text, is_red
from ..deal import COLUMNS, ROW_CARDS, SETS, Columns, Deal
from ..game import Action, Move, Outcome, Position, Row

_CELL = 5
_EMPTY = -1  # an empty column's mark, in the place of a card


@dataclass(frozen=True, slots=True)
class Style:
    """What an output can show: ANSI colours; suit signs and other characters beyond ASCII."""

    color: bool = False
    unicode: bool = True

    def card(self, card: int) -> str:
        """``9♠`` or ``9S``, red suits in red."""
        text = card_sign(card) if self.unicode else card_text(card)
        return self._paint(text, fg="red" if is_red(card) else None, bold=True)

    def cards(self, cards: Iterable[int]) -> str:
        """Several cards with blanks between."""
        return " ".join(map(self.card, cards))

    def suit(self, suit: int) -> str:
        """``♠`` or ``S``, red suits in red."""
        text = (SUIT_SIGNS if self.unicode else SUITS)[suit]
        return self._paint(text, fg="red" if is_red(suit << 4) else None, bold=True)

    def strong(self, text: str) -> str:
        """Text that stands out: a heading, a row, a completed run."""
        return self._paint(text, bold=True)

    def faint(self, text: str) -> str:
        """Text that keeps in the background."""
        return self._paint(text, dim=True)

    @property
    def back(self) -> str:
        """The mark of a face-down card."""
        return "░░" if self.unicode else "##"

    def _paint(
        self, text: str, *, fg: str | None = None, bold: bool | None = None, dim: bool | None = None
    ) -> str:
        return click.style(text, fg=fg, bold=bold, dim=dim) if self.color else text


def counted(number: int, what: str) -> str:
    """``1 move``, ``2 moves``, ``1,234 states``."""
    return f"{number:,} {what}{'' if number == 1 else 's'}"


def title(deal: Deal) -> str:
    """``native:1, 4 suits, standard rules``; said if it is a position in mid-game."""
    parts = [deal.name or "deal", counted(deal.suits, "suit"), f"{deal.rules} rules"]
    if not deal.fresh:
        parts.append("a position in mid-game")
    return ", ".join(parts)


def board(position: Position | Deal, *, reveal: bool = False, style: Style = Style()) -> str:
    """The ten columns side by side, then the stock and the completed runs.

    reveal: face-down cards are shown in brackets and the rows of the stock are listed.
    """
    deal = position.to_deal() if isinstance(position, Position) else position
    lines = [style.faint("".join(f"{number:^{_CELL}}" for number in range(1, COLUMNS + 1)))]
    lines += _grid(deal.columns, deal.face_down, reveal, style)
    rows = len(deal.stock) // ROW_CARDS
    lines += ["", f"Stock: {counted(rows, 'row')} left"]
    if reveal and rows:
        lines[-1] += ", in the order dealt:"
        for start in range(0, len(deal.stock), ROW_CARDS):
            row = deal.stock[start : start + ROW_CARDS]
            lines.append("".join(_pad(style.card(card)) for card in row))
    lines.append(f"Completed runs: {_completed(deal.completed, style)}")
    return "\n".join(line.rstrip() for line in lines)


def _grid(columns: Columns, face_down: Sequence[int], reveal: bool, style: Style) -> Iterable[str]:
    shown = (column or (_EMPTY,) for column in columns)
    for height, cards in enumerate(zip_longest(*shown)):
        yield "".join(
            _cell(card, height < down, reveal, style)
            for card, down in zip(cards, face_down, strict=True)
        )


def _cell(card: int | None, face_down: bool, reveal: bool, style: Style) -> str:
    if card is None:
        return " " * _CELL
    if card == _EMPTY:
        return style.faint(f"{'--':^{_CELL}}")
    if face_down and reveal:
        return style.faint("[") + style.card(card) + style.faint("]") + " "
    if face_down:
        return style.faint(_pad(style.back))
    return _pad(style.card(card))


def _pad(card: str) -> str:
    """A card, two characters wide when shown, in the middle of its cell."""
    return f" {card}  "


def _completed(suits: Sequence[int], style: Style) -> str:
    if not suits:
        return f"none of {SETS}"
    return f"{' '.join(map(style.suit, suits))} ({len(suits)} of {SETS})"


def action_line(
    number: int,
    outcome: Outcome,
    after: Position,
    *,
    style: Style = Style(),
    width: int = 0,
) -> str:
    """``12. 9♠ 8♠ from column 4 to column 7, onto T♥; turns K♦``, numbered and in words.

    after: the position that the action led to. width: that of the number, for alignment.
    Each completed run follows on a line of its own.
    """
    action = outcome.action
    swept = {run.column for run in outcome.completed}
    label = f"{number:>{width}}. "
    if isinstance(action, Row):
        lines = [
            f"{label}{_bar(style)} {style.strong('row to columns 1-10')}:"
            f" {style.cards(outcome.cards)} {_bar(style)} {counted(after.rows_left, 'row')} left"
        ]
    else:
        turned = [turn.card for turn in outcome.turned if turn.column not in swept]
        lines = [f"{label}{_move(action, outcome, style)}{_turns(turned, style)}"]
    first = len(after.completed) - len(outcome.completed) + 1
    for place, run in enumerate(outcome.completed, first):
        turned = [turn.card for turn in outcome.turned if turn.column == run.column]
        words = f"{SUIT_NAMES[run.suit]} completed in column {run.column + 1}, King to Ace"
        lines.append(
            f"{' ' * len(label)}{_bar(style)} {style.suit(run.suit)} {style.strong(words)}"
            f" {_bar(style)} run {place} of {SETS}{_turns(turned, style)}"
        )
    return "\n".join(lines)


def action_lines(
    position: Position,
    actions: Sequence[Action],
    *,
    style: Style = Style(),
    boards: bool = False,
    first: int = 1,
) -> Iterator[str]:
    """The actions from a position on, numbered from ``first``; each is text of a line or more.

    boards: the board before the first action and after each. The position is modified in
    place: it plays the actions, as their lines are asked for.
    """
    width = len(str(first + len(actions) - 1))
    if boards:
        yield board(position, style=style) + "\n"
    for number, action in enumerate(actions, first):
        outcome = position.push(action)
        yield action_line(number, outcome, position, style=style, width=width)
        if boards:
            yield "\n" + board(position, style=style) + "\n"


def _move(move: Move, outcome: Outcome, style: Style) -> str:
    source, target = move.source + 1, move.target + 1
    text = f"{style.cards(outcome.cards)} from column {source} to "
    if outcome.onto is None:
        return f"{text}empty column {target}"
    return f"{text}column {target}, onto {style.card(outcome.onto)}"


def _turns(cards: Sequence[int], style: Style) -> str:
    return f"; turns {style.cards(cards)}" if cards else ""


def _bar(style: Style) -> str:
    return style.strong("══" if style.unicode else "==")


def counts(position: Position) -> str:
    """``75 moves and 5 rows, 8 of 8 runs completed, score 1220``."""
    return (
        f"{counted(position.moves, 'move')} and {counted(position.rows, 'row')},"
        f" {len(position.completed)} of {SETS} runs completed, score {position.score}"
    )
