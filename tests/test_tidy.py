"""Tidying a packed state, held against the plain rules."""

from __future__ import annotations

import random

import numpy as np
import pytest
from packed import Packed, free_deal, random_action

from spider_solver.cards import KING, rank_of
from spider_solver.game import Move, Position
from spider_solver.kernels import layout, moves, tidy

pytestmark = pytest.mark.kernels


def joins(position: Position) -> set[Move]:
    """Moves of a last run off a card of another suit, one rank higher, onto its own suit."""
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
    codes = np.zeros(tidy.MOST, np.int64)
    for _ in range(40):
        legal = list(position.legal_actions())
        if not legal:
            break
        position.push(random_action(chance, position, legal))
        packed = Packed(position.to_deal())
        before = packed.node.copy()
        layout.scan(packed.states, 0, packed.work)
        code = tidy.find_join(packed.states, 0, packed.work)
        assert (code >= 0) == bool(joins(position))
        hidden, stock, _ = packed.root
        count = tidy.tidy(packed.states, 0, hidden, stock, packed.work, packed.scratch, codes)
        twin = Position(position.to_deal())
        for move in map(moves.decode, codes[:count].tolist()):
            assert move in joins(twin)
            outcome = twin.push(move)
            assert not outcome.completed
            assert not outcome.turned
        assert count == tidy.MOST or not joins(twin)
        assert layout.unpack(packed.state, packed.root)[0] == twin.columns
        packed.fill_in()
        for name in ("klass", "group", "runs"):
            assert packed.node[name] == before[name]
