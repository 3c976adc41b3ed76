"""The table, the selection and the beam, compared with references and with themselves."""

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
from spider_solver.kernels import layout, table
from spider_solver.kernels.beam import evaluation, levels, records, selection
from spider_solver.kernels.beam.search import BeamSearch
from spider_solver.numbering import deal_from_number
from spider_solver.verify import verify_solution

pytestmark = pytest.mark.kernels

# The table

KEY = st.one_of(st.integers(0, 40), st.integers(0, 2**64 - 1), st.just(2**63), st.just(2**64 - 1))


@settings(deadline=None)
@given(st.lists(KEY, max_size=200))
def test_the_table_is_a_set(keys):
    slots, reference = np.zeros((256, 1), np.uint64), set()
    for key in keys:
        own = key or 1  # zero is stored as one
        assert table.contains(slots, (np.uint64(key),)) == (own in reference)
        assert table.insert(slots, (np.uint64(key),)) == (own not in reference)
        reference.add(own)
        assert table.contains(slots, (np.uint64(key),))
    assert sorted(slots[slots != 0].tolist()) == sorted(reference)


def test_the_table_grows():
    random_keys = np.random.default_rng(1).integers(0, 2**64, 3000, np.uint64)
    slots = np.zeros((4, 1), np.uint64)
    for count, key in enumerate([np.uint64(0), *random_keys]):
        if 2 * count >= len(slots):
            larger = np.zeros((2 * len(slots), 1), np.uint64)
            table.rehash(slots, larger)
            slots = larger
        assert table.insert(slots, (key,))
    assert all(table.contains(slots, (key,)) for key in random_keys)
    assert table.contains(slots, (np.uint64(0),))
    assert not any(table.contains(slots, (key,)) for key in random_keys ^ np.uint64(1))
    assert np.count_nonzero(slots) == 3001


def test_the_table_can_be_all_but_full():
    slots = np.zeros((8, 1), np.uint64)
    for key in (7, 15, 23, 31, 39, 47, 55):  # all would go to the last slot
        assert table.insert(slots, (np.uint64(key),))
    assert not table.contains(slots, (np.uint64(63),))
    assert table.contains(slots, (np.uint64(55),))


# The selection


class Candidate(NamedTuple):
    """What the selection looks at."""

    score: int
    class_key: int
    group: int


def selected(
    found: Iterable[Candidate], width: int, cap: int, room: int | None = None
) -> list[Candidate]:
    """The candidates that ``consider``, ``shrink`` and ``select`` keep, best first.

    room: how many candidates the pool can hold; None for all.
    """
    found = list(found)
    pool = records.make_pool(width, room or len(found) + 1)
    slots = np.zeros((4, 1), np.uint64)
    selection.begin_selection(pool, width, cap)
    node = layout.new_record(records.NODE)
    for number, candidate in enumerate(found):
        for name in Candidate._fields:
            node[name] = getattr(candidate, name)
        node["key"] = number + 1
        selection.consider(node, number, slots, pool)
    kept = selection.select(pool)
    return [
        Candidate(*(int(node[name]) for name in Candidate._fields))
        for node in pool.candidates[pool.chosen[:kept]]
    ]


def selected_by_sorting(found: Iterable[Candidate], width: int, cap: int) -> list[Candidate]:
    """One per class, at most ``cap`` per group, at most ``width`` in all, by sorting."""
    best: dict[int, Candidate] = {}
    for one in found:
        if one.class_key not in best or one.score > best[one.class_key].score:
            best[one.class_key] = one  # a dict keeps the place of the first
    kept: list[Candidate] = []
    groups: Counter[int] = Counter()
    for candidate in sorted(best.values(), key=lambda candidate: -candidate.score):
        if len(kept) < width and groups[candidate.group] < cap:
            groups[candidate.group] += 1
            kept.append(candidate)
    return kept


def random_candidates(
    chance: random.Random, count: int, scores: Callable[[], int]
) -> list[Candidate]:
    """Candidates whose class decides their group, as it does for states."""
    classes = chance.randint(1, count)
    groups = chance.randint(1, 12)
    found = (chance.randrange(classes) for _ in range(count))
    return [Candidate(scores(), class_key, class_key * 7919 % groups) for class_key in found]


@pytest.mark.parametrize("seed", range(60))
def test_the_selection_is_that_by_sorting(seed):
    chance = random.Random(seed)
    candidates = random_candidates(chance, 400, lambda: chance.randint(-300, 300))
    width = chance.randint(1, 60)
    cap = chance.randint(1, width)
    assert selected(candidates, width, cap) == selected_by_sorting(candidates, width, cap)


@pytest.mark.parametrize("seed", range(60))
def test_too_little_room_for_all_candidates_changes_nothing(seed):
    chance = random.Random(seed)
    scores = list(range(-500, 500))
    chance.shuffle(scores)
    candidates = random_candidates(chance, 900, scores.pop)
    width = chance.randint(1, 60)
    cap = chance.randint(1, width)
    room = chance.randint(width + 1, 3 * width + 1)
    assert selected(candidates, width, cap, room) == selected_by_sorting(candidates, width, cap)


@pytest.mark.parametrize("seed", range(60))
def test_with_equal_scores_too_little_room_may_change_which_but_not_how_good(seed):
    chance = random.Random(seed)
    candidates = random_candidates(chance, 900, lambda: chance.randint(-9, 9))
    width = chance.randint(1, 60)
    cap = chance.randint(1, width)
    narrow = selected(candidates, width, cap, width + 1 + seed % 9)
    assert [candidate.score for candidate in narrow] == [
        candidate.score for candidate in selected_by_sorting(candidates, width, cap)
    ]
    assert max(Counter(candidate.group for candidate in narrow).values()) <= cap
    assert len({candidate.class_key for candidate in narrow}) == len(narrow)


def test_scores_far_below_the_best_are_kept_in_the_order_in_which_they_came():
    candidates = [
        Candidate(score, class_key, class_key)
        for class_key, score in enumerate((-9000, 0, -8000, -5, -7000))
    ]
    assert [candidate.score for candidate in selected(candidates, 5, 1)] == [
        0,
        -5,
        -9000,
        -8000,
        -7000,
    ]
    assert [candidate.score for candidate in selected(candidates, 3, 1)] == [0, -5, -9000]


def test_nothing_to_select():
    assert selected([], 5, 1) == []


def test_a_state_that_was_kept_before_is_no_candidate():
    pool = records.make_pool(4, 100)
    slots = np.zeros((64, 1), np.uint64)
    table.insert(slots, (np.uint64(77),))
    selection.begin_selection(pool, 4, 4)
    node = layout.new_record(records.NODE)
    node["key"] = 77
    selection.consider(node, 0, slots, pool)
    assert pool.selection["count"] == 0
    node["key"] = 78
    selection.consider(node, 0, slots, pool)
    assert pool.selection["count"] == 1


def test_indices_in_maps_are_uint64():
    slots = np.zeros(8, records.SLOT)
    assert int(selection.find_slot(slots, np.uint64(2**64 - 1), 1)) == 7
    assert [str(s.return_type) for s in selection.find_slot.nopython_signatures] == ["uint64"]


# The beam


def finish(deal: Deal, width: int, budget: int) -> tuple[tuple[Action, ...], int, int, int]:
    """A whole search in slices: solution, states, children and levels."""
    search = BeamSearch(deal, width, 2**30, evaluation.Weights())
    answer = levels.RUNNING
    while answer == levels.RUNNING and search.level < 300:
        answer = search.advance(budget)
    actions = search.solution() if answer == levels.WON else ()
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
    search = BeamSearch(free_deal(seed, suits), width, 2**30, evaluation.Weights())
    search.advance(2000)
    log, kept = search._log[: search.states], search.states
    assert np.count_nonzero(search._table) == kept
    assert (log["parent"] < np.arange(kept)).all()
    assert log["parent"][0] == -1


def test_memory_is_asked_for_and_counted():
    deal = deal_from_number("1")
    with pytest.raises(MemoryError, match="bytes wanted, 1000 allowed"):
        BeamSearch(deal, 100, 1000, evaluation.Weights())
    search = BeamSearch(deal, 500, 2**21, evaluation.Weights())
    with pytest.raises(MemoryError):
        search.advance(10**9)
    assert search.memory <= 2**21
