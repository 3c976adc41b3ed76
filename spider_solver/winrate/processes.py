"""Deals spread over processes of this machine.

Each worker process is at the end of a pipe of its own: it gets a task, and sends the record
back. So it's known which deal a worker was at when the system killed it, and that deal goes to
another. The first worker loads the compiled search, or compiles it, before the others start;
each then loads it once. Workers end with this process, however it ends.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
import traceback
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from itertools import chain, islice
from multiprocessing.connection import Connection, wait
from typing import Any

from ..errors import InternalError
from ..memory import default_memory
from ..records import Record, Task
from ..result import Progress
from ..searches import load_all
from .work import Work, WorkError, solve_task

MAX_DEATHS = 3  # of workers at one deal, before the run ends

_SAY, _READY, _DONE, _FAILED = "say", "ready", "done", "failed"
_SPAWN = multiprocessing.get_context("spawn")


def on_processes(
    tasks: Iterable[Task], work: Work, jobs: int, say: Callable[[str], None]
) -> Iterator[Record]:
    """The tasks' records, each as soon as it's done, by ``jobs`` worker processes.

    tasks: asked for as workers get free; no more workers are hired than there are tasks. say:
    told what is to be known: that the search is compiled, that a worker was killed. Raises
    WorkError if workers die again and again. Close the iterator, should it be left early: then
    the workers end.
    """
    crew = _Crew(iter(tasks), work, jobs, say)
    try:
        yield from crew.run()
    finally:
        crew.end()


class _Worker:
    """A worker process as its parent sees it, and the task that it is at."""

    def __init__(self, work: Work, memory: int) -> None:
        self.connection, its_end = _SPAWN.Pipe()
        # Daemonic: ended at exit, whatever happens.
        self._process = _SPAWN.Process(
            target=_serve, args=(its_end, work, memory), name="spider-solver worker", daemon=True
        )
        with _ctrl_c_ignored():
            self._process.start()
        its_end.close()  # else the parent would hold it open after the worker's death
        self.task: Task | None = None

    def give(self, task: Task | None) -> None:
        """Hand out a task, or None when there is none left."""
        self.task = task
        with suppress(OSError):  # it died; waiting for its answer tells
            self.connection.send(task)

    def end(self, *, kill: bool) -> str:
        """Wait for the end, or bring it about; says how the process ended."""
        if kill:
            self._process.kill()
        self._process.join()
        self.connection.close()
        code = self._process.exitcode or 0
        if code >= 0:
            return f"ended with exit code {code}"
        with suppress(ValueError):
            return f"was killed by {signal.Signals(-code).name}"
        return f"was killed by signal {-code}"


class _Crew:
    """All workers of a run."""

    def __init__(
        self, tasks: Iterator[Task], work: Work, jobs: int, say: Callable[[str], None]
    ) -> None:
        first = list(islice(tasks, jobs))
        self._tasks = chain(first, tasks)
        self._work = work
        self._jobs = max(len(first), 1)
        self._say = say
        self._memory = default_memory() // self._jobs
        self._workers: dict[Connection[Any, Any], _Worker] = {}
        self._again: list[Task] = []  # their workers died
        self._deaths: Counter[Task] = Counter()
        self._ready = False

    def run(self) -> Iterator[Record]:
        self._hire(1)
        while self._workers:
            for connection in wait(self._workers):
                assert isinstance(connection, Connection)
                worker = self._workers[connection]
                try:
                    kind, content = connection.recv()
                except (EOFError, OSError):
                    self._bury(worker)
                    continue
                if kind == _SAY:
                    self._say(content)
                elif kind == _READY:
                    self._ready = True
                    self._hire(self._jobs)
                elif kind == _DONE:
                    yield content
                    self._next(worker)
                else:
                    message, trace = content
                    error = InternalError(f"{worker.task}: {message}")
                    error.add_note(trace)
                    raise error

    def end(self) -> None:
        """Let no worker be left."""
        for worker in self._workers.values():
            worker.end(kill=True)
        self._workers.clear()

    def _hire(self, jobs: int) -> None:
        """Start workers up to a number, as long as there is something to do for them."""
        while len(self._workers) < jobs and (task := self._pop()) is not None:
            worker = _Worker(self._work, self._memory)
            self._workers[worker.connection] = worker
            worker.give(task)

    def _next(self, worker: _Worker) -> None:
        task = self._pop()
        worker.give(task)
        if task is None:
            del self._workers[worker.connection]
            worker.end(kill=False)

    def _pop(self) -> Task | None:
        return self._again.pop() if self._again else next(self._tasks, None)

    def _bury(self, worker: _Worker) -> None:
        """A worker died at its task, which another one gets; WorkError if that won't do."""
        del self._workers[worker.connection]
        how = worker.end(kill=False)
        task = worker.task
        assert task is not None
        self._deaths[task] += 1
        if self._deaths[task] == MAX_DEATHS:
            raise WorkError(
                f"a worker {how} at {task}, as {MAX_DEATHS - 1} did before it: try fewer --jobs,"
                " or a smaller --max-memory"
            )
        self._say(f"a worker {how} at {task}; another one takes over")
        self._again.append(task)
        self._hire(self._jobs if self._ready else 1)


@contextmanager
def _ctrl_c_ignored() -> Iterator[None]:
    """A process started meanwhile ignores Ctrl-C, which is the parent's to hear."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def _serve(connection: Connection[Any, Any], work: Work, memory: int) -> None:
    """A worker's life."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = multiprocessing.parent_process()
    assert parent is not None
    lock = threading.Lock()

    def tell(kind: str, content: object = None) -> None:
        with lock:  # what is said comes from another thread
            connection.send((kind, content))

    def end_with_parent(progress: Progress) -> None:
        if not parent.is_alive():
            os._exit(1)

    with suppress(EOFError, OSError):  # the parent is gone
        try:
            load_all(lambda text: tell(_SAY, text))
            tell(_READY)
            while (task := connection.recv()) is not None:
                tell(_DONE, solve_task(task, work, memory, end_with_parent))
        except (EOFError, OSError):
            raise
        except Exception as error:
            what = str(error) if isinstance(error, InternalError) else repr(error)
            tell(_FAILED, (what, traceback.format_exc()))
