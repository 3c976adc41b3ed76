"""The command line: the output and the exit code of each command."""

import contextlib
import json
import re
import resource
import shlex
import subprocess
from pathlib import Path

import click
import pytest
from commandline import WON_GAME, error_of, on_terminal, program, run, start
from play import game_text, one_move_from_won

from spider_solver import __version__
from spider_solver.cli import main as cli_main
from spider_solver.cli.errors import Exit
from spider_solver.cli.help import DocumentedCommand
from spider_solver.cli.hints import deal_command
from spider_solver.cli.main import COMMANDS, cli
from spider_solver.deal import RowRule
from spider_solver.formats import read_deal
from spider_solver.game import Move
from spider_solver.numbering import deal_from_number
from spider_solver.render.board import board

# The program as a whole


@pytest.mark.parametrize("option", ["-h", "--help"])
@pytest.mark.parametrize("command", ["", *COMMANDS])
def test_help_of_program_and_commands(command, option):
    result = run(*filter(None, [command, option]))
    assert result.exit_code == 0
    assert result.stdout.startswith("Usage: spider-solver")
    assert result.stderr == ""


def command_of(name: str) -> DocumentedCommand:
    command = cli.get_command(click.Context(cli), name)
    assert isinstance(command, DocumentedCommand)
    return command


def headings(page: str) -> list[str]:
    """The titles of the sections of a help page, without the usage line."""
    return re.findall(r"^([A-Z].*):$", page, re.MULTILINE)


@pytest.mark.parametrize("name", COMMANDS)
def test_a_help_page_has_the_sections_of_a_manual_page(name):
    page = run(name, "--help").stdout
    arguments = ["Arguments"] if name != "schemes" else []
    assert headings(page) == [*arguments, "Options", "Examples", "Exit codes"]
    assert max(map(len, page.splitlines())) <= 100


def test_the_help_page_of_the_program_has_all_sections():
    assert headings(run("--help").stdout) == [
        *("Options", "Commands", "Deals", "Examples", "Exit codes", "Environment"),
        "Shell completion",
    ]


@pytest.mark.parametrize("name", COMMANDS)
def test_a_help_page_describes_each_argument(name):
    command = command_of(name)
    arguments = [param for param in command.params if isinstance(param, click.Argument)]
    assert [str(param.metavar).strip("[].") for param in arguments] == list(command.arguments)


@pytest.mark.parametrize("name", COMMANDS)
def test_a_help_page_states_the_default_of_each_option_with_a_value(name):
    command = command_of(name)
    with click.Context(command) as context:
        for option in command.get_params(context):
            if isinstance(option, click.Option) and not option.is_flag and option.metavar != "FILE":
                record = option.get_help_record(context)
                assert record is not None
                assert "[default: " in record[1] or "[required]" in record[1], option.opts


def test_a_help_page_lists_the_exit_codes_of_its_command():
    common = {Exit.ERROR, Exit.USAGE, Exit.INTERRUPTED}
    found = {name: {int(code) for code in listed_exit_codes(name)} for name in COMMANDS}
    assert found.pop("solve") == {Exit.DONE, Exit.UNWINNABLE, Exit.UNDECIDED, *common}
    assert found.pop("prove") == {Exit.UNWINNABLE, Exit.UNDECIDED, *common}
    assert all(codes == {Exit.DONE, *common} for codes in found.values())


def listed_exit_codes(name: str) -> list[str]:
    section = run(name, "--help").stdout.partition("\nExit codes:\n")[2]
    return re.findall(r"^  (\d+) ", section, re.MULTILINE)


EXAMPLE_LINES = [
    *cli_main.EXAMPLES,
    *(line for name in COMMANDS for line in command_of(name).examples),
]


@pytest.mark.parametrize("line", EXAMPLE_LINES)
def test_an_example_on_a_help_page_is_a_valid_command_line(line):
    for part in line.partition(" > ")[0].split(" | "):
        program_name, name, *words = shlex.split(part)
        assert program_name == "spider-solver"
        with contextlib.suppress(click.exceptions.Exit):  # --help
            command_of(name).make_context(name, words)


@pytest.mark.parametrize("name", COMMANDS)
def test_the_examples_of_a_help_page_use_its_command(name):
    assert any(f"spider-solver {name}" in line for line in command_of(name).examples)


def test_help_lists_each_command_with_its_summary():
    listed = run("--help").stdout
    for name, summary in COMMANDS.items():
        command = cli.get_command(click.Context(cli), name)
        assert command is not None
        assert command.name == name
        assert command.get_short_help_str(200).rstrip(".") == summary.rstrip(".")
        assert summary in listed


def test_version():
    assert run("--version").stdout == f"spider-solver {__version__}\n"


def test_without_arguments_the_help_page_is_written_to_stderr():
    result = run()
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith("Usage: spider-solver")


def test_help_is_fast():
    def processor_seconds() -> float:  # unlike elapsed time, independent of other processes
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        assert program("--help").returncode == 0
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime

    assert min(processor_seconds() for _ in range(5)) < 0.15


def test_runs_as_module_and_as_command():
    assert program("--version").stdout == f"spider-solver {__version__}\n"
    with pytest.raises(SystemExit) as exit_:
        cli_main.main(["--version"])
    assert exit_.value.code == 0


# show


def test_show_prints_the_board_of_a_number():
    result = run("show", "1")
    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout == (
        f"native:1, 4 suits, standard rules\n\n{board(deal_from_number('1'))}\n"
    )


def test_show_with_reveal_suits_and_rules():
    result = run("show", "native:1", "--reveal", "--suits", "1", "--rules", "relaxed")
    assert (result.exit_code, result.stderr) == (0, "")
    deal = deal_from_number("1", 1, RowRule.RELAXED)
    assert result.stdout == (f"native:1, 1 suit, relaxed rules\n\n{board(deal, reveal=True)}\n")


@pytest.mark.parametrize("form", ["text", "json"])
@pytest.mark.parametrize("suits", ["1", "2", "4"])
def test_a_deal_written_by_show_is_read_back(form, suits):
    written = run("show", "7", "--suits", suits, "--format", form)
    deal = deal_from_number("7", int(suits))
    assert read_deal(written.stdout) == deal
    again = run("show", "-", "--format", form, input=written.stdout)
    assert again.stdout == written.stdout


def test_the_json_of_show_has_its_keys_in_order():
    keys = list(json.loads(run("show", "1", "--format", "json").stdout))
    assert keys == ["deal", "suits", "rules", "columns", "face_down", "stock", "completed"]


def test_the_rules_option_overrides_the_file(endgame):
    assert run("show", endgame).stdout.startswith(
        f"{endgame}, 1 suit, standard rules, a position in mid-game\n"
    )
    assert run("show", endgame, "--rules", "relaxed").stdout.startswith(
        f"{endgame}, 1 suit, relaxed rules, a position in mid-game\n"
    )


def test_a_file_named_like_a_number_is_a_file(endgame, monkeypatch):
    monkeypatch.chdir(Path(endgame).parent)
    Path(endgame).rename("12")
    assert "mid-game" in run("show", "12").stdout
    assert "native:12," in run("show", "native:12").stdout


def test_the_suits_option_may_repeat_the_suits_of_the_file(endgame):
    result = run("show", endgame, "--suits", "1")
    assert (result.exit_code, result.stdout) == (0, run("show", endgame).stdout)


def test_output_is_ascii_if_its_encoding_lacks_suit_signs():
    result = program("show", "1", "--reveal", environment={"PYTHONIOENCODING": "ascii"})
    assert result.returncode == 0
    assert result.stdout.isascii()
    assert "[6D]" in result.stdout


def test_there_are_colours_on_a_terminal_unless_no_color_is_set():
    assert "\x1b[31m" in on_terminal("-m", "spider_solver", "show", "1")
    assert "\x1b" not in on_terminal("-m", "spider_solver", "show", "1", NO_COLOR="1")
    assert "\x1b" not in on_terminal("-m", "spider_solver", "show", "1", TERM="dumb")
    assert "\x1b[31m" in on_terminal("-m", "spider_solver", "show", "1", NO_COLOR="")


# replay


def test_replay_lists_the_actions(won_game):
    result = run("replay", won_game)
    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout.splitlines()[1:] == [
        "",
        "1. A♠ from column 2 to empty column 3",
        "2. A♠ from column 3 to column 1, onto 2♠",
        "   ══ ♠ spades completed in column 1, King to Ace ══ run 8 of 8",
        "",
        "won: 2 moves and 0 rows, 8 of 8 runs completed, score 598",
    ]


def test_replay_draws_a_board_before_and_after_each_action(won_game):
    assert run("replay", won_game, "--boards").stdout.count("Completed runs:") == 3
    assert run("replay", won_game, "--boards", "--from", "2").stdout.count("Completed runs:") == 2


def test_replay_shows_a_range_of_actions(long_game):
    whole = run("replay", long_game).stdout.splitlines()
    part = run("replay", long_game, "--from", "20", "--to", "22").stdout.splitlines()
    assert [line.strip() for line in part[2:]] == [
        line.strip() for line in whole if line.startswith(("20. ", "21. ", "22. "))
    ]
    assert len(part) == 5
    assert "unfinished: " in whole[-1]
    assert run("replay", long_game, "--from", "58").stdout.splitlines()[-1] == whole[-1]


def test_replay_reads_standard_input(won_game):
    assert "won: " in run("replay", "-", input=Path(won_game).read_text()).stdout


def test_replay_shows_the_legal_actions_before_an_illegal_one(tmp_path):
    path = tmp_path / "bad.txt"
    path.write_text(game_text(one_move_from_won(), (*WON_GAME[:1], Move(3, 4, 1))))
    result = run("replay", str(path))
    assert result.stdout.endswith("\n\n1. A♠ from column 2 to empty column 3\n")
    assert error_of(result, after_output=True) == (
        f"{path}, line 16: action 2 '4-5x1' is illegal: column 4 is empty"
    )


def test_replay_of_a_range_outside_the_game_is_an_error(won_game):
    message = error_of(run("replay", won_game, "--from", "3"), 1)
    assert message == "--from 3: the game has 2 actions"


# verify


def test_verify_of_a_won_game(won_game):
    result = run("verify", won_game)
    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout.splitlines() == [
        f"{won_game}, 1 suit, standard rules, a position in mid-game",
        "won: 2 moves and 0 rows, 8 of 8 runs completed, score 598",
    ]


def test_verify_of_an_unfinished_game(long_game):
    result = run("verify", long_game)
    assert (result.exit_code, result.stderr) == (0, "")
    _, line = result.stdout.splitlines()
    assert line.startswith("unfinished: ")
    assert line.endswith(", 0 of 8 runs completed, score 440")


def test_the_json_of_verify_has_its_keys_in_order(won_game, long_game):
    found = json.loads(run("verify", won_game, "--json").stdout)
    assert list(found) == [
        *("deal", "suits", "rules", "verdict", "actions", "moves", "rows", "score"),
        *("completed", "illegal", "version", "file", "made", "undos", "restarts", "abandoned"),
        *("gross_score", "time", "moves_if_undo_costs", "score_if_undo_costs"),
    ]
    assert (found["verdict"], found["moves"], found["score"]) == ("won", 2, 598)
    assert json.loads(run("verify", long_game, "--json").stdout)["verdict"] == "unfinished"


# Entries on play.one_move_from_won(), the number of the illegal one, and the reason.
ILLEGAL = {
    "an illegal move": ("2-3x1 1-3x12", 2, "king of spades cannot go onto ace of spades"),
    "a move from an empty column": ("4-5x1", 1, "column 4 is empty"),
    "an action after the win": ("2-1x1 row", 2, "the game is already won"),
    "a row from an empty stock": ("row", 1, "the stock has no row left"),
    "more cards than there are": ("2-3x2", 1, "column 2 has 1 card"),
}


@pytest.mark.parametrize("case", ILLEGAL)
def test_verify_names_the_first_illegal_action(case, tmp_path):
    words, number, why = ILLEGAL[case]
    path = tmp_path / "bad.txt"
    path.write_text(game_text(one_move_from_won(), ()) + "\n" + words + "\n")
    result = run("verify", str(path))
    assert f"\nillegal at action {number}; before it: " in result.stdout
    line = path.read_text().count("\n")
    assert error_of(result, after_output=True).startswith(
        f"{path}, line {line}: action {number} {words.split()[-1]!r} is illegal: {why}"
    )
    found = json.loads(run("verify", str(path), "--json").stdout)
    assert found["verdict"] == "illegal"
    assert found["illegal"]["number"] == number
    assert found["illegal"]["reason"].startswith(why)


# Suggested commands


def test_a_deal_with_a_number_has_a_command_and_another_deal_has_none():
    assert deal_command(one_move_from_won()) == ""
    assert deal_command(deal_from_number("5"), "solve") == "spider-solver solve native:5"
    assert deal_command(deal_from_number("5", 2, RowRule.RELAXED)) == (
        "spider-solver show native:5 --suits 2 --rules relaxed"
    )


# Outputs that cannot be written


def test_a_closed_pipe_is_not_reported(tmp_path):
    path = tmp_path / "long.txt"  # its replay is more output than a pipe holds
    path.write_text(game_text(one_move_from_won(), [Move(1, 2, 1), Move(2, 1, 1)] * 500))
    with start("replay", str(path), "--boards") as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.readline()
        process.stdout.close()
        assert process.stderr.read() == ""
        process.wait()
    assert process.returncode == 1


@pytest.mark.parametrize("arguments", [["show", "1"], ["--help"], ["--version"]])
def test_a_full_disk_is_reported_in_one_line(arguments):
    with open("/dev/full", "wb") as full:
        result = program(*arguments, capture_output=False, stdout=full, stderr=subprocess.PIPE)
    assert result.returncode == 1
    assert result.stderr == (
        "spider-solver: error: the output cannot be written: no space left on device\n"
    )
