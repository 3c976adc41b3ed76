"""The orders of the unknown cards of a deal.

The unknown cards and their places are known, but not which card is at which place. The two copies
of a card are the same, so exchanging them gives no other order.
"""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

from ..cards import UNKNOWN
from ..deal import Deal
from ..telling import Place

# The card at each unknown place. The places are in the order of ``unknown_places``.
Order = tuple[int, ...]


def unknown_places(deal: Deal) -> list[Place]:
    """Return the places of the unknown cards: columns 0 to 9, bottom cards first; then the stock.

    The index of a place in the stock is counted from the next card to be dealt.
    """
    piles = (*enumerate(deal.columns), (None, deal.stock))
    return [
        Place(column, index)
        for column, cards in piles
        for index, one_card in enumerate(cards)
        if one_card == UNKNOWN
    ]


def order_count(deal: Deal) -> int:
    """Return the number of orders: n! / (c1! c2! ...), for n cards with c1, c2, ... copies."""
    copies = Counter(deal.unknown).values()
    return math.factorial(len(deal.unknown)) // math.prod(map(math.factorial, copies))


def all_orders(deal: Deal) -> Iterator[Order]:
    """Yield each order once, sorted as tuples of cards."""
    yield from _permutations(Counter(deal.unknown))


def _permutations(left: Counter[int]) -> Iterator[Order]:
    """Yield each order of some cards once. left: how many of each card; restored at the end."""
    if not left.total():
        yield ()
        return
    for one_card in sorted(left):
        if left[one_card]:
            left[one_card] -= 1
            for rest in _permutations(left):
                yield (one_card, *rest)
            left[one_card] += 1


def sample_orders(deal: Deal, count: int, seed: int) -> Iterator[Order]:
    """Yield random orders, independent of each other; an order may occur again.

    All orders are equally likely. The same seed gives the same orders, and a greater ``count``
    gives the same ones first.
    """
    chance = random.Random(seed)
    cards = list(deal.unknown)
    for _ in range(count):
        chance.shuffle(cards)
        yield tuple(cards)


def with_order(deal: Deal, order: Order) -> Deal:
    """Return the deal whose unknown cards have an order. All its cards are known."""
    columns = [list(column) for column in deal.columns]
    stock = list(deal.stock)
    for (column, index), one_card in zip(unknown_places(deal), order, strict=True):
        (stock if column is None else columns[column])[index] = one_card
    return replace(deal, columns=tuple(map(tuple, columns)), stock=tuple(stock), unknown=())
