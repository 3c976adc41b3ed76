"""Running the program in tests: in this process, in another, or on a terminal; a fake solver."""

from __future__ import annotations

import os
import pty
import select
import subprocess
import sys
import termios
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from click.testing import CliRunner

from spider_solver.cli.main import cli
from spider_solver.deal import Deal
from spider_solver.game import Action, Move
from spider_solver.result import Limits, Progress, Result, Verdict

PROJECT = Path(__file__).parent.parent
WON_GAME = (Move(1, 2, 1), Move(2, 0, 1))  # wins play.one_move_from_won()


def run(*arguments: str, input: str | bytes | None = None):
    """Run the program in this process."""
    return CliRunner().invoke(cli, list(arguments), input=input)


def program(*arguments: str, environment: dict[str, str] | None = None, **options):
    """Run the program in a process of its own. Its output is decoded as UTF-8."""
    return subprocess.run(
        **_call(["-m", "spider_solver", *arguments], environment),
        **{"capture_output": True, "encoding": "utf-8", "timeout": 120, **options},
    )


def start(*arguments: str, **options) -> subprocess.Popen[str]:
    """Start the program in a process of its own. Its outputs are pipes."""
    return start_python("-m", "spider_solver", *arguments, **options)


def start_python(*command: str, **options) -> subprocess.Popen[str]:
    """Start ``python *command``, which can import this package. Its outputs are pipes."""
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "encoding": "utf-8"}
    return subprocess.Popen(**{**_call(command), **pipes, **options})


def _call(command: Iterable[str], environment: dict[str, str] | None = None) -> dict[str, Any]:
    return {
        "args": [sys.executable, *command],
        "env": {**os.environ, "PYTHONPATH": str(PROJECT), **(environment or {})},
    }


def error_of(result, code: int = 1, *, after_output: bool = False) -> str:
    """The message of the one error line on stderr. Checks that there is nothing else.

    code: the expected exit code.
    after_output: output on stdout is expected.
    """
    assert result.exit_code == code, result.output
    assert bool(result.stdout) == after_output
    assert result.stderr.startswith("spider-solver: error: ")
    assert result.stderr.count("\n") == 1
    assert result.stderr.endswith("\n")
    assert "Traceback" not in result.stderr
    return result.stderr.removeprefix("spider-solver: error: ").rstrip("\n")


def on_terminal(*command: str, **environment: str) -> str:
    """The output of ``python *command`` on a terminal, stdout and stderr together."""
    return pressing(b"", *command, **environment)[0]


def pressing(keys: bytes, *command: str, until: bytes = b"", **environment: str) -> tuple[str, int]:
    """The output of ``python *command`` on a terminal, and its exit code.

    keys: are pressed when the output contains ``until``.

    A command that writes nothing for a minute is killed.
    """
    our_end, its_end = pty.openpty()
    termios.tcsetwinsize(its_end, (40, 120))
    with subprocess.Popen(
        [sys.executable, *command],
        env={
            **{k: v for k, v in os.environ.items() if k not in ("NO_COLOR", "FORCE_COLOR")},
            "PYTHONPATH": str(PROJECT),
            "PYTHONUTF8": "1",
            "TERM": "xterm",
            **environment,
        },
        stdin=its_end if keys else subprocess.DEVNULL,
        stdout=its_end,
        stderr=its_end,
    ) as process:
        os.close(its_end)
        written = b""
        while select.select([our_end], [], [], 60)[0] and (chunk := _read(our_end)):
            written += chunk
            if keys and until in written:
                os.write(our_end, keys)
                keys = b""
        process.kill()
    os.close(our_end)
    return written.decode(errors="replace"), process.returncode


def _read(descriptor: int) -> bytes:
    """What a pseudo-terminal has to read; empty at its end."""
    try:
        return os.read(descriptor, 65536)
    except OSError:  # this is how a pseudo-terminal ends
        return b""


class FakeSolver:
    """Replaces ``solver.solve``: returns the result that a test sets, and keeps its arguments."""

    def __init__(self) -> None:
        self.verdict = Verdict.WON
        self.actions: tuple[Action, ...] = WON_GAME
        self.reason = ""
        self.error: BaseException | None = None  # raised instead of returning a result
        self.calls: list[tuple[Deal, Limits]] = []

    def __call__(self, deal, limits, progress=None, announce=None, prove=False) -> Result:
        self.calls.append((deal, limits))
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
