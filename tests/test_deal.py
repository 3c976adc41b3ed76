"""The complete check of a deal's cards: each fault is one clear line."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from play import endgame, run

from spider_solver.cards import KING, parse_card
from spider_solver.deal import Deal, RowRule, ends_in_full_run
from spider_solver.errors import DealError
from spider_solver.numbering import deal_from_number

NATIVE = deal_from_number("native:1")
Parts = dict[str, list]  # type: ignore[type-arg]
SQ = parse_card("QS")


def parts() -> Parts:
    return {
        "columns": [list(column) for column in NATIVE.columns],
        "stock": list(NATIVE.stock),
        "face_down": list(NATIVE.face_down),
    }


def remove_end_card(p: Parts) -> None:
    p["columns"][3].pop()
    p["face_down"][3] -= 1


def third_queen_of_spades(p: Parts) -> None:
    p["columns"][0][1] = SQ


def foreign_suit(p: Parts) -> None:
    p["stock"] = [c | 16 for c in p["stock"]]


FAULTS: dict[str, tuple[Callable[[Parts], object], str]] = {
    "103 cards": (remove_end_card, r"^103 cards that aren't 8 full suits: missing: 4C$"),
    "105 cards": (
        lambda p: p["stock"].append(SQ),
        r"^105 cards .*: QS \(queen of spades\) is there 3 times instead of 2 \(.*stock row",
    ),
    "three queens of spades": (
        third_queen_of_spades,
        r"^104 cards .*QS \(queen of spades\) is there 3 times instead of 2 \(column 1 card 2,"
        r" stock row 3 card 6, stock row 4 card 10\); missing: 5S$",
    ),
    "no cards": (lambda p: p.update(columns=[[]] * 10, stock=[], face_down=[0] * 10), r"^0 cards"),
    "eleven columns": (lambda p: p["columns"].append([]), r"^11 columns where a deal has 10$"),
    "nine columns": (lambda p: p["columns"].pop(), r"^9 columns where a deal has 10$"),
    "nine counts": (lambda p: p["face_down"].pop(), r"^9 face-down counts where 10 belong$"),
    "nine completed": (lambda p: p.update(completed=[0] * 9), r"^9 completed runs where at most 8"),
    "face-down end": (
        lambda p: p["face_down"].__setitem__(4, 5),
        r"^column 5 has 5 cards and 5 of them face down: its end card must be face up$",
    ),
    "negative count": (
        lambda p: p["face_down"].__setitem__(4, -1),
        r"^column 5 has 5 cards and -1",
    ),
    "stock not in rows": (
        lambda p: p["columns"][9].append(p["stock"].pop()),
        r"^49 cards in the stock: expected rows of ten, at most 5$",
    ),
    "six rows": (
        lambda p: [p["stock"].append(p["columns"][i].pop(0)) for i in range(10)],
        r"^60 cards in the stock: expected rows of ten, at most 5$",
    ),
    "many faults": (foreign_suit, r"^104 cards .*; missing: .*\.\.\.$"),
    "no card's code": (lambda p: p["stock"].__setitem__(12, 99), r"^stock row 2 card 3: 99 is no"),
    "no suit's code": (lambda p: p.update(completed=[7]), r"^completed runs: 7 is no suit's code"),
    "another suit mode": (lambda p: p.update(suits=2), r"^cards of 4 suits where 2 are stated$"),
    "no suit mode": (lambda p: p.update(suits=5), r"^5 suits: expected 1, 2, 3 or 4$"),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_fault(fault: str) -> None:
    spoil, message = FAULTS[fault]
    spoiled = parts()
    spoil(spoiled)
    with pytest.raises(DealError) as caught:
        Deal.make(**spoiled)
    text = str(caught.value)
    assert re.search(message, text), text
    assert "\n" not in text
    assert len(text) < 600


def test_a_completed_run_too_many_is_named() -> None:
    with pytest.raises(DealError, match=r"is there 3 times instead of 2 \("):
        Deal.make(**parts(), completed=[0])
    with pytest.raises(DealError, match=r"^117 cards "):
        Deal.make(**parts(), completed=[0])
    assert Deal.make([[]] * 10, [], completed=[0, 1, 2, 3] * 2).suits == 4


def test_make_turns_only_the_end_cards_up_unless_told() -> None:
    made = Deal.make(NATIVE.columns, NATIVE.stock, name="native:1")
    assert made == NATIVE
    assert made.fresh
    assert Deal.make([*NATIVE.columns], NATIVE.stock, [0] * 10).fresh is False


def test_a_whole_run_at_an_end_must_have_left() -> None:
    with pytest.raises(DealError, match="column 2 ends in a whole run of S, King to Ace"):
        endgame([[], run(KING, 1)])
    endgame([[], run(KING, 1)], [0, 1])  # its King is face down, so it stays


def test_a_whole_run_under_other_cards_would_have_left_before_they_came() -> None:
    columns = [run(KING, 1) + run(KING, 9), run(8, 1)]
    with pytest.raises(DealError, match="column 1 holds a whole run of S, King to Ace: it leaves"):
        endgame(columns)
    endgame(columns, (1,))


def test_ends_in_full_run() -> None:
    assert ends_in_full_run(run(KING, 1), 0)
    assert ends_in_full_run([5, *run(KING, 1)], 1)
    assert not ends_in_full_run([5, *run(KING, 1)], 2)
    assert not ends_in_full_run(run(12, 1), 0)
    assert not ends_in_full_run([*run(KING, 7), *run(6, 1, suit=1)], 0)
    assert not ends_in_full_run([], 0)


def test_any_eight_full_suits_are_a_deal() -> None:
    columns = [run(KING, 1, suit) for suit in (0, 0, 0, 1, 1, 3, 3, 3)]
    deal = Deal.make([*columns, [], []], [], [1] * 8 + [0] * 2)
    assert deal.suits == 3
    assert deal.with_rules(RowRule.RELAXED).rules is RowRule.RELAXED
