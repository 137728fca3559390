"""Workers that share a list of tasks; results come in the order of the tasks, whoever computed them."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor, Future
from typing import TypeVar

_In = TypeVar("_In")
_Out = TypeVar("_Out")

MOST = 8
AHEAD = 2
"""Tasks that wait for each worker: enough to keep it busy, few enough to keep memory small."""


def workers(asked: int | None) -> int:
    """As many as asked for, else one for each processor that may be used, up to a few."""
    if asked is not None:
        return max(asked, 1)
    usable = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return min(usable, MOST)


def in_order(task: Callable[[_In], _Out], items: Iterable[_In], pool: Executor | None, jobs: int) -> Iterator[_Out]:
    """What the task makes of each item; an interruption leaves what has not begun undone."""
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
    finally:
        for future in waiting:
            future.cancel()
