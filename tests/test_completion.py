"""Shell completion: what the shells are told, and what happens in a real shell at the tab key."""

import json
import os
import re
import resource
import shutil
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from unittest import mock

import click
import pytest
from click.shell_completion import get_completion_class
from commandline import PROJECT, program
from test_architecture import HEAVY, run_python

from spider_solver.cli import shells  # noqa: F401  # makes click use this program's scripts
from spider_solver.cli.errors import PROGRAM
from spider_solver.cli.main import COMMANDS, COMPLETE_VARIABLE, COMPLETION, cli
from spider_solver.formats import FORMATS, WRITABLE
from spider_solver.numbering import SCHEMES

SHELLS = ["bash", "zsh", "fish"]
FILE = ("file", "")  # the shell completes file names


def completion_environment(shell: str, line: str) -> dict[str, str]:
    """The variables by which a shell's script passes on a line up to the cursor."""
    words = line.split()
    return {
        COMPLETE_VARIABLE: f"{shell}_complete",
        "COMP_WORDS": line,
        "COMP_CWORD": str(len(words) if line.endswith(" ") else len(words) - 1),  # for zsh
    }


def answer(shell: str, line: str) -> str:
    """The answer to a shell's script, from this process."""
    completion_class = get_completion_class(shell)
    assert completion_class is not None
    with mock.patch.dict(os.environ, completion_environment(shell, line)):
        return completion_class(cli, {}, PROGRAM, COMPLETE_VARIABLE).complete()


def completions(line: str, shell: str = "bash") -> list[tuple[str, str]]:
    """The type and the value of each completion of a line whose cursor is at its end."""
    return parsed_answer(shell, answer(shell, line))


def parsed_answer(shell: str, text: str) -> list[tuple[str, str]]:
    """The type and the value of each completion in an answer to a shell's script."""
    lines = text.splitlines()
    if shell != "zsh":
        split = (line.partition(",") for line in lines if line)
        return [(kind, value.partition("\t")[0]) for kind, _, value in split]
    found = zip(lines[::3], lines[1::3], lines[2::3], strict=lines != [""])
    return [
        (kind, value if description == "_" else value.replace(r"\:", ":"))
        for kind, value, description in found
    ]


def values(line: str, shell: str = "bash") -> list[str]:
    """The values of all completions of a line. Checks that file names are none of them."""
    found = completions(line, shell)
    assert {kind for kind, _ in found} <= {"plain"}
    return [value for _, value in found]


# What the program proposes


@pytest.mark.parametrize("shell", SHELLS)
def test_the_program_answers_the_script_of_a_shell(shell):
    result = program(environment=completion_environment(shell, "spider-solver solve k"))
    assert (result.returncode, result.stderr) == (0, "")
    assert parsed_answer(shell, result.stdout) == [("plain", "kpat:"), ("file", "k")]


@pytest.mark.parametrize("shell", SHELLS)
def test_all_shells_get_the_same_completions(shell):
    assert values("spider-solver ", shell) == list(COMMANDS)
    assert values("spider-solver s", shell) == ["solve", "show", "schemes", "summary"]
    assert values("spider-solver solve --max-", shell) == [
        *("--max-width", "--max-states", "--max-positions", "--max-memory")
    ]
    assert completions("spider-solver solve k", shell) == [("plain", "kpat:"), ("file", "k")]
    assert values("spider-solver show 1 --format j", shell) == ["json"]
    assert values("spider-solver show --format=j", shell) == ["json"]
    assert completions("spider-solver solve 1 -o ga", shell) == [("file", "ga")]


def test_options_of_the_program():
    names = ["-q", "--quiet", "-v", "--verbose", "--version", "-h", "--help"]
    assert sorted(values("spider-solver -")) == sorted(names)


@pytest.mark.parametrize("command", COMMANDS)
def test_all_options_of_a_command(command):
    found = cli.get_command(click.Context(cli), command)
    assert found is not None
    with click.Context(found, **found.context_settings) as context:
        options = [p for p in found.get_params(context) if isinstance(p, click.Option)]
    names = [name for option in options for name in option.opts]
    assert "--help" in names
    assert sorted(values(f"spider-solver {command} -")) == sorted(names)


@pytest.mark.parametrize("command", ["solve", "prove", "show", "convert"])
def test_a_deal_is_completed_by_schemes_and_files(command):
    schemes = [("plain", f"{name}:") for name in SCHEMES]
    assert completions(f"spider-solver {command} ") == [*schemes, FILE]
    assert values(f"spider-solver {command} kpat:") == []
    assert values(f"spider-solver {command} kpat:1") == []
    assert completions(f"spider-solver {command} ./a:b") == [("file", "./a:b")]


def test_arguments_after_the_first():
    schemes = [("plain", f"{name}:") for name in SCHEMES]
    assert completions("spider-solver show 1 kpat:1 ") == [*schemes, FILE]
    assert values("spider-solver solve 1 ") == []


def test_the_deals_of_winrate_are_numbers_only():
    assert values("spider-solver winrate ") == [f"{name}:" for name in SCHEMES]
    assert values("spider-solver winrate ga") == []


@pytest.mark.parametrize(
    "line",
    [
        "replay ",
        "verify one.txt ",
        "summary ",
        "solve 1 --html ",
        "replay game.txt --html ",
        "prove 1 -o ",
        "prove --check ",
        "convert 1 --output ",
        "winrate -o ",
        "winrate --plot ",
        "summary a.jsonl --plot ",
    ],
)
def test_file_names(line):
    assert completions(f"spider-solver {line}") == [FILE]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("solve 1 --from ", list(FORMATS)),
        ("convert 1 --to ", WRITABLE),
        ("show 1 --format ", WRITABLE),
        ("solve --rules ", ["standard", "relaxed"]),
        ("winrate --rules r", ["relaxed"]),
        ("solve 1 --suits ", ["1", "2", "4"]),
        ("winrate --suits ", ["1", "2", "4"]),
        ("solve 1 --max-width ", []),
        ("schemes ", []),
    ],
)
def test_values_of_options(line, expected):
    assert values(f"spider-solver {line}") == expected


def test_each_argument_and_each_file_has_completions():
    for name in COMMANDS:
        command = cli.get_command(click.Context(cli), name)
        assert command is not None
        with click.Context(command) as context:
            for param in command.get_params(context):
                if isinstance(param, click.Argument) or param.metavar == "FILE":
                    assert param.shell_complete(context, ""), (name, param.name)


def test_commands_and_schemes_have_descriptions():
    assert answer("zsh", "spider-solver so") == (
        "plain\nsolve\nFind a solution of a deal, verify it and print it."
    )
    assert answer("fish", "spider-solver so") == (
        "plain,solve\tFind a solution of a deal, verify it and print it."
    )
    assert answer("zsh", "spider-solver winrate k") == "plain\nkpat\\:\nKPatience"


def test_words_in_quotes_and_with_blanks():
    line = r"spider-solver show 'a b' --html=x\ y --form"
    assert completions(line, "bash") == [("plain", "--format")]


@pytest.mark.parametrize("line", ["slove ", "show --no-such-option ", "show --suits 9 --re"])
def test_a_wrong_line_is_no_error(line):
    completions(f"spider-solver {line}")


@pytest.mark.parametrize("shell", SHELLS)
def test_the_script_of_a_shell(shell):
    result = program(environment={COMPLETE_VARIABLE: f"{shell}_source"})
    assert (result.returncode, result.stderr) == (0, "")
    assert "_spider_solver_completion" in result.stdout
    assert f"{COMPLETE_VARIABLE}={shell}_complete" in result.stdout


# Speed


LIST_LOADED_MODULES = """
import json, sys
from spider_solver.cli.main import main
try:
    main([])
except SystemExit:
    print(json.dumps(sorted(sys.modules)), file=sys.stderr)
"""


@pytest.mark.parametrize("command", COMMANDS)
def test_completion_of_a_command_loads_neither_numba_nor_kernels(command, monkeypatch):
    line = f"spider-solver {command} --"
    for name, value in completion_environment("bash", line).items():
        monkeypatch.setenv(name, value)
    result = run_python("-c", LIST_LOADED_MODULES)
    assert "plain,--help" in result.stdout.splitlines()
    loaded = json.loads(result.stderr)
    assert f"spider_solver.cli.{command}" in loaded
    assert not {name for name in loaded if name.startswith("spider_solver.kernels")}
    assert not {name.split(".")[0] for name in loaded} & {*HEAVY, "tqdm", "rich"}


def test_completion_of_a_commands_name_loads_no_command(monkeypatch):
    for name, value in completion_environment("bash", "spider-solver s").items():
        monkeypatch.setenv(name, value)
    result = run_python("-c", LIST_LOADED_MODULES)
    assert "plain,solve" in result.stdout.splitlines()
    loaded = json.loads(result.stderr)
    assert not {f"spider_solver.cli.{command}" for command in COMMANDS} & set(loaded)
    assert "spider_solver.game" not in loaded


@pytest.mark.parametrize(
    ("line", "seconds"), [("spider-solver ", 0.15), ("spider-solver solve k", 0.5)]
)
def test_completion_is_fast(line, seconds):
    def processor_seconds() -> float:  # unlike elapsed time, independent of other processes
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        assert program(environment=completion_environment("bash", line)).stdout
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime

    assert min(processor_seconds() for _ in range(5)) < seconds


# Real shells, each on a terminal of its own

START = {
    "bash": ["bash", "--norc", "--noprofile", "-i"],
    "zsh": ["zsh", "-f", "-i"],
    "fish": ["fish", "--no-config", "-i"],
}
SETUP = {"zsh": "autoload -U compinit; compinit -u -D; bindkey -e"}
FILES = ["deal one.txt", "folder/inner.txt", "game.txt", "pyramid.txt", "7.txt"]

# Lines as they are typed, and their words after completion.
LINES = {
    # a command, a scheme, options, a format, a file and a folder
    "spider-solver sho\tkp\t7 --forma\tte\tdea\tfol\tin\t": (
        "spider-solver show kpat:7 --format text deal one.txt folder/inner.txt"
    ),
    # no file name after a scheme
    "spider-solver solve kpat:7\t": "spider-solver solve kpat:7",
    # a file that begins like a scheme
    "spider-solver solve pyr\t-v": "spider-solver solve pyramid.txt -v",
    "spider-solver show 1 --format=te\t--html=ga\t": (
        "spider-solver show 1 --format=text --html=game.txt"
    ),
    'spider-solver verify "deal\t': "spider-solver verify deal one.txt",
    "spider-solver replay deal\\ o\t": "spider-solver replay deal one.txt",
}


def completion_line(shell: str) -> str:
    """The line that turns on completion in a shell, as the help page shows it."""
    (line,) = (line for line, purpose in COMPLETION.items() if purpose.startswith(shell))
    return line


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A folder with the program, and with a folder of files to complete."""
    command = tmp_path / "bin" / "spider-solver"
    command.parent.mkdir()
    command.write_text(f"#!{sys.executable}\nfrom spider_solver.cli.main import main\n\nmain()\n")
    command.chmod(0o755)
    for name in FILES:
        path = tmp_path / "files" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
    return tmp_path


def words_after_typing(shell: str, home: Path, lines: Iterable[str]) -> list[str]:
    """Type lines in a shell that completes this program's lines. Returns the words of each line.

    The lines are not run: Ctrl-A and "echo" put the command echo before each.
    """
    typed = [
        "stty cols 200",
        SETUP.get(shell, ""),
        completion_line(shell),
        *(f"{line}\x01echo RESULT{number} " for number, line in enumerate(lines)),
        "exit",
        "",
    ]
    output = subprocess.run(
        [sys.executable, "-c", "import pty, sys; pty.spawn(sys.argv[1:])", *START[shell]],
        cwd=home / "files",
        env={
            "HOME": str(home),
            "LC_ALL": "C.UTF-8",
            "PATH": f"{home / 'bin'}:{os.environ['PATH']}",
            "PYTHONPATH": str(PROJECT),
            "TERM": "xterm",
        },
        input="\r".join(typed),
        capture_output=True,
        encoding="utf-8",
        errors="replace",
        timeout=120,
    ).stdout
    # A shell may draw a line several times while it is typed. The last time it is echo's output.
    found = [re.findall(rf"RESULT{n} ([^\r\n]*)", output) for n, _ in enumerate(lines)]
    return [results[-1].rstrip() for results in found]


@pytest.mark.parametrize("shell", SHELLS)
def test_the_tab_key_in_a_shell(shell, home):
    if shutil.which(shell) is None:
        pytest.skip(f"needs {shell}")
    assert words_after_typing(shell, home, LINES) == list(LINES.values())
