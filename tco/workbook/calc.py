"""The calculation sheet of a fleet: frame, results, inputs brought in, then every chapter, one row a line."""

from __future__ import annotations

import textwrap

from tco.expression import Expr
from tco.model import TracedLine
from tco.printers.excel import Frame, formula
from tco.result import FleetResult
from tco.units import composition
from tco.workbook.book import Book, Sheet, letters
from tco.workbook.foundation import frame_rows, serial
from tco.workbook.furniture import heading, page
from tco.workbook.places import (
    CONSTANT,
    FIRST,
    FRAME,
    INPUT_PERIODS,
    INPUTS,
    LABEL,
    OPENING,
    PERIOD_END,
    TIME,
    TOTAL,
    UNIT,
    Block,
    sheet_of,
)
from tco.workbook.plan import BROUGHT_IN, Plan, label_of, unit_words
from tco.workbook.results import write_results
from tco.workbook.styles import MONTH, TABS, number_format
from tco.workbook.values import FleetValues, added

_AMOUNTS = [
    {"money": 1},
    {"W": 1, "h": 1},
    {"token": 1},
    {"request": 1},
    {"step": 1},
    {"gCO2e": 1},
    {"kg": 1},
    {"l": 1},
    {"FLOP": 1},
    {"gpu": 1, "h": 1},
    {"system": 1, "h": 1},
    {"job": 1},
    {"run": 1},
]
INFORMS = "for information"
"""What a line says on which no result rests."""
_STANDS = ("lag", "lag_by", "cumulative", "cumulative_within", "window_total", "highest", "window_highest", "by_age")


def write_calc(book: Book, plan: Plan, fleet: FleetResult, values: FleetValues) -> None:
    """One sheet; Compare and Summary read its results block, which has the same rows on every such sheet."""
    sheet = book.sheet(sheet_of(fleet.id), TABS["workings"])
    heading(sheet, textwrap.shorten(f"Calculation: {fleet.name}", 60, placeholder=" …"), at_column=OPENING)
    frame_rows(sheet, plan)
    _frame_links(sheet, plan)
    write_results(book, sheet, plan, fleet, values)
    frames = _frames(plan, fleet)
    for block in plan.blocks[fleet.id]:
        _title(sheet, plan, block)
        if block.title == BROUGHT_IN:
            row = next(section.row for section in plan.sections if section.owner == fleet.id)
            sheet.link(block.row, LABEL, INPUTS, "Their ranges, sources and dates", to_row=row, style="section link")
        for name in block.names:
            if name in fleet.model.inputs:
                _brought(sheet, plan, fleet, name, values)
            else:
                _line(sheet, plan, fleet, fleet.model.lines[name], values, frames.get(name, frames[""]))
    _finish(book, sheet, plan, fleet)


def _frame_links(sheet: Sheet, plan: Plan) -> None:
    known = plan.result.timeline.frame()
    for name, row in FRAME.items():
        sheet.across(
            row,
            FIRST,
            f"{TIME}!{{c}}{row}",
            known[name].tolist(),
            ("link", number_format(name, "", known[name].tolist())),
        )
    ends = [serial(end) for end in plan.result.timeline.ends]
    sheet.across(PERIOD_END, FIRST, f"{TIME}!{{c}}{PERIOD_END}", ends, ("heading right", MONTH))
    sheet.text(PERIOD_END, plan.last + 1, "Line", "heading")


def _title(sheet: Sheet, plan: Plan, block: Block) -> None:
    sheet.text(block.row, 0, block.title, "section")
    sheet.blank(block.row, range(1, plan.last + 2), "section")


def _frames(plan: Plan, fleet: FleetResult) -> dict[str, Frame]:
    """How each line reads others; members of a recurrence know their group."""
    rows = plan.rows[fleet.id]

    def frame(group: tuple[str, ...] = ()) -> Frame:
        return Frame(
            lambda name: plan.cell(fleet, name),
            rows.__getitem__,
            plan.last_letters,
            group=frozenset(group),
            every_age=lambda table, clock: plan.every_age(fleet, table, clock),
        )

    frames = {"": frame()}
    for group in fleet.model.groups:
        if len(group) > 1 or any(name in fleet.model.lines[name].parents for name in group):
            frames.update(dict.fromkeys(group, frame(group)))
    return frames


def _brought(sheet: Sheet, plan: Plan, fleet: FleetResult, name: str, values: FleetValues) -> None:
    given, row = fleet.model.inputs[name], plan.rows[fleet.id][name]
    sheet.text(row, LABEL, label_of(given), "label wrapped")
    sheet.text(row, UNIT, plan.line_unit(given, name), "unit")
    sheet.text(row, plan.last + 1, name, "quiet")
    if given.shape == "series":
        numbers = values.series(name)
        look = ("link", plan.look(name, given.unit, numbers))
        if given.frame:
            sheet.across(row, FIRST, f"{TIME}!{{c}}{plan.frame_inputs[name]}", numbers, look)
            return
        place = plan.input(fleet, name)
        for index, value in enumerate(numbers):
            sheet.formula(row, FIRST + index, f"{INPUTS}!{letters(INPUT_PERIODS + index)}{place.row}", value, look)
        return
    number = values.one(name)
    cell = f"{TIME}!$D${plan.frame_inputs[name]}" if given.frame else plan.input_cell(fleet, name)
    sheet.formula(row, CONSTANT, cell, number, ("link", plan.look(name, given.unit, [number])))


def _line(sheet: Sheet, plan: Plan, fleet: FleetResult, item: TracedLine, values: FleetValues, frame: Frame) -> None:
    row = plan.rows[fleet.id][item.name]
    grey = item.name in fleet.model.greyed
    marks = [*(["pinned"] if item.pinned else []), *(["not used: a pin stands in its place"] if grey else [])]
    marks += [INFORMS] if item.name in plan.informing[fleet.id] else []
    label = f"{label_of(item)} ({', '.join(marks)})" if marks else label_of(item)
    sheet.text(row, LABEL, label, "label greyed" if grey else "label wrapped")
    sheet.text(row, UNIT, plan.line_unit(item, item.name), "unit")
    sheet.text(row, plan.last + 1, item.name, "quiet")
    role = "greyed" if grey else "number"
    text = formula(item.expression, frame)
    if not item.series:
        value = values.one(item.name)
        sheet.formula(row, CONSTANT, text, value, (role, plan.look(item.name, unit_words(item), [value])))
        return
    numbers = values.series(item.name)
    look = (role, plan.look(item.name, unit_words(item), numbers))
    if item.opening is not None:
        sheet.formula(row, OPENING, formula(item.opening, frame), values.opening(item), look)
    sheet.across(row, FIRST, text, numbers, look)
    if adds_up(item, fleet):
        total = f"SUM({plan.periods_of(row)})"
        sheet.formula(row, TOTAL, total, added(numbers), (role, plan.look("", unit_words(item), [added(numbers)])))


def adds_up(item: TracedLine, fleet: FleetResult) -> bool:
    """Whether a total over the periods means something: an amount, not a rate, a flag or a standing balance."""
    bases = composition(item.unit).bases
    standing = item.expression.op in _STANDS or item.name in item.parents or _reads_back(item.expression)
    return bases in _AMOUNTS and not standing


def _reads_back(part: Expr) -> bool:
    """A sum or difference that starts from what stood before is a balance."""
    if part.op in ("add", "sub"):
        return any(_reads_back(arg) for arg in part.args)
    return part.op in ("lag", "cumulative")


def _finish(book: Book, sheet: Sheet, plan: Plan, fleet: FleetResult) -> None:
    """The recommended fleet prints in full, as a specimen of how every fleet is computed; the others print results."""
    wide = plan.number_width
    sheet.widths([2, 37, 16, max(13, wide), max(13, wide), 10, *[wide] * plan.periods, plan.line_width])
    for block in plan.blocks[fleet.id]:
        sheet.group(range(block.row + 1, block.row + 1 + len(block.names)))
    sheet.raw.outline_settings(True, False, True, False)
    sheet.raw.ignore_errors({"formula_range": f"A1:{letters(plan.last + 1)}{plan.end[fleet.id]}"})
    sheet.raw.freeze_panes(PERIOD_END, FIRST)
    page(book, sheet, plan, repeat=(1, PERIOD_END), wide=True)
    last = plan.end[fleet.id] if fleet.id == plan.result.recommended else plan.results_end
    sheet.raw.print_area(0, 0, last - 1, plan.last)
