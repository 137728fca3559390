"""What stands where on the sheet Sensitivity, and the values of its cells."""

from __future__ import annotations

import functools
import textwrap
from dataclasses import dataclass
from typing import Any

import numpy as np

from tco.analysis.sensitivity import CHANGE, SMALL, Exact, Run, Sensitivity, ends
from tco.declare import Given
from tco.figures import Figure
from tco.workbook.book import Value
from tco.workbook.foundation import TOLERANCE
from tco.workbook.places import SENSITIVITY, sheet_of
from tco.workbook.plan import Plan, label_of
from tco.workbook.values import FleetValues

DRIVER_HEADS = (
    "Driver", "Unit", "Now", "Low", "High", "Factor at low", "Factor at high", "At low", "At high", "Change at low",
    "Change at high", "Swing", "Rank", "How", "Now, as issued", "State",
)  # fmt: skip
NUMBER = 2
"""The column of the numbers of all tables."""
MEASURE_ROW, ISSUED_ROW, CHANGE_ROW, STATE_ROW, TOP = 4, 5, 6, 7, 9
DRAWN, CHART_ROWS, TEXT_WIDTH = 12, 22, 220
"""Drivers in the tornado, rows that the chart takes, characters in a line of text."""


class Columns:
    """Columns of the table of drivers."""

    NOW, LOW, HIGH, FACTOR_LOW, FACTOR_HIGH, AT_LOW, AT_HIGH = range(2, 9)
    CHANGE_LOW, CHANGE_HIGH, SWING, RANK, HOW, ISSUED, STATE = range(9, 16)


@dataclass
class Driver:
    """A row: its values as the formulas give them. `power` is its place among the exact ones, None for a run."""

    name: str
    label: str
    given: Given
    figure: Figure
    ends: tuple[float, float]
    factors: tuple[float, float]
    at: tuple[float | str, float | str]
    changes: tuple[float, float]
    power: int | None

    @property
    def swing(self) -> float:
        """From the lowest to the highest change, today among them."""
        return max(*self.changes, 0.0) - min(*self.changes, 0.0)


class SensitivityPlan:
    """Rows, decided before anything is written, because Checks reads them."""

    name = SENSITIVITY

    def __init__(self, plan: Plan, found: Sensitivity, values: FleetValues) -> None:
        self.plan, self.found, self.values = plan, found, values
        self.change, self.calc = CHANGE, sheet_of(found.fleet.id)
        item = found.fleet.model.lines[found.measure]
        self.label, self.unit = label_of(item), plan.line_unit(item, item.name)
        self.now = self.issued = float(np.reshape(found.fleet.values[found.measure], -1)[0])
        self.look = plan.look(found.measure, self.unit, [self.issued])
        self.present = [self._present(line.amount, line.factor) for line in found.lines]
        self.whole = float(sum(self.present))
        self.rows = [*map(self._exact, range(len(found.exact)), found.exact), *map(self._run, found.runs)]
        self.first = TOP + CHART_ROWS + 3
        self.still = self._still()
        self.matrix = self.last + len(self.still) + 4

    @property
    def last(self) -> int:
        """The row of the last driver."""
        return self.first + len(self.rows) - 1

    @property
    def total(self) -> int:
        """The row of the sum of the cost lines, below the last of them; that of the output follows."""
        return self.matrix + len(self.found.lines)

    @functools.cached_property
    def ranks(self) -> list[int]:
        """As the formulas rank: the largest swing first, equals in the order of rows; noise is no difference."""
        swings, near = np.array([row.swing for row in self.rows]), TOLERANCE * abs(self.now)
        return [
            int(np.sum(swings > mine + near) + np.sum(np.abs(swings[: place + 1] - mine) <= near))
            for place, mine in enumerate(swings)
        ]

    @property
    def largest(self) -> list[int]:
        """Places of the drivers in the tornado."""
        return sorted(range(len(self.rows)), key=lambda index: self.ranks[index])[:DRAWN]

    def _still(self) -> list[str]:
        """Drivers that hardly move it, in lines that fit."""
        labels = [label_of(self.found.fleet.model.inputs[name]) for name in self.found.still]
        told = f"Moves it by less than {SMALL:.1%} between their ends: {', '.join(labels)}."
        return textwrap.wrap(told, TEXT_WIDTH) if labels else []

    @property
    def label_width(self) -> float:
        """Room for the longest label."""
        return max(46, *(len(row.label) * 0.95 for row in self.rows))

    def _present(self, amount: str, factor: str) -> float:
        values: Any = self.found.fleet.values
        return float(np.sum(values[amount] * values[factor]))

    def _exact(self, place: int, driver: Exact) -> Driver:
        given, figure, two = self._story(driver.name)
        factors = two if not figure.is_one else _factors(figure.number, two)
        at = tuple(self.scaled(driver, factor) for factor in factors)
        changes = (at[0] - self.issued, at[1] - self.issued)
        label = label_of(given)
        return Driver(driver.name, label, given, figure, two, factors, (at[0], at[1]), changes, place)

    def scaled(self, driver: Exact, factor: float) -> float:
        """The measure when a driver is multiplied."""
        cost = sum(value * factor**power for value, power in zip(self.present, driver.exponents, strict=True))
        return self.now * cost / self.whole / factor**driver.output

    def _run(self, run: Run) -> Driver:
        given, figure, _ = self._story(run.name)
        factors = run.ends if not figure.is_one else _factors(figure.number, run.ends)
        low, high = (at - self.issued if isinstance(at, float) else 0.0 for at in run.found)
        label = f"{label_of(given)} (as issued)"
        return Driver(run.name, label, given, figure, run.ends, factors, run.found, (low, high), None)

    def _story(self, name: str) -> tuple[Given, Figure, tuple[float, float]]:
        given, figure = self.found.fleet.model.inputs[name], self.found.fleet.inputs[name]
        return given, figure, ends(given, figure)


def _factors(number: float, two: tuple[float, float]) -> tuple[float, float]:
    return (two[0] / number, two[1] / number) if number else (1.0, 1.0)


def sensitivity_plan(plan: Plan, values: dict[str, FleetValues]) -> SensitivityPlan | None:
    """None where nothing can be told: no recommended fleet, or no driver moves it."""
    found = plan.result.sensitivity
    if found is None or not (found.exact or found.runs):
        return None
    made = SensitivityPlan(plan, found, values[found.fleet.id])
    numbers = [made.now, made.whole, *made.present, *(change for row in made.rows for change in row.changes)]
    return made if np.isfinite(numbers).all() and made.whole and not found_errors(made) else None


def found_errors(made: SensitivityPlan) -> bool:
    """Whether a cell that the sheet reads shows an error."""
    names = [part for line in made.found.lines for part in (line.amount, line.factor)]
    shown: list[Value] = [value for name in names for value in made.values.series(name)]
    return any(isinstance(value, str) for value in shown)
