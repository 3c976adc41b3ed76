"""Deals in the formats of Solvitaire and coolo/spider, and as text boards."""

from __future__ import annotations

import json
import pickle
import random
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from play import endgame, random_position, run, sensible_position

from spider_solver.cards import card_text
from spider_solver.deal import Deal, RowRule
from spider_solver.errors import DealError, SpiderError
from spider_solver.formats import (
    FORMATS,
    WRITABLE,
    decode_text,
    detect_format,
    read_deal,
    source,
    write_deal,
)
from spider_solver.numbering import SCHEMES, deal_from_number

DATA = Path(__file__).parent / "data"
OTHERS = ["solvitaire", "coolo", "board"]
NATIVE = deal_from_number("native:1")
UNNAMED = replace(NATIVE, name="")
MIDDLE = replace(sensible_position(134, 130, 2).to_deal(), name="")  # three runs completed
TEXTS = {name: {"fresh": write_deal(UNNAMED, name), "middle": write_deal(MIDDLE, name)}
         for name in WRITABLE}  # fmt: skip


def refused(text: str, name: str = "", format: str | None = None) -> str:
    """Return the message of the error that reading a text raises, after checking its form."""
    with pytest.raises(DealError) as caught:
        read_deal(text, name, format)
    message = str(caught.value)
    assert message.isprintable()
    assert len(message) < 700
    return message


# Round trips.


@pytest.mark.parametrize("format", OTHERS)
@given(data=st.data(), scheme=st.sampled_from(list(SCHEMES)), number=st.integers(1, 10**9 - 1))
@settings(max_examples=25, deadline=None)
def test_a_fresh_deal_reads_back(
    format: str, data: st.DataObject, scheme: str, number: int
) -> None:
    suits = data.draw(st.sampled_from(SCHEMES[scheme].suit_modes))
    deal = deal_from_number(f"{scheme}:{number}", suits)
    text = write_deal(deal, format)
    assert read_deal(text) == read_deal(text, format=format) == replace(deal, name="")
    assert detect_format(text).name == format
    assert read_deal(text, "a.txt").name == "a.txt"
    assert FORMATS[format].omits(deal) == [f"the file does not hold the number {deal.name}"]


@pytest.mark.parametrize("format", OTHERS)
@given(
    seed=st.integers(0, 10**6),
    actions=st.integers(0, 150),
    suits=st.sampled_from((1, 2, 4)),
    play=st.sampled_from([random_position, sensible_position]),
)
@settings(max_examples=30, deadline=None)
def test_a_position_in_mid_game_reads_back(
    format: str, seed: int, actions: int, suits: int, play: Callable[..., object]
) -> None:
    deal = replace(play(seed, actions, suits).to_deal(), name="")  # type: ignore[attr-defined]
    text = write_deal(deal, format)
    assert read_deal(text) == deal
    assert read_deal(decode_text(text.replace("\n", "\r\n").encode("utf-16"))) == deal
    assert FORMATS[format].omits(deal) == []


@pytest.mark.parametrize("format", OTHERS)
def test_every_position_of_a_won_game_reads_back(format: str) -> None:
    position = sensible_position(213, 300, 2)
    assert position.won
    while position.history:
        deal = replace(position.to_deal(), name="")
        assert read_deal(write_deal(deal, format)) == deal
        position.pop()


@pytest.mark.parametrize("format", WRITABLE)
def test_an_end_game_of_empty_columns_reads_back(format: str) -> None:
    deal = endgame([run(13, 2), *[""] * 8, "AS"])
    assert read_deal(write_deal(deal, format)) == deal
    deal = endgame(["", run(13, 2), "AS"])
    assert read_deal(write_deal(deal, format)) == deal


@pytest.mark.parametrize("format", WRITABLE)
def test_omits_names_what_a_format_does_not_hold(format: str) -> None:
    relaxed = NATIVE.with_rules(RowRule.RELAXED)
    omitted = FORMATS[format].omits(relaxed)
    if format in ("text", "json"):
        assert omitted == []
        assert read_deal(write_deal(relaxed, format)) == relaxed
    else:
        assert any("the number native:1" in sentence for sentence in omitted)
        assert any("the rule for rows (relaxed)" in sentence for sentence in omitted)


@pytest.mark.parametrize("format", [*OTHERS, "kpat"])
def test_a_label_is_not_taken_for_a_number(format: str) -> None:
    for name in ("my: game", "kpat"):
        omitted = FORMATS[format].omits(replace(NATIVE, name=name))
        assert not any("the number" in sentence for sentence in omitted)


# How each is written and read.


def test_how_json_of_solvitaire_is_written() -> None:
    found = json.loads(TEXTS["solvitaire"]["fresh"])
    assert list(found) == ["tableau piles", "stock", "foundations"]
    assert found["tableau piles"][0] == ["6d", "5s", "Js", "8h", "6d", "2S"]
    assert [c.replace("10", "T") for c in found["stock"][::-1]] == [
        card_text(c) for c in NATIVE.stock
    ]
    assert "T" not in json.dumps(found)
    middle = json.loads(TEXTS["solvitaire"]["middle"])
    assert middle["foundations"][:2] == ["AS", "2S"]
    assert len(middle["foundations"]) == 39


def test_a_sample_of_solvitaire_itself_is_read() -> None:
    text = (DATA / "solvitaire_617_1suit.json").read_text()
    deal = read_deal(text)
    assert deal.face_down == (0,) * 10  # all upper case: all face up
    assert card_text(deal.stock[0]) == "AS"
    assert deal.suits == 1


def test_foundations_of_older_solvitaire_files_are_read() -> None:
    found = json.loads(TEXTS["solvitaire"]["middle"])
    cards = found["foundations"]
    found["foundations"] = [cards[:13], cards[13:26], cards[26:], [], [], [], [], []]
    assert read_deal(json.dumps(found)) == MIDDLE
    del found["foundations"]
    assert "65 cards that are not 8 full suits" in refused(json.dumps(found))


def test_how_a_board_is_written() -> None:
    lines = TEXTS["board"]["fresh"].splitlines()
    assert lines[0].startswith("Talon: 8D 2D JD 2C")
    assert lines[1] == "<6D> <5S> <JS> <8H> <6D> 2S"
    assert len(lines) == 11
    assert TEXTS["board"]["middle"].startswith("Foundations: S-K H-K S-K\n")


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Talon:", "# a comment\ntalon:"),
        ("Talon:", "Freecells:\nFoundations: H-0 C-0 D-0 S-0\nTalon:"),
        ("Talon:", "Founds: -\nTalon:"),
        ("<6D> <5S>", ": <6D> <5S>"),
        ("TS", "10s"),
        ("2S\n", "2♠\n"),
    ],
)
def test_a_board_may_be_written_in_other_ways(old: str, new: str) -> None:
    text = TEXTS["board"]["fresh"]
    assert old in text
    assert read_deal(text.replace(old, new, 1)) == UNNAMED


def test_empty_lines_around_a_board_and_dashes_in_it() -> None:
    deal = endgame(["", run(13, 2), "AS"])
    text = write_deal(deal, "board")
    head, *columns = text.split("\n")[:-1]
    assert columns == ["", " ".join(map(card_text, run(13, 2))), "AS", *[""] * 7]
    dashes = "\n".join([head, *(column or "-" for column in columns)])
    assert read_deal(dashes) == read_deal("\n".join([head, *columns, "", ""])) == deal


def test_how_text_of_coolo_is_written() -> None:
    lines = TEXTS["coolo"]["fresh"].splitlines()
    assert [line.partition(":")[0] for line in lines] == [
        *(f"Play{i}" for i in range(10)),
        *(f"Deal{i}" for i in range(5)),
        "Off",
    ]
    assert lines[0] == "Play0: |6D |5S |JS |8H |6D 2S"
    assert lines[10].startswith("Deal0: 8D 2D JD 2C")
    middle = write_deal(random_position(3, 100).to_deal(), "coolo").splitlines()
    dealt = 5 - len(random_position(3, 100).stock) // 10
    assert dealt > 0
    assert [line.endswith(":") for line in middle[10:15]] == [i < dealt for i in range(5)]
    assert TEXTS["coolo"]["middle"].splitlines()[-1] == "Off: KS KH KS"


def test_text_of_coolo_may_be_written_in_other_ways() -> None:
    deal = endgame([run(13, 2), "AS"])
    text = write_deal(deal, "coolo").replace(" ".join(map(card_text, run(13, 2))), "KS..2S")
    assert "Play0: KS..2S" in text
    lines = text.splitlines()
    assert read_deal("# 10.5\n" + "\n\n".join(lines[::-1]).lower()) == deal
    assert read_deal("\n".join(line for line in lines if not line.startswith("Deal"))) == deal


# Faults.

FAULTS: dict[str, tuple[str, str, str, str]] = {
    "49 stock cards": ("solvitaire", '"stock": ["5S", ', '"stock": [', r"103 cards .* missing: "),
    "nine piles": ("solvitaire", '["6d", "5s", "Js", "8h", "6d", "2S"],', "", r"9 lists in \"tab"),
    "a face-up unknown card": ("solvitaire", '"2S"', '"##"', r"column 1 has 6 cards and 6 of them"),
    "not a card": ("solvitaire", '"6d"', '"1X"', r"column 1, card 1: '1X' is not a card: expected"),
    "a 1 without suit": ("solvitaire", '"6d"', '"1"', r"column 1, card 1: '1' is not a card"),
    "a number": ("solvitaire", '"6d"', "6", r"column 1 has 6: expected a text in quotes"),
    "a key that is not known": (
        "solvitaire",
        '"stock": [',
        '"stock": 5, "x": [',
        r"'x' does not belong to Spider",
    ),
    "a number for a list": ("solvitaire", ": []", ": 5", r"foundations is 5: expected a list"),
    "a waste": ("solvitaire", '"stock"', '"waste": ["AS"], "stock"', r"'waste' does not belong"),
    "a face-down card on a face-up one": (
        "solvitaire",
        '"6d"',
        '"6D"',
        r"column 1: card 1 is face up and a card on",
    ),
    "half a run": ("solvitaire", '"foundations": []', '"foundations": ["AS"]', r"have AS, but not"),
    "cut off": ("solvitaire", '"foundations": []\n}', "", r"line \d+: not valid JSON"),
    "nine lines": ("board", "<6D> <5S> <JS> <8H> <6D> 2S\n", "", r"9 lines of cards: expected 10"),
    "eleven lines": ("board", "<6D>", "AS\n<6D>", r"11 lines of cards: expected 10"),
    "not a card in a board": ("board", "<6D>", "<1X>", r"line 2: card 1: '1X' is not a card"),
    "a face-up unknown card in a board": (
        "board",
        "2S\n",
        "??\n",
        r"column 1 has 6 cards and 6 ",
    ),
    "a face-down card on a face-up one in a board": (
        "board",
        "<6D>",
        "6D",
        r"line 2: card 1 is face up and a card on it",
    ),
    "a second talon": ("board", "<6D>", "Talon:\n<6D>", r"line 2: a second `talon:`, after line 1"),
    "freecells": ("board", "Talon:", "Freecells: AS\nTalon:", r"line 1: freecells with cards"),
    "half a foundation": ("board", "Talon:", "Founds: S-5\nTalon:", r"line 1: 'S-5' is not a f"),
    "a missing card": ("board", "8D 2D", "2D", r"103 cards .* missing: 8D"),
    "nine foundations": ("board", "Talon:", "Founds:" + " S-K" * 9 + "\nTalon:", r"9 foundations"),
    "an unknown line": ("coolo", "Off:", "Of:", r"line 16: 'Of:' is not understood: expected Play"),
    "Play10": ("coolo", "Play9", "Play10", r"line 10: 'Play10: .*' is not understood"),
    "a line twice": ("coolo", "Play1:", "Play0:", r"line 2: a second Play0, after line 1"),
    "a missing column": ("coolo", "Play3:", "# Play3:", r"no line Play3: expected Play0 to Play9"),
    "a face-up unknown card in coolo": ("coolo", "2S", "XX", r"column 1 has 6 cards and 6 of them"),
    "an unknown completed run": ("coolo", "Off:", "Off: XX", r"line 16: an unknown card: expected"),
    "a bad run": ("coolo", "|6D", "5S..8S", r"line 1: '5S..8S' is not a run: expected one suit"),
    "a mixed run": ("coolo", "|6D", "8S..5H", r"line 1: '8S..5H' is not a run"),
    "half a run text": ("coolo", "|6D", "8S..", r"line 1: '' is not a card"),
    "a short row": ("coolo", "Deal0: 8D", "Deal0:", r"103 .*; line 11: 9 cards, not ten or none"),
    "too many cards": (
        "coolo",
        "|6D",
        "|6D " * 5000,
        r"line 1: more than 1000 cards: a deal has 104",
    ),
    "nine completed runs": (
        "coolo",
        "Off:",
        "Off:" + " KS" * 9,
        r"9 completed runs: expected at most 8",
    ),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_in_a_file(fault: str) -> None:
    format, old, new, message = FAULTS[fault]
    text = TEXTS[format]["fresh"]
    if old == '"stock": ["5S", ':
        old = re.search(r'"stock": \["\w+", ', text)[0]  # type: ignore[index]
    assert old in text
    found = refused(text.replace(old, new, 1), "a.txt", format)
    assert found.startswith("a.txt")
    assert re.search(message, found), found


# Saved games of PySolFC.


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_a_pickle_is_refused_with_the_reason(protocol: int) -> None:
    data = pickle.dumps("PySolFC", protocol) + pickle.dumps([1, 2], protocol)
    with pytest.raises(DealError, match=r"^game.pso: a Python pickle, .* not read, because"):
        decode_text(data, "game.pso")


# Any input gives either a SpiderError or a possible deal.

PIECES = [
    *("<", ">", "|", "-", ":", "#", "1X", "TS", "kh ", "\n", "\n\n", "..", "XX", "##", "Play0:"),
    *("Deal5:", "Off:", "Talon:", "Founds: S-K", '"', "[", "]", "{", "}", ",", "null", "1e9", "\0"),
    *("\udc80", "é", "KS..AS", "10h", '"tableau piles":', "\\u0000", "</move>", '<move pile="',
      "<!DOCTYPE a>", "&lt;", "&a;", 'position="9"', "face-up", "legs0", "stack9", "<card/>"),
]  # fmt: skip


def check_outcome(text: str, format: str | None) -> None:
    """Check that reading a text gives a possible deal or a SpiderError with a short message."""
    try:
        deal: Deal = read_deal(text, "f", format)
    except SpiderError as error:
        message = str(error)
    else:
        deal.check()
        return
    assert "\n" not in message
    assert len(message) < 700


@pytest.mark.parametrize("which", ["fresh", "middle"])
@pytest.mark.parametrize("format", [*OTHERS, "kpat"])
def test_a_mutated_file_gives_a_possible_deal_or_an_error(format: str, which: str) -> None:
    chance = random.Random(f"{format} {which}")
    for number in range(2000):
        text = TEXTS[format][which]
        for _ in range(chance.randint(1, 3)):
            start = chance.randint(0, len(text))
            end = start + chance.choice((0, 0, 1, 2, 3, 12))
            text = text[:start] + chance.choice(("", *PIECES)) + text[end:]
        check_outcome(text, format if number % 2 else None)


@given(
    text=st.text(alphabet="AKQJT23<>|-: \nPlaySHDC0", max_size=200), format=st.sampled_from(OTHERS)
)
@settings(max_examples=300, deadline=None)
def test_random_text_is_refused(text: str, format: str) -> None:
    with pytest.raises(SpiderError):  # 104 right cards do not occur by chance
        read_deal(text, "f", format)


def test_a_huge_file_is_refused_soon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(source, "MAX_BYTES", 10**7)
    n = 2 * 10**5
    for text in ("AS " * n, "AS\n" * n, "\n" * n + "AS", "Play0: AS\n" * n):
        refused(text)
