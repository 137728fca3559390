"""The sheet Ranges: what each fleet may cost when ranges are drawn, as issued, with an alert when that may be stale."""

from __future__ import annotations

from collections.abc import Sequence

from tco.result import Result
from tco.uncertainty.found import Simulation
from tco.uncertainty.words import finding
from tco.workbook.book import Book, Sheet, quoted
from tco.workbook.checks import Alerts
from tco.workbook.furniture import alarm, heading, page
from tco.workbook.plan import Plan
from tco.workbook.styles import SHARE, number_format

STATE_ROW, FINDING_ROW, FIRST_ROW = 4, 5, 7
WIDTHS = (44, 18, 18, 15, 15, 15, 15, 15, 15, 15, 15)
FRESH, STALE = "As issued: costs are those that were drawn from.", "May be stale: costs changed since issue."


def has_ranges(result: Result) -> bool:
    """Whether the scenario itself asks, with these settings: only then can the workbook be made again from itself."""
    asked = result.session and result.session.content.analysis
    found = result.uncertainty if asked and asked.uncertainty else None
    if found is None or asked is None or asked.uncertainty is None:
        return False
    from tco.uncertainty.draws import rounded

    return found.seed == asked.seed and (
        "samples" not in asked.uncertainty.model_fields_set or found.samples == rounded(asked.uncertainty.samples)
    )


def write_ranges(book: Book, sheet: Sheet, plan: Plan, alerts: Alerts) -> None:
    """Numbers only: a sheet draws nothing."""
    found = plan.result.uncertainty
    assert found is not None
    told = f"{found.samples:,} draws of {len(found.drivers)} values, seed {found.seed}"
    heading(sheet, "Ranges", f"{told}: figures of the engine, not live.", at_column=4)
    sheet.formula(STATE_ROW, 0, f"IF(SUM({alerts.changed})=0,{quoted(FRESH)},{quoted(STALE)})", FRESH, "left")
    alarm(sheet, STATE_ROW, 0, STALE)
    sheet.text(FINDING_ROW, 0, finding(plan.result, found), "left")
    row = _fleets(sheet, plan, found, FIRST_ROW)
    row = _shares(sheet, found, row + 1)
    row = _values(sheet, found, row + 1)
    for note in (*found.notes, *(f"No shares of {fleet}: {why}." for fleet, why in found.without_indices.items())):
        row += 1
        sheet.text(row, 0, note, "left")
    sheet.widths(WIDTHS)
    sheet.raw.freeze_panes(2, 1)
    page(book, sheet, plan, repeat=(1, 2))


def _section(sheet: Sheet, row: int, text: str, names: Sequence[str], numbers: Sequence[str]) -> int:
    """A title and heads; the row of the first entry."""
    sheet.text(row, 0, text, "section")
    sheet.blank(row, range(1, len(WIDTHS)), "section")
    sheet.texts(row + 1, 0, names, "heading")
    sheet.texts(row + 1, len(names), numbers, "heading right")
    return row + 2


def _fleets(sheet: Sheet, plan: Plan, found: Simulation, row: int) -> int:
    unit, money = _unit(plan, found.headline), plan.unit_words("money")
    heads = ("Cheapest in", "Does the work in", "This scenario", "P5", "Median", "P95", "Mean")
    totals = (f"Total P5, {money}", "Total median", "Total P95")
    row = _section(sheet, row, f"What each fleet may cost, in {unit}", ("Fleet",), (*heads, *totals))
    for fleet in found.order:
        line, total = fleet.lines.get(found.headline), fleet.lines.get("total_cost")
        units = (fleet.base, line.p5, line.p50, line.p95, line.mean) if line else (fleet.base, *(None,) * 4)
        amounts = (total.p5, total.p50, total.p95) if total else (None,) * 3
        sheet.text(row, 0, fleet.id, "label")
        for column, share in enumerate((fleet.cheapest, fleet.able), 1):
            sheet.number(row, column, share, ("issued", SHARE))
        _numbers(sheet, plan, row, 3, unit, units)
        _numbers(sheet, plan, row, 3 + len(units), "money", amounts)
        row += 1
    return row


def _unit(plan: Plan, line: str) -> str:
    models = (fleet.model for fleet in plan.result.fleets)
    return next((plan.line_unit(model.lines[line], line) for model in models if line in model.lines), "1")


def _numbers(sheet: Sheet, plan: Plan, row: int, column: int, unit: str, numbers: Sequence[float | None]) -> None:
    for place, number in enumerate(numbers, column):
        if number is None:
            sheet.text(row, place, "n/a", "wrapped right")
        else:
            sheet.number(row, place, number, ("issued", plan.look("", unit, [number])))


def _shares(sheet: Sheet, found: Simulation, row: int) -> int:
    if not found.indices:
        return row
    title = "Shares of the variance of the unit cost (Sobol indices)"
    row = _section(sheet, row, title, ("Value", "Fleet"), ("Alone", "With all it acts with"))
    for fleet, indices in found.indices.items():
        for one in indices:
            sheet.text(row, 0, " with ".join(one.drivers), "label")
            sheet.text(row, 1, fleet, "left")
            for column, share in ((2, one.first), (3, one.total)):
                sheet.number(row, column, share, ("issued", SHARE))
            row += 1
    return row


def _values(sheet: Sheet, found: Simulation, row: int) -> int:
    row = _section(sheet, row, "What is drawn", ("Value", "Unit"), ("P5", "Median", "P95"))
    sheet.text(row - 1, 5, "As stated", "heading inside")
    for one in found.drivers:
        sheet.text(row, 0, one.name, "label")
        sheet.text(row, 1, one.unit, "unit")
        for column, number in enumerate((one.p5, one.p50, one.p95), 2):
            sheet.number(row, column, number, ("issued", number_format("", "", [one.p5, one.p50, one.p95])))
        sheet.text(row, 5, one.text, "left inside")
        row += 1
    for one, other, rank in found.correlations:
        sheet.text(row, 0, f"{one} and {other} move together: rank {rank:g}", "label")
        row += 1
    return row
