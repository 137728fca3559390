"""Chunks of draws, on any worker."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tco.parallel import held
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


def compute(chunk: Chunk) -> tuple[int, Array]:
    """Where the chunk starts; headline and totals of each fleet, of shape (fleets, 3, draws)."""
    work: Work = held()
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
