"""The load that is billed: power by hour of calendar months."""

from __future__ import annotations

import calendar
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tco.tariff.meter import Base

Array = NDArray[np.float64]
Whole = NDArray[np.int64]
SATURDAY = 5


@dataclass(frozen=True)
class Month:
    """Power in kW at equal intervals of a month, with the hour of the day of each and whether it is a weekend.

    `head` is power that may come on top in any hour; `highest` the year's highest power where the months of a period
    are all alike.
    """

    year: int
    month: int
    power: Array
    hour: Whole
    weekend: Whole
    length: float = 1.0
    head: float = 0.0
    highest: float = 0.0

    @property
    def days(self) -> int:
        """Days of the month."""
        return calendar.monthrange(self.year, self.month)[1]

    @property
    def top(self) -> float:
        """The highest power in kW."""
        return float(self.power.max(initial=0.0)) + self.head

    @property
    def energy(self) -> float:
        """The month's energy in kWh."""
        return float(self.power.sum()) * self.length


def hours_of(year: int, month: int) -> tuple[Whole, Whole]:
    """Of every hour of a calendar month: its hour of the day, and its day of the week from Monday, 0."""
    first, days = calendar.monthrange(year, month)
    weekday = (first + np.arange(days)) % 7
    return np.tile(np.arange(24), days), np.repeat(weekday, 24)


def month_of(year: int, month: int, power: Array) -> Month:
    """A month from its hourly power."""
    hour, weekday = hours_of(year, month)
    return Month(year, month, power, hour, (weekday >= SATURDAY).astype(np.int64))


def shaped(year: int, month: int, mean: float, peak: float, highest: float, profile: tuple[float, ...]) -> Month:
    """A month of the mean power whose busiest hour has the peak."""
    hour, weekday = hours_of(year, month)
    power, head = _power(hour, weekday, mean, peak, profile)
    return Month(year, month, power, hour, (weekday >= SATURDAY).astype(np.int64), 1.0, head, highest)


def on_top(
    base: Base, year: int, month: int, load: tuple[float, float, float], profile: tuple[float, ...]
) -> tuple[Month, Month]:
    """A meter's month without, and with, a load of (mean, peak, highest) on the meter's own calendar."""
    weekend = (base.weekday >= SATURDAY).astype(np.int64)
    alone = Month(year, month, base.power, base.hour, weekend, base.length)
    power, head = _power(base.hour, base.weekday, load[0], load[1], profile)
    highest = alone.top + load[2]
    return alone, Month(year, month, base.power + power, base.hour, weekend, base.length, head, highest)


def _power(hour: Whole, weekday: Whole, mean: float, peak: float, profile: tuple[float, ...]) -> tuple[Array, float]:
    """Power by interval, and what may come on top in any.

    With a profile (24 hours of a day or 168 of a week from Monday) power rises straight with it, as a machine's does
    with its load. Without one energy is even over the hours, and the peak may fall into any of them.
    """
    if not profile:
        return np.full(len(hour), mean), peak - mean
    shape = np.array(profile)[hour if len(profile) == 24 else weekday * 24 + hour]
    above = shape - shape.mean()
    top = float(above.max())
    power = mean + (peak - mean) * above / top if top > 0 else np.full(len(hour), mean)
    if power.min() < 0:
        power = np.maximum(power, 0.0)
        power *= mean / power.mean() if power.any() else 0.0
    return power, 0.0
