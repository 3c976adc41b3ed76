"""Boards, actions and headers as text for a terminal or a file.

Everything here is a pure function: it returns text and prints nothing. ``Style`` says
whether colours and suit signs may be used; whoever prints asks the output what it can show.
Columns are numbered 1-10, bottom card at the top, end card lowest, as on a screen.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import zip_longest

import click

from ..cards import SUIT_NAMES, SUIT_SIGNS, SUITS, card_sign, card_text, is_red
from ..deal import COLUMNS, ROW_CARDS, SETS, Deal, RowRule
from ..game import Move, Outcome, Position, Row
from ..notation import Revision
from ..numbering import number_of
from ..replay import Counts, PlayedEntry, Replay
from ..words import counted

Place = tuple[int, int]  # a column (0-9) and a card's place in it, from the bottom

_CELL = 5
_EMPTY = -1  # an empty column's mark, in the place of a card


@dataclass(frozen=True, slots=True)
class Style:
    """What an output can show: ANSI colours; suit signs and other characters beyond ASCII.

    bars: whether rows and completed runs stand out between bars.
    """

    color: bool = False
    unicode: bool = True
    bars: bool = True

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

    def marked_card(self, card: int) -> str:
        """A card, five characters wide, that stands out: reversed, or ``>9♠``."""
        if not self.color:
            return f">{self.card(card)}  "
        return f"\x1b[7m {self.card(card)}\x1b[7m \x1b[0m "

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


def title(deal: Deal) -> str:
    """``native:1, 4 suits, standard rules``; said if it is a position in mid-game."""
    parts = [deal.name or "deal", counted(deal.suits, "suit"), f"{deal.rules} rules"]
    if not deal.fresh:
        parts.append("a position in mid-game")
    return ", ".join(parts)


def deal_command(deal: Deal, command: str = "show") -> str:
    """The command for a deal that has a number; empty for others."""
    number = number_of(deal)
    if number is None:
        return ""
    suits = "" if deal.suits == len(SUITS) else f" --suits {deal.suits}"
    rules = "" if deal.rules is RowRule.STANDARD else f" --rules {deal.rules}"
    return f"spider-solver {command} {number}{suits}{rules}"


def board(
    position: Position | Deal,
    *,
    reveal: bool = False,
    style: Style = Style(),
    marked: Collection[Place] = (),
) -> str:
    """The ten columns side by side, then the stock and the completed runs.

    reveal: face-down cards are shown in brackets and the rows of the stock are listed.
    marked: where cards are that stand out.
    """
    deal = position.to_deal() if isinstance(position, Position) else position
    lines = [style.faint("".join(f"{number:^{_CELL}}" for number in range(1, COLUMNS + 1)))]
    lines += _grid(deal, reveal, style, marked)
    rows = len(deal.stock) // ROW_CARDS
    lines += ["", f"Stock: {counted(rows, 'row')} left"]
    if reveal and rows:
        lines[-1] += ", in the order dealt:"
        for start in range(0, len(deal.stock), ROW_CARDS):
            row = deal.stock[start : start + ROW_CARDS]
            lines.append("".join(_pad(style.card(card)) for card in row))
    lines.append(f"Completed runs: {_completed(deal.completed, style)}")
    return "\n".join(line.rstrip() for line in lines)


def _grid(deal: Deal, reveal: bool, style: Style, marked: Collection[Place]) -> Iterable[str]:
    shown = (column or (_EMPTY,) for column in deal.columns)
    for height, cards in enumerate(zip_longest(*shown)):
        yield "".join(
            style.marked_card(card)
            if card is not None and (column, height) in marked
            else _cell(card, height < deal.face_down[column], reveal, style)
            for column, card in enumerate(cards)
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


def action_words(outcome: Outcome, after: Position, style: Style = Style()) -> list[str]:
    """What an action did, in words: a line for it, then one for each completed run."""
    swept = {run.column for run in outcome.completed}
    if isinstance(outcome.action, Row):
        row = f"{style.strong('row to columns 1-10')}: {style.cards(outcome.cards)}"
        lines = [_barred(row, f"{counted(after.rows_left, 'row')} left", style)]
    else:
        turned = [turn.card for turn in outcome.turned if turn.column not in swept]
        lines = [f"{_move(outcome.action, outcome, style)}{_turns(turned, style)}"]
    first = len(after.completed) - len(outcome.completed) + 1
    for place, run in enumerate(outcome.completed, first):
        turned = [turn.card for turn in outcome.turned if turn.column == run.column]
        words = f"{SUIT_NAMES[run.suit]} completed in column {run.column + 1}, King to Ace"
        rest = f"run {place} of {SETS}{_turns(turned, style)}"
        lines.append(_barred(f"{style.suit(run.suit)} {style.strong(words)}", rest, style))
    return lines


def event_words(event: PlayedEntry, replay: Replay, style: Style = Style()) -> list[str]:
    """What an entry of a recorded game did, in words, then the comment on it, if any.

    replay: as it is right after the event.
    """
    if event.revision is Revision.UNDO:
        lines = [f"{style.strong('undo')}: takes back action {event.undone_number}"]
    elif event.revision is Revision.RESTART:
        again = f"{style.strong('restart')}: the same deal again"
        lines = [_barred(again, f"attempt {replay.attempt}", style)]
    else:
        assert event.outcome is not None  # as of every action
        lines = action_words(event.outcome, replay.position, style)
    if event.entry.time is not None:
        lines[0] += style.faint(f"  at {clock(event.entry.time)}")
    return lines + [style.faint(f"# {line}") for line in event.entry.comment.splitlines()]


def clock(seconds: float) -> str:
    """``1:15`` or ``1:02:03``: a time without fractions."""
    minutes, second = divmod(int(seconds), 60)
    hours, minute = divmod(minutes, 60)
    return f"{hours}:{minute:02}:{second:02}" if hours else f"{minute}:{second:02}"


def replay_lines(
    replay: Replay,
    last: int | None = None,
    *,
    style: Style = Style(),
    boards: bool = False,
) -> Iterator[str]:
    """The entries that a replay still has before it, each as text of a line or more.

    last: the number of the last one; None for all. boards: the board before the first and
    after each, where what it moved stands out. The replay is played on, as the lines are
    asked for; IllegalAction comes through.
    """
    if last is None:
        last = len(replay.game.actions)
    width = len(str(last))
    if boards:
        yield board(replay.position, style=style) + "\n"
    while replay.number < last:
        event = replay.forward()
        yield _numbered(event.number, event_words(event, replay, style), width)
        if boards:
            marked = moved_cards(event, replay.position)
            yield "\n" + board(replay.position, style=style, marked=marked) + "\n"


def moved_cards(event: PlayedEntry | None, position: Position) -> frozenset[Place]:
    """Where on the board the cards are that an entry has just moved, or an undo put back.

    position: as it is right after the event.
    """
    if event is None or event.outcome is None:
        return frozenset()
    action, undo = event.outcome.action, event.revision is not None
    swept = set() if undo else {run.column for run in event.outcome.completed}
    if isinstance(action, Move):
        ends = {action.source if undo else action.target: action.count}
    else:
        ends = {} if undo else dict.fromkeys(range(COLUMNS), 1)
    return frozenset(
        (column, len(position.columns[column]) - depth)
        for column, count in ends.items()
        if column not in swept
        for depth in range(1, count + 1)
    )


def _numbered(number: int, lines: Sequence[str], width: int) -> str:
    label = f"{number:>{width}}. "
    return label + f"\n{' ' * len(label)}".join(lines)


def _barred(text: str, rest: str, style: Style) -> str:
    """What stands out, between bars, and what is told after it."""
    if not style.bars:
        return f"{text}, {rest}"
    bar = style.strong("══" if style.unicode else "==")
    return f"{bar} {text} {bar} {rest}"


def _move(move: Move, outcome: Outcome, style: Style) -> str:
    source, target = move.source + 1, move.target + 1
    text = f"{style.cards(outcome.cards)} from column {source} to "
    if outcome.onto is None:
        return f"{text}empty column {target}"
    return f"{text}column {target}, onto {style.card(outcome.onto)}"


def _turns(cards: Sequence[int], style: Style) -> str:
    return f"; turns {style.cards(cards)}" if cards else ""


def counts(position: Position) -> str:
    """``75 moves and 5 rows, 8 of 8 runs completed, score 1220``."""
    return (
        f"{counted(position.moves, 'move')} and {counted(position.rows, 'row')},"
        f" {len(position.completed)} of {SETS} runs completed, score {position.score}"
    )


def revisions(counts: Counts) -> str:
    """``3 undos, 1 restart (1 attempt abandoned), 152 actions made, ...``; empty if none."""
    parts = [
        counted(number, what)
        for number, what in ((counts.undos, "undo"), (counts.restarts, "restart"))
        if number
    ]
    if not parts:
        return ""
    if counts.abandoned:
        parts[-1] += f" ({counted(counts.abandoned, 'attempt')} abandoned)"
    parts.append(f"{counted(counts.made, 'action')} made in all")
    if counts.undos:
        parts.append(f"score {counts.gross_score} if undo gave no points back")
    return ", ".join(parts)
