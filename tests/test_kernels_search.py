"""The transposition table, the selection and the beam search.

The table and the selection are compared with reference implementations. The beam search is
compared with itself: it must not depend on slices or on the process.
"""

from __future__ import annotations

import os
import random
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple
from unittest import mock

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from packed import mid_game_deal, reference_state

from spider_solver.deal import ROW_CARDS, Deal, RowRule
from spider_solver.game import Action, Position
from spider_solver.kernels import layout, moves, table
from spider_solver.kernels.beam import evaluation, levels, records, selection
from spider_solver.kernels.beam import search as beam_search
from spider_solver.kernels.beam.search import BeamSearch
from spider_solver.kernels.beam.settings import DEADLINES, NO_JOINS, Settings, settings_for
from spider_solver.numbering import deal_from_number
from spider_solver.verify import verify_solution

pytestmark = pytest.mark.kernels

MAX_BYTES = 2**30  # a search may allocate these
WIDTHS = [64 << doublings for doublings in range(11)]

# The transposition table

KEY = st.one_of(st.integers(0, 40), st.integers(0, 2**64 - 1), st.just(2**63), st.just(2**64 - 1))


@settings(deadline=None)
@given(st.lists(KEY, max_size=200))
def test_the_table_is_a_set(keys):
    slots, reference = np.zeros((256, 1), np.uint64), set()
    for key in keys:
        stored = key or 1  # zero is stored as one
        assert table.contains(slots, (np.uint64(key),)) == (stored in reference)
        assert table.insert(slots, (np.uint64(key),)) == (stored not in reference)
        reference.add(stored)
        assert table.contains(slots, (np.uint64(key),))
    assert sorted(slots[slots != 0].tolist()) == sorted(reference)


def test_a_larger_table_has_the_same_keys():
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


def test_a_table_may_have_one_free_slot():
    slots = np.zeros((8, 1), np.uint64)
    for key in (7, 15, 23, 31, 39, 47, 55):  # the first slot tried is the last one for all
        assert table.insert(slots, (np.uint64(key),))
    assert not table.contains(slots, (np.uint64(63),))
    assert table.contains(slots, (np.uint64(55),))


# The selection


class Candidate(NamedTuple):
    """The fields of a NODE that the selection compares."""

    score: int
    class_key: int
    group: int


def selected(
    candidates: Iterable[Candidate], share: int, group_cap: int, capacity: int | None = None
) -> list[Candidate]:
    """Return the candidates that ``consider`` and ``select`` keep, best first.

    share: how many to select. group_cap: how many of them may be of one group. capacity: how many
    candidates the pool can hold, None for all.
    """
    candidates = list(candidates)
    pool = records.make_pool(share, capacity or len(candidates) + 1)
    slots = np.zeros((4, 1), np.uint64)
    selection.begin_selection(pool, share, group_cap, False, NO_JOINS)
    node = layout.new_record(records.NODE)
    for index, candidate in enumerate(candidates):
        for name in Candidate._fields:
            node[name] = getattr(candidate, name)
        node["key"] = index + 1
        selection.consider(node, index, slots, pool)
    kept = selection.select(pool)
    return [
        Candidate(*(int(node[name]) for name in Candidate._fields))
        for node in pool.candidates[pool.chosen[:kept]]
    ]


def selected_by_sorting(
    candidates: Iterable[Candidate], share: int, group_cap: int
) -> list[Candidate]:
    """Return what ``selected`` returns. This is the reference implementation."""
    best: dict[int, Candidate] = {}  # by class, in the order of each class's first candidate
    for candidate in candidates:
        if candidate.class_key not in best or candidate.score > best[candidate.class_key].score:
            best[candidate.class_key] = candidate
    kept: list[Candidate] = []
    groups: Counter[int] = Counter()
    for candidate in sorted(best.values(), key=lambda candidate: -candidate.score):
        if len(kept) < share and groups[candidate.group] < group_cap:
            groups[candidate.group] += 1
            kept.append(candidate)
    return kept


def random_candidates(
    rng: random.Random, count: int, next_score: Callable[[], int]
) -> list[Candidate]:
    """Return random candidates. As for states, the class determines the group."""
    classes = rng.randint(1, count)
    groups = rng.randint(1, 12)
    class_keys = [rng.randrange(classes) for _ in range(count)]
    return [Candidate(next_score(), key, key * 7919 % groups) for key in class_keys]


def random_share(rng: random.Random) -> tuple[int, int]:
    """Return a share and a group cap."""
    share = rng.randint(1, 60)
    return share, rng.randint(1, share)


@pytest.mark.parametrize("seed", range(60))
def test_the_selection_is_the_one_by_sorting(seed):
    rng = random.Random(seed)
    candidates = random_candidates(rng, 400, lambda: rng.randint(-300, 300))
    share, cap = random_share(rng)
    assert selected(candidates, share, cap) == selected_by_sorting(candidates, share, cap)


@pytest.mark.parametrize("seed", range(60))
def test_with_distinct_scores_a_small_capacity_changes_nothing(seed):
    rng = random.Random(seed)
    scores = list(range(-500, 500))
    rng.shuffle(scores)
    candidates = random_candidates(rng, 900, scores.pop)
    share, cap = random_share(rng)
    capacity = rng.randint(share + 1, 3 * share + 1)
    expected = selected_by_sorting(candidates, share, cap)
    assert selected(candidates, share, cap, capacity) == expected


@pytest.mark.parametrize("seed", range(60))
def test_with_equal_scores_a_small_capacity_changes_no_selected_score(seed):
    """It may change which of the candidates with equal scores are selected."""
    rng = random.Random(seed)
    candidates = random_candidates(rng, 900, lambda: rng.randint(-9, 9))
    share, cap = random_share(rng)
    found = selected(candidates, share, cap, share + 1 + seed % 9)
    assert [candidate.score for candidate in found] == [
        candidate.score for candidate in selected_by_sorting(candidates, share, cap)
    ]
    assert max(Counter(candidate.group for candidate in found).values()) <= cap
    assert len({candidate.class_key for candidate in found}) == len(found)


@pytest.mark.parametrize(
    ("share", "expected"), [(5, [0, -5, -9000, -8000, -7000]), (3, [0, -5, -9000])]
)
def test_scores_far_below_the_best_are_selected_in_the_order_in_which_they_came(share, expected):
    scores = (-9000, 0, -8000, -5, -7000)
    candidates = [Candidate(score, index, index) for index, score in enumerate(scores)]
    found = selected(candidates, share, group_cap=1)
    assert [candidate.score for candidate in found] == expected


def test_a_selection_among_no_candidates_is_empty():
    assert selected([], 5, 1) == []


def test_a_state_that_was_kept_before_is_no_candidate():
    pool = records.make_pool(4, 100)
    slots = np.zeros((64, 1), np.uint64)
    table.insert(slots, (np.uint64(77),))
    selection.begin_selection(pool, 4, 4, False, NO_JOINS)
    node = layout.new_record(records.NODE)
    node["key"] = 77
    selection.consider(node, 0, slots, pool)
    assert pool.selection["count"] == 0
    node["key"] = 78
    selection.consider(node, 0, slots, pool)
    assert pool.selection["count"] == 1


def test_the_index_of_a_slot_is_uint64():
    slots = np.zeros(8, records.SLOT)
    assert int(selection.find_slot(slots, np.uint64(2**64 - 1), 1)) == 7
    assert [str(s.return_type) for s in selection.find_slot.nopython_signatures] == ["uint64"]


# The beam search


NO_PAUSE = 2**40  # more children than any search here generates


def search_in_slices(
    deal: Deal, width: int, states_per_slice: int, patience: int = NO_PAUSE
) -> tuple[tuple[Action, ...], int, int, int]:
    """Return the solution, the states, the children and the levels of a search in slices.

    patience: the children after which a slice pauses within a level.
    """
    search = BeamSearch(deal, width, MAX_BYTES, Settings(deadlines=DEADLINES))
    answer = levels.RUNNING
    while answer in (levels.RUNNING, levels.PAUSED) and search.level < 300:
        answer = search.advance(states_per_slice, patience)
    actions = search.solution() if answer == levels.WON else ()
    return actions, search.states, search.generated, search.level


@pytest.mark.parametrize(("number", "suits", "width"), [("3", 1, 60), ("4", 2, 90), ("1", 4, 120)])
def test_the_size_of_slices_changes_nothing(number, suits, width):
    deal = deal_from_number(number, suits)
    whole = search_in_slices(deal, width, 10**9)
    assert whole[0]
    assert search_in_slices(deal, width, 1) == whole
    assert search_in_slices(deal, width, 777) == whole


@pytest.mark.parametrize("patience", [1, 100])
def test_pauses_within_a_level_change_nothing(patience):
    deal = deal_from_number("1", 4)
    whole = search_in_slices(deal, 120, 10**9)
    assert search_in_slices(deal, 120, 10**9, patience) == whole


SEARCH = """
import sys
from test_kernels_search import search_in_slices
from spider_solver.numbering import deal_from_number
print(search_in_slices(deal_from_number("6", 2), 150, 20_000))
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
    assert found.strip() == str(search_in_slices(deal_from_number("6", 2), 150, 20_000))


@pytest.mark.parametrize("suits", [1, 2, 4])
@pytest.mark.parametrize("rules", RowRule)
def test_a_win_is_a_solution(suits, rules):
    won = 0
    for deal in (
        *(deal_from_number(str(number), suits, rules) for number in range(4)),
        *(mid_game_deal(seed, suits, rules) for seed in range(12)),
    ):
        actions, *_ = search_in_slices(deal, 200, 20_000)
        if actions:
            won += 1
            assert verify_solution(deal, actions).verdict == "won"
    assert won >= 15


@pytest.mark.parametrize("width", [1, 2, 3, 7])
def test_a_narrow_beam_keeps_at_most_its_width_or_a_state_for_each_stage(width):
    for seed in range(6):
        deal = mid_game_deal(seed, 1)
        _, states, _, level = search_in_slices(deal, width, 50)
        stages = len(deal.stock) // ROW_CARDS + 1
        assert states <= 1 + max(width, stages) * (level + 1)


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 2**32), st.integers(1, 60), st.sampled_from([1, 2, 4]))
def test_the_log_leads_from_the_root_to_each_kept_state_and_none_is_kept_twice(seed, width, suits):
    deal = mid_game_deal(seed, suits)
    search = BeamSearch(deal, width, MAX_BYTES, Settings(deadlines=DEADLINES))
    seen = {reference_state(Position(deal))}
    # The arguments of the kernel are the records and arrays of the search.
    with mock.patch.object(beam_search, "_advance", wraps=levels.advance) as advance:
        while search.states < 300 and search.advance(0) == levels.RUNNING:
            beam, _, log, *_ = advance.call_args.args
            for index in present_level(beam):
                position = replayed(deal, log, int(beam.nodes[index]["parent"]))
                assert_same_cards(beam.states[index], position)
                seen.add(reference_state(position))
            assert search.states == len(seen)


def present_level(beam: records.Beam) -> Iterator[int]:
    """Yield the indices of the states of the present level, in all stages."""
    stages = len(beam.counts) // 2
    here = int(beam.counters["side"]) * stages
    for stage in range(here, here + stages):
        first = int(beam.firsts[stage])
        yield from range(first, first + int(beam.counts[stage]))


def replayed(deal: Deal, log: np.ndarray, entry: int) -> Position:
    """Return the position after the actions that lead from the root to an entry of the log."""
    actions = []
    while entry > 0:
        actions.append(moves.decode(int(log[entry]["code"])))
        assert log[entry]["parent"] < entry
        entry = int(log[entry]["parent"])
    assert entry == 0
    position = Position(deal)
    for action in reversed(actions):
        position.push(action)
    return position


def assert_same_cards(state: np.void, position: Position) -> None:
    packed, _ = layout.pack(position.to_deal())
    for name in ("face_up", "face_down", "completed", "face_up_total"):
        assert np.array_equal(state[name], packed[name])
    total = int(state["face_up_total"])
    assert np.array_equal(state["cards"][:total], packed["cards"][:total])


@pytest.mark.parametrize("suits", [1, 2, 3, 4])
def test_every_other_width_has_other_weights_and_wide_ones_of_these_split_runs(suits):
    of_width = {width: settings_for(width, suits) for width in WIDTHS}
    first = of_width[64]
    other = {width for width in WIDTHS if of_width[width].weights != first.weights}
    assert other == {128, 512, 2048, 8192, 32_768}
    splitting = {width for width in WIDTHS if of_width[width].move_set != moves.WHOLE_RUNS}
    assert splitting == {512, 2048, 8192, 32_768}
    assert of_width[512].move_set == moves.NO_EQUIVALENTS
    assert (first.weights == evaluation.Weights()) is first.tidies is (suits > 2)


def test_memory_is_limited():
    deal = deal_from_number("1")
    with pytest.raises(MemoryError, match="bytes wanted, 1000 allowed"):
        BeamSearch(deal, 100, 1000, Settings(deadlines=DEADLINES))
    search = BeamSearch(deal, 500, 2**21, Settings(deadlines=DEADLINES))
    with pytest.raises(MemoryError, match=f"bytes wanted, {2**21} allowed"):
        search.advance(10**9)
    assert search.memory <= 2**21
