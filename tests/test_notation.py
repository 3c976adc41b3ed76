"""Actions as text, and recorded games as text and JSON, in both directions."""

from __future__ import annotations

import json
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from play import game_text, position_of, random_actions, random_position

from spider_solver.deal import RowRule
from spider_solver.errors import DealError, NotationError, SpiderError
from spider_solver.formats import read_deal, read_game, write_deal, write_game
from spider_solver.game import ROW, Action, Move, Position
from spider_solver.notation import OpenMove, Revision, action_text, parse_action, resolve
from spider_solver.numbering import deal_from_number
from spider_solver.recorded_games import Entry, RecordedGame, recorded_game

NATIVE = deal_from_number("native:1")
TEXT = write_deal(NATIVE, "text")

ACTIONS = st.one_of(
    st.just(ROW),
    st.builds(Move, st.integers(0, 9), st.integers(0, 9), st.integers(0, 13)),
)


@given(ACTIONS)
def test_an_action_reads_back(action: Action) -> None:
    text = action_text(action)
    assert parse_action(text) == action
    assert parse_action(text.upper()) == action
    assert type(parse_action(text)) is type(action)


def test_how_actions_are_written_and_read() -> None:
    assert action_text(Move(3, 6, 3)) == "4-7x3"
    assert action_text(Move(9, 0, 1)) == "10-1x1"
    assert action_text(ROW) == "row"
    assert parse_action("4-7") == OpenMove(3, 6)
    assert isinstance(parse_action("4-7"), OpenMove)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "4",
        "4-",
        "-7",
        "4-7x",
        "4-7y3",
        "4--7",
        "4 - 7",
        "4-7x3.",
        "deal",
        "rows",
        "٤-2",
        "x",
        "4-7x3\n",
        "4-7x1e3",
        "4-7x" + "9" * 5000,
        "a" * 10**6,
        "27v5",
    ],
)
def test_wrong_actions_are_refused(text: str) -> None:
    with pytest.raises(
        NotationError, match="is not an action: expected a move like 4-7x3"
    ) as caught:
        parse_action(text)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 200


@pytest.mark.parametrize("text", ["0-7x1", "11-7", "4-0", "4-11x3"])
def test_columns_that_do_not_exist(text: str) -> None:
    with pytest.raises(NotationError, match=r"there is no column (0|11): expected 1 to 10"):
        parse_action(text)


def test_undo_and_restart_are_read_and_written() -> None:
    for text, revision in (("undo", Revision.UNDO), ("Restart", Revision.RESTART)):
        assert parse_action(text) is revision
        assert action_text(revision) == text.lower()


# Moves without a count.


@pytest.mark.parametrize(
    ("target", "count", "legal"),
    [("JH", 3, True), ("9H", 1, True), ("8H", 1, False), ("KH", 5, False), ("QH", 4, False)],
)
def test_the_end_card_of_the_target_determines_the_count(
    target: str, count: int, legal: bool
) -> None:
    position = position_of(["KH TS 9S 8S", target])
    action = resolve(OpenMove(0, 1), position)
    assert action == Move(0, 1, count)
    assert (position.why_illegal(action) is None) is legal


def test_a_move_to_an_empty_column_needs_its_count() -> None:
    position = position_of(["KH"])
    with pytest.raises(
        NotationError, match=r"column 7 is empty, so .* cannot be left out: write 1-7x"
    ):
        resolve(OpenMove(0, 6), position)
    assert position.why_illegal(resolve(OpenMove(6, 0), position)) == "column 7 is empty"
    assert resolve(ROW, position) is ROW
    assert resolve(Move(0, 6, 9), position) == Move(0, 6, 9)


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10**6), st.integers(0, 80), st.sampled_from((1, 2, 4)))
def test_every_legal_move_onto_a_card_can_be_written_without_its_count(
    seed: int, actions: int, suits: int
) -> None:
    position = random_position(seed, actions, suits)
    for move in position.legal_moves():
        if position.columns[move.target]:
            assert resolve(OpenMove(move.source, move.target), position) == move


# Recorded games.


@pytest.mark.parametrize("format", ["text", "json"])
@given(
    seed=st.integers(0, 10**6),
    actions=st.integers(0, 60),
    suits=st.sampled_from((1, 2, 4)),
    rules=st.sampled_from(RowRule),
)
@settings(max_examples=25, deadline=None)
def test_a_recorded_game_reads_back(
    format: str, seed: int, actions: int, suits: int, rules: RowRule
) -> None:
    deal, played = random_actions(seed, actions, suits, rules)
    text = game_text(deal, played, format=format, comments=["a # note\n1: XX"])
    game = read_game(text, "g")
    assert game.deal == deal == read_deal(text)
    assert [recorded.action for recorded in game.entries] == played
    assert [r._replace(line=None) for r in game.entries] == [*recorded_game(deal, played).entries]


def test_a_recorded_game_in_mid_game_reads_back() -> None:
    position = random_position(5, 70)
    deal = position.to_deal()
    played = [next(position.legal_moves())]
    assert read_game(game_text(deal, played)).deal == deal


def test_the_lines_of_actions_are_kept_for_messages() -> None:
    game = read_game(TEXT + "actions: 1-2x1  # a note\n\n# another\nrow 3-4\n5-6x2#x\n")
    lines = [(recorded.text, recorded.line) for recorded in game.entries]
    assert lines == [("1-2x1", 20), ("row", 23), ("3-4", 23), ("5-6x2", 24)]
    assert game.entries[2].action == OpenMove(2, 3)


def test_the_json_of_a_solution_is_a_recorded_game() -> None:
    result = {"deal": "native:7", "suits": 2, "rules": "relaxed", "verdict": "won", "moves": 1}
    game = read_game(json.dumps({**result, "actions": ["1-2x1", "row"]}))
    assert game.deal == deal_from_number("7", 2, RowRule.RELAXED)
    assert [recorded.action for recorded in game.entries] == [Move(0, 1, 1), ROW]


def test_a_deal_without_actions_is_not_a_recorded_game() -> None:
    assert read_game(TEXT + "actions:").entries == ()
    assert read_game(game_text(NATIVE, [], format="json")).entries == ()
    with pytest.raises(
        NotationError, match=r"^d: a deal without actions: expected a line `actions:`"
    ):
        read_game(TEXT, "d")
    with pytest.raises(
        NotationError, match=r'^d: a deal without actions: expected a list "actions"'
    ):
        read_game(write_deal(NATIVE, "json"), "d")


def test_an_error_in_a_recorded_game_names_the_place() -> None:
    with pytest.raises(NotationError, match=r"^g, line 21: action 3: '4_7' is not an action"):
        read_game(TEXT + "actions:\n1-2 row 4_7", "g")
    with pytest.raises(NotationError, match=r"^g: action 2: 'x' is not an action"):
        read_game('{"deal": 1, "actions": ["row", "x"]}', "g")
    with pytest.raises(NotationError, match=r"^g: action 1: expected a text in quotes"):
        read_game('{"deal": 1, "actions": [5]}', "g")
    with pytest.raises(DealError, match=r"^g, line 5: card 1: '1X'"):
        read_game(TEXT.replace("6D", "1X") + "actions:", "g")
    with pytest.raises(DealError, match="'1-2x1 row': unknown format: expected"):
        read_game("1-2x1 row")
    with pytest.raises(DealError, match="'csv' is not a format: expected win7, kpat, solvitaire"):
        game_text(NATIVE, [], format="csv")
    with pytest.raises(
        DealError, match="recorded games cannot be written as 'kpat': expected json or text"
    ):
        game_text(NATIVE, [], format="kpat")


def test_too_many_actions_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("spider_solver.recorded_games.MAX_ENTRIES", 1000)
    read_game(TEXT + "actions:" + " row" * 1000)
    with pytest.raises(NotationError, match="line 20: more than 1000 actions"):
        read_game(TEXT + "actions:" + " row" * 1001)


@settings(max_examples=150, deadline=None)
@given(st.randoms(use_true_random=False), st.sampled_from(("text", "json")))
def test_a_mutated_recorded_game_gives_a_possible_deal_or_an_error(
    chance: random.Random, format: str
) -> None:
    text = game_text(NATIVE, [Move(0, 1, 1), ROW] * 8, format=format)
    for _ in range(3):
        start = chance.randrange(len(text))
        piece = chance.choice(["", "x", "-", "1", "row", '"', "]", "\n", "#", "[", "undo", "\0"])
        text = text[:start] + piece + text[start + chance.randrange(4) :]
    try:
        game = read_game(text)
    except SpiderError as error:
        message = str(error)
    else:
        game.deal.check()
        Position(game.deal)
        return
    assert "\n" not in message


# Times and comments.

COMMENTED = """# A game of mine
# Spider deal: columns 1-10, bottom card first; cards before the bar are face down
deal: native:1  # an easy one
actions:  # columns 1-10; 4-7x3: three cards from 4 to 7
# thinking
1-10x1@3.25 9-10@1:02 # a pity
# really
undo@1:00:00#oops

row restart  # again
"""


def test_times_and_comments_belong_to_the_entry_before_them() -> None:
    game = read_game(COMMENTED)
    assert game.comments == ("A game of mine", "an easy one", "thinking")
    assert [(entry.text, entry.time, entry.comment) for entry in game.entries] == [
        ("1-10x1", 3.25, ""),
        ("9-10", 62.0, "a pity\nreally"),
        ("undo", 3600.0, "oops"),
        ("row", None, ""),
        ("restart", None, "again"),
    ]


def same(game: RecordedGame, other: RecordedGame) -> bool:
    """Return whether two games are equal, apart from line numbers and file names."""
    bare = [entry._replace(line=None) for entry in game.entries]
    return (game.deal, game.comments, bare) == (
        *(other.deal, other.comments),
        [entry._replace(line=None) for entry in other.entries],
    )


@pytest.mark.parametrize("format", ["text", "json"])
def test_times_and_comments_read_back(format: str) -> None:
    game = read_game(COMMENTED)
    assert same(read_game(write_game(game, format)), game)


@pytest.mark.parametrize("format", ["text", "json"])
def test_the_longest_time_reads_back(format: str) -> None:
    game = read_game('{"deal": 1, "actions": ["row@999999999.9994"]}')
    written = read_game(write_game(game, format))
    assert [entry.time for entry in written.entries] == [999999999.999]
    assert same(read_game(write_game(written, format)), written)


TEXTS = st.text(st.characters(codec="utf-8"), max_size=20)
ENTRIES = st.builds(
    lambda action, comment: Entry(action, action_text(action), comment=comment),
    st.one_of(ACTIONS, st.sampled_from(Revision), st.builds(OpenMove, *[st.integers(0, 9)] * 2)),
    TEXTS,
)


@settings(max_examples=100, deadline=None)
@given(st.lists(ENTRIES, max_size=15), st.lists(TEXTS, max_size=3), st.data())
def test_any_game_reads_back_from_text_and_json(
    entries: list[Entry], comments: list[str], data: st.DataObject
) -> None:
    thousandths = st.one_of(st.none(), st.integers(0, 10**9))
    given_times = [data.draw(thousandths) for _ in entries]
    times = iter(sorted(time for time in given_times if time is not None))
    timed = tuple(
        entry._replace(time=None if none is None else next(times) / 1000)
        for entry, none in zip(entries, given_times, strict=True)
    )
    game = RecordedGame(NATIVE, timed, "", tuple(comments))
    text = read_game(write_game(game, "text"))
    assert same(read_game(write_game(game, "json")), text)
    assert same(read_game(write_game(text, "text")), text)
    assert [(e.action, e.time) for e in text.entries] == [(e.action, e.time) for e in timed]


def test_a_comment_cannot_add_an_action_or_an_escape_sequence() -> None:
    entry = Entry(ROW, "row", comment="a\nrow\x1b[2J\n\n # b")
    for format in ("text", "json"):
        game = read_game(write_game(RecordedGame(NATIVE, (entry,), "", ("x\nrow",)), format))
        assert len(game.entries) == 1
        assert game.entries[0].comment == "a\nrow_[2J\n# b"
        assert game.comments == ("x row",)


def test_entries_in_json_may_be_objects() -> None:
    text = '{"deal": 1, "actions": ["row@5", {"action": "undo", "time": 7, "comment": "no"}]}'
    game = read_game(text)
    assert [(entry.action, entry.time) for entry in game.entries] == [(ROW, 5), (Revision.UNDO, 7)]
    assert game.entries[1].comment == "no"


@pytest.mark.parametrize(
    ("actions", "message"),
    [
        ('"row@"', "'@' is not a time: expected seconds, like @75.5, or @1:15.5"),
        ('"row@x"', "'@x' is not a time"),
        ('"row@-1"', "'@-1' is not a time"),
        ('"row@1e5"', "'@1e5' is not a time"),
        ('"row@1:999999999"', "'@1:999999999': expected seconds, from 0 and below 1,000,000,000"),
        ('"row@999999999.9999"', "'@999999999.9999': expected seconds, from 0 and below 1,000"),
        ('{"action": "row", "time": 1e9}', '"time": expected seconds, from 0 and below 1,000,000'),
        ('{"action": "row", "time": 999999999.9999}', '"time": expected seconds, from 0 and below'),
        ('"row@5", "row@4.5"', "action 2: time 4.5 is before the time 5 of an earlier action"),
        ('{"action": "row", "time": -1}', '"time": expected seconds'),
        ('{"action": "row", "time": NaN}', '"time": expected seconds'),
        ('{"action": "row", "time": true}', '"time": expected seconds'),
        ('{"action": "row", "time": "5"}', '"time": expected seconds'),
        ('{"action": "row", "time": 1' + "0" * 400 + "}", '"time": expected seconds'),
        ('{"action": "row", "comment": 1}', '"comment": expected a text'),
        ('{"action": 5}', "expected a text in quotes"),
        ("[]", "expected a text in quotes"),
    ],
)
def test_wrong_times_and_objects_are_refused(actions: str, message: str) -> None:
    with pytest.raises(NotationError) as caught:
        read_game(f'{{"deal": 1, "actions": [{actions}]}}', "g")
    assert message in str(caught.value)
    assert str(caught.value).startswith("g: action ")


def test_comments_in_json_are_a_list_of_texts() -> None:
    with pytest.raises(NotationError, match='"comments": expected a list of texts'):
        read_game('{"deal": 1, "comments": "x", "actions": []}')
