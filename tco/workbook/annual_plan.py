"""What stands where on the sheet Annual: years as columns, a block of rows for each fleet."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tco.analysis.discounting import Discounted, moments
from tco.result import CATEGORIES, FleetResult
from tco.workbook.places import ANNUAL, CALENDAR_ROW, FRAME, TIME
from tco.workbook.plan import Plan, label_of
from tco.workbook.results import AMOUNTS
from tco.workbook.verdicts import OUTPUTS

LABEL, UNIT, TOTAL = 0, 1, 2
KEY, ENDS, LENGTH = 4, 5, 6
"""Rows of the head: the year, when it ends, how much of it lies inside the horizon."""
CASH, SO_FAR, PRESENT = "cash", "cumulative_cash", "present_cost"


@dataclass(frozen=True)
class Years:
    """One kind of year: its columns, the row of Time that tells a period's year, and the year of each period."""

    title: str
    total: int
    first: int
    clock: int
    of_period: tuple[int, ...]

    @property
    def years(self) -> list[int]:
        """Each year once, in order."""
        return sorted(set(self.of_period))

    @property
    def last(self) -> int:
        """The column of the last year."""
        return self.first + len(self.years) - 1

    def periods(self, year: int) -> list[int]:
        """Places of the periods of a year."""
        return [index for index, one in enumerate(self.of_period) if one == year]


@dataclass(frozen=True)
class Line:
    """A row: what it is, and where its periods stand: a row of the calculation sheet, or a discounted pair of rows."""

    name: str
    label: str
    unit: str
    place: int = 0
    discounted: Discounted | None = None
    guarded: bool = False


@dataclass
class Block:
    """The rows of a fleet; the title stands above the first."""

    fleet: FleetResult
    title_row: int
    lines: list[Line]

    def row(self, name: str) -> int:
        """The row of a line."""
        return self.title_row + 1 + [line.name for line in self.lines].index(name)

    def has(self, name: str) -> bool:
        """Whether there is such a row."""
        return name in [line.name for line in self.lines]


class AnnualPlan:
    """Columns and rows, decided before anything is written, because Checks reads them."""

    def __init__(self, plan: Plan) -> None:
        self.plan, self.sheet = plan, ANNUAL
        timeline = plan.result.timeline
        fiscal = tuple(int(year) for year in timeline.frame()["fiscal_year"])
        calendar = tuple(timeline.calendar_years)
        self.kinds = [Years("Fiscal year", TOTAL, TOTAL + 1, FRAME["fiscal_year"], fiscal)]
        if has_calendar(plan):
            start = self.kinds[0].last + 2
            self.kinds.append(Years("Calendar year", start, start + 1, CALENDAR_ROW, calendar))
        self.blocks = list[Block]()
        self.top = LENGTH + 1
        row = self.top + len(plan.result.fleets) + 2
        for fleet in plan.result.fleets:
            self.blocks.append(Block(fleet, row, list(_lines(plan, fleet))))
            row += len(self.blocks[-1].lines) + 2

    @property
    def last(self) -> int:
        """The last column."""
        return self.kinds[-1].last

    @property
    def end(self) -> int:
        """The last row."""
        return self.blocks[-1].title_row + len(self.blocks[-1].lines)

    def clock(self, years: Years) -> str:
        """The cells of Time that tell a period's year."""
        return self.plan.periods_of(years.clock, TIME)


def has_calendar(plan: Plan) -> bool:
    """Whether fiscal years are not calendar years."""
    timeline = plan.result.timeline
    fiscal = np.asarray(timeline.frame()["fiscal_year"])
    return bool(np.any(np.diff(fiscal) != np.diff(timeline.calendar_years)))


def _lines(plan: Plan, fleet: FleetResult) -> list[Line]:
    model, money = fleet.model, plan.unit_words("money")
    found = [
        Line(name, label_of(model.lines[name]), money, plan.results[name], guarded=True)
        for name in CATEGORIES
        if name in model.lines
    ]
    found.append(Line(CASH, "All categories", money))
    found.append(Line(SO_FAR, "All categories, summed so far", money))
    parts = moments(model)
    found += [Line(one.line, label_of(model.lines[one.line]), money, discounted=one) for one in parts]
    if parts and parts[0].line != PRESENT:
        found.append(Line(PRESENT, label_of(model.lines[PRESENT]), money))
    told = {_by_period(fleet, name): name for name in OUTPUTS.values()} | {name: name for name in AMOUNTS}
    for name, named in told.items():
        if name in model.lines:
            item = model.lines[name]
            label, unit = label_of(model.lines[named]), plan.line_unit(item, name)
            found.append(Line(name, label, unit, plan.rows[fleet.id][name]))
    return found


def _by_period(fleet: FleetResult, name: str) -> str:
    """The line of periods that an output adds up; empty if there is none."""
    item = fleet.model.lines.get(name)
    if item is None or item.expression.op != "total" or item.expression.args[0].op != "name":
        return ""
    part = item.expression.args[0].name
    return part if part in fleet.model.lines and fleet.model.lines[part].series else ""
