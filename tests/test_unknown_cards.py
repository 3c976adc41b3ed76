"""Unknown cards: which they are, the formats that hold them, and games that tell them."""

from __future__ import annotations

import json
import random
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest
from commandline import error_of, run
from hypothesis import given, settings
from hypothesis import strategies as st
from play import (
    cards,
    endgame,
    hidden_places,
    random_actions,
    random_position,
    sensible_position,
    with_unknown,
)
from play import run as run_of

from spider_solver import solver
from spider_solver.cards import UNKNOWN, card_name, card_sign, card_text, parse_card
from spider_solver.deal import Deal, full_suits
from spider_solver.errors import DealError, IllegalAction, NotationError, SpiderError
from spider_solver.formats import FORMATS, WRITABLE, read_deal, read_game, write_deal, write_game
from spider_solver.game import ROW, Move, Position, UnknownCardRevealed
from spider_solver.notation import Revision
from spider_solver.numbering import deal_from_number, number_of
from spider_solver.prove import prove_and_check
from spider_solver.recorded_games import RecordedGame, entry_text, parse_entry, recorded_game
from spider_solver.render import html
from spider_solver.render.board import board
from spider_solver.replay import Replay, told_deal
from spider_solver.telling import tell
from spider_solver.verify import GameVerdict, verify_game

INPUTS = Path(__file__).parent / "data" / "inputs"
ALL_HIDDEN = ["05_hidden_blocks.txt", "05_hidden_dash.txt"]
FOUR_UNKNOWN = "09_four_unknown_cards.txt"
HOLDING = ["text", "json", "coolo"]
UNKNOWN_IN_FILES = ["??", "░░", "--", "*", "XX", "[]", "##", "\U0001f0a0"]


def hidden(deal: Deal, count: int, seed: int = 0) -> Deal:
    """Return a deal with at most that many unknown cards, at random places."""
    places = hidden_places(deal)
    random.Random(seed).shuffle(places)
    return with_unknown(deal, places[:count], "" if deal.fresh else deal.name)


def input_deal(name: str) -> Deal:
    return read_deal((INPUTS / name).read_text(encoding="utf-8"), name)


# Which cards are unknown.


def test_an_unknown_card_in_words() -> None:
    assert (card_text(UNKNOWN), card_sign(UNKNOWN)) == ("??", "??")
    assert card_name(UNKNOWN) == "unknown card"
    with pytest.raises(DealError, match=r"'\?\?' is not a card"):
        parse_card("??")


@pytest.mark.parametrize("name", ALL_HIDDEN)
def test_a_board_with_all_face_down_cards_unknown(name: str) -> None:
    deal = input_deal(name)
    assert deal.face_down == (5, 5, 5, 5, 4, 4, 4, 4, 4, 4)
    assert deal.unknown_count == len(deal.unknown) == 44
    known = [*deal.stock, *(column[-1] for column in deal.columns)]
    assert Counter(deal.unknown) + Counter(known) == full_suits([0, 1, 2, 3] * 2)
    assert (deal.suits, deal.fresh) == (4, True)


def test_the_file_with_four_unknown_cards() -> None:
    deal = input_deal(FOUR_UNKNOWN)
    assert list(deal.unknown) == cards("JS KH AD KC")
    assert [column.count(UNKNOWN) for column in deal.columns] == [0, 0, 2, 0, 2, 0, 0, 0, 0, 0]


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10**6), st.integers(0, 80), st.sampled_from((1, 2, 4)), st.integers(1, 94))
def test_the_unknown_cards_are_those_that_were_hidden(
    seed: int, actions: int, suits: int, places: int
) -> None:
    deal = random_position(seed, actions, suits).to_deal()
    found = hidden(deal, places, seed)
    cards_at = zip(
        (c for column in (*deal.columns, deal.stock) for c in column),
        (c for column in (*found.columns, found.stock) for c in column),
        strict=True,
    )
    assert list(found.unknown) == sorted(c for c, shown in cards_at if shown == UNKNOWN)
    assert found.suits == suits
    Deal.check(found, suits)


def test_without_a_stated_suit_mode_the_suits_are_those_of_the_known_cards() -> None:
    deal = deal_from_number("1", 2)
    found = hidden(deal, 94)
    again = Deal.make(found.columns, found.stock, found.face_down)
    assert again.unknown == found.unknown
    assert again.suits == 2


def test_suits_that_no_known_card_has_are_the_first_ones() -> None:
    known = hidden(deal_from_number("1", 1), 94)
    deal = Deal.make(known.columns, known.stock, known.face_down, suits=2)
    assert {card >> 4 for card in deal.unknown} == {0, 1}
    assert deal.suits == 2


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("6D 5S", "6S 5S", r"^104 cards, 4 of them unknown, that are not 8 full suits: 6S \(six of"
         r" spades\) occurs 3 times instead of 2 \(column 1 card 1, "),
        ("6D 5S", "5S", r"^103 cards, 4 of them unknown, instead of 104$"),
        ("suits: 4", "suits: 3", r"^the cards have 4 suits, but 3 are stated$"),
        ("?? ?? 5C 6S | JC", "?? ?? 5C 6S | ??", r"^column 5 card 5 is face up and unknown: exp"),
        ("row: 8D 2D", "completed: ??\nrow: 8D 2D", r"line 14: '\?\?' is not a suit"),
    ],
)  # fmt: skip
def test_impossible_deals_with_unknown_cards(old: str, new: str, message: str) -> None:
    text = (INPUTS / FOUR_UNKNOWN).read_text(encoding="utf-8")
    assert old in text
    with pytest.raises(DealError, match=message):
        read_deal(text.replace(old, new, 1))


def test_wrong_unknown_cards_are_refused() -> None:
    deal = input_deal(FOUR_UNKNOWN)
    for unknown in (cards("JS KH AD AC"), cards("JS KH AD")):
        with pytest.raises(DealError):
            replace(deal, unknown=tuple(unknown)).check()
    with pytest.raises(DealError):
        replace(deal_from_number("1"), unknown=(17,)).check()


# Formats.


@pytest.mark.parametrize("format", HOLDING)
def test_200_positions_with_unknown_cards_read_back(format: str) -> None:
    for seed in range(200):
        suits = (1, 2, 4)[seed % 3]
        deal = sensible_position(seed, seed % 90, suits).to_deal()
        if format == "coolo":
            deal = replace(deal, name="")
        known = hidden(deal, 1 + seed % 60, seed)
        assert read_deal(write_deal(known, format)) == known, seed


@pytest.mark.parametrize("format", [f for f in FORMATS if f in set(WRITABLE) - set(HOLDING)])
def test_formats_that_cannot_hold_unknown_cards_say_so(format: str) -> None:
    found = run("convert", str(INPUTS / FOUR_UNKNOWN), "--to", format)
    assert error_of(found) == (
        f"the format {format} cannot hold 4 unknown cards: expected json, coolo or text"
    )


@pytest.mark.parametrize("written", UNKNOWN_IN_FILES)
def test_how_an_unknown_card_may_be_written(written: str) -> None:
    deal = input_deal(FOUR_UNKNOWN)
    text = (INPUTS / FOUR_UNKNOWN).read_text(encoding="utf-8")
    assert replace(read_deal(text.replace("??", written)), name="") == replace(deal, name="")
    board_text = (INPUTS / ALL_HIDDEN[0]).read_text(encoding="utf-8")
    if written != "##":  # at the beginning of a line it is a comment
        assert read_deal(board_text.replace("░░", written)) == read_deal(board_text)
    marked = board_text.replace("░░", f"<{written}>")
    assert read_deal(marked) == read_deal(board_text)


def test_unknown_cards_need_no_bar_and_no_counts() -> None:
    deal = input_deal(FOUR_UNKNOWN)
    text = write_deal(deal, "text").replace("?? ?? JC QH 3D | 7S", "?? ?? JC QH 3D 7S")
    assert read_deal(text).face_down[2] == 2
    found = json.loads(write_deal(deal, "json"))
    assert found["columns"][2][:3] == [None, None, "JC"]
    del found["face_down"]
    assert read_deal(json.dumps(found)).face_down == (0, 0, 2, 0, 2, 0, 0, 0, 0, 0)


def test_a_known_card_may_lie_under_an_unknown_one_if_it_is_face_down() -> None:
    deal = input_deal(FOUR_UNKNOWN)
    columns = [list(column) for column in deal.columns]
    columns[2][:3] = columns[2][2::-1]
    deal = Deal.make(columns, deal.stock, deal.face_down)
    for format in HOLDING:
        assert read_deal(write_deal(deal, format)) == deal
    with pytest.raises(DealError, match=r"card 1 is face up and a card on it is face down"):
        read_deal(write_deal(deal, "text").replace("JC ?? ?? QH 3D | 7S", "JC ?? ?? QH 3D 7S"))


def test_files_of_solvitaire_may_have_unknown_cards() -> None:
    deal = deal_from_number("1")
    text = write_deal(deal, "solvitaire").replace('"6d", "5s"', '"##", "##"', 1)
    assert list(read_deal(text).unknown) == cards("5S 6D")


@pytest.mark.parametrize("name", [*ALL_HIDDEN, FOUR_UNKNOWN])
def test_a_printed_board_with_unknown_cards_reads_back(name: str) -> None:
    deal = input_deal(name)
    printed = run("show", str(INPUTS / name), "--reveal").stdout
    assert replace(read_deal(printed), name="") == replace(deal, name="")


@pytest.mark.parametrize("seed", range(10))
def test_a_board_that_show_prints_has_unknown_cards(seed: int) -> None:
    position = sensible_position(seed, seed * 9, 2)
    deal = replace(position.to_deal(), name="")
    shown = board(deal)
    title = f"deal, {deal.suits} suits, {deal.rules} rules\n\n"
    expected = with_unknown(deal, hidden_places(deal))
    assert replace(read_deal(title + shown), name="") == expected


def test_a_deal_with_a_number_keeps_its_unknown_cards() -> None:
    places = hidden_places(deal_from_number("1"))
    deal = with_unknown(deal_from_number("1"), places, name="native:1")
    text = write_deal(deal, "text")
    assert read_deal(text) == deal
    assert read_deal(text.replace("native:1", "0001")).name == "native:1"
    assert number_of(deal) is None


def test_the_number_of_completed_runs_is_enough_only_with_one_suit() -> None:
    text = write_deal(hidden(endgame([run_of(13, 3), "2S AS"], [1]), 1), "text")
    counted_runs = text.replace("completed: S S S S S S S", "completed: 7")
    assert read_deal(counted_runs) == read_deal(text)
    two = counted_runs.replace("suits: 1", "suits: 2")
    with pytest.raises(DealError, match=r"^7 completed runs beside unknown cards: name the suits"):
        read_deal(two)


def test_three_suits_have_their_usual_numbers() -> None:
    found = hidden(deal_from_number("kpat:1", 3), 60)
    shown = Counter(c for column in (*found.columns, found.stock) for c in column if c != UNKNOWN)
    assert shown + Counter(found.unknown) == full_suits([0] * 4 + [1, 1, 3, 3])


# Output.


def test_show_counts_and_lists_the_unknown_cards() -> None:
    shown = run("show", str(INPUTS / FOUR_UNKNOWN), "--reveal").stdout
    assert "4 suits, standard rules, 4 unknown cards" in shown
    assert "[6♦] [7♦] [??] [8♠] [??]" in shown
    assert shown.endswith("Unknown cards: J♠ K♥ A♦ K♣ (4 of 104)\n")
    many = run("show", str(INPUTS / ALL_HIDDEN[0])).stdout
    assert "Unknown cards: A♠ 3♠ 4♠ 5♠ 6♠ x2 8♠ x2" in many
    assert "??" not in many
    assert "Unknown" not in board(deal_from_number("1"))


def test_a_search_and_a_proof_of_one_deal_need_all_cards() -> None:
    deal = input_deal(FOUR_UNKNOWN)
    with pytest.raises(DealError, match=r"^4 unknown cards \(JS KH AD KC\): expected a deal whose"):
        solver.solve(deal)
    with pytest.raises(DealError, match=r"^4 unknown cards"):
        prove_and_check(deal)


# Telling.


def unknown_game(seed: int, actions: int, suits: int = 4) -> RecordedGame:
    """Return a random game of a deal whose hidden cards are unknown, with the cards that it tells.

    Some undos are part of it.
    """
    deal, played = random_actions(seed, actions, suits)
    entries = []
    position = Position(deal)
    for action in played:
        outcome = position.push(action)
        (entry,) = recorded_game(deal, [action]).entries
        entries.append(entry._replace(told=outcome.revealed))
        if position.moves % 5 == 0:
            entries += [*recorded_game(deal, [Revision.UNDO]).entries, entries[-1]]
    entries = [parse_entry(entry_text(entry)) for entry in entries]
    return RecordedGame(hidden(deal, 94), tuple(entries))


@pytest.mark.parametrize("seed", range(20))
def test_a_game_that_tells_its_cards_is_replayed(seed: int) -> None:
    game = unknown_game(seed, 60, (1, 2, 4)[seed % 3])
    report = verify_game(game)
    assert report.verdict is GameVerdict.UNFINISHED, report.reason
    deal, played = random_actions(seed, 60, (1, 2, 4)[seed % 3])
    known = Position(deal)
    for action in played:
        known.push(action)
    found = report.position.to_deal()
    assert [column[down:] for column, down in zip(found.columns, found.face_down, strict=True)] == [
        tuple(column[down:]) for column, down in zip(known.columns, known.face_down, strict=True)
    ]
    found.check(deal.suits)
    assert found.unknown_count == len(found.unknown)


@pytest.mark.parametrize("format", ["text", "json"])
@pytest.mark.parametrize("seed", range(5))
def test_a_game_that_tells_its_cards_reads_back(format: str, seed: int) -> None:
    game = unknown_game(seed, 60)
    text = write_game(game, format)
    again = read_game(text)
    assert again.deal == game.deal
    assert [entry.told for entry in again.entries] == [entry.told for entry in game.entries]
    assert write_game(again, format) == text


def test_how_told_cards_are_written() -> None:
    entry = parse_entry("4-7=10d,KS@75.5")
    assert entry.told == tuple(cards("TD KS"))
    assert (entry.text, entry.time) == ("4-7=10d,KS", 75.5)
    assert entry_text(entry) == "4-7=TD,KS@75.5"
    for text, message in (
        ("4-7x3=", "'4-7x3=': '' is not a card"),
        ("4-7x3=??", r"'4-7x3=\?\?': '\?\?' is not a card"),
        ("row=" + ",".join(["KD"] * 21), "expected at most 20 cards"),
        ("undo=KD", "'undo=KD': undo turns no card: leave out ="),
        ("4-7x3=KD=2S", "'KD=2S' is not a card"),
    ):
        with pytest.raises(NotationError, match=message):
            parse_entry(text)


def position_with_one_card_to_turn() -> Position:
    """Return a position whose first column has an unknown card right under its end card."""
    text = (INPUTS / FOUR_UNKNOWN).read_text(encoding="utf-8")
    deal = read_deal(text.replace("8H 6D | 2S", "8H ?? | 2S"))
    return Position(deal)


def test_an_action_that_turns_an_unknown_card_needs_to_tell_it() -> None:
    position = position_with_one_card_to_turn()
    before = position.to_deal()
    move = Move(0, 9, 1)  # the two of spades onto the three of clubs
    with pytest.raises(UnknownCardRevealed, match=r"^it turns an unknown card$") as caught:
        position.push(move)
    assert caught.value.outcome.revealed == (UNKNOWN,)
    assert (position.to_deal(), position.score, position.moves) == (before, 500, 0)
    for told, message in (
        ("", "it tells 0 cards, but 1 become face up"),
        ("KC KD", "it tells 2 cards, but 1 become face up"),
        ("AS", "it tells AS, which is not one of the unknown cards that are left"),
    ):
        with pytest.raises(IllegalAction, match=message):
            tell(position, move, cards(told))
        assert position.to_deal() == before
    tell(position, move, cards("6D"))
    assert position.unknown == cards("JS KH AD KC")
    assert position.push(move).revealed == tuple(cards("6D"))
    position.to_deal().check()
    position.pop()
    with pytest.raises(IllegalAction, match="it tells KC, but that card is 6D"):
        tell(position, move, cards("KC"))
    tell(position, move, cards("6D"))
    with pytest.raises(IllegalAction, match="is not one rank higher"):
        tell(position, Move(0, 1, 1), cards("6D"))


def test_a_row_tells_its_ten_cards() -> None:
    deal = hidden(deal_from_number("1"), 94)
    position = Position(deal)
    with pytest.raises(UnknownCardRevealed, match=r"^it deals unknown cards$"):
        position.push(ROW)
    row = list(deal_from_number("1").stock[:10])
    with pytest.raises(IllegalAction, match="it tells 9 cards, but 10 become face up"):
        tell(position, ROW, row[:9])
    tell(position, ROW, row)
    assert position.push(ROW).cards == tuple(row)
    assert len(position.unknown) == 84
    position.pop()
    assert position.stock[:11] == [*row, UNKNOWN]


def test_a_row_that_completes_a_run_also_tells_the_card_that_it_turns() -> None:
    run_of_spades = [f"{rank}S" for rank in "KQJT98765432"]
    known = Counter(full_suits([0] * 8))
    column = cards(" ".join(run_of_spades))
    row = cards("AS 2S 3S 4S 5S 6S 7S 8S 9S TS")
    others = [[c] for c in cards("KS QS JS TS 9S 8S 7S 6S 5S")]
    rest = known - Counter([*column, *row, *(c for o in others for c in o), *cards("KS")])
    left = sorted(rest.elements())
    others[0][:0] = left
    columns = [[UNKNOWN, *column], *others]
    deal = Deal.make(columns, [UNKNOWN] * 10, [1, len(left), *[0] * 8])
    assert Counter(deal.unknown) == Counter([*row, *cards("KS")])
    position = Position(deal)
    told = [*row, *cards("KS")]
    with pytest.raises(IllegalAction, match="it tells 10 cards, but 11 become face up"):
        tell(position, ROW, row)
    tell(position, ROW, told)
    outcome = position.push(ROW)
    assert (len(outcome.completed), outcome.revealed) == (1, tuple(told))
    assert position.unknown == []


def test_verify_names_the_action_that_does_not_tell_its_card() -> None:
    position = position_with_one_card_to_turn()
    text = write_game(recorded_game(position.to_deal(), [Move(0, 9, 1)]))
    found = run("verify", "-", input=text)
    assert found.exit_code == 1
    assert "'1-10x1' is illegal: it turns an unknown card: tell which, as in" in found.stderr
    told = text.replace("1-10x1", "1-10x1=6D")
    assert run("verify", "-", input=told).exit_code == 0
    replayed = run("replay", "-", input=told)
    assert "onto 3♣; turns 6♦" in replayed.stdout
    assert run("show", "-", "--reveal", input=told).stdout.endswith(" J♠ K♥ A♦ K♣ (4 of 104)\n")


def test_undo_keeps_what_was_seen() -> None:
    position = position_with_one_card_to_turn()
    text = write_game(recorded_game(position.to_deal(), []))
    game = read_game(text + "1-10x1=6D undo 1-10x1 restart 1-10=6D undo\n")
    report = verify_game(game)
    assert report.legal, report.reason
    assert report.position.columns[0][4] == parse_card("6D")
    assert told_deal(game).columns[0][4] == parse_card("6D")
    replay = Replay(game)
    replay.go_to(6)
    replay.go_to(0)
    replay.go_to(6)
    assert replay.at_end


# The page.


def test_the_page_shows_told_cards_and_unknown_cards() -> None:
    position = position_with_one_card_to_turn()
    text = write_game(recorded_game(position.to_deal(), []))
    page = html.page(read_game(text + "1-10x1=6D undo\n"))
    assert '"6D5SJS8H6D2S"' in page
    assert '"????JCQH3D7S"' in page


# Random changes.

PARTS = ["??", "--", "*", "XX", "[]", "null", "=KD", "=", "row=", "8D,2D", "5 rows left", "undo"]
PARTS += ["completed: 3\n", "suits: 2\n", "|", "\n", '"', ",", "1:", "@5", "Unknown cards: "]


def test_changed_files_are_read_or_refused_in_one_line() -> None:
    chance = random.Random(1)
    texts = [(INPUTS / name).read_text(encoding="utf-8") for name in (*ALL_HIDDEN, FOUR_UNKNOWN)]
    texts += [write_game(unknown_game(1, 20), format) for format in ("text", "json")]
    middle = sensible_position(5, 60, 1).to_deal()
    texts += [board(middle), board(middle, reveal=True)]
    read, messages = 0, list[str]()
    for _ in range(1500):
        text = chance.choice(texts)
        for _ in range(chance.randint(1, 3)):
            start = chance.randrange(len(text))
            text = text[:start] + chance.choice(PARTS) + text[start + chance.choice((0, 0, 2, 3)) :]
        try:
            deal = read_deal(text)
            deal.check(deal.suits)
            assert deal.unknown_count == len(deal.unknown)
            assert read_deal(write_deal(deal, "text")) == deal
            read += 1
            after = verify_game(read_game(text)).position
            assert after.to_deal().unknown_count == len(after.unknown)
        except SpiderError as error:
            messages.append(str(error))
    assert 100 < read < 1400
    assert all("\n" not in message and len(message) < 700 for message in messages)
