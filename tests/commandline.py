"""The command line in tests: run here or in a process, its errors, a stand-in for the solver."""

from __future__ import annotations

import os
import pty
import subprocess
import sys
import termios
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from click.testing import CliRunner

from spider_solver.cli.main import cli
from spider_solver.game import Action, Move, Position
from spider_solver.solver import Limits, Progress, Result, Verdict

PROJECT = Path(__file__).parent.parent
WON_GAME = (Move(1, 2, 1), Move(2, 0, 1))  # on play.one_move_from_won


def run(*arguments: str, input: str | bytes | None = None):
    """Run the program in this process."""
    return CliRunner().invoke(cli, list(arguments), input=input)


def program(*arguments: str, environment: dict[str, str] | None = None, **options):
    """Run the program as a process of its own; bytes are decoded as UTF-8."""
    return subprocess.run(
        **_call(arguments, environment),
        **{"capture_output": True, "encoding": "utf-8", "timeout": 120, **options},
    )


def start(*arguments: str, **options) -> subprocess.Popen[str]:
    """Start the program as a process of its own; its outputs are pipes."""
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "encoding": "utf-8"}
    return subprocess.Popen(**_call(arguments), **pipes, **options)


def _call(arguments: Iterable[str], environment: dict[str, str] | None = None) -> dict[str, Any]:
    return {
        "args": [sys.executable, "-m", "spider_solver", *arguments],
        "env": {**os.environ, "PYTHONPATH": str(PROJECT), **(environment or {})},
    }


def error_of(result, code: int = 1, *, after_output: bool = False) -> str:
    """The line's message, after checking code, form, and that nothing else is there.

    after_output: something was printed on stdout before the error came.
    """
    assert result.exit_code == code, result.output
    assert bool(result.stdout) == after_output
    assert result.stderr.startswith("spider-solver: error: ")
    assert result.stderr.count("\n") == 1
    assert result.stderr.endswith("\n")
    assert "Traceback" not in result.stderr
    return result.stderr.removeprefix("spider-solver: error: ").rstrip("\n")


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
