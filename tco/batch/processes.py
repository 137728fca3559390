"""The executor on this machine's cores: a pool of processes that outlives the death of one of them."""

from __future__ import annotations

import contextlib
import gc
import itertools
import multiprocessing
import os
import signal
import threading
import traceback
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import BrokenExecutor, Future, ProcessPoolExecutor
from typing import Any, TypeVar

from tco.batch.executor import Raised, told

T = TypeVar("T")
R = TypeVar("R")

WAITING = 3
"""Tasks a worker has at hand: answers come in order, so the others go on while the first still computes."""
ALLOCATOR = {"MALLOC_TRIM_THRESHOLD_": "134217728", "MALLOC_MMAP_THRESHOLD_": "33554432"}
"""glibc keeps freed memory of large arrays instead of asking the kernel anew: 2 to 3 times as fast on blocks."""
OF_DASK = "65536"
"""What Dask leaves in the environment of a process that once started a cluster: it turns that off."""


class Processes:
    """A pool of processes, each one task at a time."""

    def __init__(self, jobs: int) -> None:
        self._jobs = jobs
        self._pool: ProcessPoolExecutor | None = None
        for name, value in ALLOCATOR.items():
            if os.environ.get(name, OF_DASK) == OF_DASK:
                os.environ[name] = value

    def run(self, function: Callable[[T], R], tasks: Iterable[T]) -> Iterator[R | Raised]:
        """Yield one answer for each task, in their order."""
        source = iter(tasks)
        waiting: deque[tuple[T, Future[R | Raised]]] = deque()
        while True:
            for task in itertools.islice(source, self._jobs * WAITING - len(waiting)):
                waiting.append((task, self._submitted(function, task)))
            if not waiting:
                return
            try:
                answer = waiting[0][1].result()
            except BrokenExecutor:
                self.close()
                again = [task for task, _ in waiting]
                waiting.clear()
                yield from self._one_by_one(function, again)
                continue
            waiting.popleft()
            yield answer

    def close(self) -> None:
        """Let the workers go; those that compute finish first."""
        if self._pool:
            self._pool.shutdown(wait=True, cancel_futures=True)
            self._pool = None

    def _submitted(self, function: Callable[[T], R], task: T) -> Future[R | Raised]:
        self._pool = self._pool or _pool(self._jobs)
        try:
            with _interrupts_ignored():
                return self._pool.submit(guarded, function, task)
        except BrokenExecutor as error:
            broken: Future[R | Raised] = Future()
            broken.set_exception(error)
            return broken

    def _one_by_one(self, function: Callable[[T], R], tasks: Iterable[T]) -> Iterator[R | Raised]:
        """A worker died: each task that was under way gets one of its own, which tells whose fault it was."""
        for task in tasks:
            with _pool(1) as alone:
                try:
                    answer = alone.submit(guarded, function, task).result()
                except BrokenExecutor:
                    answer = Raised("its worker died: out of memory, or killed from outside", died=True)
            yield answer


def _pool(workers: int) -> ProcessPoolExecutor:
    """Workers begin anew (no fork): they hold no lock and no file of this process, so a killed one leaves none."""
    return ProcessPoolExecutor(workers, multiprocessing.get_context("spawn"), initializer=_begin)


@contextlib.contextmanager
def _interrupts_ignored() -> Generator[None]:
    """A process that starts here never sees an interrupt from the terminal, not even while it starts."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


_calls = itertools.count()


def guarded(function: Callable[[T], R], task: T) -> R | Raised:
    """In the worker: the answer, or what was raised, as text that every process can read."""
    try:
        return function(task)
    except Exception as error:
        return Raised(told(error), traceback.format_exc())
    finally:
        if not gc.isenabled():
            gc.collect()
            if not next(_calls):
                gc.freeze()  # what the first task loaded is needed for all others


def _begin() -> None:
    """A worker leaves interrupts to its parent, ends with it, and looks for garbage between tasks alone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    gc.disable()
    threading.Thread(target=_end_with, args=(multiprocessing.parent_process(),), daemon=True).start()


def _end_with(parent: Any) -> None:
    parent.join()
    os._exit(1)
