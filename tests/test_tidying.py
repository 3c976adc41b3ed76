"""Tidying of packed states, compared with the rules of game.py."""

from __future__ import annotations

import random

import pytest
from packed import Packed, mid_game_deal, random_action

from spider_solver.cards import KING, rank_of
from spider_solver.game import Move, Position
from spider_solver.kernels import layout, moves
from spider_solver.kernels.beam import tidying
from spider_solver.kernels.beam.records import MAX_JOINS

pytestmark = pytest.mark.kernels


def joins(position: Position) -> set[Move]:
    """Return the moves that tidying may make.

    Each takes the run at a column's end off a card of another suit, one rank higher, and puts it
    on a card of its own suit. It completes no run.
    """
    found = set()
    for source, cards in enumerate(position.columns):
        count = position.run_length(source)
        if not 0 < count < len(cards) - position.face_down[source]:
            continue
        if rank_of(cards[-count - 1]) != rank_of(cards[-count]) + 1:
            continue
        for target, target_cards in enumerate(position.columns):
            fits = target_cards and target_cards[-1] == cards[-count] + 1
            if fits and position.run_length(target) + count < KING:
                found.add(Move(source, target, count))
    return found


@pytest.mark.parametrize("suits", [1, 2, 4])
@pytest.mark.parametrize("seed", range(40))
def test_tidying_makes_all_joins_and_no_irreversible_change(seed, suits):
    rng = random.Random(seed)
    position = Position(mid_game_deal(seed, suits))
    for _ in range(40):
        legal = list(position.legal_actions())
        if not legal:
            break
        position.push(random_action(rng, position, legal))
        packed = Packed(position.to_deal())
        before = packed.node.copy()
        scan = packed.scratch["scan"]
        layout.scan_columns(packed.state, scan)
        assert (tidying.find_join(packed.state, scan) >= 0) == bool(joins(position))
        count = tidying.tidy(packed.problem, packed.state, packed.column_data[0], packed.scratch)
        tidied = Position(position.to_deal())
        for move in map(moves.decode, packed.scratch["joins"][:count].tolist()):
            assert move in joins(tidied)
            outcome = tidied.push(move)
            assert not outcome.completed
            assert not outcome.turned
        assert count == MAX_JOINS or not joins(tidied)
        assert packed.unpack()[0] == tidied.columns
        updated = packed.column_data[0].copy()
        packed.evaluate_state()
        assert updated == packed.column_data[0]
        for name in ("class_key", "group", "completed"):
            assert packed.node[name] == before[name]
