"""The sheet Inputs: every number from outside once, with its story; the only cells to edit."""

from __future__ import annotations

from typing import Any

from tco.workbook.book import Book, Sheet, at, clean, letters, span
from tco.workbook.calc import INFORMS
from tco.workbook.furniture import fitting, heading, page
from tco.workbook.places import (
    FIRST,
    INPUT_PERIODS,
    INPUTS,
    INPUTS_HEAD,
    TIME,
    VALUE_COLUMN,
    InputPlace,
    InputSection,
    sheet_of,
)
from tco.workbook.plan import Plan, label_of
from tco.workbook.styles import TABS, Style, number_format
from tco.workbook.tables import START, STEP, by_age, columns, step_formula, table_head

HEADINGS = (
    "Id", "Input", "Unit", "Value", "Low", "High", "Source", "As of", "Owner", "Status", "Note", "Used by",
)  # fmt: skip
USED_BY = HEADINGS.index("Used by")
YES_OR_NO = "1 for yes, 0 for no."
LOWEST, HIGHEST = -1e300, 1e300
STATED_ELSEWHERE = ("default", "choice", "derived")
"""Origins that the status tells."""
NOTE = "Edit blue cells on yellow; everything else follows. Protection has no password: it only prevents slips."
SHARED_NOTE = "A shared copy: every cell holds a value as issued, and nothing follows an edit."
STATUS_WORDS = {"recalled": "recalled (not verified)", "estimate": "estimate"}


def safe(word: str) -> str:
    """An id as part of a defined name."""
    return word.replace("-", "_")


def write_inputs(book: Book, plan: Plan) -> None:
    """One section for all fleets, then one a fleet: single numbers, series, tables."""
    sheet = book.sheet(INPUTS, TABS["foundation"])
    heading(sheet, "Inputs", SHARED_NOTE if sheet.frozen else NOTE)
    sheet.texts(INPUTS_HEAD, 0, HEADINGS, "heading inside")
    sheet.texts(INPUTS_HEAD, 0, HEADINGS[:1], "heading")
    sheet.texts(INPUTS_HEAD, VALUE_COLUMN, HEADINGS[VALUE_COLUMN : VALUE_COLUMN + 3], "heading right")
    if any(section.series for section in plan.sections):
        for index, label in enumerate(plan.result.timeline.labels):
            cell = f"{TIME}!{letters(FIRST + index)}9"
            sheet.formula(INPUTS_HEAD, INPUT_PERIODS + index, cell, label, "heading right")
    width = INPUT_PERIODS - 1
    for section in plan.sections:
        _section(book, sheet, plan, section, width)
    sheet.widths([24, 33, 14, 11.5, 9.5, 9.5, 35, 11, 7, 12, 30, 110])
    sheet.raw.freeze_panes(INPUTS_HEAD, 2)
    page(book, sheet, plan, repeat=(1, INPUTS_HEAD))
    _print(sheet, plan)


def _print(sheet: Sheet, plan: Plan) -> None:
    """One page wide up to the note; numbers by period follow on pages of their own."""
    last = max(plan.section_end(section) for section in plan.sections)
    if not any(section.series for section in plan.sections):
        sheet.raw.print_area(0, 0, last - 1, USED_BY - 1)
        return
    sheet.widths([11] * plan.periods, INPUT_PERIODS)
    sheet.raw.set_print_scale(fitting(sum(sheet.width(column) + 0.8 for column in range(USED_BY))))
    sheet.raw.repeat_columns(0, 1)
    sheet.raw.set_v_pagebreaks([USED_BY, *range(INPUT_PERIODS + 6, INPUT_PERIODS + plan.periods, 12)])


def _section(book: Book, sheet: Sheet, plan: Plan, section: InputSection, width: int) -> None:
    sheet.text(section.row, 0, section.title, "section")
    sheet.blank(section.row, range(1, width + 1), "section")
    readers = _readers(plan, section.owner)
    for place in (*section.ones, *section.series, *section.tables):
        _story(sheet, plan, place, ", ".join(readers.get(place.name, [])))
    for place in section.ones:
        _one(book, sheet, plan, place)
    for place in section.series:
        _series(book, sheet, place)
    for place in section.tables:
        _table(book, sheet, plan, place)


def _readers(plan: Plan, owner: str) -> dict[str, list[str]]:
    """Labels of the lines that read each input of a section; the first three, then how many more."""
    found: dict[str, dict[str, None]] = {}
    for fleet in plan.result.fleets:
        if owner in ("", fleet.id):
            for item in fleet.model.lines.values():
                for name in item.parents:
                    if name in fleet.model.inputs:
                        informs = f" ({INFORMS})" if item.name in plan.informing[fleet.id] else ""
                        found.setdefault(name, {})[label_of(item) + informs] = None
    return {
        name: [*list(labels)[:3], *([f"and {len(labels) - 3} more"] if len(labels) > 3 else [])]
        for name, labels in found.items()
    }


def _story(sheet: Sheet, plan: Plan, place: InputPlace, used_by: str) -> None:
    figure, given, row = place.figure, place.given, place.row
    sheet.text(row, 0, place.name, "id")
    sheet.text(row, 1, label_of(given), "label wrapped")
    sheet.text(row, 2, plan.line_unit(given, place.name), "unit")
    look: Style = ("static", _format(place))
    for column, bound in ((4, figure.low), (5, figure.high)):
        if bound is not None and given.shape == "one":
            sheet.number(row, column, bound, look)
    note = " · ".join(filter(None, [figure.note, f"valid until {figure.valid_until}" if figure.valid_until else ""]))
    origin = figure.origin.split(" ")[0]
    stands = "" if origin in STATED_ELSEWHERE or origin in figure.source else figure.origin
    sheet.text(row, 6, " · ".join(filter(None, [figure.source, stands])), "wrapped")
    sheet.text(row, 7, figure.as_of, "wrapped")
    sheet.text(row, 8, "", "input text")
    sheet.text(row, 9, status(place), "wrapped")
    sheet.text(row, 10, note, "wrapped")
    sheet.text(row, 11, used_by, "wrapped")


def status(place: InputPlace) -> str:
    """The status in words that say what needs care."""
    words = STATUS_WORDS.get(place.figure.status, place.figure.status)
    return f"choice, {words}" if place.given.choice or place.figure.origin == "choice" else words


def _format(place: InputPlace) -> str:
    value: Any = place.figure.value
    if place.given.shape == "one":
        return number_format(place.name, place.given.unit, [value])
    numbers = [round(row[1], 4) for row in value] if place.given.shape == "table" else list(value)
    return number_format(place.name, place.given.unit, numbers)


def _one(book: Book, sheet: Sheet, plan: Plan, place: InputPlace) -> None:
    value: Any = place.figure.value
    link = plan.quotes.link(place.owner, place.name) if plan.quotes else ""
    if link:
        sheet.formula(place.row, VALUE_COLUMN, link, value, ("link", _format(place)))
        return
    sheet.number(place.row, VALUE_COLUMN, value, ("input", _format(place)))
    _validate(sheet, place, span(VALUE_COLUMN, VALUE_COLUMN, place.row))
    book.name(defined_name(place), at(VALUE_COLUMN, place.row, INPUTS))


def _series(book: Book, sheet: Sheet, place: InputPlace) -> None:
    values: Any = place.figure.value
    sheet.text(place.row, VALUE_COLUMN, "by period →", "quiet")
    last = INPUT_PERIODS + len(values) - 1
    for index, value in enumerate(values):
        sheet.number(place.row, INPUT_PERIODS + index, value, ("input", _format(place)))
    _validate(sheet, place, span(INPUT_PERIODS, last, place.row))
    book.name(defined_name(place), span(INPUT_PERIODS, last, place.row, sheet=INPUTS))


def _table(book: Book, sheet: Sheet, plan: Plan, place: InputPlace) -> None:
    """Rows (from, value, step); the step is what the value adds to the one above."""
    table_head(sheet, plan, place)
    rows: Any = place.figure.value
    look = _format(place)
    from_style = "structure" if by_age(plan, place) else "input"
    for index, (start, value) in enumerate(rows):
        row = place.row + index
        sheet.number(row, VALUE_COLUMN, value, ("input", look))
        sheet.number(row, START, start, (from_style, number_format("", "", [start])))
        before = rows[index - 1][1] if index else 0.0
        sheet.formula(row, STEP, step_formula(place, index), value - before if index else value, ("step", look))
    _validate(sheet, place, span(VALUE_COLUMN, VALUE_COLUMN, place.row, place.row + place.rows - 1))
    ranges = columns(place)
    for word in ("value", "from"):
        book.name(f"{defined_name(place)}_{word}", ranges[word])
    for fleet in plan.result.fleets:
        if place.name in fleet.model.inputs and plan.input(fleet, place.name) is place:
            for word, cells in ranges.items():
                book.name(f"{place.name}_{word}", cells, sheet_of(fleet.id))


def defined_name(place: InputPlace) -> str:
    """The name that leads to an input's cells; a table has one for each column."""
    return f"in_{place.name}_{safe(place.owner)}" if place.owner else f"in_{place.name}"


def _validate(sheet: Sheet, place: InputPlace, cells: str) -> None:
    if sheet.frozen:
        return
    given = place.given
    low = LOWEST if given.minimum is None else given.minimum
    high = HIGHEST if given.maximum is None else given.maximum
    bounds = " ".join(
        [
            *([f"from {given.minimum:g}"] if given.minimum is not None else []),
            *([f"to {given.maximum:g}"] if given.maximum is not None else []),
        ]
    )
    flag = "(flag)" in given.label
    wanted = {"validate": "decimal", "criteria": "between", "minimum": low, "maximum": high}
    rule = {
        **({"validate": "list", "source": [0, 1]} if flag else wanted),
        "ignore_blank": False,
        "input_title": clean(place.name, 32) if len(place.name) <= 32 else place.name[:31] + "…",
        "input_message": clean(
            f"{label_of(given)}. {YES_OR_NO if flag else f'A number {bounds} in the unit of this row.'}".replace(
                "  ", " "
            ),
            250,
        ),
        "error_title": "Not a number" if not bounds else "Outside its range",
        "error_message": clean(f"Enter a number{' ' + bounds if bounds else ''}, without unit.", 250),
    }
    sheet.raw.data_validation(cells.replace("$", ""), rule)
