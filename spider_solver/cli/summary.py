"""``summary FILES...``: the win rates of the results in files, as ``winrate`` prints them."""

from __future__ import annotations

import click

from .errors import Exit
from .options import HELP, json_option, message_options
from .rates import check_plot, plot_option, print_summary, summarise


@click.command("summary", context_settings=HELP)
@click.argument("files", metavar="FILE...", nargs=-1, required=True)
@plot_option
@json_option
@message_options
def command(files: tuple[str, ...], plot_file: str | None, as_json: bool) -> Exit:
    """Print the win rates of the results in files.

    FILES are results files written by winrate -o. Their results are added up together, by suit
    mode. A deal that is in them more than once counts once.
    """
    check_plot(plot_file)
    print_summary(summarise(files), plot_file, as_json)
    return Exit.DONE
