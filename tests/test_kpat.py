"""Saved games of KPatience: reading, writing, finding the actions, and opening in KPatience."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from play import endgame, random_position, run, sensible_position

from spider_solver.cards import rank_of, suit_of
from spider_solver.deal import Deal, RowRule
from spider_solver.errors import DealError, NotationError, SpiderError
from spider_solver.formats import kpat, read_deal, read_game, write_deal, xml
from spider_solver.formats.kpat import reader
from spider_solver.game import ROW, Action, Move, Position
from spider_solver.infer import infer_actions
from spider_solver.numbering import deal_from_number
from spider_solver.recorded_games import RecordedGame
from spider_solver.verify import verify_game

DATA = Path(__file__).parent / "data"
DEALS = Path(__file__).parent.parent / "deals"
DEMO = (DEALS / "kpat_18_one_suit.xml").read_text()  # by KPatience 22.12.3's demo
REDO = (DATA / "kpat_redo_617_2suit.xml").read_text()  # two rows dealt, one taken back
NUMBERED = deal_from_number("kpat:12345")
TEXT = write_deal(NUMBERED, "kpat")


def refused(text: str) -> str:
    """Return the message of the error that reading a save raises, after checking its form."""
    with pytest.raises(DealError) as caught:
        read_deal(text, "s.xml")
    message = str(caught.value)
    assert message.isprintable()
    assert len(message) < 700
    return message


# Deals.


@pytest.mark.parametrize(("file", "number", "suits"), [("spider4", 12345, 4), ("spider2", 617, 2)])
def test_saves_by_kpatience_are_the_deals_of_their_numbers(
    file: str, number: int, suits: int
) -> None:
    text = (DATA / f"kpat_{file}_{number}.xml").read_text()
    deal = deal_from_number(f"kpat:{number}", suits)
    assert read_deal(text) == read_deal(text, "x", "kpat") == deal
    ours = write_deal(deal, "kpat")
    assert re.sub(r'id="\d+"', "", ours).split() == re.sub(r'id="\d+"', "", text).split()
    assert sorted(re.findall(r"<card.*?rank", ours)) == sorted(re.findall(r"<card.*?rank", text))


@given(number=st.integers(1, 2**31 - 1), suits=st.sampled_from((1, 2, 3, 4)))
@settings(max_examples=40, deadline=None)
def test_a_numbered_deal_reads_back(number: int, suits: int) -> None:
    deal = deal_from_number(f"kpat:{number}", suits)
    text = write_deal(deal, "kpat")
    assert f'game-type-options="{suits}" deal-number="{number}"' in text
    assert read_deal(text, "other name") == deal
    assert kpat.omits(deal) == []


@given(seed=st.integers(0, 10**6), actions=st.integers(0, 200), suits=st.sampled_from((1, 2, 4)))
@settings(max_examples=40, deadline=None)
def test_a_position_in_mid_game_reads_back(seed: int, actions: int, suits: int) -> None:
    for play in (random_position, sensible_position):
        deal = replace(play(seed, actions, suits).to_deal(), name="")
        assert read_deal(write_deal(deal, "kpat")) == deal


def test_every_position_of_a_won_game_reads_back() -> None:
    position = sensible_position(213, 300, 2)
    while position.history:
        deal = replace(position.to_deal(), name="")
        text = write_deal(deal, "kpat")
        assert read_deal(text) == deal
        state = 10 * len(deal.completed) + 5 - position.rows_left
        assert f'game-specific-state="{state}"' in text
        position.pop()


@pytest.mark.parametrize(
    ("deal", "suits", "expected"),
    [
        (
            deal_from_number("pysol:7", 1),
            "1",
            ["clubs became spades, which KPatience has with 1 s"],
        ),
        (
            deal_from_number("pysol:7", 2),
            "2",
            ["clubs became spades, which KPatience has with 2 s"],
        ),
        (deal_from_number("pysol:7", 4), "4", []),
        (deal_from_number("native:7", 2), "2", []),
    ],
    ids=["pysol, 1 suit", "pysol, 2 suits", "pysol, 4 suits", "native, 2 suits"],
)
def test_suits_that_kpatience_does_not_have_are_renamed(
    deal: Deal, suits: str, expected: list[str]
) -> None:
    text = write_deal(deal, "kpat")
    assert f'game-type-options="{suits}" deal-number="0"' in text
    again = read_deal(text)
    assert [rank_of(c) for c in again.stock] == [rank_of(c) for c in deal.stock]
    renamed = {(suit_of(a), suit_of(b)) for a, b in zip(deal.stock, again.stock, strict=True)}
    assert len(renamed) == deal.suits
    omitted = kpat.omits(deal)
    assert [o[: len(e)] for o, e in zip(omitted, expected, strict=False)] == expected
    assert omitted[-1] == (
        f"the file does not hold the number {deal.name}: Restart Deal in KPatience deals another"
        " deal"
    )


def test_a_deal_that_kpatience_has_no_deck_for_is_refused() -> None:
    completed = [0, 0, 0, 0, 0, 1]
    deal = Deal.make([run(13, 1), [], *[[]] * 8], (), [12, *[0] * 9], [*completed, 1], suits=2)
    with pytest.raises(DealError, match=r"KPatience has no deck of spades x6, hearts x2: it has"):
        write_deal(deal, "kpat")
    with pytest.raises(DealError, match="no deck of"):
        kpat.omits(deal)


def test_a_number_is_written_only_for_its_own_deal() -> None:
    other = replace(deal_from_number("kpat:5"), name="kpat:6")
    assert 'deal-number="0"' in write_deal(other, "kpat")
    position = Position(deal_from_number("kpat:5"))
    for action in (next(position.legal_moves()), ROW):
        position.push(action)
    middle = position.to_deal()
    assert middle.name == "kpat:5"
    assert read_deal(write_deal(middle, "kpat")) == middle
    no_number = replace(middle, name="kpat:0")
    assert read_deal(write_deal(no_number, "kpat")).name == ""


def test_a_position_has_the_number_only_if_its_unmoved_cards_are_those_of_the_deal() -> None:
    position = Position(deal_from_number("kpat:12345"))
    for action in [*list(position.legal_moves())[:1], ROW]:
        position.push(action)
        deal = position.to_deal()
        assert 'deal-number="12345"' in write_deal(deal, "kpat")
    column = next(i for i, down in enumerate(deal.face_down) if down > 1)
    cards = list(deal.columns[column])
    cards[0], cards[1] = cards[1], cards[0]
    assert cards[0] != cards[1]
    columns = (*deal.columns[:column], tuple(cards), *deal.columns[column + 1 :])
    face_down = list(deal.face_down)
    face_down[column] = len(cards) - 1
    for other in (
        replace(deal, stock=deal.stock[::-1]),
        replace(deal, columns=columns),
        replace(deal, face_down=tuple(face_down)),
    ):
        other.check()
        assert 'deal-number="0"' in write_deal(other, "kpat")
        assert any("does not hold the number kpat:12345" in text for text in kpat.omits(other))


def test_cards_have_the_ids_of_kpatience_s_deck() -> None:
    ids = [int(i) for i in re.findall(r'id="(\d{7})"', TEXT)]
    assert len({*ids}) == 104
    assert sorted(i >> 16 for i in ids) == list(range(104))


# Games.


def save_of(deal: Deal, actions: Sequence[Action], current: int | None = None) -> str:
    """Return a save with a state for the deal and one for each action, as KPatience writes it.

    current: the index of the state marked as current; None marks no state.
    """
    text = write_deal(deal, "kpat")
    head, _, rest = text.partition("<state")
    elements: dict[str, list[str]] = {}  # the elements of the cards in each pile
    for pile, _, cards in re.findall(
        r'pile="(\w+)" position="(\d+)">(.*?)</move>', text, re.DOTALL
    ):
        elements.setdefault(pile, []).extend(re.findall(r"<card .*?/>", cards))
    for pile, cards in elements.items():
        elements[pile] = [re.sub(r' turn=".*?"', "", element) for element in cards]
    states = ["<state" + rest.partition("</state>")[0]]
    position = Position(deal)
    for action in actions:
        rows = 5 - position.rows_left
        outcome = position.push(action)
        lines = []

        def move_to(pile: str, cards: list[str], turn: str = "", lines: list[str] = lines) -> None:
            before = elements.setdefault(pile, [])
            lines.append(f'<move pile="{pile}" position="{len(before)}">')
            lines.extend(card.replace("/>", f"{turn}/>") for card in cards)
            lines.append("</move>")
            before += cards

        if isinstance(action, Move):
            cards = elements[f"stack{action.source}"]
            moved = [cards.pop() for _ in range(action.count)][::-1]
            move_to(f"stack{action.target}", moved)
        else:
            for column in range(10):
                move_to(f"stack{column}", [elements[f"redeals{rows}"].pop()], ' turn="face-up"')
        for number, completed in enumerate(outcome.completed):
            cards = elements[f"stack{completed.column}"]
            taken = [cards.pop() for _ in range(13)][::-1]
            leg = len(position.completed) - len(outcome.completed) + number
            move_to(f"legs{leg}", taken)
        for turned in outcome.turned:
            pile = f"stack{turned.column}"
            move_to(pile, [elements[pile].pop()], ' turn="face-up"')
        states.append("<state>" + "\n".join(lines))
    whole = "</state>\n".join([*states, ""])
    if current is not None:
        parts = whole.replace(' current="true"', "").split("<state")
        parts[current + 1] = ' current="true"' + parts[current + 1]
        whole = "<state".join(parts)
    else:
        whole = whole.replace(' current="true"', "")
    return f"{head}{whole}</kpat-game>"


def actions_of(game: RecordedGame) -> list[object]:
    return [recorded.action for recorded in game.entries]


@given(
    seed=st.integers(0, 10**6),
    length=st.integers(0, 150),
    suits=st.sampled_from((1, 2, 4)),
    data=st.data(),
)
@settings(max_examples=25, deadline=None)
def test_the_actions_are_found_from_the_positions(
    seed: int, length: int, suits: int, data: st.DataObject
) -> None:
    play = data.draw(st.sampled_from([random_position, sensible_position]))
    position = play(seed, length, suits, RowRule.RELAXED)
    actions = [outcome.action for outcome in position.history]
    deal = deal_from_number(str(seed), suits, RowRule.RELAXED)
    game = read_game(save_of(deal, actions), "s")
    assert actions_of(game) == actions
    assert replace(game.deal, name="") == replace(deal, name="")
    current = data.draw(st.integers(0, len(actions)))
    text = save_of(deal, actions, current)
    assert actions_of(read_game(text)) == actions[:current]
    assert read_deal(text) == verify_game(read_game(text)).position.to_deal().with_rules(
        RowRule.STANDARD
    )


def test_the_actions_of_the_demo_are_found_though_its_runs_leave_late() -> None:
    game = read_game(DEMO)
    assert game.deal == deal_from_number("kpat:18", 1, RowRule.RELAXED)
    assert DEMO.count("<state") == 82
    assert len(game.entries) == 78
    report = verify_game(game)
    assert report.verdict == "unfinished"
    assert len(report.completed) == 3
    assert report.position.to_deal() == read_deal(DEMO).with_rules(RowRule.RELAXED)


def test_states_after_the_current_one_are_ignored() -> None:
    assert REDO.count("<state") == 3
    assert [recorded.text for recorded in read_game(REDO).entries] == ["row"]
    assert len(read_deal(REDO).stock) == 40


def test_in_mid_game_the_first_state_must_be_the_deal_of_the_number() -> None:
    assert "are not those of deal kpat:19" in refused(DEMO.replace('"18"', '"19"', 1))


def test_a_save_of_a_deal_is_a_game_without_actions() -> None:
    assert read_game(TEXT).entries == ()


def test_positions_that_are_not_one_action_apart() -> None:
    deals = kpat.positions(DEMO)
    with pytest.raises(
        NotationError, match=r"^position 3 in the file is not one action away from the position"
    ):
        infer_actions([deals[0], deals[1], deals[4]])
    with pytest.raises(NotationError, match=r"^position 2 in the file is not"):
        infer_actions([deals[4], deals[3]])
    text = DEMO.replace("<state>", "<state><move/></state><state>", 1)
    assert "position '': expected a whole number" in refused(text)
    start = DEMO.index("<state", DEMO.index("</state>"))
    end = DEMO.index("</state>", start)
    end = DEMO.index("</state>", end + 1)
    merged = (
        DEMO[:start]
        + DEMO[start:end]
        .replace("</state>", "")
        .replace("<state>", "", 2)
        .replace("<move", "<state><move", 1)
        + DEMO[end:]
    )
    with pytest.raises(NotationError, match=r"^s.xml: position 2 in the file is not one"):
        read_game(merged, "s.xml")
    assert read_deal(merged) == read_deal(DEMO)


# Faults.

BOMB = """<?xml version="1.0"?>
<!DOCTYPE lolz [<!ENTITY a "lol">
<!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;"><!ENTITY c "&b;&b;&b;&b;&b;&b;&b;&b;&b;&b;">]>
<kpat-game game-type="&c;"/>"""
FETCH = '<!DOCTYPE a SYSTEM "file:///etc/passwd"><kpat-game game-type="spider"/>'
CARD = '<card id="5308680" suit="diamonds" rank="eight" turn="face-down"/>'
FIRST = re.search(r"<card .*?/>", TEXT)[0]  # type: ignore[index]

FAULTS: dict[str, tuple[str, str, str]] = {
    "another game": ('"spider"', '"klondike"', r"line 2: a saved game of 'klondike': expected a"),
    "five suits": ('options="4"', 'options="5"', r"line 2: game-type-options '5': expected the n"),
    "other suits": ('options="4"', 'options="2"', r"the cards have 4 suits, but 2 are stated"),
    "another number": ('"12345"', '"12346"', r"the cards are not those of deal kpat:12346"),
    "a wrong number": ('"12345"', '"x"', r"line 2: deal-number 'x': expected a whole number"),
    "a missing card": (FIRST, "", r"103 cards .* missing: .*; redeals0 has 9 cards, not ten"),
    "a wrong rank": ('rank="eight"', 'rank="8"', r"'8 of \w+' is not a card: expected words like"),
    "a wrong suit": ('suit="clubs"', 'suit="C"', r"'\w+ of C' is not a card"),
    "a missing turn": (' turn="face-down"', "", r"turn '': expected face-up or face-down"),
    "a wrong turn": ('turn="face-down"', 'turn="up"', r"turn 'up': expected face-up or face-down"),
    "a face-down card on a face-up one": (
        'turn="face-up"',
        'turn="face-down"',
        r"column 1 has 6 cards and 6 of them face",
    ),
    "a wrong pile": ('"stack4"', '"stack10"', r"'stack10' is not a pile of Spider: expected a"),
    "a gap": ('"stack4" position="0"', '"stack4" position="1"', r"position 1 of stack4, which has"),
    "a wrong position": (
        'position="0"',
        'position="-1"',
        r"position '-1': expected a whole number",
    ),
    "a foreign element": ("<move", "<svg/><move", r"<svg> inside <state>: expected another"),
    "a nested game": ("<move", "<kpat-game/><move", r"<kpat-game> inside <state>: expected anoth"),
    "cut off": ("</kpat-game>", "", r"line \d+: not valid XML: no element found"),
    "mismatched": ("</state>", "</move>", r"line \d+: not valid XML: mismatched tag"),
    "an entity": ('"spider"', '"&a;"', r"line 2: not valid XML: undefined entity"),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_in_a_save(fault: str) -> None:
    old, new, message = FAULTS[fault]
    assert old in TEXT
    found = refused(TEXT.replace(old, new, 1))
    assert found.startswith("s.xml")
    assert re.search(message, found), found


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            BOMB,
            r"s.xml, line 2: a document type <!DOCTYPE lolz> that may define entities: not read",
        ),
        (FETCH, r"s.xml, line 1: a document type <!DOCTYPE a> that may define entities: not read"),
        (
            FETCH.replace("SYSTEM", 'PUBLIC "a"'),
            r"s.xml, line 1: a document type <!DOCTYPE a> that may define entities: not read",
        ),
        ("<!DOCTYPE a []><kpat-game/>", r"s.xml, line 1: a document type <!DOCTYPE a> that may"),
        ('<?xml version="1.0"?><svg/>', r"<svg> as the first element: expected another element"),
        ("<kpat-game" + "<a" * 9, r"line 1: not valid XML: not well-formed"),
        ('<kpat-game game-type="spider" game-type-options="4" deal-number="1"/>', r"without a st"),
        ("<!-- a -->" + "<kpat-game>" * 10**5, r"a saved game of ''"),
        ("<?xml version='1.0'?>" + "\ud800", r"not valid XML: a character that no text has"),
    ],
    ids=[
        "bomb",
        "fetch",
        "public",
        "empty",
        "svg",
        "ill-formed",
        "no state",
        "deep",
        "surrogate",
    ],
)
def test_text_that_is_not_a_save(text: str, message: str) -> None:
    assert re.search(message, refused(text))


def test_one_id_for_two_different_cards() -> None:
    two = FIRST.replace('rank="', 'rank="two" x="')
    text = TEXT.replace("</state>", f'<move pile="legs0" position="0">{two}</move></state>')
    assert "is two different cards: expected another id" in refused(text)


def test_huge_saves_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    cards = "".join(CARD.replace("5308680", str(i)) for i in range(1200))
    assert "more than 1000 cards" in refused(TEXT.replace(FIRST, cards, 1))
    monkeypatch.setattr(reader, "MAX_STATES", 50)
    assert "more than 50 states: not read" in refused(DEMO)
    monkeypatch.setattr(xml, "MAX_CHARACTERS", 2**20)
    assert "s.xml: more than 1,048,576 characters of XML: not read" in refused(TEXT + " " * 2**20)
    monkeypatch.setattr(xml, "MAX_DEPTH", 2)
    assert "XML nested more than 2 deep: not read" in refused(TEXT)


def test_a_completed_run_that_was_not_yet_taken_away_counts_as_completed() -> None:
    deal = endgame([run(13, 2), run(1, 1)])
    game = save_of(deal, [Move(1, 0, 1)])
    late = re.sub(r'<move pile="legs7".*?</move>', "", game, flags=re.DOTALL)
    assert read_deal(late) == read_deal(game)
    assert read_deal(late).completed == (0,) * 8
    assert actions_of(read_game(late)) == [Move(1, 0, 1)]


@settings(max_examples=300, deadline=None)
@given(data=st.data())
def test_a_mutated_game_is_refused_or_legal(data: st.DataObject) -> None:
    text = REDO
    for _ in range(data.draw(st.integers(1, 3))):
        old = data.draw(
            st.sampled_from(["stack1", "stack0", "face-up", "face-down", 'position="6"'])
        )
        places = [match.start() for match in re.finditer(old, text)]
        at = data.draw(st.sampled_from(places)) if places else 0
        new = data.draw(st.sampled_from(["stack2", "legs0", "face-down", 'position="5"', "<move>"]))
        text = text[:at] + new + text[at + len(old) :]
    try:
        game = read_game(text, "s")
    except SpiderError as error:
        message = str(error)
    else:
        report = verify_game(game)
        assert report.verdict != "illegal"
        assert report.position.to_deal().columns == read_deal(text).columns
        return
    assert "\n" not in message


# KPatience itself.

KPAT = shutil.which("kpat") or shutil.which("kpat", path="/usr/games")
DRIVE = r"""
"$0" "$1" &
name=org.kde.kpat-$!
call() { gdbus call --session --timeout 5 --dest $name --object-path /kpat/MainWindow "$@"; }
for _ in $(seq 100); do call --method org.kde.KMainWindow.winId && break; sleep 0.1; done
sleep 0.5
for action in $2 game_quit; do
    call --method org.kde.KMainWindow.activateAction $action
    sleep 1.5
done
for _ in $(seq 50); do kill -0 $! || exit 0; sleep 0.1; done
kill $!
"""


@pytest.mark.skipif(
    not KPAT or not shutil.which("dbus-run-session") or not shutil.which("gdbus"),
    reason="needs kpat, dbus-run-session and gdbus",
)
@pytest.mark.parametrize(
    ("deal", "actions"),
    [
        (replace(sensible_position(134, 130, 2).to_deal(), name=""), ""),
        (deal_from_number("kpat:2147483647", 3), "game_restart"),
    ],
    ids=["a position", "a deal, dealt again"],
)
def test_kpatience_opens_and_saves_what_is_written(
    deal: Deal, actions: str, tmp_path: Path
) -> None:
    """Check that KPatience saves, when it quits, the game that it was given.

    Its option ``--solvegame`` cannot check this: version 22.12 prints "lost" for any such file.
    """
    settings_file = tmp_path / ".config" / "kpatrc"
    settings_file.parent.mkdir()
    settings_file.write_text("[General Settings]\nRememberStateOnExit=true\nSolver=false\n")
    save = tmp_path / "save.xml"
    save.write_text(write_deal(deal, "kpat"))
    (tmp_path / "run").mkdir(mode=0o700)
    environment = {
        **os.environ,
        "HOME": str(tmp_path),
        "XDG_CONFIG_HOME": str(tmp_path / ".config"),
        "XDG_DATA_HOME": str(tmp_path / "data"),
        "XDG_RUNTIME_DIR": str(tmp_path / "run"),
        "QT_QPA_PLATFORM": "offscreen",
    }
    command = ["dbus-run-session", "--", "sh", "-c", DRIVE, str(KPAT), str(save), actions]
    subprocess.run(command, env=environment, capture_output=True, timeout=60, check=False)
    kept = tmp_path / "data" / "kpat" / "savedstate.xml"
    assert read_deal(kept.read_text()) == deal
