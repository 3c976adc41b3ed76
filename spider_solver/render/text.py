"""Deals, actions and recorded games in words.

All functions are pure: they return text and print nothing. ``Style`` holds the decorations that
the output can show.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ..cards import SUIT_NAMES
from ..deal import SETS, Deal
from ..game import Move, Outcome, Position, Row
from ..notation import Revision
from ..replay import Counts, PlayedEntry, Replay
from ..verify import Report
from ..words import counted, quote, visible, visible_file
from .board import board, moved_cards
from .style import DEFAULT_STYLE, Style


def title(deal: Deal) -> str:
    """Such as ``native:1, 4 suits, standard rules``, and whether it is in mid-game or won.

    The number of unknown cards is said too, if there are any.
    """
    parts = [visible(deal.name, None) or "deal", counted(deal.suits, "suit"), f"{deal.rules} rules"]
    if deal.won:
        parts.append("won")
    elif not deal.fresh:
        parts.append("a position in mid-game")
    if deal.unknown:
        parts.append(counted(len(deal.unknown), "unknown card"))
    return ", ".join(parts)


def action_lines(outcome: Outcome, after: Position, style: Style = DEFAULT_STYLE) -> list[str]:
    """The effect of an action: a line for the action, then one for each completed run.

    after: the position right after the action.
    """
    completed_columns = {run.column for run in outcome.completed}
    if isinstance(outcome.action, Row):
        row = f"{style.strong('row to columns 1-10')}: {style.cards(outcome.cards)}"
        lines = [style.between_bars(row, f"{counted(after.rows_left, 'row')} left")]
    else:
        turned = [turn.card for turn in outcome.turned if turn.column not in completed_columns]
        lines = [f"{_move(outcome.action, outcome, style)}{_turned_cards(turned, style)}"]
    first = len(after.completed) - len(outcome.completed) + 1
    for number, run in enumerate(outcome.completed, first):
        turned = [turn.card for turn in outcome.turned if turn.column == run.column]
        words = f"{SUIT_NAMES[run.suit]} completed in column {run.column + 1}, King to Ace"
        rest = f"run {number} of {SETS}{_turned_cards(turned, style)}"
        lines.append(style.between_bars(f"{style.suit(run.suit)} {style.strong(words)}", rest))
    return lines


def entry_lines(played: PlayedEntry, replay: Replay, style: Style = DEFAULT_STYLE) -> list[str]:
    """The effect of an entry of a recorded game, then the comment on the entry, if any.

    replay: right after the entry was played.
    """
    if played.revision is Revision.UNDO:
        lines = [f"{style.strong('undo')}: takes back action {played.undone_number}"]
    elif played.revision is Revision.RESTART:
        restart = f"{style.strong('restart')}: the same deal again"
        lines = [style.between_bars(restart, f"attempt {replay.attempt}")]
    else:
        assert played.outcome is not None  # true of every action
        lines = action_lines(played.outcome, replay.position, style)
    if played.entry.time is not None:
        lines[0] += style.faint(f"  at {clock_text(played.entry.time)}")
    return lines + [
        style.faint(f"# {visible(line, None)}") for line in played.entry.comment.splitlines()
    ]


def clock_text(seconds: float) -> str:
    """A time in whole seconds, rounded down: such as ``1:15`` or ``1:02:03``."""
    minutes, second = divmod(int(seconds), 60)
    hours, minute = divmod(minutes, 60)
    return f"{hours}:{minute:02}:{second:02}" if hours else f"{minute}:{second:02}"


def replay_lines(
    replay: Replay,
    last: int | None = None,
    *,
    style: Style = DEFAULT_STYLE,
    boards: bool = False,
) -> Iterator[str]:
    """Play the remaining entries of a replay; yield the text of each, one or more lines.

    last: the number of the last entry to play; None for all.
    boards: also yield the board before the first entry and after each entry, with the moved
    cards highlighted.

    An entry is played when its text is requested. Raises IllegalAction as ``Replay.forward`` does.
    """
    if last is None:
        last = len(replay.game.entries)
    width = len(str(last))
    if boards:
        yield board(replay.position, style=style) + "\n"
    while replay.number < last:
        played = replay.forward()
        yield _numbered(played.number, entry_lines(played, replay, style), width)
        if boards:
            marked = moved_cards(played, replay.position)
            yield "\n" + board(replay.position, style=style, marked=marked) + "\n"


def _numbered(number: int, lines: Sequence[str], width: int) -> str:
    """The lines, the first after a number of ``width`` characters, the others indented as far."""
    label = f"{number:>{width}}. "
    return label + f"\n{' ' * len(label)}".join(lines)


def _move(move: Move, outcome: Outcome, style: Style) -> str:
    source, target = move.source + 1, move.target + 1
    text = f"{style.cards(outcome.cards)} from column {source} to "
    if outcome.onto is None:
        return f"{text}empty column {target}"
    return f"{text}column {target}, onto {style.card(outcome.onto)}"


def _turned_cards(cards: Sequence[int], style: Style) -> str:
    return f"; turns {style.cards(cards)}" if cards else ""


def counts_text(position: Position) -> str:
    """Such as ``75 moves and 5 rows, 8 of 8 runs completed, score 1220``."""
    return (
        f"{counted(position.moves, 'move')} and {counted(position.rows, 'row')},"
        f" {len(position.completed)} of {SETS} runs completed, score {position.score}"
    )


def revisions_text(counts: Counts) -> str:
    """The counts of undos and restarts; empty if there are none.

    Such as ``3 undos, 1 restart (1 attempt abandoned), 152 actions made in all, ...``.
    """
    parts = [
        counted(number, name)
        for number, name in ((counts.undos, "undo"), (counts.restarts, "restart"))
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


def undo_costs_text(counts: Counts) -> str:
    """Such as ``if an undo is a move that costs a point: 9 moves and rows, score 491``."""
    return (
        f"if an undo is a move that costs a point: {counts.moves_if_undo_costs:,} moves and rows,"
        f" score {counts.score_if_undo_costs}"
    )


def result_text(report: Report, style: Style, *, undo_costs: bool = False) -> str:
    """The verdict and the counts of a replayed game.

    A second line has the counts of undos and restarts, if there are any.

    undo_costs: add a line with the counts that ``undo_costs_text`` shows.
    """
    verdict = style.strong(report.verdict)
    if not report.legal:
        verdict += f" at action {report.illegal_number}; before it"
    lines = [f"{verdict}: {counts_text(report.position)}", revisions_text(report.counts)]
    if undo_costs:
        lines.append(undo_costs_text(report.counts))
    return "\n".join(filter(None, lines))


def illegal_text(report: Report, name: str) -> str:
    """The error message about the illegal action of a game. name: the name of its file."""
    line = "" if report.illegal_line is None else f", line {report.illegal_line}"
    return (
        f"{visible_file(name)}{line}: action {report.illegal_number}"
        f" {quote(report.illegal_text)} is illegal: {report.reason}"
    )
