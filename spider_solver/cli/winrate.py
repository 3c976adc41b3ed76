"""``winrate [DEALS...]``: solve many deals and print the win rate."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NoReturn

import click

from ..deal import RowRule
from ..errors import SpiderError
from ..numbering import DEFAULT, DealNumbers, parse_numbers
from ..numbering.grammar import looks_like_numbers
from ..records import OtherSettingsError, Record, ResultsFile, Task, TaskSet
from ..result import Limits, ShorteningLimits, Verdict
from ..stats import Summary, Tally
from ..winrate import (
    Shard,
    Tasks,
    Work,
    WorkerDeathsError,
    remaining_tasks,
    solve_on_cluster,
    solve_on_processes,
)
from ..words import counted, quote, quote_file, visible
from .completion import complete_file, complete_scheme, complete_suits
from .errors import PROGRAM, Exit, InputError
from .hints import command_line
from .inputs import DealCommand
from .limits import limits_options
from .options import HELP, force_option, json_option, message_options, whole_number
from .output import Messages, messages_of
from .output_files import OutputFile, declare_outputs
from .rates import plot_option, plot_output, print_summary, summarise
from .shortening import shortening_limits_options
from .signals import signals_as_ctrl_c

if TYPE_CHECKING:
    from tqdm import tqdm

_DEFAULT_SAMPLE = 1000  # deals, if none are named
_MAX_JOBS = 4096
_ARGUMENTS = f"{__name__}.arguments"  # key of the command's arguments in ctx.meta


class _Command(DealCommand):
    """A command that keeps its arguments, for the message that says how to continue."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Keep the arguments, and parse them."""
        ctx.meta[_ARGUMENTS] = list(args)
        return super().parse_args(ctx, args)


def _suit_modes(text: str) -> tuple[int, ...]:
    """An option's type: suit modes separated by commas."""
    convert = whole_number(1, 4)
    return tuple(dict.fromkeys(convert(part.strip()) for part in text.split(",")))


def _shard(text: str) -> Shard:
    """An option's type: one of several equal shares."""
    try:
        return Shard.parse(text)
    except SpiderError as error:
        raise click.BadParameter(str(error)) from None


@click.command(
    "winrate",
    cls=_Command,
    context_settings=HELP,
    arguments={
        "DEALS": "Deal numbers, and lists and ranges of them, such as kpat:1-1000,2000. The command"
        f" schemes lists all schemes.  [default: {DEFAULT}:1-{_DEFAULT_SAMPLE}]"
    },
    examples={
        "spider-solver winrate 1-100 --suits 1,2,4": "Solve 100 deals in three suit modes",
        "spider-solver winrate 1-100000 -o results.jsonl": (
            "Keep each result in a file; the same command continues a run that ended early"
        ),
        "spider-solver winrate 1-100000 --shard 2/3 -o part2.jsonl": (
            "Solve the second of three shares, for example on the second of three machines"
        ),
        "spider-solver winrate 1-100 --shorten-states 200000 -o short.jsonl": (
            "Search for a short solution of each deal"
        ),
        "spider-solver winrate kpat:1-1000 -n 50 --plot rates.png": "Solve 50 deals, draw a plot",
    },
    exit_codes={Exit.DONE: "each deal was tried; its verdict does not matter"},
)
@click.argument("deals", metavar="[DEALS]...", nargs=-1, shell_complete=complete_scheme)
@click.option(
    "-n",
    "sample",
    type=whole_number(1),
    metavar="N",
    help="Solve only N of the DEALS, evenly spread over them."
    f"  [default: all; {_DEFAULT_SAMPLE:,} if none are named]",
)
@click.option(
    "--suits",
    type=_suit_modes,
    default="4",
    show_default=True,
    metavar="1,2,4",
    shell_complete=complete_suits,
    help="Suit modes; each deal is solved in all of them.",
)
@click.option(
    "--rules",
    type=click.Choice([str(rules) for rules in RowRule]),
    default=str(RowRule.STANDARD),
    show_default=True,
    help="Whether a row may be dealt while a column is empty: only when relaxed.",
)
@limits_options
@shortening_limits_options
@click.option(
    "-j",
    "--jobs",
    type=whole_number(1, _MAX_JOBS),
    metavar="N",
    help="Number of worker processes.  [default: one for each core]",
)
@click.option(
    "--shard",
    type=_shard,
    metavar="I/N",
    help="Only every N-th deal, from the I-th.  [default: all]",
)
@click.option(
    "--scheduler",
    metavar="ADDRESS",
    help="Solve on the workers of a dask scheduler, such as tcp://127.0.0.1:8786."
    "  [default: on this machine]",
)
@click.option(
    "-o",
    "--output",
    metavar="FILE",
    shell_complete=complete_file,
    help="Write each result as a JSON line. If FILE exists, continue its run.",
)
@click.option("--solutions", is_flag=True, help="Also write the solutions to FILE.")
@click.option("--mix", is_flag=True, help="Continue FILE even if it has results of other settings.")
@plot_option
@force_option
@json_option
@message_options
@click.pass_context
def command(
    ctx: click.Context,
    /,
    deals: tuple[str, ...],
    sample: int | None,
    suits: tuple[int, ...],
    rules: str,
    jobs: int | None,
    shard: Shard | None,
    scheduler: str | None,
    output: str | None,
    solutions: bool,
    mix: bool,
    plot_file: str | None,
    force: bool,
    as_json: bool,
    shortening: ShorteningLimits | None,
    **limits: Any,
) -> Exit:
    """Solve many deals and print the win rate by suit mode.

    The win rate has two bounds, because undecided deals may be winnable or not, and an interval
    around them at 95% confidence. With -o each result is written as soon as the deal is solved.
    If the run ends early, for any reason, the same command continues it. The command summary
    prints the win rates of such files. Each deal's solution is the first one that is found; with
    --shorten it is the shortest one found.
    """
    if output is None and (solutions or mix):
        raise click.UsageError("--solutions and --mix need -o FILE", ctx)
    if scheduler is not None and jobs is not None:
        raise click.UsageError("--jobs cannot be combined with --scheduler", ctx)
    if not deals:
        sample = sample or _DEFAULT_SAMPLE
        deals = (f"{DEFAULT}:1-{sample}",)
    tasks = Tasks(_deal_numbers(deals), suits, RowRule(rules), sample, shard or Shard())
    plot = plot_output(plot_file, force)
    declare_outputs([OutputFile("-o", output), plot])
    run = _Run(
        tasks, Work(Limits(**limits), solutions, shortening), jobs, scheduler, messages_of(ctx)
    )
    if output is None:
        summary = _solve_in_memory(run, plot, as_json)
    else:
        summary = _solve_into_file(run, output, mix, ctx.meta[_ARGUMENTS])
    print_summary(summary, plot, as_json)
    return Exit.DONE


def _deal_numbers(texts: tuple[str, ...]) -> DealNumbers:
    """The deals that the arguments DEALS name. Raises SpiderError."""
    for text in texts:
        if not looks_like_numbers(text):
            raise InputError(
                f"{quote(text)} is not a deal number: expected deal numbers and ranges, such as"
                " 1-1000 or kpat:1,5,9; winrate reads no deals from files"
            )
    return parse_numbers(*texts)


@dataclass(frozen=True, slots=True)
class _Run:
    """What to solve, and where."""

    tasks: Tasks
    work: Work
    jobs: int | None  # worker processes of this machine; None for one for each core
    scheduler: str | None  # address of a dask scheduler; None for this machine
    messages: Messages

    def solve(self, done: TaskSet, keep: Callable[[Record], None]) -> None:
        """Solve the tasks that are not done. keep: called with each record."""
        with signals_as_ctrl_c(), _progress(self.tasks.count, self.messages) as progress:
            tasks = remaining_tasks(self.tasks, done, progress.count_skipped)
            try:
                with closing(self._records(tasks, progress.write)) as records:  # type: ignore[type-var]
                    for record in records:
                        keep(record)
                        progress.count_solved(record)
            except WorkerDeathsError as error:
                fewer_jobs = "fewer --jobs, or " if self.scheduler is None else ""
                raise WorkerDeathsError(
                    f"{error}: try {fewer_jobs}a smaller --max-memory"
                ) from None

    def _records(self, tasks: Iterator[Task], on_status: Callable[[str], None]) -> Iterator[Record]:
        if self.scheduler is not None:
            return solve_on_cluster(tasks, self.work, self.scheduler, on_status)
        return solve_on_processes(tasks, self.work, self.jobs or _cores(), on_status)


def _solve_in_memory(run: _Run, plot: OutputFile, as_json: bool) -> Summary:
    """Solve all tasks. If the run ends early, print the statistics of the results so far."""
    tally = Tally()
    try:
        run.solve(TaskSet(), tally.add)
    except BaseException:
        summary = tally.summary()
        if summary.groups:  # otherwise these results would be lost
            print_summary(summary, plot, as_json)
        raise
    return tally.summary()


def _solve_into_file(run: _Run, output: str, mix: bool, arguments: list[str]) -> Summary:
    """Solve the tasks that a results file lacks. Returns the statistics of the whole file.

    arguments: of the command, for the message that says how to continue after an early end.
    """
    try:
        file = ResultsFile(output, run.work.key, mix=mix)
    except OtherSettingsError as error:
        raise OtherSettingsError(f"{error}, or use --mix to keep both in one file") from None
    with file:
        if file.removed_bytes:
            run.messages.info(
                f"{quote_file(output)}: an incomplete last line was removed; its deal is solved"
                " again"
            )
        try:
            run.solve(file.done, file.append)
        except BaseException:
            line = command_line([PROGRAM, "winrate", *arguments])
            run.messages.info(
                f"{counted(file.count, 'result')} in {quote_file(output)}; continue with:\n{line}"
            )
            raise
    return summarise([output])


class _Progress:
    """The progress of a run: a bar on a terminal, and messages."""

    def __init__(self, messages: Messages, bar: tqdm[NoReturn] | None) -> None:
        self._messages = messages
        self._bar = bar  # None if there is no terminal
        self._solved = 0
        self._won = 0

    def write(self, text: str) -> None:
        """Write a message, above the bar."""
        if self._bar is None:
            self._messages.info(text)
        else:
            self._bar.write(visible(text, None), file=sys.stderr)

    def count_skipped(self) -> None:
        """Count a deal that was solved by an earlier run."""
        if self._bar is not None:
            self._bar.initial += 1  # so that it does not count in the rate
            self._bar.n += 1

    def count_solved(self, record: Record) -> None:
        """Count a deal that this run has solved."""
        self._solved += 1
        self._won += record.verdict is Verdict.WON
        if self._bar is not None:
            self._bar.set_postfix_str(f"won {self._won:,} of {self._solved:,}", refresh=False)
            self._bar.update()


@contextmanager
def _progress(count: int, messages: Messages) -> Iterator[_Progress]:
    """The progress of a run of ``count`` tasks."""
    if not messages.shows_progress:
        yield _Progress(messages, None)
        return
    from tqdm import tqdm

    with tqdm(
        file=sys.stderr, total=count, unit=" deals", smoothing=0.05, dynamic_ncols=True
    ) as bar:
        yield _Progress(messages, bar)


def _cores() -> int:
    """The number of cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
