"""Exhaustive search: compared with its reference implementation and with the beam search.

Some positions are built by hand, for one rule or one reduction each.
"""

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
from exhaustive import MAX_BYTES, late_positions, reachable, search, small
from packed import mid_game_deal, random_action, reference_state
from play import endgame, position_of, run

from spider_solver.cards import ACE, KING, card
from spider_solver.deal import COLUMNS, ROW_CARDS, Deal, RowRule
from spider_solver.errors import DealError
from spider_solver.formats import read_deal
from spider_solver.game import ROW, Action, Move, Position
from spider_solver.kernels import layout, moves, table
from spider_solver.kernels.beam import levels
from spider_solver.kernels.beam.search import BeamSearch
from spider_solver.kernels.exhaustive import children, depth_first, position
from spider_solver.kernels.exhaustive.depth_first import EXHAUSTED, RUNNING, WON
from spider_solver.kernels.exhaustive.search import ExhaustiveSearch, least_bytes
from spider_solver.verify import verify_solution

pytestmark = pytest.mark.kernels

KINGS = ["KS", "KH", "KD", "KC"]
# These reductions save look-ups only: the search sees the same positions as without them.
FEWER_LOOKUPS = (position.APART, position.BACK, position.APART | position.BACK)
REDUCTIONS = (
    *FEWER_LOOKUPS,
    *(position.ORDER, position.EMPTY, position.WHOLE, position.TOO_FEW),
    position.ORDER | position.EMPTY,
    position.ORDER | position.WHOLE,
    position.ORDER | position.APART | position.BACK,
    position.ALL_REDUCTIONS,
)


def check_verdicts(deals: Iterable[Deal], max_positions: int, wanted: int) -> Counter[str]:
    """Check the verdicts on small positions, until the reference has decided ``wanted`` of them.

    Returns how many are won or unwinnable according to the reference. ``found`` counts the
    positions that only the search decides: it finds a solution, which is replayed. ``missed``
    counts the searches with reductions that find no solution within ten times as many positions.
    """
    verdicts = Counter[str]()
    for deal in small(deals, max_positions):
        won, seen = reachable(deal, max_positions)
        if not won and seen <= max_positions:
            verdicts["unwinnable"] += 1
            check_loss(deal, seen)
        else:
            verdicts["won" if won else "found"] += 1
            verdicts["missed"] += check_win(deal, 10 * max_positions)
        if verdicts["won"] + verdicts["unwinnable"] == wanted:
            break
    return verdicts


def check_win(deal: Deal, max_positions: int) -> int:
    """Check that the search finds a solution, without reductions and with each of them.

    With reductions the search looks at the positions in another order, in which a solution may
    come late. So it may miss it within ``max_positions``. Returns how many searches do.
    """
    missed = 0
    for reductions in (0, *REDUCTIONS):
        answer, running = search(deal, reductions, max_positions)
        if answer == RUNNING and reductions:
            missed += 1
            continue
        assert answer == WON
        assert verify_solution(deal, running.solution()).verdict == "won"
    return missed


def check_loss(deal: Deal, positions: int) -> None:
    """Check that the search is exhausted, and how many positions it sees.

    positions: how many can be reached. Some reductions let the search see fewer.
    """
    for reductions in (0, *REDUCTIONS):
        answer, running = search(deal, reductions, positions + 1)
        assert answer == EXHAUSTED
        if reductions in (0, *FEWER_LOOKUPS):
            assert running.seen == positions
        else:
            assert running.seen <= positions


# Compared with the reference implementation


@pytest.mark.parametrize("part", range(4))
def test_verdict_and_count_are_those_of_the_reference(part):
    verdicts = check_verdicts(late_positions(1000 * part), 800, wanted=50)
    assert verdicts["unwinnable"] >= 49
    assert verdicts["missed"] == 0


@pytest.mark.slow
@pytest.mark.parametrize("part", range(20))
def test_two_thousand_verdicts_and_counts_are_those_of_the_reference(part):
    verdicts = check_verdicts(late_positions(100_000 * (part + 1)), 20_000, wanted=100)
    assert verdicts["unwinnable"] >= 80
    assert verdicts["missed"] <= 5


def test_the_sample_deal_that_cannot_be_won():
    """The documentation prints this count. Here the plain rules confirm it."""
    path = Path(__file__).parent.parent / "deals" / "end_two_suit.txt"
    deal = read_deal(path.read_text(encoding="utf-8"), path.name)
    assert reachable(deal, 20_000, key=reference_state) == (False, 10_368)
    answer, running = search(deal, position.ALL_REDUCTIONS, 20_000)
    assert (answer, running.seen) == (EXHAUSTED, 10_368)


def test_positions_that_differ_only_in_the_order_of_columns_are_seen_once():
    """Empty columns come and go here. No position is won, because no suit is complete."""
    with_fewer_positions = 0
    for seed in range(130):
        deal = few_cards(seed)
        answer, running = search(deal, 0, 900)
        if answer == RUNNING:
            continue
        positions = reachable(deal, 900)[1]
        assert running.seen == positions
        distinct = reachable(deal, 900, key=reference_state)[1]
        for reductions in (
            position.ORDER,
            position.ORDER | position.EMPTY,
            position.ALL_REDUCTIONS,
        ):
            answer, running = search(deal, reductions, 900)
            assert (answer, running.seen) == (EXHAUSTED, distinct)
        with_fewer_positions += distinct < positions
        check_loss(deal, positions)
    assert with_fewer_positions >= 30


@pytest.mark.parametrize("rows", [1, 2])
@pytest.mark.parametrize("rules", RowRule)
def test_verdict_and_count_with_rows_left(rules, rows):
    """No position is won, because no suit is complete."""
    deals = (few_cards(seed, rows, rules) for seed in range(130))
    verdicts = check_verdicts(deals, 2000, wanted=130)
    assert verdicts["unwinnable"] >= 25
    assert verdicts.keys() == {"unwinnable"}


def few_cards(seed: int, rows: int = 0, rules: RowRule = RowRule.STANDARD) -> Deal:
    """Return a position with few cards that can move, some face down, and rows left in the stock.

    The last five columns end in Aces, so nothing goes on them until a row is dealt.
    """
    rng = random.Random(seed)
    columns: list[list[int]] = [[] for _ in range(COLUMNS)]
    for _ in range(rng.randint(3, 9)):
        columns[rng.randrange(1, 5)].append(rng.choice([3, 4, 5, 6, 19, 20, 21]))
    columns[0] = rng.choice(([13, 1], [1, 2, 3], []))
    columns[5:] = [[13, 13, card(ACE, rng.randrange(2))] for _ in columns[5:]]
    down = [rng.randint(0, max(len(column) - 1, 0)) for column in columns]
    stock = [rng.choice([1, 3, 5, 8, 10, 21, 24]) for _ in range(rows * ROW_CARDS)]
    return position_of(columns, down, stock, rules).to_deal()


def test_endgames_of_few_cards_have_the_verdict_of_the_reference():
    verdicts = check_verdicts(map(endgame_in_pieces, range(100)), 800, wanted=100)
    assert verdicts["won"] + verdicts["found"] >= 17
    assert verdicts["missed"] == 0


def endgame_in_pieces(seed: int) -> Deal:
    """Return a position with one or two suits left, both spades, divided into short runs."""
    rng = random.Random(seed)
    while True:
        pieces: list[list[int]] = []
        for _ in range(rng.randint(1, 2)):
            high = KING
            while high:
                low = rng.randint(max(high - 5, 1), high)
                pieces.append(run(high, low))
                high = low - 1
        rng.shuffle(pieces)
        columns: list[list[int]] = [[] for _ in range(COLUMNS)]
        used = rng.randint(2, COLUMNS)
        for piece in pieces:
            columns[rng.randrange(used)] += piece
        down = [rng.randint(0, max(len(column) - 1, 0)) for column in columns]
        with suppress(DealError):  # a completed run lies at the end of a column
            return endgame(columns, down)


# Compared with the beam search


def beam_wins(deal: Deal) -> bool:
    """Return whether the beam search finds a solution, which is then replayed."""
    running = BeamSearch(deal, 64, MAX_BYTES)
    if running.advance(10**9) != levels.WON:
        return False
    assert verify_solution(deal, running.solution()).verdict == "won"
    return True


def test_what_the_beam_search_wins_is_not_unwinnable():
    won = 0
    for deal in islice(late_positions(50_000), 60):
        answer, running = search(deal, position.ALL_REDUCTIONS, 100_000)
        if beam_wins(deal):
            won += 1
            assert answer != EXHAUSTED
        if answer == WON:
            assert verify_solution(deal, running.solution()).verdict == "won"
    assert won >= 12


@pytest.mark.slow
def test_what_the_beam_search_wins_in_larger_spaces_is_not_unwinnable():
    """Checks 300 positions that are not decided within 20,000 positions."""
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


def test_a_position_with_reversible_moves_only():
    columns = ["6S 5S", "6H", "6D", "JS TH", "JC", *["KS", "KH", "KD", "KC", "KS"]]
    deal = position_of(columns).to_deal()
    assert reachable(deal, 100) == (False, 6)
    for reductions in (0, *REDUCTIONS):
        answer, running = search(deal, reductions, 100)
        assert (answer, running.seen) == (EXHAUSTED, 6)


def test_the_order_of_columns_counts_only_while_rows_are_left():
    """The Five lies on one Six or the other. After a row of Kings nothing can move."""
    columns = ["6S 5S", "6S", *KINGS, *KINGS]
    late = position_of(columns).to_deal()
    early = position_of(columns, stock="KC " * 10).to_deal()

    def count_seen(deal: Deal, reductions: int) -> int:
        return search(deal, reductions, 100)[1].seen

    assert count_seen(late, 0) == 2
    assert count_seen(late, position.ALL_REDUCTIONS) == 1
    assert count_seen(early, 0) == 4
    assert count_seen(early, position.ALL_REDUCTIONS) == 3


def last_run(columns: list[str], stock: str, down: list[int], rules: RowRule) -> Deal:
    """Return a position with seven completed runs and King to Two of spades in column 1."""
    deal = position_of([run(KING, 2), *columns], [0, *down], stock, rules).to_deal()
    return replace(deal, completed=(0,) * 7)


@pytest.mark.parametrize("reductions", [0, *REDUCTIONS])
def test_won_only_by_splitting_a_run_to_fill_an_empty_column_before_a_row(reductions):
    """Each of nine columns is one run. Unless a run is split, one column is always empty."""
    columns = ["9H 8H 7H", *KINGS, *KINGS[:3]]
    for rules in RowRule:
        deal = last_run(columns, "AS" + " KC" * 9, [], rules)
        answer, running = search(deal, reductions, 10**6)
        assert answer == WON
        actions = running.solution()
        assert verify_solution(deal, actions).verdict == "won"
        if rules is RowRule.STANDARD:
            before_row = actions[: actions.index(ROW)]
            assert any(isinstance(a, Move) and a.source == 1 and a.count < 3 for a in before_row)


@pytest.mark.parametrize("reductions", [0, *REDUCTIONS])
@pytest.mark.parametrize("rules", RowRule)
def test_won_only_if_a_row_is_dealt_at_once(reductions, rules):
    """Any move puts an Ace of hearts on the Two, and the Ace cannot leave it."""
    deal = last_run(["9D AH"] * 9, "AS" + " KC" * 9, [1] * 9, rules)
    *_, move, row = Position(deal).legal_actions()
    assert (move, row) == (Move(9, 0, 1), ROW)
    answer, running = search(deal, reductions, 100)
    assert (answer, running.solution()) == (WON, (ROW,))
    after = Position(deal)
    after.push(move)
    answer, running = search(after.to_deal(), reductions, 100)
    assert (answer, running.seen) == (EXHAUSTED, 2)


@pytest.mark.parametrize(
    ("rules", "positions", "with_reduction"),
    [(RowRule.STANDARD, 135, 90), (RowRule.RELAXED, 252, 252)],
)
def test_under_the_standard_rule_no_row_is_dealt_with_fewer_than_ten_cards(
    rules, positions, with_reduction
):
    """The Ace completes a run. After that, eight cards are left."""
    deal = last_run(["AS", *["AH"] * 8], "3H " * 10, [], rules)
    deal = replace(deal, completed=(0,) * 6)
    assert reachable(deal, 1000) == (False, positions)
    for reductions, expected in ((0, positions), (position.TOO_FEW, with_reduction)):
        answer, running = search(deal, reductions, 1000)
        assert (answer, running.seen) == (EXHAUSTED, expected)


# Making and unmaking actions

# ``unmake`` may leave other values in these fields. ``assert_same`` compares the cards in use.
NOT_RESTORED = {"taken", "ending", "cards"}


@pytest.mark.parametrize("suits", [1, 2, 4])
@pytest.mark.parametrize("rules", RowRule)
def test_make_and_unmake_agree_with_the_rules(suits, rules):
    numbers, expansion = position.make_pair_numbers(), layout.new_record(children.EXPANSION)
    slots = np.zeros((1, position.WORDS), np.uint64)
    for seed in range(25):
        rng, deal = random.Random(seed), mid_game_deal(seed, suits, rules)
        game, made = Position(deal), []
        _, root = layout.pack(deal)
        current = position.make_position(deal, 0)
        position.settle(current, numbers, root)
        for _ in range(80):
            legal = list(game.legal_actions())
            count = children.expand(current, slots, numbers, root, expansion, 0)
            assert_same(current, game, deal, numbers)
            if count == children.CHILD_WON or not legal:
                break
            found = expansion["children"][:count]
            assert {moves.decode(int(code)) for code in found["code"]} == set(legal)
            action = random_action(rng, game, legal)
            code = moves.encode(action)
            (key,) = (tuple(child["key"]) for child in found if child["code"] == code)
            before = current.copy()
            entry = position.make(current, numbers, root, code)
            assert tuple(current["key"]) == key
            made.append((entry, before))
            game.push(action)
        for entry, before in reversed(made):
            position.unmake(current, numbers, root, entry)
            for name in {*current.dtype.names} - NOT_RESTORED:
                assert np.array_equal(current[name], before[name])
            game.pop()
        assert_same(current, game, deal, numbers)


def assert_same(current: np.void, game: Position, deal: Deal, numbers: np.void) -> None:
    """Check that cards, counts, runs and keys of a SEARCH_POSITION are those of a game."""
    sizes = current["size"].tolist()
    columns = [current["cards"][i, :size].tolist() for i, size in enumerate(sizes)]
    assert columns == game.columns
    assert current["face_down"].tolist() == game.face_down
    assert current["run_length"].tolist() == [game.run_length(i) for i in range(COLUMNS)]
    assert current["completed"] == len(game.completed)
    assert current["cards_in_columns"] == sum(sizes)
    assert current["rows_dealt"] == (len(deal.stock) - len(game.stock)) // ROW_CARDS
    fresh = position.make_position(game.to_deal(), 0)
    _, root = layout.pack(game.to_deal())
    position.settle(fresh, numbers, root)
    for name in ("unmixed", "mixed", "key"):
        assert np.array_equal(fresh[name], current[name])


def test_keys_have_two_words_of_distinct_random_numbers_and_both_count():
    numbers = position.make_pair_numbers()
    independent = [numbers[name].ravel() for name in numbers.dtype.names if name != "sums"]
    used = np.concatenate(independent)
    assert used.all()
    assert len(np.unique(used)) == used.size
    slots = np.zeros((8, position.WORDS), np.uint64)
    word, other = np.uint64(2**63 + 5), np.uint64(2**64 - 1)
    for key in ((word, word), (word, other), (other, word), (np.uint64(0), word)):
        assert table.insert(slots, key)
        assert not table.insert(slots, key)
        assert table.contains(slots, key)
    assert not table.contains(slots, (other, other))
    larger = np.zeros((32, position.WORDS), np.uint64)
    table.rehash(slots, larger)
    assert sorted(map(tuple, larger[larger[:, 0] != 0])) == sorted(
        map(tuple, slots[slots[:, 0] != 0])
    )


def test_the_bound_on_the_chance_of_an_error():
    assert depth_first.error_bound(0) == 2.0**-123
    assert depth_first.error_bound(10**8) == pytest.approx(9.4e-22, rel=0.01)


# Slices, solutions and memory


def search_in_slices(
    deal: Deal, positions_per_slice: int, max_positions: int = 200_000
) -> tuple[int, int, tuple[Action, ...]]:
    """Return the answer, the number of positions and the solution of a search in slices."""
    running, answer = ExhaustiveSearch(deal, MAX_BYTES), RUNNING
    while answer == RUNNING and running.seen < max_positions:
        answer = running.advance(min(positions_per_slice, max_positions - running.seen))
    return answer, running.seen, running.solution() if answer == WON else ()


def test_the_size_of_slices_changes_nothing():
    answers = Counter[int]()
    for seed in range(40):
        deal = mid_game_deal(seed, 2)
        whole = search_in_slices(deal, 10**9, 20_000)
        answers[whole[0]] += 1
        assert search_in_slices(deal, 1, 20_000) == whole
        assert search_in_slices(deal, 777, 20_000) == whole
    assert answers[WON] >= 10
    assert answers[RUNNING] >= 20


def test_a_solution_has_no_detours():
    """No action leads from a position of the solution to one that comes later than the next."""
    won = 0
    for seed in range(40):
        deal = mid_game_deal(seed, 1)
        answer, _, actions = search_in_slices(deal, 10**6)
        if answer != WON:
            continue
        won += 1
        assert verify_solution(deal, actions).verdict == "won"
        game = Position(deal)
        index_of = {reference_state(game): 0}
        for index, action in enumerate(actions, 1):
            game.push(action)
            assert index_of.setdefault(reference_state(game), index) == index
        game = Position(deal)
        for index, action in enumerate(actions, 1):
            for other in list(game.legal_actions()):
                game.push(other)
                assert index_of.get(reference_state(game), 0) <= index
                game.pop()
            game.push(action)
    assert won >= 12


def test_memory_is_limited():
    deal = mid_game_deal(1, 4)
    with pytest.raises(MemoryError, match="bytes wanted, 1000 allowed"):
        ExhaustiveSearch(deal, 1000)
    limit = 2 * least_bytes() + 200_000
    running = ExhaustiveSearch(deal, limit)
    with pytest.raises(MemoryError, match=f"{limit} allowed"):
        running.advance(10**9)
    assert running.memory <= limit


def test_each_kernel_is_compiled_once():
    search(mid_game_deal(1, 4), 0, 1000)
    for kernel in (depth_first.advance, children.expand, position.make, position.unmake):
        assert len(kernel.signatures) == 1
