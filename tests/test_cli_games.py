"""verify and replay: undos, restarts, times; several files; HTML pages; full-screen terminals."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from commandline import error_of, pressing, run
from play import game_text, one_move_from_won

from spider_solver.formats import read_game, write_deal
from spider_solver.game import Move
from spider_solver.render import html
from spider_solver.render.board import board
from spider_solver.result import Verdict

PROJECT = Path(__file__).parent.parent
SAMPLE = str(PROJECT / "deals" / "won_two_suit.txt")
ENDGAME = write_deal(one_move_from_won(), "text")
GAMES = {
    "won.txt": f"{ENDGAME}actions: 2-3x1@2 undo@3.5 restart 2-3x1 3-1x1@90 # at last\n",
    "unfinished.txt": f"{ENDGAME}actions: 2-3x1\n",
    "illegal.txt": f"{ENDGAME}actions: 2-3x1\n undo undo\n",
    "no-game.txt": ENDGAME,
}


@pytest.fixture(autouse=True)
def games(tmp_path, monkeypatch) -> None:
    """The games as files in the current folder."""
    monkeypatch.chdir(tmp_path)
    for name, text in GAMES.items():
        Path(name).write_text(text)


# verify


def test_verify_counts_undos_and_restarts():
    result = run("verify", "won.txt")
    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout.splitlines()[1:] == [
        "won: 2 moves and 0 rows, 8 of 8 runs completed, score 598",
        "1 undo, 1 restart (1 attempt abandoned), 3 actions made in all,"
        " score 598 if undo gave no points back",
    ]
    found = json.loads(run("verify", "--json", "won.txt").stdout)
    assert (found["actions"], found["made"], found["moves"]) == (5, 3, 2)
    assert (found["undos"], found["restarts"], found["abandoned"]) == (1, 1, 1)
    assert (found["time"], found["file"]) == (90, "won.txt")


def test_verify_reports_the_illegal_action_the_reason_and_the_board_before_it():
    result = run("verify", "illegal.txt")
    assert error_of(result, after_output=True) == (
        "illegal.txt, line 16: action 3 'undo' is illegal: nothing to undo: no action was made"
        " before it, or none is left"
    )
    assert "illegal at action 3; before it: 0 moves" in result.stdout
    assert result.stdout.endswith(f"\n{board(one_move_from_won())}\n")
    illegal = json.loads(run("verify", "--json", "illegal.txt").stdout)["illegal"]
    assert (illegal["number"], illegal["action"], illegal["line"]) == (3, "undo", 16)
    assert illegal["position"]["columns"][1] == ["AS"]


def test_verify_of_several_files():
    result = run("verify", *GAMES)
    assert result.exit_code == 1
    assert result.stdout.endswith("\n\n4 files: 1 won, 1 unfinished, 1 illegal, 1 unreadable\n")
    assert "won.txt: won.txt, 1 suit" in result.stdout
    errors = result.stderr.splitlines()
    assert [error.split(": ")[2].partition(",")[0] for error in errors] == [
        "illegal.txt",
        "no-game.txt",
    ]
    legal = run("verify", "won.txt", "unfinished.txt")
    assert (legal.exit_code, legal.stderr) == (0, "")


def test_verify_of_several_files_prints_json_lines():
    result = run("verify", "--json", *GAMES)
    found = [json.loads(line) for line in result.stdout.splitlines()]
    assert [(item["file"], item["verdict"]) for item in found] == [
        ("won.txt", "won"),
        ("unfinished.txt", "unfinished"),
        ("illegal.txt", "illegal"),
        ("no-game.txt", "unreadable"),
    ]
    assert "without actions" in found[3]["error"]
    assert result.exit_code == 1


def test_verify_with_won_requires_a_win():
    assert run("verify", "--won", "won.txt").exit_code == 0
    result = run("verify", "--won", "won.txt", "unfinished.txt")
    message = error_of(result, after_output=True)
    assert message == "unfinished.txt: unfinished, but --won requires a win"


@pytest.mark.parametrize(
    ("data", "part"),
    [
        (b"\xff\xfe\x00", "not UTF-16 text"),
        (ENDGAME.encode() + b"actions: 2-1x1\0", "a NUL character"),
        (b"deal: native:1\nactions: " + b"x" * 10_000_000, "is not an action"),
    ],
    ids=["half a character", "NUL", "a word of 10 MB"],
)
def test_an_unreadable_file_is_reported_in_one_short_line(data, part):
    Path("bad.txt").write_bytes(data)
    message = error_of(run("verify", "bad.txt"))
    assert part in message
    assert len(message) < 400


# replay


def test_replay_shows_undo_and_restart_with_times_and_comments():
    lines = run("replay", "won.txt").stdout.splitlines()
    assert lines[2:9] == [
        "1. A♠ from column 2 to empty column 3  at 0:02",
        "2. undo: takes back action 1  at 0:03",
        "3. ══ restart: the same deal again ══ attempt 2",
        "4. A♠ from column 2 to empty column 3",
        "5. A♠ from column 3 to column 1, onto 2♠  at 1:30",
        "   ══ ♠ spades completed in column 1, King to Ace ══ run 8 of 8",
        "   # at last",
    ]


def test_boards_of_replay_highlight_the_moved_cards():
    before, after = run("replay", "unfinished.txt", "--boards").stdout.split("1. A♠ from")
    assert ">" not in before
    assert after.count(">") == after.count(">A♠") == 1


@pytest.mark.parametrize("option", [["--step"], ["--play", "0.1"]])
def test_stepping_without_a_terminal_prints_the_list(option):
    assert run("replay", "won.txt", *option).stdout == run("replay", "won.txt").stdout


def step(*options: str, keys: bytes, until: bytes = b"quit") -> tuple[str, int]:
    """The output of replay on a terminal, and its exit code.

    keys: are pressed when ``until`` is shown. The word "quit" is at the end of the first screen.
    """
    return pressing(keys, "-m", "spider_solver", "replay", "won.txt", *options, until=until)


def test_stepping_on_a_terminal():
    shown, code = step("--step", "--from", "5", keys=b"\x1b[Cq")
    assert code == 0
    assert "action 4 of 5" in shown
    assert "\x1b[?1049h" in shown  # switches to the full screen
    assert "\x1b[?1049l" in shown  # and back


def test_playing_on_a_terminal_needs_no_keys():
    # The terminal gets only the digits of the counts that change, but the whole last line.
    shown, code = step("--play", "0.01", keys=b"q", until=b"abandoned")
    assert code == 0
    assert "action 0 of 5" in shown


# HTML


def test_replay_writes_an_html_page():
    result = run("replay", "won.txt", "--html", "page.html")
    assert (result.exit_code, result.stdout) == (0, "")
    assert result.stderr == "'page.html': open it in a browser\n"
    assert Path("page.html").read_text(encoding="utf-8") == html.page(
        read_game(GAMES["won.txt"], "won.txt")
    )
    assert run("replay", "-q", "won.txt", "--html", "page.html").stderr == ""


def test_the_html_page_of_an_illegal_game_ends_before_the_illegal_action():
    result = run("replay", "illegal.txt", "--html", "page.html")
    assert result.stderr.splitlines()[0] == "'page.html': open it in a browser"
    assert "illegal.txt, line 16: action 3 'undo' is illegal" in result.stderr.splitlines()[1]
    assert (result.exit_code, result.stdout) == (1, "")
    assert "Action 3, undo, is illegal: nothing to undo" in Path("page.html").read_text()


@pytest.mark.parametrize("extra", [["--boards"], ["--step"], ["--play", "1"], ["--from", "2"]])
def test_replay_with_html_takes_no_other_option(extra):
    result = run("replay", "won.txt", "--html", "page.html", *extra)
    assert "--html writes the whole game" in error_of(result, 2)
    assert not Path("page.html").exists()


def test_solve_writes_an_html_page(fake):
    Path("end.txt").write_text(ENDGAME)
    assert run("solve", "end.txt", "--html", "page.html", "-o", "game.txt").exit_code == 0
    assert "8 of 8" not in Path("game.txt").read_text()
    page = Path("page.html").read_text()
    assert "2 moves, 0 rows, score 598" in page
    assert 'data-number="2"' in page


def test_solve_refuses_two_outputs_to_one_file(fake):
    Path("end.txt").write_text(ENDGAME)
    Path("link").symlink_to("x")
    for other in ("x", "./x", "link"):
        message = error_of(run("solve", "end.txt", "--html", "x", "-o", other), 2)
        assert message.startswith(f"-o {other!r} and --html 'x' are one file: give two names")
    assert fake.calls == []


def test_solve_without_a_solution_writes_no_html_page(fake):
    fake.verdict = Verdict.UNDECIDED
    assert "nothing written to 'new.html'" in run("solve", "1", "--html", "new.html").stderr
    assert not Path("new.html").exists()


def test_verify_reads_a_game_from_standard_input():
    text = game_text(one_move_from_won(), [Move(1, 0, 1)])
    result = run("verify", "-", input=text.encode("utf-16"))
    assert (result.exit_code, result.stderr) == (0, "")
    assert "\nwon: 1 move and 0 rows" in result.stdout


def test_the_sample_game_is_won():
    result = run("verify", SAMPLE, "--won")
    assert (result.exit_code, result.stderr) == (0, "")
    assert "\nwon: 137 moves and 5 rows" in result.stdout
