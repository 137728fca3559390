"""The table of drivers on the sheet Sensitivity."""

from __future__ import annotations

from tco.workbook.book import Sheet, Value, at, letters, span
from tco.workbook.furniture import alarm
from tco.workbook.places import INPUTS
from tco.workbook.sensitivity_plan import (
    CHANGE_ROW,
    DRIVER_HEADS,
    ISSUED_ROW,
    MEASURE_ROW,
    NUMBER,
    Columns,
    Driver,
    SensitivityPlan,
)  # fmt: skip
from tco.workbook.styles import number_format

LIVE, RUN = "live", "as issued"
SAME, MOVED = "as issued", "now differs"


def write_drivers(sheet: Sheet, about: SensitivityPlan) -> None:
    """Live rows first, then those that the engine ran."""
    head = about.first - 1
    sheet.text(head - 1, 0, "Drivers, one at a time", "section")
    sheet.blank(head - 1, range(1, len(DRIVER_HEADS)), "section")
    sheet.texts(head, 0, DRIVER_HEADS[:2], "heading")
    sheet.texts(head, NUMBER, DRIVER_HEADS[NUMBER:], "heading right")
    for row, driver in enumerate(about.rows, about.first):
        _Row(sheet, about, row, driver).write()
    alarm(sheet, about.first, Columns.STATE, MOVED, about.last)
    for row, text in enumerate(about.still, about.last + 1):
        sheet.text(row, 0, text, "quiet")


class _Row:
    """One driver."""

    def __init__(self, sheet: Sheet, about: SensitivityPlan, row: int, driver: Driver) -> None:
        self.sheet, self.about, self.row, self.driver = sheet, about, row, driver
        self.input = about.plan.input(about.found.fleet, driver.name)
        numbers = [driver.figure.number, *driver.ends] if driver.figure.is_one else []
        self.look = number_format(driver.name, driver.given.unit, numbers)

    def cell(self, column: int) -> str:
        """A cell of this row."""
        return f"{letters(column)}{self.row}"

    def formula(self, column: int, text: str, value: Value, role: str = "right", look: str = "") -> None:
        """A formula in a column of this row."""
        self.sheet.formula(self.row, column, text, value, (role, look or self.about.look))

    def write(self) -> None:
        """All columns."""
        sheet, about, driver = self.sheet, self.about, self.driver
        sheet.text(self.row, 0, driver.label, "label wrapped")
        sheet.text(self.row, 1, about.plan.line_unit(driver.given, driver.name), "unit")
        if driver.figure.is_one:
            self.formula(Columns.NOW, about.plan.input_cell(about.found.fleet, driver.name), driver.figure.number,
                         "link", self.look)  # fmt: skip
        else:
            sheet.text(self.row, Columns.NOW, "by period", "absent")
        (self._run if driver.power is None else self._live)()
        self._compared()

    def _live(self) -> None:
        self.sheet.text(self.row, Columns.HOW, LIVE, "wrapped right")
        power = letters(NUMBER + 1 + (self.driver.power or 0))
        about, sides = self.about, enumerate((1, -1))
        for side, sign in sides:
            self._end(side, "-" if sign > 0 else "+")
            factor = self.cell(Columns.FACTOR_LOW + side)
            present = span(NUMBER, NUMBER, about.matrix, about.total - 1)
            powers = f"${power}${about.matrix}:${power}${about.total - 1}"
            now, whole = at(NUMBER, MEASURE_ROW), at(NUMBER, about.total)
            output = f"/{factor}^${power}${about.total + 1}" if about.found.output else ""
            text = f"{now}*SUMPRODUCT({present},{factor}^{powers})/{whole}{output}"
            self.formula(Columns.AT_LOW + side, f"IF(ISNUMBER({now}),{text},{now})", self.driver.at[side])

    def _end(self, side: int, sign: str) -> None:
        """The stated end, live from Inputs, or the change on top of Sensitivity; then the factor."""
        now, change = self.cell(Columns.NOW), at(NUMBER, CHANGE_ROW)
        factor, column = self.driver.factors[side], Columns.LOW + side
        if not self.driver.figure.is_one:
            self.formula(Columns.FACTOR_LOW + side, f"1{sign}{change}", factor, "right", "0.000")
            return
        stated = at(self.about.plan.bound_column(side), self.input.row, INPUTS)
        near = self._bounded(f"{now}{sign}ABS({now})*{change}")
        self.formula(column, f"IF(ISNUMBER({stated}),{stated},{near})", self.driver.ends[side], "link", self.look)
        text = f"IF({now}=0,1,{self.cell(column)}/{now})"
        self.formula(Columns.FACTOR_LOW + side, text, factor, "right", "0.000")

    def _bounded(self, text: str) -> str:
        """The number, kept inside what the input can be, as the engine keeps it."""
        least, most = self.driver.given.minimum, self.driver.given.maximum
        text = text if least is None else f"MAX({least:.15g},{text})"
        return text if most is None else f"MIN({most:.15g},{text})"

    def _run(self) -> None:
        """Numbers of the engine, and whether they still stand on today's input."""
        self.sheet.text(self.row, Columns.HOW, RUN, "wrapped right")
        for side, (end, factor, found) in enumerate(
            zip(self.driver.ends, self.driver.factors, self.driver.at, strict=True)
        ):  # fmt: skip
            if self.driver.figure.is_one:
                self.sheet.number(self.row, Columns.LOW + side, end, ("issued", self.look))
            self.sheet.number(self.row, Columns.FACTOR_LOW + side, factor, ("issued", "0.000"))
            if isinstance(found, str):
                self.sheet.text(self.row, Columns.AT_LOW + side, found, "issued")
            else:
                self.sheet.number(self.row, Columns.AT_LOW + side, found, ("issued", self.about.look))
        if self.driver.figure.is_one:
            number = self.driver.figure.number
            self.sheet.number(self.row, Columns.ISSUED, number, ("issued", self.look))
            now, then = self.cell(Columns.NOW), self.cell(Columns.ISSUED)
            text = f'IF(ABS(N({now})-{then})<={self.about.plan.tolerance}*ABS({then}),"{SAME}","{MOVED}")'
            self.formula(Columns.STATE, text, SAME)

    def _compared(self) -> None:
        base = at(NUMBER, ISSUED_ROW if self.driver.power is None else MEASURE_ROW)
        for side, change in enumerate(self.driver.changes):
            found = self.cell(Columns.AT_LOW + side)
            self.formula(Columns.CHANGE_LOW + side, f"IF(ISNUMBER({found}),{found}-{base},0)", change)
        low, high = self.cell(Columns.CHANGE_LOW), self.cell(Columns.CHANGE_HIGH)
        self.formula(Columns.SWING, f"MAX({low},{high},0)-MIN({low},{high},0)", self.driver.swing)
        first, last, mine = self.about.first, self.about.last, self.cell(Columns.SWING)
        swings, so_far = (span(Columns.SWING, Columns.SWING, first, row) for row in (last, self.row))
        near = f"{self.about.plan.tolerance}*ABS(N({at(NUMBER, MEASURE_ROW)}))"
        larger, equal = f"({swings}>{mine}+{near})*1", f"({so_far}>={mine}-{near})*({so_far}<={mine}+{near})"
        text = f"SUMPRODUCT({larger})+SUMPRODUCT({equal})"
        rank = float(self.about.ranks[self.row - self.about.first])
        self.formula(Columns.RANK, text, rank, "right", "0")
