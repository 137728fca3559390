"""The Summary: one page for the person who decides; every number a link."""

from __future__ import annotations

import textwrap
from typing import Any

from tco.result import CATEGORIES
from tco.workbook.book import Book, Sheet, Value, clean, quoted, span
from tco.workbook.charts import Caption, Spot, cumulative, stacked
from tco.workbook.checks import Alerts
from tco.workbook.compare import present
from tco.workbook.compared import FIRST_FLEET, Compared
from tco.workbook.compared import HEAD as FLEETS_ROW
from tco.workbook.furniture import heading, in_words, page, paid_words
from tco.workbook.places import COMPARE
from tco.workbook.plan import Plan
from tco.workbook.ranking import ranking_line
from tco.workbook.styles import SHARE

HEAD, BESIDE = 6, 9
"""The row of headings, and the column where what the first chart draws begins."""
CHART_ROWS, LAST = 21, 8
DRAWN = 8
"""Fleets in a chart: with more, or with the dearest, nobody can read the others."""
ISSUED, MOVED = "Numbers are as issued by the engine.", "Numbers changed since issue: see the sheet Checks."
FRESH, STALE = "Searched choices match their inputs.", "A searched choice may be stale: see the sheet Checks."
SOUND = "Awarded offers hold, and are for the systems that are bought."
DOUBTFUL = "An awarded offer has expired, or is for other numbers of systems: see the sheets Checks and Quotes."
NOBODY = "No fleet can do the job as asked: the verdicts below say why."


def write_summary(book: Book, sheet: Sheet, plan: Plan, table: Compared, alerts: Alerts) -> None:
    """Sentence, ranking, charts, alerts. Written last into a sheet that stands second."""
    result = plan.result
    as_of = result.scenario.get("as_of", "")
    basis = f"Prices as of {as_of}, in {plan.currency}, {in_words(result.basis)}; {paid_words(result)}."
    heading(sheet, result.scenario.get("title", ""), basis, at_column=7)
    names = min(60, max(len(fleet.name) for fleet in result.fleets) + 2)
    widths = [5, 26, names, 16, 12, 20, 14, 18, 18]
    row = HEAD + len(result.fleets) + 2
    if ranking_line(plan) in table.rows:
        _table(sheet, plan, table)
        _sentence(sheet, plan, table)
        _charts(book, sheet, plan, table, row, sum(int(width * 7 + 5) for width in widths))
    end = _alerts(sheet, plan, alerts, row + CHART_ROWS, int(sum(widths)))
    sheet.widths([*widths, *[16] * len(present(table, CATEGORIES))])
    sheet.raw.freeze_panes(HEAD, 0)
    page(book, sheet, plan, repeat=(1, HEAD))
    sheet.raw.fit_to_pages(1, 1)
    sheet.raw.print_area(0, 0, end, LAST)


def _table(sheet: Sheet, plan: Plan, table: Compared) -> None:
    """Fleets in the order of their rank, found by MATCH, so that an edit reorders them."""
    line = ranking_line(plan)
    sheet.text(HEAD, 0, "#", "heading")
    for place in range(len(plan.result.fleets)):
        sheet.number(HEAD + 1 + place, 0, place + 1.0, "place")
    ids: list[Value] = [fleet.id for fleet in plan.result.fleets]
    _column(sheet, table, 1, "Fleet", span(FIRST_FLEET, table.last, FLEETS_ROW, sheet=COMPARE), ids, ("link left", ""))
    for column, name in ((2, "name"), (3, "verdict")):
        source = table.range(name, COMPARE)
        _column(sheet, table, column, table.labels[name], source, table.shown[name], ("link left", ""))
    numbers = [("rank", "link"), (line, "headline"), ("above_share", "link")]
    numbers += [(name, "link") for name in ("total_cost", "present_cost") if name in table.rows and name != line]
    for column, (name, role) in enumerate(numbers, 4):
        look = SHARE if name == "above_share" else table.looks[name]
        title = {"rank": "Rank", "above_share": "Above the cheapest"}.get(name) or _titled(table, name)
        _column(sheet, table, column, title, table.range(name, COMPARE), table.shown[name], (role, look))


def _column(
    sheet: Sheet, table: Compared, column: int, title: str, source: str, shown: list[Value], style: tuple[str, str]
) -> None:  # fmt: skip
    sheet.text(HEAD, column, title, "heading" if style[0] == "link left" else "heading right")
    for row, index in enumerate(_order(table), HEAD + 1):
        text = f"INDEX({source},MATCH($A{row},{table.range('position', COMPARE)},0))"
        sheet.formula(row, column, text, shown[index], style)


def _titled(table: Compared, name: str) -> str:
    return f"{table.labels[name]} ({table.units[name]})"


def _order(table: Compared) -> list[int]:
    places: list[Any] = table.shown["position"]
    return sorted(range(len(places)), key=lambda index: places[index])


def _sentence(sheet: Sheet, plan: Plan, table: Compared) -> None:
    """Words only: a number inside text would depend on the reader's language."""
    count = len([value for value in table.shown["value"] if isinstance(value, float)])
    cells = table.range("value", COMPARE)
    first = plan.result.fleets[_order(table)[0]].id
    middle = f" has the lowest {table.labels[ranking_line(plan)].lower()} of the "
    tail = f" fleets that are ranked, out of {len(plan.result.fleets)} compared."
    words = f"$B${HEAD + 1}&{quoted(middle)}&COUNT({cells})&{quoted(tail)}"
    text = f"IF(COUNT({cells})=0,{quoted(NOBODY)},{words})"
    sheet.formula(4, 0, text, f"{first}{middle}{count}{tail}" if count else NOBODY, "sentence line")


def _charts(book: Book, sheet: Sheet, plan: Plan, table: Compared, row: int, wide: int) -> None:
    prefix = "unit_" if "unit_cost" in table.rows else ""
    names = [f"{prefix}{name}" for name in present(table, CATEGORIES)]
    if not names:
        return
    count, half = min(len(plan.result.fleets), DRAWN), wide // 2 - 6
    few = "" if count == len(plan.result.fleets) else f": the first {count} of the ranking"
    title = f"{'Unit cost' if prefix else 'Cost over the horizon'} by category, undiscounted{few}"
    unit, money = table.units["unit_cost" if prefix else "cash"], plan.unit_words("money")
    _chart_data(sheet, table, names)
    words = f"{title}, in {unit}: one bar a fleet, cheapest first. The numbers are on the sheet {COMPARE}."
    data = (HEAD + 1, HEAD + count, BESIDE, [name.removeprefix("unit_") for name in names])
    stacked(book, sheet, data, Caption(title, unit, words), Spot(row, 0, half))
    words = f"Cash spent so far, in {money}, by period, one line a fleet. The numbers are on the calculation sheets."
    drawn = [plan.result.fleets[index] for index in _order(table)[:count]]
    caption = Caption(f"Cash so far, by fleet{few}", money, words)
    cumulative(book, sheet, plan, drawn, caption, Spot(row, half + 12, half))


def _chart_data(sheet: Sheet, table: Compared, names: list[str]) -> None:
    """Beside the table: the same fleets in the same order, by category; what the first chart draws."""
    for column, name in enumerate(names, BESIDE):
        title, source = table.labels[name.removeprefix("unit_")], table.range(name, COMPARE)
        _column(sheet, table, column, title, source, table.shown[name], ("link", table.looks[name]))


def _alerts(sheet: Sheet, plan: Plan, alerts: Alerts, row: int, width: int) -> int:
    """What moved, live; then the engine's warnings, in lines that fit. Returns the last row."""
    if not sheet.frozen:
        row = _live(sheet, alerts, row)
    _section(sheet, row, "Warnings as issued by the engine: an edit does not move them")
    for alert in plan.result.warnings:
        text = clean(f"{alert.fleet + ': ' if alert.fleet else ''}{alert.text}", 2000)
        for line in textwrap.wrap(text, width) or [""]:
            row += 1
            sheet.text(row, 0, line, "text")
    if not plan.result.warnings:
        row += 1
        sheet.text(row, 0, "none", "text")
    return row


def _live(sheet: Sheet, alerts: Alerts, row: int) -> int:
    """Whether anything moved since issue. Returns the next row."""
    _section(sheet, row, "Alerts, live: they follow your edits")
    row += 1
    sheet.formula(row, 0, f"IF(SUM({alerts.changed})=0,{quoted(ISSUED)},{quoted(MOVED)})", ISSUED, "left")
    if alerts.stale:
        row += 1
        sheet.formula(row, 0, f"IF(SUM({alerts.stale})=0,{quoted(FRESH)},{quoted(STALE)})", FRESH, "left")
    if alerts.quotes:
        row += 1
        told = DOUBTFUL if alerts.quoted else SOUND
        sheet.formula(row, 0, f"IF(SUM({alerts.quotes})=0,{quoted(SOUND)},{quoted(DOUBTFUL)})", told, "left")
    return row + 1


def _section(sheet: Sheet, row: int, title: str) -> None:
    sheet.text(row, 0, title, "section")
    sheet.blank(row, range(1, LAST + 1), "section")
