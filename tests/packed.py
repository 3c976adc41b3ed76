"""Helpers for the tests of kernels: calls, reference implementations and random positions.

- ``Packed`` calls kernels from Python on one state.
- A reference implementation is a slow and obvious implementation of what a kernel computes.
- ``mid_game_deal`` and ``random_action`` produce positions on which the two are compared.
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
from spider_solver.kernels.beam import children, evaluation, nodes, records

NUMBERS = keys.make_numbers()  # the random numbers of Zobrist keys
WEIGHTS = evaluation.Weights().record()
SUIT_MODES = {1: (0,) * 8, 2: (0, 1) * 4, 4: (0, 1, 2, 3) * 2}  # the suits of the eight sets


class Packed:
    """A packed state, which starts as a deal and on which actions are played."""

    def __init__(self, deal: Deal) -> None:
        state, self.root = layout.pack(deal)
        self.problem = records.Problem(self.root, NUMBERS, WEIGHTS)
        self.states = np.zeros(2, layout.STATE)
        # Kernels must not depend on what was in memory before. In a search it is an older state.
        self.states.view(np.uint8)[:] = 0xFF
        self.states[0] = state
        self.column_data = np.zeros(2, records.COLUMN_DATA)
        self.scratch = layout.new_record(records.SCRATCH)
        self.scratch["scan"]["start"] = self.scratch["scan"]["run_length"] = -1
        self.codes = np.zeros(moves.MAX_CODES, np.int16)
        self.evaluate_state()

    @property
    def state(self) -> np.void:
        """The present state."""
        return self.states[0]

    @property
    def child(self) -> np.void:
        """The state that ``make`` made last."""
        return self.states[1]

    def evaluate_state(self) -> None:
        """Compute the node and the column data of the present state from scratch."""
        self.node = self.evaluate(self.state)
        nodes.set_column_data(self.problem, self.state, self.column_data[0])

    def evaluate(self, state: np.void) -> np.void:
        """Return a new node of a state, computed from scratch."""
        node = layout.new_record(records.NODE)
        nodes.evaluate_node(self.problem, state, node, self.scratch["prospects"])
        return node

    def legal(self, move_set: int = moves.ALL_MOVES) -> list[Action]:
        """Return the moves that ``generate`` finds, and the row at the end if it is legal."""
        layout.scan_columns(self.state, self.scratch["scan"])
        count = moves.generate(self.state, self.scratch["scan"], move_set, self.codes)
        found = [moves.decode(int(code)) for code in self.codes[:count]]
        return [*found, ROW] if self.may_deal_row() else found

    def may_deal_row(self) -> bool:
        """Return whether a row may be dealt."""
        state = self.state
        return bool(layout.may_deal_row(state["rows_dealt"], state["face_up"], self.root))

    def expand(self, move_set: int = moves.ALL_MOVES) -> np.ndarray:
        """Return the children by moves, as ``expand_moves`` computes them: NODE records."""
        count = children.expand_moves(
            self.problem, self.state, self.column_data[0], self.node, move_set, self.scratch
        )
        return self.scratch["children"][:count].copy()

    def expand_row(self) -> Any:
        """Return the child by a row, as ``expand_row`` computes it: a NODE record."""
        children.expand_row(self.problem, self.state, self.column_data[0], self.node, self.scratch)
        return self.scratch["children"][0].copy()

    def make(self, action: Action) -> int:
        """Write the state after an action to ``child``. Returns the number of completed runs."""
        scan = self.scratch["scan"]
        layout.scan_columns(self.state, scan)
        code = moves.encode(action)
        return int(apply.apply_action(self.state, scan, code, self.root, self.child))

    def push(self, action: Action) -> int:
        """Play an action. Returns the number of completed runs."""
        count = self.make(action)
        self.states[:] = self.states[[1, 0]]
        self.evaluate_state()
        return count

    def unpack(self) -> tuple[list[list[int]], list[int], list[int]]:
        """Return the columns, the face-down counts and the stock as game.Position has them."""
        columns, start = [], 0
        for column in range(COLUMNS):
            up, down = int(self.state["face_up"][column]), int(self.state["face_down"][column])
            face_up = (self.state["cards"][start : start + up] & layout.CARD).tolist()
            columns.append(self.root["face_down_cards"][column, :down].tolist() + face_up)
            start += up
        dealt = int(self.state["rows_dealt"]) * ROW_CARDS
        stock = self.root["stock"][dealt : int(self.root["rows"]) * ROW_CARDS].tolist()
        return columns, self.state["face_down"].astype(int).tolist(), stock


def same_node(node: Any, other: Any) -> bool:
    """Return whether two nodes agree in all fields that describe their states."""
    names = ("key", "class_key", "group", "score", "completed", "joins")
    return all(node[name] == other[name] for name in names)


# Reference implementations


def moves_in_set(position: Position, move_set: int) -> set[Move]:
    """Return the legal moves that are in a move set other than ALL_MOVES.

    The comments on the constants in kernels/moves.py define the sets.
    """
    empty = [i for i, column in enumerate(position.columns) if not column]

    def is_in_set(move: Move) -> bool:
        if move.target in empty:
            return move.target == empty[0] and move.count < len(position.columns[move.source])
        return move_set == moves.NO_EQUIVALENTS or move.count == position.run_length(move.source)

    return set(filter(is_in_set, position.legal_moves()))


def reference_state(position: Position) -> object:
    """Return an object in place of the Zobrist key.

    For two positions of one search, these objects are equal exactly if their Zobrist keys must be
    equal.
    """
    columns = _columns(position)
    if not position.stock:  # only face-down cards still tell the columns apart
        columns = sorted((down and i + 1, down, up) for i, down, up in columns)
    return tuple(columns)


def _columns(position: Position) -> list[tuple[int, int, tuple[int, ...]]]:
    """Return for each column its index, its face-down count and its face-up cards."""
    return [
        (i, down, tuple(column[down:]))
        for i, (column, down) in enumerate(zip(position.columns, position.face_down, strict=True))
    ]


def reference_class(position: Position) -> object:
    """Return an object in place of the class key, as ``reference_state`` does for the other key."""
    parts: list[tuple[object, ...]] = []
    for i, down, up in _columns(position):
        column = i if position.stock else -1  # after the last row, all columns are the same
        if not up:
            continue
        parts.append(("face-down", i, down) if down else ("bottom", column, up[0]))
        for height in range(1, len(up)):
            if rank_of(up[height - 1]) != rank_of(up[height]) + 1:
                parts.append(("break", column, height, up[height - 1], up[height]))
    return tuple(sorted(parts, key=repr))


def reference_score(position: Position, weights: evaluation.Weights) -> int:
    """Return the score by its definition in the docstring of evaluation.py."""
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
        for length in map(len, runs):
            score += weights.pair * (length - 1) + weights.square * (length**2 - 1)
        base, head = sequences[-1][0], runs[-1][0]
        score += weights.reach * any(rank_of(end) == rank_of(base) + 1 for end in ends)
        score += weights.join * any(end == head + 1 for end in ends)
        score += weights.row_fit * bool(row and up[-1] == row[i] + 1)
    return score


# Random positions


def mid_game_deal(seed: int, suits: int = 4, rules: RowRule = RowRule.STANDARD) -> Deal:
    """Return a mid-game position with random heights, face-down counts, runs and rows.

    Half of the cards lie in longer runs, so that completed runs are near. The position need not
    be one that play can lead to.
    """
    rng = random.Random(seed)
    while True:
        sets = list(SUIT_MODES[suits])
        rng.shuffle(sets)
        rows = rng.randint(0, MAX_ROWS)
        completed = rng.randint(0, min(SETS - 1, (DECK - ROW_CARDS * rows - COLUMNS) // KING))
        pieces = [piece for suit in sets[completed:] for piece in random_pieces(rng, suit)]
        rng.shuffle(pieces)
        stock = [card for piece in pieces for card in piece][: ROW_CARDS * rows]
        columns: list[list[int]] = [[] for _ in range(COLUMNS)]
        in_stock = len(stock)
        used = range(rng.choice((0, 0, 1, 3)), COLUMNS)  # the other columns are empty
        for piece in pieces:
            left, in_stock = piece[in_stock:], max(in_stock - len(piece), 0)
            columns[rng.choice(used)] += left
        down = [
            rng.randint(0, max(len(column) - 1, 0)) if rng.random() < 0.6 else 0
            for column in columns
        ]
        rng.shuffle(columns)
        down = [min(d, max(len(c) - 1, 0)) for d, c in zip(down, columns, strict=True)]
        try:
            return Deal.make(columns, stock, down, sets[:completed], rules=rules)
        except DealError:  # a completed run lies at the end of a column
            continue


def random_pieces(rng: random.Random, suit: int) -> Iterator[list[int]]:
    """Yield the cards of one suit from King to Ace in runs of random lengths."""
    high = KING
    while high >= ACE:
        low = rng.randint(ACE, high) if rng.random() < 0.5 else high
        yield run(high, low, suit)
        high = low - 1


def random_action(rng: random.Random, position: Position, legal: list[Action]) -> Action:
    """Return one of the legal actions of a position, often one that lengthens a run."""
    if legal[-1] == ROW and rng.random() < 0.12:
        return ROW
    if rng.random() < 0.5:
        lengthening = [action for action in legal if _lengthens_run(position, action)]
        if lengthening:
            return rng.choice(lengthening)
    return rng.choice(legal)


def _lengthens_run(position: Position, action: Action) -> bool:
    """Return whether an action moves a whole run onto the next card of its suit."""
    if not isinstance(action, Move):
        return False
    source, target = position.columns[action.source], position.columns[action.target]
    whole = action.count == position.run_length(action.source)
    return whole and bool(target) and target[-1] == source[-action.count] + 1
