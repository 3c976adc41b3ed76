"""``winrate [DEALS...]``: many deals solved, and how many of them are won."""

from __future__ import annotations

import os
import shlex
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from typing import TYPE_CHECKING, Any, NoReturn

import click

from ..deal import RowRule
from ..errors import SpiderError
from ..numbering import DEFAULT, parse_numbers
from ..records import Record, ResultsFile, Task, TaskSet, read_results
from ..result import Limits, Verdict
from ..stats import Tally
from ..winrate import Shard, Tasks, Work, WorkError, on_cluster, on_processes, outstanding
from ..words import counted
from .errors import PROGRAM, OutputError
from .inputs import DealCommand
from .limits import limits_options
from .options import HELP, json_option, message_options, whole_number
from .output import Messages, messages_of
from .summary import check_plot, plot_option, put_summary

if TYPE_CHECKING:
    from tqdm import tqdm

_SAMPLE = 1000
_ARGUMENTS = f"{__name__}.arguments"


class _Command(DealCommand):
    """Remembers what it was called with, to say how to go on."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse, and keep what was given."""
        ctx.meta[_ARGUMENTS] = list(args)
        return super().parse_args(ctx, args)


def _suit_modes(text: str) -> tuple[int, ...]:
    """An option's type: suit modes with commas between."""
    convert = whole_number(1, 4)
    return tuple(dict.fromkeys(convert(part.strip()) for part in text.split(",")))


def _shard(text: str) -> Shard:
    """An option's type: one of several shares."""
    try:
        return Shard.parse(text)
    except SpiderError as error:
        raise click.BadParameter(str(error)) from None


@click.command("winrate", cls=_Command, context_settings=HELP)
@click.argument("deals", metavar="[DEALS]...", nargs=-1)
@click.option(
    "-n",
    "sample",
    type=whole_number(1),
    metavar="N",
    help="Only so many of the DEALS, evenly spread over them."
    f"  [default: all; {_SAMPLE:,} if none are named]",
)
@click.option(
    "--suits",
    type=_suit_modes,
    default="4",
    show_default=True,
    metavar="1,2,4",
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
@click.option(
    "-j",
    "--jobs",
    type=whole_number(1, 4096),
    metavar="N",
    help="Processes at work.  [default: one a core]",
)
@click.option("--shard", type=_shard, metavar="I/N", help="Only every N-th deal, from the I-th.")
@click.option(
    "--scheduler",
    metavar="ADDRESS",
    help="Have the workers of a dask scheduler solve, such as tcp://127.0.0.1:8786.",
)
@click.option(
    "-o",
    "--output",
    metavar="FILE",
    help="Write each result as a JSON line; go on where FILE ends, if it is there.",
)
@click.option("--solutions", is_flag=True, help="Write the solutions as well.")
@click.option("--mix", is_flag=True, help="Go on with a FILE that has results of other settings.")
@plot_option
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
    as_json: bool,
    **limits: Any,
) -> None:
    """Solve many deals and print the win rate by suit mode.

    DEALS are numbers, ranges and lists of any scheme, such as kpat:1-1000,2000. Without any,
    native:1 up.

    With -o each result is kept as soon as it's there. The same line again goes on where the
    last run ended, in whatever way; summary prints what such files hold.
    """
    if output is None and (solutions or mix):
        raise click.UsageError("--solutions and --mix go with -o FILE", ctx)
    if scheduler is not None and jobs is not None:
        raise click.UsageError("--jobs are processes of this machine, --scheduler has its own", ctx)
    if not deals:
        sample = sample or _SAMPLE
        deals = (f"{DEFAULT}:1-{sample}",)
    tasks = Tasks(parse_numbers(*deals), suits, RowRule(rules), sample, shard or Shard())
    work = Work(Limits(**limits), solutions)
    check_plot(plot_file)
    messages = messages_of(ctx)

    def on_workers(todo: Iterator[Task], say: Callable[[str], None]) -> Iterator[Record]:
        if scheduler is not None:
            return on_cluster(todo, work, scheduler, say)
        return on_processes(todo, work, jobs or _cores(), say)

    if output is None:
        tally = Tally()
        try:
            _solve_all(tasks, TaskSet(), on_workers, tally.add, messages)
        except BaseException:
            so_far = tally.summary()
            if so_far.groups:  # else all would be lost
                put_summary(so_far, plot_file, as_json)
            raise
    else:
        with ResultsFile(output, work.key, mix=mix) as results:
            if results.repaired:
                messages.say(f"{output!r}: a torn last line was cut off; its deal is done again")
            try:
                _solve_all(tasks, results.done, on_workers, results.append, messages)
            except BaseException:
                line = shlex.join([PROGRAM, "winrate", *ctx.meta[_ARGUMENTS]])
                messages.say(
                    f"{counted(results.count, 'result')} in {output!r}; go on with:\n{line}"
                )
                raise
        tally = Tally(read_results(output))
    put_summary(tally.summary(), plot_file, as_json)


def _solve_all(
    tasks: Tasks,
    done: TaskSet,
    on_workers: Callable[[Iterator[Task], Callable[[str], None]], Iterator[Record]],
    keep: Callable[[Record], None],
    messages: Messages,
) -> None:
    """Solve what isn't done, and keep each record. OutputError if workers can't go on."""
    with _terminated_like_interrupted(), _progress(tasks.count, messages) as progress:
        todo = outstanding(tasks, done, progress.skip)
        try:
            with closing(on_workers(todo, progress.say)) as records:  # type: ignore[type-var]
                for record in records:
                    keep(record)
                    progress.count(record)
        except WorkError as error:
            raise OutputError(str(error)) from None


class _Progress:
    """What a run says meanwhile. bar: on a terminal."""

    def __init__(self, messages: Messages, bar: tqdm[NoReturn] | None) -> None:
        self._messages = messages
        self._bar = bar
        self._deals = 0
        self._won = 0

    def say(self, text: str) -> None:
        """Say a line, above the bar."""
        if self._bar is None:
            self._messages.say(text)
        else:
            self._bar.write(text, file=sys.stderr)

    def skip(self) -> None:
        """A deal was done before."""
        if self._bar is not None:
            self._bar.initial += 1  # it doesn't count in the rate
            self._bar.n += 1

    def count(self, record: Record) -> None:
        """A deal is done."""
        self._deals += 1
        self._won += record.verdict is Verdict.WON
        if self._bar is not None:
            self._bar.set_postfix_str(f"won {self._won:,} of {self._deals:,}", refresh=False)
            self._bar.update()


@contextmanager
def _progress(count: int, messages: Messages) -> Iterator[_Progress]:
    if not messages.progress:
        yield _Progress(messages, None)
        return
    from tqdm import tqdm

    with tqdm(
        file=sys.stderr, total=count, unit=" deals", smoothing=0.05, dynamic_ncols=True
    ) as bar:
        yield _Progress(messages, bar)


@contextmanager
def _terminated_like_interrupted() -> Iterator[None]:
    """Meanwhile the signal to end, which job schedulers send, does what Ctrl-C does."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def interrupt(number: int, frame: object) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGTERM, interrupt)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def _cores() -> int:
    """The cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
