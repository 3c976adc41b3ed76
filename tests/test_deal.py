"""The check of a deal's cards. Each fault gives an error message of one line."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from play import endgame, run

from spider_solver.cards import KING, parse_card
from spider_solver.deal import Deal, RowRule, ends_in_completed_run
from spider_solver.errors import DealError
from spider_solver.numbering import deal_from_number

NATIVE = deal_from_number("native:1")
Arguments = dict[str, list]  # type: ignore[type-arg]  # of Deal.make
QUEEN_OF_SPADES = parse_card("QS")


def arguments() -> Arguments:
    """Arguments of Deal.make that give native:1. The caller may change the lists."""
    return {
        "columns": [list(column) for column in NATIVE.columns],
        "stock": list(NATIVE.stock),
        "face_down": list(NATIVE.face_down),
    }


def remove_end_card(p: Arguments) -> None:
    p["columns"][3].pop()
    p["face_down"][3] -= 1


def add_third_queen_of_spades(p: Arguments) -> None:
    p["columns"][0][1] = QUEEN_OF_SPADES


def change_suits_in_stock(p: Arguments) -> None:
    p["stock"] = [c | 16 for c in p["stock"]]  # spades become hearts, diamonds become clubs


# Each fault: what to do to the arguments, and a regular expression that the message matches.
FAULTS: dict[str, tuple[Callable[[Arguments], object], str]] = {
    "103 cards": (remove_end_card, r"^103 cards that are not 8 full suits: missing: 4C$"),
    "105 cards": (
        lambda p: p["stock"].append(QUEEN_OF_SPADES),
        r"^105 cards .*: QS \(queen of spades\) occurs 3 times instead of 2 \(.*stock row",
    ),
    "three queens of spades": (
        add_third_queen_of_spades,
        r"^104 cards .*QS \(queen of spades\) occurs 3 times instead of 2 \(column 1 card 2,"
        r" stock row 3 card 6, stock row 4 card 10\); missing: 5S$",
    ),
    "no cards": (lambda p: p.update(columns=[[]] * 10, stock=[], face_down=[0] * 10), r"^0 cards"),
    "eleven columns": (lambda p: p["columns"].append([]), r"^11 columns: expected 10$"),
    "nine columns": (lambda p: p["columns"].pop(), r"^9 columns: expected 10$"),
    "nine counts": (lambda p: p["face_down"].pop(), r"^9 face-down counts: expected 10$"),
    "nine completed": (
        lambda p: p.update(completed=[0] * 9),
        r"^9 completed runs: expected at most 8$",
    ),
    "face-down end card": (
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
    "many faults": (change_suits_in_stock, r"^104 cards .*; missing: .*\.\.\.$"),
    "not the code of a card": (
        lambda p: p["stock"].__setitem__(12, 99),
        r"^stock row 2 card 3: 99 is not the code of a card$",
    ),
    "not the code of a suit": (
        lambda p: p.update(completed=[7]),
        r"^completed runs: 7 is not the code of a suit, 0 to 3$",
    ),
    "another suit mode": (
        lambda p: p.update(suits=2),
        r"^the cards have 4 suits, but 2 are stated$",
    ),
    "not a suit mode": (lambda p: p.update(suits=5), r"^5 suits: expected 1, 2, 3 or 4$"),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_is_described_in_one_line(fault: str) -> None:
    introduce_fault, message = FAULTS[fault]
    faulty = arguments()
    introduce_fault(faulty)
    with pytest.raises(DealError) as caught:
        Deal.make(**faulty)
    text = str(caught.value)
    assert re.search(message, text), text
    assert "\n" not in text
    assert len(text) < 600


def test_the_cards_of_completed_runs_count() -> None:
    with pytest.raises(DealError, match=r"^117 cards .* occurs 3 times instead of 2 \("):
        Deal.make(**arguments(), completed=[0])
    assert Deal.make([[]] * 10, [], completed=[0, 1, 2, 3] * 2).suits == 4


def test_without_face_down_counts_only_the_end_cards_are_face_up() -> None:
    made = Deal.make(NATIVE.columns, NATIVE.stock, name="native:1")
    assert made == NATIVE
    assert made.fresh
    assert Deal.make([*NATIVE.columns], NATIVE.stock, [0] * 10).fresh is False


def test_a_completed_run_at_the_end_of_a_column_is_refused() -> None:
    with pytest.raises(DealError, match="column 2 ends in a completed run of S, King to Ace"):
        endgame([[], run(KING, 1)])
    endgame([[], run(KING, 1)], [0, 1])  # its King is face down: not a completed run


def test_a_completed_run_under_other_cards_is_refused() -> None:
    columns = [run(KING, 1) + run(KING, 9), run(8, 1)]
    message = (
        "column 1 has a completed run of S, King to Ace, under other cards: by this program's rules"
        " a completed run leaves at once, so this position cannot arise"
    )
    with pytest.raises(DealError, match=message):
        endgame(columns)
    endgame(columns, (1,))  # its King is face down


def test_ends_in_completed_run() -> None:
    assert ends_in_completed_run(run(KING, 1), 0)
    assert ends_in_completed_run([5, *run(KING, 1)], 1)
    assert not ends_in_completed_run([5, *run(KING, 1)], 2)
    assert not ends_in_completed_run(run(12, 1), 0)
    assert not ends_in_completed_run([*run(KING, 7), *run(6, 1, suit=1)], 0)
    assert not ends_in_completed_run([], 0)


def test_any_eight_full_suits_are_accepted() -> None:
    columns = [run(KING, 1, suit) for suit in (0, 0, 0, 1, 1, 3, 3, 3)]
    deal = Deal.make([*columns, [], []], [], [1] * 8 + [0] * 2)
    assert deal.suits == 3
    assert deal.with_rules(RowRule.RELAXED).rules is RowRule.RELAXED
