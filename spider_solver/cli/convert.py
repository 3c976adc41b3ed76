"""``convert DEAL --to FORMAT``: write a deal or position in another program's format."""

from __future__ import annotations

import click

from ..formats import WRITABLE
from ..words import counted
from .completion import complete_file
from .deal_output import output_deal
from .errors import Exit
from .file_kinds import deal_in
from .help import DEAL_TEXT
from .inputs import DealCommand, ReadingOptions, deal_options, load_deal
from .options import HELP, force_option, message_options
from .output import messages_of
from .output_files import OutputFile, declare_outputs
from .positions import LoadedDeal


@click.command(
    "convert",
    cls=DealCommand,
    context_settings=HELP,
    arguments={"DEAL": DEAL_TEXT},
    examples={
        "spider-solver convert native:1 --to solvitaire": "Write deal 1 for Solvitaire to stdout",
        "spider-solver convert saved.xml --to text -o deal.txt": (
            "Write the current position of a saved game of KPatience as text to a file"
        ),
        "spider-solver show 1 --format json | spider-solver convert - --to kpat -o deal.xml": (
            "Read the deal from standard input"
        ),
    },
    exit_codes={Exit.DONE: "the deal was written"},
)
@deal_options
@click.option(
    "--to", "target_format", type=click.Choice(WRITABLE), required=True, help="The format to write."
)
@click.option(
    "-o",
    "--output",
    metavar="FILE",
    shell_complete=complete_file,
    help="Write to a file.  [default: stdout]",
)
@force_option
@message_options
@click.pass_context
def command(
    ctx: click.Context,
    deal: str,
    reading: ReadingOptions,
    target_format: str,
    output: str | None,
    force: bool,
) -> None:
    """Write a deal in another program's format.

    A note on stderr names each thing that the format cannot hold. It is an error if the format
    cannot hold the deal at all. If DEAL is a recorded game, its position after the last action
    is written, or after the first N actions with --at N.
    """
    file = OutputFile("-o", output, deal_in(target_format), force)
    declare_outputs([file], inputs=[deal])
    messages = messages_of(ctx)
    loaded = load_deal(deal, reading, messages)
    output_deal(loaded.deal, target_format, messages, file)
    note = _note_on_actions(loaded)
    if note:
        messages.info(f"note: {note}")


def _note_on_actions(loaded: LoadedDeal) -> str:
    """Return a sentence on the recorded actions, which are not converted; empty if none."""
    if loaded.unreadable:
        return f"the recorded actions cannot be read: {loaded.unreadable}"
    if not loaded.actions:
        return ""
    return f"the file does not hold the {counted(loaded.actions, 'action')} of the recorded game"
