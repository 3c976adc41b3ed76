"""``solve DEAL``: a verified solution, printed move by move."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any

import click

from .. import __version__, solver
from ..deal import Deal
from ..formats import write_game
from ..formats.json_format import deal_object
from ..games import RecordedGame, recorded_game
from ..notation import action_text
from ..render.style import Style
from ..render.text import replay_lines, title
from ..replay import Replay
from ..result import Limits, Progress, Result, Verdict
from ..words import counted
from .errors import EXIT_CODES, OutputError
from .hints import deal_command
from .inputs import DealCommand, ReadingOptions, deal_options, load_deal
from .limits import limits_options
from .options import HELP, html_option, json_option, message_options
from .output import Messages, check_writable, messages_of, style_of_stdout, write_file

_DEFAULT = Limits()


@click.command("solve", cls=DealCommand, context_settings=HELP)
@deal_options
@limits_options
@click.option(
    "--prove",
    is_flag=True,
    help="If all else fails, try for as long as it takes to prove that there is no solution,"
    " by OR-tools.",
)
@click.option("--boards", is_flag=True, help="Draw the board after each action.")
@click.option(
    "-o",
    "--output",
    metavar="FILE",
    help="Also write the solution as a recorded game; JSON if FILE ends in .json.",
)
@html_option
@json_option
@message_options
@click.pass_context
def command(
    ctx: click.Context,
    deal: str,
    reading: ReadingOptions,
    max_width: int,
    max_states: int | None,
    time_limit: float | None,
    max_memory: int | None,
    max_positions: int | None,
    prove: bool,
    boards: bool,
    output: str | None,
    html_file: str | None,
    as_json: bool,
) -> int:
    """Find a solution of a deal, verify it and print it.

    DEAL is a deal's NUMBER, SCHEME:NUMBER, a file, or - for standard input; a file may hold a
    position in mid-game.

    The exit code is 0 if a solution was found, 3 if there is proved to be none, 4 if a limit
    was reached before either.
    """
    if boards and as_json:
        raise click.UsageError("--boards goes with text, not with --json", ctx)
    if output and html_file and os.path.realpath(output) == os.path.realpath(html_file):
        raise click.UsageError(f"-o and --html both name {output!r}: give two names", ctx)
    found = load_deal(deal, reading)
    limits = Limits(max_width, max_states, time_limit, max_memory, max_positions=max_positions)
    outputs: dict[str, Callable[[Result], str]] = {}
    if output is not None:
        outputs[output] = partial(_recorded, found, output)
    if html_file is not None:
        outputs[html_file] = partial(_page, found, limits)
    for path in outputs:
        check_writable(path)
    messages = messages_of(ctx)
    with _progress(messages) as progress:
        result = solver.solve(found, limits, progress, messages.info, prove)
    failure = None
    for path, write in outputs.items() if result.verdict is Verdict.WON else ():
        try:
            write_file(path, write(result))
        except OutputError as error:  # what a long search found is printed all the same
            failure = error
    if as_json:
        click.echo(json.dumps(result_object(found, result)))
    else:
        style = style_of_stdout()
        for line in _lines(found, result, style, boards):
            click.echo(line, color=style.color)
    if failure is not None:
        raise failure
    if result.verdict is Verdict.UNDECIDED:
        messages.info("undecided: larger limits (see solve --help) may decide it")
    for path in outputs if result.verdict is not Verdict.WON else ():
        messages.info(f"nothing written to {path!r}: there is no solution to write")
    return EXIT_CODES[result.verdict]


def result_object(deal: Deal, result: Result) -> dict[str, Any]:
    """What ``--json`` prints. Keys are only ever added, at the end."""
    found: dict[str, Any] = {
        "deal": deal.name,
        "suits": deal.suits,
        "rules": str(deal.rules),
        "verdict": str(result.verdict),
        "actions": [action_text(action) for action in result.actions],
        "moves": result.moves,
        "rows": result.rows,
        "score": result.score,
        "states": result.states,
        "width": result.width,
        "seconds": round(result.seconds, 3),
        "settings": result.settings,
        "version": __version__,
        "decided_by": result.decided_by and str(result.decided_by),
        "positions": result.positions,
    }
    if result.verdict is Verdict.UNWINNABLE:
        found["error_bound"] = result.error_bound
    if result.reason:
        found["reason"] = result.reason
    if not deal_command(deal):  # it has no number, so the cards belong to the result
        cards = deal_object(deal)
        found |= {key: cards[key] for key in ("columns", "face_down", "stock", "completed")}
    return found


def _lines(deal: Deal, result: Result, style: Style, boards: bool) -> Iterator[str]:
    won = result.verdict is Verdict.WON
    yield style.strong(title(deal))
    if won:
        yield (
            f"{style.strong('won')}: {counted(result.moves, 'move')} and"
            f" {counted(result.rows, 'row')}, score {result.score}, verified"
        )
    else:
        yield f"{style.strong(result.verdict)}{result.reason and ': ' + result.reason}"
    yield f"searched {_effort(result)} in {result.seconds:.2f} s"
    if won:
        yield ""
        replay = Replay(recorded_game(deal, result.actions))
        yield from replay_lines(replay, style=style, boards=boards)


def _effort(result: Result) -> str:
    """``1,234 states, beam width 64, and 2 positions exhaustively``, or what there is of it."""
    beam = f"{counted(result.states, 'state')}, beam width {result.width:,},"
    exhaustive = f"{counted(result.positions, 'position')} exhaustively"
    if not result.positions:
        return beam
    return f"{beam} and {exhaustive}" if result.widths else exhaustive


def _recorded(deal: Deal, path: str, result: Result) -> str:
    return write_game(
        _game(deal, result), format="json" if path.lower().endswith(".json") else "text"
    )


def _page(deal: Deal, limits: Limits, result: Result) -> str:
    from ..render import html

    command = deal_command(deal, "solve")
    if command and limits.max_width != _DEFAULT.max_width:
        command += f" --max-width {limits.max_width}"
    return html.page(_game(deal, result), deal_command=deal_command(deal), game_command=command)


def _game(deal: Deal, result: Result) -> RecordedGame:
    comments = (
        f"{title(deal)}: won with {counted(result.moves, 'move')} and"
        f" {counted(result.rows, 'row')}, score {result.score}",
        f"found by spider-solver {__version__}",
    )
    return recorded_game(deal, result.actions, comments=comments)


@contextmanager
def _progress(messages: Messages) -> Iterator[Callable[[Progress], None] | None]:
    """What to tell of a running search: a line for each width if verbose, else a terminal's bar."""
    if messages.verbose or not messages.progress:
        yield _teller(messages) if messages.verbose else None
        return
    from tqdm import tqdm

    with tqdm(
        file=sys.stderr,
        leave=False,
        delay=0.3,
        miniters=1,
        dynamic_ncols=True,  # a longer line is cut rather than wrapped
        bar_format="{desc} [{elapsed}]",
    ) as bar:
        best = 0

        def show(now: Progress) -> None:
            nonlocal best
            best = max(best, now.completed)
            bar.set_description_str(progress_text(now, best), refresh=False)
            bar.update(now.states - bar.n)

        yield show


def progress_text(now: Progress, best: int) -> str:
    """Where a running search is, in words; best: the most runs completed by any beam so far."""
    speed = f"{now.states / now.seconds:,.0f}" if now.seconds > 0 else "0"
    if now.width == 0:
        return f"exhaustive search, {now.states:,} states and positions, {speed} a second"
    return (
        f"beam width {now.width:,}, level {now.level},"
        f" {counted(now.completed, 'run')} completed (best {best}), {speed} states/s"
    )


def _teller(messages: Messages) -> Callable[[Progress], None]:
    width = -1

    def tell(now: Progress) -> None:
        nonlocal width
        if now.width != width:
            width = now.width
            what = f"beam width {width:,}" if width else "exhaustive search"
            messages.detail(f"{what}, after {now.states:,} states, {now.seconds:.2f} s")

    return tell
