"""A table with one column a fleet: what Compare is made of, and what other sheets read from it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from tco.result import FleetResult
from tco.workbook.book import Sheet, Value, at, letters, span
from tco.workbook.places import COMPARE
from tco.workbook.plan import Plan
from tco.workbook.values import FleetValues

HEAD, FIRST_FLEET = 4, 2


@dataclass
class Compared:
    """Rows of Compare by name, and what their cells show, for the sheets that read them."""

    sheet: Sheet
    plan: Plan
    values: dict[str, FleetValues]
    rows: dict[str, int] = field(default_factory=dict[str, int])
    shown: dict[str, list[Value]] = field(default_factory=dict[str, list[Value]])
    units: dict[str, str] = field(default_factory=dict[str, str])
    labels: dict[str, str] = field(default_factory=dict[str, str])
    looks: dict[str, str] = field(default_factory=dict[str, str])
    next: int = HEAD + 1

    @property
    def last(self) -> int:
        """The column of the last fleet."""
        return FIRST_FLEET + len(self.plan.result.fleets) - 1

    def range(self, name: str, sheet: str = "") -> str:
        """A row over all fleets."""
        return span(FIRST_FLEET, self.last, self.rows[name], sheet=sheet)

    def title(self, text: str) -> None:
        """A section."""
        self.sheet.text(self.next, 0, text, "section")
        self.sheet.blank(self.next, range(1, self.last + 1), "section")
        self.next += 1

    def row(self, name: str, label: str, unit: str) -> int:
        """A new row."""
        self.sheet.text(self.next, 0, label, "label")
        self.sheet.text(self.next, 1, unit, "unit")
        self.rows[name], self.units[name], self.labels[name], self.shown[name] = self.next, unit, label, []
        self.next += 1
        return self.next - 1

    def formulas(
        self, name: str, make: Callable[[int, str], tuple[str, Value]], role: str = "link", look: str = ""
    ) -> None:
        """One formula a fleet; `make` takes the fleet's place and its column's letters."""
        made = [make(index, letters(FIRST_FLEET + index)) for index in range(len(self.plan.result.fleets))]
        self.shown[name] = [value for _, value in made]
        form = look or self.plan.look(name, self.units[name], self.shown[name])
        self.looks[name] = form
        for index, (text, value) in enumerate(made):
            self.sheet.formula(self.rows[name], FIRST_FLEET + index, text, value, (role, form))


def cell(table: Compared, name: str, index: int, sheet: str = COMPARE) -> str:
    """A fleet's cell of a row, from another sheet."""
    return at(FIRST_FLEET + index, table.rows[name], sheet)


def result_cell(table: Compared, fleet: FleetResult, name: str, column: int) -> str:
    """A cell of a fleet's results block."""
    return table.plan.result_cell(fleet, name, column)
