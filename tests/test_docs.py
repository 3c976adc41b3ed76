"""The examples in README.md and docs/*.md are run. Each must print what the page shows.

``python tests/test_docs.py`` writes the present outputs of the commands into the pages.
"""

import contextlib
import doctest
import io
import os
import re
import shlex
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

import pytest

from spider_solver.cli.errors import Exit
from spider_solver.cli.main import COMMANDS, COMPLETION, cli
from spider_solver.result import Verdict

PROJECT = Path(__file__).parent.parent
README = PROJECT / "README.md"
PAGES = [README, *sorted((PROJECT / "docs").glob("*.md"))]
MAX_README_WORDS = 1500
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\]\(([^)\s]+)\)")
HEADING = re.compile(r"^#+ (.*)$", re.MULTILINE)
PROMPT = "$ "
NOTICE = re.compile(r"^compiling the search .*\n", re.MULTILINE)  # printed by a first search
SECONDS = re.compile(r"in \d+\.\d\d s$", re.MULTILINE)  # these differ from run to run


class Example(NamedTuple):
    page: Path
    command: str
    output: str  # as the page shows it; "..." stands for lines left out


def text_of(page: Path) -> str:
    return page.read_text(encoding="utf-8")


def blocks(page: Path, *languages: str) -> list[str]:
    return [text for name, text in BLOCK.findall(text_of(page)) if name in languages]


def examples() -> list[Example]:
    """The commands in the console blocks of all pages, each with the output that follows it."""
    found: list[Example] = []
    for page in PAGES:
        for block in blocks(page, "console"):
            for line in block.splitlines(keepends=True):
                if line.startswith(PROMPT):
                    found.append(Example(page, line.removeprefix(PROMPT).rstrip(), ""))
                else:
                    found[-1] = found[-1]._replace(output=found[-1].output + line)
    return found


def command_lines() -> list[str]:
    """The lines of the shell blocks of all pages that start the program, without comments."""
    lines = [line for page in PAGES for block in blocks(page, "sh") for line in block.splitlines()]
    commands = [line.partition("#")[0].strip() for line in lines]
    return sorted({line for line in commands if line.startswith("spider-solver ")})


def run_command(command: str) -> str:
    """Run an example and return what it prints on stdout and stderr."""
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


def console_parameters() -> list[object]:
    """The examples as parameters of a test. Those of proofs are slow and need OR-tools."""
    marks = [
        pytest.mark.slow,
        pytest.mark.skipif(not find_spec("ortools"), reason="needs OR-tools"),
    ]
    return [
        pytest.param(
            example,
            id=f"{example.page.stem}: {example.command}",
            marks=marks if " prove " in example.command else (),
        )
        for example in examples()
    ]


def is_same_output(expected: str, printed: str) -> bool:
    """Compare outputs without their times; "..." in the expected one matches any text."""
    expected, printed = (SECONDS.sub("in ... s", text) for text in (expected, printed))
    return doctest.OutputChecker().check_output(expected, printed, doctest.ELLIPSIS)


def assert_printed(expected: str, printed: str) -> None:
    if not is_same_output(expected, printed):
        assert printed == expected  # fails, and shows where they differ


@pytest.mark.parametrize("example", console_parameters())
def test_console_example(example):
    assert_printed(example.output, run_command(example.command))


@pytest.mark.parametrize("line", command_lines())
def test_shell_example_has_valid_options_and_files(line):
    for part in line.split("|"):
        _, name, *words = shlex.split(part)
        command = cli.get_command(None, name)
        assert command is not None
        with command.make_context(name, words):
            pass
        for word in words:
            assert not word.startswith("deals/") or (PROJECT / word).exists()


def python_examples() -> list[tuple[str, str]]:
    """The Python examples in docs/python.md, each with its output."""
    found = blocks(PROJECT / "docs" / "python.md", "python", "output")
    return list(zip(found[::2], found[1::2], strict=True))


@pytest.mark.parametrize(("source", "output"), python_examples(), ids=["solve", "play"])
def test_python_example(source, output):
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        exec(compile(source, "docs/python.md", "exec"), {})
    assert_printed(output, printed.getvalue())


def test_the_readme_has_two_commands_that_set_everything_up():
    lines = [line for block in blocks(README, "sh") for line in block.splitlines()]
    setup = [line for line in lines if line.startswith("python3 -m venv")]
    assert len(setup) == 2
    assert setup[0].endswith("spider-solver solve 1")
    assert "pytest" in setup[1]


def test_the_readme_is_short():
    assert len(text_of(README).split()) <= MAX_README_WORDS


@pytest.mark.parametrize("page", PAGES[1:], ids=lambda page: page.name)
def test_the_readme_links_to_each_page(page):
    assert f"](docs/{page.name})" in text_of(README)


@pytest.mark.parametrize("line", COMPLETION)
def test_the_readme_has_the_line_for_completion_in_each_shell(line):
    lines = [shown for block in blocks(README, "sh") for shown in block.splitlines()]
    assert line in [shown.partition("  #")[0].rstrip() for shown in lines]


@pytest.mark.parametrize("command", COMMANDS)
def test_the_readme_has_an_example_of_each_command(command):
    assert f"spider-solver {command} " in text_of(README)


@pytest.mark.parametrize(
    ("verdict", "code"),
    [
        (Verdict.WON, Exit.DONE),
        (Verdict.UNWINNABLE, Exit.UNWINNABLE),
        (Verdict.UNDECIDED, Exit.UNDECIDED),
    ],
    ids=str,
)
def test_the_readme_lists_the_exit_codes_of_the_verdicts(verdict, code):
    assert re.search(rf"^\| {verdict} \|.*\| {code.value} \|$", text_of(README), re.MULTILINE)


def anchors(page: Path) -> set[str]:
    """The names by which links reach the headings of a page."""
    return {
        re.sub(r"[^\w -]", "", heading).strip().lower().replace(" ", "-")
        for heading in HEADING.findall(BLOCK.sub("", text_of(page)))
    }


LINKED_PAGES = [
    *PAGES,
    PROJECT / "CONTRIBUTING.md",
    *(PROJECT / folder / "README.md" for folder in ("benchmarks", "deals")),
]


@pytest.mark.parametrize("page", LINKED_PAGES, ids=lambda page: str(page.relative_to(PROJECT)))
def test_links_lead_to_files_and_headings_that_exist(page):
    for link in LINK.findall(text_of(page)):
        if link.startswith(("http://", "https://")):
            continue
        path, _, anchor = link.partition("#")
        target = page.parent / path if path else page
        assert target.exists(), link
        assert not anchor or anchor in anchors(target), link


def updated_output(shown: str, printed: str) -> str:
    """The printed output, shortened like the output that the page shows.

    If the page shows "..." once, as many lines as now remain before and after it.
    """
    parts = shown.split("...\n")
    if len(parts) == 1:
        return printed
    if len(parts) > 2:  # the parts in the middle were chosen by hand
        return shown
    head, tail = (len(part.splitlines()) for part in parts)
    lines = printed.splitlines(keepends=True)
    return "".join((*lines[:head], "...\n", *(lines[-tail:] if tail else ())))


def update_pages() -> None:
    """Write the present output of each console example into its page.

    Outputs that differ only in their times remain as they are.
    """
    for page, command, shown in examples():
        start = f"{PROMPT}{command}\n"
        printed = run_command(command)
        if is_same_output(shown, printed):
            continue
        output = updated_output(shown, printed)
        text = text_of(page).replace(start + shown, start + output)
        page.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    update_pages()
