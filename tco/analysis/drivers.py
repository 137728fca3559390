"""Drivers of a fleet with the unit cost at both ends of each: what a tornado draws."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from tco.analysis.sensitivity import Exact, Sensitivity, ends
from tco.result import FleetResult

Told = float | str


@dataclass(frozen=True)
class Driver:
    """An input between two ends, and the unit cost (or the verdict) of its fleet at each; `stated`: it has a range."""

    name: str
    low: float
    high: float
    found: tuple[Told, Told]
    swing: float
    stated: bool


def drivers_of(found: Sensitivity) -> list[Driver]:
    """Those that move the fleet, the strongest first; a verdict lost at an end comes before all."""
    base = found.fleet.shown(found.measure)
    if not isinstance(base, float) or not base:
        return []
    exact = [(item.name, _ends(found.fleet, item.name), _exact(found, item, base)) for item in found.exact]
    runs = [(item.name, item.ends, item.found) for item in found.runs]
    made = [_driver(found.fleet, *told, base) for told in (*exact, *runs)]
    return sorted((item for item in made if item.swing > 0), key=lambda item: -item.swing)


def _ends(fleet: FleetResult, name: str) -> tuple[float, float]:
    return ends(fleet.model.inputs[name], fleet.inputs[name])


def _driver(fleet: FleetResult, name: str, two: tuple[float, float], found: tuple[Told, Told], base: float) -> Driver:
    figure = fleet.inputs[name]
    gaps = [np.inf if isinstance(one, str) else abs(one - base) for one in found]
    return Driver(name, *two, found, max(gaps), figure.low is not None or figure.high is not None)


def _exact(found: Sensitivity, item: Exact, base: float) -> tuple[Told, Told]:
    """Each line of the cost grows by its proven power of the driver."""
    fleet, figure = found.fleet, found.fleet.inputs[item.name]
    parts = np.array([float(np.sum(_two(fleet, line.amount, line.factor))) for line in found.lines])
    now = figure.number if figure.is_one else 1.0
    powers, factors = np.array(item.exponents), [end / now for end in _ends(fleet, item.name)]
    low, high = (base * float(np.sum(parts * by**powers) / np.sum(parts)) / by**item.output for by in factors)
    return low, high


def _two(fleet: FleetResult, amount: str, factor: str) -> Any:
    return np.asarray(fleet.values[amount], float) * np.asarray(fleet.values[factor], float)
