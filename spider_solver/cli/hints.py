"""Command lines that the output suggests to the user."""

from __future__ import annotations

import shlex
from collections.abc import Iterable

from ..cards import SUIT_LETTERS
from ..deal import Deal, RowRule
from ..numbering import number_of
from .errors import PROGRAM


def command_line(words: Iterable[str]) -> str:
    """The words as one line for a shell, with quotes where they are needed."""
    return " ".join(map(_shell_word, words))


def _shell_word(word: str) -> str:
    """A word of a command line. With unprintable characters it is ``$'...'``, as bash reads it."""
    if word.isprintable():
        return shlex.quote(word)
    return f"$'{''.join(map(_shell_character, word))}'"


def _shell_character(character: str) -> str:
    """A character between ``$'`` and ``'``."""
    if character in "\\'":
        return f"\\{character}"
    if character.isprintable():
        return character
    return "".join(f"\\x{byte:02x}" for byte in character.encode(errors="surrogateescape"))


def deal_command(deal: Deal, command: str = "show") -> str:
    """The command line that applies a command to a deal; empty if the deal has no number."""
    number = number_of(deal)
    if number is None:
        return ""
    suits = "" if deal.suits == len(SUIT_LETTERS) else f" --suits {deal.suits}"
    rules = "" if deal.rules is RowRule.STANDARD else f" --rules {deal.rules}"
    return f"{PROGRAM} {command} {number}{suits}{rules}"
