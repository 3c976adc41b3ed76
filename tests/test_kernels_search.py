"""The table, the selection and the beam: held against slow twins, and against themselves."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterable
from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from packed import free_deal

from spider_solver.deal import Deal, RowRule
from spider_solver.game import Action
from spider_solver.kernels import beam, children, evaluate, selection, table
from spider_solver.kernels.search import BeamSearch
from spider_solver.numbering import deal_from_number
from spider_solver.verify import verify_solution

pytestmark = pytest.mark.kernels

# The table

KEY = st.one_of(st.integers(0, 40), st.integers(0, 2**64 - 1), st.just(2**63), st.just(2**64 - 1))


@settings(deadline=None)
@given(st.lists(KEY, max_size=200))
def test_the_table_is_a_set(keys):
    slots, twin = np.zeros(256, np.uint64), set()
    for key in keys:
        own = key or 1  # zero is stored as one
        assert table.contains(slots, np.uint64(key)) == (own in twin)
        assert table.insert(slots, np.uint64(key)) == (own not in twin)
        twin.add(own)
        assert table.contains(slots, np.uint64(key))
    assert sorted(slots[slots != 0].tolist()) == sorted(twin)


def test_the_table_grows():
    random_keys = np.random.default_rng(1).integers(0, 2**64, 3000, np.uint64)
    slots = np.zeros(4, np.uint64)
    for count, key in enumerate([np.uint64(0), *random_keys]):
        if 2 * count >= len(slots):
            larger = np.zeros(2 * len(slots), np.uint64)
            table.rehash(slots, larger)
            slots = larger
        assert table.insert(slots, key)
    assert all(table.contains(slots, key) for key in random_keys)
    assert table.contains(slots, np.uint64(0))
    assert not any(table.contains(slots, key) for key in random_keys ^ np.uint64(1))
    assert np.count_nonzero(slots) == 3001


def test_the_table_can_be_all_but_full():
    slots = np.zeros(8, np.uint64)
    for key in (7, 15, 23, 31, 39, 47, 55):  # all would go to the last slot
        assert table.insert(slots, np.uint64(key))
    assert not table.contains(slots, np.uint64(63))
    assert table.contains(slots, np.uint64(55))


# The selection


class Kid(NamedTuple):
    """What the selection looks at."""

    score: int
    klass: int
    group: int


def selected(kids: Iterable[Kid], width: int, cap: int, room: int | None = None) -> list[Kid]:
    """What ``consider``, ``shrink`` and ``select`` keep, best first.

    room: for how many candidates there is room; None for all.
    """
    kids = list(kids)
    search = beam.make_beam(width, 1)
    room = room or len(kids) + 1
    candidates = children.make_nodes(room)
    by_class = np.zeros(1 << (2 * room).bit_length(), selection.SLOT)
    slots = np.zeros(4, np.uint64)
    rest = (candidates, by_class, search.tally, search.heads, search.chosen, search.now)
    search.now[selection.STAMP] = stamp = 1
    search.now[selection.FLOOR] = selection.NO_FLOOR
    kid = children.make_nodes(1)[0]
    for number, (score, klass, group) in enumerate(kids):
        kid["score"], kid["klass"], kid["group"] = score, klass, group
        kid["key"] = number + 1
        stamp = selection.consider(kid, number, slots, *rest, width, cap, stamp)
    kept = selection.select(
        candidates, search.tally, search.heads, search.chosen, search.now, width, cap
    )
    return [
        Kid(*(int(node[name]) for name in ("score", "klass", "group")))
        for node in candidates[search.chosen[:kept]]
    ]


def selected_twin(kids: Iterable[Kid], width: int, cap: int) -> list[Kid]:
    """The same by sorting: one a class, at most ``cap`` a group, at most ``width`` in all."""
    best: dict[int, Kid] = {}
    for kid in kids:
        if kid.klass not in best or kid.score > best[kid.klass].score:
            best[kid.klass] = kid  # a dict keeps the place of the first
    kept: list[Kid] = []
    groups: Counter[int] = Counter()
    for kid in sorted(best.values(), key=lambda kid: -kid.score):
        if len(kept) < width and groups[kid.group] < cap:
            groups[kid.group] += 1
            kept.append(kid)
    return kept


def random_kids(chance: random.Random, count: int, scores: Callable[[], int]) -> list[Kid]:
    """Kids whose class decides their group, as with states."""
    classes = chance.randint(1, count)
    groups = chance.randint(1, 12)
    found = (chance.randrange(classes) for _ in range(count))
    return [Kid(scores(), klass, klass * 7919 % groups) for klass in found]


@pytest.mark.parametrize("seed", range(60))
def test_the_selection_is_that_by_sorting(seed):
    chance = random.Random(seed)
    kids = random_kids(chance, 400, lambda: chance.randint(-300, 300))
    width = chance.randint(1, 60)
    cap = chance.randint(1, width)
    assert selected(kids, width, cap) == selected_twin(kids, width, cap)


@pytest.mark.parametrize("seed", range(60))
def test_too_little_room_for_all_candidates_changes_nothing(seed):
    chance = random.Random(seed)
    scores = list(range(-500, 500))
    chance.shuffle(scores)
    kids = random_kids(chance, 900, scores.pop)
    width = chance.randint(1, 60)
    cap = chance.randint(1, width)
    room = chance.randint(width + 1, 3 * width + 1)
    assert selected(kids, width, cap, room) == selected_twin(kids, width, cap)


@pytest.mark.parametrize("seed", range(60))
def test_with_equal_scores_too_little_room_may_change_which_but_not_how_good(seed):
    chance = random.Random(seed)
    kids = random_kids(chance, 900, lambda: chance.randint(-9, 9))
    width = chance.randint(1, 60)
    cap = chance.randint(1, width)
    narrow = selected(kids, width, cap, width + 1 + seed % 9)
    assert [kid.score for kid in narrow] == [kid.score for kid in selected_twin(kids, width, cap)]
    assert max(Counter(kid.group for kid in narrow).values()) <= cap
    assert len({kid.klass for kid in narrow}) == len(narrow)


def test_scores_far_below_the_best_are_kept_in_the_order_in_which_they_came():
    kids = [Kid(score, klass, klass) for klass, score in enumerate((-9000, 0, -8000, -5, -7000))]
    assert [kid.score for kid in selected(kids, 5, 1)] == [0, -5, -9000, -8000, -7000]
    assert [kid.score for kid in selected(kids, 3, 1)] == [0, -5, -9000]


def test_nothing_to_select():
    assert selected([], 5, 1) == []


def test_what_was_kept_before_is_no_candidate():
    search = beam.make_beam(4, 1)
    slots = np.zeros(64, np.uint64)
    table.insert(slots, np.uint64(77))
    kid = children.make_nodes(1)[0]
    kid["key"] = 77
    search.now[selection.FLOOR] = selection.NO_FLOOR
    search.now[selection.STAMP] = 1
    maps = (search.candidates, search.by_class, search.tally)
    rest = (*maps, search.heads, search.chosen, search.now, 4, 4, 1)
    selection.consider(kid, 0, slots, *rest)
    assert search.now[selection.COUNT] == 0
    kid["key"] = 78
    selection.consider(kid, 0, slots, *rest)
    assert search.now[selection.COUNT] == 1


def test_places_in_maps_are_uint64():
    slots = np.zeros(8, selection.SLOT)
    assert int(selection.find(slots, np.uint64(2**64 - 1), 1)) == 7
    assert [str(s.return_type) for s in selection.find.nopython_signatures] == ["uint64"]


# The beam


def finish(deal: Deal, width: int, budget: int) -> tuple[tuple[Action, ...], int, int, int]:
    """A whole search in slices: solution, states, children and levels."""
    search = BeamSearch(deal, width, 2**30, evaluate.Weights())
    answer = beam.RUNNING
    while answer == beam.RUNNING and search.level < 300:
        answer = search.advance(budget)
    actions = search.solution() if answer == beam.WON else ()
    return actions, search.states, search.generated, search.level


@pytest.mark.parametrize(("number", "suits", "width"), [("3", 1, 60), ("4", 2, 90), ("1", 4, 120)])
def test_slices_change_nothing(number, suits, width):
    deal = deal_from_number(number, suits)
    whole = finish(deal, width, 10**9)
    assert whole[0]
    assert finish(deal, width, 1) == whole
    assert finish(deal, width, 777) == whole


SEARCH = """
import sys
from test_kernels_search import finish
from spider_solver.numbering import deal_from_number
print(finish(deal_from_number("6", 2), 150, 20_000))
"""


def test_another_process_finds_the_same():
    found = subprocess.run(
        [sys.executable, "-c", SEARCH],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        capture_output=True,
        encoding="utf-8",
        timeout=300,
        check=True,
    ).stdout
    assert found.strip() == str(finish(deal_from_number("6", 2), 150, 20_000))


@pytest.mark.parametrize("suits", [1, 2, 4])
@pytest.mark.parametrize("rules", RowRule)
def test_what_the_beam_finds_is_a_solution(suits, rules):
    won = 0
    for deal in (
        *(deal_from_number(str(number), suits, rules) for number in range(4)),
        *(free_deal(seed, suits, rules) for seed in range(12)),
    ):
        actions, *_ = finish(deal, 200, 20_000)
        if actions:
            won += 1
            assert verify_solution(deal, actions).verdict == "won"
    assert won > 2


@pytest.mark.parametrize("width", [1, 2, 3, 7])
def test_narrow_beams(width):
    for seed in range(6):
        deal = free_deal(seed, 1)
        _, states, _, level = finish(deal, width, 50)
        assert states <= 1 + max(width, 6) * (level + 1)


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 2**32), st.integers(1, 300), st.sampled_from([1, 2, 4]))
def test_no_state_is_kept_twice_and_the_log_leads_back_to_the_root(seed, width, suits):
    search = BeamSearch(free_deal(seed, suits), width, 2**30, evaluate.Weights())
    search.advance(2000)
    log, kept = search._log[: search.states], search.states
    assert np.count_nonzero(search._table) == kept
    assert (log["parent"] < np.arange(kept)).all()
    assert log["parent"][0] == -1


def test_memory_is_asked_for_and_counted():
    deal = deal_from_number("1")
    with pytest.raises(MemoryError, match="bytes wanted, 1000 allowed"):
        BeamSearch(deal, 100, 1000, evaluate.Weights())
    search = BeamSearch(deal, 500, 2**21, evaluate.Weights())
    with pytest.raises(MemoryError):
        search.advance(10**9)
    assert search.memory <= 2**21
