"""Workers that share a list of tasks; results come in the order of the tasks, whoever computed them.

Forked processes where the system has them: threads would wait for each other, since each array is small enough for the
cache and each operation on it takes microseconds. What all tasks need is held by each worker from its start.
"""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import warnings
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import BrokenExecutor, Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from typing import Any, TypeVar

from tco.errors import OutputError

_In = TypeVar("_In")
_Out = TypeVar("_Out")

MOST = 8
AHEAD = 2
"""Tasks that wait for each worker: enough to keep it busy, few enough to keep memory small."""

_HELD: list[Any] = []


def workers(asked: int | None) -> int:
    """As many as asked for, else one for each processor that may be used, up to a few."""
    if asked is not None:
        return max(asked, 1)
    usable = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return min(usable, MOST)


@contextlib.contextmanager
def workers_of(work: Any, jobs: int) -> Generator[Executor | None]:
    """A pool whose workers hold this; None for one worker, which is this process."""
    before, _HELD[:] = list(_HELD), [work]
    pool: Executor | None = None
    try:
        if jobs > 1 and sys.platform == "linux":
            import multiprocessing

            pool = ProcessPoolExecutor(jobs, multiprocessing.get_context("fork"), _deaf)
        elif jobs > 1:
            pool = ThreadPoolExecutor(jobs)
        _begin(pool)
        yield pool
    finally:
        if pool is not None:
            pool.shutdown(wait=True, cancel_futures=True)
        _HELD[:] = before


def held() -> Any:
    """What `workers_of` was given."""
    return _HELD[0]


def in_order(task: Callable[[_In], _Out], items: Iterable[_In], pool: Executor | None, jobs: int) -> Iterator[_Out]:
    """What the task makes of each item; an interruption leaves what has not begun undone. Raises OutputError."""
    if pool is None:
        yield from map(task, items)
        return
    waiting = deque[Future[_Out]]()
    try:
        for item in items:
            waiting.append(pool.submit(task, item))
            if len(waiting) > AHEAD * jobs:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
    except BrokenExecutor as error:
        raise OutputError(
            "a worker was ended from outside, perhaps for want of memory; fewer `--jobs` need less"
        ) from error
    finally:
        for future in waiting:
            future.cancel()


def _begin(pool: Executor | None) -> None:
    """Start the workers now, before there are arrays that each would seem to hold."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "This process .* is multi-threaded", DeprecationWarning)
        if pool is not None:
            pool.submit(int).result()


def _deaf() -> None:
    """An interruption is for the process that asked; workers end with it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
