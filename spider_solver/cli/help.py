"""Help pages with the sections of a manual page: arguments, options, examples and exit codes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import click

from .errors import Exit

DEAL_TEXT = (
    "A deal number such as 1 or kpat:12345 (the command schemes lists all schemes; a number"
    " without a scheme is native), the name of a file with a deal, a position or a recorded game,"
    " or - for standard input, which is also read if no DEAL is given. A recorded game stands for"
    " its position after its last action; see --at."
)
GAME_TEXT = (
    "The name of a file with a recorded game, as solve -o writes it, or a saved game of"
    " KPatience; - for standard input, which is also read if no FILE is given."
)
RESULTS_TEXT = "The name of a results file, as winrate -o writes it."

# The exit codes that have the same meaning in all commands.
_COMMON_EXIT_CODES = {
    Exit.ERROR: "an error, described in one line on stderr",
    Exit.USAGE: "wrong usage, described in one line on stderr",
    Exit.INTERRUPTED: "interrupted by Ctrl-C",
}


class DocumentedCommand(click.Command):
    """A command whose help page describes its arguments, gives examples and lists exit codes.

    arguments: a description of each argument, by the name that the usage line shows.
    examples: command lines, each with its purpose.
    exit_codes: the meanings of exit codes, in addition to those that all commands share.
    """

    def __init__(
        self,
        *args: Any,
        examples: Mapping[str, str],
        arguments: Mapping[str, str] | None = None,
        exit_codes: Mapping[Exit, str] | None = None,
        **rest: Any,
    ) -> None:
        super().__init__(*args, **rest)
        self.arguments = arguments or {}
        self.examples = examples
        self.exit_codes = exit_codes or {Exit.DONE: "success"}

    def format_help(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the help page. Replaces click's method, which has other sections."""
        self.format_usage(ctx, formatter)
        self.format_help_text(ctx, formatter)
        write_terms(formatter, "Arguments", self.arguments)
        self.format_options(ctx, formatter)
        write_command_lines(formatter, "Examples", self.examples)
        write_exit_codes(formatter, self.exit_codes)


def write_terms(formatter: click.HelpFormatter, title: str, terms: Mapping[str, str]) -> None:
    """Write a section of terms with their descriptions. Nothing is written without terms."""
    if terms:
        with formatter.section(title):
            formatter.write_dl(list(terms.items()))


def write_command_lines(
    formatter: click.HelpFormatter, title: str, lines: Mapping[str, str]
) -> None:
    """Write a section of command lines, each below its purpose. Command lines are not wrapped."""
    with formatter.section(title):
        for index, (line, purpose) in enumerate(lines.items()):
            if index:
                formatter.write_paragraph()
            formatter.write_text(f"{purpose}:")
            formatter.write(f"{'':{formatter.current_indent + 2}}{line}\n")


def write_exit_codes(formatter: click.HelpFormatter, meanings: Mapping[Exit, str]) -> None:
    """Write the section of exit codes, those that all commands share included."""
    all_meanings = {**_COMMON_EXIT_CODES, **meanings}
    terms = {str(code.value): all_meanings[code] for code in sorted(all_meanings)}
    write_terms(formatter, "Exit codes", terms)
