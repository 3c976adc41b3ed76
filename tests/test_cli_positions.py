"""The command line: a recorded game as a DEAL stands for its position after some actions."""

from __future__ import annotations

import re
from itertools import groupby
from pathlib import Path

import pytest
from commandline import PROJECT, error_of, run

from spider_solver.cli.inputs import ReadingOptions, load_deal
from spider_solver.cli.output import Messages
from spider_solver.deal import Deal, RowRule
from spider_solver.formats import kpat, read_deal, read_game
from spider_solver.notation import action_text
from spider_solver.numbering import deal_from_number
from spider_solver.replay import Replay

DEALS = PROJECT / "deals"
INPUTS = Path(__file__).parent / "data" / "inputs"
GAME = INPUTS / "03_recorded_game_ignored_by_solve.txt"
ACTIONS = 100  # in GAME
SAVE = DEALS / "kpat_18_one_suit.xml"
SAVED_ACTIONS = 78
WON = DEALS / "won_two_suit.txt"


def position_after(number: int, file: Path = GAME) -> Deal:
    replay = Replay(read_game(file.read_text()))
    replay.go_to(number)
    return replay.position.to_deal()


def title(result) -> str:
    assert result.exit_code == 0, result.output
    return result.stdout.splitlines()[0]


def write_game(folder: Path, actions: str, rules: str = "standard") -> str:
    file = folder / "game.txt"
    file.write_text(f"deal: native:213\nsuits: 2\nrules: {rules}\nactions:\n{actions}\n")
    return str(file)


def test_a_recorded_game_stands_for_its_position_after_the_last_action(fake) -> None:
    fake.actions = ()
    result = run("solve", str(GAME))
    assert [deal for deal, _ in fake.calls] == [position_after(ACTIONS)]
    assert title(result) == (
        "native:213, 2 suits, standard rules, a position in mid-game, after 100 of 100 actions"
    )


@pytest.mark.parametrize("number", [0, 1, 20, 99, 100])
def test_the_position_after_some_actions_is_written_and_read_back(number: int) -> None:
    result = run("show", str(GAME), "--at", str(number), "--format", "text")
    assert read_deal(result.stdout) == position_after(number)
    shown = run("show", str(GAME), "--at", str(number)).stdout
    assert shown.splitlines()[0].endswith(f", after {number} of 100 actions")
    as_json = run("convert", str(GAME), "--at", str(number), "--to", "json")
    assert read_deal(as_json.stdout) == position_after(number)
    assert as_json.stderr == "note: the file does not hold the 100 actions of the recorded game\n"


def test_at_zero_is_the_deal(fake) -> None:
    fake.actions = ()
    result = run("solve", str(GAME), "--at", "0")
    assert [deal for deal, _ in fake.calls] == [deal_from_number("native:213", 2)]
    assert title(result) == "native:213, 2 suits, standard rules, after 0 of 100 actions"
    assert title(run("show", "native:213", "--suits", "2", "--at", "0")) == (
        "native:213, 2 suits, standard rules"
    )


def test_undos_and_restarts_count_as_actions(tmp_path: Path) -> None:
    game = write_game(tmp_path, "1-6 undo 1-6 restart row")
    deal = deal_from_number("native:213", 2)
    for number in (0, 2, 4):
        found = run("show", game, "--at", str(number), "--format", "json").stdout
        assert read_deal(found) == deal
    assert "Stock: 4 rows left" in run("show", game).stdout


def test_a_game_without_actions_is_the_deal(tmp_path: Path) -> None:
    assert title(run("show", write_game(tmp_path, ""))) == "native:213, 2 suits, standard rules"


@pytest.mark.parametrize("number", [None, 0, 1, 40, SAVED_ACTIONS])
def test_the_position_after_some_actions_of_a_saved_game(number: int | None) -> None:
    at = () if number is None else ("--at", str(number))
    result = run("show", str(SAVE), *at, "--format", "text")
    # The positions in the file are those before the first action and after each one.
    positions = [position for position, _ in groupby(kpat.positions(SAVE.read_text()))]
    made = SAVED_ACTIONS if number is None else number
    assert read_deal(result.stdout) == positions[made].with_rules(RowRule.STANDARD)
    assert title(run("show", str(SAVE), *at)).endswith(f", after {made} of 78 actions")


def test_a_saved_game_whose_actions_cannot_be_found_is_its_current_position() -> None:
    # The fifth and the sixth state become one.
    states = re.split(r"(</state>\s*<state[^>]*>)", SAVE.read_text())
    text = "".join(states[:9] + states[10:])
    shown = run("show", "-", input=text)
    assert title(shown) == "kpat:18, 1 suit, standard rules, a position in mid-game"
    assert "is not one action away" in error_of(run("show", "-", "--at", "3", input=text))
    note = run("convert", "-", "--to", "text", input=text).stderr
    assert note.startswith("note: the recorded actions cannot be read: ")


def test_a_won_game_says_that_it_is_won(fake) -> None:
    fake.actions = ()
    result = run("solve", str(WON))
    assert title(result) == "native:213, 2 suits, standard rules, won, after 142 of 142 actions"
    assert "is won: give --at N to take its position after N actions" in result.stderr
    assert "is won" not in run("solve", str(WON), "-q").stderr
    assert run("show", str(WON), "--at", "142").stderr == ""
    assert run("show", str(WON), "--at", "141").stderr == ""


def test_the_solution_of_a_position_is_verified_and_wins() -> None:
    result = run("solve", str(GAME), "--json", "-q")
    assert result.exit_code == 0
    verified = run("verify", "-", input=result.stdout)
    assert "won: " in verified.stdout


def test_the_rule_for_rows_of_the_actions_and_of_the_position(tmp_path: Path) -> None:
    # After 32 actions of this game column 6 is empty.
    made = [action_text(entry.action) for entry in read_game(GAME.read_text()).entries[:32]]
    actions = f"{' '.join(made)} row"
    relaxed = write_game(tmp_path, actions, "relaxed")

    def rules(*options: RowRule) -> RowRule:
        return load_deal(relaxed, ReadingOptions(None, *options), Messages()).deal.rules

    assert rules() is RowRule.RELAXED
    assert rules(RowRule.STANDARD) is RowRule.STANDARD  # the actions were made by the other rule
    standard = write_game(tmp_path, actions)
    assert "action 33 'row' is illegal" in error_of(run("show", standard))
    assert title(run("show", standard, "--rules", "relaxed")).startswith(
        "native:213, 2 suits, relaxed rules, a position in mid-game"
    )


# Errors.


def test_an_illegal_action_is_named_with_the_number_before_it(tmp_path: Path) -> None:
    game = write_game(tmp_path, "1-6 1-7\n9-8 1-2")
    message = error_of(run("solve", game))
    assert message.startswith(f"{game}, line 6: action 3 '9-8' is illegal: ten of spades cannot go")
    assert message.endswith("; --at 2 takes the position before it")
    assert title(run("show", game, "--at", "2")).endswith("after 2 of 4 actions")


def test_actions_that_cannot_be_read_need_at_zero(tmp_path: Path) -> None:
    game = write_game(tmp_path, "1-6 1:7")
    for at in ((), ("--at", "1")):
        message = error_of(run("show", game, *at))
        assert message.startswith(f"{game}, line 5: action 2: '1:7' is not an action")
        assert message.endswith("; --at 0 takes the deal without its actions")
    assert title(run("show", game, "--at", "0")) == "native:213, 2 suits, standard rules"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([str(GAME), "--at", "101"], f"--at 101: the recorded game in '{GAME}' has 100 actions"),
        ([str(SAVE), "--at", "79"], f"--at 79: the recorded game in '{SAVE}' has 78 actions"),
        (["1", "--at", "1"], "--at 1: '1' is a deal number, without actions"),
        (
            [str(DEALS / "native_1.txt"), "--at", "1"],
            f"--at 1: '{DEALS / 'native_1.txt'}' has no actions: expected a recorded game",
        ),
    ],
    ids=["a game", "a saved game", "a number", "a deal"],
)
def test_a_number_of_actions_that_the_deal_does_not_have(
    arguments: list[str], message: str
) -> None:
    assert error_of(run("show", *arguments)) == message


def test_at_takes_a_whole_number() -> None:
    assert "--at" in error_of(run("show", str(GAME), "--at", "-1"), 2)
    assert "expected a whole number from 0 up" in error_of(run("show", str(GAME), "--at", "x"), 2)
