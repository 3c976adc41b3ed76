"""The command line: what is read if no DEAL or FILE is named, and positions as people have them.

The files in ``data/inputs`` are made up. They have the forms in which other programs and people
write positions.
"""

from __future__ import annotations

import json
import os
import pty
from pathlib import Path

import pytest
from commandline import error_of, program, run
from play import game_text

from spider_solver.formats import write_deal
from spider_solver.numbering import deal_from_number

INPUTS = Path(__file__).parent / "data" / "inputs"
DEAL = deal_from_number("native:1", 2)
DEAL_TEXT = write_deal(DEAL, "text")
GAME_TEXT = game_text(DEAL, ())

DEAL_COMMANDS = [["show"], ["show", "--reveal"], ["convert", "--to", "board"]]
FILE_COMMANDS = [["verify"], ["verify", "--json"], ["replay"]]


@pytest.mark.parametrize("command", [*DEAL_COMMANDS, *FILE_COMMANDS], ids=" ".join)
def test_without_a_deal_or_file_a_pipe_is_read(command: list[str]) -> None:
    text = GAME_TEXT if command in FILE_COMMANDS else DEAL_TEXT
    piped = run(*command, input=text)
    named = run(*command, "-", input=text)
    assert piped.exit_code == 0, piped.output
    assert (piped.stdout, piped.stderr) == (named.stdout, named.stderr)


def test_solve_and_prove_read_a_pipe_without_a_deal(fake) -> None:
    run("solve", input=DEAL_TEXT)
    assert [deal for deal, _ in fake.calls] == [DEAL]
    # The deal is read; the certificate is refused for its folder.
    assert "no folder" in error_of(run("prove", "-o", "missing/proof.json", input=DEAL_TEXT))


def test_a_named_deal_is_read_and_not_the_pipe() -> None:
    assert run("show", "native:2", input=DEAL_TEXT).stdout.startswith("native:2, 4 suits")


def test_an_output_must_not_be_the_file_that_standard_input_is(tmp_path: Path) -> None:
    file = tmp_path / "deal.txt"
    file.write_text(DEAL_TEXT)
    with file.open() as stream:
        found = program("convert", "--to", "text", "-o", str(file), stdin=stream)
    assert "is a file that is read: give another name" in found.stderr
    assert file.read_text() == DEAL_TEXT


@pytest.mark.parametrize(
    ("command", "missing"),
    [
        ("solve", "DEAL"),
        ("show", "DEAL"),
        ("prove", "DEAL"),
        ("verify", "FILE"),
        ("replay", "FILE"),
    ],
)
def test_on_a_terminal_a_missing_deal_or_file_is_wrong_usage(command: str, missing: str) -> None:
    our_end, its_end = pty.openpty()
    try:
        found = program(command, stdin=its_end)
    finally:
        os.close(its_end)
        os.close(our_end)
    assert found.returncode == 2
    assert found.stdout == ""
    assert found.stderr == (
        f"spider-solver: error: missing {missing}; see spider-solver {command} --help\n"
    )


def test_with_standard_input_closed_a_missing_deal_is_wrong_usage() -> None:
    found = program("show", preexec_fn=lambda: os.close(0))
    assert found.returncode == 2
    assert found.stderr == "spider-solver: error: missing DEAL; see spider-solver show --help\n"


# Positions as people have them.


def test_a_completed_run_that_the_player_left_under_a_card_is_explained() -> None:
    message = error_of(run("solve", str(INPUTS / "04_covered_run_manual_removal.txt")))
    assert message.partition(": ")[2] == (
        "column 1 has a completed run of S, King to Ace, under other cards: by this program's rules"
        " a completed run leaves at once, so this position cannot arise (other games let the player"
        " choose when it leaves): take the run off and list it as completed"
    )


def test_the_reference_deal_of_xpat2_is_the_deal_of_its_number() -> None:
    shown = run("show", str(INPUTS / "xpat2_1.txt"), "--reveal").stdout
    assert shown.partition("\n")[0] == "xpat2 1, 4 suits, standard rules"
    assert shown.partition("\n")[2] == run("show", "xpat2:1", "--reveal").stdout.partition("\n")[2]


def test_the_counts_of_programs_in_which_an_undo_is_a_move() -> None:
    file = str(INPUTS / "08_undo_score.txt")
    assert run("verify", file, "--undo-costs").stdout.splitlines()[1:] == [
        "unfinished: 1 move and 0 rows, 0 of 8 runs completed, score 499",
        "2 undos, 3 actions made in all, score 497 if undo gave no points back",
        "if an undo is a move that costs a point: 5 moves and rows, score 495",
    ]
    found = json.loads(run("verify", file, "--json").stdout)
    assert (found["score"], found["gross_score"], found["score_if_undo_costs"]) == (499, 497, 495)
    assert (found["moves"], found["made"], found["moves_if_undo_costs"]) == (1, 3, 5)
