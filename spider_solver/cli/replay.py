"""``replay FILE``: show a recorded game action by action."""

from __future__ import annotations

import sys

import click

from ..errors import IllegalAction
from ..recorded_games import RecordedGame
from ..render.text import illegal_text, replay_lines, result_text, title
from ..replay import Replay
from ..verify import Report, verify_game
from ..words import counted
from .errors import Exit
from .file_kinds import PAGE
from .help import GAME_TEXT, DocumentedCommand
from .hints import deal_command
from .inputs import game_argument, load_game
from .options import HELP, force_option, html_option, message_options, seconds, whole_number
from .output import is_terminal, messages_of, style_of_stdout
from .output_files import OutputFile, declare_outputs


@click.command(
    "replay",
    cls=DocumentedCommand,
    context_settings=HELP,
    arguments={"FILE": GAME_TEXT},
    examples={
        "spider-solver replay game.txt": "List the actions of a game",
        "spider-solver replay game.txt --from 20 --to 30 --boards": "Show a part with boards",
        "spider-solver replay game.txt --step": "Show the game in the terminal by keys",
        "spider-solver replay game.txt --play 0.5": "Play two actions each second",
        "spider-solver replay game.txt --html game.html": "Write the game as a web page",
    },
    exit_codes={
        Exit.DONE: "all actions that were shown are legal",
        Exit.ERROR: "an action is illegal, or another error, described in one line on stderr",
    },
)
@game_argument
@click.option("--boards", is_flag=True, help="Draw the board at the start and after each action.")
@click.option(
    "--from",
    "first",
    type=whole_number(1),
    metavar="N",
    default=1,
    show_default=True,
    help="First action to show.",
)
@click.option(
    "--to",
    "last",
    type=whole_number(1),
    metavar="N",
    help="Last action to show.  [default: the last of the game]",
)
@click.option("--step", is_flag=True, help="On a terminal: full screen, one key for each step.")
@click.option(
    "--play",
    type=seconds,
    metavar="SECONDS",
    help="On a terminal: as --step, but play an action every SECONDS.  [default: wait for keys]",
)
@html_option
@force_option
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
    force: bool,
) -> Exit:
    """Show a recorded game action by action.

    An illegal action ends the replay with an error. If the output is not a terminal, --step and
    --play print the list of actions.
    """
    if last is not None and last < first:
        raise click.UsageError(f"--from {first} --to {last}: no action is in this range", ctx)
    is_part = first > 1 or last is not None
    if html_file is not None and (boards or step or play is not None or is_part):
        raise click.UsageError(
            "--html writes the whole game: leave out --boards, --from, --to, --step and --play", ctx
        )
    page = OutputFile("--html", html_file, PAGE, force)
    declare_outputs([page], inputs=[file])
    game = load_game(file)
    report = verify_game(game)
    if first > max(report.entry_count, 1):
        raise IllegalAction(f"--from {first}: {_action_count(report)}")
    end = report.entry_count if last is None else min(last, report.entry_count)
    if html_file is not None:
        _write_page(game, page)
        messages_of(ctx).info(f"{page.name}: open it in a browser")
        _raise_if_illegal(report, game)
        return Exit.DONE
    replay = Replay(game)
    replay.go_to(first - 1)
    if (step or play is not None) and is_terminal(sys.stdout):
        _view(replay, end, report, play)
    else:
        _print_list(replay, end, report, boards)
    return Exit.DONE


def _write_page(game: RecordedGame, page: OutputFile) -> None:
    from ..render import html

    page.write(html.page(game, deal_command=deal_command(game.deal)))


def _print_list(replay: Replay, end: int, report: Report, boards: bool) -> None:
    """Play the replay up to the entry ``end`` and print each entry."""
    style = style_of_stdout()
    click.echo(f"{style.strong(title(replay.game.deal))}\n", color=style.color)
    for line in replay_lines(replay, end, style=style, boards=boards):
        click.echo(line, color=style.color)
    if end == report.entry_count:
        _raise_if_illegal(report, replay.game)
        click.echo(("" if boards else "\n") + result_text(report, style), color=style.color)


def _view(replay: Replay, end: int, report: Report, play: float | None) -> None:
    """Show the replay in full screen. play: seconds for each action; None to wait for keys."""
    from .viewer import Viewer

    style = style_of_stdout()
    text = ""
    if end == report.entry_count:
        text = result_text(report, style)
        if not report.legal:
            text += f"\n{illegal_text(report, replay.game.name)}"
    Viewer(replay, end, text, style, play).run()


def _raise_if_illegal(report: Report, game: RecordedGame) -> None:
    if not report.legal:
        raise IllegalAction(illegal_text(report, game.name))


def _action_count(report: Report) -> str:
    count = counted(report.entry_count, "action")
    return f"the game has {count}" + ("" if report.legal else " that can be replayed")
