"""``summary FILES...``: what results files add up to; ``winrate`` ends with the same."""

from __future__ import annotations

import json
import os
from importlib.util import find_spec
from itertools import chain

import click

from ..records import read_results
from ..render import summary as render
from ..stats import Summary, Tally, summary_object
from .errors import OutputError
from .options import HELP, Decorated, json_option, message_options
from .output import check_writable, style_of_stdout, write_file

_FORMATS = ", ".join(f".{name}" for name in render.PLOT_FORMATS)


def plot_option(command: Decorated) -> Decorated:
    """``--plot FILE``, passed on as ``plot_file``."""
    return click.option(
        "--plot",
        "plot_file",
        metavar="FILE",
        help="Also draw win share against states searched, and the lengths of solutions:"
        f" {_FORMATS}.",
    )(command)


@click.command("summary", context_settings=HELP)
@click.argument("files", metavar="FILE...", nargs=-1, required=True)
@plot_option
@json_option
@message_options
def command(files: tuple[str, ...], plot_file: str | None, as_json: bool) -> None:
    """Print the win rates that results files hold.

    FILES are results as winrate -o writes them; several are taken together, and summed up by
    suit mode. A deal that is in them more than once counts once.
    """
    check_plot(plot_file)
    tally = Tally(chain.from_iterable(map(read_results, files)))
    put_summary(tally.summary(), plot_file, as_json)


def check_plot(plot_file: str | None) -> None:
    """An error now, if a plot can't be drawn later."""
    if plot_file is None:
        return
    if _plot_format(plot_file) not in render.PLOT_FORMATS:
        raise click.UsageError(f"--plot: {plot_file!r}: expected a name that ends in {_FORMATS}")
    if find_spec("matplotlib") is None:
        raise OutputError("--plot needs matplotlib: pip install 'spider-solver[plot]'")
    check_writable(plot_file)


def put_summary(summary: Summary, plot_file: str | None, as_json: bool) -> None:
    """Print a summary, and draw it if asked for."""
    if as_json:
        click.echo(json.dumps(summary_object(summary)))
    else:
        style = style_of_stdout()
        click.echo(render.summary_text(summary, style), color=style.color)
    if plot_file is not None:
        write_file(plot_file, render.plot(summary, _plot_format(plot_file)))


def _plot_format(plot_file: str) -> str:
    return os.path.splitext(plot_file)[1].lower().lstrip(".")
