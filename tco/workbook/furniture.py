"""What every sheet has: a title, the master check, a printed page with a footer, and protection without a password."""

from __future__ import annotations

import textwrap

from tco.result import Result
from tco.workbook.book import Book, Sheet, at, clean
from tco.workbook.places import CHECKS, FIRST, OPENING
from tco.workbook.plan import Plan

PRINTED = 131
"""Characters that fit at full size across a page of Letter, which is narrower than A4: both print the same pages."""
PASS, FAIL = "ALL CHECKS PASS", "CHECKS FAILED"
MASTER_ROW, MASTER_COLUMN = 3, 1

PROTECTION = {
    "select_locked_cells": True, "select_unlocked_cells": True, "format_cells": True, "format_columns": True,
    "format_rows": True, "sort": True, "autofilter": True,
}  # fmt: skip


def heading(sheet: Sheet, title: str, subtitle: str = "", *, at_column: int = 2) -> None:
    """Row 1: the title in A1 and the master check in its own column; row 2: what the sheet is."""
    sheet.text(1, 0, clean(title, 120), "title")
    master(sheet, 1, at_column)
    if subtitle:
        sheet.text(2, 0, subtitle, "subtitle")
    sheet.raw.set_row(0, 24)


def master(sheet: Sheet, row: int, column: int) -> None:
    """A link to the master check, red when it fails."""
    sheet.formula(row, column, at(MASTER_COLUMN, MASTER_ROW, CHECKS), sheet.master, "check")
    alarm(sheet, row, column, FAIL)


def alarm(sheet: Sheet, row: int, column: int, word: str, last_row: int = 0) -> None:
    """Red ground where a cell says the word."""
    look = sheet.styles.alarm
    rule = {"type": "cell", "criteria": "==", "value": f'"{word}"', "format": look}
    sheet.raw.conditional_format(row - 1, column, (last_row or row) - 1, column, rule)


def in_words(text: str) -> str:
    """A word of the engine as a reader knows it: `after_tax` is after tax."""
    return text.replace("_", " ")


def paid_words(result: Result) -> str:
    """When running amounts count as paid."""
    place = {"middle": "in the middle", "start": "at the start", "end": "at the end"}
    days = ", time in days over 365" if result.day_count == "act365f" else ""
    moment = place.get(result.discounting, result.discounting)
    return f"running amounts are discounted as paid {moment} of their period{days}"


def fitting(room: float) -> int:
    """The scale, per cent, at which so many characters fit across a page."""
    return int(PRINTED * 100 / room)


def page(book: Book, sheet: Sheet, plan: Plan, *, repeat: tuple[int, int], wide: bool = False) -> None:
    """A4 (or Letter) landscape, one page wide (or twelve periods a page), with titles repeated and a footer."""
    raw, scenario = sheet.raw, plan.result.scenario
    raw.set_paper(9)
    raw.set_landscape()
    raw.set_margins(left=0.3, right=0.3, top=0.4, bottom=0.55)
    raw.repeat_rows(repeat[0] - 1, repeat[1] - 1)
    if wide:
        raw.repeat_columns(0, OPENING)
        room = sum(sheet.width(column) + 0.8 for column in range(FIRST + min(plan.periods, 12)))
        raw.set_print_scale(max(30, min(90, fitting(room))))
        breaks = [FIRST + 12 * index for index in range(1, (plan.periods + 11) // 12)]
        raw.set_v_pagebreaks([column for column in breaks if column <= plan.last])
    else:
        raw.fit_to_pages(1, 0)
    digest = scenario.get("sha256", "")[:12]
    title = textwrap.shorten(clean(scenario.get("title", "")), 90, placeholder=" …").replace("&", "&&")
    raw.set_footer(f"&L&8{title}&C&8&A · scenario {digest}&R&8Page &P of &N")
    raw.protect("", PROTECTION)
