"""Bad input on the command line: one line on stderr, exit code 1 or 2, and no traceback."""

import errno
import os
import resource

import pytest
from commandline import PROJECT, error_of, program, run
from play import one_move_from_won

from spider_solver.cli import inputs
from spider_solver.formats import write_deal
from spider_solver.numbering import deal_from_number

# Bad files


def text_without_name() -> str:
    """Native deal 1 as text, without the line that names it."""
    lines = write_deal(deal_from_number("1"), "text").splitlines(keepends=True)
    return "".join(line for line in lines if not line.startswith("deal:"))


FRESH = text_without_name()
# The content of a file, and a part of the error message.
BAD_FILES: dict[str, tuple[bytes, str]] = {
    "empty": (b"", "empty: expected a deal"),
    "blank": (b" \n\n", "empty: expected a deal"),
    "binary": (bytes(range(256)) * 4, "a binary file of an unknown kind: expected a deal or"),
    "NUL": (b"deal: native:1\0", "line 1: a NUL character"),
    "prose": (b"Dear solver,\nplease solve this.\n", "'Dear solver,'"),
    "103 cards": (FRESH.replace("1: 6D", "1:").encode(), "missing: 6D"),
    "three queens of spades": (
        FRESH.replace("QC", "QS", 1).encode(),
        "QS (queen of spades) occurs 3 times",
    ),
    "unreadable card": (FRESH.replace("QC", "1X", 1).encode(), "line 9: card 2: '1X'"),
    "eleven columns": (
        FRESH.replace("row:", "11: 3S\nrow:", 1).encode(),
        "line 14: there is no column 11",
    ),
    "broken JSON": (b'{"deal": "native:1", ', "JSON at character 22"),
    "JSON of something else": (b'{"cards": []}', 'no "columns"'),
    "number out of range": (
        b"deal: native:18446744073709551616\n",
        "native deal number 18446744073709551616 is out of range",
    ),
    "three suits": (b"deal: native:1\nsuits: 3\n", "native has no deals with 3 suits"),
}


@pytest.mark.parametrize("case", BAD_FILES)
@pytest.mark.parametrize("command", ["solve", "show", "replay", "verify"])
def test_bad_file(case, command, tmp_path, fake):
    content, part = BAD_FILES[case]
    path = tmp_path / "bad.txt"
    path.write_bytes(content)
    message = error_of(run(command, str(path)), 1)
    assert message.startswith(str(path))
    assert part in message
    assert len(message) < 600
    from_stdin = error_of(run(command, "-", input=content), 1)
    assert from_stdin == message.replace(str(path), "standard input")
    assert fake.calls == []  # no search was started


# Bad arguments

# Arguments, the exit code, and a part of the error message.
BAD_ARGUMENTS: dict[str, tuple[list[str], int, str]] = {
    "negative number": (["solve", "-1"], 1, "'-1' is not a native deal number: expected 0 to"),
    "negative number, options": (["show", "--suits", "2", "-12"], 1, "'-12' is not a native"),
    "2^64": (["solve", "18446744073709551616"], 1, "18446744073709551616 is out of range"),
    "word": (["solve", "abc"], 1, "'abc' is not a file and not a deal number: expected"),
    "nothing": (["solve", ""], 1, "'' is not a file and not a deal number: expected"),
    "line ends": (["solve", "a\nb\x1b[31m"], 1, r"'a\nb\x1b[31m' is not a file"),
    "missing file": (["solve", "no/such.txt"], 1, "'no/such.txt' is not a file"),
    "very long name": (["solve", "x" * 5000], 1, "is not a file"),
    "folder": (["solve", "tests"], 1, "'tests' is a folder"),
    "missing game": (["verify", "no/such.txt"], 1, "'no/such.txt' is not a file"),
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
    "unknown option": (
        ["solve", "1", "--sutis", "2"],
        2,
        "no such option '--sutis': did you mean '--suits'; see",
    ),
    "odd option": (
        ["solve", "1", "--xyzzy"],
        2,
        "no such option '--xyzzy'; see spider-solver solve",
    ),
    "unknown command": (["slove", "1"], 2, "no such command 'slove'"),
    "no deal, nothing piped": (["solve"], 1, "standard input: empty: expected a deal as text"),
    "two deals": (["solve", "1", "2"], 2, "unexpected extra argument (2)"),
    "option without value": (
        ["solve", "1", "--suits"],
        2,
        "'--suits' requires an argument; see spider-solver solve --help",
    ),
    "boards in JSON": (["solve", "1", "--boards", "--json"], 2, "--boards cannot be combined with"),
    "reveal in a format": (["show", "1", "--reveal", "--format", "text"], 2, "--reveal cannot"),
    "undo in results": (["verify", "--results", "--undo-costs", "x"], 2, "--undo-costs cannot be"),
    "a win in results": (["verify", "--results", "--won", "x"], 2, "--won cannot be combined with"),
    "empty range": (["replay", "x", "--from", "3", "--to", "2"], 2, "no action is in this range"),
}


@pytest.mark.parametrize("case", BAD_ARGUMENTS)
def test_bad_arguments(case, fake, monkeypatch):
    monkeypatch.chdir(PROJECT)
    arguments, code, part = BAD_ARGUMENTS[case]
    assert part in error_of(run(*arguments), code)
    assert fake.calls == []


# Digits that Python's int and float read, but deal numbers and options do not.
ODD_DIGITS = ["\uff11\uff10", "1_0", "\u0661", "1\u0660", "\u00b2", "+1", "0x1", "1e", ".", "1.5.2"]
NUMERIC_OPTIONS = [
    *(f"solve 1 --{name}" for name in ("suits", "max-width", "max-states", "max-positions")),
    *("solve 1 --time-limit", "solve 1 --max-memory", "prove 1 --time-limit"),
    *("winrate 1 -n", "winrate 1 --jobs", "winrate 1 --suits", "winrate 1 --shard"),
    *("replay x --from", "replay x --to", "replay x --play"),
]


@pytest.mark.parametrize("option", NUMERIC_OPTIONS)
@pytest.mark.parametrize("digits", ODD_DIGITS)
def test_options_refuse_the_digits_that_deal_numbers_refuse(digits, option, fake):
    message = error_of(run(*option.split(), digits), 2)
    assert message.startswith(f"{option.split()[-1]}: {digits!r}: expected ")
    assert fake.calls == []
    if not digits.startswith(("0x", "1e", ".", "1.")):
        assert "is not a" in error_of(run("show", f"native:{digits}"))


@pytest.mark.parametrize("digits", ["5", " 5", "05", "5.", "5.0", ".5", "5e0", "5E+0", "50e-1"])
def test_options_read_numbers_with_the_usual_digits(digits, fake):
    run("solve", "1", "--time-limit", digits)
    assert fake.calls[0][1].time_limit == float(digits)


def test_a_memory_size_has_no_letters_of_other_scripts():
    for size in ("2\u212a", "2K\u0131B", "2\u017f"):  # the Kelvin sign, i without a dot, long s
        assert "such as 500M or 2G" in error_of(run("solve", "1", "--max-memory", size), 2)


# Errors of the operating system


@pytest.mark.parametrize(
    ("error", "message"),
    [
        (
            OSError(errno.EMFILE, "Too many open files"),
            "too many open files: raise the limit (ulimit -n), or use fewer --jobs",
        ),
        (OSError(errno.ENOMEM, "Cannot allocate memory"), "out of memory: try a smaller"),
        (OSError(errno.ENOSPC, "No space left"), "the output cannot be written: no space left"),
        (OSError(errno.EAGAIN, "Try again"), "the system refused a request: try again"),
        (OSError(errno.ENOENT, "None", "a\x1b"), r"'a\x1b': none"),
        (
            OSError("Could not load libx.so."),
            "a library cannot be loaded (too little memory, or a broken installation): Could not"
            " load libx.so",
        ),
        (ImportError("\n\nread\nthis " * 99), "a library cannot be loaded (too little memory, "),
        (ImportError("no", name="spider_solver.x"), "this is a fault of spider-solver"),
    ],
    ids=repr,
)
def test_an_error_of_the_system_or_of_a_library(error, message, fake):
    fake.error = error
    found = error_of(run("solve", "1"))
    assert message in found
    assert len(found) < 350


def test_too_few_open_files_are_not_called_an_error_of_the_output(tmp_path):
    def limit_open_files() -> None:
        resource.setrlimit(resource.RLIMIT_NOFILE, (10, 10))

    result = program("winrate", "1-3", "-j", "3", preexec_fn=limit_open_files, cwd=tmp_path)
    assert (result.returncode, result.stdout) == (1, "")
    assert result.stderr == (
        "spider-solver: error: too many open files: raise the limit (ulimit -n), or use fewer"
        " --jobs\n"
    )


def test_suits_that_the_file_does_not_have(endgame):
    message = error_of(run("show", endgame, "--suits", "2"), 1)
    assert message == f"--suits 2: the deal in {endgame!r} has 1"


def test_unreadable_file(endgame, monkeypatch):
    def refuse(stream, name):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))

    monkeypatch.setattr(inputs, "read_stream", refuse)
    message = error_of(run("show", endgame), 1)
    assert message == f"{endgame!r} cannot be read: permission denied"


# Bad recorded games

# The entries of a game, None for a deal alone, and a part of the error message.
BAD_GAMES = {
    "no action": ("4/7", "'4/7' is not an action"),
    "no such column": ("11-2x1", "there is no column 11"),
    "a deal only": (None, "without actions"),
}


@pytest.mark.parametrize("case", BAD_GAMES)
@pytest.mark.parametrize("command", ["replay", "verify"])
def test_bad_game(case, command, tmp_path):
    entries, part = BAD_GAMES[case]
    text = write_deal(one_move_from_won(), "text")
    path = tmp_path / "bad.txt"
    path.write_text(text if entries is None else f"{text}actions:\n{entries}\n")
    assert part in error_of(run(command, str(path)), 1)
