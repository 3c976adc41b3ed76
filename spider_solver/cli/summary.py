"""``summary FILE...``: the win rates of the results in files, as ``winrate`` prints them."""

from __future__ import annotations

import click

from .completion import complete_file
from .errors import Exit
from .help import RESULTS_TEXT, DocumentedCommand
from .options import HELP, force_option, json_option, message_options
from .output_files import declare_outputs
from .rates import plot_option, plot_output, print_summary, summarise


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
@force_option
@json_option
@message_options
def command(files: tuple[str, ...], plot_file: str | None, force: bool, as_json: bool) -> Exit:
    """Print the win rates of the results in files.

    The results of all files are added up by suit mode. A deal with several results counts once.
    It is an error if a deal is won in one result and unwinnable in another.
    """
    plot = plot_output(plot_file, force)
    declare_outputs([plot], inputs=files)
    print_summary(summarise(files), plot, as_json)
    return Exit.DONE
