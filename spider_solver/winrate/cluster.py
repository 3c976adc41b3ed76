"""Solving deals on the workers of a dask scheduler, on one machine or many.

dask.distributed (extra ``distributed``) assigns the deals to workers. If a worker dies, it assigns
the worker's deal to another one. This module submits only a few deals for each worker at a time,
so the memory needed does not grow with the number of deals.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import CancelledError
from itertools import islice
from typing import TYPE_CHECKING

from .. import __version__
from ..errors import InternalError, SpiderError
from ..memory import MEMORY_SHARE, default_memory
from ..records import Record, Task
from ..words import quote, visible
from .work import Work, WorkerDeathsError, WorkError, solve_task

if TYPE_CHECKING:
    from distributed import Client, Future

SUBMITTED_PER_THREAD = 3  # deals submitted and not yet solved, for each thread of the workers
MIN_SUBMITTED = 8  # so that a worker that joins later finds deals to solve
COUNT_SECONDS = 5.0  # between two counts of the workers
CONNECT_SECONDS = 10.0
_ERROR_LENGTH = 200  # characters of an error of dask that a message shows


def solve_on_cluster(
    tasks: Iterable[Task], work: Work, address: str, on_status: Callable[[str], None]
) -> Iterator[Record]:
    """Solve tasks on the workers of a scheduler. Yield each record when it is received.

    tasks: only a few for each worker are taken before records are received.
    address: the scheduler's address, such as ``tcp://127.0.0.1:8786``.
    on_status: called with messages for the user: that there is no worker.

    Raises WorkError if dask.distributed is missing, the scheduler cannot be reached or ends, or
    the workers lack this program or have another version of it; WorkerDeathsError if a deal is
    given up because its workers died (dask's ``allowed-failures``). Errors of a search are raised
    again here. If the iterator is not used up, it must be closed: then the submitted deals are
    cancelled.
    """
    try:
        from distributed import Client
        from distributed.comm import get_address_host_port
    except ImportError:
        raise WorkError(
            "a dask scheduler needs dask.distributed: pip install 'spider-solver[distributed]'"
        ) from None
    for logger in ("distributed", "distributed.client", "asyncio"):
        logging.getLogger(logger).setLevel(logging.CRITICAL)  # this module reports all errors
    try:
        get_address_host_port(address)
        client = Client(address, timeout=CONNECT_SECONDS)
    except (OSError, ValueError):
        raise WorkError(
            f"no dask scheduler answers at {quote(address)}: expected its address, like"
            " tcp://127.0.0.1:8786"
        ) from None
    with client:
        yield from _ClusterRun(client, iter(tasks), work, address, on_status).run()


class _ClusterRun:
    """A run on a cluster, with the tasks that are submitted and not yet solved."""

    def __init__(
        self,
        client: Client,
        tasks: Iterator[Task],
        work: Work,
        address: str,
        on_status: Callable[[str], None],
    ) -> None:
        self._client = client
        self._tasks = tasks
        self._work = work
        self._address = visible(address)  # for messages
        self._on_status = on_status
        self._submitted: dict[Future, Task] = {}  # without those that are solved
        self._counted = -COUNT_SECONDS  # when the workers were last counted
        self._threads = -1  # of all workers, when last counted; -1 before the first count
        self._max_submitted = 0  # tasks that may be submitted and not yet solved

    def run(self) -> Iterator[Record]:
        """Submit the tasks and yield their records."""
        try:
            self._submit()
            while self._submitted:
                for future in self._wait():
                    record = self._record(future, self._submitted.pop(future))
                    self._submit()
                    yield record
        finally:
            self._client.cancel(list(self._submitted))

    def _wait(self) -> Iterable[Future]:
        """Wait for the futures; return those that are done.

        If none is done after COUNT_SECONDS, the workers are counted and none is returned. If a
        future was cancelled, all are returned, because the result of each tells its state.
        """
        from distributed import wait

        futures = list(self._submitted)
        try:
            done: set[Future] = wait(futures, COUNT_SECONDS, return_when="FIRST_COMPLETED").done
        except TimeoutError:
            self._count_workers()
            return ()
        except CancelledError:
            return futures
        return done

    def _count_workers(self) -> None:
        """Count the threads of the workers. Report if there are none, but not twice in a row."""
        self._counted = time.monotonic()
        threads = sum(self._client.nthreads().values())
        if not threads and self._threads:
            self._on_status(
                f"there is no worker at {self._address}: waiting for one that has spider-solver"
                f" {__version__}"
            )
        self._threads = threads
        self._max_submitted = max(MIN_SUBMITTED, SUBMITTED_PER_THREAD * threads)

    def _submit(self) -> None:
        """Submit deals until enough are submitted or none is left."""
        if time.monotonic() - self._counted >= COUNT_SECONDS:
            self._count_workers()
        for task in islice(self._tasks, max(0, self._max_submitted - len(self._submitted))):
            future = self._client.submit(_solve_on_worker, task, self._work, pure=False)
            self._submitted[future] = task

    def _record(self, future: Future, task: Task) -> Record:
        """Return the record of a task whose future is done.

        Raises WorkError or WorkerDeathsError if the cluster failed, otherwise the error of the
        search.
        """
        from distributed import KilledWorker

        try:
            record = future.result()
        except KilledWorker as error:
            raise WorkerDeathsError(
                f"workers at {self._address} died again and again at {task}; the last one was"
                f" {error.last_worker}"
            ) from None
        except InternalError as error:
            raise InternalError(f"{task}: {error}") from error
        except SpiderError:
            raise
        except Exception as error:  # dask's versions raise different errors for the same failure
            if self._client.status != "running":
                raise WorkError(f"the scheduler at {self._address} has ended") from None
            if isinstance(error, ImportError) or "deserialization" in str(error):
                raise WorkError(
                    f"scheduler and workers at {self._address} need this program too: install"
                    f" spider-solver {__version__} there"
                ) from None
            raise WorkError(
                f"the cluster at {self._address} failed to solve {task}:"
                f" {visible(repr(error), _ERROR_LENGTH)}"
            ) from None
        assert isinstance(record, Record)
        if record.key != self._work.key:
            raise WorkError(
                f"a worker at {self._address} has spider-solver {visible(record.version)}, this is"
                f" {__version__}: install the same version there"
            )
        return record


def _solve_on_worker(task: Task, work: Work) -> Record:
    """Solve a deal in a dask worker, with the memory share of one of its threads."""
    from distributed import get_worker

    worker = get_worker()
    limit = worker.memory_manager.memory_limit
    memory = limit * MEMORY_SHARE if limit else default_memory()
    return solve_task(task, work, int(memory / worker.state.nthreads))
