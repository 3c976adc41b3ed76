"""Deals, positions and recorded games for tests: by random play, and built by hand."""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence

from spider_solver.cards import ACE, KING, UNKNOWN, card, parse_card
from spider_solver.deal import COLUMNS, Deal, RowRule, full_suits
from spider_solver.formats import write_game
from spider_solver.game import ROW, Action, Move, Position
from spider_solver.notation import Revision, parse_action
from spider_solver.numbering import deal_from_number
from spider_solver.recorded_games import recorded_game


def random_actions(
    seed: int,
    actions: int,
    suits: int = 4,
    rules: RowRule = RowRule.STANDARD,
    number: int | None = None,
) -> tuple[Deal, list[Action]]:
    """Return a native deal and at most that many random legal actions on it.

    The result depends on the arguments only. About one action in fifteen is a row.

    number: the number of the deal; the seed if None.
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
    """Return the position after at most that many random legal actions on a native deal."""
    deal, played = random_actions(seed, actions, suits, rules)
    position = Position(deal)
    for action in played:
        position.push(action)
    return position


def sensible_position(
    seed: int, actions: int, suits: int = 1, rules: RowRule = RowRule.STANDARD
) -> Position:
    """Return a position as ``random_position`` does, but after play that completes some runs.

    Moves of a run onto its own suit are the most likely, then others onto cards, then rows.
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
    """Return a deal and at most that many entries: sensible play, with random undos and restarts.

    played: the number of actions of sensible play before the deal, which is then in mid-game.
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


def game_text(
    deal: Deal,
    actions: Sequence[Action | Revision],
    format: str = "text",
    comments: Sequence[str] = (),
) -> str:
    """Return the recorded game of a deal and the actions on it, as text or JSON."""
    return write_game(recorded_game(deal, actions, comments=comments), format)


def _weight(position: Position, action: Action) -> float:
    """Return how likely sensible play chooses an action, relative to the others."""
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
    """Return the cards of a text such as ``KS QS``."""
    return [parse_card(word) for word in text.split()]


def run(high: int, low: int, suit: int = 0) -> list[int]:
    """Return the cards of one suit from a rank down to another."""
    return [card(rank, suit) for rank in range(high, low - 1, -1)]


def position_of(
    columns: Sequence[str | Iterable[int]],
    face_down: Sequence[int] | None = None,
    stock: str | Iterable[int] = (),
    rules: RowRule = RowRule.STANDARD,
) -> Position:
    """Return a position with these columns, each a text or a list of cards.

    Missing columns are empty. Without ``face_down`` all cards are face up. The cards are not
    checked, so most of the 104 cards may be missing.
    """
    tableau = [tuple(cards(c) if isinstance(c, str) else c) for c in columns]
    tableau += [()] * (COLUMNS - len(tableau))
    down = [*(face_down or ()), *[0] * COLUMNS][:COLUMNS]
    undealt = cards(stock) if isinstance(stock, str) else stock
    return Position(Deal(tuple(tableau), tuple(down), tuple(undealt), (), rules))


def endgame(columns: Sequence[str | Iterable[int]], face_down: Sequence[int] = ()) -> Deal:
    """Return a checked deal with full suits of spades in its columns; the others are completed."""
    tableau = [cards(c) if isinstance(c, str) else list(c) for c in columns]
    tableau += [[] for _ in range(COLUMNS - len(tableau))]
    left = sum(map(len, tableau)) // len(full_suits([0]))
    down = [*face_down, *[0] * COLUMNS][:COLUMNS]
    return Deal.make(tableau, (), down, [0] * (8 - left))


def with_unknown(deal: Deal, places: Iterable[tuple[int, int]], name: str = "") -> Deal:
    """Return a deal with unknown cards at some places.

    places: the index of a column, or COLUMNS for the stock, and of a card in it.
    """
    *tableau, stock = [list(column) for column in (*deal.columns, deal.stock)]
    for column, index in places:
        (*tableau, stock)[column][index] = UNKNOWN
    return Deal.make(
        tableau,
        stock,
        deal.face_down,
        deal.completed,
        rules=deal.rules,
        name=name,
        suits=deal.suits,
    )


def hidden_places(deal: Deal) -> list[tuple[int, int]]:
    """Return the places of the face-down cards and of the stock, as ``with_unknown`` takes them."""
    heights = (*deal.face_down, len(deal.stock))
    return [(column, index) for column, height in enumerate(heights) for index in range(height)]


def two_aces() -> tuple[Deal, list[Action]]:
    """Return a deal whose unknown cards are the aces of spades and hearts, and a line of play.

    The line wins both orders: it exchanges the aces if they lie on the wrong suits, and two other
    aces of spades if they do not.
    """
    columns: list[list[int]] = [[UNKNOWN, *cards("2S")], [UNKNOWN, *cards("2S")]]
    columns += [[*cards("AS"), *run(13, 2)], [*cards("AS"), *run(13, 2, suit=1)], []]
    columns += [run(13, 3), run(13, 3), [], [], []]
    deal = Deal.make(columns, (), [1, 1, *[0] * 8], [0, 1, 1, 1])
    line = "1-6x1 2-7x1 1-3x1 2-4x1 3-5x1 4-3x1 5-4x1 3-6x1 4-7x1"
    return deal, [action for action in map(parse_action, line.split()) if isinstance(action, Move)]


def one_move_from_won() -> Deal:
    """Return a deal with seven completed runs, King to Two in column 1 and the Ace in column 2."""
    return endgame([run(KING, 2), run(ACE, ACE)])
