"""The executor on a Dask cluster, by the address of its scheduler.

Scenarios travel to the workers and their outputs back, so that workers need no common folder; they need the same tco.
Dask gives the tasks of a worker that dies to the others.
"""

from __future__ import annotations

import importlib
import itertools
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from typing import Any, TypeVar

from tco.batch.executor import Raised
from tco.batch.identity import engine
from tco.batch.processes import WAITING, guarded
from tco.errors import TcoError

T = TypeVar("T")
R = TypeVar("R")

CONNECTING, PATIENCE = 10, 60
"""Seconds until a scheduler must answer, and until somebody must be there to work."""


class Cluster:
    """Workers of a Dask cluster. Raises TcoError where there is none, or where it computes with another tco."""

    def __init__(self, address: str) -> None:
        self._address, self._dask = address, _distributed()
        try:
            self._client: Any = self._dask.Client(address, timeout=CONNECTING, set_as_default=False)
        except (OSError, ValueError, TypeError) as error:
            told = f"no Dask scheduler answers there ({type(error).__name__}); wanted such as tcp://10.0.0.5:8786"
            raise TcoError(f"{address}: {told}") from error
        try:
            self._check()
        except BaseException:
            self.close()
            raise

    def run(self, function: Callable[[T], R], tasks: Iterable[T]) -> Iterator[R | Raised]:
        """Yield one answer for each task, in their order."""
        source = iter(tasks)
        waiting: deque[Any] = deque()
        while True:
            room = max(self._threads(), 1) * WAITING - len(waiting)
            for task in itertools.islice(source, max(room, 0)):
                waiting.append(self._client.submit(guarded, function, task, pure=False))
            if not waiting:
                return
            yield self._answer(waiting.popleft())

    def close(self) -> None:
        """Leave the cluster as it is."""
        self._client.close(timeout=CONNECTING)

    def _threads(self) -> int:
        try:
            return sum(self._client.nthreads().values())
        except OSError as error:
            raise TcoError(f"{self._address}: the scheduler is gone; {AGAIN}") from error

    def _answer(self, future: Any) -> Any:
        while True:
            try:
                return future.result(timeout=PATIENCE)
            except self._dask.TimeoutError:
                if not self._threads():
                    raise TcoError(f"{self._address}: no worker is left; {AGAIN}") from None
            except self._dask.KilledWorker:
                return Raised("its worker died again and again: out of memory, or killed from outside", died=True)
            except (self._dask.CancelledError, OSError):
                raise TcoError(f"{self._address}: the scheduler is gone; {AGAIN}") from None

    def _check(self) -> None:
        """Numbers are the same to the last digit if everything that computes is the same."""
        try:
            self._client.wait_for_workers(1, timeout=PATIENCE)
        except self._dask.TimeoutError:
            raise TcoError(f"{self._address}: the cluster has no worker; start some and try again") from None
        for worker, found in self._client.run(engine, on_error="return").items():
            if apart := difference(found):
                raise TcoError(f"{worker}: {apart}; install the same there")


def difference(found: Any) -> str:
    """What a worker answers about its engine, if it is not this one; else nothing."""
    if isinstance(found, Exception):
        return f"cannot import this tco ({found})"
    apart = [f"{name} {found.get(name)} instead of {own}" for name, own in engine().items() if found.get(name) != own]
    return f"computes with {', '.join(apart)}" if apart else ""


AGAIN = "what is done is kept: give the same command again when the cluster is there"


def _distributed() -> Any:
    try:
        return importlib.import_module("distributed")
    except ModuleNotFoundError as error:
        told = "--cluster needs the extra `cluster`: pip install 'tco-engine[cluster]'"
        raise TcoError(told) from error
