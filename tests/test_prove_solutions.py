"""Positions of solved games are never proved unwinnable: solutions cut at random points."""

from __future__ import annotations

import random
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Sequence

import pytest
from witness import Witness

from spider_solver import prove as proofs
from spider_solver.deal import Deal, RowRule
from spider_solver.game import Action, Position
from spider_solver.numbering import deal_from_number
from spider_solver.prove import EventKind, event_in_position, first_event
from spider_solver.result import Limits
from spider_solver.solver import solve

FIRST = 70_000  # the native deals are numbered from here


def cut_solutions(
    chance: random.Random, solutions: int, cuts: int
) -> Iterator[tuple[Deal, Sequence[Action]]]:
    """Positions of solved games without an event in them, with the rest of the solution.

    They have all suit modes and both rules. solutions: the number of games. cuts: at most so many
    positions of each game.
    """
    found, number = 0, FIRST
    while found < solutions:
        number += 1
        suits, rules = (1, 2, 4)[number % 3], tuple(RowRule)[number // 3 % 2]
        deal = deal_from_number(f"native:{number}", suits, rules)
        actions = solve(deal, Limits(max_width=1000)).actions
        position = Position(deal)
        eventless = [(deal, actions)]
        for done, action in enumerate(actions, 1):
            position.push(action)
            if event_in_position(position, 0) is None:
                eventless.append((position.to_deal(), actions[done:]))
        found += bool(actions)
        if actions:
            yield from chance.sample(eventless, min(cuts, len(eventless)))


def up_to_first_event(deal: Deal, actions: Sequence[Action]) -> list[Action]:
    """The actions up to the first event, the action that causes it included."""
    length = bisect_left(
        range(len(actions)), True, key=lambda n: first_event(deal, actions[:n]) is not None
    )
    return list(actions[:length])


def check(seed: int, solutions: int, cuts: int, prove_every: int) -> Counter[tuple[EventKind, int]]:
    """Compare solutions with the models, and try to prove that the positions are unwinnable.

    prove_every: a proof is tried for every so many-th position. Returns the number of first events
    by kind and stage.
    """
    met: Counter[tuple[EventKind, int]] = Counter()
    positions = cut_solutions(random.Random(seed), solutions, cuts)
    for number, (deal, rest) in enumerate(positions):
        event = first_event(deal, rest)
        assert event is not None, deal
        played = Witness(deal, up_to_first_event(deal, rest))
        assert played.satisfies(deal, event), (deal, rest)
        met[event.kind, event.stage] += 1
        if number % prove_every == 0:
            proof = proofs.prove(deal, time_limit=20)
            assert not proof.proved, deal
            assert not played.left & {
                (one.event.column, one.event.block, one.event.stage) for one in proof.lemmas
            }, (deal, rest)
            refuted = {one.event for one in proof.refuted}
            assert event not in refuted, (deal, rest)
    return met


def test_solutions_cut_at_random_satisfy_the_model() -> None:
    pytest.importorskip("ortools", reason="needs OR-tools")
    met = check(seed=1, solutions=9, cuts=4, prove_every=4)
    assert met.total() >= 30
    assert len(met) >= 3


@pytest.mark.slow
def test_three_hundred_winnable_positions_are_never_proved_unwinnable() -> None:
    pytest.importorskip("ortools", reason="needs OR-tools")
    met = check(seed=2, solutions=80, cuts=5, prove_every=1)
    assert met.total() >= 300
    assert {kind for kind, _ in met} == {EventKind.EMPTY, EventKind.THIRTEEN}
    print(dict(met))
