"""The README's examples are run: each console example must print what stands there."""

import doctest
import os
import re
import shlex
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from spider_solver.cli.errors import Exit
from spider_solver.cli.main import cli
from spider_solver.result import Verdict

PROJECT = Path(__file__).parent.parent
README = (PROJECT / "README.md").read_text(encoding="utf-8")
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
PROMPT = "$ "
NOTICE = re.compile(r"^compiling the search .*\n", re.MULTILINE)  # of a first run
SECONDS = re.compile(r"in \d+\.\d\d s$", re.MULTILINE)  # the one thing that differs each time


def blocks(language: str) -> list[str]:
    return [text for name, text in BLOCK.findall(README) if name == language]


def examples() -> list[tuple[str, str]]:
    """Each command of the console blocks and the output that follows it."""
    found: list[tuple[str, str]] = []
    for block in blocks("console"):
        for line in block.splitlines(keepends=True):
            if line.startswith(PROMPT):
                found.append((line.removeprefix(PROMPT).rstrip(), ""))
            else:
                command, output = found[-1]
                found[-1] = (command, output + line)
    return found


def commands() -> list[str]:
    """Each command line of the program in the shell blocks."""
    lines = [line for block in blocks("sh") for line in block.splitlines()]
    return [line.partition("#")[0].strip() for line in lines if line.startswith("spider-solver ")]


def output_of(command: str) -> str:
    """What an example prints, on stdout and stderr."""
    words = shlex.split(command)
    assert words[0] == "spider-solver"
    printed = subprocess.run(
        [sys.executable, "-m", "spider_solver", *words[1:]],
        cwd=PROJECT,
        env={**os.environ, "PYTHONUTF8": "1"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        timeout=300,
    ).stdout
    return NOTICE.sub("", printed)


def marked() -> list[object]:
    """The examples, those of proofs as slow and in need of OR-tools."""
    proofs = [
        pytest.mark.slow,
        pytest.mark.skipif(not find_spec("ortools"), reason="needs OR-tools"),
    ]
    return [
        pytest.param(*example, id=example[0], marks=proofs if " prove " in example[0] else ())
        for example in examples()
    ]


@pytest.mark.parametrize(("command", "expected"), marked())
def test_example(command, expected):
    expected, printed = (SECONDS.sub("in ... s", text) for text in (expected, output_of(command)))
    if not doctest.OutputChecker().check_output(expected, printed, doctest.ELLIPSIS):
        assert printed == expected


@pytest.mark.parametrize("line", commands())
def test_options_of_the_examples_exist(line):
    for part in line.split("|"):
        _, name, *words = shlex.split(part)
        command = cli.get_command(None, name)
        assert command is not None
        with command.make_context(name, words):
            pass
        for word in words:
            assert not word.startswith("deals/") or (PROJECT / word).exists()


def test_two_commands_set_everything_up():
    lines = [line for block in blocks("sh") for line in block.splitlines()]
    setup = [line for line in lines if line.startswith("python3 -m venv")]
    assert len(setup) == 2
    assert setup[0].endswith("spider-solver solve 1")
    assert "pytest" in setup[1]


def test_python_example(capsys):
    (block,) = blocks("python")
    exec(compile(block, "README.md", "exec"), {})
    assert capsys.readouterr().out.startswith("won ['")


@pytest.mark.parametrize(
    ("verdict", "code"),
    [
        (Verdict.WON, Exit.DONE),
        (Verdict.UNWINNABLE, Exit.UNWINNABLE),
        (Verdict.UNDECIDED, Exit.UNDECIDED),
    ],
    ids=str,
)
def test_exit_codes_of_the_verdicts(verdict, code):
    assert re.search(rf"^\| {verdict} \|.*\| {code.value} \|$", README, re.MULTILINE)


def refreshed(expected: str, printed: str) -> str:
    """An output as the README shows it: where lines were left out, as many before and after."""
    parts = expected.split("...\n")
    if len(parts) == 1:
        return printed
    if len(parts) > 2:  # parts out of the middle are chosen by hand
        return expected
    head, tail = (len(part.splitlines()) for part in parts)
    lines = printed.splitlines(keepends=True)
    return "".join((*lines[:head], "...\n", *(lines[-tail:] if tail else ())))


def refresh() -> None:
    """Write the examples' outputs into the README anew."""
    text = README
    for command, expected in examples():
        head = f"{PROMPT}{command}\n"
        text = text.replace(head + expected, head + refreshed(expected, output_of(command)))
    (PROJECT / "README.md").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    refresh()
