"""The position that a file stands for: its deal, or its recorded game after some actions."""

from __future__ import annotations

from dataclasses import dataclass, replace

from ..deal import Deal, RowRule
from ..errors import IllegalAction, SourceError
from ..formats import Contents
from ..recorded_games import NoGameError, RecordedGame
from ..render.text import illegal_text, title
from ..verify import verify_game
from ..words import counted, quote_file
from .errors import InputError


@dataclass(frozen=True, slots=True)
class LoadedDeal:
    """What an argument DEAL stands for: a deal, or a position in a recorded game."""

    deal: Deal
    made: int = 0  # actions of the recorded game that lead to the position
    actions: int = 0  # actions in the recorded game; 0 without one
    unreadable: str = ""  # why the recorded actions cannot be read; empty if they can

    @property
    def title(self) -> str:
        """The header of a result: such as ``native:1, ..., after 60 of 60 actions``."""
        text = title(self.deal)
        if not self.actions:
            return text
        return f"{text}, after {self.made:,} of {counted(self.actions, 'action')}"


def position_in(contents: Contents, at: int | None, rules: RowRule | None) -> LoadedDeal:
    """Return the deal in a file, or the position after actions of its recorded game.

    at: how many actions to play; None for all.
    rules: the rule for rows of the result; None for the rule that the file states.

    Raises InputError if the game has fewer actions, IllegalAction if one of them is illegal, and
    SourceError if they cannot be read, unless the position does not depend on them.
    """
    deal = contents.deal if rules is None else contents.deal.with_rules(rules)
    try:
        game = contents.game()
    except NoGameError:
        if not at:
            return LoadedDeal(deal)
        raise InputError(
            f"--at {at}: {quote_file(contents.name)} has no actions: expected a recorded game"
        ) from None
    except SourceError as error:
        if at == (None if contents.after_actions else 0):
            return LoadedDeal(deal, unreadable=str(error))
        if not contents.after_actions:
            error.message += "; --at 0 takes the deal without its actions"
        raise
    count = len(game.entries)
    if at is not None and at > count:
        raise InputError(
            f"--at {at}: the recorded game in {quote_file(contents.name)} has"
            f" {counted(count, 'action')}"
        )
    if contents.after_actions and at in (None, count):
        return LoadedDeal(deal, count, count)  # as the other program saved it
    made = count if at is None else at
    return LoadedDeal(_position_after(game, made, deal.rules), made, count)


def _position_after(game: RecordedGame, made: int, rules: RowRule) -> Deal:
    """Return the position after some entries of a recorded game, with a rule for rows.

    The entries are played by this rule if it is the relaxed one, otherwise by that of the game.
    Raises IllegalAction.
    """
    deal = game.deal.with_rules(rules) if rules is RowRule.RELAXED else game.deal
    report = verify_game(replace(game, deal=deal, entries=game.entries[:made]))
    if not report.legal:
        raise IllegalAction(
            f"{illegal_text(report, game.name)}; --at {report.entry_count} takes the position"
            " before it"
        )
    return report.position.to_deal().with_rules(rules)
