"""The sheet Sensitivity: what moves the headline; live where powers are proven, else as the engine ran it."""

from __future__ import annotations

from collections.abc import Iterator

from tco.analysis.breakeven_words import FROZEN
from tco.workbook.book import Book, Sheet, Value, at, quoted, span
from tco.workbook.charts import Caption, Spot, tornado
from tco.workbook.checks import Alerts, Row
from tco.workbook.furniture import alarm, heading, page
from tco.workbook.places import BREAK_EVEN, CONSTANT
from tco.workbook.plan import label_of
from tco.workbook.sensitivity_plan import (
    CHANGE_ROW,
    DRIVER_HEADS,
    ISSUED_ROW,
    MEASURE_ROW,
    NUMBER,
    STATE_ROW,
    TOP,
    Columns,
    SensitivityPlan,
)  # fmt: skip
from tco.workbook.sensitivity_rows import write_drivers
from tco.workbook.styles import SHARE, Style

CHART_WIDTH, CHART_HEIGHT = 880, 420
FRESH = "Rows as issued: costs are what they were then."
STALE = "Rows as issued may be stale: costs changed since issue."
WIDTHS = (15, 15, 15, 13, 11, 11, 14, 14, 15, 15, 13, 7, 11, 15, 14)
"""Of the columns of the table of drivers behind the first; the other tables stand in the same ones."""


def write_sensitivity(book: Book, sheet: Sheet, about: SensitivityPlan, alerts: Alerts, *, break_even: bool) -> None:
    """Measure and state, tornado, drivers, exponents."""
    told = f"Of {about.found.fleet.id}, recommended as issued. {FROZEN}."
    heading(sheet, "Sensitivity", told, at_column=7)
    _measure(book, sheet, about, alerts)
    _tornado(book, sheet, about)
    write_drivers(sheet, about)
    _exponents(sheet, about)
    if break_even:
        sheet.link(STATE_ROW, 7, BREAK_EVEN, "Where two fleets cost the same: see Break-even")
    sheet.widths([about.label_width, *WIDTHS])
    sheet.raw.freeze_panes(2, 1)
    page(book, sheet, about.plan, repeat=(1, 2))


def _measure(book: Book, sheet: Sheet, about: SensitivityPlan, alerts: Alerts) -> None:
    for row, label, unit in (
        (MEASURE_ROW, about.label, about.unit),
        (ISSUED_ROW, "The same as issued", about.unit),
        (CHANGE_ROW, "Change of a driver without a stated range (edit it)", "1"),
    ):
        sheet.text(row, 0, label, "label")
        sheet.text(row, 1, unit, "unit")
    live: Style = ("headline", about.look)
    sheet.formula(MEASURE_ROW, NUMBER, about.plan.result_cell(about.found.fleet, about.found.measure), about.now, live)
    sheet.number(ISSUED_ROW, NUMBER, about.issued, ("issued", about.look))
    sheet.number(CHANGE_ROW, NUMBER, about.change, ("input", SHARE))
    rule = {
        "validate": "decimal", "criteria": "between", "minimum": 0, "maximum": 1, "ignore_blank": False,
        "input_title": "Change", "input_message": "A share from 0 to 1, down and up, for live rows without a range.",
        "error_title": "Outside its range", "error_message": "Enter a share from 0 to 1, such as 10%.",
    }  # fmt: skip
    sheet.raw.data_validation(at(NUMBER, CHANGE_ROW).replace("$", ""), rule)
    book.name("sensitivity_change", at(NUMBER, CHANGE_ROW, sheet.name))
    sheet.text(STATE_ROW, 0, "State of the rows as issued", "label")
    text = f"IF(SUM({alerts.changed})=0,{quoted(FRESH)},{quoted(STALE)})"
    sheet.formula(STATE_ROW, 1, text, FRESH, "left")
    alarm(sheet, STATE_ROW, 1, STALE)


def _tornado(book: Book, sheet: Sheet, about: SensitivityPlan) -> None:
    """The largest swings first, found by their rank, so that an edit reorders them."""
    last = len(DRIVER_HEADS) - 1
    _section(sheet, TOP, f"What moves it most: the first {len(about.largest)}", last)
    sheet.texts(TOP + 1, 0, ["Driver", "Unit"], "heading")
    sheet.texts(TOP + 1, NUMBER, ["Change at low", "Change at high"], "heading right")
    ranks = span(Columns.RANK, Columns.RANK, about.first, about.last)
    for row, index in enumerate(about.largest, TOP + 2):
        place = f"MATCH(ROWS($B${TOP + 2}:$B{row}),{ranks},0)"
        driver = about.rows[index]
        for column, source, value, style in (
            (0, 0, driver.label, "left"),
            (NUMBER, Columns.CHANGE_LOW, driver.changes[0], ("right", about.look)),
            (NUMBER + 1, Columns.CHANGE_HIGH, driver.changes[1], ("right", about.look)),
        ):
            text = f"INDEX({span(source, source, about.first, about.last)},{place})"
            sheet.formula(row, column, text, value, style)
        sheet.text(row, 1, about.unit, "unit")
    words = (
        f"Change of {about.label.lower()}, in {about.unit}, when one driver goes to its low or its high end; one bar a "
        "driver, largest first. The numbers stand to the left."
    )
    title = f"What moves it: {about.label.lower()}"
    data = (TOP + 1, TOP + 2, TOP + 1 + len(about.largest), NUMBER)
    spot = Spot(TOP + 1, 0, CHART_WIDTH, column=NUMBER + 3, height=CHART_HEIGHT)
    tornado(book, sheet, data, Caption(title, about.unit, words), spot)


def _section(sheet: Sheet, row: int, text: str, last: int) -> None:
    sheet.text(row, 0, text, "section")
    sheet.blank(row, range(1, last + 1), "section")


def _exponents(sheet: Sheet, about: SensitivityPlan) -> None:
    """Present value of each cost line, live, and the proven power of each driver in it."""
    if not about.found.exact:
        return
    head, exact = about.matrix - 1, about.found.exact
    last = max(len(DRIVER_HEADS) - 1, NUMBER + len(exact))
    _section(sheet, head - 1, "Powers: a driver times f multiplies a present value by f to this power", last)
    sheet.texts(head, 0, ["Cost line, present value", "Unit"], "heading")
    labels = [label_of(about.found.fleet.model.inputs[driver.name]) for driver in exact]
    sheet.texts(head, NUMBER, ["Now", *labels], "heading right")
    row = about.matrix
    for label, unit, text, value, powers in _lines(about):
        row += row == about.total
        sheet.text(row, 0, label, "label")
        sheet.text(row, 1, unit, "unit")
        sheet.formula(row, NUMBER, text, value, ("link", about.plan.look("", unit, [value])))
        for column, power in enumerate(powers, NUMBER + 1):
            sheet.number(row, column, power, ("structure", "General"))
        row += 1
    unit = about.plan.unit_words("money")
    sheet.text(about.total, 0, "All cost lines", "label")
    sheet.text(about.total, 1, unit, "unit")
    text, value = f"SUM({span(NUMBER, NUMBER, about.matrix, about.total - 1)})", about.whole
    sheet.formula(about.total, NUMBER, text, value, ("total right", about.plan.look("", unit, [value])))


def _lines(about: SensitivityPlan) -> Iterator[tuple[str, str, str, Value, list[float]]]:
    """Cost lines, then the output if there is one: label, unit, formula, value, powers."""
    fleet, plan, exact = about.found.fleet, about.plan, about.found.exact
    rows, model = plan.rows[fleet.id], fleet.model
    money = plan.unit_words("money")
    for place, line in enumerate(about.found.lines):
        cells = ",".join(plan.periods_of(rows[name], about.calc) for name in (line.amount, line.factor))
        powers = [driver.exponents[place] for driver in exact]
        yield label_of(model.lines[line.amount]), money, f"SUMPRODUCT({cells})", about.present[place], powers
    if about.found.output:
        item = model.lines[about.found.output]
        cell, value = plan.cell(fleet, item.name, about.calc), about.values.one(item.name)
        yield label_of(item), plan.line_unit(item, item.name), cell, value, [driver.output for driver in exact]


def ties(about: SensitivityPlan | None) -> Iterator[Row]:
    """The present values of the cost lines against the present cost."""
    if about is not None and about.found.exact:
        fleet, unit = about.found.fleet, about.plan.unit_words("money")
        found = at(NUMBER, about.total, about.name), about.whole
        expected = at(CONSTANT, about.plan.rows[fleet.id]["present_cost"], about.calc), about.values.one("present_cost")
        yield Row("Cost lines of Sensitivity add up to the present cost", fleet.id, found, expected, unit)
