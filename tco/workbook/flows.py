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
    if base is None or not _has_flow(base):
        return []
    return [fleet for fleet in result.fleets if fleet is not base and _has_flow(fleet)]


def _has_flow(fleet: FleetResult) -> bool:
    lines = [name for name in MOMENTS if name in fleet.model.lines]
    told = {"timing", "discount_rate"} <= fleet.shared and not fleet.unit_cost_only
    return told and bool(lines) and all(bool(np.isfinite(fleet.values[name]).all()) for name in lines)


class Grid:
    """Moments of the flow: where a period opens, its middle, where it runs, and where it closes.

    In equal periods what closes one and what opens the next is one moment, so that there are two a period and one more;
    in days (`by_days`) the last day of one and the first of the next are two. `opens`, `runs` and `closes` are the
    period's number, 0 for none; `years` and `lengths` (of the period that runs) are shape (moments,).
    """

    def __init__(self, result: Result) -> None:
        periods, self.by_days = result.timeline.periods, result.day_count != "periods"
        self.step = result.timeline.months_per_period / 12
        self.apart = 3 if self.by_days else 2
        self.count = self.apart * periods + (not self.by_days)
        numbers = np.arange(self.count)
        place, number = numbers % self.apart, numbers // self.apart + 1
        self.runs = np.where(place == 1, number, 0)
        self.opens = np.where((place == 0) & (number <= periods), number, 0)
        self.closes = np.where(place == 2, number, 0) if self.by_days else np.where(place == 0, number - 1, 0)
        opening, closing = result.timeline.discount_times(result.day_count)
        middle = (opening + closing) / 2
        moments = np.stack([opening, middle, closing][: self.apart], axis=1).reshape(-1)
        self.years: Array = moments if self.by_days else np.asarray(numbers * 0.5 * self.step, dtype=float)
        self.lengths = np.append(closing - opening, 0.0)[np.minimum(number, periods) - 1]

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
        return (1 + rate) ** -(self.years + (self.runs > 0) * (0.5 - timing) * self.lengths)


@dataclass(frozen=True)
class Flow:
    """The rows of one fleet, shape (moments,), and what is read from them; `runs` marks where a period runs."""

    saved: Array
    factors: Array
    timing: float
    runs: Array

    @cached_property
    def solved(self) -> Array:
        """The flow that IRR reads: what is saved through a period stands where the convention puts it."""
        if self.timing == 0.5:
            return self.saved
        running = np.where(self.runs > 0, self.saved, 0.0)
        beside = np.append(running[1:], 0.0) if self.timing else np.append(0.0, running[:-1])
        return np.where(self.runs > 0, 0.0, self.saved + beside)

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
