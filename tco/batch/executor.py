"""Who computes: one small interface, whatever stands behind it.

`run(function, tasks)` takes a function and an iterable of arguments, draws only as many as keep the workers busy, and
yields one answer a task in the order of the tasks. Function, tasks and answers must be picklable; a function that
returns the same for the same task gives the same answers on every executor. A task should take 50 ms or more.
"""

from __future__ import annotations

import contextlib
import gc
import traceback
from collections.abc import Callable, Generator, Iterable, Iterator
from dataclasses import dataclass
from typing import Protocol, TypeVar

T = TypeVar("T")
R = TypeVar("R")

OFTEN = 50
"""After so many tasks a process looks for all garbage, not only for that of the last task."""


@dataclass(frozen=True)
class Raised:
    """In place of an answer: the function raised what it does not expect, or its worker `died`.

    `error` is there in the process that computed.
    """

    told: str
    trace: str = ""
    error: BaseException | None = None
    died: bool = False


class Executor(Protocol):
    """Answers to tasks, in their order."""

    def run(self, function: Callable[[T], R], tasks: Iterable[T]) -> Iterator[R | Raised]:
        """Yield one answer for each task."""
        ...

    def close(self) -> None:
        """Let the workers go."""
        ...


class Serial:
    """In this process, one after the other."""

    def run(self, function: Callable[[T], R], tasks: Iterable[T]) -> Iterator[R | Raised]:
        """Yield one answer for each task."""
        for number, task in enumerate(tasks):
            if number:
                gc.collect(2 if number % OFTEN == 0 else 0)  # tco.__main__ turns the collector off
            try:
                with _without_collector():
                    answer = function(task)
            except Exception as error:
                yield Raised(told(error), traceback.format_exc(), error)
                continue
            yield answer

    def close(self) -> None:
        """Nobody to let go."""


@contextlib.contextmanager
def _without_collector() -> Generator[None]:
    """Almost all that a task makes is needed to its end: looking for garbage between tasks saves a twentieth."""
    was = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was:
            gc.enable()


def told(error: BaseException) -> str:
    """An unforeseen error in one line."""
    return f"{type(error).__name__}: {error}".splitlines()[0]
