"""``verify FILE``: a recorded game held against the rules."""

from __future__ import annotations

import json
from typing import Any

import click

from .. import __version__
from ..cards import SUITS
from ..deal import Deal
from ..errors import IllegalAction
from ..render import text as render
from ..verify import Finding, Report, verify_game
from .inputs import game_argument, load_game
from .options import HELP, json_option, talk_options
from .output import style_of_stdout


@click.command("verify", context_settings=HELP)
@game_argument
@json_option
@talk_options
def command(file: str, as_json: bool) -> None:
    """Check a recorded game by the rules.

    FILE is a recorded game as solve -o writes it, or - for standard input. Says whether it is
    won, legal but unfinished, or which action is the first illegal one and why. The exit code
    is 0 if all actions are legal.
    """
    game = load_game(file)
    report = verify_game(game)
    if as_json:
        click.echo(json.dumps(report_object(game.deal, report)))
    else:
        style = style_of_stdout()
        verdict = style.strong(report.verdict)
        if report.illegal_number is not None:
            verdict += f" at action {report.illegal_number}; before it"
        lines = (
            style.strong(render.title(game.deal)),
            f"{verdict}: {render.counts(report.position)}",
        )
        click.echo("\n".join(lines), color=style.color)
    if report.verdict is Finding.ILLEGAL:
        raise IllegalAction(illegal_text(report, game.name))


def illegal_text(report: Report, name: str) -> str:
    """Which action of a file is illegal, and why."""
    line = "" if report.illegal_line is None else f", line {report.illegal_line}"
    return (
        f"{name}{line}: action {report.illegal_number} {report.illegal_text[:40]!r} is illegal:"
        f" {report.reason}"
    )


def report_object(deal: Deal, report: Report) -> dict[str, Any]:
    """What ``--json`` prints. Keys are only ever added, at the end."""
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
    }
    if report.illegal_number is not None:
        found["illegal"] = {
            "number": report.illegal_number,
            "action": report.illegal_text,
            "line": report.illegal_line,
            "reason": report.reason,
        }
    return found
