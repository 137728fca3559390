"""Years, sensitivity, decisions and bridge: what tells more than a copy for outsiders may hold is left out of that."""

from __future__ import annotations

from tco.workbook.annual import ties as annual_ties
from tco.workbook.annual import write_annual
from tco.workbook.annual_plan import AnnualPlan
from tco.workbook.book import Book, Sheet
from tco.workbook.bridge import Bridge, bridge_ties
from tco.workbook.checks import Alerts
from tco.workbook.compare import write_compare
from tco.workbook.compared import Compared
from tco.workbook.places import BREAK_EVEN, DECISIONS, SENSITIVITY
from tco.workbook.plan import Plan
from tco.workbook.reference_column import Against
from tco.workbook.rows import Row
from tco.workbook.sensitivity import ties as sensitivity_ties
from tco.workbook.sensitivity import write_sensitivity
from tco.workbook.sensitivity_plan import sensitivity_plan
from tco.workbook.styles import TABS
from tco.workbook.values import FleetValues


class Extras:
    """`hide`: years and bridge tell costs by category; ends of ranges, powers of costs and flip points tell prices."""

    def __init__(self, plan: Plan, values: dict[str, FleetValues], hide: frozenset[str]) -> None:
        self.plan, self.values = plan, values
        self.costs_shown = "costs" not in hide
        self.annual = AnnualPlan(plan) if self.costs_shown else None
        self.sensitivity = None if hide & {"prices", "costs"} else sensitivity_plan(plan, values)
        self.decided = None if hide & {"prices", "costs"} else plan.result.decisions
        self.answers: Sheet | None = None
        self.bridge: Bridge | None = None
        self.sheet: Sheet | None = None

    def ties(self, table: Compared | None = None) -> list[Row]:
        """What must add up on these sheets; without Compare, only whether it does."""
        years = annual_ties(self.annual, self.values, table) if self.annual else ()
        return [*years, *bridge_ties(self.bridge), *sensitivity_ties(self.sensitivity)]

    def write_annual(self, book: Book) -> None:
        """Before Compare."""
        if self.annual:
            write_annual(book, self.annual, self.values)

    def write_compare(self, book: Book, against: Against) -> Compared:
        """With the bridge."""
        table, self.bridge = write_compare(book, self.plan, self.values, against, bridged=self.costs_shown)
        return table

    def open_sensitivity(self, book: Book) -> None:
        """The empty sheets, before Checks; they are filled when the alerts are known."""
        if self.sensitivity:
            self.sheet = book.sheet(SENSITIVITY, TABS["presentation"])
        if self.decided:
            self.answers = book.sheet(DECISIONS, TABS["presentation"])

    def write_sensitivity(self, book: Book, alerts: Alerts) -> None:
        """All of it."""
        if self.sensitivity and self.sheet:
            write_sensitivity(book, self.sheet, self.sensitivity, alerts, break_even=BREAK_EVEN in book.sheets)
        if self.decided and self.answers:
            from tco.workbook.decided import write_decisions

            write_decisions(book, self.answers, self.plan, self.decided, alerts)
