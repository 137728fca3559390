"""When a plan decides: the years or periods of the timeline, and which systems stand where."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tco.timeline import Timeline

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Moment:
    """Periods `first` to before `end` for which one decision holds."""

    label: str
    first: int
    end: int

    def mask(self, periods: int) -> Array:
        """1 in its periods, else 0."""
        found = np.zeros(periods)
        found[self.first : self.end] = 1.0
        return found


def moments(timeline: Timeline, decide: str) -> list[Moment]:
    """One a year from the start, or one a period."""
    length = 1 if decide == "period" else max(12 // timeline.months_per_period, 1)
    labels, periods = timeline.labels, timeline.periods
    found = list[Moment]()
    for first in range(0, periods, length):
        end = min(first + length, periods)
        years = timeline.calendar_years
        whole = length > 1 and years[first] == years[end - 1] and end - first == length
        label = f"{years[first]}" if whole else f"{labels[first]} to {labels[end - 1]}"
        label = labels[first] if end == first + 1 else label
        found.append(Moment(label, first, end))
    return found


def standing(moment: Moment, periods: int, life: int | None, lead: int) -> Array | None:
    """Where a system that is added in the moment stands; None where none can be there before the moment ends.

    A contract shorter than the moment is renewed until the moment is over.
    """
    start = max(moment.first, lead)
    if start >= moment.end:
        return None
    left = moment.end - start
    lasting = periods if life is None else life if life >= left else math.ceil(left / life) * life
    found = np.zeros(periods)
    found[start : start + lasting] = 1.0
    return found
