"""``replay FILE``: a recorded game, action by action."""

from __future__ import annotations

import click

from ..errors import IllegalAction
from ..game import Position
from ..render import text as render
from ..verify import Finding, Report, verify_game
from .inputs import game_argument, load_game
from .options import HELP, talk_options, whole_number
from .output import style_of_stdout
from .verify import illegal_text


@click.command("replay", context_settings=HELP)
@game_argument
@click.option("--boards", is_flag=True, help="Draw the board before and after each action.")
@click.option(
    "--from", "first", type=whole_number(1), metavar="N", default=1, help="First action to print."
)
@click.option("--to", "last", type=whole_number(1), metavar="N", help="Last action to print.")
@talk_options
@click.pass_context
def command(ctx: click.Context, file: str, boards: bool, first: int, last: int | None) -> None:
    """Print a recorded game action by action.

    FILE is a recorded game as solve -o writes it, or - for standard input. An illegal action
    ends the replay with an error.
    """
    if last is not None and last < first:
        raise click.UsageError(f"--from {first} --to {last}: nothing lies between", ctx)
    game = load_game(file)
    report = verify_game(game)
    played = [outcome.action for outcome in report.position.history]
    if first > max(len(played), 1):
        raise IllegalAction(f"--from {first}: {_last_of(report)}")
    shown = played[first - 1 : last]
    position = Position(game.deal)
    for action in played[: first - 1]:
        position.push(action)
    style = style_of_stdout()
    click.echo(f"{style.strong(render.title(game.deal))}\n", color=style.color)
    for line in render.action_lines(position, shown, style=style, boards=boards, first=first):
        click.echo(line, color=style.color)
    if first - 1 + len(shown) == len(played):
        if report.verdict is Finding.ILLEGAL:
            raise IllegalAction(illegal_text(report, game.name))
        ending = f"{style.strong(report.verdict)}: {render.counts(position)}"
        click.echo(ending if boards else f"\n{ending}", color=style.color)


def _last_of(report: Report) -> str:
    count = render.counted(report.actions, "action")
    return f"the game has {count}" + (
        " that can be replayed" if report.verdict is Finding.ILLEGAL else ""
    )
