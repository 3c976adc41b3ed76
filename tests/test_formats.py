"""Deals as this program's own text and JSON: round trips, and clear errors for wrong input."""

from __future__ import annotations

import io
import json
import random
import re
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from play import endgame, random_position, run, sensible_position

from spider_solver.deal import Deal, RowRule
from spider_solver.errors import DealError, SpiderError
from spider_solver.formats import (
    decode_text,
    detect_format,
    read_deal,
    read_stream,
    source,
    write_deal,
)
from spider_solver.numbering import deal_from_number, number_of

NATIVE = deal_from_number("native:1")
TEXT = write_deal(NATIVE, "text")
JSON = write_deal(NATIVE, "json")
BOTH = ["json", "text"]  # test_other_formats tests the formats of other programs
ALL = "win7, kpat, solvitaire, json, coolo, board, text or typed"


def refused(text: str, name: str = "", format: str | None = None) -> str:
    """Return the message of the error that reading a text raises, after checking its form."""
    with pytest.raises(DealError) as caught:
        read_deal(text, name, format)
    message = str(caught.value)
    assert "\n" not in message
    assert message.isprintable()
    assert len(message) < 700
    return message


def swapped(old: str, new: str, text: str = TEXT) -> str:
    assert old in text
    return text.replace(old, new, 1)


# Round trips.


@pytest.mark.parametrize("format", BOTH)
@given(
    number=st.integers(0, 2**64 - 1),
    suits=st.sampled_from((1, 2, 4)),
    rules=st.sampled_from(RowRule),
)
@settings(max_examples=25, deadline=None)
def test_a_fresh_deal_reads_back(format: str, number: int, suits: int, rules: RowRule) -> None:
    deal = deal_from_number(str(number), suits, rules)
    text = write_deal(deal, format)
    assert read_deal(text) == read_deal(text, format=format) == deal
    assert detect_format(text).name == format
    assert read_deal(text, "other name") == deal


@pytest.mark.parametrize("format", BOTH)
@given(
    seed=st.integers(0, 10**6),
    actions=st.integers(0, 150),
    suits=st.sampled_from((1, 2, 4)),
    rules=st.sampled_from(RowRule),
    name=st.sampled_from(("", "native:1", "a file.txt", "7")),
)
@settings(max_examples=40, deadline=None)
def test_a_position_in_mid_game_reads_back(
    format: str, seed: int, actions: int, suits: int, rules: RowRule, name: str
) -> None:
    deal = replace(random_position(seed, actions, suits, rules).to_deal(), name=name)
    if deal.fresh:
        return
    assert read_deal(write_deal(deal, format)) == deal


@pytest.mark.parametrize("format", BOTH)
@pytest.mark.parametrize("seed", [213, 242, 275])
def test_every_position_of_a_won_game_reads_back(format: str, seed: int) -> None:
    position = sensible_position(seed, 300, 2)
    assert position.won
    while position.history:
        deal = position.to_deal()
        assert read_deal(write_deal(deal, format)) == deal
        position.pop()


@given(name=st.text(max_size=300))
@settings(max_examples=60, deadline=None)
def test_any_name_can_be_written_as_a_label(name: str) -> None:
    deal = replace(endgame([run(13, 2), "AS"]), name=name)
    for format in BOTH:
        again = read_deal(write_deal(deal, format))
        assert replace(again, name=name) == deal
        assert read_deal(write_deal(again, format)) == again


def test_a_deal_without_a_label_gets_the_name_of_its_file() -> None:
    unlabelled = swapped("deal: native:1\n", "")
    assert read_deal(unlabelled, "x.txt").name == "x.txt"
    assert read_deal(unlabelled).name == ""
    assert read_deal(swapped("native:1", "my deal"), "x.txt").name == "my deal"


# What the text format allows.


def test_comments_blank_lines_order_and_case_are_free() -> None:
    lines = [line for line in TEXT.splitlines() if not line.startswith("#")]
    rows = [line for line in lines if line.startswith("row")]
    rest = [line for line in lines if not line.startswith("row")]
    random.Random(1).shuffle(rest)
    mixed = "\n\n".join(f"  {line.upper()}   # note: 1: 2:" for line in rows + rest)
    assert read_deal(mixed) == NATIVE


def test_card_signs_are_read() -> None:
    text = TEXT.replace("TS", "10♠").replace("QH", "🂽")
    assert read_deal(text) == NATIVE


def test_a_number_without_columns_is_the_deal_of_that_number() -> None:
    assert read_deal("deal: native:1\n") == NATIVE
    assert read_deal("deal: 1\nsuits: 2\nrules: relaxed") == deal_from_number(
        "1", 2, RowRule.RELAXED
    )
    assert read_deal('{"deal": 1}') == read_deal('{"deal": "native:1"}') == NATIVE
    assert read_deal('{"deal": "1", "suits": 2, "rules": "relaxed", "verdict": "won"}') == (
        deal_from_number("1", 2, RowRule.RELAXED)
    )


def test_the_deal_of_a_recorded_game_is_read_without_its_actions() -> None:
    assert read_deal(TEXT + "actions:\n1-2x1 and whatever\n11: XX\n") == NATIVE
    assert read_deal(swapped('"completed"', '"actions": [5], "completed"', JSON)) == NATIVE


def test_without_a_bar_or_face_down_counts_all_cards_are_face_up() -> None:
    assert read_deal(TEXT.replace("|", "")).face_down == (0,) * 10
    found = json.loads(JSON)
    del found["face_down"]
    assert read_deal(json.dumps(found)).face_down == (0,) * 10


def test_empty_columns_and_completed_runs() -> None:
    columns = "\n".join(f"{i}:{' -' * (i % 2)}" for i in range(2, 10))
    text = f"1: {' '.join('KQJT98765432')}\n{columns}\n10: AS\n"
    text = re.sub(r"(?<= )([KQJT2-9])(?= |\n)", r"\1S", text) + "completed: S S ♠ s S S S"
    assert read_deal(text) == endgame([run(13, 2), *[""] * 8, "AS"])


# Faults: each gives one line that says what is wrong.


FAULTS = {
    "103 cards": ("8D 2D JD 2C", "2D JD 2C", r"103 cards .* missing: 8D; line 15: row 1 has 9"),
    "three queens of spades": (
        "1: 6D",
        "1: QS",
        r"QS \(queen of spades\) occurs 3 times instead of 2 \(column 1 card 1, stock row 3"
        r" card 6, stock row 4 card 10\); missing: 6D",
    ),
    "eleven columns": ("row:", "11: AS\nrow:", r"line 15: there is no column 11: a deal has col"),
    "column zero": ("10:", "0:", r"line 14: there is no column 0: "),
    "a huge column": ("10:", "9" * 5000 + ":", r"line 14: there is no column 999999999: "),
    "nine columns": (
        "10: 9S",
        "# 10: 9S",
        r"my.txt: no column 10: expected all ten, and `10: -` for an empty column$",
    ),
    "1X": ("7D TD", "1X TD", r"line 6: card 1: '1X' is not a card: expected a rank of A 2-9 T J Q"),
    "a 1 without suit": ("| 8D", "| 1", r"line 6: card 6: '1' is not a card"),
    "a number of other cards than the known ones": (
        "deal: native:1\nsuits: 4\nrules: standard\n1: 6D 5S",
        "deal: native:2\nsuits: 4\nrules: standard\n1: ?? 5S",
        r"the cards are not those of deal native:2 \(suits: 4\): correct the cards or leave",
    ),
    "an unknown card after the bar": ("| 8D", "| ??", r"column 2 card 6 is face up and unknown: e"),
    "no colon": ("3: JS", "3 JS", r"line 7: '3 JS KH JC QH 3D \| 7S' is not understood: expected"),
    "another key": ("suits:", "suit:", r"line 3: 'suit: 4' is not understood: expected"),
    "a second bar": ("6D 5S", "6D | 5S", r"line 5: a second bar: expected one bar, between"),
    "a column twice": ("2: 7D", "1: 7D", r"line 6: a second column 1, after line 5: leave one"),
    "suits twice": (
        "rules:",
        "suits: 4\nrules:",
        r"line 4: a second `suits:`, after line 3: leave",
    ),
    "five suits": ("suits: 4", "suits: 5", r"line 3: suits '5': expected 1, 2, 3 or 4"),
    "two suits": ("suits: 4", "suits: 2", r"the cards have 4 suits, but 2 are stated"),
    "rules": ("standard", "lax", r"line 4: rules 'lax': expected standard or relaxed"),
    "eleven in a row": (
        "10: 9S 4S 9S 6H | 3C\nrow:",
        "10: 9S 4S 9S | 6H\nrow: 3C",
        r"^my.txt: 51 cards in the stock: .*; line 15: row 1 has 11 cards, not ten$",
    ),
    "all face down": ("6D | 2S", "6D 2S |", r"column 1 has 6 cards and 6 of them face down"),
    "completed": ("suits: 4", "completed: S X", r"line 3: 'X' is not a suit: expected one of S H"),
    "nine completed": ("suits: 4", "completed:" + " S" * 9, r"line 3: 9 completed runs: expected"),
    "another deal's number": (
        "native:1",
        "native:2",
        r"the cards are not those of deal native:2 \(suits: 4\): correct the cards or leave",
    ),
    "too many cards": ("1: 6D", "1: 6D" + " 6D" * 5000, r"line 5: more than 1000 cards: a deal"),
    "too many rows": (
        "row:",
        "row: 6D AS 6S 4S 8C\n" * 300 + "row:",
        r"line 115: row 101: the stock has at most 5 rows",
    ),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_in_text(fault: str) -> None:
    old, new, message = FAULTS[fault]
    found = refused(swapped(old, new), "my.txt")
    assert found.startswith("my.txt")
    assert re.search(message, found), found


def test_uneven_rows_of_the_right_cards_are_named() -> None:
    uneven = swapped(" 7S\nrow:", "\nrow: 7S")
    assert (
        refused(uneven)
        == "line 15: row 1 has 9 cards, not ten; line 16: row 2 has 11 cards, not ten"
    )


JSON_FAULTS = {
    "cut off": ('"completed": []\n}', "", r"line 26: not valid JSON at character 1: Expecting"),
    "a missing colon": (
        '"deal":',
        '"deal"',
        r"line 2: not valid JSON at character 10: Expec",
    ),
    "a key twice": ('"suits": 4', '"deal": "x"', r"the key 'deal' occurs twice: leave one out"),
    "an unreadable card": ('"6D"', '"1X"', r"column 1, card 1: '1X' is not a card"),
    "an unknown face-up card": (
        '"2S"',
        "null",
        r"column 1 card 6 is face up and unknown: expected",
    ),
    "a number as card": ('"6D"', "6", r"column 1 has 6: expected a text in quotes"),
    "too many cards": ('"6D"', '"6D", ' * 5000 + '"6D"', r"column 1, more than 1000 cards: a"),
    "a missing card": ('"6D", ', "", r"103 cards .* missing: 6D"),
    "a list as card": ('"6D"', "[]", r"column 1 has a list: expected a text in quotes"),
    "nine columns": ('["6D", "5S", "JS", "8H", "6D", "2S"],', "", r'9 lists in "columns": exp'),
    "face_down": ("[5, 5", "[true, 5", r'"face_down" has true: expected a whole number'),
    "a fraction": ("[5, 5", "[5.0, 5", r'"face_down" has 5.0: expected a whole number'),
    "a big count": ("[5, 5", "[1e99, 5", r'"face_down" has 1e\+99: expected a whole number'),
    "many digits": ("[5, 5", "[" + "5" * 5000, r"a number of too many digits"),
    "eleven counts": ("[5, 5", "[5, 5, 5", r"11 face-down counts: expected 10"),
    "stock": ('"8D", "2D"', '"8D"', r"103 cards .* missing: 2D"),
    "completed": ('"completed": []', '"completed": "S"', r'"completed" is \'S\': expected a list'),
    "not a list": ('"completed": []', '"completed": "S"', r"is 'S': expected a list"),
    "not a suit": ('"completed": []', '"completed": ["X"]', r"'X' is not a suit"),
    "suits": ('"suits": 4', '"suits": 0', r"suits '0': expected 1, 2, 3 or 4"),
    "rules": ('"rules": "standard"', '"rules": 1', r"rules has 1: expected a text in quotes"),
    "label": ('"native:1"', "{}", r'"deal" has an object: expected a text in quotes'),
    "other cards": ('"native:1"', '"native:3"', r"the cards are not those of deal native:3"),
}


@pytest.mark.parametrize("fault", JSON_FAULTS)
def test_a_fault_in_json(fault: str) -> None:
    old, new, message = JSON_FAULTS[fault]
    found = refused(swapped(old, new, JSON), "a.json")
    assert found.startswith("a.json")
    assert re.search(message, found), found


@pytest.mark.parametrize("text", ["{}", '{"stock": []}'])
def test_json_without_a_deal(text: str) -> None:
    assert 'no "columns": expected ten lists of cards' in refused(text)


def test_a_wrong_number_without_columns_is_refused() -> None:
    assert "no columns, and 'x' is not a native deal number" in refused('{"deal": "x"}')
    assert "line 1: no columns, and 'x' is not a native" in refused("deal: x")
    assert '"deal" has 1' in refused('{"deal": 1' + "0" * 60 + "}")


def test_cards_without_columns_are_refused() -> None:
    found = refused("suits: 2\ndeal: 1\ncompleted: S")
    assert found.startswith("line 3: `completed:` without columns: expected all ten columns, or")
    assert "no column 1, 2, 3" in refused("deal: 1\nrow: AS")
    for key, value in {"stock": "[]", "completed": '["S"]', "face_down": "[5, 5]"}.items():
        message = refused(f'{{"deal": "1", "{key}": {value}}}')
        assert f'"{key}" without "columns": expected "columns" too, or the deal' in message
    nulls = '{"deal": "1", "columns": null, "stock": null, "completed": null, "face_down": null}'
    assert read_deal(nulls) == deal_from_number("1")


def test_json_nested_too_deep_is_refused() -> None:
    assert "nested too deep" in refused('{"columns": ' + "[" * 200_000)


# Sources.


@pytest.mark.parametrize("text", ["", " \n\t\r\n"])
def test_a_blank_text_is_refused(text: str) -> None:
    assert refused(text, "e.txt").startswith("e.txt: empty: expected a deal")
    with pytest.raises(DealError, match=r"^e.txt: empty: "):
        decode_text(text.encode(), "e.txt")


@pytest.mark.parametrize(
    "text", ["hello", "hello\n" * 99, "[1, 2]", "<xml>", "Waste: 5S", "x" * 10**6]
)
def test_an_unknown_format_is_refused_with_its_first_line(text: str) -> None:
    message = refused("\n" + text)
    assert message.startswith("line 2: ")
    assert f": unknown format: expected {ALL}" in message


def test_the_format_can_be_named() -> None:
    assert read_deal(JSON, format="JSON") == NATIVE
    assert "is not understood" in refused("hello", format="text")
    assert "not valid JSON" in refused(TEXT, format="json")
    assert refused(TEXT, format="csv") == f"'csv' is not a format: expected {ALL}"
    assert "empty" in refused("", format="text")
    with pytest.raises(DealError, match="'csv' is not a format"):
        write_deal(NATIVE, "csv")


ENCODINGS = ["utf-8", "utf-8-sig", "utf-16"]


@pytest.mark.parametrize("text", [TEXT, JSON], ids=["text", "json"])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"], ids=["lf", "crlf", "cr"])
@pytest.mark.parametrize("encoding", ENCODINGS)
def test_encodings_and_line_ends(text: str, end: str, encoding: str) -> None:
    data = text.replace("TS", "T♠").replace("\n", end).encode(encoding)
    assert read_deal(decode_text(data)) == NATIVE
    assert read_deal(text.replace("\n", end)) == NATIVE


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"deal: 1\n1:\0 6D", r"^b.txt, line 2: a NUL character: expected text, not a binary file"),
        (b"\x7fELF\x02\x01\x01\0\0", r"^b.txt: a program, not text: expected a deal or a rec"),
        (TEXT.encode("utf-16-le"), r"^b.txt, line 1: a NUL character"),
        (TEXT.encode("utf-32"), r"^b.txt, line 1: a NUL character"),
        (b"deal: caf\xe9", r"^b.txt: not UTF-8 text at byte 9 \(e9\): save the file as UTF-8"),
        (b"\xff\xfed", r"^b.txt: not UTF-16 text at byte"),
        (b"\x89PNG\r\n\x1a\n", r"^b.txt: a PNG picture, not text: type its cards as text"),
    ],
)
def test_binary_files_are_refused(data: bytes, message: str) -> None:
    with pytest.raises(DealError, match=message):
        decode_text(data, "b.txt")


def test_a_huge_source_is_refused_without_reading_it_all(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(source, "MAX_BYTES", 2**20)
    stream = io.BytesIO(b"1: 6D\n" * 2**20)
    with pytest.raises(DealError, match=r"^h.txt: bigger than 1 MiB: expected a deal"):
        read_stream(stream, "h.txt")
    assert stream.tell() == 2**20 + 1
    assert read_stream(io.BytesIO(TEXT.encode())) == TEXT


def test_unprintable_characters_in_a_file_name_are_escaped() -> None:
    assert refused("hello", "a\nb\udc80.txt").startswith(r"a\nb\udc80.txt, line 1: ")


@pytest.mark.parametrize("format", BOTH)
@pytest.mark.parametrize("place", ["stock", "columns", "two columns"])
def test_a_fresh_deal_with_two_cards_swapped_is_not_the_deal_of_its_number(
    place: str, format: str
) -> None:
    columns, stock = [list(column) for column in NATIVE.columns], list(NATIVE.stock)
    if place == "stock":
        stock[20], stock[21] = stock[21], stock[20]
    elif place == "columns":
        columns[3][0], columns[3][1] = columns[3][1], columns[3][0]
    else:
        columns[3][-1], columns[5][-1] = columns[5][-1], columns[3][-1]
    deal = Deal.make(columns, stock, name="native:1")
    assert deal != NATIVE
    assert number_of(deal) is None
    message = refused(write_deal(deal, format))
    assert "the cards are not those of deal native:1" in message


# Any input gives either a SpiderError or a possible deal.


def check_outcome(text: str) -> None:
    """Check that reading a text gives a possible deal or a SpiderError with a short message."""
    try:
        deal: Deal = read_deal(text, "f")
    except SpiderError as error:
        message = str(error)
    else:
        deal.check()
        return
    assert "\n" not in message
    assert len(message) < 700


PIECES = ["|", "-", ":", "#", "1X", "TS", "KH ", "\n", "row: ", "11:", "0", '"', "[", "]", "{", "}"]
PIECES += [",", "null", "-1", "1e9", "true", "\0", "\udc80", "é", "actions:", "deal:", "\\u0000"]


@pytest.mark.parametrize("text", [TEXT, JSON], ids=["text", "json"])
@given(data=st.data())
@settings(max_examples=250, deadline=None)
def test_a_mutated_file_gives_a_possible_deal_or_an_error(text: str, data: st.DataObject) -> None:
    for _ in range(data.draw(st.integers(1, 3))):
        start = data.draw(st.integers(0, len(text)))
        end = min(len(text), start + data.draw(st.integers(0, 12)))
        text = text[:start] + data.draw(st.sampled_from(["", *PIECES])) + text[end:]
    check_outcome(text)


@given(st.binary(max_size=200))
@settings(max_examples=200, deadline=None)
def test_any_bytes_give_a_possible_deal_or_an_error(data: bytes) -> None:
    try:
        text = decode_text(data, "f")
    except SpiderError:
        return
    check_outcome(text)


JSON_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.sampled_from(["TS", "S", "1"]),
    lambda inner: st.lists(inner, max_size=10) | st.dictionaries(st.text(max_size=3), inner),
    max_leaves=15,
)


@given(st.sampled_from(list(json.loads(JSON))), JSON_VALUES)
@settings(max_examples=200, deadline=None)
def test_any_json_value_gives_a_possible_deal_or_an_error(key: str, value: object) -> None:
    check_outcome(json.dumps({**json.loads(JSON), key: value}))
