"""Solving deals on processes of this machine.

Each worker process has its own pipe to the parent. It receives a task, confirms it, and sends the
record back. So the parent knows the deal of a worker that the system killed, and gives that deal
to another worker. The first worker loads or compiles the search before the other workers start;
each of those then loads it once. The workers end when the parent process ends for any reason.
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
from ..searches import load_searches
from ..words import visible
from .work import Work, WorkerDeathsError, solve_task

# Deaths of workers at the same deal that end the run. So do as many deaths of workers that had no
# deal, if no record was received in between.
MAX_DEATHS = 3

# Kinds of the messages that a worker sends. Each message is a pair of a kind and its content.
_STATUS = "status"  # a text for the user
_READY = "ready"  # None: the search is loaded
_STARTED = "started"  # None: the worker has received the task that was sent to it
_DONE = "done"  # a Record
_REFUSED = "refused"  # a text: why the system or a library refused what the worker needs
_FAILED = "failed"  # the error's message and its traceback, both texts
_REASON_LENGTH = 200  # characters of the text with _REFUSED

_SPAWN = multiprocessing.get_context("spawn")


def solve_on_processes(
    tasks: Iterable[Task], work: Work, jobs: int, on_status: Callable[[str], None]
) -> Iterator[Record]:
    """Solve tasks on worker processes. Yield each record when it is received.

    tasks: the next one is taken only when a worker is free.
    jobs: the number of workers. If there are fewer tasks, fewer workers are started.
    on_status: called with messages for the user: that the search is being compiled, or that a
    worker was killed.

    Raises WorkerDeathsError if ``MAX_DEATHS`` workers die at the same task, or in a row without a
    task, or if the system refuses what a worker needs; InternalError if a worker fails otherwise.
    If the iterator is not used up, it must be closed: then the workers are ended.
    """
    pool = _WorkerPool(iter(tasks), work, jobs, on_status)
    try:
        yield from pool.run()
    finally:
        pool.end()


class _Worker:
    """The parent's view of a worker process."""

    task: Task | None  # the task that was sent to it and is not solved yet
    has_started: bool  # whether it has received that task

    def __init__(self, work: Work, memory: int) -> None:
        self.connection, worker_end = _SPAWN.Pipe()
        # A daemon process is ended at the parent's exit.
        self._process = _SPAWN.Process(
            target=_run_worker,
            args=(worker_end, work, memory),
            name="spider-solver worker",
            daemon=True,
        )
        with _ignoring_ctrl_c():
            self._process.start()
        # Otherwise the parent would keep this end open after the worker's death.
        worker_end.close()
        self.task = None
        self.has_started = False

    def send(self, task: Task | None) -> None:
        """Send the worker a task, or None to make it end."""
        self.task = task
        self.has_started = False
        with suppress(OSError):  # it died; the parent finds out when it waits for the answer
            self.connection.send(task)

    def end(self, *, kill: bool) -> str:
        """Wait until the process has ended, and return how: ``was killed by SIGKILL``.

        kill: kill it first.
        """
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


class _WorkerPool:
    """The workers of a run, and the tasks that are not yet solved."""

    def __init__(
        self, tasks: Iterator[Task], work: Work, jobs: int, on_status: Callable[[str], None]
    ) -> None:
        first = list(islice(tasks, jobs))
        self._tasks = chain(first, tasks)
        self._work = work
        self._jobs = max(len(first), 1)
        self._on_status = on_status
        self._memory = default_memory() // self._jobs  # bytes for each worker
        self._workers: dict[Connection[Any, Any], _Worker] = {}
        self._returned: list[Task] = []  # tasks whose workers died
        self._deaths: Counter[Task] = Counter()  # of workers that had started the task
        self._idle_deaths = 0  # of workers that had not started a task, since the last record
        self._search_loaded = False

    def run(self) -> Iterator[Record]:
        """Start workers, give them tasks and yield their records."""
        self._start_workers(1)
        while self._workers:
            for connection in wait(self._workers):
                assert isinstance(connection, Connection)
                yield from self._receive(self._workers[connection])

    def _receive(self, worker: _Worker) -> Iterator[Record]:
        """Process a message of a worker, or its death. Yield the record if the message has one."""
        try:
            kind, content = worker.connection.recv()
        except (EOFError, OSError):
            self._replace_dead(worker)
            return
        if kind == _STATUS:
            self._on_status(content)
        elif kind == _READY:
            self._search_loaded = True
            self._start_workers(self._jobs)
        elif kind == _STARTED:
            worker.has_started = True
        elif kind == _DONE:
            self._idle_deaths = 0
            yield content
            self._send_next_task(worker)
        elif kind == _REFUSED:
            where = f"at {worker.task}" if worker.has_started else "while it had no deal"
            raise WorkerDeathsError(f"a worker failed {where}: {content}")
        else:
            message, trace = content
            error = InternalError(f"{worker.task}: {message}" if worker.has_started else message)
            error.add_note(trace)
            raise error

    def end(self) -> None:
        """Kill all workers."""
        for worker in self._workers.values():
            worker.end(kill=True)
        self._workers.clear()

    def _start_workers(self, jobs: int) -> None:
        """Start workers until there are ``jobs`` of them, or no task is left."""
        while len(self._workers) < jobs and (task := self._next_task()) is not None:
            worker = _Worker(self._work, self._memory)
            self._workers[worker.connection] = worker
            worker.send(task)

    def _send_next_task(self, worker: _Worker) -> None:
        task = self._next_task()
        worker.send(task)
        if task is None:
            del self._workers[worker.connection]
            worker.end(kill=False)

    def _next_task(self) -> Task | None:
        return self._returned.pop() if self._returned else next(self._tasks, None)

    def _replace_dead(self, worker: _Worker) -> None:
        """Give the task of a dead worker to another worker.

        Raises WorkerDeathsError if this was the task's ``MAX_DEATHS``-th death, or the
        ``MAX_DEATHS``-th death in a row without a task.
        """
        del self._workers[worker.connection]
        how = worker.end(kill=False)
        task = worker.task
        assert task is not None
        if worker.has_started:
            self._deaths[task] += 1
            deaths, where, effect = self._deaths[task], f"at {task}", "solves this deal"
        else:
            self._idle_deaths += 1
            deaths, where, effect = self._idle_deaths, "while it had no deal", "replaces it"
        if deaths == MAX_DEATHS:
            raise WorkerDeathsError(f"a worker {how} {where}, as {MAX_DEATHS - 1} did before it")
        self._on_status(f"a worker {how} {where}; another worker {effect}")
        self._returned.append(task)
        self._start_workers(self._jobs if self._search_loaded else 1)


@contextmanager
def _ignoring_ctrl_c() -> Iterator[None]:
    """Make a process that is started in the block ignore Ctrl-C, which only the parent handles."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


class _ParentEnded(Exception):
    """The connection to the parent process is closed."""


def _run_worker(connection: Connection[Any, Any], work: Work, memory: int) -> None:
    """Run a worker process: solve each task received, until None is received or the parent ends."""
    # A terminal sends these signals to all processes; only the parent handles them.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(signal, "SIGHUP"):  # Windows has none
        signal.signal(signal.SIGHUP, signal.SIG_IGN)
    parent = multiprocessing.parent_process()
    assert parent is not None
    lock = threading.Lock()

    def send(kind: str, content: object = None) -> None:
        with lock:  # status messages are sent by another thread
            try:
                connection.send((kind, content))
            except OSError:
                raise _ParentEnded from None

    def send_status(text: str) -> None:
        with suppress(_ParentEnded):
            send(_STATUS, text)

    def receive_task() -> Task | None:
        try:
            task: Task | None = connection.recv()
        except (EOFError, OSError):
            raise _ParentEnded from None
        return task

    def exit_without_parent(progress: Progress) -> None:
        if not parent.is_alive():
            os._exit(1)

    with suppress(_ParentEnded):
        try:
            load_searches(send_status)
            send(_READY)
            while (task := receive_task()) is not None:
                send(_STARTED)
                send(_DONE, solve_task(task, work, memory, exit_without_parent))
        except _ParentEnded:
            raise
        except (OSError, MemoryError, ImportError) as error:
            reason = " ".join(str(error).split()).rstrip(".") or "out of memory"
            with suppress(MemoryError):
                send(_REFUSED, visible(reason, _REASON_LENGTH))
        except Exception as error:
            message = str(error) if isinstance(error, InternalError) else repr(error)
            send(_FAILED, (message, traceback.format_exc()))
