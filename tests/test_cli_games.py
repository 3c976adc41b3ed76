"""verify and replay on recorded games with undos, restarts, times; many files; HTML; terminals."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from commandline import pressing, run
from play import game_text, one_move_from_won

from spider_solver import solver
from spider_solver.formats import read_game, write_deal
from spider_solver.game import Move
from spider_solver.render import html
from spider_solver.result import Result, Verdict

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


def test_verify_says_which_action_is_illegal_why_and_what_the_board_was():
    result = run("verify", "illegal.txt")
    assert result.exit_code == 1
    assert result.stderr == (
        "spider-solver: error: illegal.txt, line 16: action 3 'undo' is illegal: nothing to undo:"
        " no action was made before it, or none is left\n"
    )
    assert "illegal at action 3; before it: 0 moves" in result.stdout
    assert result.stdout.endswith("Completed runs: ♠ ♠ ♠ ♠ ♠ ♠ ♠ (7 of 8)\n")
    illegal = json.loads(run("verify", "--json", "illegal.txt").stdout)["illegal"]
    assert (illegal["number"], illegal["action"], illegal["line"]) == (3, "undo", 16)
    assert illegal["position"]["columns"][1] == ["AS"]


def test_verify_many_files():
    result = run("verify", *GAMES)
    assert result.exit_code == 1
    assert result.stdout.endswith("\n\n4 games: 1 won, 1 unfinished, 1 illegal, 1 unreadable\n")
    assert "won.txt: won.txt, 1 suit" in result.stdout
    errors = result.stderr.splitlines()
    assert [error.split(": ")[2].partition(",")[0] for error in errors] == [
        "illegal.txt",
        "no-game.txt",
    ]
    assert run("verify", "won.txt", "unfinished.txt").exit_code == 0


def test_verify_many_files_as_json_lines():
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


def test_verify_won_demands_a_win():
    assert run("verify", "--won", "won.txt").exit_code == 0
    result = run("verify", "--won", "won.txt", "unfinished.txt")
    assert result.exit_code == 1
    assert result.stderr == (
        "spider-solver: error: unfinished.txt: unfinished, but --won requires a win\n"
    )


def test_verify_needs_a_file():
    result = run("verify")
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith("spider-solver: error: missing FILES")


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (b"\xff\xfe\x00", "not UTF-16 text"),
        (ENDGAME.encode() + b"actions: 2-1x1\0", "a NUL character"),
        (b"deal: native:1\nactions: " + b"x" * 10_000_000, "is not an action"),
    ],
    ids=["half a character", "NUL", "a word of 10 MB"],
)
def test_what_can_t_be_read_is_one_line(data, says):
    Path("bad.txt").write_bytes(data)
    result = run("verify", "bad.txt")
    assert (result.exit_code, result.stdout) == (1, "")
    assert says in result.stderr
    assert result.stderr.count("\n") == 1
    assert len(result.stderr) < 400


# replay


def test_replay_shows_undo_restart_times_and_comments():
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


def test_replay_boards_mark_what_was_moved():
    boards = run("replay", "unfinished.txt", "--boards").stdout.split("1. A♠ from")
    assert ">" not in boards[0]
    assert ">A♠" in boards[1]


@pytest.mark.parametrize("option", [["--step"], ["--play", "0.1"]])
def test_stepping_over_a_pipe_is_the_list(option):
    assert run("replay", "won.txt", *option).stdout == run("replay", "won.txt").stdout


def step(*options: str, keys: bytes, until: bytes = b"quit") -> tuple[str, int]:
    """What replaying in a terminal shows, and the exit code; "quit" ends its first screen."""
    return pressing(keys, "-m", "spider_solver", "replay", "won.txt", *options, until=until)


def test_stepping_on_a_terminal():
    shown, code = step("--step", "--from", "5", keys=b"\x1b[Cq")
    assert code == 0
    assert "action 4 of 5" in shown
    assert "\x1b[?1049h" in shown  # a screen of its own, which is left again
    assert "\x1b[?1049l" in shown


def test_playing_on_a_terminal_goes_on_by_itself():
    # Of the counts only the digits that change are written, but the ending as a whole.
    shown, code = step("--play", "0.01", keys=b"q", until=b"abandoned")
    assert code == 0
    assert "action 0 of 5" in shown


# HTML


def test_replay_html_writes_the_page():
    result = run("replay", "won.txt", "--html", "page.html")
    assert (result.exit_code, result.stdout) == (0, "")
    assert result.stderr == "'page.html': open it in a browser\n"
    assert Path("page.html").read_text(encoding="utf-8") == html.page(
        read_game(GAMES["won.txt"], "won.txt")
    )
    assert run("replay", "-q", "won.txt", "--html", "page.html").stderr == ""


def test_replay_html_of_an_illegal_game_goes_as_far_as_it_can():
    result = run("replay", "illegal.txt", "--html", "page.html")
    assert result.exit_code == 1
    assert "action 3 'undo' is illegal" in result.stderr
    assert "Action 3, undo, is illegal: nothing to undo" in Path("page.html").read_text()


@pytest.mark.parametrize("extra", [["--boards"], ["--step"], ["--play", "1"], ["--from", "2"]])
def test_replay_html_stands_alone(extra):
    result = run("replay", "won.txt", "--html", "page.html", *extra)
    assert result.exit_code == 2
    assert "--html writes the whole game" in result.stderr
    assert not Path("page.html").exists()


def test_solve_html(monkeypatch):
    moves = (Move(1, 2, 1), Move(2, 0, 1))
    won = Result(Verdict.WON, moves, 2, 0, 598, 9, 500, (500,), 1.0)
    monkeypatch.setattr(solver, "solve", lambda *_: won)
    Path("end.txt").write_text(ENDGAME)
    assert run("solve", "end.txt", "--html", "page.html", "-o", "game.txt").exit_code == 0
    assert "8 of 8" not in Path("game.txt").read_text()
    page = Path("page.html").read_text()
    assert "2 moves, 0 rows, score 598" in page
    assert 'data-number="2"' in page
    Path("link").symlink_to("x")
    for other in ("x", "./x", "link"):
        same = run("solve", "end.txt", "--html", "x", "-o", other)
        assert (same.exit_code, same.stdout) == (2, "")
    undecided = Result(Verdict.UNDECIDED, (), 0, 0, 0, 9, 500, (500,), 1.0)
    monkeypatch.setattr(solver, "solve", lambda *_: undecided)
    assert "nothing written to 'new.html'" in run("solve", "1", "--html", "new.html").stderr


def test_a_written_game_is_verified_from_standard_input():
    text = game_text(one_move_from_won(), [Move(1, 0, 1)])
    assert "won: 1 move" in run("verify", "-", input=text.encode("utf-16")).stdout
    assert run("verify", SAMPLE, "--won").exit_code == 0
