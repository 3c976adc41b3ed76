"""Lower bounds on the actions that a position still needs: ``least_actions``.

A *join* is a face-up card that lies on a face-up card of its suit, one rank higher. Below, a
*base* is one of the 96 cards that are not Aces (each of the two to eight copies of a card is a
base of its own), and the *follower* of a base is the card that makes a join with it. A base has at
most one follower at a time. In a won game each base has one in the end.

The argument of joins
---------------------
For a base let s be 1 if it has a follower now, else 0. In the rest of a won game let m and r be the
joins that moves and rows make on it, and b the joins on it that are broken. Then

    s + m + r - b = 1.

A move makes at most one join, since only the highest card that it moves gets another card under
it. So there are at least as many moves as the sum of m over all bases.

- A base with s = 0 has m = 1 - (r - b). Between two joins on a base there is a break, so r - b is
  at most 1, and it is above 0 only if a row makes a join on the base. The card that the row deals
  fits the base: it has the base's suit and is one rank lower. The base was in the tableau before
  that row. Different bases have different followers in the end, so the sum of r - b over these
  bases is at most the size of the largest matching between cards in the stock and bases with s = 0
  that they fit and that are dealt before them.
- A base with s = 1 has m >= 0.

To win, all rows must be dealt. In all:

    actions left >= (bases with s = 0) - matching + (rows left).

The argument of blocked segments
--------------------------------
A *segment* is a largest group of joined cards in a column, or one face-down card. Its *head* is its
highest card. A head that is not a King must be moved to win the game, because the card under it, if
any, does not fit it. When a head is moved, it is the highest card moved.

Call a set of segments *closed* if no head in it is a King, and if each base that a head of the set
fits has a follower now, or lies under a segment of the set in the same column. Consider the first
move of a head of a closed set. Either it makes no join. Or it makes a join with a base that is not
under a segment of the set, because no head of the set was moved before. That base has a follower
now, so s = 1 and m >= 1. In both cases there is one action more than the first argument counts: it
counts only moves that make a join, and it counts m as 0 for bases with s = 1.

Several closed sets count one action each if no head is in two of them, and no base with a follower
fits heads of two of them: then these moves without a join and these bases are different ones.
``_count_closed_sets`` finds such sets one by one.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection
from typing import NamedTuple

from .cards import KING, rank_of
from .deal import COLUMNS, ROW_CARDS, RUN_CARDS, SETS, Deal

ALL_JOINS = SETS * (RUN_CARDS - 1)  # of a won game: one for each base


class _Place(NamedTuple):
    """The place of a segment, and of the unfollowed base at its end."""

    column: int  # 0-9
    height: int  # index among the segments of its column, 0 at the bottom


def least_actions(deal: Deal) -> int:
    """A number of actions, rows included, that every solution of a deal has at least.

    deal: fresh or in mid-game, with all cards known. The result is 0 exactly if the game is won.
    It says nothing about whether there is a solution.
    """
    columns = _columns_of_segments(deal)
    followed = Counter(card for column in columns for cards in column for card in cards[:-1])
    joins = followed.total() + len(deal.completed) * (RUN_CARDS - 1)
    rows = len(deal.stock) // ROW_CARDS
    actions = ALL_JOINS - joins - _most_row_joins(deal, followed, rows) + rows
    return actions + _count_closed_sets(columns, followed, deal.stock)


def joins_needed(deal: Deal, longest: int) -> list[int]:
    """For each number of rows left, the least joins of a state that may win in time.

    longest: the most actions that a solution may have, counted from the deal. Entry n is for
    states with n rows left; the last entry is for all rows of the deal. Entries hold for a state
    at level 0; a state after k actions needs k joins more. A completed run counts 12 joins.

    This is the argument of joins. Its matching is that of the deal, with all bases free: with fewer
    free bases it could only be smaller.
    """
    rows = len(deal.stock) // ROW_CARDS
    gains = [_most_row_joins(deal, Counter(), last) for last in range(rows + 1)]
    return [ALL_JOINS - gain + last - longest for last, gain in enumerate(gains)]


def _most_row_joins(deal: Deal, followed: Counter[int], last: int) -> int:
    """The size of the matching in the argument of joins, for the last rows of the stock.

    followed: the bases that have a follower, by card. last: how many rows are left.
    """
    rows = [deal.stock[i : i + ROW_CARDS] for i in range(0, len(deal.stock), ROW_CARDS)]
    dealt = len(rows) - last
    free = Counter(card for column in deal.columns for card in column) - followed
    free.update(card for row in rows[:dealt] for card in row)
    size = 0
    # A base that is free for one row is free for all later ones, so it is best to match each card
    # as soon as it is dealt.
    for row in rows[dealt:]:
        for card, count in Counter(row).items():
            if rank_of(card) < KING:
                matched = min(count, free[card + 1])
                free[card + 1] -= matched
                size += matched
        free.update(row)
    return size


def _columns_of_segments(deal: Deal) -> list[list[list[int]]]:
    """The segments of each column, the bottom one first; each is the list of its cards."""
    columns = []
    for column, down in zip(deal.columns, deal.face_down, strict=True):
        segments: list[list[int]] = []
        for index, card in enumerate(column):
            if index > down and column[index - 1] == card + 1:
                segments[-1].append(card)
            else:
                segments.append([card])
        columns.append(segments)
    return columns


def _count_closed_sets(
    columns: list[list[list[int]]], followed: Counter[int], stock: Collection[int]
) -> int:
    """The number of closed sets found, as the argument of blocked segments needs them."""
    heads: dict[_Place, int] = {}
    bases: defaultdict[int, list[_Place]] = defaultdict(list)  # the unfollowed ones, by card
    for column, segments in enumerate(columns):
        for height, cards in enumerate(segments):
            place = _Place(column, height)
            bases[cards[-1]].append(place)
            if rank_of(cards[0]) < KING:
                heads[place] = cards[0]
    free = set(stock)  # cards of which a base is in the stock, or is followed and counted already
    found = 0
    while True:
        closed = _largest_closed_set(heads, bases, free)
        if not closed:
            return found
        found += 1
        # A small set leaves more for others.
        sets = (_closed_set_with(place, heads, bases, closed) for place in closed)
        for place in min(sets, key=len):
            base = heads.pop(place) + 1
            if followed[base]:
                free.add(base)


def _largest_closed_set(
    heads: dict[_Place, int], bases: dict[int, list[_Place]], free: set[int]
) -> list[_Place]:
    """The largest closed set of segments among those in ``heads``, in the order of ``heads``."""
    closed = [place for place, head in heads.items() if head + 1 not in free]
    while True:
        highest = dict.fromkeys(range(COLUMNS), -1)  # the highest segment of the set, by column
        for place in closed:
            highest[place.column] = max(highest[place.column], place.height)
        kept = [
            place
            for place in closed
            if all(base.height < highest[base.column] for base in bases[heads[place] + 1])
        ]
        if len(kept) == len(closed):
            return closed
        closed = kept


def _closed_set_with(
    place: _Place, heads: dict[_Place, int], bases: dict[int, list[_Place]], closed: list[_Place]
) -> list[_Place]:
    """A small closed set that contains a segment of a closed set. It is a part of that set."""
    chosen = [place]
    for member in chosen:  # grows in the loop
        for base in bases[heads[member] + 1]:
            covers = [p for p in closed if p.column == base.column and p.height > base.height]
            if not any(cover in chosen for cover in covers):
                chosen.append(covers[0])
    return chosen
