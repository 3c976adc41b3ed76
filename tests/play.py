"""Positions for tests: by random play, and built by hand."""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from typing import Literal

from spider_solver.cards import ACE, KING, card, parse_card
from spider_solver.deal import COLUMNS, Deal, RowRule, full_suits
from spider_solver.game import ROW, Action, Move, Position
from spider_solver.notation import Revision, recorded_game, write_recorded
from spider_solver.numbering import deal_from_number


def random_actions(
    seed: int,
    actions: int,
    suits: int = 4,
    rules: RowRule = RowRule.STANDARD,
    number: int | None = None,
) -> tuple[Deal, list[Action]]:
    """A native deal and up to that many random legal actions on it; the same for a seed.

    number: the deal's; the seed if None. Rows come once in about fifteen actions.
    """
    chance = random.Random(seed)
    deal = deal_from_number(str(seed if number is None else number), suits, rules)
    position = Position(deal)
    for _ in range(actions):
        legal: list[Action] = list(position.legal_actions())
        if not legal:
            break
        if legal[-1] == ROW and len(legal) > 1 and chance.random() > 1 / 15:
            legal.pop()
        position.push(chance.choice(legal))
    return deal, [outcome.action for outcome in position.history]


def random_position(
    seed: int, actions: int, suits: int = 4, rules: RowRule = RowRule.STANDARD
) -> Position:
    """The position after up to that many random legal actions on a native deal."""
    deal, played = random_actions(seed, actions, suits, rules)
    position = Position(deal)
    for action in played:
        position.push(action)
    return position


def sensible_position(
    seed: int, actions: int, suits: int = 1, rules: RowRule = RowRule.STANDARD
) -> Position:
    """Like ``random_position``, but it prefers to lengthen runs, so that some get completed.

    Moves that put a run on its own suit come first, then others onto cards, then rows.
    """
    chance = random.Random(seed)
    position = Position(deal_from_number(str(seed), suits, rules))
    for _ in range(actions):
        legal = list(position.legal_actions())
        if not legal:
            break
        weights = [_weight(position, action) for action in legal]
        position.push(chance.choices(legal, weights)[0])
    return position


def random_record(
    seed: int, entries: int, suits: int = 1, rules: RowRule = RowRule.STANDARD, played: int = 0
) -> tuple[Deal, list[Action | Revision]]:
    """A deal and up to that many entries: sensible play with undos and restarts at random.

    played: how many actions of sensible play lie before the deal, which is then in mid-game.
    """
    chance = random.Random(seed)
    deal = sensible_position(seed, played, suits, rules).to_deal()
    position, record = Position(deal), list[Action | Revision]()
    while len(record) < entries:
        legal, luck = list(position.legal_actions()), chance.random()
        if luck < 0.03 or not legal:
            record.append(Revision.RESTART)
            position = Position(deal)
        elif luck < 0.25 and position.history:
            record.append(Revision.UNDO)
            position.pop()
        else:
            record += chance.choices(legal, [_weight(position, action) for action in legal])
            position.push(record[-1])
        if not legal and not position.history and not list(position.legal_actions()):
            break
    return deal, record


def write_game(
    deal: Deal,
    actions: Sequence[Action | Revision],
    format: Literal["text", "json"] = "text",
    comments: Sequence[str] = (),
) -> str:
    """The recorded game of a deal and what was played on it, as text or JSON."""
    return write_recorded(recorded_game(deal, actions, comments=comments), format)


def _weight(position: Position, action: Action) -> float:
    if not isinstance(action, Move):
        return 0.3
    source, target = position.columns[action.source], position.columns[action.target]
    whole = action.count == position.run_length(action.source)
    if not target:
        return 0.5 if whole and action.count < len(source) else 0.01
    if target[-1] == source[-action.count] + 1 and whole:
        return 200.0
    return 2.0 if whole else 0.02


def cards(text: str) -> list[int]:
    """``"KS QS"`` as cards."""
    return [parse_card(word) for word in text.split()]


def run(high: int, low: int, suit: int = 0) -> list[int]:
    """The cards of one suit from a rank down to another."""
    return [card(rank, suit) for rank in range(high, low - 1, -1)]


def position_of(
    columns: Sequence[str | Iterable[int]],
    face_down: Sequence[int] | None = None,
    stock: str | Iterable[int] = (),
    rules: RowRule = RowRule.STANDARD,
) -> Position:
    """A position with these columns (texts or cards), for one rule at a time.

    Columns left out are empty, all cards are face up unless told. It isn't checked: the rest
    of the 104 cards need not be anywhere.
    """
    tableau = [tuple(cards(c) if isinstance(c, str) else c) for c in columns]
    tableau += [()] * (COLUMNS - len(tableau))
    down = [*(face_down or ()), *[0] * COLUMNS][:COLUMNS]
    undealt = cards(stock) if isinstance(stock, str) else stock
    return Position(Deal(tuple(tableau), tuple(down), tuple(undealt), (), rules))


def endgame(columns: Sequence[str | Iterable[int]], face_down: Sequence[int] = ()) -> Deal:
    """A checked deal whose columns hold some full suits of spades; the rest is completed."""
    tableau = [cards(c) if isinstance(c, str) else list(c) for c in columns]
    tableau += [[] for _ in range(COLUMNS - len(tableau))]
    left = sum(map(len, tableau)) // len(full_suits([0]))
    down = [*face_down, *[0] * COLUMNS][:COLUMNS]
    return Deal.make(tableau, (), down, [0] * (8 - left))


def one_move_from_won() -> Deal:
    """Seven runs completed; King to Two in column 1, the Ace in column 2."""
    return endgame([run(KING, 2), run(ACE, ACE)])
