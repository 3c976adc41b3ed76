"""Foreign texts in messages and outputs: one line, no control characters, a limited length."""

from __future__ import annotations

import ast
import json
import re
import subprocess
from pathlib import Path

import pytest
from commandline import PROJECT, error_of, run
from hypothesis import given
from hypothesis import strategies as st
from play import game_text, one_move_from_won
from results import record

from spider_solver.cli import winrate as winrate_command
from spider_solver.cli.errors import one_line
from spider_solver.cli.hints import command_line
from spider_solver.cli.output import Messages
from spider_solver.formats import read_deal, write_deal
from spider_solver.recorded_games import recorded_game
from spider_solver.render.html import page
from spider_solver.render.text import title
from spider_solver.words import FILE_LENGTH, QUOTED_LENGTH, quote, quote_file, visible, visible_file

DATA = PROJECT / "tests" / "data"
EVIL = "\x1b]0;pwned\x07\x1b[31m\u202e"  # sets a terminal's title and colour, reverses text
ESCAPED = r"\x1b]0;pwned\x07\x1b[31m\u202e"


def is_harmless(text: str) -> bool:
    """Return whether each line of a text is printable."""
    return all(line.isprintable() for line in text.split("\n"))


# The functions


@pytest.mark.parametrize(
    ("text", "quoted"),
    [
        ("", "''"),
        ("a b", "'a b'"),
        ("it's", '"it\'s"'),
        ("a\\b", r"'a\\b'"),
        ("♠", "'♠'"),
        ("a\nb\x1b\x85\udc80", r"'a\nb\x1b\x85\udc80'"),
        (EVIL, f"'{ESCAPED}'"),
        ("x" * 60, f"'{'x' * 60}'"),
        ("s" + "x" * 900_000 + "e", f"'s{'x' * 39}[...]{'x' * 14}e'"),
    ],
)
def test_quotations(text, quoted):
    assert quote(text) == quoted


@given(st.text(st.characters(categories=["C", "L", "Z", "P"])) | st.text("'\\\x1b"))
def test_a_foreign_text_is_one_printable_line_of_limited_length(text):
    for shown in (visible(text), quote(text)[1:-1].replace("\\\\", "\\").replace("\\'", "'")):
        assert shown.isprintable()
        assert len(shown) <= QUOTED_LENGTH
    for shown in (visible_file(text * 30), quote_file(text * 30)):
        assert shown.isprintable()
    assert len(visible_file(text * 30)) <= FILE_LENGTH
    if len(text.encode("unicode_escape")) <= QUOTED_LENGTH:
        assert ast.literal_eval(quote(text)) == text
    if text.isprintable():
        assert visible(text, None) == text


def test_an_escape_is_not_cut_in_two():
    assert visible("\x1b" * 100) == r"\x1b" * 10 + "[...]" + r"\x1b" * 3


def test_a_file_name_is_shown_as_a_whole():
    name = "folder/" * 30
    assert quote_file(name) == repr(name)
    assert len(quote_file("x" * 5000)) == FILE_LENGTH + 2


def test_an_error_line_is_short_and_keeps_its_end():
    line = one_line(f"a {'long ' * 1_000_000} line;\nsee --help")
    assert len(line) == 1000
    assert line.startswith("a long ")
    assert line.endswith(" line; see --help")


def test_only_numbers_are_put_into_messages_without_quote_or_visible():
    """``{x!r}`` in an f-string does not shorten a text. ``kernels`` names only its cache so."""
    found = set()
    package = PROJECT / "spider_solver"
    for path in set(package.rglob("*.py")) - set(package.glob("kernels/**/*.py")):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.FormattedValue) and node.conversion == ord("r"):
                found.add((path.stem, ast.unparse(node.value)))
    assert found == {("deal", "one_card"), ("deal", "suit"), ("result", "limit")}


# Files' names and contents


def test_the_settings_in_a_results_file_cannot_control_the_terminal(tmp_path):
    lines = (DATA / "summary_escape_in_key.jsonl").read_bytes()
    path = tmp_path / "results.jsonl"
    path.write_bytes(lines)
    result = run("summary", str(path))
    assert (result.exit_code, result.stderr) == (0, "")
    assert is_harmless(result.stdout)
    assert r"results of several settings: \x1b]0;pwned\x07\x1b[31m evil\nline2 (1); other (1)" in (
        result.stdout
    )
    message = error_of(run("winrate", "1", "-o", str(path)))
    assert r"has results of other settings, '\x1b]0;pwned\x07\x1b[31m evil\nline2'; " in message


def test_long_and_many_settings_are_cut(tmp_path):
    path = tmp_path / "results.jsonl"
    path.write_bytes(b"".join(record(n, key=f"{n}" + "x" * 10_000).to_line() for n in range(30)))
    last = run("summary", str(path)).stdout.splitlines()[-1]
    assert last.startswith("results of several settings: 0xxx")
    assert last.endswith("x (1); 10 more")
    assert len(last) < 5000
    assert len(error_of(run("winrate", "1", "-o", str(path)))) < 900


@pytest.fixture
def evil_file(tmp_path, monkeypatch) -> str:
    """A recorded game in a file whose name has control characters."""
    monkeypatch.chdir(tmp_path)
    Path(EVIL).write_text(game_text(one_move_from_won(), []))
    return EVIL


@pytest.mark.parametrize(
    "arguments",
    [
        ["verify", EVIL, EVIL],
        ["verify", "--won", EVIL],
        ["verify", EVIL, f"no{EVIL}"],
        ["verify", "--results", EVIL],
        ["summary", EVIL],
        ["replay", EVIL],
        ["replay", EVIL, "--html", f"{EVIL}.html"],
        ["replay", f"no{EVIL}"],
        ["show", EVIL, "--suits", "3"],
        ["show", EVIL],
        ["solve", EVIL, "-o", f"{EVIL}.txt"],
        ["solve", f"{EVIL}:1"],
        ["solve", "1", f"--{EVIL}"],
        ["solve", "1", "--max-width", EVIL],
        ["solve", "1", "--html", EVIL],
        ["convert", EVIL, "--to", EVIL],
        ["convert", "1", "--to", "text", "-o", f"{EVIL}/x"],
        ["winrate", "1", "-o", EVIL],
        ["winrate", "1", "--plot", EVIL],
        ["winrate", "1", "--scheduler", EVIL],
        ["prove", "--check", EVIL],
        [EVIL],
    ],
    ids=lambda arguments: " ".join(arguments).replace(EVIL, "NAME"),
)
def test_the_name_of_a_file_cannot_control_the_terminal(arguments, evil_file, fake):
    result = run(*arguments)
    assert is_harmless(result.stdout)
    assert is_harmless(result.stderr)
    assert "]0;pwned" in result.output


def test_the_results_that_verify_counts_are_named_harmlessly(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path(EVIL).write_bytes(record(1).to_line())
    result = run("verify", "--results", EVIL)
    assert result.stdout.startswith(f"{ESCAPED}: 1 result, 1 won: ")
    assert result.stderr.startswith(f"spider-solver: error: '{ESCAPED}' has no solutions")


def test_labels_and_comments_are_shown_harmlessly():
    deal = one_move_from_won()
    game = recorded_game(deal, [], EVIL, [EVIL])
    assert is_harmless(title(read_deal(write_deal(deal, "text"), EVIL)))
    assert EVIL not in page(game)
    entries = game_text(deal, []) + f"2-3x1 # {EVIL}\n"
    assert is_harmless(run("replay", "-", input=entries).stdout)


def test_messages_are_harmless(capsys):
    Messages(verbose=True).detail(f"one {EVIL}\ntwo")
    assert capsys.readouterr().err == f"one {ESCAPED}\ntwo\n"


def test_a_suggested_command_has_the_name_in_a_form_that_bash_reads(tmp_path, monkeypatch):
    words = ["a b", "it's", EVIL, "q'\\\n\x85\udcff$x", ""]
    line = command_line(["printf", r"%s\0", *words])
    assert is_harmless(line)
    printed = subprocess.run(["bash", "-c", line], capture_output=True, check=True).stdout
    assert printed.decode(errors="surrogateescape").split("\0")[:-1] == words
    monkeypatch.chdir(tmp_path)

    def fail(*_: object):
        raise KeyboardInterrupt

    monkeypatch.setattr(winrate_command, "solve_on_processes", fail)
    result = run("winrate", "1", "-o", EVIL)
    assert result.exit_code == 130
    assert result.stderr.splitlines()[:2] == [
        f"0 results in '{ESCAPED}'; continue with:",
        f"spider-solver winrate 1 -o {command_line([EVIL])}",
    ]


@pytest.mark.parametrize(
    "key", ["verdict", "rules", "deal", "suits", "schema", "seconds", "solution", "moves", "key"]
)
@pytest.mark.parametrize("command", ["summary", "verify --results"])
def test_a_long_value_in_a_results_file_gives_a_short_error(key, command, tmp_path):
    long = "x" * 900_000 if key not in ("key", "solution") else ["x" * 900_000]
    path = tmp_path / "results.jsonl"
    path.write_text(json.dumps({**json.loads(record(1).to_line()), key: long}) + "\n")
    message = error_of(run(*command.split(), str(path)))
    assert len(message.replace(str(path), "")) < 250
    assert re.search(r"x\[\.\.\.\]x+\"?\]?'", message)
