"""The text of cards and suits: written, read back, and refused if it is malformed."""

from __future__ import annotations

import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spider_solver.cards import (
    RANK_LETTERS,
    SUIT_LETTERS,
    SUIT_SIGNS,
    card,
    card_name,
    card_sign,
    card_text,
    is_red,
    parse_card,
    parse_suit,
    rank_of,
    suit_of,
)
from spider_solver.errors import DealError

ALL_CARDS = [card(rank, suit) for suit in range(4) for rank in range(1, 14)]


@pytest.mark.parametrize("one_card", ALL_CARDS, ids=card_text)
def test_the_text_of_each_card_reads_back(one_card: int) -> None:
    assert card(rank_of(one_card), suit_of(one_card)) == one_card
    assert parse_card(card_text(one_card)) == one_card
    assert parse_card(card_sign(one_card)) == one_card
    assert parse_card(card_text(one_card).lower()) == one_card


@pytest.mark.parametrize(
    "text",
    [
        "TS",
        "10S",
        "ts",
        "10s",
        "T♠",
        "T♤",
        "10♠",
        "T♠\ufe0f",
        "🂪",
        "0S",
        "0♠",
        "♠T",
        "♠10",
        "♠0",
        "♠\ufe0f10",
        "♤t",
        "S10",
        "st",
    ],
)
def test_accepted_texts_of_the_ten_of_spades(text: str) -> None:
    assert parse_card(text) == card(10, 0)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("🂡", "ace of spades"),
        ("🂻", "jack of hearts"),
        ("🃍", "queen of diamonds"),
        ("🃞", "king of clubs"),
        ("A♡", "ace of hearts"),
        ("10♢", "ten of diamonds"),
    ],
)
def test_playing_card_characters_and_white_suit_signs(text: str, name: str) -> None:
    assert card_name(parse_card(text)) == name


@pytest.mark.parametrize(
    "text",
    [
        "1S",
        "1X",
        "1",
        "",
        "S",
        "T",
        "TX",
        "11S",
        "00S",
        "S1",
        "S♠",
        "TSS",
        "SS",
        "🂬",
        "🂠",
        "🃏",
        "T S",
        "##",
        "x" * 10_000,
        "\n",
        "T\0",
        "é",
        "²S",
        "\udc80",
    ],
)
def test_a_malformed_card_is_quoted_in_one_short_line(text: str) -> None:
    expected = "is not a card: expected a rank of A 2-9 T J Q K"
    with pytest.raises(DealError, match=expected) as caught:
        parse_card(text)
    message = str(caught.value)
    assert "\n" not in message
    assert len(message) < 200


@given(st.text(max_size=4))
def test_any_text_gives_a_card_or_a_deal_error(text: str) -> None:
    with contextlib.suppress(DealError):
        assert parse_card(text) in ALL_CARDS


def test_suits_ranks_and_colours() -> None:
    assert [parse_suit(letter) for letter in SUIT_LETTERS] == [0, 1, 2, 3]
    assert [parse_suit(sign) for sign in SUIT_SIGNS] == [0, 1, 2, 3]
    assert parse_suit("♥\ufe0f") == parse_suit("h") == 1
    assert [is_red(card(1, suit)) for suit in range(4)] == [False, True, True, False]
    assert [rank_of(parse_card(rank + "S")) for rank in RANK_LETTERS] == list(range(1, 14))
    with pytest.raises(DealError, match="'X' is not a suit"):
        parse_suit("X")
