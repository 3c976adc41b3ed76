"""Tidying a packed state, compared with the plain rules."""

from __future__ import annotations

import random

import pytest
from packed import Packed, free_deal, random_action

from spider_solver.cards import KING, rank_of
from spider_solver.game import Move, Position
from spider_solver.kernels import layout, moves
from spider_solver.kernels.beam import tidying
from spider_solver.kernels.beam.records import MAX_JOINS

pytestmark = pytest.mark.kernels


def joins(position: Position) -> set[Move]:
    """The moves of a last run off a card of another suit, one rank higher, to its own suit."""
    found = set()
    for source, cards in enumerate(position.columns):
        count = position.run_length(source)
        if not 0 < count < len(cards) - position.face_down[source]:
            continue
        if rank_of(cards[-count - 1]) != rank_of(cards[-count]) + 1:
            continue
        for target, others in enumerate(position.columns):
            fits = others and others[-1] == cards[-count] + 1
            if fits and position.run_length(target) + count < KING:
                found.add(Move(source, target, count))
    return found


@pytest.mark.parametrize("suits", [1, 2, 4])
@pytest.mark.parametrize("seed", range(40))
def test_tidying_makes_all_joins_and_changes_nothing_irreversibly(seed, suits):
    chance = random.Random(seed)
    position = Position(free_deal(seed, suits))
    for _ in range(40):
        legal = list(position.legal_actions())
        if not legal:
            break
        position.push(random_action(chance, position, legal))
        packed = Packed(position.to_deal())
        before = packed.node.copy()
        scan = packed.scratch["scan"]
        layout.scan_columns(packed.state, scan)
        assert (tidying.find_join(packed.state, scan) >= 0) == bool(joins(position))
        count = tidying.tidy(packed.state, packed.root, packed.scratch)
        reference = Position(position.to_deal())
        for move in map(moves.decode, packed.scratch["joins"][:count].tolist()):
            assert move in joins(reference)
            outcome = reference.push(move)
            assert not outcome.completed
            assert not outcome.turned
        assert count == MAX_JOINS or not joins(reference)
        assert packed.unpack()[0] == reference.columns
        packed.fill_in()
        for name in ("class_key", "group", "completed"):
            assert packed.node[name] == before[name]
