"""Kernels from Python, one state at a time; positions to try them on; slow obvious twins."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import numpy as np
from play import run

from spider_solver.cards import ACE, KING, rank_of
from spider_solver.deal import COLUMNS, DECK, MAX_ROWS, ROW_CARDS, SETS, Deal, RowRule
from spider_solver.errors import DealError
from spider_solver.game import ROW, Action, Move, Position
from spider_solver.kernels import children, evaluate, layout, moves, zobrist

KEYS = zobrist.make_keys()
WEIGHTS = evaluate.Weights().array()
MODES = {1: (0,) * 8, 2: (0, 1) * 4, 4: (0, 1, 2, 3) * 2}


class Packed:
    """A layout as a packed state, to be played on by kernels.

    ``state`` is its row of ``states``. Another row is where ``make`` writes.
    """

    def __init__(self, deal: Deal) -> None:
        state, self.root = layout.pack(deal)
        self.states = np.zeros((2, layout.STATE_BYTES), np.uint8)
        self.states[0] = state
        self.states[1] = 0xFF  # what kernels find in a used row
        self.work = np.full(layout.WORK, -1, np.int64)
        self.columns = np.zeros(2 * children.SCRATCH, np.uint64)
        self.scratch = np.full((1, layout.STATE_BYTES), 0xFF, np.uint8)
        self.kids = children.make_children()
        self.plain = np.zeros((2, COLUMNS), np.uint64)
        self.node = children.make_nodes(1)[0]
        self.fill_in()

    @property
    def state(self) -> np.ndarray:
        return self.states[0]

    def fill_in(self) -> None:
        """The node and the columns' keys from scratch."""
        self.node = self.from_scratch(self.states, 0)
        last = self.states[0, layout.STAGE] == self.root.fixed[layout.ROWS]
        children.column_keys(self.states, self.plain, 0, last, KEYS)

    def from_scratch(self, states: np.ndarray, at: int) -> Any:
        """A node of its own for the state in a row."""
        node = children.make_nodes(1)[0]
        children.work_out(
            node, states, at, self.root.stock, self.root.fixed, KEYS, WEIGHTS, self.columns
        )
        return node

    def legal(self, reduced: int = moves.ALL) -> list[Action]:
        """The moves that ``generate`` finds, and the row."""
        layout.scan(self.states, 0, self.work)
        count = moves.generate(self.states, 0, self.work, reduced, self.kids)
        found = [moves.decode(int(code)) for code in self.kids["code"][:count]]
        return [*found, ROW] if self.can_deal() else found

    def can_deal(self) -> bool:
        return bool(moves.can_deal(self.states, 0, self.root.fixed))

    def expand(self, reduced: int = moves.ALL) -> np.ndarray:
        """The children by moves, as ``children.expand`` sees them."""
        count = children.expand(
            self.states,
            self.plain,
            0,
            self.node,
            reduced,
            *self.root,
            KEYS,
            WEIGHTS,
            self.work,
            self.columns,
            self.scratch,
            self.kids,
        )
        return self.kids[:count].copy()

    def expand_row(self) -> Any:
        """The child by a row, as ``children.expand_row`` sees it."""
        children.expand_row(
            self.states,
            self.plain,
            0,
            self.node,
            *self.root,
            KEYS,
            WEIGHTS,
            self.work,
            self.columns,
            self.scratch,
            self.kids,
        )
        return self.kids[0].copy()

    def make(self, action: Action) -> int:
        """Write the state after an action to row 1; the number of completed runs."""
        layout.scan(self.states, 0, self.work)
        hidden, stock, _ = self.root
        return int(
            moves.make(
                self.states, 0, self.work, moves.encode(action), hidden, stock, self.states, 1
            )
        )

    def push(self, action: Action) -> int:
        """Play an action; the number of completed runs."""
        count = self.make(action)
        self.states[[0, 1]] = self.states[[1, 0]]
        self.fill_in()
        return count


def same_node(one: Any, other: Any) -> bool:
    """Whether two nodes agree in all that says something about their states."""
    return all(one[name] == other[name] for name in ("key", "klass", "group", "score", "runs"))


def reduced_moves(position: Position, reduced: int) -> set[Move]:
    """What ``generate`` leaves of the legal moves when it's told to, by its documentation."""
    empty = [i for i, column in enumerate(position.columns) if not column]

    def stays(move: Move) -> bool:
        if move.target in empty:
            return move.target == empty[0] and move.count < len(position.columns[move.source])
        return reduced == moves.NO_TWINS or move.count == position.run_length(move.source)

    return set(filter(stays, position.legal_moves()))


def state_twin(position: Position) -> object:
    """What two positions of one search have in common exactly if they have one key."""
    columns = _columns(position)
    if not position.stock:
        columns = [(down and i + 1, down, up) for i, down, up in columns]
        columns.sort()
    return tuple(columns)


def _columns(position: Position) -> list[tuple[int, int, tuple[int, ...]]]:
    return [
        (i, down, tuple(column[down:]))
        for i, (column, down) in enumerate(zip(position.columns, position.face_down, strict=True))
    ]


def class_twin(position: Position) -> object:
    """What two positions of one search have in common exactly if they have one class key."""
    last = not position.stock
    found: list[tuple[object, ...]] = []
    for i, down, up in _columns(position):
        name = -1 if last else i
        if not up:
            continue
        found.append(("down", i, down) if down else ("bottom", name, up[0]))
        for height in range(1, len(up)):
            if rank_of(up[height - 1]) != rank_of(up[height]) + 1:
                found.append(("bound", name, height, up[height - 1], up[height]))
    return tuple(sorted(found, key=repr))


def score_twin(position: Position, weights: evaluate.Weights) -> int:
    """The score by its definition at the head of evaluate.py."""
    score = weights.completed * len(position.completed)
    ends = [column[-1] for column in position.columns if column]
    row = position.stock[:ROW_CARDS]
    for i, down, up in _columns(position):
        score += weights.down * down
        if not up:
            score += weights.empty
            continue
        score += weights.king * (not down and rank_of(up[0]) == KING)
        runs, sequences = [[up[0]]], [[up[0]]]
        for under, card in pairwise(up):
            step = rank_of(under) == rank_of(card) + 1
            if step and under == card + 1:
                runs[-1].append(card)
            else:
                runs.append([card])
                score += weights.off * step
            if step:
                sequences[-1].append(card)
            else:
                sequences.append([card])
        for run_ in runs:
            score += weights.pair * (len(run_) - 1) + weights.square * (len(run_) ** 2 - 1)
        base, head = sequences[-1][0], runs[-1][0]
        score += weights.reach * any(rank_of(end) == rank_of(base) + 1 for end in ends)
        score += weights.join * any(end == head + 1 for end in ends)
        score += weights.row * bool(row and up[-1] == row[i] + 1)
    return score


def free_deal(seed: int, suits: int = 4, rules: RowRule = RowRule.STANDARD) -> Deal:
    """A position in mid-game with heights, face-down counts, runs and rows as chance has it.

    Half of the cards lie in longer runs, so that completed runs are near.
    """
    chance = random.Random(seed)
    while True:
        sets = list(MODES[suits])
        chance.shuffle(sets)
        rows = chance.randint(0, MAX_ROWS)
        done = chance.randint(0, min(SETS - 1, (DECK - ROW_CARDS * rows - COLUMNS) // KING))
        pieces = list(_pieces(chance, sets[done:]))
        chance.shuffle(pieces)
        stock = [card for piece in pieces for card in piece][: ROW_CARDS * rows]
        columns: list[list[int]] = [[] for _ in range(COLUMNS)]
        skip = len(stock)
        used = range(chance.choice((0, 0, 1, 3)), COLUMNS)  # leave some empty
        for piece in pieces:
            part, skip = piece[skip:], max(skip - len(piece), 0)
            columns[chance.choice(used)] += part
        down = [
            chance.randint(0, max(len(column) - 1, 0)) if chance.random() < 0.6 else 0
            for column in columns
        ]
        chance.shuffle(columns)
        down = [min(d, max(len(c) - 1, 0)) for d, c in zip(down, columns, strict=True)]
        try:
            return Deal.make(columns, stock, down, sets[:done], rules=rules)
        except DealError:  # a whole run at a column's end
            continue


def _pieces(chance: random.Random, suits: list[int]) -> Iterator[list[int]]:
    for suit in suits:
        high = KING
        while high >= ACE:
            low = chance.randint(ACE, high) if chance.random() < 0.5 else high
            yield run(high, low, suit)
            high = low - 1


def random_action(chance: random.Random, position: Position, legal: list[Action]) -> Action:
    """A legal action: often one that lengthens a run, now and then a row, else any."""
    if legal[-1] == ROW and chance.random() < 0.12:
        return ROW
    if chance.random() < 0.5:
        better = [action for action in legal if _lengthens(position, action)]
        if better:
            return chance.choice(better)
    return chance.choice(legal)


def _lengthens(position: Position, action: Action) -> bool:
    if not isinstance(action, Move):
        return False
    source, target = position.columns[action.source], position.columns[action.target]
    whole = action.count == position.run_length(action.source)
    return whole and bool(target) and target[-1] == source[-action.count] + 1
