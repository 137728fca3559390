"""Chunks of draws on several processors. Forked processes where the system has them: threads would wait for each other,
since each array is small enough for the cache and each operation on it takes microseconds."""

from __future__ import annotations

import contextlib
import signal
import sys
import warnings
from collections.abc import Generator, Mapping
from concurrent.futures import Executor, ProcessPoolExecutor, ThreadPoolExecutor
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tco.result import VERDICTS
from tco.uncertainty.common import Fleets
from tco.uncertainty.draws import Draws

Array = NDArray[np.float64]
TOTALS = ("total_cost", "present_cost")
FLAGS = tuple(name for name, _ in VERDICTS)


class Chunk(NamedTuple):
    """Points from a start on, for some fleets."""

    names: list[str]
    start: int
    shares: Array


@dataclass
class Work:
    """What every worker holds."""

    draws: Draws
    fleets: Fleets
    headline: str


_WORK: list[Work] = []


@contextlib.contextmanager
def workers_of(work: Work, jobs: int) -> Generator[Executor | None]:
    """A pool that computes chunks; None for one worker, which is this process."""
    before, _WORK[:] = list(_WORK), [work]
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
        _WORK[:] = before


def _begin(pool: Executor | None) -> None:
    """Start the workers now, before there are arrays that each would seem to hold."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "This process .* is multi-threaded", DeprecationWarning)
        if pool is not None:
            pool.submit(int).result()


def _deaf() -> None:
    """An interruption is for the process that asked; workers end with it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def compute(chunk: Chunk) -> tuple[int, Array]:
    """Where the chunk starts; headline and totals of each fleet, of shape (fleets, 3, draws)."""
    (work,) = _WORK
    names, count = chunk.names, len(chunk.shares)
    drawn = work.draws.values(chunk.shares, work.fleets.columns(names))
    found = np.empty((len(names), 1 + len(TOTALS), count))
    for low, lines in work.fleets.blocks(names, drawn, count):
        for at, name in enumerate(names):
            found[at, :, low : low + work.fleets.block] = numbers_of(lines[name], work.headline)
    return chunk.start, found


def numbers_of(found: Mapping[str, Array], headline: str) -> Array:
    """Rows of headline, total and present cost; nan where a verdict is not good or the headline is none."""
    lines = [found.get(name) for name in (headline, *TOTALS)]
    flags = [found[name] for name in FLAGS if name in found]
    rows = [np.full(1, np.nan) if line is None else line.reshape(-1) for line in lines]
    table = np.array(np.broadcast_arrays(*rows, *(flag.reshape(-1) for flag in flags))[:3])
    able = np.isfinite(table[0])
    for flag in flags:
        able = able & (flag.reshape(-1) != 0)
    return np.where(able, table, np.nan)
