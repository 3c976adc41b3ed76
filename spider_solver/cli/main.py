"""``spider-solver``: the group of commands. A command is imported only when it is called."""

from __future__ import annotations

import contextlib
import os
import sys
import traceback
from collections.abc import Sequence
from importlib import import_module
from typing import Any, NoReturn

import click
from click.shell_completion import CompletionItem

from .. import __version__
from .errors import PROGRAM, Exit, Interrupted, is_expected, report_error
from .help import DEAL_TEXT, write_command_lines, write_exit_codes, write_terms
from .options import HELP, message_options
from .output import messages_of, silence_stdout

COMMANDS = {
    "solve": "Find a solution of a deal, verify it and print it.",
    "prove": "Prove that a deal cannot be won.",
    "show": "Print the boards of deals, or a deal in another format.",
    "convert": "Write a deal in another program's format.",
    "schemes": "List the schemes of deal numbers.",
    "winrate": "Solve many deals and print the win rate by suit mode.",
    "summary": "Print the win rates of the results in files.",
    "replay": "Show a recorded game action by action.",
    "verify": "Check recorded games by the rules and print their scores.",
}

COMPLETE_VARIABLE = "_SPIDER_SOLVER_COMPLETE"  # click derives this name from the program's
EXAMPLES = {
    "spider-solver solve 1": "Solve deal 1 with four suits",
    "spider-solver show kpat:12345 --suits 2": "Print a deal of KPatience",
    "spider-solver winrate 1-100 --suits 1,2,4": "Solve 100 deals in three suit modes",
    "spider-solver solve --help": "Describe a command",
}
EXIT_CODE_MEANINGS = {
    Exit.DONE: "success; for solve: a solution was found",
    Exit.UNWINNABLE: "solve, prove: it is proved that there is no solution",
    Exit.UNDECIDED: "solve, prove: neither was decided within the limits",
}
ENVIRONMENT = {
    "NO_COLOR": "If this variable is not empty, the output has no colours.",
    "NUMBA_CACHE_DIR": "The folder for compiled code.  [default: the user's cache folder]",
}
# The line that turns on completion in each shell, and the file to add it to.
COMPLETION = {
    'eval "$(_SPIDER_SOLVER_COMPLETE=bash_source spider-solver)"': "bash, in ~/.bashrc",
    'eval "$(_SPIDER_SOLVER_COMPLETE=zsh_source spider-solver)"': (
        "zsh, in ~/.zshrc after the line that calls compinit"
    ),
    "_SPIDER_SOLVER_COMPLETE=fish_source spider-solver | source": (
        "fish, in ~/.config/fish/config.fish"
    ),
}


class Cli(click.Group):
    """A group that imports its commands on demand and reports each error in one line."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names of the commands, in the order of the help page."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import a command; None if no command has this name."""
        if cmd_name not in COMMANDS:
            return None
        command = import_module(f".{cmd_name}", __package__).command
        assert isinstance(command, click.Command)
        return command

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem[str]]:
        """Return the commands and options that begin with a text, without importing commands."""
        commands = [
            CompletionItem(name, help=summary)
            for name, summary in COMMANDS.items()
            if name.startswith(incomplete)
        ]
        return [*commands, *click.Command.shell_complete(self, ctx, incomplete)]

    def format_help(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the help page of the program."""
        self.format_usage(ctx, formatter)
        self.format_help_text(ctx, formatter)
        self.format_options(ctx, formatter)  # and the commands
        write_terms(formatter, "Deals", {"DEAL": DEAL_TEXT})
        write_command_lines(formatter, "Examples", EXAMPLES)
        write_exit_codes(formatter, EXIT_CODE_MEANINGS)
        write_terms(formatter, "Environment", ENVIRONMENT)
        write_command_lines(formatter, "Shell completion", COMPLETION)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the list of commands on the help page, without importing any of them."""
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command that was called. Returns its exit code, or None."""
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt:
            raise Interrupted from None
        except click.UsageError as error:
            if error.ctx is None and ctx.invoked_subcommand is not None:
                # click omits the context if an option lacks its value.
                error.ctx = click.Context(self, ctx, ctx.invoked_subcommand)
            raise
        except Exception as error:
            if messages_of(ctx).verbose and not is_expected(error):
                traceback.print_exc()
            raise

    def main(self, *args: Any, **extra: Any) -> NoReturn:
        """Run the program and exit. Any failure is reported in one line on stderr."""
        extra.update(prog_name=PROGRAM, standalone_mode=False)
        try:
            code = super().main(*args, **extra)
        except click.exceptions.NoArgsIsHelpError as help_page:
            help_page.show()
            code = Exit.USAGE
        except click.exceptions.Abort:
            code = report_error(Interrupted())
        except Exception as error:
            if isinstance(error, OSError):
                silence_stdout()
            code = report_error(error)
        sys.exit(int(code or Exit.DONE))


@click.group(PROGRAM, cls=Cli, context_settings=HELP)
@message_options
@click.version_option(__version__, prog_name=PROGRAM, message="%(prog)s %(version)s")
def cli() -> None:
    """Solve Spider Solitaire deals, and check every solution by an independent replay.

    Results are written to stdout, messages and errors to stderr. Most commands take a DEAL.
    """


def main(arguments: Sequence[str] | None = None) -> NoReturn:
    """The program's entry point; exits. arguments: without the program's name; None: sys.argv."""
    for stream in (sys.stdout, sys.stderr):
        # Characters that the output's encoding lacks are escaped instead of raising an error.
        with contextlib.suppress(AttributeError):  # closed, or replaced by a test
            stream.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]
    if COMPLETE_VARIABLE in os.environ:  # a shell asks for completions
        import_module(".shells", __package__)
    cli.main(args=arguments)
