"""The interface of a file format, and the result of reading a file."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from ..deal import Deal, RowRule
from ..errors import in_source
from ..numbering import SCHEMES
from ..numbering.grammar import split_number
from ..recorded_games import NoGameError, RecordedGame
from .parts import clean_label


@dataclass(frozen=True, slots=True)
class Contents:
    """The contents of a file: a deal, and the recorded game if there is one."""

    deal: Deal  # the deal, or the position after the recorded actions: see ``after_actions``
    # Parses the recorded game and raises the errors of ``game``; None if there can be no game.
    parse_game: Callable[[], RecordedGame] | None = None
    name: str = ""  # the file's name; empty if unknown
    # Whether ``deal`` is the position after the recorded actions, as in a saved game of KPatience,
    # and not the position before them.
    after_actions: bool = False
    notes: tuple[str, ...] = ()  # how the file was understood, where this is not certain

    def game(self) -> RecordedGame:
        """Return the recorded game in the file.

        Raises NoGameError if the file holds no recorded game, NotationError if its actions cannot
        be read, and DealError if one of several saved positions is impossible.
        """
        with in_source(self.name):
            if self.parse_game is None:
                raise NoGameError("a deal without actions: expected a recorded game")
            game = self.parse_game()
        return replace(game, deal=named_after_file(game.deal, self.name), name=self.name)


def _omits_nothing(deal: Deal) -> list[str]:
    return []


@dataclass(frozen=True, slots=True)
class Format:
    """A file format. Each module of a format has one as ``FORMAT``."""

    name: str  # the name that users give on the command line
    title: str  # describes a file of this format, for messages
    detect: Callable[[str], bool]  # whether a text looks like this format
    # Reads the text of a file. Raises DealError. The caller adds the file's name.
    read: Callable[[str], Contents]
    # Raises DealError if the format cannot hold the deal. None: deals cannot be written in it.
    write: Callable[[Deal], str] | None = None
    # Returns one sentence for each thing that ``write`` leaves out or changes. Raises DealError
    # as ``write`` does.
    omits: Callable[[Deal], list[str]] = _omits_nothing
    holds_unknown: bool = False  # whether ``write`` can write unknown cards
    holds_games: bool = False  # whether ``read`` finds a recorded game in a file
    write_game: Callable[[RecordedGame], str] | None = None  # None: games cannot be written


def named_after_file(deal: Deal, name: str) -> Deal:
    """Return the deal with the name of its file, if it has no name of its own."""
    return deal if deal.name else replace(deal, name=clean_label(name))


def is_named_by_number(deal: Deal) -> bool:
    """Return True if the deal is named by a canonical deal number and not by a label or file."""
    parts = split_number(deal.name)
    return parts is not None and parts.scheme in SCHEMES


def omits_name_and_rules(deal: Deal) -> list[str]:
    """The ``omits`` of a format that can hold neither a deal number nor the rule for rows."""
    omitted = []
    if is_named_by_number(deal):
        omitted.append(f"the file does not hold the number {deal.name}")
    if deal.rules is RowRule.RELAXED:
        omitted.append("the file does not hold the rule for rows (relaxed)")
    return omitted
