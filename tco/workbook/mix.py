"""The plan of a mix as a small workbook: static numbers, labelled with the scenario they hold for, and live checks."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import Any

from tco.mix.found import Mixed
from tco.mix.plan import AGREED, Part
from tco.mix.words import cautions, headline, limits_told
from tco.wording import shortened
from tco.workbook.book import Book, Sheet, at, clean, quoted, span
from tco.workbook.furniture import FAIL, MASTER_COLUMN, MASTER_ROW, PASS, PROTECTION, alarm, heading
from tco.workbook.places import CHECKS, SUMMARY
from tco.workbook.styles import COUNT, MONEY, SHARE, TABS

SYSTEMS, SHARES = "Systems", "Shares"
HEAD, FIRST = 9, 10
BASE_ROW, NOW_ROW, STATE_ROW = 5, 6, 7
CURRENT, STALE = "current", "STALE: the scenario has changed, run tco mix again"
CHECK_HEAD, TOLERANCE_ROW = 7, 5


def build(found: Mixed) -> bytes:
    """The workbook as bytes: the same for the same plan."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        book = Book(PASS)
        summary, systems, shares = (book.sheet(name, TABS["presentation"]) for name in (SUMMARY, SYSTEMS, SHARES))
        last = _write_summary(summary, found)
        _write_systems(systems, found)
        sums = _write_shares(shares, found)
        _write_checks(book, found, last, sums)
        summary.raw.activate()
        for sheet in book.sheets.values():
            _page(sheet, found)
        book.raw.set_properties({"title": "The cheapest mix", "keywords": "tco", "created": _day(found)})
        return book.content()


def _day(found: Mixed) -> Any:
    from tco.workbook.writer import day

    return day(found.plan.asked.scenario.as_of)


def _write_summary(sheet: Sheet, found: Mixed) -> int:
    """The plan's cost by fleet, each fleet alone, limits and warnings; returns the row of the sum."""
    asked, parts = found.plan.asked, found.plan.parts
    heading(sheet, f"The cheapest mix: {clean(asked.scenario.title, 90)}", headline(found))
    _write_base(sheet, asked.loaded.document.sha256[:16])
    sheet.texts(HEAD, 0, ["Fleet", "What"], "heading")
    sheet.text(HEAD, 2, f"Present cost, {asked.scenario.currency}", "heading right")
    for row, part in enumerate(parts, FIRST):
        sheet.text(row, 0, part.id, "label")
        sheet.text(row, 1, shortened(part.name, 80), "label wrapped")
        sheet.number(row, 2, part.cost, ("static", MONEY))
    last = FIRST + len(parts)
    sheet.text(last, 0, "All", "label")
    total = sum(part.cost for part in parts)
    sheet.formula(last, 2, f"SUM({span(2, 2, FIRST, last - 1)})", total, ("total right", MONEY))
    row = _write_alone(sheet, found, last + 2)
    for text in (*limits_told(found), *cautions(found)):
        sheet.text(row, 0, shortened(text, 400), "quiet")
        row += 1
    sheet.widths([26, 44, 26, 30])
    return last


def _write_base(sheet: Sheet, digest: str) -> None:
    """Which scenario the numbers hold for, and whether that is still the one at hand."""
    sheet.text(BASE_ROW - 1, 0, "These numbers do not follow edits: they hold for one scenario.", "quiet")
    sheet.text(BASE_ROW, 0, "Made for the scenario", "label")
    sheet.text(BASE_ROW, 1, digest, "id")
    sheet.text(NOW_ROW, 0, "Scenario at hand", "label")
    sheet.text(NOW_ROW, 1, digest, "input text")
    sheet.text(NOW_ROW, 2, "type the first 16 signs of its sha256", "quiet")
    sheet.text(STATE_ROW, 0, "So this plan is", "label")
    formula = f"IF({at(1, NOW_ROW)}={at(1, BASE_ROW)},{quoted(CURRENT)},{quoted(STALE)})"
    sheet.formula(STATE_ROW, 1, formula, CURRENT, "check")
    alarm(sheet, STATE_ROW, 1, STALE)


def _write_alone(sheet: Sheet, found: Mixed, row: int) -> int:
    sheet.texts(row, 0, ["Alone, within the same limits", "Why not"], "heading")
    sheet.text(row, 2, f"Present cost, {found.plan.asked.scenario.currency}", "heading right")
    for at_row, one in enumerate(found.alone, row + 1):
        sheet.text(at_row, 0, one.fleet, "label")
        sheet.text(at_row, 1, one.reason, "label wrapped")
        if one.cost is None:
            sheet.text(at_row, 2, "n/a", "absent")
        else:
            sheet.number(at_row, 2, one.cost, ("static", MONEY))
    return row + len(found.alone) + 2


def _write_systems(sheet: Sheet, found: Mixed) -> None:
    """Systems that stand by period, and those added by moment."""
    asked = found.plan.asked
    counted = [part for part in found.plan.parts if part.payment != "api"]
    heading(sheet, "Systems", "that stand in each period")
    labels = asked.timeline.labels
    sheet.text(4, 0, "Standing", "heading")
    sheet.texts(4, 1, labels, "heading right")
    for row, part in enumerate(counted, 5):
        sheet.text(row, 0, part.id, "label")
        _numbers(sheet, row, [float(number) for number in part.standing], COUNT)
    top = 6 + len(counted)
    sheet.text(top, 0, "Added", "heading")
    sheet.texts(top, 1, [one.label for one in asked.moments], "heading right")
    for row, part in enumerate(counted, top + 1):
        sheet.text(row, 0, part.id, "label")
        _numbers(sheet, row, part.added, COUNT)
    sheet.widths([26, *(max(11, len(label) + 2) for label in labels)])
    sheet.raw.freeze_panes(4, 1)


def _numbers(sheet: Sheet, row: int, values: Sequence[float], look: str) -> None:
    for column, value in enumerate(values, 1):
        sheet.number(row, column, value, ("static", look))


def _write_shares(sheet: Sheet, found: Mixed) -> list[tuple[str, int, int]]:
    """Shares of each class by fleet and moment; returns class, first and last row of each."""
    asked = found.plan.asked
    heading(sheet, "Shares", "of the requests of each class")
    sheet.texts(4, 0, ["Class"], "heading")
    sheet.texts(4, 1, [one.label for one in asked.moments], "heading right")
    row, sums = 5, list[tuple[str, int, int]]()
    for name in asked.classes:
        takers = [part for part in found.plan.parts if any(part.shares[name])]
        for at_row, part in enumerate(takers, row):
            sheet.text(at_row, 0, f"{name}, {part.id}", "label")
            _numbers(sheet, at_row, part.shares[name], SHARE)
        last = row + len(takers)
        sums.append((name, row, last))
        _write_sum(sheet, name, row, last, takers)
        row = last + 2
    sheet.widths([40, *(max(11, len(one.label) + 2) for one in asked.moments)])
    sheet.raw.freeze_panes(4, 1)
    return sums


def _write_sum(sheet: Sheet, name: str, first: int, last: int, takers: list[Part]) -> None:
    sheet.text(last, 0, f"{name}, all", "label")
    wholes = [sum(column) for column in zip(*(part.shares[name] for part in takers), strict=True)]
    for column, value in enumerate(wholes, 1):
        sheet.formula(last, column, f"SUM({span(column, column, first, last - 1)})", value, ("total right", SHARE))


def _write_checks(book: Book, found: Mixed, total: int, sums: list[tuple[str, int, int]]) -> None:
    """The engine's costs add up to the optimiser's, and every class is served whole."""
    sheet = book.sheet(CHECKS, TABS["control"])
    last = CHECK_HEAD + 1 + len(sums)
    sheet.text(1, 0, "Checks", "title")
    sheet.text(2, 0, "The engine costs what the optimiser planned, and every class is served whole.", "subtitle")
    sheet.text(MASTER_ROW, 0, "Master check", "label")
    wrong = span(4, 4, CHECK_HEAD + 1, last)
    sheet.formula(MASTER_ROW, MASTER_COLUMN, f"IF(SUM({wrong})=0,{quoted(PASS)},{quoted(FAIL)})", PASS, "check")
    alarm(sheet, MASTER_ROW, MASTER_COLUMN, FAIL)
    sheet.text(TOLERANCE_ROW, 0, "Tolerance, of the larger number", "label")
    sheet.number(TOLERANCE_ROW, 1, AGREED, ("structure", "0E+00"))
    sheet.text(CHECK_HEAD, 0, "Check", "heading")
    sheet.texts(CHECK_HEAD, 1, ["Here", "Wanted", "Difference", "Fails"], "heading right")
    here = sum(part.cost for part in found.plan.parts)
    _check(sheet, CHECK_HEAD + 1, "Present cost of the plan", at(2, total, SUMMARY), here, found.plan.cost, MONEY)
    count = len(found.plan.asked.moments)
    for row, (name, _, sum_row) in enumerate(sums, CHECK_HEAD + 2):
        values = [sum(part.shares[name][index] for part in found.plan.parts) for index in range(count)]
        cells = f"MIN({span(1, count, sum_row, sheet=SHARES)})"
        _check(sheet, row, f"{name}: least share that is served", cells, min(values), 1.0, SHARE)
    sheet.widths([40, 20, 20, 16, 8])


def _check(sheet: Sheet, row: int, label: str, formula: str, here: float, wanted: float, look: str) -> None:
    sheet.text(row, 0, label, "label")
    sheet.formula(row, 1, formula, here, ("link", look))
    sheet.number(row, 2, wanted, ("issued", look))
    sheet.formula(row, 3, f"{at(1, row)}-{at(2, row)}", here - wanted, ("right", "0.0E+00"))
    allowed = f"{at(1, TOLERANCE_ROW)}*MAX(ABS({at(1, row)}),ABS({at(2, row)}))"
    sheet.formula(row, 4, f"IF(ABS({at(3, row)})>{allowed},1,0)", 0.0, "flag")


def _page(sheet: Sheet, found: Mixed) -> None:
    """A4 landscape, one page wide."""
    raw, asked = sheet.raw, found.plan.asked
    raw.set_paper(9)
    raw.set_landscape()
    raw.set_margins(left=0.3, right=0.3, top=0.4, bottom=0.55)
    raw.fit_to_pages(1, 0)
    title = shortened(asked.scenario.title, 90).replace("&", "&&")
    raw.set_footer(f"&L&8{title}&C&8&A · scenario {asked.loaded.document.sha256[:12]}&R&8Page &P of &N")
    raw.protect("", PROTECTION)
