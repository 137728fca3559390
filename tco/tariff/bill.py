"""The bill of a load under a tariff: every calendar month, then what only a year decides."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tco.tariff.load import Month
from tco.tariff.rates import Charge, Steps, Tariff

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Bill:
    """Amounts of each month: `fixed` whatever is drawn, `minimum` what is missing to the least bill; kW `billed`."""

    energy: Array
    demand: Array
    fixed: Array
    minimum: Array
    billed: Array

    @property
    def total(self) -> Array:
        """Everything."""
        return self.energy + self.demand + self.fixed + self.minimum

    def less(self, other: Bill) -> Bill:
        """What this bill is above another of the same months."""
        return Bill(
            self.energy - other.energy, self.demand - other.demand, self.fixed - other.fixed,
            self.minimum - other.minimum, self.billed - other.billed,
        )  # fmt: skip


def bill(tariff: Tariff, months: Sequence[Month], earlier: Sequence[float] = ()) -> Bill:
    """The bill of consecutive months; `earlier` are peaks in kW of the months before, the last one last."""
    tops = [month.top for month in months]
    floors = _floors(tariff, months, tops, list(earlier))
    billed = np.maximum(tops, floors)
    energy = np.array([_energy(tariff, month, power) for month, power in zip(months, billed, strict=True)], dtype=float)
    demand = np.array([_demand(tariff, month, floor) for month, floor in zip(months, floors, strict=True)], dtype=float)
    if tariff.bands:
        by_energy, by_demand = _yearly(tariff, months)
        energy, demand = energy + by_energy, demand + by_demand
    fixed = np.array([tariff.fixed_monthly + tariff.fixed_daily * month.days for month in months], dtype=float)
    minimum = np.maximum(tariff.minimum_monthly - energy - demand - fixed, 0.0)
    minimum += _least_of_the_year(tariff, months, energy + demand + fixed + minimum)
    return Bill(energy, demand, fixed, minimum, billed)


# --- energy ---


def _energy(tariff: Tariff, month: Month, billed: float) -> float:
    return sum(_of_charge(charge, month, billed) for charge in tariff.energy)


def _of_charge(charge: Charge, month: Month, billed: float) -> float:
    periods = charge.schedule[month.weekend, month.month - 1, month.hour]
    inside = periods >= 0
    used = np.bincount(periods[inside], month.power[inside], len(charge.periods)) * month.length
    within = zip(charge.periods, used, strict=True)
    return sum(_stepped(steps, float(kwh), month.days, billed) for steps, kwh in within if kwh)


def _stepped(steps: Steps, amount: float, days: int = 1, billed: float = 1.0) -> float:
    """Each part of the amount at the price of its step; every period of a tariff has its own steps."""
    paid = below = 0.0
    for step in steps:
        limit = max(step.up_to * (billed if step.per_kw else 1.0) * (days if step.daily else 1), below)
        paid += max(min(amount, limit) - below, 0.0) * step.price
        below = limit
    return paid


# --- demand ---


def _demand(tariff: Tariff, month: Month, floor: float) -> float:
    paid = 0.0
    for number, charge in enumerate(tariff.demand):
        periods = charge.schedule[month.weekend, month.month - 1, month.hour]
        highest = np.zeros(len(charge.periods))
        inside = periods >= 0
        np.maximum.at(highest, periods[inside], month.power[inside])
        least = floor if number < tariff.floored else 0.0
        hours = np.bincount(periods[inside], minlength=len(charge.periods))
        for steps, power, count in zip(charge.periods, highest, hours, strict=True):
            paid += _stepped(steps, max(float(power) + month.head, least)) if count else 0.0
    return paid


def _floors(tariff: Tariff, months: Sequence[Month], tops: list[float], earlier: list[float]) -> list[float]:
    """Power that each month is billed at least."""
    ratchet = tariff.ratchet
    if ratchet is None:
        return [tariff.minimum_demand] * len(months)
    peaks, start, first = earlier + tops, len(earlier), months[0].month
    counts = [ratchet.counted[(first - 1 + index - start) % 12] for index in range(len(peaks))]
    kept = [peak if counted else 0.0 for peak, counted in zip(peaks, counts, strict=True)]
    floors = list[float]()
    for index in range(start, len(peaks)):
        recent = kept[max(index - ratchet.months, 0) : index]
        floors.append(max(tariff.minimum_demand, ratchet.share * max(recent, default=0.0)))
    return floors


# --- what a year decides ---


def _years(months: Sequence[Month]) -> dict[int, list[int]]:
    found: dict[int, list[int]] = {}
    for index, month in enumerate(months):
        found.setdefault(month.year, []).append(index)
    return found


def _yearly(tariff: Tariff, months: Sequence[Month]) -> tuple[Array, Array]:
    """Prices a kW and year by hours of use: a year's energy over its highest peak; part of a year pays its part."""
    energy, demand = np.zeros(len(months)), np.zeros(len(months))
    for inside in _years(months).values():
        used = np.array([months[index].energy for index in inside])
        peak = max(max(months[index].top, months[index].highest) for index in inside)
        part = len(inside) / 12
        hours = float(used.sum()) / part / peak if peak else 0.0
        band = next(one for one in tariff.bands if hours < one.below)
        energy[inside] = used * band.energy
        demand[inside] = peak * band.demand / 12
    return energy, demand


def _least_of_the_year(tariff: Tariff, months: Sequence[Month], paid: Array) -> Array:
    """What is missing to the year's least bill, spread over its months."""
    missing = np.zeros(len(months))
    if tariff.minimum_yearly:
        for inside in _years(months).values():
            least = tariff.minimum_yearly * len(inside) / 12
            missing[inside] = max(least - float(paid[inside].sum()), 0.0) / len(inside)
    return missing
