"""The lower bounds on the actions that a position still needs."""

import pytest
from play import cards, endgame, one_move_from_won, random_position, run
from shortest import ending, joins, least_length

from spider_solver.bound import joins_needed, least_actions
from spider_solver.cards import ACE, KING, rank_of
from spider_solver.deal import COLUMNS, Deal
from spider_solver.game import Position, Row
from spider_solver.numbering import deal_from_number
from spider_solver.solver import solve

SUIT_MODES = [1, 2, 4]


@pytest.mark.parametrize("suits", SUIT_MODES)
@pytest.mark.parametrize("number", range(1, 9))
def test_the_bound_never_exceeds_what_a_solution_still_needs(number, suits):
    deal = deal_from_number(f"native:{number}", suits)
    actions = solve(deal).actions
    assert actions
    needed = joins_needed(deal, len(actions))
    position = Position(deal)
    for played, action in enumerate(actions):
        assert 0 < least_actions(position.to_deal()) <= len(actions) - played
        assert joins(position) >= played + needed[position.rows_left]
        position.push(action)
    assert least_actions(position.to_deal()) == 0


@pytest.mark.parametrize("suits", SUIT_MODES)
@pytest.mark.parametrize("seed", range(20))
def test_a_move_makes_at_most_one_join_and_a_row_at_most_ten(seed, suits):
    position = random_position(seed, 10 + 4 * seed, suits)
    before = joins(position)
    for action in list(position.legal_actions()):
        position.push(action)
        assert joins(position) - before <= (10 if isinstance(action, Row) else 1)
        position.pop()


@pytest.mark.parametrize("suits", SUIT_MODES)
@pytest.mark.parametrize("number", range(1, 7))
def test_the_bound_of_an_ending_is_at_most_its_least_length(number, suits):
    deal, least = ending(number, suits)
    assert least_actions(deal) <= least <= 4


def test_one_move_from_won():
    assert least_actions(one_move_from_won()) == 1


def test_a_head_whose_only_bases_lie_under_it_costs_an_action_more():
    # Three joins are missing: Q on K, 5 on 6 and 4 on 5. The only King lies under the 5 and the
    # Queen. So the first move of the Queen makes no join.
    blocked = endgame([[*cards("KS"), *cards("5S"), *run(12, 6)], run(4, ACE)])
    assert joins(Position(blocked)) == 12 * 7 + 6 + 3
    assert least_actions(blocked) == least_length(blocked) == 4


def test_a_head_with_a_free_base_costs_nothing_more():
    free = endgame([cards("KS"), [*cards("5S"), *run(12, 6)], run(4, ACE)])
    assert least_actions(free) == least_length(free) == 3


def largest_matching(deal: Deal, last: int) -> int:
    """Match cards of the last rows with bases that are dealt before them, by augmenting paths."""
    first = len(deal.stock) - 10 * last
    in_tableau = [card for column in deal.columns for card in column]
    bases = [(card, -1) for card in in_tableau]
    bases += [(card, index // 10) for index, card in enumerate(deal.stock)]
    user: dict[int, int] = {}  # by base: the card of the stock that is matched with it

    def match(index: int, tried: set[int]) -> bool:
        for base, (card, row) in enumerate(bases):
            if card == deal.stock[index] + 1 and row < index // 10 and base not in tried:
                tried.add(base)
                if base not in user or match(user[base], tried):
                    user[base] = index
                    return True
        return False

    return sum(match(index, set()) for index in range(first, len(deal.stock)))


@pytest.mark.parametrize("suits", SUIT_MODES)
@pytest.mark.parametrize("number", range(1, 6))
def test_rows_make_at_most_as_many_joins_as_the_largest_matching(number, suits):
    deal = deal_from_number(f"native:{number}", suits)
    matchings = [largest_matching(deal, last) for last in range(6)]
    assert joins_needed(deal, 0) == [96 - size + last for last, size in enumerate(matchings)]
    if suits == 4:  # some cards have all their bases in their own row or later ones
        assert matchings[5] < sum(rank_of(card) < KING for card in deal.stock)


def test_needs_grow_with_a_shorter_limit():
    deal = deal_from_number("native:5", 2)
    assert joins_needed(deal, 90) == [needed + 10 for needed in joins_needed(deal, 100)]
    assert len(joins_needed(deal, 90)) == 6
    assert joins_needed(Deal.make([[]] * COLUMNS, (), completed=[0] * 8), 0) == [96]
