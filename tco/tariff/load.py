"""The load that is billed: power by hour of calendar months."""

from __future__ import annotations

import calendar
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
SATURDAY = 5


@dataclass(frozen=True)
class Month:
    """Power in kW at equal intervals of a month, with the hour of the day of each and whether it is a weekend.

    `peak` is a highest power that may fall into any hour; `highest` is that of the year's busiest month where the
    months of a period are all alike.
    """

    year: int
    month: int
    power: Array
    hour: NDArray[np.int64]
    weekend: NDArray[np.int64]
    length: float = 1.0
    peak: float = 0.0
    highest: float = 0.0

    @property
    def days(self) -> int:
        """Days of the month."""
        return calendar.monthrange(self.year, self.month)[1]

    @property
    def top(self) -> float:
        """The highest power in kW."""
        return max(float(self.power.max(initial=0.0)), self.peak)

    @property
    def energy(self) -> float:
        """The month's energy in kWh."""
        return float(self.power.sum()) * self.length


def hours_of(year: int, month: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Of every hour of a calendar month: its hour of the day, and its day of the week from Monday, 0."""
    first, days = calendar.monthrange(year, month)
    weekday = (first + np.arange(days)) % 7
    return np.tile(np.arange(24), days), np.repeat(weekday, 24)


def month_of(year: int, month: int, power: Array) -> Month:
    """A month from its hourly power."""
    hour, weekday = hours_of(year, month)
    return Month(year, month, power, hour, (weekday >= SATURDAY).astype(np.int64))


def shaped(year: int, month: int, mean: float, peak: float, highest: float, profile: tuple[float, ...]) -> Month:
    """A month of the mean power whose busiest hour has the peak.

    With a profile (24 hours of a day or 168 of a week from Monday) power rises straight with it, as a machine's does
    with its load. Without one energy is even over the hours, and the peak may fall into any of them.
    """
    hour, weekday = hours_of(year, month)
    weekend = (weekday >= SATURDAY).astype(np.int64)
    if not profile:
        return Month(year, month, np.full(len(hour), mean), hour, weekend, peak=peak, highest=highest)
    shape = np.array(profile)[hour if len(profile) == 24 else weekday * 24 + hour]
    above = shape - shape.mean()
    top = float(above.max())
    power = mean + (peak - mean) * above / top if top > 0 else np.full(len(hour), mean)
    if power.min() < 0:
        power = np.maximum(power, 0.0)
        power *= mean / power.mean() if power.any() else 0.0
    return Month(year, month, power, hour, weekend, highest=highest)
