"""``replay FILE``: a recorded game, action by action."""

from __future__ import annotations

import sys

import click

from ..errors import IllegalAction
from ..notation import RecordedGame
from ..render import text as render
from ..replay import Replay
from ..verify import Report, verify_game
from ..words import counted
from .inputs import game_argument, load_game
from .options import HELP, html_option, message_options, seconds, whole_number
from .output import check_writable, is_terminal, messages_of, style_of_stdout, write_file
from .verify import ending, illegal_text


@click.command("replay", context_settings=HELP)
@game_argument
@click.option("--boards", is_flag=True, help="Draw the board before and after each action.")
@click.option(
    "--from", "first", type=whole_number(1), metavar="N", default=1, help="First action to show."
)
@click.option("--to", "last", type=whole_number(1), metavar="N", help="Last action to show.")
@click.option("--step", is_flag=True, help="On a terminal: show it key by key, in full screen.")
@click.option(
    "--play",
    type=seconds,
    metavar="SECONDS",
    help="On a terminal: like --step, but it plays by itself, an action each SECONDS.",
)
@html_option
@message_options
@click.pass_context
def command(
    ctx: click.Context,
    file: str,
    boards: bool,
    first: int,
    last: int | None,
    step: bool,
    play: float | None,
    html_file: str | None,
) -> None:
    """Show a recorded game action by action.

    FILE is a recorded game as solve -o writes it, or - for standard input. An illegal action
    ends the replay with an error. Where the output is no terminal, --step and --play print
    the list.
    """
    if last is not None and last < first:
        raise click.UsageError(f"--from {first} --to {last}: nothing lies between", ctx)
    if html_file is not None:
        if boards or step or play is not None or first > 1 or last is not None:
            raise click.UsageError("--html writes the whole game: leave the other options out", ctx)
        check_writable(html_file)
    game = load_game(file)
    report = verify_game(game)
    if first > max(report.actions, 1):
        raise IllegalAction(f"--from {first}: {_last_of(report)}")
    end = report.actions if last is None else min(last, report.actions)
    if html_file is not None:
        from ..render import html

        write_file(html_file, html.page(game))
        messages_of(ctx).say(f"{html_file!r}: open it in a browser")
        _refuse_if_illegal(report, game)
        return
    replay = Replay(game)
    replay.go_to(first - 1)
    if (step or play is not None) and is_terminal(sys.stdout):
        _view(replay, end, report, play)
        return
    style = style_of_stdout()
    click.echo(f"{style.strong(render.title(game.deal))}\n", color=style.color)
    for line in render.replay_lines(replay, end, style=style, boards=boards):
        click.echo(line, color=style.color)
    if end == report.actions:
        _refuse_if_illegal(report, game)
        click.echo(("" if boards else "\n") + ending(report, style), color=style.color)


def _view(replay: Replay, end: int, report: Report, play: float | None) -> None:
    from .viewer import Viewer

    style = style_of_stdout()
    text = ""
    if end == report.actions:
        text = ending(report, style)
        if not report.legal:
            text += f"\n{illegal_text(report, replay.game.name)}"
    Viewer(replay, end, text, style, play).run()


def _refuse_if_illegal(report: Report, game: RecordedGame) -> None:
    if not report.legal:
        raise IllegalAction(illegal_text(report, game.name))


def _last_of(report: Report) -> str:
    count = counted(report.actions, "action")
    return f"the game has {count}" + ("" if report.legal else " that can be replayed")
