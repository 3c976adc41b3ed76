"""The command ``solve DEAL``: find a solution, verify it and print it action by action."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Any

import click

from .. import __version__, solver
from ..deal import Deal
from ..formats import write_game
from ..prove import PROOF_SECONDS
from ..recorded_games import RecordedGame, recorded_game
from ..render.json import solve_object
from ..render.style import Style
from ..render.text import replay_lines, title
from ..replay import Replay
from ..result import Limits, Progress, Result, ShorteningLimits, Verdict
from ..searches import Announce, OnProgress
from ..unknown import OrdersLimits
from ..words import counted
from .completion import complete_file
from .errors import EXIT_CODES, Exit, OutputError
from .file_kinds import PAGE, RECORDED_GAME
from .help import DEAL_TEXT
from .hints import deal_command
from .inputs import DealCommand, ReadingOptions, deal_options, load_deal
from .limits import limits_options
from .options import HELP, force_option, html_option, json_option, message_options
from .output import Messages, messages_of, style_of_stdout
from .output_files import OutputFile, declare_outputs
from .positions import LoadedDeal
from .shortening import shortened, shortening_lines, shortening_options
from .status import status_line
from .unknown import (
    require_known_cards,
    sample_options,
    solve_unknown,
    with_only_order,
)

_DEFAULT = Limits()
_Writer = tuple[OutputFile, Callable[[Result], str]]  # a file, and what makes its text


@click.command(
    "solve",
    cls=DealCommand,
    context_settings=HELP,
    arguments={"DEAL": DEAL_TEXT},
    examples={
        "spider-solver solve 1": "Solve deal 1 with four suits",
        "spider-solver solve kpat:12345 --suits 2": "Solve a deal of KPatience with two suits",
        "spider-solver solve deal.txt --boards": "Solve the deal in a file and draw each board",
        "spider-solver solve game.txt --at 20": "Solve a recorded game after its first 20 actions",
        "spider-solver solve 1 -o game.txt --html game.html": (
            "Also write the solution as a recorded game and as a web page"
        ),
        "spider-solver solve 1 --shorten 10": "Search for shorter solutions for ten seconds",
        "spider-solver solve board.txt --samples 500": (
            "Estimate the chance to win if cards of the board are unknown"
        ),
        "spider-solver solve 1 --time-limit 60": "Give up after one minute",
        "spider-solver show 1 --format text | spider-solver solve": "Read standard input",
    },
    exit_codes={
        Exit.DONE: "a solution was found and verified; with unknown cards: for each order of them",
        Exit.UNWINNABLE: "it is proved that there is no solution, in any order of unknown cards",
        Exit.UNDECIDED: "a limit was reached before a solution or a proof was found; with unknown"
        " cards: neither all orders are won nor all unwinnable, or only some orders were tried",
    },
)
@deal_options
@limits_options
@click.option(
    "--prove",
    is_flag=True,
    help="If the search decides nothing, try to prove with OR-tools that there is no solution:"
    f" for at most {PROOF_SECONDS:g} s, and as long again to check the proof.",
)
@shortening_options
@sample_options
@click.option("--boards", is_flag=True, help="Draw the board after each action.")
@click.option(
    "-o",
    "--output",
    metavar="FILE",
    shell_complete=complete_file,
    help="Also write the solution as a recorded game; JSON if FILE ends in .json.",
)
@html_option
@force_option
@json_option
@message_options
@click.pass_context
def command(
    ctx: click.Context,
    /,
    deal: str,
    reading: ReadingOptions,
    prove: bool,
    shortening: ShorteningLimits | None,
    jobs: int | None,
    orders_limits: OrdersLimits,
    boards: bool,
    output: str | None,
    html_file: str | None,
    force: bool,
    as_json: bool,
    **limits: Any,
) -> int:
    """Find a solution of a deal, verify it and print it.

    Beam searches look for a solution, each twice as wide as the one before. If they find none, an
    exhaustive search goes on, which can prove that there is none. A solution is replayed on an
    independent implementation of the rules before it is printed. It is not necessarily the
    shortest one: --shorten searches for shorter ones.

    If cards of the deal are unknown, a solution is searched for each order of these cards.

    The same limits end the search at the same point on every machine, except for --time-limit and
    --max-memory. The first search compiles its inner loops, which takes about half a minute.
    """
    if boards and as_json:
        raise click.UsageError("--boards cannot be combined with --json", ctx)
    game_file = OutputFile("-o", output, RECORDED_GAME, force)
    page_file = OutputFile("--html", html_file, PAGE, force)
    declare_outputs([game_file, page_file], inputs=[deal])
    messages = messages_of(ctx)
    loaded = with_only_order(load_deal(deal, reading, messages), messages)
    loaded_deal, search_limits = loaded.deal, Limits(**limits)
    if loaded_deal.unknown:
        needing = {"--boards": boards, "-o": output, "--html": html_file, "--shorten": shortening}
        require_known_cards(loaded, needing)
        return solve_unknown(ctx, loaded, search_limits, orders_limits, prove, as_json)
    if jobs is not None and shortening is None:
        raise click.UsageError("--jobs needs --shorten, --shorten-states or unknown cards", ctx)
    writers: list[_Writer] = []
    if output is not None:
        writers.append((game_file, partial(_recorded_text, loaded_deal, output)))
    if html_file is not None:
        writers.append((page_file, partial(_html_page, loaded_deal, search_limits)))
    with _callbacks(messages) as (progress, announce):
        result = solver.solve(loaded_deal, search_limits, progress, announce, prove)
    if shortening is not None:
        result = shortened(loaded_deal, result, shortening, search_limits.max_memory, messages)
    failure = _write_solution(writers, result)
    _print_result(loaded, result, boards, as_json)
    if failure is not None:
        raise failure
    if result.verdict is Verdict.UNDECIDED:
        messages.info("undecided: larger limits (see solve --help) may decide it")
    for file, _ in writers if result.verdict is not Verdict.WON else ():
        messages.info(f"nothing written to {file.name}: there is no solution to write")
    return EXIT_CODES[result.verdict]


def _write_solution(writers: Sequence[_Writer], result: Result) -> OutputError | None:
    """Write the solution, if there is one. Returns an error, to be raised after it is printed."""
    failure = None
    for file, text_of in writers if result.verdict is Verdict.WON else ():
        try:
            file.write(text_of(result))
        except OutputError as error:
            failure = error
    return failure


def _print_result(loaded: LoadedDeal, result: Result, boards: bool, as_json: bool) -> None:
    """Print the result as text or JSON. boards: draw the board after each action."""
    if as_json:
        click.echo(json.dumps(solve_object(loaded.deal, result)))
        return
    style = style_of_stdout()
    for line in _result_lines(loaded, result, style, boards):
        click.echo(line, color=style.color)


def _result_lines(loaded: LoadedDeal, result: Result, style: Style, boards: bool) -> Iterator[str]:
    won = result.verdict is Verdict.WON
    yield style.strong(loaded.title)
    if won:
        yield (
            f"{style.strong('won')}: {counted(result.moves, 'move')} and"
            f" {counted(result.rows, 'row')}, score {result.score}, verified"
        )
    else:
        yield f"{style.strong(result.verdict)}{result.reason and ': ' + result.reason}"
    yield f"searched {_searched(result)} in {result.seconds:.2f} s"
    yield from shortening_lines(result)
    if won:
        yield ""
        replay = Replay(recorded_game(loaded.deal, result.actions))
        yield from replay_lines(replay, style=style, boards=boards)


def _searched(result: Result) -> str:
    """What was searched, such as ``1,234 states, beam width 64, and 2 positions exhaustively``.

    A search that did not run is omitted.
    """
    beam = f"{counted(result.states, 'state')}, beam width {result.width:,},"
    exhaustive = f"{counted(result.positions, 'position')} exhaustively"
    if not result.positions:
        return beam
    return f"{beam} and {exhaustive}" if result.widths else exhaustive


def _recorded_text(deal: Deal, path: str, result: Result) -> str:
    return write_game(
        _game(deal, result), format="json" if path.lower().endswith(".json") else "text"
    )


def _html_page(deal: Deal, limits: Limits, result: Result) -> str:
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
def _callbacks(messages: Messages) -> Iterator[tuple[OnProgress | None, Announce]]:
    """The callbacks ``progress`` and ``announce`` for ``solver.solve``.

    Progress is shown as a line per phase if verbose, otherwise in a status line on a terminal.
    """
    if messages.verbose:
        yield _phase_reporter(messages), messages.info
        return
    if not messages.shows_progress:
        yield None, messages.info
        return
    with status_line(delay=0.3) as status:
        best = 0

        def report(now: Progress) -> None:
            nonlocal best
            best = max(best, now.completed)
            status.show(progress_text(now, best))

        def announce(text: str) -> None:
            with status.hidden(sys.stderr):
                messages.info(text)

        yield report, announce


def progress_text(now: Progress, best: int) -> str:
    """The progress of a running search in words.

    best: the most completed runs in any state of any beam so far.
    """
    if now.proof is not None:
        done = "checked" if now.proof.checking else "refuted"
        return f"{_phase(now)}, {now.proof.refuted} of {counted(now.proof.events, 'event')} {done}"
    speed = f"{now.states / now.seconds:,.0f}" if now.seconds > 0 else "0"
    if now.width == 0:
        return f"exhaustive search, {now.states:,} states and positions, {speed} per second"
    return (
        f"beam width {now.width:,}, level {now.level},"
        f" {counted(now.completed, 'run')} completed (best {best}), {speed} states/s"
    )


def _phase(now: Progress) -> str:
    if now.proof is not None:
        return "check of the proof" if now.proof.checking else "proof by OR-tools"
    return f"beam width {now.width:,}" if now.width else "exhaustive search"


def _phase_reporter(messages: Messages) -> OnProgress:
    """A callback that prints a line when a beam, the exhaustive search or a proof starts."""
    last = ""

    def report(now: Progress) -> None:
        nonlocal last
        phase = _phase(now)
        if phase != last:
            last = phase
            messages.detail(f"{phase}, after {now.states:,} states, {now.seconds:.2f} s")

    return report
