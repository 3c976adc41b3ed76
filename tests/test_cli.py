"""The command line: what each command prints, its exit code, and one line for each error."""

import errno
import json
import os
import pty
import resource
import signal
import subprocess
import sys
import termios
from pathlib import Path

import click
import pytest
from click.testing import CliRunner
from play import one_move_from_won, random_actions

from spider_solver import __version__, solver
from spider_solver.cli import inputs
from spider_solver.cli import main as cli_main
from spider_solver.cli.main import COMMANDS, cli
from spider_solver.cli.solve import progress_text
from spider_solver.errors import InternalError
from spider_solver.formats import read_deal, write_deal
from spider_solver.game import Action, Move, Position
from spider_solver.notation import read_game, write_game
from spider_solver.numbering import deal_from_number
from spider_solver.solver import Limits, Progress, Result, Verdict
from spider_solver.verify import verify_game

PROJECT = Path(__file__).parent.parent
WON_GAME = (Move(1, 2, 1), Move(2, 0, 1))  # on one_move_from_won


def run(*arguments: str, input: str | bytes | None = None):
    """Run the program in this process."""
    return CliRunner().invoke(cli, list(arguments), input=input)


def program(*arguments: str, environment: dict[str, str] | None = None, **options):
    """Run the program as a process of its own; bytes are decoded as UTF-8."""
    return subprocess.run(
        [sys.executable, "-m", "spider_solver", *arguments],
        env={**os.environ, "PYTHONPATH": str(PROJECT), **(environment or {})},
        **{"capture_output": True, "encoding": "utf-8", "timeout": 120, **options},
    )


def assert_one_line_error(result, code: int) -> str:
    """The line's message, after checking code, form, and that nothing else is there."""
    assert result.exit_code == code, result.output
    assert result.stdout == ""
    assert result.stderr.startswith("spider-solver: error: ")
    assert result.stderr.count("\n") == 1
    assert result.stderr.endswith("\n")
    assert "Traceback" not in result.stderr
    return result.stderr.removeprefix("spider-solver: error: ").rstrip("\n")


@pytest.fixture
def endgame(tmp_path: Path) -> str:
    """The file of a position one move from the win."""
    path = tmp_path / "end.txt"
    path.write_text(write_deal(one_move_from_won(), "text"))
    return str(path)


@pytest.fixture
def won_game(tmp_path: Path) -> str:
    """The file of a recorded game that is won with its second action."""
    path = tmp_path / "won.txt"
    path.write_text(write_game(one_move_from_won(), WON_GAME))
    return str(path)


@pytest.fixture
def long_game(tmp_path: Path) -> str:
    """The file of a legal, unfinished game of sixty actions."""
    path = tmp_path / "long.txt"
    path.write_text(write_game(*random_actions(5, 60)))
    return str(path)


class FakeSolver:
    """Stands in for ``solver.solve``: answers what a test sets, and remembers what it got."""

    def __init__(self) -> None:
        self.verdict = Verdict.WON
        self.actions: tuple[Action, ...] = WON_GAME
        self.reason = ""
        self.error: BaseException | None = None
        self.calls: list[tuple[Position, Limits]] = []

    def __call__(self, position, limits, progress=None, announce=None, prove=False) -> Result:
        self.calls.append((position, limits))
        if self.error is not None:
            raise self.error
        if progress is not None:
            progress(Progress(width=500, level=3, completed=7, states=1234, seconds=0.5))
        won = self.verdict is Verdict.WON
        return Result(
            verdict=self.verdict,
            actions=self.actions if won else (),
            moves=2 if won else 0,
            rows=0,
            score=598 if won else 0,
            states=1234,
            width=500,
            widths=(500,),
            seconds=0.5,
            reason=self.reason,
            settings={"max_width": limits.max_width},
        )


@pytest.fixture
def fake(monkeypatch: pytest.MonkeyPatch) -> FakeSolver:
    fake = FakeSolver()
    monkeypatch.setattr(solver, "solve", fake)
    return fake


# The program as a whole


@pytest.mark.parametrize("option", ["-h", "--help"])
@pytest.mark.parametrize("command", ["", *COMMANDS])
def test_help_of_program_and_commands(command, option):
    result = run(*filter(None, [command, option]))
    assert result.exit_code == 0
    assert result.stdout.startswith("Usage: spider-solver")
    assert result.stderr == ""


def test_help_lists_each_command_in_its_own_words():
    listed = run("--help").stdout
    for name, summary in COMMANDS.items():
        command = cli.get_command(click.Context(cli), name)
        assert command is not None
        assert command.name == name
        assert command.get_short_help_str(200).rstrip(".") == summary.rstrip(".")
        assert summary in listed


def test_version():
    assert run("--version").stdout == f"spider-solver {__version__}\n"


def test_without_arguments_the_help_page_on_stderr():
    result = run()
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith("Usage: spider-solver")


def test_help_is_fast():
    def processor_seconds() -> float:  # unlike the clock's, the same on a busy machine
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


def test_show_draws_the_board_of_a_number():
    result = run("show", "1")
    assert result.exit_code == 0
    assert result.stdout.startswith("native:1, 4 suits, standard rules\n\n  1    2 ")
    assert "[" not in result.stdout
    assert "\x1b" not in result.stdout


def test_show_reveal_suits_and_rules():
    result = run("show", "native:1", "--reveal", "--suits", "1", "--rules", "relaxed")
    assert result.stdout.startswith("native:1, 1 suit, relaxed rules\n")
    assert result.stdout.count("♠") == 104


@pytest.mark.parametrize("form", ["text", "json"])
@pytest.mark.parametrize("suits", ["1", "2", "4"])
def test_show_format_reads_back(form, suits):
    written = run("show", "7", "--suits", suits, "--format", form)
    deal = deal_from_number("7", int(suits))
    assert read_deal(written.stdout) == deal
    again = run("show", "-", "--format", form, input=written.stdout)
    assert again.stdout == written.stdout


def test_show_json_has_the_keys_in_order():
    keys = list(json.loads(run("show", "1", "--format", "json").stdout))
    assert keys == ["deal", "suits", "rules", "columns", "face_down", "stock", "completed"]


def test_rules_option_overrides_the_file(endgame):
    assert "standard rules" in run("show", endgame).stdout
    assert "relaxed rules" in run("show", endgame, "--rules", "relaxed").stdout


def test_a_file_named_like_a_number_is_a_file(endgame, monkeypatch):
    monkeypatch.chdir(Path(endgame).parent)
    Path(endgame).rename("12")
    assert "mid-game" in run("show", "12").stdout
    assert "native:12," in run("show", "native:12").stdout


def test_suits_that_fit_the_file_are_fine(endgame):
    assert run("show", endgame, "--suits", "1").exit_code == 0


def test_ascii_output_where_suit_signs_cannot_be_shown():
    result = program("show", "1", "--reveal", environment={"PYTHONIOENCODING": "ascii"})
    assert result.returncode == 0
    assert result.stdout.isascii()
    assert "[6D]" in result.stdout


def on_terminal(*command: str, **environment: str) -> str:
    """What ``python *command`` writes to a terminal, on stdout and stderr."""
    ours, its = pty.openpty()
    termios.tcsetwinsize(its, (24, 120))
    with subprocess.Popen(
        [sys.executable, *command],
        env={
            **{k: v for k, v in os.environ.items() if k not in ("NO_COLOR", "FORCE_COLOR")},
            "PYTHONPATH": str(PROJECT),
            "PYTHONUTF8": "1",
            "TERM": "xterm",
            **environment,
        },
        stdin=subprocess.DEVNULL,
        stdout=its,
        stderr=its,
    ):
        os.close(its)
        written = b""
        while chunk := _read(ours):
            written += chunk
    os.close(ours)
    return written.decode()


def _read(descriptor: int) -> bytes:
    try:
        return os.read(descriptor, 65536)
    except OSError:  # how a pseudo-terminal ends
        return b""


def test_colours_on_a_terminal_unless_no_color_is_set():
    assert "\x1b[31m" in on_terminal("-m", "spider_solver", "show", "1")
    assert "\x1b" not in on_terminal("-m", "spider_solver", "show", "1", NO_COLOR="1")
    assert "\x1b" not in on_terminal("-m", "spider_solver", "show", "1", TERM="dumb")
    assert "\x1b[31m" in on_terminal("-m", "spider_solver", "show", "1", NO_COLOR="")


# solve


def test_solve_prints_header_verdict_effort_and_actions(fake, endgame):
    result = run("solve", endgame)
    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout == (
        "end.txt, 1 suit, standard rules, a position in mid-game\n"
        "won: 2 moves and 0 rows, score 598, verified\n"
        "searched 1,234 states, beam width 500, in 0.50 s\n"
        "\n"
        "1. A♠ from column 2 to empty column 3\n"
        "2. A♠ from column 3 to column 1, onto 2♠\n"
        "   ══ ♠ spades completed in column 1, King to Ace ══ run 8 of 8\n"
    ).replace("end.txt", endgame)


def test_solve_boards(fake, endgame):
    result = run("solve", endgame, "--boards")
    assert result.stdout.count("Completed runs:") == 3
    assert result.stdout.endswith("Completed runs: ♠ ♠ ♠ ♠ ♠ ♠ ♠ ♠ (8 of 8)\n\n")


def test_solve_json_has_the_keys_in_order(fake, endgame):
    found = json.loads(run("solve", endgame, "--json").stdout)
    assert list(found) == [
        *("deal", "suits", "rules", "verdict", "actions", "moves", "rows", "score"),
        *("states", "width", "seconds", "settings", "version", "decided_by", "positions"),
        *("columns", "face_down", "stock", "completed"),
    ]
    assert found["verdict"] == "won"
    assert found["actions"] == ["2-3x1", "3-1x1"]
    assert found["version"] == __version__


@pytest.mark.parametrize(
    ("verdict", "code"), [(Verdict.UNWINNABLE, 3), (Verdict.UNDECIDED, 4)], ids=str
)
def test_solve_without_a_solution_says_why_and_has_a_code_of_its_own(fake, verdict, code, tmp_path):
    fake.verdict, fake.reason = verdict, "a reason"
    target = tmp_path / "game.txt"
    result = run("solve", "1", "-o", str(target))
    assert result.exit_code == code
    assert f"{verdict}: a reason\n" in result.stdout
    assert "nothing written" in result.stderr
    assert not target.exists()
    found = json.loads(run("solve", "1", "--json").stdout)
    assert (found["verdict"], found["actions"]) == (verdict, [])
    assert list(found.items())[-1] == ("reason", "a reason")


def test_solve_passes_the_limits_on(fake):
    run("solve", "3", "--max-width", "7", "--max-states", "99", "--time-limit", "1.5")
    assert fake.calls[0][1] == Limits(max_width=7, max_states=99, time_limit=1.5)
    fake.calls.clear()
    run("solve", "3", "--max-memory", "1.5G")
    assert fake.calls[0][1] == Limits(max_memory=3 * 2**29)
    run("solve", "3")
    assert fake.calls[1][1] == Limits()


def test_solve_passes_the_deal_on(fake):
    run("solve", "18446744073709551615", "--suits", "2", "--rules", "relaxed")
    deal = fake.calls[0][0].to_deal()
    assert (deal.name, deal.suits, deal.rules) == ("native:18446744073709551615", 2, "relaxed")


def test_show_pipes_into_solve(fake):
    fake.actions = ()
    written = run("show", "1", "--format", "text").stdout
    assert run("solve", "-", input=written).exit_code == 0
    assert fake.calls[0][0].to_deal() == deal_from_number("1")


@pytest.mark.parametrize("name", ["game.txt", "game.json"])
def test_solve_output_is_read_by_replay_and_verify(fake, endgame, tmp_path, name):
    target = tmp_path / name
    result = run("solve", endgame, "-o", str(target))
    assert result.exit_code == 0
    assert [path.name for path in tmp_path.iterdir() if path.name.startswith(".")] == []
    assert verify_game(read_game(target.read_text())).verdict == "won"
    assert name.endswith("json") == target.read_text().startswith("{")
    assert "won: 2 moves and 0 rows" in run("verify", str(target)).stdout
    assert "won: 2 moves and 0 rows" in run("replay", str(target)).stdout


def test_solve_output_replaces_a_file_and_keeps_its_mode_and_link(fake, endgame, tmp_path):
    target, link = tmp_path / "old.txt", tmp_path / "link.txt"
    target.write_text("old")
    target.chmod(0o640)
    link.symlink_to(target)
    assert run("solve", endgame, "-o", str(link)).exit_code == 0
    assert link.is_symlink()
    assert target.read_text().startswith("#")
    assert target.stat().st_mode & 0o777 == 0o640


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("", "is a folder"),
        ("no/such/folder.txt", "there is no folder"),
        ("x" * 300, "can't be written"),
    ],
    ids=["a folder", "missing folder", "name too long"],
)
def test_solve_refuses_an_output_before_it_searches(fake, tmp_path, name, says):
    message = assert_one_line_error(run("solve", "1", "-o", f"{tmp_path}/{name}"), 1)
    assert says in message
    assert fake.calls == []


def test_solve_refuses_a_read_only_output(fake, tmp_path, monkeypatch):
    target = tmp_path / "game.txt"
    target.write_text("old")
    monkeypatch.setattr(os, "access", lambda path, mode: mode != os.W_OK)
    assert "read-only" in assert_one_line_error(run("solve", "1", "-o", str(target)), 1)


def test_a_failing_write_leaves_the_old_file(fake, endgame, tmp_path, monkeypatch):
    target = tmp_path / "game.txt"
    target.write_text("old")

    def full(descriptor: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", full)
    result = run("solve", endgame, "-o", str(target))
    assert result.exit_code == 1
    assert "2. A♠ from column 3" in result.stdout  # the search was not for nothing
    assert result.stderr == (
        f"spider-solver: error: {str(target)!r} can't be written: no space left on device\n"
    )
    assert target.read_text() == "old"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["end.txt", "game.txt"]


def test_solve_writes_to_a_device(fake, endgame):
    assert run("solve", endgame, "-o", os.devnull).exit_code == 0
    assert not Path(os.devnull).is_file()


def test_verbose_tells_widths_and_quiet_tells_nothing(fake):
    assert "beam width 500" in run("solve", "1", "-v").stderr
    assert "beam width 500" in run("-v", "solve", "1").stderr
    fake.verdict = Verdict.UNDECIDED
    assert run("solve", "1").stderr != ""
    assert run("solve", "1", "-q").stderr == ""
    assert run("-q", "solve", "1").stderr == ""


def test_interrupt_ends_with_130(fake):
    fake.error = KeyboardInterrupt()
    assert assert_one_line_error(run("solve", "1"), 130) == "interrupted"


# The program with a search that tells its progress, takes a while and finds nothing.
SLOW_SEARCH = """
import sys, time
from spider_solver import solver
from spider_solver.cli.main import main

def solve(position, limits, progress, announce=None, prove=False):
    for level in range(int(sys.argv[1])):
        if progress is not None:
            progress(solver.Progress(width=500, level=level, completed=2, states=level, seconds=0))
        if level == 0:
            print("searching", file=sys.stderr, flush=True)
        time.sleep(0.1)
    return solver.Result(solver.Verdict.UNDECIDED, (), 0, 0, 0, 9, 500, (500,), 1.0)

solver.solve = solve
main(sys.argv[2:])
"""


def test_control_c_ends_a_running_search():
    with subprocess.Popen(
        [sys.executable, "-c", SLOW_SEARCH, "600", "solve", "1"],
        env={**os.environ, "PYTHONPATH": str(PROJECT)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
    ) as process:
        assert process.stderr is not None
        assert process.stderr.readline() == "searching\n"
        process.send_signal(signal.SIGINT)
        stdout, stderr = process.communicate(timeout=30)
    assert (process.returncode, stdout) == (130, "")
    assert stderr == "spider-solver: error: interrupted\n"


def test_progress_is_shown_on_a_terminal_only_and_unless_quiet():
    shown = on_terminal("-c", SLOW_SEARCH, "8", "solve", "1")
    assert "beam width 500, level " in shown
    assert "2 runs completed" in shown
    assert "level" not in on_terminal("-c", SLOW_SEARCH, "8", "solve", "1", "-q")
    piped = subprocess.run(
        [sys.executable, "-c", SLOW_SEARCH, "8", "solve", "1"],
        env={**os.environ, "PYTHONPATH": str(PROJECT)},
        capture_output=True,
        encoding="utf-8",
    )
    assert piped.returncode == 4
    assert "level" not in piped.stderr


def test_progress_tells_width_level_runs_and_speed():
    now = Progress(width=4096, level=57, completed=3, states=3_000_000, seconds=2.5)
    assert progress_text(now, 5) == (
        "beam width 4,096, level 57, 3 runs completed (best 5), 1,200,000 states/s"
    )
    start = Progress(width=64, level=1, completed=1, states=64, seconds=0)
    assert progress_text(start, 1) == "beam width 64, level 1, 1 run completed (best 1), 0 states/s"


@pytest.mark.parametrize(
    ("error", "says"),
    [
        (InternalError("the replay refuses action 3"), "the replay refuses action 3: this is a"),
        (ZeroDivisionError("division by zero"), "ZeroDivisionError('division by zero'): this is"),
    ],
)
def test_a_fault_of_the_program_is_called_one(fake, error, says):
    fake.error = error
    message = assert_one_line_error(run("solve", "1"), 1)
    assert says in message
    assert "please report it" in message
    assert "Traceback" in run("solve", "1", "-v").stderr


def test_memory_error_says_what_to_do(fake):
    fake.error = MemoryError()
    assert "--max-width" in assert_one_line_error(run("solve", "1"), 1)


# replay


def test_replay_lists_the_actions(won_game):
    result = run("replay", won_game)
    assert (result.exit_code, result.stderr) == (0, "")
    assert "\n1. A♠ from column 2 to empty column 3\n2. A♠ from" in result.stdout
    assert result.stdout.endswith("\nwon: 2 moves and 0 rows, 8 of 8 runs completed, score 598\n")


def test_replay_boards(won_game):
    assert run("replay", won_game, "--boards").stdout.count("Completed runs:") == 3
    assert run("replay", won_game, "--boards", "--from", "2").stdout.count("Completed runs:") == 2


def test_replay_range(long_game):
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


def test_replay_shows_what_is_legal_before_it_refuses(tmp_path):
    path = tmp_path / "bad.txt"
    path.write_text(write_game(one_move_from_won(), (*WON_GAME[:1], Move(3, 4, 1))))
    result = run("replay", str(path))
    assert result.exit_code == 1
    assert "1. A♠ from column 2 to empty column 3" in result.stdout
    assert result.stderr.count("\n") == 1
    assert "action 2 '4-5x1' is illegal: column 4 is empty" in result.stderr


def test_replay_range_outside_the_game(won_game):
    message = assert_one_line_error(run("replay", won_game, "--from", "3"), 1)
    assert message == "--from 3: the game has 2 actions"


# verify


def test_verify_says_won(won_game):
    result = run("verify", won_game)
    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout.splitlines()[1] == (
        "won: 2 moves and 0 rows, 8 of 8 runs completed, score 598"
    )


def test_verify_says_unfinished(long_game):
    result = run("verify", long_game)
    assert result.exit_code == 0
    assert "\nunfinished: " in result.stdout


def test_verify_json(won_game, long_game):
    found = json.loads(run("verify", won_game, "--json").stdout)
    assert list(found) == [
        *("deal", "suits", "rules", "verdict", "actions", "moves", "rows", "score"),
        *("completed", "illegal", "version", "file", "made", "undos", "restarts", "abandoned"),
        *("gross_score", "time"),
    ]
    assert (found["verdict"], found["moves"], found["score"]) == ("won", 2, 598)
    assert json.loads(run("verify", long_game, "--json").stdout)["verdict"] == "unfinished"


ILLEGAL = {
    "an illegal move": ("2-3x1 1-3x12", 2, "king of spades can't go on ace of spades"),
    "a move from an empty column": ("4-5x1", 1, "column 4 is empty"),
    "an action after the win": ("2-1x1 row", 2, "the game is already won"),
    "a row from an empty stock": ("row", 1, "the stock has no row left"),
    "more cards than there are": ("2-3x2", 1, "column 2 has 1 card"),
}


@pytest.mark.parametrize("case", ILLEGAL)
def test_verify_names_the_first_illegal_action(case, tmp_path):
    words, number, why = ILLEGAL[case]
    path = tmp_path / "bad.txt"
    path.write_text(write_game(one_move_from_won(), ()) + "\n" + words + "\n")
    result = run("verify", str(path))
    assert result.exit_code == 1
    assert f"illegal at action {number}; before it: " in result.stdout
    assert result.stderr.count("\n") == 1
    assert result.stderr.startswith("spider-solver: error: ")
    assert f"action {number} {words.split()[-1]!r} is illegal: " in result.stderr
    assert why in result.stderr
    found = json.loads(run("verify", str(path), "--json").stdout)
    assert found["verdict"] == "illegal"
    assert found["illegal"]["number"] == number
    assert why in found["illegal"]["reason"]


# Bad input: each is one clear line


def deal_text(**changes: str) -> str:
    """Native deal 1 as text, with some lines changed."""
    lines = write_deal(deal_from_number("1"), "text").splitlines()
    for old, new in changes.items():
        key = f"{old.removeprefix('column')}:"
        lines = [new if line.startswith(key) else line for line in lines]
    return "\n".join(line for line in lines if not line.startswith("deal:")) + "\n"


def without_last_card(text: str) -> str:
    return text.rstrip().rpartition(" ")[0] + "\n"


FRESH = deal_text()
BAD_FILES: dict[str, tuple[bytes, str]] = {
    "empty": (b"", "empty: expected a deal"),
    "blank": (b" \n\n", "empty: expected a deal"),
    "binary": (bytes(range(256)) * 4, "text"),
    "NUL": (b"deal: native:1\0", "NUL"),
    "prose": (b"Dear solver,\nplease solve this.\n", "'Dear solver,'"),
    "103 cards": (
        FRESH.replace("1: 6D", "1:").encode(),
        "6D",
    ),
    "three queens of spades": (FRESH.replace("QC", "QS", 1).encode(), "QS (queen of spades)"),
    "unreadable card": (FRESH.replace("QC", "1X", 1).encode(), "'1X'"),
    "eleven columns": (FRESH.replace("row:", "11: 3S\nrow:", 1).encode(), "11"),
    "broken JSON": (b'{"deal": "native:1", ', "JSON"),
    "JSON of something else": (b'{"cards": []}', "columns"),
    "number out of range": (b"deal: native:18446744073709551616\n", "18446744073709551616"),
    "three suits": (b"deal: native:1\nsuits: 3\n", "3 suits"),
}


@pytest.mark.parametrize("case", BAD_FILES)
@pytest.mark.parametrize("command", ["solve", "show", "replay", "verify"])
def test_bad_file(case, command, tmp_path, fake):
    content, says = BAD_FILES[case]
    path = tmp_path / "bad.txt"
    path.write_bytes(content)
    message = assert_one_line_error(run(command, str(path)), 1)
    assert says in message
    assert len(message) < 600
    from_stdin = assert_one_line_error(run(command, "-", input=content), 1)
    assert says in from_stdin
    assert fake.calls == []


BAD_ARGUMENTS: dict[str, tuple[list[str], int, str]] = {
    "negative number": (["solve", "-1"], 1, "'-1' is no native deal number: expected 0 to"),
    "negative number, options": (["show", "--suits", "2", "-12"], 1, "'-12' is no native"),
    "2^64": (["solve", "18446744073709551616"], 1, "18446744073709551616 is out of range"),
    "word": (["solve", "abc"], 1, "'abc' is no file and no deal number: expected"),
    "nothing": (["solve", ""], 1, "'' is no file and no deal number: expected"),
    "line ends": (["solve", "a\nb\x1b[31m"], 1, r"'a\nb\x1b[31m' is no file"),
    "missing file": (["solve", "no/such.txt"], 1, "'no/such.txt' is no file"),
    "very long name": (["solve", "x" * 5000], 1, "is no file"),
    "folder": (["solve", "tests"], 1, "'tests' is a folder"),
    "missing game": (["verify", "no/such.txt"], 1, "'no/such.txt' is no file"),
    "folder as a game": (["replay", "tests"], 1, "'tests' is a folder"),
    "unknown scheme": (["show", "foo:1"], 1, "unknown scheme 'foo'"),
    "suits 3": (["solve", "1", "--suits", "3"], 1, "native has no deals with 3 suits"),
    "suits 5": (["solve", "1", "--suits", "5"], 2, "--suits: '5': expected"),
    "width 0": (["solve", "1", "--max-width", "0"], 2, "--max-width: '0': expected a whole"),
    "huge width": (["solve", "1", "--max-width", "9" * 20], 2, "at most 2147483647"),
    "no number": (["solve", "1", "--max-states", "many"], 2, "--max-states: 'many': expected"),
    "no time": (["solve", "1", "--time-limit", "nan"], 2, "--time-limit: 'nan': expected"),
    "negative time": (["solve", "1", "--time-limit", "-1"], 2, "--time-limit: '-1': expected"),
    "no memory": (["solve", "1", "--max-memory", "0G"], 2, "--max-memory: '0G': expected an"),
    "odd memory": (["solve", "1", "--max-memory", "2 hours"], 2, "such as 500M or 2G"),
    "unknown rules": (["solve", "1", "--rules", "odd"], 2, "'odd' is not one of 'standard'"),
    "unknown format": (["show", "1", "--format", "pdf"], 2, "'pdf' is not one of"),
    "unknown option": (["solve", "1", "--sutis", "2"], 2, "did you mean '--suits'"),
    "unknown command": (["slove", "1"], 2, "no such command 'slove'"),
    "no deal": (["solve"], 2, "missing DEAL; see spider-solver solve --help"),
    "two deals": (["solve", "1", "2"], 2, "unexpected extra argument (2)"),
    "option without value": (["solve", "1", "--suits"], 2, "'--suits' requires an argument"),
    "boards in JSON": (["solve", "1", "--boards", "--json"], 2, "--boards goes with text"),
    "reveal in a format": (["show", "1", "--reveal", "--format", "text"], 2, "--reveal goes"),
    "empty range": (["replay", "x", "--from", "3", "--to", "2"], 2, "nothing lies between"),
}


@pytest.mark.parametrize("case", BAD_ARGUMENTS)
def test_bad_arguments(case, fake, monkeypatch):
    monkeypatch.chdir(PROJECT)
    arguments, code, says = BAD_ARGUMENTS[case]
    message = assert_one_line_error(run(*arguments), code)
    assert says in message
    assert fake.calls == []


def test_other_suits_than_the_file_has(endgame):
    message = assert_one_line_error(run("show", endgame, "--suits", "2"), 1)
    assert message == f"--suits 2: the deal in {endgame!r} has 1"


def test_unreadable_file(endgame, monkeypatch):
    def refuse(stream, name):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))

    monkeypatch.setattr(inputs, "read_stream", refuse)
    message = assert_one_line_error(run("show", endgame), 1)
    assert message == f"{endgame!r} can't be read: permission denied"


BAD_RECORDS = {
    "no action": ("4/7", "'4/7' is no action"),
    "no such column": ("11-2x1", "no column 11"),
    "a deal only": (None, "without actions"),
}


@pytest.mark.parametrize("case", BAD_RECORDS)
@pytest.mark.parametrize("command", ["replay", "verify"])
def test_bad_record(case, command, tmp_path):
    words, says = BAD_RECORDS[case]
    text = write_deal(one_move_from_won(), "text")
    path = tmp_path / "bad.txt"
    path.write_text(text if words is None else f"{text}actions:\n{words}\n")
    assert says in assert_one_line_error(run(command, str(path)), 1)


# Outputs that fail


def test_a_closed_pipe_is_quiet(tmp_path):
    path = tmp_path / "to-and-fro.txt"  # more output than a pipe holds
    path.write_text(write_game(one_move_from_won(), [Move(1, 2, 1), Move(2, 1, 1)] * 500))
    with subprocess.Popen(
        [sys.executable, "-m", "spider_solver", "replay", str(path), "--boards"],
        env={**os.environ, "PYTHONPATH": str(PROJECT)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.readline()
        process.stdout.close()
        assert process.stderr.read() == b""
        process.wait()
    assert process.returncode == 1


@pytest.mark.parametrize("arguments", [["show", "1"], ["--help"], ["--version"]])
def test_a_full_disk_is_one_line(arguments):
    with open("/dev/full", "wb") as full:
        result = program(*arguments, capture_output=False, stdout=full, stderr=subprocess.PIPE)
    assert result.returncode == 1
    assert result.stderr == (
        "spider-solver: error: the output can't be written: no space left on device\n"
    )
