"""``prove DEAL``: the proof that a deal can't be won, event by event."""

from __future__ import annotations

import json
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from typing import Any

import click

from .. import __version__
from ..deal import Deal
from ..errors import InternalError
from ..game import Position
from ..prove import (
    CHECK_SETTINGS,
    EventKind,
    Proof,
    Settings,
    Step,
    certificate,
    certificate_deal,
    events,
    layout_of,
    prove,
    read_certificate,
    standing_event,
    write_certificate,
)
from ..prove.model import ortools
from ..render.style import Style
from ..render.text import title
from ..result import Verdict
from ..solver import PROOF_SECONDS
from ..words import counted
from .errors import EXIT_CODES, OutputError
from .inputs import DealCommand, ReadingOptions, load_deal, load_text, optional_deal_options
from .options import HELP, json_option, message_options, seconds
from .output import Messages, check_writable, messages_of, style_of_stdout, write_file

_CHECKED = "with another seed and without presolve"


@click.command("prove", cls=DealCommand, context_settings=HELP)
@optional_deal_options
@click.option(
    "--check",
    "check_file",
    metavar="FILE",
    help="Prove again what a certificate claims, with another seed and without presolve.",
)
@click.option(
    "-o",
    "--certificate",
    "output",
    metavar="FILE",
    help="Write the proof as JSON, for --check.",
)
@click.option("--no-check", is_flag=True, help="Don't run a proof again under a second setting.")
@click.option(
    "--time-limit",
    type=seconds,
    default=PROOF_SECONDS,
    show_default=True,
    metavar="SECONDS",
    help="Give up after this time, and after as much again for the check.",
)
@json_option
@message_options
@click.pass_context
def command(
    ctx: click.Context,
    deal: str | None,
    reading: ReadingOptions,
    check_file: str | None,
    output: str | None,
    no_check: bool,
    time_limit: float,
    as_json: bool,
) -> int:
    """Prove that a deal cannot be won, whatever is played.

    DEAL is a deal's NUMBER, SCHEME:NUMBER, a file, or - for standard input; a file may hold a
    position in mid-game.

    A game that is won has a first moment at which a column becomes empty, or thirteen cards
    King to Ace stand together whatever their suits. Each way in which that may come about is
    refuted by itself, with OR-tools (spider-solver[prove]). Most deals can be won, and of the
    others many don't fail by this: then it ends as undecided.

    The exit code is 3 if the deal is proved unwinnable, 4 if not.
    """
    messages = messages_of(ctx)
    if check_file is not None:
        given = {
            "DEAL": deal,
            "--suits": reading.suits,
            "--rules": reading.rules,
            "--from": reading.source_format,
            "-o": output,
            "--no-check": no_check or None,
        }
        for name, value in given.items():
            if value is not None:
                raise click.UsageError(f"--check takes a certificate alone, no {name}", ctx)
        found = _claimed(check_file)
    elif deal is None:
        raise click.UsageError("missing DEAL", ctx)
    else:
        found = load_deal(deal, reading)
    if output is not None:
        check_writable(output)
    ortools()  # says at once if it's missing
    run = _Run(found, time_limit, messages, as_json)
    run.put(run.style.strong(title(found)))
    proof = run.prove(CHECK_SETTINGS if check_file is not None else Settings())
    outcome = Outcome(proof, time_limit)
    failure = None
    if proof.proved and check_file is None:
        failure = _keep(output, outcome)  # what a long proof found isn't lost with the check
        if not no_check:
            outcome = Outcome(proof, time_limit, run.check())
            failure = _keep(output, outcome)
    if as_json:
        click.echo(json.dumps(result_object(outcome)))
    for line in _lines(outcome, run.style, again=check_file is not None):
        run.put(line)
    if failure is not None:
        raise failure
    if output is not None and not proof.proved:
        messages.info(f"nothing written to {output!r}: there is no proof to write")
    return EXIT_CODES[outcome.verdict]


@dataclass(frozen=True, slots=True)
class Outcome:
    """A proof, or the attempt at one, and its check, if there was one."""

    proof: Proof
    time_limit: float
    check: Proof | None = None

    @property
    def verdict(self) -> Verdict:
        """Unwinnable only if each run that there was has proved it."""
        proved = self.proof.proved and (self.check is None or self.check.proved)
        return Verdict.UNWINNABLE if proved else Verdict.UNDECIDED

    @property
    def reason(self) -> str:
        """Why there is no proof; empty if there is one."""
        if self.verdict is Verdict.UNWINNABLE:
            return ""
        late = f"the time limit of {self.time_limit:g} s was reached"
        if self.proof.proved:
            return f"proved once, but {late} in the check"
        if standing_event(Position(self.proof.deal), 0) is not None:
            return "a proof takes a position without an empty column or thirteen ranks together"
        if self.proof.possible:
            return "the model allows this event, which shows nothing either way"
        return late

    @property
    def open(self) -> list[str]:
        """The events that stay open as the time was up, in words."""
        last = self.check or self.proof
        layout = layout_of(last.deal)
        return [] if last.possible else [event.text(layout) for event in last.open]


class _Run:
    """Runs over one position, with what is told of them while they last."""

    def __init__(self, deal: Deal, time_limit: float, messages: Messages, as_json: bool) -> None:
        self.deal, self.time_limit, self.messages, self.as_json = (
            deal,
            time_limit,
            messages,
            as_json,
        )
        self.style = style_of_stdout()

    def put(self, line: str) -> None:
        """Print a line of the result, unless that is JSON."""
        if not self.as_json:
            click.echo(line, color=self.style.color)
            sys.stdout.flush()  # a pipe's reader sees each event at once, too

    def prove(self, settings: Settings) -> Proof:
        """A run that prints each event."""
        with _progress(self.messages, "refuted", self.put) as progress:
            return prove(
                self.deal, settings=settings, time_limit=self.time_limit, progress=progress
            )

    def check(self) -> Proof:
        """A run under the second setting. InternalError if it finds an event possible."""
        with _progress(self.messages, "checked", self.messages.detail) as progress:
            checked = prove(
                self.deal, settings=CHECK_SETTINGS, time_limit=self.time_limit, progress=progress
            )
        for event in checked.possible:
            raise InternalError(
                f"{self.deal.name or 'a position'}: '{event.text(layout_of(self.deal))}' was"
                " refuted, but is possible under the second setting"
            )
        return checked


def _claimed(file: str) -> Deal:
    """The deal of a certificate's file."""
    content, name = load_text(file, "a certificate, as prove -o writes it")
    return certificate_deal(read_certificate(content, name), name)


def _keep(output: str | None, outcome: Outcome) -> OutputError | None:
    """Write the certificate, if asked for; the error is raised when the result is printed."""
    if output is not None:
        try:
            write_file(output, write_certificate(certificate(outcome.proof, outcome.check)))
        except OutputError as error:
            return error
    return None


def result_object(outcome: Outcome) -> dict[str, Any]:
    """What ``--json`` prints. Keys are only ever added, at the end."""
    proof, check = outcome.proof, outcome.check
    layout = layout_of(proof.deal)
    return {
        "deal": proof.deal.name,
        "suits": proof.deal.suits,
        "rules": str(proof.deal.rules),
        "verdict": str(outcome.verdict),
        "reason": outcome.reason,
        "events": len(events(proof.deal)),
        "refuted": [one.event.text(layout) for one in proof.refuted],
        "lemmas": len(proof.lemmas),
        "possible": [event.text(layout) for event in proof.possible],
        "open": outcome.open,
        "seconds": proof.seconds,
        "settings": asdict(proof.settings),
        "check": check
        and {
            "verdict": str(check.verdict),
            "seconds": check.seconds,
            "settings": asdict(check.settings),
        },
        "solver": proof.solver,
        "version": __version__,
    }


def _lines(outcome: Outcome, style: Style, *, again: bool) -> Iterator[str]:
    proof, check = outcome.proof, outcome.check
    verdict = style.strong(outcome.verdict)
    taken = f"in {proof.seconds:.2f} s"
    if not proof.proved:
        yield f"{verdict}: {outcome.reason}, {taken}"
    elif outcome.reason:
        yield f"{verdict}: {outcome.reason}, after {taken.removeprefix('in ')} for the proof"
    else:
        how = f"proved again {_CHECKED}" if again else "proved"
        yield f"{verdict}: {how}, {counted(len(events(proof.deal)), 'event')} refuted, {taken}"
    if check is not None and check.proved:
        yield f"checked: proved again {_CHECKED}, in {check.seconds:.2f} s"
    elif proof.proved and check is None and not again:
        yield "not checked under a second setting, as --no-check says"
    yield from (f"open: {text}" for text in outcome.open)


@contextmanager
def _progress(
    messages: Messages, verb: str, put: Callable[[str], None]
) -> Iterator[Callable[[Step], None]]:
    """What to do with each step: a line, and on a terminal a bar below the lines."""

    def line(step: Step) -> None:
        text = f"{step.text}: {step.answer}"
        if step.event.kind is EventKind.LEAVES:
            messages.detail(f"lemma: not that {step.text}, in {step.seconds:.2f} s")
        else:
            width = len(str(step.total))
            put(f"{step.done:{width}}/{step.total}  {text} in {step.seconds:.2f} s")

    if not messages.progress:
        yield line
        return
    from tqdm import tqdm

    ended = threading.Event()
    with tqdm(
        file=sys.stderr, leave=False, dynamic_ncols=True, bar_format="{desc} [{elapsed}]"
    ) as bar:
        lemmas = 0

        def show(step: Step) -> None:
            nonlocal lemmas
            lemma = step.event.kind is EventKind.LEAVES
            lemmas += lemma
            done = step.done - (step.answer != "refuted" and not lemma)
            bar.set_description_str(
                f"{done} of {counted(step.total, 'event')} {verb}, {counted(lemmas, 'lemma')}",
                refresh=False,
            )
            bar.update()  # draws it, but not too often
            if not lemma or messages.verbose:
                with tqdm.external_write_mode(file=sys.stdout):
                    line(step)

        def tick() -> None:
            while not ended.wait(1):  # an event may take minutes
                bar.refresh()

        clock = threading.Thread(target=tick, daemon=True)
        clock.start()
        try:
            yield show
        finally:
            ended.set()
            clock.join()
