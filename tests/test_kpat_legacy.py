"""Legacy saves of KPatience: deals, positions, and files that are refused."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest
from commandline import run
from play import sensible_position

from spider_solver.cards import KING, card, rank_of, suit_of
from spider_solver.deal import MAX_ROWS, ROW_CARDS, Deal
from spider_solver.errors import DealError
from spider_solver.formats import detect_format, read_deal, read_game
from spider_solver.numbering import deal_from_number

FILE = Path(__file__).parent / "data" / "inputs" / "01_kpat_legacy_doctype.kpat"
TEXT = FILE.read_text()
SUITS = (3, 2, 1, 0)  # clubs, diamonds, hearts, spades


def legacy(deal: Deal, number: int = 0, options: str = 'options="{suits}"') -> str:
    """Return a legacy save of a deal."""

    def element(one_card: int, face_up: bool) -> str:
        suit = SUITS.index(suit_of(one_card))
        return f'<card suit="{suit}" value="{rank_of(one_card)}" faceup="{face_up:d}"/>'

    piles: dict[int, list[str]] = {}
    dealt = MAX_ROWS - len(deal.stock) // ROW_CARDS
    for index in range(0, len(deal.stock), ROW_CARDS):
        row = deal.stock[index : index + ROW_CARDS][::-1]
        piles[1 + dealt + index // ROW_CARDS] = [element(one, False) for one in row]
    for index, (column, down) in enumerate(zip(deal.columns, deal.face_down, strict=True)):
        piles[6 + index] = [element(one, height >= down) for height, one in enumerate(column)]
    for index, suit in enumerate(deal.completed):
        piles[16 + index] = [element(card(rank, suit), True) for rank in range(KING, 0, -1)]
    inner = "".join(
        f'<pile index="{i}" z="1">{"".join(piles.get(i, []))}</pile>' for i in range(24)
    )
    inner = inner.replace('<pile index="0" z="1"></pile>', "")
    given = options.format(suits=deal.suits)
    return f'<!DOCTYPE kpat>\n<dealer id="17" {given} number="{number}">\n{inner}\n</dealer>\n'


def refused(text: str) -> str:
    with pytest.raises(DealError) as caught:
        read_deal(text, "s.kpat")
    return str(caught.value)


def test_the_sample_is_the_deal_of_its_number() -> None:
    assert detect_format(TEXT).name == "kpat"
    assert read_deal(TEXT) == deal_from_number("kpat:18", 1)
    assert run("show", str(FILE)).stdout.startswith("kpat:18, 1 suit, standard rules\n")
    assert read_game(TEXT).entries == ()


@pytest.mark.parametrize("suits", [1, 2, 3, 4])
def test_a_deal_is_read_with_its_number(suits: int) -> None:
    deal = deal_from_number("kpat:12345", suits)
    assert read_deal(legacy(deal, 12345)) == deal
    assert read_deal(legacy(deal, 12345, "")) == deal  # before KDE 4.3
    assert read_deal(legacy(deal)) == replace(deal, name="")


@pytest.mark.parametrize("actions", [30, 70, 130])
def test_a_position_is_read(actions: int) -> None:
    deal = replace(sensible_position(134, actions, 2).to_deal(), name="")
    assert read_deal(legacy(deal)) == deal


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('id="17"', 'id="10"', "s.kpat, line 3: a saved game of KPatience's game 10: expected Spi"),
        ('id="17"', "", "id '': expected a whole number"),
        ('options="1"', 'options="5"', "options: suits '5': expected 1, 2, 3 or 4"),
        ('options="1"', 'options="2"', "the cards have 1 suits, but 2 are stated"),
        ('number="18"', 'number="19"', "the cards are not those of deal kpat:19"),
        ('<pile index="23" z="0"/>', '<pile index="24"/>', "pile 24: expected one of Spider, 1 to"),
        (
            'suit="3"',
            'suit="4"',
            "line 5: suit 4, value 3 is not a card: expected a suit of 0 to 3",
        ),
        ('value="3"', 'value="0"', "suit 3, value 0 is not a card"),
        ('faceup="0"', 'faceup="2"', "faceup '2': expected 0 or 1"),
        ("<card", "<pile", "<pile> inside <pile>: expected another element"),
        ("<card", "<kpat-game/><card", "<kpat-game> inside <pile>: expected another element"),
        (re.findall("<card.*?/>", TEXT)[0], "", "missing: 3S; pile 1 has 9 cards, not ten"),
        ("<!DOCTYPE kpat>", '<!DOCTYPE kpat SYSTEM "x">', "that may define entities: not read"),
    ],
)
def test_a_fault(old: str, new: str, message: str) -> None:
    assert old in TEXT
    assert message in refused(TEXT.replace(old, new, 1))


def test_many_cards_are_refused() -> None:
    first = re.findall("<card.*?/>", TEXT)[0]
    assert "more than 1000 cards" in refused(TEXT.replace(first, first * 1200, 1))
