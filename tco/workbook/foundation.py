"""The sheets Time and Units: what every formula stands on and nobody edits."""

from __future__ import annotations

import datetime
from typing import Any

import numpy as np

from tco.declare import Given
from tco.result import VERDICTS
from tco.units import CONSTANTS
from tco.workbook.book import Book, Sheet, at
from tco.workbook.furniture import heading, page
from tco.workbook.places import (
    CALENDAR_ROW,
    CONSTANT,
    FIRST,
    FRAME,
    LABEL,
    OPENING,
    PERIOD_END,
    PERIOD_NAME,
    TIME,
    UNIT,
    UNITS,
)  # fmt: skip
from tco.workbook.plan import Plan, label_of
from tco.workbook.styles import MONTH, TABS, number_format

TOLERANCE = 1e-9
"""Relative: what two ways of adding the same numbers may differ by."""

MOST_ON_A_PAGE = 24

FRAME_LABELS = {
    "period_number": ("Period number", "period"),
    "fiscal_year": ("Fiscal year", "yr"),
    "period": ("Length of the period", "yr"),
    "year_end": ("Fiscal year ends here", "flag"),
    "first_period": ("First period", "flag"),
    "last_period": ("Last period", "flag"),
}

MEANINGS = {
    "hundred": "per cent in 1",
    "thousand": "such as watts in a kilowatt",
    "million": "such as tokens in a million tokens",
    "billion": "such as parameters in a billion parameters",
    "trillion": "such as operations in a trillion operations",
    "bytes_per_KiB": "bytes in a KiB",
    "bytes_per_MiB": "bytes in a MiB",
    "bytes_per_GiB": "bytes in a GiB",
    "bytes_per_TiB": "bytes in a TiB",
    "s_per_h": "seconds in an hour",
    "minutes_per_h": "minutes in an hour",
    "h_per_day": "hours in a day",
    "days_per_week": "days in a week",
    "h_per_yr": "hours in a year",
    "months_per_yr": "months in a year",
    "almost_one": "1 less 1e-12: rounding up forgives relative noise of that size",
    "half": "one half, such as the middle of a period",
}


def serial(day: str) -> float:
    """A date YYYY-MM-DD as a spreadsheet counts it."""
    return float((datetime.date.fromisoformat(day) - datetime.date(1899, 12, 30)).days)


def frame_rows(sheet: Sheet, plan: Plan) -> None:
    """Labels of the eight frozen rows that Time and the calculation sheets share."""
    for name, row in FRAME.items():
        label, unit = FRAME_LABELS[name]
        sheet.text(row, LABEL, label, "label")
        sheet.text(row, UNIT, unit, "unit")
    sheet.number(FRAME["period_number"], OPENING, 0.0, "structure")
    sheet.text(PERIOD_END, LABEL, "Period end", "heading")
    sheet.text(PERIOD_END, UNIT, "Unit", "heading")
    sheet.texts(PERIOD_END, CONSTANT, ["Constant", "Total", "Opening"], "heading right")
    sheet.text(PERIOD_END, 0, "", "heading")


def write_time(book: Book, plan: Plan) -> None:
    """The time axis: static, because a longer or finer one is another workbook."""
    sheet = book.sheet(TIME, TABS["foundation"])
    heading(sheet, "Time axis", at_column=CONSTANT)
    frame_rows(sheet, plan)
    timeline = plan.result.timeline
    known: dict[str, Any] = timeline.frame()
    for index, end in enumerate(timeline.ends):
        sheet.number(PERIOD_END, FIRST + index, serial(end), ("heading right", MONTH))
    sheet.text(PERIOD_NAME, LABEL, "Name of the period", "label")
    sheet.texts(PERIOD_NAME, FIRST, timeline.labels, "words")
    sheet.text(CALENDAR_ROW, LABEL, "Calendar year in which it ends", "label")
    sheet.text(CALENDAR_ROW, UNIT, "yr", "unit")
    for index, year in enumerate(timeline.calendar_years):
        sheet.number(CALENDAR_ROW, FIRST + index, float(year), ("structure", "0"))
    for name, row in plan.frame_inputs.items():
        given, figure = _frame_input(plan, name)
        values = np.atleast_1d(known.get(name, figure))
        if row not in FRAME.values() and given is not None:
            sheet.text(row, LABEL, label_of(given), "label")
            sheet.text(row, UNIT, plan.line_unit(given), "unit")
        one = given is not None and given.shape == "one"
        for index, value in enumerate(values[:1] if one else np.broadcast_to(values, (plan.periods,))):
            sheet.number(
                row,
                CONSTANT if one else FIRST + index,
                float(value),
                ("structure", number_format(name, "", values.tolist())),
            )
    note = "Structural: grey cells are not inputs. Another start, step or horizon is a new run of the scenario."
    sheet.text(max(plan.frame_inputs.values(), default=0) + 5, LABEL, note, "subtitle")
    sheet.widths([3, 36, 10, 12, 12, 10, *[11] * plan.periods])
    sheet.raw.freeze_panes(PERIOD_END, FIRST)
    page(book, sheet, plan, repeat=(1, PERIOD_END), wide=plan.periods > MOST_ON_A_PAGE)


def _frame_input(plan: Plan, name: str) -> tuple[Given | None, Any]:
    for fleet in plan.result.fleets:
        if name in fleet.model.inputs:
            figure = fleet.inputs.get(name)
            return fleet.model.inputs[name], figure.value if figure else 0.0
    return None, 0.0


def _factor_format(name: str) -> str:
    return "#,##0" if CONSTANTS[name].is_integer() else "General"


def write_units(book: Book, plan: Plan) -> None:
    """Every factor that a formula multiplies by, with a name and one visible cell; tolerance; words of verdicts."""
    sheet = book.sheet(UNITS, TABS["foundation"])
    heading(sheet, "Units, tolerance, verdicts", "Named factors: a formula holds no other number than 0 and 1.")
    sheet.text(4, 0, "Name", "heading")
    sheet.text(4, 1, "Value", "heading right")
    sheet.text(4, 2, "Meaning", "heading inside")
    for name, row in plan.constants.items():
        sheet.text(row, 0, name, "label")
        sheet.number(row, 1, CONSTANTS[name], ("structure", _factor_format(name)))
        sheet.text(row, 2, MEANINGS[name], "wrapped quiet")
        book.name(name, at(1, row, UNITS))
    row = plan.tolerance_row
    sheet.texts(row - 1, 0, ["Checks", "", ""], "section")
    sheet.text(row, 0, "Relative tolerance", "label")
    sheet.number(row, 1, TOLERANCE, ("structure", "0E+00"))
    sheet.text(row, 2, "two ways of adding the same numbers may differ by this share of the larger", "wrapped quiet")
    row = plan.verdicts_row
    sheet.texts(row - 1, 0, ["Verdicts", "", "the first flag that is 0 decides"], "section")
    for index, (name, word) in enumerate(VERDICTS):
        sheet.text(row + index, 0, word, "label")
        sheet.text(row + index, 2, f"when the flag {name} is 0", "wrapped quiet")
    sheet.widths([24, 16, 74])
    sheet.raw.freeze_panes(4, 0)
    page(book, sheet, plan, repeat=(1, 4))
