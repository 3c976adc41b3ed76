"""Deals spread over the workers of a dask scheduler, on as many machines as it has.

dask.distributed (extra ``distributed``) does the scheduling: a deal whose worker died is done
by another one. Here a few deals a worker are kept in flight, so that a range of any length
costs no more than a short one.
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
from .work import Work, WorkError, solve_task

if TYPE_CHECKING:
    from distributed import Client, Future

IN_FLIGHT = 3  # deals a thread
LEAST_IN_FLIGHT = 8  # so that those who come late find some
LOOK_SECONDS = 5.0  # between two looks at how many workers there are
CONNECT_SECONDS = 10.0


def on_cluster(
    tasks: Iterable[Task], work: Work, address: str, say: Callable[[str], None]
) -> Iterator[Record]:
    """The tasks' records, each as soon as it's done, by the workers of a scheduler.

    Raises WorkError if the scheduler can't be reached, or workers die again and again.
    Close the iterator, should it be left early: then what isn't done is cancelled.
    """
    try:
        from distributed import Client
        from distributed.comm import get_address_host_port
    except ImportError:
        raise WorkError(
            "--scheduler needs dask.distributed: pip install 'spider-solver[distributed]'"
        ) from None
    for logger in ("distributed", "distributed.client", "asyncio"):
        logging.getLogger(logger).setLevel(logging.CRITICAL)  # what matters is told here
    try:
        get_address_host_port(address)
        client = Client(address, timeout=CONNECT_SECONDS)
    except (OSError, ValueError):
        raise WorkError(
            f"no dask scheduler answers at {address!r}: expected its address, like"
            " tcp://127.0.0.1:8786"
        ) from None
    with client:
        yield from _Flight(client, iter(tasks), work, address, say).run()


class _Flight:
    """The deals that a cluster is at."""

    def __init__(
        self,
        client: Client,
        tasks: Iterator[Task],
        work: Work,
        address: str,
        say: Callable[[str], None],
    ) -> None:
        self._client = client
        self._tasks = tasks
        self._work = work
        self._address = address
        self._say = say
        self._futures: set[Future] = set()
        self._looked = -LOOK_SECONDS
        self._threads = -1
        self._room = 0

    def run(self) -> Iterator[Record]:
        try:
            self._fill()
            while self._futures:
                for future in self._done():
                    self._futures.discard(future)
                    record = self._record(future)
                    self._fill()
                    yield record
        finally:
            self._client.cancel(list(self._futures))

    def _done(self) -> Iterable[Future]:
        """What is done by now; nothing, if nothing gets done for a while."""
        from distributed import wait

        futures = list(self._futures)
        try:
            done: set[Future] = wait(futures, LOOK_SECONDS, return_when="FIRST_COMPLETED").done
        except TimeoutError:
            self._look()
            return ()
        except CancelledError:  # one by one they tell why
            return futures
        return done

    def _look(self) -> None:
        """See how many workers there are."""
        self._looked = time.monotonic()
        threads = sum(self._client.nthreads().values())
        if not threads and self._threads:
            self._say(
                f"no worker is at {self._address}: waiting for one that has spider-solver"
                f" {__version__}"
            )
        self._threads = threads
        self._room = max(LEAST_IN_FLIGHT, IN_FLIGHT * threads)

    def _fill(self) -> None:
        """Hand out deals, until enough are in flight."""
        if time.monotonic() - self._looked >= LOOK_SECONDS:
            self._look()
        for task in islice(self._tasks, max(0, self._room - len(self._futures))):
            self._futures.add(self._client.submit(_on_worker, task, self._work, pure=False))

    def _record(self, future: Future) -> Record:
        """What a worker found. Raises WorkError for all that can happen to it."""
        from distributed import KilledWorker

        try:
            record = future.result()
        except KilledWorker as error:
            raise WorkError(
                f"workers at {self._address} died again and again at the same deal: try a smaller"
                f" --max-memory ({error.last_worker})"
            ) from None
        except (InternalError, SpiderError):
            raise
        except Exception as error:  # cancelled, lost, timed out: by many names over the versions
            if self._client.status != "running":
                raise WorkError(f"the scheduler at {self._address} is gone") from None
            if isinstance(error, ImportError) or "deserialization" in str(error):
                raise WorkError(
                    f"scheduler and workers at {self._address} need this program too: install"
                    f" spider-solver {__version__} there"
                ) from None
            raise WorkError(
                f"the cluster at {self._address} gave up a deal: {error!r}"[:300]
            ) from None
        assert isinstance(record, Record)
        if record.key != self._work.key:
            raise WorkError(
                f"a worker at {self._address} runs spider-solver {record.version}, this is"
                f" {__version__}: the results would not be of one kind"
            )
        return record


def _on_worker(task: Task, work: Work) -> Record:
    """Solve a deal in a dask worker."""
    from distributed import get_worker

    worker = get_worker()
    limit = worker.memory_manager.memory_limit
    memory = limit * MEMORY_SHARE if limit else default_memory()
    return solve_task(task, work, int(memory / worker.state.nthreads))
