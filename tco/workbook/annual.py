"""The sheet Annual: every fleet by year, for the budget; added up by SUMIF from the calculation sheets."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from tco.workbook.annual_plan import (
    CASH,
    ENDS,
    KEY,
    LABEL,
    LENGTH,
    PRESENT,
    SO_FAR,
    TOTAL,
    UNIT,
    AnnualPlan,
    Block,
    Line,
    Years,
)  # fmt: skip
from tco.workbook.book import Book, Sheet, Value, at, letters, span
from tco.workbook.checks import Row
from tco.workbook.compared import Compared, cell
from tco.workbook.foundation import serial
from tco.workbook.furniture import fitting, heading, page
from tco.workbook.places import FIRST, FRAME, PERIOD_END, TIME, sheet_of
from tco.workbook.styles import MONTH, TABS, Style
from tco.workbook.styling import ERRORS
from tco.workbook.values import FleetValues, added
from tco.workbook.verdicts import shown_as

YEARS = "#,##0.00"


def write_annual(book: Book, annual: AnnualPlan, values: dict[str, FleetValues]) -> None:
    """Cash of all fleets on top, then each fleet in full."""
    sheet = book.sheet(annual.sheet, TABS["presentation"])
    heading(sheet, "Annual", "By year. Costs positive, receipts negative.", at_column=TOTAL)
    for years in annual.kinds:
        _head(sheet, annual, years)
    blocks = [_Block(annual, block, values[block.fleet.id]) for block in annual.blocks]
    _top(sheet, annual, blocks)
    for block in blocks:
        block.write(sheet)
    wide = annual.plan.number_width
    sheet.widths([44, 12])
    for years in annual.kinds:
        sheet.widths([max(16, wide), *[wide] * len(years.years)], years.total)
    sheet.raw.freeze_panes(LENGTH, TOTAL)
    _print(book, sheet, annual)


def _print(book: Book, sheet: Sheet, annual: AnnualPlan) -> None:
    """Fiscal years one page wide, calendar years on pages of their own."""
    page(book, sheet, annual.plan, repeat=(1, LENGTH))
    if len(annual.kinds) > 1:
        room = max(
            sum(sheet.width(column) + 0.8 for column in (LABEL, UNIT, *range(years.total, years.last + 1)))
            for years in annual.kinds
        )
        sheet.raw.set_print_scale(max(30, min(90, fitting(room))))
        sheet.raw.repeat_columns(LABEL, UNIT)
        sheet.raw.set_v_pagebreaks([annual.kinds[1].total])


def _head(sheet: Sheet, annual: AnnualPlan, years: Years) -> None:
    """The years as Time has them: the key that SUMIF looks for, the end, the length."""
    ends, lengths = annual.plan.result.timeline.ends, annual.plan.result.timeline.frame()["period"]
    if years.total == TOTAL:
        for row, text in ((KEY, years.title), (ENDS, "Ends"), (LENGTH, "Years, of periods that end in it")):
            sheet.text(row, LABEL, text, "heading")
            sheet.text(row, UNIT, "Unit" if row == KEY else "", "heading")
    for row, text in ((KEY, years.title), (ENDS, "Total"), (LENGTH, "")):
        sheet.text(row, years.total, text if row != KEY or years.total != TOTAL else "", "heading right")
    clock = annual.clock(years)
    for column, year in enumerate(years.years, years.first):
        key, mine = at(column, KEY).replace("$", ""), years.periods(year)
        text = f"MIN({clock})" if column == years.first else f"{letters(column - 1)}{KEY}+1"
        sheet.formula(KEY, column, text, float(year), ("heading right", "0"))
        sheet.formula(
            ENDS, column, at(FIRST + mine[-1], PERIOD_END, TIME), serial(ends[mine[-1]]), ("heading right", MONTH)
        )
        length = f"SUMIF({clock},{key},{annual.plan.periods_of(FRAME['period'], TIME)})"
        sheet.formula(LENGTH, column, length, float(np.sum(lengths[mine])), ("heading right", YEARS))


def _top(sheet: Sheet, annual: AnnualPlan, blocks: list[_Block]) -> None:
    _title(sheet, annual, annual.top, "Cash by year, all fleets")
    unit = annual.plan.unit_words("money")
    for row, block in enumerate(blocks, annual.top + 1):
        sheet.text(row, LABEL, block.fleet.id, "label")
        sheet.text(row, UNIT, unit, "unit")
        for years in annual.kinds:
            numbers = block.by_year(CASH, years)
            look: Style = ("link", annual.plan.look("", unit, numbers))
            for column, value in enumerate([block.whole(numbers), *numbers], years.total):
                sheet.formula(row, column, f"{letters(column)}{block.block.row(CASH)}", value, look)


def _title(sheet: Sheet, annual: AnnualPlan, row: int, text: str) -> None:
    sheet.text(row, LABEL, text, "section")
    sheet.blank(row, range(1, annual.last + 1), "section")


class _Block:
    """One fleet's rows; a fleet that cannot run shows its verdict."""

    def __init__(self, annual: AnnualPlan, block: Block, values: FleetValues) -> None:
        self.annual, self.block, self.values = annual, block, values
        self.fleet, self.plan = block.fleet, annual.plan
        self.calc, self.standing = sheet_of(self.fleet.id), shown_as(self.fleet)
        shown, verdict = (self.plan.result_cell(self.fleet, name) for name in ("costs_shown", "verdict"))
        self.guard = f"IF({shown}=1,{{}},{verdict})"

    def write(self, sheet: Sheet) -> None:
        """Title and rows."""
        _title(sheet, self.annual, self.block.title_row, f"{self.fleet.name} ({self.fleet.id})")
        for line in self.block.lines:
            row = self.block.row(line.name)
            sheet.text(row, LABEL, line.label, "label")
            sheet.text(row, UNIT, line.unit, "unit")
            for years in self.annual.kinds:
                self._row(sheet, line, row, years)

    def _row(self, sheet: Sheet, line: Line, row: int, years: Years) -> None:
        numbers = self.by_year(line.name, years)
        summed = line.name in (CASH, PRESENT)
        form = self.plan.look(line.name if line.place else "", line.unit, numbers)
        cells: Style = ("total right" if summed else "right" if line.name == SO_FAR else "link", form)
        for column, value in enumerate(numbers, years.first):
            sheet.formula(row, column, self._formula(line, years, letters(column)), value, cells)
        if line.name != SO_FAR:
            text = self.guard.format(f"SUM({span(years.first, years.last, row)})")
            total = self.whole(numbers)
            look = self.plan.look(line.name if line.place else "", line.unit, [total])
            sheet.formula(row, years.total, text, total, ("total right" if summed else "right", look))

    def _formula(self, line: Line, years: Years, column: str) -> str:
        clock, key = self.plan.periods_of(years.clock, TIME), f"{column}${KEY}"
        if line.discounted:
            rows = self.plan.rows[self.fleet.id]
            amount, factor = (self.plan.periods_of(rows[name], self.calc) for name in line.discounted[1:])
            return self.guard.format(f"SUMPRODUCT(({clock}={key})*{amount}*{factor})")
        if line.place:
            return self.guard.format(f"SUMIF({clock},{key},{self.plan.periods_of(line.place, self.calc)})")
        first, last = self._parts(line.name)
        if line.name == SO_FAR:
            return self.guard.format(f"SUM(${letters(years.first)}{first}:{column}{last})")
        return self.guard.format(f"SUM({column}{first}:{column}{last})")

    def _parts(self, name: str) -> tuple[int, int]:
        """The first and the last row that a sum adds up; its empty title where there is nothing to add."""
        names = [CASH] if name == SO_FAR else self.parts(name)
        rows = [self.block.row(part) for part in names] or [self.block.title_row]
        return rows[0], rows[-1]

    def parts(self, name: str) -> list[str]:
        """The lines that a sum adds up."""
        lines = self.block.lines
        return [line.name for line in lines if (line.guarded if name == CASH else line.discounted is not None)]

    def by_year(self, name: str, years: Years) -> list[Value]:
        """What the cells of a row show."""
        if self.standing.shown != 1:
            return [self.standing.verdict] * len(years.years)
        if name == SO_FAR:
            cash = self.by_year(CASH, years)
            return [added(cash[: index + 1]) for index in range(len(cash))]
        line = next(line for line in self.block.lines if line.name == name)
        if not line.place and not line.discounted:
            rows = [self.by_year(part, years) for part in self.parts(name)]
            return [added([row[index] for row in rows]) for index in range(len(years.years))]
        numbers = self._periods(line)
        return [added([numbers[index] for index in years.periods(year)]) for year in years.years]

    def _periods(self, line: Line) -> list[Value]:
        if line.discounted is None:
            return self.values.series(line.name)
        pairs = zip(*(self.values.series(name) for name in line.discounted[1:]), strict=True)
        return [_times(one, other) for one, other in pairs]

    def whole(self, numbers: list[Value]) -> Value:
        """The total of a row."""
        return added(numbers) if self.standing.shown == 1 else self.standing.verdict

    def of_horizon(self, name: str) -> Value:
        """What Compare shows, as a number."""
        if self.standing.shown != 1:
            return 0.0
        if name == PRESENT:
            return self.values.one(PRESENT)
        return added([added(self.values.series(part)) for part in self.parts(CASH)])


def _times(one: Value, other: Value) -> Value:
    if isinstance(one, str):
        return one
    return other if isinstance(other, str) else one * other


def ties(annual: AnnualPlan, values: dict[str, FleetValues], table: Compared | None = None) -> Iterator[Row]:
    """Totals of Annual against those of Compare, for each kind of year; without Compare, only what both show."""
    for index, block in enumerate(annual.blocks):
        made = _Block(annual, block, values[block.fleet.id])
        for years in annual.kinds:
            for name in (CASH, PRESENT):
                if block.has(name):
                    total = at(years.total, block.row(name), annual.sheet)
                    expected = cell(table, name, index) if table else ""
                    label = f"{years.title}s add up to the {'total' if name == CASH else 'present'} cost"
                    found = f"N({total})", _number(made.whole(made.by_year(name, years)))
                    unit = annual.plan.unit_words("money")
                    yield Row(label, block.fleet.id, found, (f"N({expected})", made.of_horizon(name)), unit)


def _number(value: Value) -> Value:
    """What N() gives."""
    return value if isinstance(value, float) or value in ERRORS else 0.0
