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
from .completion import complete_file
from .errors import OutputError
from .options import Decorated
from .output import check_writable, style_of_stdout, write_file

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


def check_plot(plot_file: str | None) -> None:
    """Raises a click exception if the plot cannot be made or written."""
    if plot_file is None:
        return
    if _plot_format(plot_file) not in PLOT_FORMATS:
        raise click.UsageError(f"--plot: {plot_file!r}: expected a name that ends in {_SUFFIXES}")
    if find_spec("matplotlib") is None:
        raise OutputError("--plot needs matplotlib: pip install 'spider-solver[plot]'")
    check_writable(plot_file)


def summarise(files: Iterable[str]) -> Summary:
    """The statistics of the results in files. Raises ResultsError or OSError."""
    try:
        return Tally(chain.from_iterable(map(read_results, files))).summary()
    except ContradictionError as error:
        raise ContradictionError(f"{error} (verify --results checks solutions)") from None


def print_summary(summary: Summary, plot_file: str | None, as_json: bool) -> None:
    """Print the statistics to stdout and write the plot, if there is a name for it."""
    if as_json:
        click.echo(json.dumps(summary_object(summary)))
    else:
        style = style_of_stdout()
        click.echo(summary_text(summary, style, where_all="--json has all"), color=style.color)
    if plot_file is not None:
        write_file(plot_file, plot(summary, _plot_format(plot_file)))


def _plot_format(plot_file: str) -> str:
    return os.path.splitext(plot_file)[1].lower().lstrip(".")
