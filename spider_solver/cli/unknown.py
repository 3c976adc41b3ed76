"""What ``solve`` and ``prove`` do with a deal that has unknown cards, and their options for it."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from functools import wraps
from typing import Any

import click
from click.core import ParameterSource

from ..cards import card_text
from ..result import Limits, Verdict
from ..unknown import (
    OrdersLimits,
    OrdersProgress,
    OrdersProof,
    all_orders,
    order_count,
    prove_orders,
    solve_orders,
    with_order,
)
from ..unknown.solving import MAX_ORDERS, SAMPLE_WIDTH, SAMPLES
from ..words import counted
from .errors import EXIT_CODES, Exit, InputError
from .options import Decorated, whole_number
from .output import Messages, messages_of, style_of_stdout
from .positions import LoadedDeal
from .status import status_line

_MOST_ORDERS = 1_000_000  # their results must fit into the memory


def orders_option(command: Decorated) -> Decorated:
    """Add ``--orders`` to a command, which gets it as ``max_orders``."""
    return click.option(
        "--orders",
        "max_orders",
        type=whole_number(1, _MOST_ORDERS),
        default=MAX_ORDERS,
        show_default=True,
        metavar="N",
        help="Of a DEAL with unknown cards, try every order of these cards if there are at most N"
        " orders.",
    )(command)


def sample_options(command: Decorated) -> Decorated:
    """Add ``--orders``, ``--samples`` and ``--seed`` to a command with ``shortening_options``.

    The command gets them and the number of jobs as ``orders_limits``, an OrdersLimits.
    """

    @wraps(command)
    def with_limits(
        *args: Any, max_orders: int, samples: int, seed: int, jobs: int | None, **rest: Any
    ) -> Any:
        limits = OrdersLimits(max_orders, samples, seed, jobs or 1)
        return command(*args, orders_limits=limits, jobs=jobs, **rest)

    decorated: Any = with_limits
    for decorate in (
        click.option(
            "--seed",
            type=whole_number(0),
            default=OrdersLimits().seed,
            show_default=True,
            metavar="N",
            help="The number that determines the random orders of --samples.",
        ),
        click.option(
            "--samples",
            type=whole_number(1, _MOST_ORDERS),
            default=SAMPLES,
            show_default=True,
            metavar="N",
            help="If there are more orders than --orders, try N random ones, with --max-width"
            f" {SAMPLE_WIDTH} unless it is given.",
        ),
        orders_option,
    ):
        decorated = decorate(decorated)
    return decorated  # type: ignore[no-any-return]


def with_only_order(loaded: LoadedDeal, messages: Messages) -> LoadedDeal:
    """The deal with its unknown cards in their order if there is only one, which a message says.

    Any other deal is returned as it is.
    """
    deal = loaded.deal
    if not deal.unknown or order_count(deal) > 1:
        return loaded
    (order,) = all_orders(deal)
    cards = counted(len(order), "unknown card")
    each = "it" if len(order) == 1 else "each"
    messages.info(f"{cards}: {each} can only be {card_text(order[0])}")
    return replace(loaded, deal=with_order(deal, order))


def require_known_cards(loaded: LoadedDeal, options: Mapping[str, object]) -> None:
    """Raise InputError if one of these options is given, which need a deal with known cards."""
    for name, value in options.items():
        if value:
            count = counted(len(loaded.deal.unknown), "unknown card")
            raise InputError(f"{name} needs a deal whose cards are all known: this one has {count}")


def solve_unknown(
    ctx: click.Context,
    loaded: LoadedDeal,
    limits: Limits,
    orders_limits: OrdersLimits,
    prove: bool,
    as_json: bool,
) -> Exit:
    """Solve the orders of the unknown cards, and print the result.

    ctx: of a command with ``limits_options``. limits: of each search.
    """
    from ..render.unknown import order_count_text, orders_lines, orders_object

    total = order_count(loaded.deal)
    messages = messages_of(ctx)
    if total > orders_limits.max_orders:
        if ctx.get_parameter_source("max_width") is ParameterSource.DEFAULT:
            limits = replace(limits, max_width=SAMPLE_WIDTH)
        messages.info(
            f"{order_count_text(total)} orders of the unknown cards: trying"
            f" {counted(orders_limits.samples, 'random order')}"
        )
    with _orders_progress(messages) as progress:
        result = solve_orders(loaded.deal, limits, orders_limits, progress, messages.info, prove)
    if as_json:
        click.echo(json.dumps(orders_object(result, limits)))
    else:
        style = style_of_stdout()
        click.echo(style.strong(loaded.title), color=style.color)
        for line in orders_lines(result, style):
            click.echo(line, color=style.color)
    if not result.sampled and result.count(Verdict.UNDECIDED):
        messages.info("undecided orders: larger limits (see solve --help) may decide them")
    return EXIT_CODES[result.verdict]


@contextmanager
def _orders_progress(messages: Messages) -> Iterator[Callable[[OrdersProgress], None] | None]:
    """Show the progress in a status line on a terminal."""
    if not messages.shows_progress:
        yield None
        return
    with status_line(delay=0.3) as status:

        def show(now: OrdersProgress) -> None:
            status.show(f"{now.done:,} of {counted(now.total, 'order')}, {now.won:,} won")

        yield show


def prove_unknown(
    loaded: LoadedDeal,
    max_orders: int,
    time_limit: float,
    check: bool,
    messages: Messages,
    as_json: bool,
) -> Exit:
    """Prove each order of the unknown cards unwinnable, and print the result."""
    from ..render.unknown import orders_proof_object

    style = style_of_stdout()

    def print_last(now: OrdersProof) -> None:
        last = now.proofs[-1]
        text = f"{len(now.proofs)}/{now.needed}  {last.verdict} in {last.proof.seconds:.2f} s"
        messages.detail(text) if as_json else click.echo(text)

    if not as_json:
        click.echo(style.strong(loaded.title), color=style.color)
    result = prove_orders(
        loaded.deal,
        max_orders=max_orders,
        time_limit=time_limit,
        check=check,
        progress=print_last,
    )
    if as_json:
        click.echo(json.dumps(orders_proof_object(result)))
    else:
        proofs = counted(len(result.proofs), "proof")
        text = result.reason or f"each order of the unknown cards is proved so, by {proofs}"
        click.echo(f"{style.strong(result.verdict)}: {text}", color=style.color)
    return EXIT_CODES[result.verdict]
