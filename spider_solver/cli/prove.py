"""The command ``prove DEAL``: prove that a deal cannot be won, and print each step."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import click

from ..deal import Deal
from ..prove import (
    PROOF_SECONDS,
    CheckedProof,
    ProofProgress,
    certificate,
    certificate_deal,
    events,
    import_cp_model,
    prove_again,
    prove_and_check,
    read_certificate,
    write_certificate,
)
from ..render.json import proof_object
from ..render.style import Style
from ..words import counted
from .completion import complete_file
from .errors import EXIT_CODES, Exit, OutputError
from .file_kinds import CERTIFICATE
from .help import DEAL_TEXT
from .inputs import (
    STDIN,
    DealCommand,
    ReadingOptions,
    load_deal,
    load_text,
    optional_deal_options,
    require_piped_input,
)
from .options import HELP, force_option, json_option, message_options, seconds
from .output import Messages, messages_of, style_of_stdout
from .output_files import OutputFile, declare_outputs
from .positions import LoadedDeal
from .status import status_line
from .unknown import orders_option, prove_unknown, require_known_cards, with_only_order

_OTHER_SETTINGS = "with another seed and without presolve"


@click.command(
    "prove",
    cls=DealCommand,
    context_settings=HELP,
    arguments={"DEAL": f"{DEAL_TEXT} Left out with --check."},
    examples={
        "spider-solver prove pysol:ms14934": "Prove that a deal cannot be won",
        "spider-solver prove pysol:ms1748 -o proof.json": "Also write the proof to a file",
        "spider-solver prove --check proof.json": "Prove the deal of a certificate again",
    },
    exit_codes={
        Exit.UNWINNABLE: "the deal is proved unwinnable",
        Exit.UNDECIDED: "the deal is not proved unwinnable; it may be winnable or not",
    },
)
@optional_deal_options
@click.option(
    "--check",
    "check_file",
    metavar="FILE",
    shell_complete=complete_file,
    help=f"Prove the deal of a certificate again, {_OTHER_SETTINGS}.",
)
@click.option(
    "-o",
    "--certificate",
    "output",
    metavar="FILE",
    shell_complete=complete_file,
    help="Write the proof as JSON, for --check.",
)
@force_option
@click.option("--no-check", is_flag=True, help="Do not check a proof by a second run.")
@click.option(
    "--time-limit",
    type=seconds,
    default=PROOF_SECONDS,
    metavar="SECONDS",
    help=f"Give up a proof after this time, and its check too.  [default: {PROOF_SECONDS:g}]",
)
@orders_option
@json_option
@message_options
@click.pass_context
def command(
    ctx: click.Context,
    deal: str | None,
    reading: ReadingOptions,
    check_file: str | None,
    output: str | None,
    force: bool,
    no_check: bool,
    time_limit: float,
    max_orders: int,
    as_json: bool,
) -> int:
    """Prove that a deal cannot be won.

    In every game that is won, at some moment a column becomes empty or thirteen cards from King to
    Ace lie together, whatever their suits. The proof shows that neither can happen. It needs
    OR-tools, which the extra "prove" installs. Most deals can be won, and this method fails for
    many of the others. Then the verdict is undecided. If cards of the deal are unknown, each order
    of these cards is proved, up to the first one for which the method fails.
    """
    file = OutputFile("-o", output, CERTIFICATE, force)
    messages = messages_of(ctx)
    if check_file is not None:
        _refuse_with_check(ctx, deal, reading, output, no_check)
        loaded = LoadedDeal(_certificate_deal(check_file))
    else:
        if deal is None:
            require_piped_input(ctx, "DEAL")
            deal = STDIN
        declare_outputs([file], inputs=[deal])
        loaded = with_only_order(load_deal(deal, reading, messages), messages)
    import_cp_model()  # fails before anything is printed if OR-tools is not installed
    if loaded.deal.unknown:
        require_known_cards(loaded, {"-o": output})
        return prove_unknown(loaded, max_orders, time_limit, not no_check, messages, as_json)
    printer, writer = _Printer(as_json), _CertificateWriter(file)
    printer.line(printer.style.strong(loaded.title))
    with _progress(messages, printer) as progress:
        if check_file is not None:
            checked = prove_again(loaded.deal, time_limit=time_limit, progress=progress)
        else:
            checked = prove_and_check(
                loaded.deal,
                time_limit=time_limit,
                check=not no_check,
                proved=writer.write,  # so that a failing check does not lose a long proof
                progress=progress,
            )
    if checked.check is not None:
        writer.write(checked)
    if as_json:
        click.echo(json.dumps(proof_object(checked)))
    for line in _result_lines(checked, printer.style, again=check_file is not None):
        printer.line(line)
    if writer.failure is not None:
        raise writer.failure
    if output is not None and not checked.proof.proved:
        messages.info(f"nothing written to {file.name}: there is no proof to write")
    return EXIT_CODES[checked.verdict]


def _refuse_with_check(
    ctx: click.Context,
    deal: str | None,
    reading: ReadingOptions,
    output: str | None,
    no_check: bool,
) -> None:
    """Raise UsageError if an argument is given that --check does not allow."""
    given = {
        "DEAL": deal,
        "--suits": reading.suits,
        "--rules": reading.rules,
        "--from": reading.source_format,
        "--at": reading.at,
        "-o": output,
        "--no-check": no_check or None,
    }
    for name, value in given.items():
        if value is not None:
            raise click.UsageError(f"--check cannot be combined with {name}", ctx)


def _certificate_deal(file: str) -> Deal:
    """The deal in the file of a certificate."""
    content, name = load_text(file, "a certificate, as prove -o writes it")
    return certificate_deal(read_certificate(content, name), name)


class _Printer:
    """Prints the result line by line, unless the result is JSON."""

    def __init__(self, as_json: bool) -> None:
        self._as_json = as_json
        self.style = style_of_stdout()

    def line(self, text: str) -> None:
        """Print a line at once, also into a pipe."""
        if not self._as_json:
            click.echo(text, color=self.style.color)
            sys.stdout.flush()


class _CertificateWriter:
    """Writes the certificate, and keeps an error until the result is printed."""

    def __init__(self, output: OutputFile) -> None:
        self._output = output
        self.failure: OutputError | None = None  # of the last write

    def write(self, checked: CheckedProof) -> None:
        """Write a proof and its check, if a file was asked for."""
        if self._output.path is not None:
            try:
                self._output.write(write_certificate(certificate(checked)))
                self.failure = None
            except OutputError as error:
                self.failure = error


def _result_lines(checked: CheckedProof, style: Style, *, again: bool) -> Iterator[str]:
    """The lines below the events. again: whether this was a run of ``prove --check``."""
    proof, check = checked.proof, checked.check
    verdict = style.strong(checked.verdict)
    if not proof.proved:
        yield f"{verdict}: {checked.reason}, in {proof.seconds:.2f} s"
    elif checked.reason:
        yield f"{verdict}: {checked.reason}, after {proof.seconds:.2f} s for the proof"
    else:
        proved = f"proved again {_OTHER_SETTINGS}" if again else "proved"
        refuted = f"{counted(len(events(proof.deal)), 'event')} refuted"
        yield f"{verdict}: {proved}, {refuted}, in {proof.seconds:.2f} s"
    if check is not None and check.proved:
        yield f"checked: proved again {_OTHER_SETTINGS}, in {check.seconds:.2f} s"
    elif proof.proved and check is None and not again:
        yield "not checked, because of --no-check"
    yield from (f"open: {text}" for text in checked.open)


@contextmanager
def _progress(messages: Messages, printer: _Printer) -> Iterator[Callable[[ProofProgress], None]]:
    """Print a line for each event. On a terminal, show the counts in a status line below."""

    def print_step(step: ProofProgress) -> None:
        if step.is_lemma:
            messages.detail(f"lemma: {step.text}: {step.answer} in {step.seconds:.2f} s")
            return
        width = len(str(step.total))
        line = f"{step.done:{width}}/{step.total}  {step.text}: {step.answer}"
        line += f" in {step.seconds:.2f} s"
        if step.checking:
            messages.detail(line)
        else:
            printer.line(line)

    if not messages.shows_progress:
        yield print_step
        return
    with status_line() as status:
        lemmas = {False: 0, True: 0}  # in the proof, in the check

        def show_step(step: ProofProgress) -> None:
            lemmas[step.checking] += step.is_lemma
            verb = "checked" if step.checking else "refuted"
            count = counted(lemmas[step.checking], "lemma")
            status.show(f"{step.refuted} of {counted(step.total, 'event')} {verb}, {count}")
            if not step.is_lemma or messages.verbose:
                with status.hidden(sys.stdout):
                    print_step(step)

        yield show_step
