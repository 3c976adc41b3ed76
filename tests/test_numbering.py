"""Deal numbers: each scheme's reference deals, the grammar, and numbers that are refused."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from spider_solver.cards import card_text, rank_of, suit_of
from spider_solver.deal import STANDARD_HEIGHTS, RowRule
from spider_solver.errors import DealError
from spider_solver.game import Position
from spider_solver.numbering import SCHEMES, deal_from_number, deal_of_name, number_of
from spider_solver.numbering.grammar import looks_like_numbers, split_number
from spider_solver.numbering.native import LARGEST
from spider_solver.numbering.solvitaire import _twister
from spider_solver.numbering.splitmix import SplitMix64

DATA = Path(__file__).parent / "data"
VECTORS = {
    scheme: json.loads((DATA / f"{scheme}.json").read_text())["vectors"] for scheme in SCHEMES
}
# In these schemes the columns that have six cards are not the first four.
HEIGHTS = dict.fromkeys(("pysol", "xpat2"), (6, 5, 5, 6, 5, 5, 6, 5, 5, 6))


@pytest.mark.parametrize(
    ("scheme", "vector"),
    [(scheme, vector) for scheme, vectors in VECTORS.items() for vector in vectors],
    ids=lambda v: v if isinstance(v, str) else f"{v['number']}-{v['suits']}",
)
def test_reference_deals(scheme: str, vector: dict[str, Any]) -> None:
    deal = deal_from_number(f"{scheme}:{vector['number']}", vector["suits"])
    assert [[card_text(c) for c in column] for column in deal.columns] == vector["columns"]
    assert [card_text(c) for c in deal.stock] == vector["stock"]
    assert deal.name == f"{scheme}:{vector['number']}"
    assert deal.suits == vector["suits"]
    assert deal.fresh
    assert tuple(map(len, deal.columns)) == HEIGHTS.get(scheme, STANDARD_HEIGHTS)


def test_the_reference_deals_reach_the_ends_of_the_ranges() -> None:
    numbers = {scheme: {str(v["number"]) for v in vectors} for scheme, vectors in VECTORS.items()}
    assert {"2147483647"} <= numbers["kpat"]
    assert {"ms8589934591", "98765432109876543210", "100000000000000000000"} <= numbers["pysol"]
    assert {"1", "2147483647"} <= numbers["solvitaire"]
    assert {suits for v in VECTORS["kpat"] for suits in [v["suits"]]} == {1, 2, 3, 4}
    assert {suits for v in VECTORS["pysol"] for suits in [v["suits"]]} == {1, 2, 4}


# The end cards of the columns, by the class LCRandom31 of the Python package pysol-cards 0.24.
MICROSOFT_BOUNDS = {
    2**31 - 1: "KH 4H 4D QH 4S AD 3D 6H QS TS",
    2**31: "TC KH 9S AD 2S 5C 6C 4C 4D 7C",
    2**31 + 1: "AH AH 2C TC 9D 8S KD 7D 2S 6H",
    2**32 - 1: "4D JC AC 6H QS 2H 6C KS JS 2S",
    2**32: "KH 2C KC 2D 2S 6C 3S AH 4H KH",
    2**32 + 1: "9H 2H 3C JC 9D QH 5S 5H 8C 4S",
}


@pytest.mark.parametrize("number", MICROSOFT_BOUNDS)
def test_the_deals_where_pysol_changes_its_use_of_microsofts_generator(number: int) -> None:
    deal = deal_from_number(f"pysol:ms{number}")
    shown = " ".join(card_text(column[-1]) for column in deal.columns)
    assert shown == MICROSOFT_BOUNDS[number]


@given(st.integers(0, LARGEST), st.sampled_from((1, 2, 4)), st.sampled_from(RowRule))
def test_every_number_is_a_deal(number: int, suits: int, rules: RowRule) -> None:
    deal = deal_from_number(str(number), suits, rules)
    assert tuple(map(len, deal.columns)) == STANDARD_HEIGHTS
    assert deal.suits == suits
    assert deal.rules is rules
    assert deal.fresh


def test_a_number_without_scheme_is_native_and_schemes_ignore_case() -> None:
    assert deal_from_number("7") == deal_from_number("Native:007") == deal_from_number(" 7 ")


@pytest.mark.parametrize("text", ["-1", "1.5", "x", "", "native:", "1e3", "٣", str(LARGEST + 1)])
def test_a_wrong_native_number_is_refused_with_the_range(text: str) -> None:
    with pytest.raises(DealError, match=f"expected 0 to {LARGEST}") as caught:
        deal_from_number(text)
    assert "\n" not in str(caught.value)


def test_a_number_of_a_million_digits_is_refused_at_once() -> None:
    with pytest.raises(DealError) as caught:
        deal_from_number("9" * 1_000_000)
    assert len(str(caught.value)) < 200


def test_an_unknown_scheme_or_suit_mode_is_refused() -> None:
    with pytest.raises(
        DealError,
        match=r"unknown scheme 'bogus': expected one of native, kpat, pysol, win7, solvitaire,"
        r" xpat2$",
    ):
        deal_from_number("bogus:1")
    with pytest.raises(DealError, match="3 suits: expected 1, 2, 4"):
        deal_from_number("native:1", 3)


def test_splitmix64_gives_the_published_outputs_of_seed_zero() -> None:
    generator = SplitMix64(0)
    assert [generator.next() for _ in range(3)] == [
        0xE220A8397B1DCDAF,
        0x6E789E6AA1B965F4,
        0x06C45D188009454F,
    ]


# The grammar, and whether a deal is what its name says.


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("native:1", ("native", "", 1)),
        ("pysol:ms617", ("pysol", "ms", 617)),
        ("x2:ab3", ("x2", "ab", 3)),
        ("native:" + "9" * 40, ("native", "", 10**40 - 1)),
    ],
)
def test_the_parts_of_a_canonical_number(text: str, parts: tuple[str, str, int]) -> None:
    assert split_number(text) == parts


@pytest.mark.parametrize(
    "text",
    [
        *(
            "",
            "1",
            "native:",
            "Native:1",
            "native:1 ",
            "native:1-2",
            "a b:1",
            "a:1",
            "2:1",
            "native:ms",
        ),
        *("native:" + "9" * 41, "native:1:2", "native:1\n", "native:\u0661"),
    ],
)
def test_text_that_is_not_a_canonical_number(text: str) -> None:
    assert split_number(text) is None


@pytest.mark.parametrize("scheme", SCHEMES)
def test_the_numbers_of_every_scheme_fit_the_grammar(scheme: str) -> None:
    numbers = [SCHEMES[scheme].example, *(f"{scheme}:{v['number']}" for v in VECTORS[scheme])]
    for number in numbers:
        parts = split_number(number)
        assert parts is not None
        assert parts.scheme == scheme
        assert number == f"{scheme}:{parts.prefix}{parts.value}"


@pytest.mark.parametrize("text", ["1", "+1", "-1", "1-5", "1,x", "kpat:1", "ab:", " 7 ", "1, 2"])
def test_text_that_looks_like_deal_numbers(text: str) -> None:
    assert looks_like_numbers(text)


@pytest.mark.parametrize(
    "text", ["", "a.txt", "12.txt", "C:\\deal.txt", "2024/deal", "2024\\deal", "-x", "deal"]
)
def test_text_that_looks_like_a_file_name(text: str) -> None:
    assert not looks_like_numbers(text)


@pytest.mark.parametrize(
    ("scheme", "suits"), [(name, mode) for name in SCHEMES for mode in SCHEMES[name].suit_modes]
)
def test_a_numbered_deal_is_what_its_name_says(scheme: str, suits: int) -> None:
    for rules in RowRule:
        deal = deal_from_number(f"{scheme}:17", suits, rules)
        assert number_of(deal) == deal.name == f"{scheme}:17"
        assert deal_of_name(deal) == deal


@pytest.mark.parametrize("name", ["native:17", "Native:017", " 17 "])
def test_a_name_may_be_written_in_any_form_that_a_number_is_read_in(name: str) -> None:
    assert number_of(replace(deal_from_number("17"), name=name)) == "native:17"


def test_a_deal_that_is_not_what_its_name_says_has_no_number() -> None:
    deal = deal_from_number("native:17")
    for name in ("", "my deal", "native:18", "kpat:17", "bogus:17", "native:17.txt"):
        assert number_of(replace(deal, name=name)) is None
    assert deal_of_name(replace(deal, name="my deal")) is None
    assert deal_of_name(replace(deal, name="native:18")) == deal_from_number("native:18")
    # Each of these differs in one field only.
    column = deal.columns[0]
    turned = replace(deal, face_down=(len(column) - 2, *deal.face_down[1:]))
    swapped = replace(deal, columns=((column[1], column[0], *column[2:]), *deal.columns[1:]))
    reordered = replace(deal, stock=(*deal.stock[1:], deal.stock[0]))
    for other in (turned, swapped, reordered):
        assert other != deal
        assert number_of(other) is None


def test_a_position_in_mid_game_has_no_number() -> None:
    position = Position(deal_from_number("native:17"))
    position.push(next(position.legal_actions()))
    assert position.name == "native:17"
    assert number_of(position.to_deal()) is None
    position.pop()
    assert number_of(position.to_deal()) == "native:17"


# The numbers of other programs.

ENDS = {
    "kpat": (1, 2**31 - 1),
    "pysol": (1, 10**40 - 1),
    "pysol:ms": (1, 2**33 - 1),
    "win7": (0, 2**32 - 1),
    "solvitaire": (0, 2**32 - 1),
    "xpat2": (0, 10**9 - 1),
}


@pytest.mark.parametrize("scheme", ENDS)
@given(data=st.data(), rules=st.sampled_from(RowRule))
@settings(max_examples=30, deadline=None)
def test_every_number_of_a_scheme_is_a_deal(
    scheme: str, data: st.DataObject, rules: RowRule
) -> None:
    prefix = scheme if ":" in scheme else f"{scheme}:"
    number = data.draw(st.integers(*ENDS[scheme]))
    suits = data.draw(st.sampled_from(SCHEMES[scheme.partition(":")[0]].suit_modes))
    deal = deal_from_number(f"{prefix}{number}", suits, rules)
    assert deal.name == f"{prefix}{number}"
    assert deal.suits == suits
    assert deal.rules is rules
    assert deal.fresh


@pytest.mark.parametrize("scheme", ENDS)
def test_numbers_out_of_range_are_refused(scheme: str) -> None:
    prefix = scheme if ":" in scheme else f"{scheme}:"
    low, high = ENDS[scheme]
    deal_from_number(f"{prefix}{low}")
    deal_from_number(f"{prefix}{high}")
    for number in (low - 1, high + 1):
        with pytest.raises(DealError, match=r"expected (\d|ms1|1 or more)") as caught:
            deal_from_number(f"{prefix}{number}")
        assert "\n" not in str(caught.value)


@pytest.mark.parametrize("scheme", ["kpat", "pysol"])
def test_a_suit_mode_renames_the_suits_of_the_same_cards(scheme: str) -> None:
    four = deal_from_number(f"{scheme}:4711", 4)
    for suits in SCHEMES[scheme].suit_modes:
        fewer = deal_from_number(f"{scheme}:4711", suits)
        assert [rank_of(c) for c in fewer.stock] == [rank_of(c) for c in four.stock]
        renamed = {(suit_of(a), suit_of(b)) for a, b in zip(four.stock, fewer.stock, strict=True)}
        assert len({old for old, _ in renamed}) == 4
        assert scheme == "kpat" or len(renamed) == 4


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("ms5", "ms5"),
        (" MS 5 ", "ms5"),
        ("12345L", "12345"),
        ("#12 345", "12345"),
        ("1.234.567", "1234567"),
        ("1_000", "1000"),
        ("1-2", "12"),
        ("1,000,000", "1000000"),
        ("007", "7"),
    ],
)
def test_pysol_numbers_may_have_blanks_punctuation_and_a_final_l(text: str, name: str) -> None:
    assert deal_from_number(f"pysol:{text}").name == f"pysol:{name}"


@pytest.mark.parametrize(
    "text", ["", "ms", "-5", "5ms", "0x5", "L", "5LL", "٣", "9" * 41, " " * 999]
)
def test_wrong_pysol_numbers_are_refused(text: str) -> None:
    with pytest.raises(DealError, match="expected 1 or more") as caught:
        deal_from_number(f"pysol:{text}")
    assert len(str(caught.value)) < 200


def test_pysol_changes_its_generator_at_32000() -> None:
    def columns(text: str) -> object:
        return deal_from_number(f"pysol:{text}").columns

    assert columns("31999") == columns("ms31999")
    assert columns("32000") != columns("ms32000")


@pytest.mark.parametrize(
    ("scheme", "suits"), [("win7", 1), ("win7", 2), ("solvitaire", 2), ("xpat2", 2)]
)
def test_unknown_suit_modes_are_refused(scheme: str, suits: int) -> None:
    with pytest.raises(DealError, match=rf"{scheme} has no deals with {suits} suits?: expected 4$"):
        deal_from_number(f"{scheme}:5", suits)


def test_the_generator_of_solvitaire_is_the_standard_one() -> None:
    # The C++ standard, [rand.predef]: the 10000th output of a default-seeded std::mt19937.
    twister = _twister(5489)
    assert [twister.getrandbits(32) for _ in range(10000)][-1] == 4123659995


def test_numbers_below_a_bound_have_no_bias():
    """2**64 - 1 is the largest multiple of 3 below 2**64, so that output is skipped."""
    source = SplitMix64(0)
    outputs = iter([2**64 - 1, 2**64 - 2])
    source.next = lambda: next(outputs)  # type: ignore[method-assign]
    assert source.below(3) == 2
