"""The spider: the relative change of the recommended fleet's unit cost against the relative change of each driver."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tco.analysis.drivers import drivers_of
from tco.decisions.field import Array, Asked, Field
from tco.result import Result

LEGS, WIDEST, PLACES = 8, 0.5, 21
"""The strongest drivers that are drawn, how far they move to both sides, and at how many places."""


@dataclass(frozen=True)
class Leg:
    """A driver: relative changes of it, and of the unit cost (None where the work cannot be done as asked)."""

    name: str
    label: str
    across: tuple[float, ...]
    up: tuple[float | None, ...]


@dataclass(frozen=True)
class Spider:
    """The fleet, and its legs, the steepest first."""

    fleet: str
    legs: tuple[Leg, ...]


def spider(result: Result) -> Spider | None:
    """Of the recommended fleet, None where nothing moves it."""
    found = result.sensitivity
    if found is None:
        return None
    fleet = found.fleet
    names = [item.name for item in drivers_of(found)][:LEGS]
    field = Field(result)
    row = field.order.index(fleet.id)
    asked = [Asked({fleet.id: (name,)}, _factors(result, name)) for name in names]
    today = float(field.tables([Asked({}, np.ones(1))])[0].costs[row, 0])
    legs = [
        _leg(name, fleet.model.inputs[name].label, one, table.costs[row] / today - 1)
        for name, one, table in zip(names, asked, field.tables(asked), strict=True)
    ]
    return Spider(fleet.id, tuple(legs)) if legs and np.isfinite(today) else None


def _factors(result: Result, name: str) -> Array:
    """As far as the bounds allow."""
    fleet = result.by_id[result.recommended or ""]
    given, figure = fleet.model.inputs[name], fleet.inputs[name]
    numbers = np.array([figure.number] if figure.is_one else figure.series)
    least, most = 1 - WIDEST, 1 + WIDEST
    for bound in (given.minimum, given.maximum):
        reached = [] if bound is None else [bound / number for number in numbers if number]
        least = max([least, *(one for one in reached if one <= 1)])
        most = min([most, *(one for one in reached if one >= 1)])
    return np.linspace(least, most, PLACES)


def _leg(name: str, label: str, one: Asked, changes: Array) -> Leg:
    across = tuple(float(factor) - 1 for factor in one.factors)
    return Leg(name, label, across, tuple(float(change) if np.isfinite(change) else None for change in changes))
