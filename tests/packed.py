"""Kernels called from Python, one state at a time; positions to try them on; references.

A reference is a slow, obvious implementation of what a kernel computes.
"""

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
from spider_solver.kernels import apply, keys, layout, moves
from spider_solver.kernels.beam import children, evaluation, records

KEYS = keys.make_keys()
WEIGHTS = evaluation.Weights().record()
MODES = {1: (0,) * 8, 2: (0, 1) * 4, 4: (0, 1, 2, 3) * 2}


class Packed:
    """A deal as a packed state, to be played on by kernels.

    ``state`` is the state now, ``child`` is where ``make`` writes.
    """

    def __init__(self, deal: Deal) -> None:
        state, self.root = layout.pack(deal)
        self.problem = records.Problem(self.root, KEYS, WEIGHTS)
        self.states = np.zeros(2, layout.STATE)
        self.states.view(np.uint8)[:] = 0xFF  # kernels find used memory
        self.states[0] = state
        self.column_keys = np.zeros(2, records.COLUMN_KEYS)
        self.scratch = layout.new_record(records.SCRATCH)
        self.scratch["scan"]["start"] = self.scratch["scan"]["run"] = -1
        self.codes = np.zeros(moves.MAX_CODES, np.int16)
        self.node = self.evaluate(self.state)
        self.fill_in()

    @property
    def state(self) -> np.void:
        return self.states[0]

    @property
    def child(self) -> np.void:
        return self.states[1]

    def fill_in(self) -> None:
        """Compute the node and the columns' keys from scratch."""
        self.node = self.evaluate(self.state)
        children.set_column_keys(self.problem, self.state, self.column_keys[0])

    def evaluate(self, state: np.void) -> np.void:
        """A new node for a state, computed from scratch."""
        node = layout.new_record(records.NODE)
        children.evaluate_node(self.problem, state, node, self.scratch["prospects"])
        return node

    def legal(self, move_set: int = moves.ALL_MOVES) -> list[Action]:
        """The moves that ``generate`` finds, and the row."""
        layout.scan_columns(self.state, self.scratch["scan"])
        count = moves.generate(self.state, self.scratch["scan"], move_set, self.codes)
        found = [moves.decode(int(code)) for code in self.codes[:count]]
        return [*found, ROW] if self.may_deal_row() else found

    def may_deal_row(self) -> bool:
        state = self.state
        return bool(layout.may_deal_row(state["rows_dealt"], state["face_up"], self.root))

    def expand(self, move_set: int = moves.ALL_MOVES) -> np.ndarray:
        """The children by moves, as ``expand_moves`` computes them."""
        count = children.expand_moves(
            self.problem, self.state, self.column_keys[0], self.node, move_set, self.scratch
        )
        return self.scratch["children"][:count].copy()

    def expand_row(self) -> Any:
        """The child by a row, as ``expand_row`` computes it."""
        children.expand_row(self.problem, self.state, self.column_keys[0], self.node, self.scratch)
        return self.scratch["children"][0].copy()

    def make(self, action: Action) -> int:
        """Write the state after an action to ``child``; return the number of completed runs."""
        scan = self.scratch["scan"]
        layout.scan_columns(self.state, scan)
        code = moves.encode(action)
        return int(apply.apply_action(self.state, scan, code, self.root, self.child))

    def push(self, action: Action) -> int:
        """Play an action; return the number of completed runs."""
        count = self.make(action)
        self.states[:] = self.states[[1, 0]]
        self.fill_in()
        return count

    def unpack(self) -> tuple[list[list[int]], list[int], list[int]]:
        """The state's columns, face-down counts and stock, as game.Position has them."""
        columns, start = [], 0
        for column in range(COLUMNS):
            up, down = int(self.state["face_up"][column]), int(self.state["face_down"][column])
            face_up = (self.state["cards"][start : start + up] & layout.FACE).tolist()
            columns.append(self.root["hidden"][column, :down].tolist() + face_up)
            start += up
        dealt = int(self.state["rows_dealt"]) * ROW_CARDS
        stock = self.root["stock"][dealt : int(self.root["rows"]) * ROW_CARDS].tolist()
        return columns, self.state["face_down"].astype(int).tolist(), stock


def same_node(one: Any, other: Any) -> bool:
    """Whether two nodes agree in everything that describes their states."""
    names = ("key", "class_key", "group", "score", "completed")
    return all(one[name] == other[name] for name in names)


def moves_in_set(position: Position, move_set: int) -> set[Move]:
    """The legal moves that are in a move set, by its documentation in moves.py."""
    empty = [i for i, column in enumerate(position.columns) if not column]

    def stays(move: Move) -> bool:
        if move.target in empty:
            return move.target == empty[0] and move.count < len(position.columns[move.source])
        return move_set == moves.NO_EQUIVALENTS or move.count == position.run_length(move.source)

    return set(filter(stays, position.legal_moves()))


def reference_state(position: Position) -> object:
    """Equal for two positions of one search exactly if their Zobrist keys must be equal."""
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


def reference_class(position: Position) -> object:
    """Equal for two positions of one search exactly if their class keys must be equal."""
    last = not position.stock
    found: list[tuple[object, ...]] = []
    for i, down, up in _columns(position):
        name = -1 if last else i
        if not up:
            continue
        found.append(("down", i, down) if down else ("bottom", name, up[0]))
        for height in range(1, len(up)):
            if rank_of(up[height - 1]) != rank_of(up[height]) + 1:
                found.append(("break", name, height, up[height - 1], up[height]))
    return tuple(sorted(found, key=repr))


def reference_score(position: Position, weights: evaluation.Weights) -> int:
    """The score by its definition at the head of evaluation.py."""
    score = weights.completed_run * len(position.completed)
    ends = [column[-1] for column in position.columns if column]
    row = position.stock[:ROW_CARDS]
    for i, down, up in _columns(position):
        score += weights.face_down * down
        if not up:
            score += weights.empty_column
            continue
        score += weights.king_base * (not down and rank_of(up[0]) == KING)
        runs, sequences = [[up[0]]], [[up[0]]]
        for under, card in pairwise(up):
            step = rank_of(under) == rank_of(card) + 1
            if step and under == card + 1:
                runs[-1].append(card)
            else:
                runs.append([card])
                score += weights.off_suit * step
            if step:
                sequences[-1].append(card)
            else:
                sequences.append([card])
        for run_ in runs:
            score += weights.pair * (len(run_) - 1) + weights.square * (len(run_) ** 2 - 1)
        base, head = sequences[-1][0], runs[-1][0]
        score += weights.reach * any(rank_of(end) == rank_of(base) + 1 for end in ends)
        score += weights.join * any(end == head + 1 for end in ends)
        score += weights.row_fit * bool(row and up[-1] == row[i] + 1)
    return score


def free_deal(seed: int, suits: int = 4, rules: RowRule = RowRule.STANDARD) -> Deal:
    """A position in mid-game with random heights, face-down counts, runs and rows.

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
