"""The sheet Checks: errors (arithmetic is wrong) apart from alerts (something moved since the engine issued it)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from tco.result import CATEGORIES, HEADLINES, FleetResult
from tco.workbook.book import Book, Sheet, Value, at, span
from tco.workbook.compared import Compared, cell
from tco.workbook.foundation import TOLERANCE
from tco.workbook.furniture import FAIL, MASTER_COLUMN, MASTER_ROW, PASS, alarm, page
from tco.workbook.places import CHECKS, CONSTANT, INPUT_PERIODS, INPUTS, TOTAL, VALUE_COLUMN, InputSection, sheet_of
from tco.workbook.plan import Plan, label_of
from tco.workbook.quote_prices import quote_alerts, quote_errors
from tco.workbook.ranking import ranking_line
from tco.workbook.rows import Row
from tco.workbook.styles import TABS
from tco.workbook.styling import ERRORS
from tco.workbook.values import FleetValues, added
from tco.workbook.verdicts import shown_as

HEAD = 6
CHANGED, SAME, STALE, FRESH = "changed since issue", "as issued", "choice may be stale", "as chosen"
LOOK, HOLDS = "does not hold", "holds"
MOMENTS = ("paid_at_start", "paid_through", "paid_at_end")


@dataclass
class Alerts:
    """Cells that count what moved, for the Summary."""

    changed: str
    stale: str
    issued: int
    quotes: str = ""
    quoted: int = 0


def master_says(plan: Plan, values: dict[str, FleetValues], ties: Iterable[Row] = ()) -> str:
    """What the master check will say, needed on every sheet before Checks is written."""
    return FAIL if any(_failed(item) for item in (*_errors(plan, values), *ties)) else PASS


def write_checks(
    book: Book, plan: Plan, table: Compared, values: dict[str, FleetValues], ties: Iterable[Row] = ()
) -> Alerts:
    """Errors first (`ties` are those of other sheets), then alerts; the master check on top looks at errors only."""
    sheet = book.sheet(CHECKS, TABS["control"])
    sheet.text(1, 0, "Checks", "title")
    sheet.text(
        2,
        0,
        "Errors say that arithmetic is wrong. Alerts say that something moved since the engine issued this file.",
        "subtitle",
    )
    sheet.text(MASTER_ROW, 0, "Master check", "label")
    sheet.text(HEAD - 2, 0, "Alerts", "label")
    errors, changed, stale = [*_errors(plan, values), *ties], list(_changed(plan, table)), list(_stale(plan, values))
    stale = [] if sheet.frozen else stale
    row = _section(sheet, plan, HEAD, "Errors", errors, ("FAILED", "pass"))
    first_alert = row + 1
    row = _section(
        sheet, plan, first_alert, "Alerts: engine's numbers at issue against live ones", changed, (CHANGED, SAME)
    )
    first_stale = row + 1
    if stale:
        row = _section(sheet, plan, first_stale, "Alerts: what choices were made for", stale, (STALE, FRESH))
    flags = span(7, 7, HEAD + 1, HEAD + len(errors))
    sheet.formula(MASTER_ROW, MASTER_COLUMN, f'IF(SUM({flags})=0,"{PASS}","{FAIL}")', sheet.master, "check")
    alarm(sheet, MASTER_ROW, MASTER_COLUMN, FAIL)
    counts = span(7, 7, first_alert + 1, row)
    sheet.formula(
        HEAD - 2, 1, f'IF(SUM({counts})=0,"none: as issued","see below: moved since issue")', "none: as issued", "left"
    )
    row, quoted = _of_quotes(sheet, plan, row)
    sheet.widths([66, 34, 18, 20, 20, 14, 13, 8, 22])
    sheet.raw.freeze_panes(HEAD - 1, 1)
    page(book, sheet, plan, repeat=(1, HEAD - 1))
    of_changed = span(7, 7, first_alert + 1, first_alert + len(changed), CHECKS)
    of_stale = span(7, 7, first_stale + 1, first_stale + len(stale), CHECKS) if stale else ""
    of_quotes = span(7, 7, row - len(quoted) + 1, row, CHECKS) if quoted else ""
    return Alerts(of_changed, of_stale, sum(map(_failed, changed)), of_quotes, sum(map(_failed, quoted)))


def _of_quotes(sheet: Sheet, plan: Plan, row: int) -> tuple[int, list[Row]]:
    """Awarded offers: whether they hold, and are for as many systems as are bought. The last row, and the rows."""
    quoted = list(quote_alerts(plan))
    title = "Alerts: awarded offers, on the day that prices are judged against"
    return (_section(sheet, plan, row + 1, title, quoted, (LOOK, HOLDS)) if quoted else row), quoted


def _section(sheet: Sheet, plan: Plan, row: int, title: str, rows: list[Row], words: tuple[str, str]) -> int:
    sheet.texts(row, 0, [title, "Where", "Unit"], "heading")
    sheet.texts(row, 3, ["Found", "Expected", "Difference", "Tolerance", "Flag"], "heading right")
    sheet.text(row, 8, "State", "heading inside")
    for item in rows:
        row += 1
        _row(sheet, plan, row, item, words)
    alarm(sheet, row - len(rows) + 1, 8, words[0], row)
    return row


def _row(sheet: Sheet, plan: Plan, row: int, item: Row, words: tuple[str, str]) -> None:
    sheet.texts(row, 0, [item.label, item.place], "label wrapped")
    sheet.text(row, 2, item.unit, "unit")
    pair = _pair(item)
    look = plan.look(item.name, item.unit, pair)
    for column, part in ((3, item.found), (4, item.expected)):
        if isinstance(part, tuple):
            sheet.formula(row, column, part[0], part[1], ("link", look))
        elif isinstance(part, str):
            sheet.text(row, column, part, "words")
        else:
            sheet.number(row, column, part, ("structure", look))
    flag = float(_failed(item))
    if item.exact:
        sheet.formula(row, 7, f"IF(D{row}=E{row},0,1)", flag, "flag")
    else:
        wrong, difference, tolerance = _difference(pair)
        sheet.formula(row, 5, f"N(D{row})-N(E{row})", wrong or difference, ("number", "0.0E+00"))
        size = f"{plan.tolerance}*MAX(ABS(N(D{row})),ABS(N(E{row})))"
        sheet.formula(row, 6, size, wrong or tolerance, ("number", "0.0E+00"))
        sheet.formula(row, 7, f"IF(ISERROR(F{row}-G{row}),1,(ABS(F{row})>G{row})*1)", flag, "flag")
    sheet.formula(row, 8, f'IF(H{row}=0,"{words[1]}","{words[0]}")', words[0] if flag else words[1], "state")


def _pair(item: Row) -> list[Value]:
    return [part[1] if isinstance(part, tuple) else part for part in (item.found, item.expected)]


def _difference(pair: list[Value]) -> tuple[str, float, float]:
    """An error text if there is one, the difference and its tolerance; text counts as 0, as N() reads it."""
    wrong = next((str(value) for value in pair if value in ERRORS), "")
    found, expected = (value if isinstance(value, float) else 0.0 for value in pair)
    return wrong, found - expected, TOLERANCE * max(abs(found), abs(expected))


def _failed(item: Row) -> bool:
    pair = _pair(item)
    if item.exact:
        return pair[0] != pair[1]
    wrong, difference, tolerance = _difference(pair)
    return bool(wrong) or abs(difference) > tolerance


# --- errors ---


def _errors(plan: Plan, values: dict[str, FleetValues]) -> Iterator[Row]:
    for section in plan.sections:
        yield from _numeric(section)
    yield from quote_errors(plan, values)
    for fleet in plan.result.fleets:
        yield from _adds_up(plan, fleet, values[fleet.id])
        sheet = sheet_of(fleet.id)
        cells = f"{at(CONSTANT, plan.results_end + 1, sheet)}:{at(plan.last, plan.end[fleet.id])}"
        broken = float(values[fleet.id].broken)
        undefined = float(_undefined(fleet))
        told = "Only lines for work that is not done end in an error" if undefined else "No line ends in an error"
        yield Row(told, sheet, (f"IF(ISERROR(SUM({cells})),1,0)", broken), undefined, "flag")


def _undefined(fleet: FleetResult) -> bool:
    """Whether the engine itself calls what is told for a unit of work not defined, and nothing else."""
    found = {name for name in fleet.model.lines if fleet.reason(name).startswith("not defined")}
    return bool(found) and all((name in HEADLINES and "cost_per" in name) or "useful" in name for name in found)


def _numeric(section: InputSection) -> Iterator[Row]:
    runs = [(section.ones, VALUE_COLUMN, VALUE_COLUMN, "single numbers")]
    for place in section.series:
        values: Any = place.figure.value
        runs.append(([place], INPUT_PERIODS, INPUT_PERIODS + len(values) - 1, label_of(place.given)))
    runs += [([place], VALUE_COLUMN, VALUE_COLUMN + 1, label_of(place.given)) for place in section.tables]
    for places, first, last, what in runs:
        if places:
            rows = places[0].row, places[-1].row + places[-1].rows - 1
            cells = span(first, last, *rows, sheet=INPUTS)
            count = float((rows[1] - rows[0] + 1) * (last - first + 1))
            expected = (f"ROWS({cells})*COLUMNS({cells})", count)
            yield Row(
                f"Inputs are numbers: {what}",
                f"{INPUTS}: {section.owner or section.title}",
                (f"COUNT({cells})", count),
                expected,
                "cells",
            )


def _adds_up(plan: Plan, fleet: FleetResult, values: FleetValues) -> Iterator[Row]:
    shown = shown_as(fleet).shown
    if "total_cost" not in fleet.model.lines:
        return
    money, sheet = plan.unit_words("money"), sheet_of(fleet.id)
    guard = f"IF({plan.result_cell(fleet, 'costs_shown')}=1,{{}},0)"
    total = guard.format(plan.result_cell(fleet, "total_cost")), values.one("total_cost") if shown == 1 else 0.0
    names = [name for name in CATEGORIES if name in fleet.model.lines]
    if names:
        cells = span(TOTAL, TOTAL, plan.results[CATEGORIES[0]], plan.results[CATEGORIES[-1]], sheet)
        found = added([added(values.series(name)) for name in names]) if shown == 1 else 0.0
        yield Row("Categories add up to the total cost", sheet, (guard.format(f"SUM({cells})"), found), total, money)
    moments = [name for name in MOMENTS if name in fleet.model.lines]
    if moments:
        rows = [plan.rows[fleet.id][name] for name in moments]
        text = ",".join(plan.periods_of(row, sheet) for row in rows)
        found = added([added(values.series(name)) for name in moments])
        yield Row(
            "Moments of payment add up to the total cost",
            sheet,
            (f"SUM({text})", found),
            _whole(plan, fleet, values),
            money,
        )


def _whole(plan: Plan, fleet: FleetResult, values: FleetValues) -> tuple[str, Value]:
    """The total cost as computed, whatever the verdict."""
    return plan.cell(fleet, "total_cost", sheet_of(fleet.id)), values.one("total_cost")


# --- alerts ---


def _changed(plan: Plan, table: Compared) -> Iterator[Row]:
    lines = [name for name in dict.fromkeys((ranking_line(plan), "total_cost", "present_cost")) if name in table.rows]
    for index, fleet in enumerate(plan.result.fleets):
        live: Value = table.shown["verdict"][index]
        yield Row("Verdict", fleet.id, (cell(table, "verdict", index), live), fleet.verdict, "word", exact=True)
        for name in lines:
            value: Any = fleet.shown(name)
            if table.shown[name][index] in ERRORS:
                continue
            issued = float(value) if isinstance(value, float) else str(table.shown[name][index])
            yield Row(
                table.labels[name],
                fleet.id,
                (cell(table, name, index), table.shown[name][index]),
                issued,
                table.units[name],
            )


def _stale(plan: Plan, values: dict[str, FleetValues]) -> Iterator[Row]:
    """Live inputs against those for which the engine searched, a shared one once; a sheet repeats no search."""
    told = set[tuple[Any, ...]]()
    for fleet in plan.result.fleets:
        made_for: Any = fleet.choices.get("for") or {}
        for name, value in made_for.items():
            given = fleet.model.inputs.get(name)
            if given is not None and given.shape == "one" and not given.frame and isinstance(value, int | float):
                live: Any = plan.input(fleet, name).figure.value
                cell_of = (plan.input_cell(fleet, name), float(live))
                place = "all fleets" if name in fleet.shared else fleet.id
                if (name, place, cell_of, value) not in told:
                    told.add((name, place, cell_of, value))
                    yield Row(label_of(given), place, cell_of, float(value), plan.line_unit(given), name=name)
        yield from _billed(plan, fleet, values[fleet.id])


def _billed(plan: Plan, fleet: FleetResult, values: FleetValues) -> Iterator[Row]:
    """The live load against the one for which a tariff was billed hour by hour, all periods added up."""
    load: Any = fleet.choices.get("bill", {}).get("for", {})
    for name, row in load.items():
        item = fleet.model.lines.get(name)
        if item is not None and name in plan.rows[fleet.id]:
            cells = plan.periods_of(plan.rows[fleet.id][name], sheet_of(fleet.id))
            live = (f"SUM({cells})", added(values.series(name)))
            yield Row(
                f"{label_of(item)}, billed by a tariff", fleet.id, live, float(added(row)), plan.line_unit(item, name)
            )
