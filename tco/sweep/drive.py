"""Writes a sweep part by part, with a bar on a terminal, and sums up what was found."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from tco.errors import OutputError
from tco.sweep.found import KEPT, Found
from tco.sweep.rows import columns_of, heads
from tco.sweep.run import BLOCK, Part, Sweep
from tco.sweep.writers import MOST_ROWS, opened, partial

TABLES = ("csv", "parquet", "xlsx")
MOST_KEPT = 1_000_000
"""Variants whose answers are kept for the summary by axes."""

SMALL = 4_096
"""Variants after which the bar is drawn anew."""


@dataclass
class Tally:
    """What the parts add up to; answers of each variant only of a sweep that is not too large."""

    sweep: Sweep
    done: int = 0
    kept: int = 0
    wins: NDArray[np.int64] = field(default_factory=lambda: np.zeros(0, np.int64))
    refused: dict[int, str] = field(default_factory=dict[int, str])
    best: list[NDArray[np.int16]] = field(default_factory=list[NDArray[np.int16]])
    costs: list[NDArray[np.float64]] = field(default_factory=list[NDArray[np.float64]])

    def add(self, start: int, found: Found) -> None:
        """Count a part."""
        fleets = len(self.sweep.fleets)
        self.done += len(found.best)
        self.kept += int(np.any(found.choices == KEPT, axis=1).sum())
        wins = np.bincount(found.best.astype(np.int64) + 1, minlength=fleets + 1)
        self.wins = wins if not len(self.wins) else self.wins + wins
        for at, reason in found.refused.items():
            if len(self.refused) < MOST_KEPT:
                self.refused[start + at] = reason
        if self.sweep.asked.count <= MOST_KEPT:
            self.best.append(found.best)
            costs = found.values[np.arange(len(found.best)), found.best, 0]
            self.costs.append(np.where(found.best < 0, np.nan, costs))


def write(sweep: Sweep, out: Path, name: str, formats: Sequence[str], *, force: bool = False, jobs: int = 1) -> Tally:
    """Compute and write the tables. Raises ScenarioError, OutputError; KeyboardInterrupt with what is done in files."""
    files = [out / f"{name}.{kind}" for kind in TABLES if kind in formats]
    _check(sweep, files, force)
    tally = Tally(sweep)
    told = heads(sweep)
    with contextlib.ExitStack() as stack:
        writers = [stack.enter_context(opened(file, told)) for file in files]
        for part in _with_bar(sweep, jobs):
            tally.add(part.start, part.found)
            if writers:
                columns = columns_of(sweep, part)
                for writer in writers:
                    writer.write(columns)
    for file in files:
        with contextlib.suppress(OSError):
            os.unlink(partial(file))
    return tally


def _check(sweep: Sweep, files: Sequence[Path], force: bool) -> None:
    rows = sweep.asked.count * len(sweep.fleets)
    for file in files:
        if file.suffix == ".xlsx" and rows > MOST_ROWS:
            told = f"{file}: a sheet holds {MOST_ROWS:,} rows, and {rows:,} are asked for"
            raise OutputError(f"{told}; write csv or parquet (`--only csv`)")
        if file.suffix == ".xlsx" and os.path.lexists(file) and not force:
            raise OutputError(f"{file}: exists already; choose another --out, or overwrite it with --force")


def _with_bar(sweep: Sweep, jobs: int) -> Iterator[Part]:
    """The parts, with how many are done on a terminal; its line is empty again at the end, whatever ends it."""
    count = sweep.asked.count
    if not sys.stderr.isatty():
        yield from sweep.parts(jobs=jobs)
        return
    done = 0
    try:
        _draw(done, count)
        for part in sweep.parts(BLOCK if count > 4 * BLOCK else SMALL, jobs):
            yield part
            done += len(part.found.best)
            _draw(done, count)
    finally:
        sys.stderr.write("\r\x1b[K")
        sys.stderr.flush()


def _draw(done: int, count: int) -> None:
    full = 30 * done // max(count, 1)
    sys.stderr.write(f"\r[{'#' * full}{'.' * (30 - full)}] {done:,} of {count:,} variants")
    sys.stderr.flush()
