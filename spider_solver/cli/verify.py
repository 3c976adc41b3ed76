"""``verify FILES...``: recorded games held against the rules."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from typing import Any

import click

from .. import __version__
from ..cards import SUITS
from ..errors import IllegalAction, SpiderError
from ..formats.json_format import deal_object
from ..notation import RecordedGame
from ..render import text as render
from ..verify import Finding, Report, verify_game
from ..words import counted
from .errors import Exit
from .errors import report as report_error
from .inputs import games_argument, load_game
from .options import HELP, json_option, message_options
from .output import messages_of, style_of_stdout

_UNREADABLE = "unreadable"


@click.command("verify", context_settings=HELP)
@games_argument
@click.option("--won", "demand_won", is_flag=True, help="Fail also where a game isn't won.")
@click.option(
    "--results",
    "as_results",
    is_flag=True,
    help="FILES are results of winrate --solutions: each solution is replayed.",
)
@json_option
@message_options
@click.pass_context
def command(
    ctx: click.Context,
    files: tuple[str, ...],
    demand_won: bool,
    as_results: bool,
    as_json: bool,
) -> int:
    """Check recorded games by the rules, and count and score them.

    FILES are recorded games as solve -o writes them, or - for standard input. For each: won,
    legal but unfinished, or which action is the first illegal one, why, and what the board
    was. With --json each is one line. The exit code is 0 if all actions of all games are legal;
    with --results, if all solutions win, with the counts that stand there.
    """
    if as_results:
        if demand_won:
            raise click.UsageError("--won goes with recorded games, not with --results", ctx)
        from .solutions import verify_solutions

        return verify_solutions(files, as_json, messages_of(ctx))
    style = style_of_stdout()
    found: Counter[str] = Counter()
    failed = False
    for file in files:
        failure: SpiderError | None = None
        try:
            game = load_game(file)
        except SpiderError as error:
            failure = error
            verdict = _UNREADABLE
            if as_json:
                click.echo(json.dumps({"file": file, "verdict": verdict, "error": str(error)}))
        else:
            report = verify_game(game)
            verdict = report.verdict
            failure = _failure(game, report, demand_won)
            if as_json:
                click.echo(json.dumps(report_object(game, report, file)))
            else:
                named = f"{file}: " if len(files) > 1 else ""
                text = "\n".join(_lines(game, report, style))
                click.echo(("\n" if found else "") + named + text, color=style.color)
        found[verdict] += 1
        if failure is not None:
            failed = True
            report_error(failure)
    if len(files) > 1 and not as_json:
        verdicts = (*Finding, _UNREADABLE)
        summary = ", ".join(f"{found[verdict]} {verdict}" for verdict in verdicts if found[verdict])
        click.echo(f"\n{counted(len(files), 'game')}: {summary}")
    return Exit.ERROR if failed else Exit.DONE


def _failure(game: RecordedGame, report: Report, demand_won: bool) -> SpiderError | None:
    if not report.legal:
        return IllegalAction(illegal_text(report, game.name))
    if demand_won and report.verdict is not Finding.WON:
        return SpiderError(f"{game.name}: {report.verdict}, where --won demands a win")
    return None


def illegal_text(report: Report, name: str) -> str:
    """Which action of a file is illegal, and why."""
    line = "" if report.illegal_line is None else f", line {report.illegal_line}"
    return (
        f"{name}{line}: action {report.illegal_number} {report.illegal_text[:40]!r} is illegal:"
        f" {report.reason}"
    )


def ending(report: Report, style: render.Style) -> str:
    """The verdict and the counts, with those of undos and restarts, if any, in a second line."""
    verdict = style.strong(report.verdict)
    if not report.legal:
        verdict += f" at action {report.illegal_number}; before it"
    lines = (f"{verdict}: {render.counts(report.position)}", render.revisions(report.counts))
    return "\n".join(filter(None, lines))


def _lines(game: RecordedGame, report: Report, style: render.Style) -> Iterator[str]:
    yield style.strong(render.title(game.deal))
    yield ending(report, style)
    if not report.legal:
        yield f"\n{render.board(report.position, style=style)}"


def report_object(game: RecordedGame, report: Report, file: str) -> dict[str, Any]:
    """What ``--json`` prints. Keys are only ever added, at the end."""
    deal = game.deal
    found: dict[str, Any] = {
        "deal": deal.name,
        "suits": deal.suits,
        "rules": str(deal.rules),
        "verdict": str(report.verdict),
        "actions": report.actions,
        "moves": report.moves,
        "rows": report.rows,
        "score": report.score,
        "completed": [SUITS[suit] for suit in report.completed],
        "illegal": None,
        "version": __version__,
        "file": file,
        "made": report.counts.made,
        "undos": report.counts.undos,
        "restarts": report.counts.restarts,
        "abandoned": report.counts.abandoned,
        "gross_score": report.counts.gross_score,
        "time": report.time,
    }
    if not report.legal:
        found["illegal"] = {
            "number": report.illegal_number,
            "action": report.illegal_text,
            "line": report.illegal_line,
            "reason": report.reason,
            "position": deal_object(report.position.to_deal()),
        }
    return found
