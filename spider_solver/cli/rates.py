"""Printing and plotting win rates, which the commands ``winrate`` and ``summary`` share."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from importlib.util import find_spec
from itertools import chain

import click

from ..records import read_results
from ..render.json import summary_object
from ..render.summary import PLOT_FORMATS, plot, summary_text
from ..stats import ContradictionError, Summary, Tally
from ..words import quote_file
from .completion import complete_file
from .errors import OutputError
from .file_kinds import plot_in
from .options import Decorated
from .output import style_of_stdout
from .output_files import OutputFile

_SUFFIXES = ", ".join(f".{name}" for name in PLOT_FORMATS)


def plot_option(command: Decorated) -> Decorated:
    """``--plot FILE``, passed as the parameter ``plot_file``."""
    return click.option(
        "--plot",
        "plot_file",
        metavar="FILE",
        shell_complete=complete_file,
        help="Also plot the win rate against states searched, and the length of solutions:"
        f" {_SUFFIXES}.",
    )(command)


def plot_output(plot_file: str | None, force: bool) -> OutputFile:
    """The plot as an output. Raises a click exception if there can be no such plot."""
    if plot_file is None:
        return OutputFile("--plot", None)
    picture_format = _plot_format(plot_file)
    if picture_format not in PLOT_FORMATS:
        raise click.UsageError(
            f"--plot: {quote_file(plot_file)}: expected a name that ends in {_SUFFIXES}"
        )
    if find_spec("matplotlib") is None:
        raise OutputError("--plot needs matplotlib: pip install 'spider-solver[plot]'")
    return OutputFile("--plot", plot_file, plot_in(picture_format), force)


def summarise(files: Iterable[str]) -> Summary:
    """The statistics of the results in files. Raises ResultsError or OSError."""
    try:
        return Tally(chain.from_iterable(map(read_results, files))).summary()
    except ContradictionError as error:
        raise ContradictionError(f"{error} (verify --results checks solutions)") from None


def print_summary(summary: Summary, plot_file: OutputFile, as_json: bool) -> None:
    """Print the statistics to stdout and write the plot, if its option is given."""
    if as_json:
        click.echo(json.dumps(summary_object(summary)))
    else:
        style = style_of_stdout()
        click.echo(summary_text(summary, style, where_all="--json has all"), color=style.color)
    if plot_file.path is not None:
        plot_file.write(plot(summary, _plot_format(plot_file.path)))


def _plot_format(plot_file: str) -> str:
    return os.path.splitext(plot_file)[1].lower().lstrip(".")
