"""The kernels, compared with game.py.

Random games are played by both at the same time. After each action, their positions and legal
actions are compared.
"""

from __future__ import annotations

import os
import random
import warnings
from collections.abc import Iterator

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from packed import (
    NUMBERS,
    SUIT_MODES,
    Packed,
    mid_game_deal,
    moves_in_set,
    random_action,
    reference_class,
    reference_score,
    reference_state,
    same_node,
)
from play import cards, endgame, one_move_from_won, position_of, run

from spider_solver.cards import KING, rank_of
from spider_solver.deal import COLUMNS, DECK, Deal, RowRule
from spider_solver.game import ROW, Action, Move, Position
from spider_solver.kernels import apply, keys, layout, moves
from spider_solver.kernels.beam import children, evaluation, nodes
from spider_solver.numbering import deal_from_number

pytestmark = pytest.mark.kernels

KINDS = [(suits, rules) for suits in SUIT_MODES for rules in RowRule]
# Games of each kind from fresh deals, and as many from positions in mid-game. A run with bounds
# checks looks for wrong indices only, and takes longer.
GAMES = 100 if os.environ.get("NUMBA_BOUNDSCHECK") == "1" else 500


class SideBySide:
    """A game that is played by game.py and by the kernels at the same time."""

    def __init__(self, deal: Deal) -> None:
        self.position = Position(deal)
        self.packed = Packed(deal)

    def push(self, action: Action) -> None:
        """Play an action on both and compare the results."""
        position, packed = self.position, self.packed
        child = self._child_by(action)
        keeps_class = self._keeps_class(action)
        class_key = packed.node["class_key"]
        outcome = position.push(action)
        assert packed.push(action) == len(outcome.completed)
        self.compare()
        assert child["code"] == moves.encode(action)
        assert same_node(child, packed.node)
        if keeps_class and not outcome.completed:
            assert packed.node["class_key"] == class_key

    def _child_by(self, action: Action) -> np.void:
        """Return the child by an action, computed incrementally: a NODE record."""
        if action == ROW:
            return self.packed.expand_row()
        return next(c for c in self.packed.expand() if c["code"] == moves.encode(action))

    def _keeps_class(self, action: Action) -> bool:
        """Return whether an action moves cards onto a card, off a face-up card one rank higher."""
        if not isinstance(action, Move) or not self.position.columns[action.target]:
            return False
        up = self.position.columns[action.source][self.position.face_down[action.source] :]
        if len(up) == action.count:
            return False
        return rank_of(up[-action.count - 1]) == rank_of(up[-action.count]) + 1

    def compare(self) -> None:
        """Compare the cards, the counts, the score and the legal actions."""
        position, packed = self.position, self.packed
        columns, face_down, stock = packed.unpack()
        assert (columns, face_down, stock) == (
            position.columns,
            position.face_down,
            position.stock,
        )
        completed = len(position.completed)
        assert packed.state["completed"] == packed.node["completed"] == completed
        assert packed.state["face_up_total"] == sum(map(len, columns)) - sum(face_down)
        assert packed.state.tobytes() == self._packed_position().tobytes()
        assert packed.node["score"] == reference_score(position, evaluation.Weights())
        if not position.won:
            assert packed.legal() == list(position.legal_actions())

    def _packed_position(self) -> np.void:
        """Return the position of game.py as a packed state.

        ``pack`` knows neither the rows dealt before nor the arbitrary bytes after the last card.
        They are copied from the state that the kernels made.
        """
        state, _ = layout.pack(self.position.to_deal())
        state["rows_dealt"] = self.packed.state["rows_dealt"]
        end = int(state["face_up_total"])
        state["cards"][end:] = self.packed.state["cards"][end:]
        return state

    def compare_children(self) -> None:
        """Compare children evaluated incrementally with those made and evaluated from scratch."""
        packed = self.packed
        for move_set in (moves.WHOLE_RUNS, moves.NO_EQUIVALENTS):
            nodes = packed.expand(move_set)
            found = [moves.decode(int(code)) for code in nodes["code"]]
            assert set(found) == moves_in_set(self.position, move_set)
            assert len(set(found)) == len(found)
        for action, node in zip(found, nodes, strict=True):
            completed = packed.make(action)
            assert same_node(node, packed.evaluate(packed.child))
            if not completed:
                self._compare_column_data(moves.encode(action))

    def _compare_column_data(self, code: int) -> None:
        """Compare updated column data with those computed from scratch, for the child made last."""
        packed = self.packed
        parent, child = packed.column_data
        nodes.copy_column_data(parent, child)
        nodes.update_column_data(packed.problem, packed.child, code, child)
        updated = child.copy()
        nodes.set_column_data(packed.problem, packed.child, child)
        assert updated == child
        scanned, loaded = layout.new_record(layout.SCAN), layout.new_record(layout.SCAN)
        layout.scan_columns(packed.child, scanned)
        nodes.load_scan(packed.child, child, loaded)
        assert (loaded["start"] == scanned["start"]).all()
        assert (loaded["run_length"] == scanned["run_length"]).all()


def play(deal: Deal, rng: random.Random, actions: int) -> Iterator[SideBySide]:
    """Play a random game of at most so many actions. Yields it first and after each action."""
    game = SideBySide(deal)
    game.compare()
    yield game
    for _ in range(actions):
        legal = list(game.position.legal_actions())
        if not legal:
            return
        game.push(random_action(rng, game.position, legal))
        yield game


# Games


@pytest.mark.parametrize(("suits", "rules"), KINDS)
def test_random_games_from_fresh_deals(suits, rules):
    rng = random.Random(suits)
    for number in range(GAMES):
        deal = deal_from_number(str(number), suits, rules)
        long = number % 50 == 0
        for count, game in enumerate(play(deal, rng, 150 if long else rng.randint(1, 20))):
            if count % 10 == 3:
                game.compare_children()


@pytest.mark.parametrize(("suits", "rules"), KINDS)
def test_random_games_from_positions_in_mid_game(suits, rules):
    rng = random.Random(suits)
    completed = turned = rows = 0
    for seed in range(GAMES):
        for count, game in enumerate(play(mid_game_deal(seed, suits, rules), rng, 12)):
            if count % 6 == 0:
                game.compare_children()
        for outcome in game.position.history:
            completed += len(outcome.completed)
            turned += len(outcome.turned)
            rows += outcome.action == ROW
    assert turned > GAMES / 5
    assert rows > GAMES / 5
    assert completed > GAMES / 20


@settings(max_examples=100, deadline=None)
@given(
    st.integers(0, 2**32),
    st.sampled_from(KINDS),
    st.lists(st.integers(0, 2**16), max_size=40),
)
def test_any_game_from_any_position(seed, kind, choices):
    game = SideBySide(mid_game_deal(seed, *kind))
    game.compare()
    for choice in choices:
        legal = list(game.position.legal_actions())
        if not legal:
            break
        game.push(legal[choice % len(legal)])
    game.compare_children()


# Situations in which other programs make errors


def test_a_row_that_completes_two_runs_and_turns_the_cards_below():
    almost_complete = {2: cards("7D") + run(KING, 2, 1), 8: cards("8D") + run(KING, 2, 2)}
    position = position_of(
        [almost_complete.get(i, cards("5H")) for i in range(COLUMNS)],
        [1 if i in almost_complete else 0 for i in range(COLUMNS)],
        "9H 9H AH 9H 9H 9H 9H 9H AD 9H",
    )
    game = SideBySide(position.to_deal())
    game.push(ROW)
    assert game.packed.state["face_down"].sum() == 0
    assert len(game.position.completed) == 2


def test_a_move_that_completes_a_run_and_turns_two_cards():
    position = position_of([cards("5H") + run(KING, 2), "6H AS"], [1, 1])
    game = SideBySide(position.to_deal())
    game.push(Move(1, 0, 1))
    assert game.position.columns[:2] == [cards("5H"), cards("6H")]


def test_a_face_down_card_does_not_belong_to_a_completed_run():
    game = SideBySide(position_of([run(KING, 2), "AS"], [1]).to_deal())
    game.push(Move(1, 0, 1))
    assert game.packed.state["completed"] == 0


def test_a_row_with_an_empty_column_is_dealt_under_the_relaxed_rule_only():
    for rules in RowRule:
        position = position_of(["5H"] * 9, stock="KS " * 20, rules=rules)
        game = SideBySide(position.to_deal())
        game.compare()
        assert game.packed.may_deal_row() == (rules is RowRule.RELAXED)


def test_the_move_that_wins():
    game = SideBySide(one_move_from_won())
    game.push(Move(1, 0, 1))
    assert game.packed.state["completed"] == 8
    assert game.packed.state["face_up_total"] == 0


def test_all_cards_in_one_column():
    tall = [card for suit in range(4) for card in run(KING, 1, suit) * 2]
    deal = Deal((tuple(reversed(tall)), *((),) * 9), (0,) * 10, ())
    game = SideBySide(deal)
    game.compare()
    game.push(Move(0, 5, 1))
    game.compare_children()
    buried = Deal((tuple(reversed(tall)), *((),) * 9), (DECK - 1, *(0,) * 9), ())
    game = SideBySide(buried)
    for target in range(1, 10):
        game.push(Move(0, target, 1))


def test_codes_are_distinct_and_decoded():
    actions = [ROW, *(Move(s, t, n) for s in range(10) for t in range(10) for n in range(1, 14))]
    codes = [moves.encode(action) for action in actions]
    assert len({*codes}) == len(codes)
    assert [moves.decode(code) for code in codes] == actions
    assert max(codes) < 2**15  # they are stored as int16


# Keys


@pytest.mark.parametrize(("suits", "rules"), [KINDS[0], *KINDS[-2:]])
def test_keys_are_equal_exactly_if_positions_and_classes_are(suits, rules):
    rng = random.Random(7)
    for deal in (deal_from_number("5", suits, rules), mid_game_deal(41, suits, rules)):
        states, classes = Bijection(), Bijection()
        for _ in range(40):
            game = SideBySide(deal)
            for _ in range(60):
                legal = list(game.position.legal_actions())
                if not legal:
                    break
                action = random_action(rng, game.position, legal)
                game.position.push(action)
                game.packed.push(action)
                node = game.packed.node
                states.add(reference_state(game.position), int(node["key"]))
                classes.add(reference_class(game.position), int(node["class_key"]))
        assert len(states) > 300
        assert len(classes) < len(states)


class Bijection:
    """Pairs of a reference and a key, of which each occurs in one pair only."""

    def __init__(self) -> None:
        self.key_of: dict[object, int] = {}
        self.reference_of: dict[int, object] = {}

    def add(self, reference: object, key: int) -> None:
        """Add a pair. Fails if one of the two is already in another pair."""
        assert self.key_of.setdefault(reference, key) == key
        assert self.reference_of.setdefault(key, reference) == reference

    def __len__(self) -> int:
        return len(self.key_of)


def test_keys_of_a_hundred_thousand_positions_are_distinct():
    rng = random.Random(3)
    key_of: dict[bytes, int] = {}
    packed = Packed(deal_from_number("11", 4))
    start = packed.state.copy()
    while len(key_of) < 100_000:
        packed.states[0] = start
        packed.evaluate_state()
        for _ in range(40):
            nodes = packed.expand()
            if not len(nodes):
                break
            for node in nodes:
                packed.make(moves.decode(int(node["code"])))
                state = packed.child
                without_arbitrary_bytes = state.tobytes()[: int(state["face_up_total"]) - DECK]
                key_of[without_arbitrary_bytes] = int(node["key"])
            deal_row = packed.may_deal_row() and rng.random() < 0.1
            packed.push(ROW if deal_row else moves.decode(int(rng.choice(nodes)["code"])))
    assert len(set(key_of.values())) == len(key_of)
    # The low bits choose the slot in a table. 100,000 random numbers leave 22% of the values of
    # 16 bits unused: e ** (-100000 / 65536).
    low_bits = np.array(list(key_of.values()), np.uint64) & np.uint64(0xFFFF)
    assert len(np.unique(low_bits)) > 0.75 * 2**16


def test_the_order_of_columns_counts_only_while_rows_are_left():
    after_last_row = 0
    for seed in range(60):
        deal = mid_game_deal(seed, 2)
        order = random.Random(seed).sample(range(COLUMNS), COLUMNS)
        columns = deal.columns
        face_up = Deal(columns, (0,) * COLUMNS, deal.stock)
        reordered = Deal(tuple(columns[i] for i in order), (0,) * COLUMNS, deal.stock)
        assert reordered != face_up
        node, other = Packed(face_up).node, Packed(reordered).node
        assert (node["key"] == other["key"]) == (not deal.stock)
        if not deal.stock:
            after_last_row += 1
            assert same_node(node, other)
    assert 5 <= after_last_row <= 55


def test_keys_depend_on_the_face_down_count_of_each_column():
    deals = [
        endgame([run(KING, 1, 0)[::-1], [], run(KING, 1, 0)[::-1]], (down, 0, 5 - down))
        for down in range(6)
    ]
    nodes = [Packed(deal).node for deal in deals]
    for name in ("key", "class_key", "group"):
        assert len({int(node[name]) for node in nodes}) == len(nodes)


def test_keys_are_the_same_on_every_machine():
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # numpy warns of an overflow
        numbers = keys.make_numbers()
        node = Packed(deal_from_number("1")).node
    assert numbers == NUMBERS
    independent = [numbers[name].ravel() for name in numbers.dtype.names if name != "sums"]
    drawn = np.concatenate(independent)
    assert drawn.dtype == np.uint64
    assert len(np.unique(drawn)) == len(drawn)
    assert int(node["key"]) == 15918735450776599797


def test_the_key_of_a_run_is_the_sum_of_the_keys_of_its_cards():
    for height, high, low in ((0, 13, 1), (3, 9, 4), (90, 7, 7), (91, 13, 1)):
        in_run = run(high, low, 2)
        up = height + len(in_run)
        single = [int(NUMBERS["single"][height + i, card, 0]) for i, card in enumerate(in_run)]
        found = keys.run_key(NUMBERS, 0, height, in_run[0], up, in_run[-1])
        assert int(found) == sum(single) % 2**64


def key_kernels():
    """Return each kernel that returns a key, with arguments."""
    packed = Packed(deal_from_number("1"))
    state, root, key = packed.state, packed.root, np.uint64(2**63 + 5)
    return {
        "mix": (keys.mix, (key,)),
        "run_key": (keys.run_key, (NUMBERS, 0, 0, 5, 1, 5)),
        "base_key": (keys.base_key, (NUMBERS, 0, 0, 0, True)),
        "column_key": (keys.column_key, (NUMBERS, state, 0, 0, False)),
        "state_key": (keys.state_key, (NUMBERS, state, root)),
        "break_key": (keys.break_key, (NUMBERS, 0, 1, 5, 6, False)),
        "bottom_key": (keys.bottom_key, (NUMBERS, 0, 0, 5, True)),
        "class_key": (keys.class_key, (NUMBERS, state, root)),
        "group_key": (keys.group_key, (NUMBERS, state)),
    }


@pytest.mark.parametrize("name", key_kernels())
def test_keys_are_uint64(name):
    """A sum of signed and unsigned integers would be a float in numba."""
    kernel, arguments = key_kernels()[name]
    kernel(*arguments)
    assert {str(s.return_type) for s in kernel.nopython_signatures} == {"uint64"}


def test_each_kernel_is_compiled_for_one_set_of_types():
    packed = Packed(deal_from_number("1"))
    packed.legal()
    packed.expand()
    packed.expand_row()
    packed.make(ROW)
    called = {
        *("apply_action", "evaluate_node", "set_column_data", "expand_moves", "expand_row"),
        *("scan_columns", "generate"),
    }
    more_types = {"may_deal_row"}  # the exhaustive search calls it too, with other types
    counts = {
        name: len(kernel.signatures)
        for module in (apply, children, evaluation, layout, moves, nodes)
        for name, kernel in vars(module).items()
        if hasattr(kernel, "signatures")
        and kernel.py_func.__module__ == module.__name__
        and name not in more_types
    }
    assert {name: counts[name] for name in called} == dict.fromkeys(called, 1)
    # A kernel that only other kernels call has none if these come from the cache.
    assert set(counts.values()) <= {0, 1}
