"""The sheet Allocation: who bears what of each shared fleet, in live formulas over its calculation sheet."""

from __future__ import annotations

import numpy as np

from tco.console import HEADS
from tco.portfolio.state import OUTPUT, Allocation, Array, PortfolioResult, Shared
from tco.workbook.book import Book, Sheet, at, letters, span
from tco.workbook.furniture import heading, page
from tco.workbook.places import FIRST, FRAME, TIME, sheet_of
from tco.workbook.plan import Plan
from tco.workbook.rows import Row
from tco.workbook.styles import CENTS, MONEY, SHARE, TABS, number_format

ALLOCATION, TOP = "Allocation", 5
LABEL, UNIT, TOTAL = 0, 1, 2
NOTE = (
    "Reservation: GPU-hours reserved, idle ones included: all of the bill. Usage: those that worked; the rest is idle."
)
HOURS = "h_per_yr"


class Allocations:
    """A block for each fleet that all workloads share; rows of a block are the same distance apart."""

    def __init__(self, result: PortfolioResult) -> None:
        self.result, self.count = result, len(result.works)
        named = result.together.ranking if result.together else []
        self.held = [result.whole[name] for name in named]

    @property
    def size(self) -> int:
        """Rows of a block: hours, needs, their sum, reserved, busy and used hours, then the table of bases, cash."""
        return 16 + 7 * self.count

    def row(self, at_block: int, part: str, index: int = 0) -> int:
        """Where a part of a block stands."""
        count = self.count
        heads = {
            "title": 0, "hours": 2, "need": 3, "needs": 3 + count, "reserved": 4 + count, "busy": 4 + 2 * count,
            "used": 4 + 3 * count, "head": 5 + 4 * count, "work": 6 + 4 * count, "idle": 6 + 5 * count,
            "sum": 7 + 5 * count, "bill": 8 + 5 * count, "cash head": 10 + 5 * count, "cash": 11 + 5 * count,
            "cash sum": 11 + 6 * count,
        }  # fmt: skip
        return TOP + at_block * self.size + heads[part] + index

    def ties(self, plan: Plan) -> list[Row]:
        """Both bases, and every period, against the bill."""
        rows = list[Row]()
        money = plan.unit_words("money")
        for block, held in enumerate(self.held):
            fleet = held.fleet
            for column, line, words in (
                (3, "total_cost", "total cost, by reservation"), (4, "present_cost", "present cost, by reservation"),
                (8, "total_cost", "total cost, by usage and idle"),
                (9, "present_cost", "present cost, by usage and idle"),
            ):  # fmt: skip
                value = fleet.raw(line)
                assert isinstance(value, float)
                cells = (at(column, self.row(block, one), ALLOCATION) for one in ("sum", "bill"))
                found, expected = ((cell, value) for cell in cells)
                rows.append(Row(f"Workloads bear the {words}", f"{ALLOCATION}: {fleet.id}", found, expected, money))
            total = fleet.raw("total_cost")
            assert isinstance(total, float)
            cell = at(TOTAL, self.row(block, "cash sum"), ALLOCATION)
            expected = (plan.cell(fleet, "total_cost", sheet_of(fleet.id)), total)
            rows.append(Row("Periods by workload add up", f"{ALLOCATION}: {fleet.id}", (cell, total), expected, money))
        return rows

    def write(self, book: Book, plan: Plan) -> None:
        """All blocks."""
        sheet = book.sheet(ALLOCATION, TABS["presentation"])
        heading(sheet, "Who bears what of a shared fleet", NOTE, at_column=6)
        for block, held in enumerate(self.held):
            _Block(self, block, held, sheet, plan).write()
        sheet.widths([44, 14, 16, *[15] * max(plan.periods, 8)])
        sheet.raw.freeze_panes(TOP - 1, 1)
        page(book, sheet, plan, repeat=(1, TOP - 1))


class _Block:
    def __init__(self, of: Allocations, block: int, held: Shared, sheet: Sheet, plan: Plan) -> None:
        assert held.allocation is not None
        self.of, self.block, self.held, self.sheet, self.plan = of, block, held, sheet, plan
        self.found: Allocation = held.allocation
        self.calc = sheet_of(held.fleet.id)
        self.first, self.last = 3, 2 + plan.periods
        self.works = held.works
        self.money = plan.unit_words("money")

    def row(self, part: str, index: int = 0) -> int:
        return self.of.row(self.block, part, index)

    def write(self) -> None:
        self.hours()
        self.heads()
        for index, work in enumerate(self.works):
            self.work(index, work)
        self.idle()
        self.sums()
        self.cash()

    def periods(self, row: int, fixed: bool = True) -> str:
        return span(self.first, self.last, row) if fixed else ""

    def line(self, row: int, label: str, unit: str, formula: str, values: Array, look: str) -> None:
        """A row of periods with its total; `{g}` is the column of the period on calculation sheets."""
        self.label(row, label, unit)
        for index, value in enumerate(values.tolist()):
            text = formula.replace("{g}", letters(FIRST + index)).replace("{c}", letters(self.first + index))
            self.sheet.formula(row, self.first + index, text, value, ("number", look))
        self.sheet.formula(row, TOTAL, f"SUM({self.periods(row)})", float(values.sum()), ("row total", look))

    def label(self, row: int, label: str, unit: str) -> None:
        self.sheet.text(row, LABEL, label, "label wrapped")
        self.sheet.text(row, UNIT, unit, "unit")

    def static(self, row: int, label: str, unit: str, values: Array, *, total: bool) -> None:
        """Numbers of the engine's run of a workload alone, as issued."""
        self.label(row, label, unit)
        look = number_format("", unit, values.tolist())
        for index, value in enumerate(values.tolist()):
            self.sheet.number(row, self.first + index, value, ("structure", look))
        if total:
            self.sheet.formula(row, TOTAL, f"SUM({self.periods(row)})", float(values.sum()), ("row total", look))

    def hours(self) -> None:
        title, row = self.row("title"), self.row("hours")
        self.sheet.text(title, 0, f"{self.held.fleet.name} ({self.held.fleet.id})", "section")
        self.sheet.blank(title, range(1, self.last + 1), "section")
        for index, label in enumerate(self.plan.result.timeline.labels):
            cell = f"{TIME}!{letters(FIRST + index)}9"
            self.sheet.formula(title + 1, self.first + index, cell, label, "heading right")
        self.sheet.texts(title + 1, 0, ["GPU-hours", "Unit"], "heading")
        self.sheet.text(title + 1, TOTAL, "Sum", "heading right")
        place = self.plan.rows[self.held.fleet.id]["gpu_hours"]
        there = f"{self.calc}!{{g}}{place}"
        self.line(row, "GPU-hours there", "gpu*h", there, self.found.gpu_hours, MONEY)
        needs = [self.held.needs[work].gpus for work in self.works]
        for index, work in enumerate(self.works):
            self.static(self.row("need", index), f"GPUs needed: {work} (as issued)", "gpu", needs[index], total=True)
        summed, asked = self.row("needs"), np.sum(needs, axis=0)
        cells = f"SUM({{c}}{self.row('need')}:{{c}}{self.row('need', len(self.works) - 1)})"
        self.line(summed, "GPUs needed: all", "gpu", cells, asked, "#,##0")
        for index, work in enumerate(self.works):
            self.hours_of(index, work, summed)

    def hours_of(self, index: int, work: str, summed: int) -> None:
        one, need = self.found.borne[work], self.held.needs[work]
        mine, there = self.row("need", index), self.row("hours")
        over = f"IF({{c}}{summed}>0,{{c}}{mine}/{{c}}{summed},{at(TOTAL, mine)}/{at(TOTAL, summed)})"
        reserved, label = self.row("reserved", index), f"GPU-hours reserved: {work}"
        self.line(reserved, label, "gpu*h", f"{{c}}{there}*{over}", one.reserved, MONEY)
        busy = self.row("busy", index)
        self.static(busy, f"Busy GPUs, on average: {work} (as issued)", "gpu", need.busy, total=False)
        used = f"{{c}}{busy}*{TIME}!{{g}}{FRAME['period']}*{HOURS}"
        self.line(self.row("used", index), f"GPU-hours used: {work}", "gpu*h", used, one.used, MONEY)

    def heads(self) -> None:
        row = self.row("head")
        self.sheet.texts(row, 0, ["Who bears it", "Unit of output"], "heading")
        told = [f"Total ({self.money})", f"Present ({self.money})", "Cost of a unit"]
        self.sheet.texts(row, TOTAL, ["Reservation: share", *told, "Output, discounted"], "heading right")
        self.sheet.texts(row, 7, ["Usage: share", *told], "heading right")

    def bill(self, line: str) -> tuple[str, float]:
        value = self.held.fleet.raw(line)
        assert isinstance(value, float)
        return at(3 if line == "total_cost" else 4, self.row("bill")), value

    def work(self, index: int, work: str) -> None:
        row, one = self.row("work", index), self.found.borne[work]
        headline = self.of.result.headline(work)
        self.label(row, work, HEADS[headline].format(self.plan.currency).partition("/")[2])
        output = self.held.alone[work].raw(OUTPUT[headline])
        assert isinstance(output, float)
        self.sheet.number(row, 6, output, ("structure", number_format("", "", [output])))
        there = at(TOTAL, self.row("hours"))
        for column, share, part in ((TOTAL, one.reservation_share, "reserved"), (7, one.usage_share, "used")):
            self.sheet.formula(row, column, f"{at(TOTAL, self.row(part, index))}/{there}", share, ("number", SHARE))
            self.costs(row, column, share)
            cost = self.bill("present_cost")[1] * share
            text = f"{at(column + 2, row)}/{at(6, row)}"
            if output > 0:
                self.sheet.formula(
                    row, column + 3, text, cost / output, ("number", number_format("", "", [cost / output]))
                )
            else:
                self.sheet.text(row, column + 3, "not defined", "absent")

    def costs(self, row: int, column: int, share: float) -> None:
        for beside, line in ((1, "total_cost"), (2, "present_cost")):
            cell, value = self.bill(line)
            self.sheet.formula(row, column + beside, f"{at(column, row)}*{cell}", share * value, ("number", self.look))

    @property
    def look(self) -> str:
        return MONEY if self.plan.money_look != CENTS else CENTS

    def idle(self) -> None:
        row, share = self.row("idle"), self.found.idle_share
        self.label(row, "idle: nobody's by usage, shared by reservation", "")
        used = f"{at(7, self.row('work'))}:{at(7, self.row('work', len(self.works) - 1))}"
        text = f"IF(ABS(1-SUM({used}))<{self.plan.tolerance},0,1-SUM({used}))"
        self.sheet.formula(row, 7, text, share, ("number", SHARE))
        self.costs(row, 7, share)

    def sums(self) -> None:
        row, bill = self.row("sum"), self.row("bill")
        self.label(row, "sum", "")
        self.label(bill, "bill of the fleet", "")
        for column in (TOTAL, 3, 4, 7, 8, 9):
            cells = f"{at(column, self.row('work'))}:{at(column, self.row('idle'))}"
            line = {3: "total_cost", 8: "total_cost", 4: "present_cost", 9: "present_cost"}.get(column, "")
            value = self.bill(line)[1] if line else 1.0
            self.sheet.formula(row, column, f"SUM({cells})", value, ("total", self.look if line else SHARE))
            if line:
                source = self.plan.cell(self.held.fleet, line, self.calc)
                self.sheet.formula(bill, column, source, value, ("link", self.look))

    def cash(self) -> None:
        """The bill of each period at the horizon's share, so that periods, totals and present costs agree."""
        row = self.row("cash head")
        self.sheet.texts(row, 0, ["Cost of the period, by reservation", "Unit"], "heading")
        self.sheet.text(row, TOTAL, "Sum", "heading right")
        place = self.plan.rows[self.held.fleet.id]["cash_cost"]
        bill = np.broadcast_to(np.reshape(np.asarray(self.held.fleet.raw("cash_cost"), float), -1), self.plan.periods)
        for index, work in enumerate(self.works):
            share = at(TOTAL, self.row("work", index))
            part = bill * self.found.borne[work].reservation_share
            self.line(self.row("cash", index), work, self.money, f"{self.calc}!{{g}}{place}*{share}", part, self.look)
        cells = f"SUM({{c}}{self.row('cash')}:{{c}}{self.row('cash', len(self.works) - 1)})"
        self.line(self.row("cash sum"), "all", self.money, cells, bill, self.look)
