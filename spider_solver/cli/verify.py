"""``verify FILE...``: check recorded games by the rules."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence

import click

from ..errors import IllegalAction, SpiderError
from ..recorded_games import RecordedGame
from ..render.board import board
from ..render.json import UNREADABLE, report_object, unreadable_object
from ..render.style import Style
from ..render.text import illegal_text, result_text, title
from ..verify import GameVerdict, Report, verify_game
from ..words import counted, visible_file
from .errors import Exit, report_error
from .help import GAME_TEXT, DocumentedCommand
from .inputs import games_argument, load_game
from .options import HELP, json_option, message_options
from .output import messages_of, style_of_stdout


@click.command(
    "verify",
    cls=DocumentedCommand,
    context_settings=HELP,
    arguments={
        "FILE": f"{GAME_TEXT} With --results: the name of a results file of winrate --solutions."
    },
    examples={
        "spider-solver verify game.txt": "Check a game",
        "spider-solver verify --won game1.txt game2.txt": "Require that all games are won",
        "spider-solver verify game.txt --undo-costs": "Also count each undo as a move",
        "spider-solver verify saved.xml --json": "Check a saved game of KPatience, as JSON",
        "spider-solver verify --results results.jsonl": "Check the solutions in a results file",
    },
    exit_codes={
        Exit.DONE: "all actions of all games are legal; with --won, all games are won; with"
        " --results, all solutions win with the moves, rows and score of their results",
        Exit.ERROR: "an action is illegal, a game is not won (with --won), a solution is wrong"
        " (with --results), or another error; each is described in one line on stderr",
    },
)
@games_argument
@click.option("--won", "must_win", is_flag=True, help="Fail also if a game is not won.")
@click.option(
    "--undo-costs",
    is_flag=True,
    help="Also print the moves and the score of programs in which an undo is itself a move that"
    " costs a point and gives none back.",
)
@click.option(
    "--results",
    "are_results",
    is_flag=True,
    help="Each FILE holds results of winrate --solutions: replay each solution.",
)
@json_option
@message_options
@click.pass_context
def command(
    ctx: click.Context,
    files: tuple[str, ...],
    must_win: bool,
    undo_costs: bool,
    are_results: bool,
    as_json: bool,
) -> Exit:
    """Check recorded games by the rules and print their scores.

    The result for each game is won, or unfinished (all its actions are legal), or illegal: then
    the first illegal action, the reason and the board before it are printed. With --json there
    is one line for each file, which always has the counts of --undo-costs.
    """
    if are_results:
        if must_win or undo_costs:
            option = "--won" if must_win else "--undo-costs"
            raise click.UsageError(f"{option} cannot be combined with --results", ctx)
        from .verify_results import verify_results

        return verify_results(files, as_json, messages_of(ctx))
    return _verify_games(files, must_win, undo_costs, as_json)


def _verify_games(files: Sequence[str], must_win: bool, undo_costs: bool, as_json: bool) -> Exit:
    """Check the recorded games in files and print the result for each."""
    style = style_of_stdout()
    verdicts: Counter[str] = Counter()
    failed = False
    for file in files:
        failure: SpiderError | None
        try:
            game = load_game(file)
        except SpiderError as error:
            failure = error
            verdict = UNREADABLE
            if as_json:
                click.echo(json.dumps(unreadable_object(file, error)))
        else:
            report = verify_game(game)
            failure = _failure(game, report, must_win)
            verdict = str(report.verdict)
            if as_json:
                click.echo(json.dumps(report_object(game, report, file)))
            else:
                separator = "\n" if verdicts else ""
                label = f"{visible_file(file)}: " if len(files) > 1 else ""
                text = _report_text(game, report, style, undo_costs)
                click.echo(f"{separator}{label}{text}", color=style.color)
        verdicts[verdict] += 1
        if failure is not None:
            failed = True
            report_error(failure)
    if len(files) > 1 and not as_json:
        click.echo(f"\n{counted(len(files), 'file')}: {_verdict_counts(verdicts)}")
    return Exit.ERROR if failed else Exit.DONE


def _failure(game: RecordedGame, report: Report, must_win: bool) -> SpiderError | None:
    """The error to report for a game; None if there is none."""
    if not report.legal:
        return IllegalAction(illegal_text(report, game.name))
    if must_win and report.verdict is not GameVerdict.WON:
        return SpiderError(f"{visible_file(game.name)}: {report.verdict}, but --won requires a win")
    return None


def _report_text(game: RecordedGame, report: Report, style: Style, undo_costs: bool) -> str:
    lines = [style.strong(title(game.deal)), result_text(report, style, undo_costs=undo_costs)]
    if not report.legal:
        lines += ["", board(report.position, style=style)]
    return "\n".join(lines)


def _verdict_counts(verdicts: Counter[str]) -> str:
    """``2 won, 1 unreadable``."""
    order = (*map(str, GameVerdict), UNREADABLE)
    return ", ".join(f"{verdicts[verdict]} {verdict}" for verdict in order if verdicts[verdict])
