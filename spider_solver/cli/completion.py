"""Completion of arguments and values of options in a shell. ``shells`` has the shells' scripts.

Each function here is the ``shell_complete`` of an argument or option. click calls it with the
text before the cursor. It returns the values that begin with this text.
"""

from __future__ import annotations

from collections.abc import Callable

import click
from click.shell_completion import CompletionItem

Complete = Callable[[click.Context, click.Parameter, str], list[CompletionItem[str]]]

_SUIT_MODES = ("1", "2", "4")


def complete_file(
    ctx: click.Context, param: click.Parameter, incomplete: str
) -> list[CompletionItem[str]]:
    """The names of files. The shell itself finds them."""
    return [CompletionItem(incomplete, type="file")]


def complete_scheme(
    ctx: click.Context, param: click.Parameter, incomplete: str
) -> list[CompletionItem[str]]:
    """The schemes of deal numbers, such as ``kpat:``."""
    from ..numbering import SCHEMES  # here, because the help page imports this module

    return [
        CompletionItem(f"{name}:", help=scheme.title)
        for name, scheme in SCHEMES.items()
        if f"{name}:".startswith(incomplete) and f"{name}:" != incomplete
    ]


def complete_deal(
    ctx: click.Context, param: click.Parameter, incomplete: str
) -> list[CompletionItem[str]]:
    """The schemes of deal numbers, and the names of files. Nothing after ``kpat:``."""
    from ..numbering import SCHEMES

    scheme, colon, _ = incomplete.partition(":")
    if colon and scheme in SCHEMES:
        return []
    schemes = complete_scheme(ctx, param, incomplete)
    return [*schemes, *complete_file(ctx, param, incomplete)]


def complete_suits(
    ctx: click.Context, param: click.Parameter, incomplete: str
) -> list[CompletionItem[str]]:
    """The usual suit modes."""
    return [CompletionItem(mode) for mode in _SUIT_MODES if mode.startswith(incomplete)]
