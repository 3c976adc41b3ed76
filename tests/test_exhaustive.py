"""Exhaustive search, compared with its reference and the beam, and on positions built for it."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import replace
from itertools import islice
from pathlib import Path

import numpy as np
import pytest
from exhaustive import MEMORY, late_positions, reachable, search, small
from packed import free_deal, random_action, reference_state
from play import endgame, position_of, random_position, run

from spider_solver.cards import KING
from spider_solver.deal import COLUMNS, Deal, RowRule
from spider_solver.errors import DealError
from spider_solver.formats import read_deal
from spider_solver.game import ROW, Move, Position
from spider_solver.kernels import layout, moves, table
from spider_solver.kernels.beam import levels
from spider_solver.kernels.beam.search import BeamSearch
from spider_solver.kernels.exhaustive import children, depth_first, position
from spider_solver.kernels.exhaustive.depth_first import EXHAUSTED, RUNNING, WON
from spider_solver.kernels.exhaustive.search import ExhaustiveSearch, least_bytes
from spider_solver.verify import verify_solution

pytestmark = pytest.mark.kernels

KINGS = ["KS", "KH", "KD", "KC"]
FEWER_LOOKUPS = (position.APART, position.BACK, position.APART | position.BACK)  # same positions
EACH_REDUCTION = (
    *FEWER_LOOKUPS,
    *(position.ORDER, position.EMPTY, position.WHOLE, position.TOO_FEW),
    position.ORDER | position.EMPTY,
    position.ORDER | position.WHOLE,
    position.ORDER | position.APART | position.BACK,
    position.ALL_REDUCTIONS,
)


def count_verdicts(deals: Iterable[Deal], most: int, wanted: int) -> Counter[str]:
    """Check small positions until the reference has decided so many; count won and lost ones.

    ``found`` counts those that the reference can't decide: they are won, by a replayed solution.
    """
    verdicts = Counter[str]()
    for deal in small(deals, most):
        won, positions = reachable(deal, most)
        decided = won or positions <= most
        assert_verdict(deal, won or not decided, positions, most)
        verdicts["found" if not decided else "won" if won else "lost"] += 1
        if verdicts["won"] + verdicts["lost"] == wanted:
            break
    return verdicts


def assert_verdict(deal: Deal, won: bool, positions: int, most: int) -> None:
    """Check the verdict with and without reductions; without them, the count of positions too.

    With reductions the search may take so long a way to a win that it doesn't find it in time.
    """
    for reductions in (0, *EACH_REDUCTION):
        answer, running = search(deal, reductions, 10 * most)
        if not won:
            assert answer == EXHAUSTED
            exact = reductions in (0, *FEWER_LOOKUPS)
            assert running.seen == positions if exact else running.seen <= positions
        elif answer == WON:
            assert verify_solution(deal, running.solution()).verdict == "won"
        else:
            assert (answer, reductions > 0) == (RUNNING, True)


# Compared with the reference


@pytest.mark.parametrize("part", range(4))
def test_verdict_and_count_are_those_of_the_reference(part):
    verdicts = count_verdicts(late_positions(1000 * part), 800, wanted=50)
    assert verdicts["lost"] > 20


@pytest.mark.slow
@pytest.mark.parametrize("part", range(20))
def test_two_thousand_verdicts_and_counts_are_those_of_the_reference(part):
    verdicts = count_verdicts(late_positions(100_000 * (part + 1)), 20_000, wanted=100)
    assert verdicts["lost"] > 40


def test_the_sample_that_cannot_be_won():
    """The README prints this count; here it comes from the plain rules."""
    path = Path(__file__).parent.parent / "deals" / "end_two_suit.txt"
    deal = read_deal(path.read_text(encoding="utf-8"), path.name)
    assert reachable(deal, 20_000, key=reference_state) == (False, 10_368)
    answer, running = search(deal, position.ALL_REDUCTIONS, 20_000)
    assert (answer, running.seen) == (EXHAUSTED, 10_368)


def test_positions_that_differ_in_the_order_of_columns_are_seen_once():
    """Cards of no whole deal, so that all are lost, with empty columns that come and go."""
    some_left_out = 0
    for seed in range(130):
        deal = few_cards(seed)
        answer, running = search(deal, 0, 900)
        if answer == RUNNING:
            continue
        everything = reachable(deal, 900)
        assert everything == (False, running.seen)
        kinds = reachable(deal, 900, key=reference_state)[1]
        for reductions in (
            position.ORDER,
            position.ORDER | position.EMPTY,
            position.ALL_REDUCTIONS,
        ):
            answer, running = search(deal, reductions, 900)
            assert (answer, running.seen) == (EXHAUSTED, kinds)
        some_left_out += kinds < everything[1]
        for reductions in EACH_REDUCTION:
            assert search(deal, reductions, 1000)[0] == EXHAUSTED
    assert some_left_out > 20


def few_cards(seed: int) -> Deal:
    """Up to nine cards, some face down, in ten columns after the last row."""
    chance = random.Random(seed)
    columns: list[list[int]] = [[] for _ in range(COLUMNS)]
    for _ in range(chance.randint(3, 9)):
        columns[chance.randrange(1, 5)].append(chance.choice([3, 4, 5, 6, 19, 20, 21]))
    columns[0] = chance.choice(([13, 1], [1, 2, 3], []))
    columns[5:] = [[13, 13, 1 + 16 * chance.randrange(2)] for _ in columns[5:]]
    down = [chance.randint(0, max(len(column) - 1, 0)) for column in columns]
    return position_of(columns, down).to_deal()


def test_endgames_of_few_cards_have_the_verdict_of_the_reference():
    verdicts = count_verdicts(map(scattered, range(100)), 800, wanted=100)
    assert verdicts["won"] + verdicts["found"] > 10


def scattered(seed: int) -> Deal:
    """The last run, or the last two, of one suit, in pieces."""
    chance = random.Random(seed)
    while True:
        pieces: list[list[int]] = []
        for _ in range(chance.randint(1, 2)):
            high = KING
            while high:
                low = chance.randint(max(high - 5, 1), high)
                pieces.append(run(high, low))
                high = low - 1
        chance.shuffle(pieces)
        columns: list[list[int]] = [[] for _ in range(COLUMNS)]
        used = chance.randint(2, COLUMNS)
        for piece in pieces:
            columns[chance.randrange(used)] += piece
        down = [chance.randint(0, max(len(column) - 1, 0)) for column in columns]
        with suppress(DealError):  # a whole run stands there already
            return endgame(columns, down)


@pytest.mark.parametrize("rules", RowRule)
def test_with_rows_left(rules):
    deals = (random_position(seed, 120, 4, rules).to_deal() for seed in range(150))
    rows_left = (deal for deal in deals if len(deal.stock) in (10, 20))
    assert count_verdicts(rows_left, 800, wanted=150).total() > 0


# Against the beam


def beam_wins(deal: Deal) -> bool:
    """Whether a beam alone finds a win, which the plain rules confirm."""
    running = BeamSearch(deal, 64, MEMORY)
    if running.advance(10**9) != levels.WON:
        return False
    assert verify_solution(deal, running.solution()).verdict == "won"
    return True


def test_what_the_beam_wins_is_never_called_unwinnable():
    won = 0
    for deal in islice(late_positions(50_000), 60):
        answer, running = search(deal, position.ALL_REDUCTIONS, 100_000)
        if beam_wins(deal):
            won += 1
            assert answer != EXHAUSTED
        if answer == WON:
            assert verify_solution(deal, running.solution()).verdict == "won"
    assert won > 10


@pytest.mark.slow
def test_what_the_beam_wins_of_larger_spaces_is_never_called_unwinnable():
    """300 of those that a search to the first 20,000 positions leaves open."""
    won = 0
    for deal in late_positions(500_000):
        if search(deal, position.ALL_REDUCTIONS, 20_000)[0] == RUNNING and beam_wins(deal):
            won += 1
            assert search(deal, position.ALL_REDUCTIONS, 1_000_000)[0] != EXHAUSTED
        if won == 300:
            break


# Positions built by hand


def test_no_legal_action_at_all():
    deal = position_of([[card] for card in (2, 4, 6, 8, 10, 12, 18, 20, 22, 24)]).to_deal()
    answer, running = search(deal, position.ALL_REDUCTIONS, 100)
    assert (answer, running.seen) == (EXHAUSTED, 1)


def test_only_moves_that_can_be_taken_back():
    columns = ["6S 5S", "6H", "6D", "JS TH", "JC", *["KS", "KH", "KD", "KC", "KS"]]
    deal = position_of(columns).to_deal()
    assert reachable(deal, 100) == (False, 6)
    for reductions in (0, *EACH_REDUCTION):
        answer, running = search(deal, reductions, 100)
        assert (answer, running.seen) == (EXHAUSTED, 6)


def test_the_order_of_columns_counts_while_rows_are_left_only():
    """The Five lies on either Six; a row of Kings ends all."""
    columns = ["6S 5S", "6S", *KINGS, *KINGS]
    late = position_of(columns).to_deal()
    early = position_of(columns, stock="KC " * 10).to_deal()
    counts = {
        (deal, reductions): search(deal, reductions, 100)[1].seen
        for deal in (late, early)
        for reductions in (0, position.ALL_REDUCTIONS)
    }
    assert [*counts.values()] == [2, 1, 4, 3]


def last_run(columns: list[str], stock: str, down: list[int], rules: RowRule) -> Deal:
    """King to Two of spades in column 1, its Ace to come; seven runs completed."""
    deal = position_of([run(KING, 2), *columns], [0, *down], stock, rules).to_deal()
    return replace(deal, completed=(0,) * 7)


@pytest.mark.parametrize("reductions", [0, *EACH_REDUCTION])
def test_won_only_by_splitting_a_run_to_fill_an_empty_column_before_a_row(reductions):
    """Nine columns are a run each: without a split there is always an empty one."""
    columns = ["9H 8H 7H", *KINGS, *KINGS[:3]]
    for rules in RowRule:
        deal = last_run(columns, "AS" + " KC" * 9, [], rules)
        answer, running = search(deal, reductions, 10**6)
        assert answer == WON
        actions = running.solution()
        assert verify_solution(deal, actions).verdict == "won"
        if rules is RowRule.STANDARD:
            before = actions[: actions.index(ROW)]
            assert any(isinstance(a, Move) and a.source == 1 and a.count < 3 for a in before)


@pytest.mark.parametrize("reductions", [0, *EACH_REDUCTION])
@pytest.mark.parametrize("rules", RowRule)
def test_won_only_if_a_row_is_dealt_at_once(reductions, rules):
    """Any move puts an Ace of hearts on the Two, for good."""
    deal = last_run(["9D AH"] * 9, "AS" + " KC" * 9, [1] * 9, rules)
    *_, move, row = Position(deal).legal_actions()
    assert (move, row) == (Move(9, 0, 1), ROW)
    answer, running = search(deal, reductions, 100)
    assert (answer, running.solution()) == (WON, (ROW,))
    after = Position(deal)
    after.push(move)
    answer, running = search(after.to_deal(), reductions, 100)
    assert (answer, running.seen) == (EXHAUSTED, 2)


@pytest.mark.parametrize("rules", RowRule)
def test_with_fewer_than_ten_cards_no_row_is_ever_dealt(rules):
    """Under the standard rule: the Ace that completes a run leaves eight cards."""
    deal = last_run(["AS", *["AH"] * 8], "3H " * 10, [], rules)
    deal = replace(deal, completed=(0,) * 6)
    few, all_ = (search(deal, reductions, 20_000) for reductions in (position.TOO_FEW, 0))
    assert WON not in (few[0], all_[0])
    if rules is RowRule.STANDARD:
        assert few[0] == EXHAUSTED
        assert few[1].seen < all_[1].seen
    else:
        assert few[1].seen == all_[1].seen


# The position, made and unmade

UNUSED = {"taken", "ending", "cards"}  # what unmake leaves behind; cards are compared below


@pytest.mark.parametrize("suits", [1, 2, 4])
@pytest.mark.parametrize("rules", RowRule)
def test_making_and_unmaking_side_by_side_with_the_rules(suits, rules):
    keys, expansion = position.make_pair_keys(), layout.new_record(children.EXPANSION)
    slots = np.zeros((1, position.WORDS), np.uint64)
    for seed in range(25):
        chance, deal = random.Random(seed), free_deal(seed, suits, rules)
        game, played = Position(deal), []
        _, root = layout.pack(deal)
        current = position.make_position(deal, 0)
        position.settle(current, keys, root)
        for _ in range(80):
            legal = list(game.legal_actions())
            count = children.expand(current, slots, keys, root, expansion, 0)
            assert_same(current, game, deal, keys)
            if count == children.WON or not legal:
                break
            found = expansion["children"][:count]
            assert {moves.decode(int(code)) for code in found["code"]} == set(legal)
            action = random_action(chance, game, legal)
            code = moves.encode(action)
            (key,) = (tuple(child["key"]) for child in found if child["code"] == code)
            before = current.copy()
            entry = position.make(current, keys, root, code)
            assert tuple(current["key"]) == key
            played.append((entry, before))
            game.push(action)
        for entry, before in reversed(played):
            position.unmake(current, keys, root, entry)
            for name in {*current.dtype.names} - UNUSED:
                assert np.array_equal(current[name], before[name])
            game.pop()
        assert_same(current, game, deal, keys)


def assert_same(current: np.void, game: Position, deal: Deal, keys: np.void) -> None:
    """Check that cards, counts, runs and keys are those of a game."""
    heights = current["height"].tolist()
    columns = [current["cards"][i, :height].tolist() for i, height in enumerate(heights)]
    assert columns == game.columns
    assert current["face_down"].tolist() == game.face_down
    assert current["run"].tolist() == [game.run_length(i) for i in range(COLUMNS)]
    assert current["completed"] == len(game.completed)
    assert current["in_columns"] == sum(heights)
    assert current["rows_dealt"] == (len(deal.stock) - len(game.stock)) // 10
    fresh = position.make_position(game.to_deal(), 0)
    _, root = layout.pack(game.to_deal())
    position.settle(fresh, keys, root)
    for name in ("unmixed", "mixed", "key"):
        assert np.array_equal(fresh[name], current[name])


def test_keys_are_128_bits_of_independent_numbers():
    keys = position.make_pair_keys()
    used = np.concatenate([keys[name].ravel() for name in keys.dtype.names[1:]])
    assert used.all()
    assert len(np.unique(used)) == used.size
    slots = np.zeros((8, position.WORDS), np.uint64)
    one, other = np.uint64(2**63 + 5), np.uint64(2**64 - 1)
    for key in ((one, one), (one, other), (other, one), (np.uint64(0), one)):
        assert table.insert(slots, key)
        assert not table.insert(slots, key)
        assert table.contains(slots, key)
    assert not table.contains(slots, (other, other))
    larger = np.zeros((32, position.WORDS), np.uint64)
    table.rehash(slots, larger)
    assert sorted(map(tuple, larger[larger[:, 0] != 0])) == sorted(
        map(tuple, slots[slots[:, 0] != 0])
    )


def test_the_chance_of_an_error():
    assert depth_first.error_bound(0) == 2.0**-123
    assert 1e-22 < depth_first.error_bound(10**8) < 1e-20


# Slices, limits, the win


def ending(deal: Deal, slice_: int, most: int = 200_000) -> tuple[int, int, tuple[object, ...]]:
    """Answer, positions and solution of a search in slices."""
    running, answer = ExhaustiveSearch(deal, MEMORY), RUNNING
    while answer == RUNNING and running.seen < most:
        answer = running.advance(min(slice_, most - running.seen))
    return answer, running.seen, running.solution() if answer == WON else ()


def test_slices_change_nothing():
    answers = Counter[int]()
    for seed in range(40):
        deal = free_deal(seed, 2)
        whole = ending(deal, 10**9, 20_000)
        answers[whole[0]] += 1
        assert ending(deal, 1, 20_000) == whole
        assert ending(deal, 777, 20_000) == whole
    assert answers[WON] > 0
    assert answers[RUNNING] > 0


def test_a_won_positions_solution_has_no_detours():
    lengths = []
    for seed in range(60):
        answer, _, actions = ending(free_deal(seed, 1), 10**6)
        if answer == WON:
            assert verify_solution(free_deal(seed, 1), actions).verdict == "won"
            lengths.append(len(actions))
    assert len(lengths) > 3


def test_memory_is_asked_for_and_counted():
    deal = free_deal(1, 4)
    with pytest.raises(MemoryError, match="bytes wanted, 1000 allowed"):
        ExhaustiveSearch(deal, 1000)
    most = 2 * least_bytes() + 200_000
    running = ExhaustiveSearch(deal, most)
    with pytest.raises(MemoryError, match=f"{most} allowed"):
        running.advance(10**9)
    assert running.memory <= most


def test_each_kernel_is_compiled_once():
    search(free_deal(1, 4), 0, 1000)
    for kernel in (depth_first.advance, children.expand, position.make, position.unmake):
        assert len(kernel.signatures) == 1
