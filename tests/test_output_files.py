"""The files that commands write: never an input, another output, or a file of another kind."""

from __future__ import annotations

import ast
import os
import subprocess
import threading
from pathlib import Path

import click
import pytest
from commandline import PROJECT, error_of, program, run
from play import game_text, one_move_from_won
from results import record

from spider_solver import solver
from spider_solver.cli import file_kinds
from spider_solver.cli.errors import OutputError
from spider_solver.cli.file_kinds import CERTIFICATE, PAGE, RECORDED_GAME, deal_in, plot_in
from spider_solver.cli.main import COMMANDS, cli
from spider_solver.cli.output_files import OutputFile
from spider_solver.formats import WRITABLE, read_game, write_deal
from spider_solver.numbering import deal_from_number
from spider_solver.render import html
from spider_solver.render.summary import PLOT_FORMATS, plot
from spider_solver.result import Verdict
from spider_solver.stats import Tally

END = one_move_from_won()
GAME = game_text(END, [])
RESULT = record(1).to_line()
PICTURE = b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR a photograph"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder, which is the current one."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def files(folder: Path) -> dict[str, bytes]:
    """The content of each file in a folder."""
    return {path.name: path.read_bytes() for path in folder.iterdir()}


# Outputs that are inputs or other outputs

# Files, a command, and a part of the error message.
SAME_FILE: dict[str, tuple[dict[str, bytes], list[str], str]] = {
    "results and plot": (
        {},
        ["winrate", "1-3", "-o", "t.svg", "--plot", "./t.svg"],
        "-o 't.svg' and --plot './t.svg' are one file: give two names",
    ),
    "plot of itself": (
        {"s.png": RESULT},
        ["summary", "s.png", "--plot", "s.png"],
        "--plot 's.png' is a file that is read: give another name",
    ),
    "plot of the second file": (
        {"a.jsonl": RESULT, "b.png": RESULT},
        ["summary", "a.jsonl", "b.png", "--plot", "../{folder}/b.png"],
        "is a file that is read",
    ),
    "page of itself": (
        {"g.txt": GAME.encode()},
        ["replay", "g.txt", "--html", "g.txt"],
        "--html 'g.txt' is a file that is read",
    ),
    "conversion of itself": (
        {"m.txt": write_deal(END, "text").encode()},
        ["convert", "m.txt", "--to", "text", "-o", "m.txt"],
        "-o 'm.txt' is a file that is read",
    ),
    "solution of itself": (
        {"g.txt": GAME.encode()},
        ["solve", "g.txt", "-o", "g.txt"],
        "-o 'g.txt' is a file that is read",
    ),
    "proof of itself": (
        {"d.json": write_deal(END, "json").encode()},
        ["prove", "d.json", "-o", "d.json"],
        "-o 'd.json' is a file that is read",
    ),
    "solution and page": (
        {},
        ["solve", "1", "-o", "a", "--html", "a"],
        "-o 'a' and --html 'a' are one file",
    ),
}


@pytest.mark.parametrize("force", [[], ["--force"]], ids=["", "force"])
@pytest.mark.parametrize("case", SAME_FILE)
def test_an_output_is_neither_an_input_nor_another_output(case, force, folder, fake):
    before, command, message = SAME_FILE[case]
    for name, content in before.items():
        Path(name).write_bytes(content)
    arguments = [word.replace("{folder}", folder.name) for word in command]
    assert message in error_of(run(*arguments, *force), 2)
    assert files(folder) == before
    assert fake.calls == []


@pytest.mark.parametrize("link", [os.link, os.symlink], ids=["hard link", "symbolic link"])
def test_an_output_by_another_name_is_recognised(link, folder, fake):
    Path("game.txt").write_text(GAME)
    link("game.txt", "other.txt")
    for arguments in (
        ["solve", "game.txt", "-o", "other.txt"],
        ["solve", "other.txt", "-o", "game.txt"],
        ["convert", "other.txt", "--to", "json", "-o", "game.txt", "--force"],
    ):
        assert "is a file that is read" in error_of(run(*arguments), 2)
    message = error_of(run("solve", "1", "-o", "game.txt", "--html", "other.txt", "--force"), 2)
    assert message.startswith("-o 'game.txt' and --html 'other.txt' are one file")
    assert Path("game.txt").read_text() == GAME


def test_a_file_that_standard_input_is_read_from_is_an_input():
    Path("deal.txt").write_text(write_deal(END, "text"))
    with open("deal.txt", "rb") as stream:
        result = program("convert", "-", "--to", "text", "-o", "deal.txt", stdin=stream)
    assert result.returncode == 2
    assert "-o 'deal.txt' is a file that is read" in result.stderr
    with open("deal.txt", "rb") as stream:  # which is not read
        result = program("convert", "1", "--to", "text", "-o", "deal.txt", stdin=stream)
    assert (result.returncode, result.stderr) == (0, "")


def test_a_file_that_standard_output_is_written_to_is_an_output():
    convert = ("convert", "1", "--to", "text", "-o", "log.txt")
    with open("log.txt", "wb") as stream:
        result = program(*convert, capture_output=False, stdout=stream, stderr=subprocess.PIPE)
    assert "-o 'log.txt' is also standard output: give another name" in result.stderr
    with open("log.txt", "wb") as stream:
        program(*convert, capture_output=False, stdout=subprocess.PIPE, stderr=stream)
    shown = Path("log.txt").read_text()
    assert "-o 'log.txt' is also standard error: give another name" in shown


def test_a_deal_number_is_not_an_input_file(fake):
    fake.actions = ()
    assert run("solve", "1", "-o", "1").exit_code == 0
    assert Path("1").is_file()


# Kinds of files


def sample_contents() -> dict[str, tuple[bytes, file_kinds.FileKind | None]]:
    """Contents of files, each with the kind that it is of; None if no command writes it."""
    deal, game = deal_from_number("1"), game_text(END, [], "json").encode()
    proof = (PROJECT / "deals" / "proofs" / "pysol-ms14934.json").read_bytes()
    summary = Tally([record(1)]).summary()
    page = html.page(read_game(GAME)).encode()
    return {
        "game as text": (GAME.encode(), RECORDED_GAME),
        "game as JSON": (game, RECORDED_GAME),
        "game in UTF-16": (GAME.encode("utf-16"), RECORDED_GAME),
        **{
            f"deal as {name}": (write_deal(deal, name).encode(), deal_in(name)) for name in WRITABLE
        },
        "saved game": ((PROJECT / "deals/kpat_18_one_suit.xml").read_bytes(), deal_in("kpat")),
        "certificate": (proof, CERTIFICATE),
        "page": (page, PAGE),
        **{f"plot as {name}": (plot(summary, name), plot_in(name)) for name in PLOT_FORMATS},
        "one result": (RESULT, None),
        "results": (RESULT + record(2).to_line(), None),
        "photograph": (PICTURE, None),
        "drawing": (b"<svg xmlns='http://www.w3.org/2000/svg'/>", None),
        "document": (b"%PDF-1.4\n% written by hand", None),
        "another page": (b"<!doctype html>\n<title>spider-solver</title>", None),
        "prose": (b"Dear solver,\n", None),
        "other JSON": (b'{"a": 1}', None),
        "list": (b"[]", None),
        "nested lists": (b"[" * 100_000, None),
        "nested objects": (b'{"columns": ' * 100_000, None),
        "half a game": (GAME.encode()[:-200], None),
        "binary": (bytes(range(256)), None),
        "blank": (b"\n", None),
    }


CONTENTS = sample_contents()
KINDS = [
    *(RECORDED_GAME, CERTIFICATE, PAGE),
    *map(deal_in, WRITABLE),
    *map(plot_in, PLOT_FORMATS),
]


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.title)
@pytest.mark.parametrize("content", CONTENTS)
def test_only_a_file_of_the_same_kind_is_replaced(content, kind, folder):
    data, own_kind = CONTENTS[content]
    Path("old").write_bytes(data)
    output = OutputFile("-o", "old", kind)
    if own_kind is not None and own_kind.title == kind.title:
        output.check()
        output.write("new")
        assert files(folder) == {"old": b"new"}
        return
    for write in (output.check, lambda: output.write("new")):
        with pytest.raises(OutputError) as error:
            write()
        assert error.value.message == (
            f"'old' exists and is not {kind.title}: name another file, or use --force to replace it"
        )
    assert files(folder) == {"old": data}
    forced = OutputFile("-o", "old", kind, force=True)
    forced.check()
    forced.write("new")
    assert files(folder) == {"old": b"new"}


def test_an_empty_file_is_of_every_kind():
    Path("empty").touch()
    for kind in KINDS:
        OutputFile("-o", "empty", kind).check()


def test_a_huge_file_is_refused_without_reading_it(monkeypatch):
    with open("huge", "wb") as stream:
        stream.truncate(2**40)
    with pytest.raises(OutputError, match="'huge' exists and is not a recorded game"):
        OutputFile("-o", "huge", RECORDED_GAME).check()


# A command, and the name of its output.
COMMANDS_THAT_WRITE: dict[str, list[str]] = {
    "solve -o": ["solve", "end", "-o", "old"],
    "solve --html": ["solve", "end", "--html", "old"],
    "replay --html": ["replay", "game", "--html", "old"],
    "convert -o": ["convert", "end", "--to", "coolo", "-o", "old"],
    "prove -o": ["prove", "1", "-o", "old"],
    "summary --plot": ["summary", "results", "--plot", "old.svg"],
    "winrate --plot": ["winrate", "1", "--plot", "old.svg"],
}


@pytest.mark.parametrize("case", COMMANDS_THAT_WRITE)
def test_each_command_refuses_to_replace_results_unless_forced(case, folder, fake):
    Path("end").write_text(write_deal(END, "text"))
    Path("game").write_text(GAME)
    Path("results").write_bytes(RESULT)
    arguments = COMMANDS_THAT_WRITE[case]
    target = Path(arguments[-1])
    target.write_bytes(RESULT)
    before = files(folder)
    message = error_of(run(*arguments))
    assert message.startswith(f"'{target}' exists and is not a")
    assert message.endswith(": name another file, or use --force to replace it")
    assert files(folder) == before
    assert fake.calls == []
    if arguments[0] in ("solve", "replay", "convert", "summary"):
        for _ in range(2):  # the second time, the file is of the right kind
            assert run(*arguments, "--force").exit_code == 0
            assert target.read_bytes() != RESULT
        assert run(*arguments).exit_code == 0


def test_each_command_with_an_output_has_the_option_force():
    with_output, with_force = set(), set()
    for name in COMMANDS:
        command = cli.get_command(click.Context(cli), name)
        options = {option for parameter in command.params for option in parameter.opts}
        if options & {"-o", "--html", "--plot"}:
            with_output.add(name)
        if "--force" in options:
            with_force.add(name)
    assert with_output == with_force
    assert with_force == {words.split()[0] for words in COMMANDS_THAT_WRITE}


def test_only_one_module_replaces_files():
    """A results file is not replaced but appended to; ``kernels`` writes only its cache."""
    writers = set()
    package = PROJECT / "spider_solver"
    for path in set(package.rglob("*.py")) - set(package.glob("kernels/**/*.py")):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Call):
                owner, _, name = ast.unparse(node.func).rpartition(".")
                modes = [a.value for a in node.args if isinstance(a, ast.Constant)]
                is_open = name == "open" and set("".join(map(str, modes))) & set("wax+")
                writes = name in ("write_text", "write_bytes", "mkstemp")
                if is_open or (writes and owner != "formatter"):
                    writers.add(path.name)
    assert writers == {"output_files.py"}


# Writing


def test_a_file_that_appears_during_the_search_is_not_replaced(fake, monkeypatch):
    def slow_search(*arguments, **options):
        Path("game.txt").write_bytes(RESULT)
        return fake(*arguments, **options)

    fake.verdict = Verdict.WON
    Path("end.txt").write_text(write_deal(END, "text"))
    monkeypatch.setattr(solver, "solve", slow_search)
    result = run("solve", "end.txt", "-o", "game.txt")
    assert error_of(result, after_output=True).startswith("'game.txt' exists and is not a recorded")
    assert "won: 2 moves" in result.stdout
    assert Path("game.txt").read_bytes() == RESULT


def test_a_file_is_on_the_disk_before_it_is_moved_into_place(monkeypatch):
    calls = []
    for name in ("fsync", "replace"):
        real = getattr(os, name)

        def call(*arguments, name=name, real=real):
            calls.append((name, Path("new").exists()))
            return real(*arguments)

        monkeypatch.setattr(os, name, call)
    OutputFile("-o", "new", RECORDED_GAME).write("text")
    assert calls == [("fsync", False), ("replace", False)]
    assert Path("new").read_text() == "text"


def test_outputs_may_be_devices_and_pipes():
    assert program("convert", "1", "--to", "board", "-o", "/dev/stdout").stdout.startswith("Talon:")
    os.mkfifo("pipe")
    read: list[str] = []
    reader = threading.Thread(target=lambda: read.append(Path("pipe").read_text()))
    reader.start()
    assert run("convert", "1", "--to", "board", "-o", "pipe").exit_code == 0
    reader.join()
    assert read[0] == run("convert", "1", "--to", "board").stdout
    Path("end").write_text(write_deal(END, "text"))
    assert run("replay", "-", "--html", os.devnull, input=GAME).exit_code == 0


def test_devices_are_not_compared(fake):
    fake.actions = ()
    assert run("solve", "1", "-o", os.devnull, "--html", os.devnull).exit_code == 0


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("link", "'link' cannot be written: there is no folder '{folder}/no'"),
        ("no/file", "'no/file' cannot be written: there is no folder 'no'"),
        ("{folder}/no/file", "there is no folder '{folder}/no'"),
        (".", "'.' is a folder: expected a file's name"),
        ("", "'' is a folder: expected a file's name"),
        ("a\0b", r"'a\x00b' cannot be written: "),
        ("end/x", "'end/x' cannot be written: there is no folder 'end'"),
        ("\x1b[31m/x", r"there is no folder '\x1b[31m'"),
    ],
)
def test_a_place_where_no_file_can_be_written(name, message, folder):
    Path("link").symlink_to("no/file")
    Path("end").touch()
    path = name.replace("{folder}", str(folder))
    error = error_of(run("convert", "1", "--to", "text", "-o", path))
    assert message.replace("{folder}", str(folder)) in error
