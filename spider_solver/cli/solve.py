"""``solve DEAL``: a verified solution, printed move by move."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import click

from .. import __version__, solver
from ..deal import Deal
from ..game import Position
from ..notation import action_text, write_game
from ..render import text as render
from .errors import Exit, OutputError
from .inputs import DealCommand, deal_options, load_deal
from .options import HELP, json_option, seconds, talk_options, whole_number
from .output import Talk, check_writable, style_of_stdout, talk_of, write_file

_CODES = {
    solver.Verdict.WON: Exit.DONE,
    solver.Verdict.UNWINNABLE: Exit.UNWINNABLE,
    solver.Verdict.UNDECIDED: Exit.UNDECIDED,
}
_DEFAULT = solver.Limits()


@click.command("solve", cls=DealCommand, context_settings=HELP)
@deal_options
@click.option(
    "--max-width",
    type=whole_number(1, 2**31 - 1),
    default=_DEFAULT.max_width,
    show_default=True,
    metavar="N",
    help="The widest beam to try, in states kept a level.",
)
@click.option(
    "--max-states",
    type=whole_number(1),
    metavar="N",
    help="Give up after keeping so many states.  [default: no limit]",
)
@click.option(
    "--time-limit",
    type=seconds,
    metavar="SECONDS",
    help="Give up after this time. Unlike the other limits, not reproducible.",
)
@click.option("--boards", is_flag=True, help="Draw the board after each action.")
@click.option(
    "-o",
    "--output",
    metavar="FILE",
    help="Also write the solution as a recorded game; JSON if FILE ends in .json.",
)
@json_option
@talk_options
@click.pass_context
def command(
    ctx: click.Context,
    deal: str,
    suits: int | None,
    rules: str | None,
    max_width: int,
    max_states: int | None,
    time_limit: float | None,
    boards: bool,
    output: str | None,
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
    found = load_deal(deal, suits, rules)
    if output is not None:
        check_writable(output)
    talk = talk_of(ctx)
    limits = solver.Limits(max_width=max_width, max_states=max_states, time_limit=time_limit)
    with _progress(talk) as progress:
        result = solver.solve(Position(found), limits, progress, talk.say)
    failure = None
    if output is not None and result.verdict is solver.Verdict.WON:
        try:
            write_file(output, _recorded(found, result, output))
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
    if result.verdict is solver.Verdict.UNDECIDED:
        talk.say("undecided: larger limits (--max-width, --max-states, --time-limit) may decide it")
    if output is not None and result.verdict is not solver.Verdict.WON:
        talk.say(f"nothing written to {output!r}: there is no solution to write")
    return _CODES[result.verdict]


def result_object(deal: Deal, result: solver.Result) -> dict[str, Any]:
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
    }
    if result.reason:
        found["reason"] = result.reason
    return found


def _lines(deal: Deal, result: solver.Result, style: render.Style, boards: bool) -> Iterator[str]:
    won = result.verdict is solver.Verdict.WON
    yield style.strong(render.title(deal))
    if won:
        yield (
            f"{style.strong('won')}: {render.counted(result.moves, 'move')} and"
            f" {render.counted(result.rows, 'row')}, score {result.score}, verified"
        )
    else:
        yield f"{style.strong(result.verdict)}{result.reason and ': ' + result.reason}"
    yield (
        f"searched {render.counted(result.states, 'state')}, beam width {result.width:,},"
        f" in {result.seconds:.2f} s"
    )
    if won:
        yield ""
        yield from render.action_lines(Position(deal), result.actions, style=style, boards=boards)


def _recorded(deal: Deal, result: solver.Result, output: str) -> str:
    return write_game(
        deal,
        result.actions,
        format="json" if output.lower().endswith(".json") else "text",
        comments=(
            f"{render.title(deal)}: won with {render.counted(result.moves, 'move')} and"
            f" {render.counted(result.rows, 'row')}, score {result.score}",
            f"found by spider-solver {__version__}",
        ),
    )


@contextmanager
def _progress(talk: Talk) -> Iterator[Callable[[solver.Progress], None] | None]:
    """What to tell of a running search: a line for each width if verbose, else a terminal's bar."""
    if talk.verbose or not talk.progress:
        yield _teller(talk) if talk.verbose else None
        return
    from tqdm import tqdm

    with tqdm(
        file=sys.stderr,
        leave=False,
        delay=0.3,
        miniters=1,
        bar_format="{desc}, {n:,} states [{elapsed}]",
    ) as bar:

        def show(now: solver.Progress) -> None:
            bar.set_description_str(
                f"beam width {now.width:,}, level {now.level},"
                f" {render.counted(now.completed, 'run')} completed",
                refresh=False,
            )
            bar.update(now.states - bar.n)

        yield show


def _teller(talk: Talk) -> Callable[[solver.Progress], None]:
    width = 0

    def tell(now: solver.Progress) -> None:
        nonlocal width
        if now.width != width:
            width = now.width
            talk.detail(f"beam width {width:,}, after {now.states:,} states, {now.seconds:.2f} s")

    return tell
