"""Deal numbers: the native scheme against its reference deals, and what is refused."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spider_solver.cards import card_text
from spider_solver.deal import STANDARD_HEIGHTS, Rules
from spider_solver.errors import DealError
from spider_solver.numbering import deal_from_number
from spider_solver.numbering.native import LARGEST, SplitMix64

VECTORS = json.loads((Path(__file__).parent / "data" / "native.json").read_text())["vectors"]


@pytest.mark.parametrize("vector", VECTORS, ids=lambda v: f"{v['number']}-{v['suits']}")
def test_native_reference_deals(vector: dict[str, Any]) -> None:
    deal = deal_from_number(f"native:{vector['number']}", vector["suits"])
    assert [[card_text(c) for c in column] for column in deal.columns] == vector["columns"]
    assert [card_text(c) for c in deal.stock] == vector["stock"]
    assert deal.name == f"native:{vector['number']}"
    assert deal.suits == vector["suits"]
    assert deal.fresh


@given(st.integers(0, LARGEST), st.sampled_from((1, 2, 4)), st.sampled_from(Rules))
def test_every_number_is_a_deal(number: int, suits: int, rules: Rules) -> None:
    deal = deal_from_number(str(number), suits, rules)
    assert tuple(map(len, deal.columns)) == STANDARD_HEIGHTS
    assert deal.suits == suits
    assert deal.rules is rules
    assert deal.fresh


def test_a_bare_number_is_native_and_scheme_names_have_no_case() -> None:
    assert deal_from_number("7") == deal_from_number("Native:007") == deal_from_number(" 7 ")


@pytest.mark.parametrize("text", ["-1", "1.5", "x", "", "native:", "1e3", "٣", str(LARGEST + 1)])
def test_what_is_no_number_says_the_range(text: str) -> None:
    with pytest.raises(DealError, match=f"expected 0 to {LARGEST}") as caught:
        deal_from_number(text)
    assert "\n" not in str(caught.value)


def test_a_number_of_a_million_digits_is_refused_at_once() -> None:
    with pytest.raises(DealError) as caught:
        deal_from_number("9" * 1_000_000)
    assert len(str(caught.value)) < 200


def test_unknown_scheme_and_suit_mode() -> None:
    with pytest.raises(DealError, match=r"unknown scheme 'bogus'; known are native"):
        deal_from_number("bogus:1")
    with pytest.raises(DealError, match="3 suits: expected 1, 2, 4"):
        deal_from_number("native:1", 3)


def test_splitmix64_first_outputs_of_seed_zero() -> None:
    generator = SplitMix64(0)
    assert [generator.next() for _ in range(3)] == [
        0xE220A8397B1DCDAF,
        0x6E789E6AA1B965F4,
        0x06C45D188009454F,
    ]
