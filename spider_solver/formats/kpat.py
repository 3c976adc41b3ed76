"""kpat: KPatience's saved games, XML as ``DealerScene::saveFile`` in its ``dealer.cpp`` writes it.

``<kpat-game game-type="spider" game-type-options="SUITS" deal-number="N">`` holds the whole
game as ``<state>`` elements. The first is the deal, the one with ``current="true"`` is the
present position (the last, if none is), those after it wait for a redo and are left aside.
Each state lists in ``<move pile="stack0" position="0">`` the cards that came to a pile,
``<card id suit rank turn>``, turn only where a card's face changes.

Piles: ``redeals0`` to ``redeals4``, the stock's rows, each dealt from its top card, which is
listed last; ``stack0`` to ``stack9``, the columns; ``legs0`` to ``legs7``, completed runs.
A completed run that KPatience was yet to take away, as in its demo, is counted as completed.

``read`` gives the present position and ``positions`` all from the deal to it. A save has no
place for the rule for rows, and for other numbers than KPatience's.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import permutations

from ..cards import ACE, KING, RANK_NAMES, SUIT_NAMES, card, is_red, rank_of, suit_of
from ..deal import COLUMNS, MAX_ROWS, ROW_CARDS, SETS, Deal, RowRule, ends_in_full_run
from ..errors import DealError
from ..numbering import deal_of_name, number_of
from ..numbering import kpat as numbers
from ..numbering.grammar import split_number
from ..words import counted, quote
from . import xml
from .layout import MAX_CARDS, Layout, count_face_down, has_number, whole_runs
from .source import place

MAX_STATES = 20_000
_GAME, _STATE, _MOVE, _CARD = "kpat-game", "state", "move", "card"
_INSIDE = {_GAME: "", _STATE: _GAME, _MOVE: _STATE, _CARD: _MOVE}
_OLD_GAME = "dealer"  # of KPatience's older saves
_BEGINNINGS = ("<?xml", "<!DOCTYPE", f"<{_GAME}", f"<{_OLD_GAME}", "<!--")
_REDEALS = [f"redeals{i}" for i in range(MAX_ROWS)]
_STACKS = [f"stack{i}" for i in range(COLUMNS)]
_LEGS = [f"legs{i}" for i in range(SETS)]
_UP, _DOWN = "face-up", "face-down"
_ID_SUITS = ("clubs", "diamonds", "hearts", "spades")  # in the order of KCardDeck::Suit
_NO_NUMBER = 0


def detect(text: str) -> bool:
    """True if the text begins as an XML document does."""
    return text.lstrip("\ufeff \t\r\n").startswith(_BEGINNINGS)


def read(text: str, name: str = "") -> Deal:
    """The present position of a saved game. Raises DealError."""
    layouts = _layouts(text, name)
    first = layouts[0].to_deal(name)  # which is held to the save's number
    return first if len(layouts) == 1 else layouts[-1].to_deal(name)


def positions(text: str, name: str = "") -> list[Deal]:
    """The deal, then the position after each state up to the present one. Raises DealError.

    Under the relaxed rule for rows, by which KPatience plays.
    """
    return [layout.to_deal(name).with_rules(RowRule.RELAXED) for layout in _layouts(text, name)]


def _layouts(text: str, name: str) -> list[Layout]:
    """What ``positions`` gives, before the check of the cards; at least one."""
    save = _Save()
    xml.parse(text, name, save.start, save.end)
    if not save.layouts:
        raise DealError(f"{place(name)}a saved game without a state: nothing was dealt")
    return save.layouts


@dataclass(slots=True)
class _Save:
    """A saved game as it is read: where every card is after the states so far."""

    options: str = ""
    number: str = ""
    layouts: list[Layout] = field(default_factory=list)
    present: bool = False  # whether the state that is marked as current was read
    inside: list[str] = field(default_factory=lambda: [""])
    piles: dict[str, list[str]] = field(
        default_factory=lambda: {pile: [] for pile in (*_REDEALS, *_STACKS, *_LEGS)}
    )
    cards: dict[str, int] = field(default_factory=dict)  # by id
    pile_of: dict[str, str] = field(default_factory=dict)
    face_down: dict[str, bool] = field(default_factory=dict)
    pile: str = ""
    position: int = 0
    is_current: bool = False

    def start(self, tag: str, attributes: Mapping[str, str]) -> None:
        """An element begins."""
        parent = self.inside[-1]
        if tag == _OLD_GAME and not parent:
            raise DealError(
                "a saved game of an old KPatience, which isn't read: open it in a new one and save"
                " it again"
            )
        if _INSIDE.get(tag) != parent:
            where = f"inside <{parent}>" if parent else "as its first element"
            raise DealError(
                f"no saved game of KPatience: <{quote(tag)[1:-1]}> stands {where} where"
                f" {'nothing' if parent == _CARD else 'another'} belongs"
            )
        self.inside.append(tag)
        if self.present:
            return
        if tag == _GAME:
            self._start_game(attributes)
        elif tag == _STATE:
            if len(self.layouts) >= MAX_STATES:
                raise DealError(f"more than {MAX_STATES} states: not read")
            self.is_current = attributes.get("current") == "true"
        elif tag == _MOVE:
            self.pile, self.position = attributes.get("pile", ""), _whole(attributes, "position")
            if self.pile not in self.piles:
                raise DealError(f"{quote(self.pile)} is no pile of Spider: expected like stack0")
        else:
            self._place(attributes)

    def end(self, tag: str) -> None:
        """An element ends."""
        self.inside.pop()
        if tag == _STATE and not self.present:
            self._sweep()
            self.layouts.append(self._layout())
            self.present = self.is_current

    def _start_game(self, attributes: Mapping[str, str]) -> None:
        game = attributes.get("game-type", "")
        if game != "spider":
            raise DealError(f"a saved game of {quote(game)}: expected one of spider")
        self.options = attributes.get("game-type-options", "")
        if self.options not in map(str, numbers.SUITS_OF_MODE):
            raise DealError(
                f"game-type-options {quote(self.options)}: expected the number of suits, 1 to 4"
            )
        number = _whole(attributes, "deal-number")
        self.number = "" if number == _NO_NUMBER else f"{numbers.SCHEME.name}:{number}"

    def _place(self, attributes: Mapping[str, str]) -> None:
        """A card goes to the pile at the position, and leaves where it was."""
        name = attributes.get("id", "")
        suit, rank = attributes.get("suit", ""), attributes.get("rank", "")
        if suit not in SUIT_NAMES or rank not in RANK_NAMES:
            raise DealError(
                f"{quote(f'{rank} of {suit}')} is no card: expected words like ten, spades"
            )
        one = card(RANK_NAMES.index(rank) + 1, SUIT_NAMES.index(suit))
        if self.cards.setdefault(name, one) != one:
            raise DealError(f"card {quote(name)} is two different cards: expected another id")
        if len(self.cards) > MAX_CARDS:
            raise DealError(f"more than {MAX_CARDS} cards")
        turn = attributes.get("turn")
        if turn not in (_UP, _DOWN) and (turn is not None or name not in self.face_down):
            raise DealError(f"turn {quote(turn or '')}: expected {_UP} or {_DOWN}")
        if turn is not None:
            self.face_down[name] = turn == _DOWN
        if name in self.pile_of:
            self.piles[self.pile_of[name]].remove(name)
        pile = self.piles[self.pile]
        if self.position > len(pile):
            raise DealError(
                f"position {self.position} of {self.pile}, which has {len(pile)} cards: expected"
                " none left out"
            )
        pile.insert(self.position, name)
        self.pile_of[name] = self.pile
        self.position += 1

    def _sweep(self) -> None:
        """Take away what KPatience's own rules take away next: whole runs."""
        for stack in _STACKS:
            pile = self.piles[stack]
            down = sum(self.face_down[name] for name in pile)
            leg = next((leg for leg in _LEGS if not self.piles[leg]), None)
            if leg is None or not ends_in_full_run([self.cards[name] for name in pile], down):
                continue
            run = pile[-KING:]
            del pile[-KING:]
            self.piles[leg] += run
            self.pile_of.update((name, leg) for name in run)
            if pile:
                self.face_down[pile[-1]] = False

    def _layout(self) -> Layout:
        layout = Layout(label=self.number, suits=int(self.options))
        face_down = []
        for number, stack in enumerate(_STACKS, 1):
            try:
                hidden = [self.face_down[name] for name in self.piles[stack]]
                face_down.append(count_face_down(hidden))
            except DealError as error:
                raise DealError(f"column {number}: {error}") from None
        layout.face_down = face_down
        layout.columns = [self._cards_of(stack) for stack in _STACKS]
        layout.stock = [one for pile in _REDEALS for one in reversed(self._cards_of(pile))]
        for pile in _REDEALS:
            if len(self.piles[pile]) not in (0, ROW_CARDS):
                layout.notes.append(f"{pile} has {len(self.piles[pile])} cards, not ten or none")
        layout.completed = whole_runs(one for leg in _LEGS for one in self._cards_of(leg))
        return layout

    def _cards_of(self, pile: str) -> list[int]:
        return [self.cards[name] for name in self.piles[pile]]


def _whole(attributes: Mapping[str, str], key: str) -> int:
    text = attributes.get(key, "")
    if not (text.isascii() and text.isdigit() and len(text) <= 10):
        raise DealError(f"{key} {quote(text)}: expected a whole number")
    return int(text)


# Writing.


def write(deal: Deal) -> str:
    """The deal as a saved game of one state, which KPatience opens.

    The suits are given other names where KPatience's decks have others (see ``omits``).
    DealError if it has no deck of so many cards of each suit.
    """
    mode, renamed = _deck_for(deal)
    ids = _Ids(mode, renamed)
    rows = len(deal.stock) // ROW_CARDS
    state = len(deal.completed) * 10 + MAX_ROWS - rows
    lines = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        f'<{_GAME} game-type="spider" game-type-options="{mode}"'
        f' deal-number="{_number_of(deal, renamed)}">',
        f'\t<{_STATE} game-specific-state="{state}" current="true">',
    ]
    for number in range(rows):
        row = deal.stock[number * ROW_CARDS : (number + 1) * ROW_CARDS]
        lines += _move(_REDEALS[MAX_ROWS - rows + number], 0, ids.lines(row[::-1], _DOWN))
    for stack, column, down in zip(_STACKS, deal.columns, deal.face_down, strict=True):
        lines += _move(stack, 0, ids.lines(column[:down], _DOWN))
        lines += _move(stack, down, ids.lines(column[down:], _UP))
    for leg, suit in zip(_LEGS, deal.completed, strict=False):
        run = [card(rank, suit) for rank in range(KING, ACE - 1, -1)]
        lines += _move(leg, 0, ids.lines(run, _UP))
    return "\n".join([*lines, f"\t</{_STATE}>", f"</{_GAME}>", ""])


def omits(deal: Deal) -> list[str]:
    """What of the deal a save doesn't hold, or holds otherwise, one sentence each."""
    found = []
    mode, renamed = _deck_for(deal)
    for old, new in renamed.items():
        if old != new:
            found.append(
                f"{SUIT_NAMES[old]} became {SUIT_NAMES[new]}, which KPatience has with"
                f" {counted(mode, 'suit')}"
            )
    if _number_of(deal, renamed) == _NO_NUMBER:
        which = f"the number {deal.name}" if has_number(deal) else "a deal number"
        found.append(f"the file doesn't hold {which}: Restart Deal in KPatience deals another deal")
    if deal.rules is RowRule.RELAXED:
        found.append("the file doesn't hold the rule for rows (relaxed), but KPatience plays by it")
    return found


def _number_of(deal: Deal, renamed: Mapping[int, int]) -> int:
    """The deal's number in KPatience, 0 if it has none there."""
    numbered = deal_of_name(deal)
    if numbered is None or any(old != new for old, new in renamed.items()):
        return _NO_NUMBER
    if deal.fresh and number_of(deal) is None:  # in mid-game the cards can't contradict the name
        return _NO_NUMBER
    parts = split_number(numbered.name)
    assert parts is not None  # the name of a numbered deal is canonical
    return parts.value if parts.scheme == numbers.SCHEME.name else _NO_NUMBER


def _deck_for(deal: Deal) -> tuple[int, dict[int, int]]:
    """KPatience's suit mode for a deal, and the suit that each of the deal's suits gets.

    Suits keep their names if they can, else their colours.
    """
    cards = [*deal.stock, *(one for column in deal.columns for one in column)]
    have = Counter(suit_of(one) for one in cards if rank_of(one) == ACE) + Counter(deal.completed)
    best: tuple[tuple[int, int], int, dict[int, int]] | None = None
    for mode, suits in numbers.SUITS_OF_MODE.items():
        want = Counter(suits * 2)
        for names in permutations(want):
            renamed = dict(zip(sorted(have), names, strict=False))
            if len(want) != len(have) or any(want[renamed[suit]] != have[suit] for suit in have):
                continue
            kept = (
                sum(old == new for old, new in renamed.items()),
                sum(is_red(old << 4) == is_red(new << 4) for old, new in renamed.items()),
            )
            if best is None or kept > best[0]:
                best = kept, mode, renamed
    if best is None:
        counts = ", ".join(f"{SUIT_NAMES[suit]} x{count}" for suit, count in sorted(have.items()))
        raise DealError(
            f"KPatience has no deck of {counts}: it has eight suits alike, two by four, four and"
            " two by two, or four by two"
        )
    return best[1], best[2]


class _Ids:
    """Hands out the ids that KPatience's deck of a suit mode has for its cards, each once."""

    def __init__(self, mode: int, renamed: Mapping[int, int]) -> None:
        self._renamed = renamed
        self._free: dict[int, list[int]] = {}
        for number, one in enumerate(numbers.deck(mode)):
            suit = _ID_SUITS.index(SUIT_NAMES[suit_of(one)])
            self._free.setdefault(one, []).append(number << 16 | suit << 8 | rank_of(one))

    def lines(self, cards: Sequence[int], turn: str) -> Iterator[str]:
        """A ``<card>`` element for each card."""
        for one in cards:
            suit = self._renamed[suit_of(one)]
            identity = self._free[card(rank_of(one), suit)].pop(0)
            yield (
                f'\t\t\t<{_CARD} id="{identity:07}" suit="{SUIT_NAMES[suit]}"'
                f' rank="{RANK_NAMES[rank_of(one) - 1]}" turn="{turn}"/>'
            )


def _move(pile: str, position: int, cards: Iterator[str]) -> list[str]:
    lines = list(cards)
    if not lines:
        return []
    return [f'\t\t<{_MOVE} pile="{pile}" position="{position}">', *lines, f"\t\t</{_MOVE}>"]
