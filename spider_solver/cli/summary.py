"""``summary FILE...``: the win rates of the results in files, as ``winrate`` prints them."""

from __future__ import annotations

import click

from .completion import complete_file
from .errors import Exit
from .help import RESULTS_TEXT, DocumentedCommand
from .options import HELP, json_option, message_options
from .rates import check_plot, plot_option, print_summary, summarise


@click.command(
    "summary",
    cls=DocumentedCommand,
    context_settings=HELP,
    arguments={"FILE": RESULTS_TEXT},
    examples={
        "spider-solver summary results.jsonl": "Print the win rates in a results file",
        "spider-solver summary part1.jsonl part2.jsonl --plot rates.png": (
            "Add up two files, and also draw a plot"
        ),
    },
    exit_codes={Exit.DONE: "the win rates were printed"},
)
@click.argument("files", metavar="FILE...", nargs=-1, required=True, shell_complete=complete_file)
@plot_option
@json_option
@message_options
def command(files: tuple[str, ...], plot_file: str | None, as_json: bool) -> Exit:
    """Print the win rates of the results in files.

    The results of all files are added up by suit mode. A deal with several results counts once.
    It is an error if a deal is won in one result and unwinnable in another.
    """
    check_plot(plot_file)
    print_summary(summarise(files), plot_file, as_json)
    return Exit.DONE
