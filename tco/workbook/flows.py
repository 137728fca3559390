"""What a fleet saves against the reference, moment by moment, as the sheet Reference shows it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tco.analysis.compare import MOMENTS, NOISE
from tco.result import FleetResult, Result

Array = NDArray[np.float64]


def compared_fleets(result: Result) -> list[FleetResult]:
    """The fleets whose flow can be set against the reference's; none where that has none."""
    base = result.by_id.get(result.reference or "")
    if base is None or not _has_flow(base) or result.day_count != "periods":
        return []
    return [fleet for fleet in result.fleets if fleet is not base and _has_flow(fleet)]


def _has_flow(fleet: FleetResult) -> bool:
    lines = [name for name in MOMENTS if name in fleet.model.lines]
    told = {"timing", "discount_rate"} <= fleet.shared and not fleet.unit_cost_only
    return told and bool(lines) and all(bool(np.isfinite(fleet.values[name]).all()) for name in lines)


class Grid:
    """Two moments a period: where it opens (and the one before closes), and its middle, where it runs.

    `opens`, `runs` and `closes` are the period's number, 0 for none; `years` and `discounted` are shape (moments,).
    """

    def __init__(self, result: Result) -> None:
        count = 2 * result.timeline.periods + 1
        numbers = np.arange(count)
        self.count, self.step = count, result.timeline.months_per_period / 12
        self.years: Array = np.asarray(numbers * 0.5 * self.step, dtype=float)
        self.runs = np.where(numbers % 2 == 1, (numbers + 1) // 2, 0)
        self.opens = np.where((numbers % 2 == 0) & (numbers < count - 1), numbers // 2 + 1, 0)
        self.closes = np.where(numbers % 2 == 0, numbers // 2, 0)

    def paid(self, fleet: FleetResult) -> Array:
        """What the fleet pays at each moment."""
        places = dict(zip(MOMENTS, (self.opens, self.runs, self.closes), strict=True))
        paid = np.zeros(self.count)
        for moment, place in places.items():
            if moment in fleet.model.lines:
                row: Any = fleet.values[moment]
                paid += np.append(0.0, np.reshape(row, -1))[place]
        return paid

    def factors(self, rate: float, timing: float) -> Array:
        """What discounts each moment; the convention moves what is paid through a period."""
        return (1 + rate) ** -(self.years + (self.runs > 0) * (0.5 - timing) * self.step)


@dataclass(frozen=True)
class Flow:
    """The rows of one fleet, shape (moments,), and what is read from them."""

    saved: Array
    factors: Array
    timing: float

    @cached_property
    def solved(self) -> Array:
        """The flow that IRR reads: what is saved through a period stands where the convention puts it."""
        if self.timing == 0.5:
            return self.saved
        even = np.arange(self.saved.size) % 2 == 0
        beside = np.append(self.saved[1:], 0.0) if self.timing else np.append(0.0, self.saved[:-1])
        return np.where(even, self.saved + beside, 0.0)

    @cached_property
    def solved_sum(self) -> Array:
        """Summed so far, as IRR reads it."""
        return np.cumsum(self.solved)

    @cached_property
    def so_far(self) -> Array:
        """Saved so far."""
        return np.cumsum(self.saved)

    @cached_property
    def present(self) -> Array:
        """Saved so far, discounted."""
        return np.cumsum(self.saved * self.factors)


class Short:
    """Where a row of sums stays below 0, noise left out; `last` counts moments from 1, 0 for none."""

    def __init__(self, row: Array) -> None:
        self.row, self.noise = row, NOISE * float(max(row.max(), -row.min()))
        below = np.flatnonzero(row < -self.noise)
        self.last = int(below[-1]) + 1 if below.size else 0
        self.early = int(np.sum(row[: max(self.last - 1, 0)] > self.noise))
        self.over = bool(row[-1] > self.noise)

    @property
    def missing(self) -> float:
        """What is missing at the last moment that is short."""
        return float(self.row[max(self.last, 1) - 1])

    @property
    def gain(self) -> float:
        """What the next moment adds."""
        return float(self.row[min(self.last, self.row.size - 1)]) - self.missing
