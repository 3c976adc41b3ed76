"""The orders of unknown cards, and the lines of play that win several of them."""

from __future__ import annotations

import math
import random
from collections import Counter
from itertools import permutations

import pytest
from play import cards, hidden_places, sensible_position, two_aces, with_unknown

from spider_solver.unknown import (
    all_orders,
    order_count,
    orders_won,
    sample_orders,
    unknown_places,
    with_order,
)
from spider_solver.verify import GameVerdict, verify_solution

# Orders.


@pytest.mark.parametrize("seed", range(12))
def test_all_orders_are_the_distinct_permutations(seed: int) -> None:
    deal = sensible_position(seed, seed * 5, 2).to_deal()
    places = hidden_places(deal)
    random.Random(seed).shuffle(places)
    deal = with_unknown(deal, places[: seed % 6 + 1])
    orders = list(all_orders(deal))
    assert orders == sorted(set(permutations(deal.unknown)))
    assert order_count(deal) == len(orders)


def test_the_number_of_orders_of_many_cards() -> None:
    deal = sensible_position(1, 0, 1).to_deal()
    deal = with_unknown(deal, hidden_places(deal))
    copies = Counter(deal.unknown)
    assert len(deal.unknown) == 94
    count = order_count(deal)
    for one_card in copies:
        count *= math.factorial(copies[one_card])
    assert count == math.factorial(94)


@pytest.mark.parametrize("seed", range(5))
def test_an_order_gives_the_deal_with_its_cards(seed: int) -> None:
    known = sensible_position(seed, seed * 20, 4).to_deal()
    deal = with_unknown(known, hidden_places(known), known.name)
    places = unknown_places(deal)
    assert len(places) == len(deal.unknown)
    order = tuple(
        known.stock[index] if column is None else known.columns[column][index]
        for column, index in places
    )
    assert with_order(deal, order) == known
    for other in sample_orders(deal, 5, seed):
        with_order(deal, other).check(known.suits)


def test_samples_depend_on_the_seed_only() -> None:
    deal = sensible_position(1, 0).to_deal()
    deal = with_unknown(deal, hidden_places(deal))
    ten = list(sample_orders(deal, 10, 7))
    assert list(sample_orders(deal, 4, 7)) == ten[:4]
    assert list(sample_orders(deal, 10, 8)) != ten
    assert len(set(ten)) == 10


def test_all_orders_are_equally_likely_in_a_sample() -> None:
    deal = two_aces()[0]
    found = Counter(sample_orders(deal, 2000, 1))
    assert set(found) == set(all_orders(deal))
    assert min(found.values()) > 900  # 4.5 standard deviations below 1000


# Lines of play.


def test_a_line_of_play_may_win_several_orders() -> None:
    deal, line = two_aces()
    orders = list(all_orders(deal))
    assert orders == [tuple(cards("AS AH")), tuple(cards("AH AS"))]
    for order in orders:
        assert verify_solution(with_order(deal, order), line).verdict is GameVerdict.WON
    assert orders_won(deal, line, orders) == [0, 1]
    assert orders_won(deal, line, orders[::-1] * 2) == [0, 1, 2, 3]
    assert orders_won(deal, line[:-1], orders) == []
    assert orders_won(deal, [*line[:4], *line[7:]], orders) == [0]


def test_a_line_without_unknown_cards_wins_as_it_does_in_a_replay() -> None:
    deal, line = two_aces()
    known = with_order(deal, tuple(cards("AS AH")))
    assert orders_won(known, line, [()]) == [0]
