"""Many deal numbers at once: ranges and lists of any length, which stay lazy."""

from __future__ import annotations

import tracemalloc
from itertools import islice

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from spider_solver.deal import RowRule
from spider_solver.errors import DealError, SpiderError
from spider_solver.numbering import DealNumbers, deal_from_number, parse_numbers
from spider_solver.numbering.native import LARGEST


@pytest.mark.parametrize(
    ("texts", "names"),
    [
        (["kpat:1-3"], ["kpat:1", "kpat:2", "kpat:3"]),
        (["pysol:ms1-ms3"], ["pysol:ms1", "pysol:ms2", "pysol:ms3"]),
        (["pysol:ms1-3"], ["pysol:ms1", "pysol:ms2", "pysol:ms3"]),
        (["pysol:1,5,9"], ["pysol:1", "pysol:5", "pysol:9"]),
        (["native:1-3,7"], ["native:1", "native:2", "native:3", "native:7"]),
        (["1-2, 5"], ["native:1", "native:2", "native:5"]),
        (["7"], ["native:7"]),
        (["7-7"], ["native:7"]),
        (["KPAT:08 - 09"], ["kpat:8", "kpat:9"]),
        (["kpat:1\u20132"], ["kpat:1", "kpat:2"]),
        (["native:1-native:3"], ["native:1", "native:2", "native:3"]),
        (["pysol:ms1 - PySol: ms2,4"], ["pysol:ms1", "pysol:ms2", "pysol:4"]),
        (["kpat:1,pysol:ms5,9"], ["kpat:1", "pysol:ms5", "pysol:9"]),
        (["kpat:1-2", "5", "win7:8115"], ["kpat:1", "kpat:2", "native:5", "win7:8115"]),
        (["pysol:31999-32001"], ["pysol:31999", "pysol:32000", "pysol:32001"]),
        (["3,1,3"], ["native:3", "native:1", "native:3"]),
    ],
)
def test_lists_and_ranges_are_read(texts: list[str], names: list[str]) -> None:
    numbers = parse_numbers(*texts)
    assert list(numbers) == names
    assert len(numbers) == numbers.count == len(names)
    assert [numbers[i] for i in range(len(names))] == names
    assert [numbers[-1 - i] for i in range(len(names))] == names[::-1]
    assert [deal.name for deal in numbers.deals()] == names


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("kpat:1-", r"'kpat:1-': the range '1-' has no end: expected two numbers like kpat:1-20"),
        ("kpat:9-1", r"the range '9-1' runs backwards: expected kpat:1-9"),
        ("pysol:ms9-ms1", r"the range 'ms9-ms1' runs backwards: expected pysol:ms1-ms9"),
        ("pysol:5-ms9", r"the range '5-ms9' mixes two kinds of numbers: expected both ends"),
        ("kpat:0-5", r"kpat deal number 0 is out of range: expected 1 to 2147483647"),
        ("kpat:1-2147483648", r"kpat deal number 2147483648 is out of range"),
        ("foo:1-2", r"'foo:1-2': unknown scheme 'foo': expected one of native, kpat"),
        (
            "1,,2",
            r"'1,,2': a number is missing before or after a comma: expected numbers like native:1",
        ),
        ("kpat:1,", r"a number is missing before or after a comma"),
        ("kpat:", r"'' is not a kpat deal number"),
        ("", r"'' is not a native deal number"),
        ("-1", r"'-1' is not a native deal number: expected 0 to"),
        ("1--3", r"'-3' is not a native deal number"),
        ("1-2-3", r"'2-3' is not a native deal number"),
        ("kpat:a-b", r"'a' is not a kpat deal number"),
        ("kpat:1-pysol:3", r"'pysol:3' is not a kpat deal number"),
        ("kpat:1-foo:3", r"'kpat:1-foo:3': unknown scheme 'foo'"),
        ("1," * 100_001, r"more than 100000 deal numbers and ranges in one list"),
    ],
)
def test_wrong_lists_and_ranges_are_refused(text: str, message: str) -> None:
    with pytest.raises(DealError, match=message) as caught:
        parse_numbers(text)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 300


@given(st.text(alphabet="0123456789-,: mskpat\u2013", max_size=25))
@settings(max_examples=400, deadline=None)
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        numbers = parse_numbers(text)
    except SpiderError:
        return
    assert numbers.count > 0
    for name in (numbers[0], numbers[-1]):
        assert deal_from_number(name).name == name


@given(st.lists(st.tuples(st.integers(0, LARGEST), st.integers(0, 50)), min_size=1, max_size=5))
@settings(max_examples=60)
def test_indexing_and_iteration_agree(spans: list[tuple[int, int]]) -> None:
    spans = [(low, min(low + more, LARGEST)) for low, more in spans]
    numbers = parse_numbers(",".join(f"{low}-{high}" for low, high in spans))
    listed = [f"native:{n}" for low, high in spans for n in range(low, high + 1)]
    assert list(numbers) == listed
    assert numbers[len(listed) // 2] == listed[len(listed) // 2]
    with pytest.raises(IndexError):
        numbers[len(listed)]


def test_a_huge_range_takes_little_memory() -> None:
    tracemalloc.start()
    numbers = parse_numbers(f"native:0-{LARGEST}", "kpat:1-2147483647")
    assert numbers.count == 2**64 + 2**31 - 1
    assert numbers[2**64] == "kpat:1"
    assert list(islice(numbers, 10**5, 10**5 + 1)) == ["native:100000"]
    assert next(numbers.deals(2)).suits == 2
    assert tracemalloc.get_traced_memory()[1] < 2**20
    tracemalloc.stop()
    with pytest.raises(OverflowError):
        len(numbers)
    assert len(parse_numbers("native:1-9999999999")) == 9_999_999_999


def test_a_suit_mode_that_a_scheme_lacks_is_refused_before_the_first_deal() -> None:
    with pytest.raises(DealError, match="win7 has no deals with 2 suits"):
        parse_numbers("kpat:1-5", "win7:1").deals(2)
    assert next(parse_numbers("kpat:1-5").deals(3, RowRule.RELAXED)).rules is RowRule.RELAXED


def test_an_empty_list_of_numbers() -> None:
    assert len(DealNumbers([])) == 0
    assert list(DealNumbers([]).deals()) == []
