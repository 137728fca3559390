"""A tariff as numbers: prices by period and step, schedules of months, days and hours, floors and minimum bills."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tco.tariff.meter import Meter

Schedule = NDArray[np.int64]
"""Which period an hour belongs to: shape (2, 12, 24), workdays before weekends; -1 where none."""

ALWAYS: Schedule = np.zeros((2, 12, 24), dtype=np.int64)


@dataclass(frozen=True)
class Step:
    """A price up to a limit. Of energy the limit may be for each kW that the month bills, for each day, or both."""

    price: float
    up_to: float = math.inf
    per_kw: bool = False
    daily: bool = False


Steps = tuple[Step, ...]


@dataclass(frozen=True)
class Charge:
    """Prices of the periods of one schedule; several charges add up."""

    periods: tuple[Steps, ...]
    schedule: Schedule

    @property
    def is_flat(self) -> bool:
        """Whether every hour of the year has the same one price."""
        used = np.unique(self.schedule)
        first = self.periods[int(used[0])]
        same = all(self.periods[int(index)] == first for index in used)
        return bool(used[0] >= 0) and same and len(first) == 1


@dataclass(frozen=True)
class Ratchet:
    """A share of the highest peak of so many months before; only the `counted` months of the year are looked at."""

    share: float
    months: int
    counted: tuple[bool, ...] = (True,) * 12


@dataclass(frozen=True)
class Band:
    """Prices of a year's energy and of its highest peak, for less than so many hours of use."""

    below: float
    energy: float
    demand: float


@dataclass(frozen=True)
class Tariff:
    """Prices in one currency: a kWh, a kW and month, a month, a day. `bands` are prices a kW and year.

    `demand` is charged on the highest power of the month inside each period; the first `floored` of its charges
    are billed on no less than the ratchet and `minimum_demand` say.
    """

    name: str
    currency: str
    energy: tuple[Charge, ...] = ()
    demand: tuple[Charge, ...] = ()
    floored: int = 0
    ratchet: Ratchet | None = None
    minimum_demand: float = 0.0
    bands: tuple[Band, ...] = ()
    fixed_monthly: float = 0.0
    fixed_daily: float = 0.0
    minimum_monthly: float = 0.0
    minimum_yearly: float = 0.0
    effective: str = ""
    expires: str = ""
    source: str = ""
    least_power: float = 0.0
    most_power: float = math.inf

    @property
    def is_simple(self) -> bool:
        """Whether lines of the model can bill it: one price of energy, one of the month's peak, no yearly terms."""
        whole = self.ratchet is None or all(self.ratchet.counted)
        flat = all(charge.is_flat for charge in (*self.energy, *self.demand))
        floors = self.floored == len(self.demand) or not (self.ratchet or self.minimum_demand)
        return flat and whole and floors and not self.bands and not self.minimum_yearly and not self.fixed_daily


@dataclass(frozen=True)
class Asked:
    """A tariff to bill a fleet by: over the profile of its work, after the peaks of the months before.

    With the `meter` of a site the fleet comes on top, and pays what the bill rises by.
    """

    tariff: Tariff
    profile: tuple[float, ...] = ()
    earlier: tuple[float, ...] = ()
    meter: Meter | None = None
