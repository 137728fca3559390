"""The sheet Break-even: where two fleets cost the same, as issued, with an alert when that may be stale."""

from __future__ import annotations

from collections.abc import Iterator

from tco.analysis.breakeven_words import FROZEN, MOST, caption, cheaper, named, not_reached_words, remark
from tco.result import Result
from tco.workbook.book import Book, Sheet, quoted
from tco.workbook.checks import Alerts
from tco.workbook.furniture import alarm, heading, page
from tco.workbook.places import BREAK_EVEN
from tco.workbook.plan import Plan
from tco.workbook.styles import TABS

HEAD, WIDTHS = 6, (36, 16, 16, 16, 16, 16, 34, 34, 60)
HEADS = ("Quantity", "Unit", "Now", "Break-even", "Searched from", "Searched to", "Below it", "Above it", "Remark")
FRESH, STALE = "As issued: the two fleets cost what they cost then.", "May be stale: costs changed since issue."


def has_break_even(result: Result) -> bool:
    """Whether there are two fleets to compare."""
    return bool(result.break_even.questions)


def sheet_for(book: Book, plan: Plan) -> Sheet | None:
    """The empty sheet, beside Compare; it is filled when the alerts are known."""
    return book.sheet(BREAK_EVEN, TABS["presentation"]) if has_break_even(plan.result) else None


def write_break_even(book: Book, sheet: Sheet, plan: Plan, alerts: Alerts) -> None:
    """Numbers only: a sheet repeats no search."""
    found = plan.result.break_even
    heading(sheet, caption(found), f"{FROZEN}: figures of the engine, not live.", at_column=4)
    sheet.formula(4, 0, f"IF(SUM({alerts.changed})=0,{quoted(FRESH)},{quoted(STALE)})", FRESH, "left")
    alarm(sheet, 4, 0, STALE)
    sheet.texts(HEAD, 0, HEADS[:2], "heading")
    sheet.texts(HEAD, 2, HEADS[2:6], "heading right")
    sheet.texts(HEAD, 6, HEADS[6:], "heading inside")
    for row, (words, unit, numbers, told) in enumerate(_rows(plan), HEAD + 1):
        sheet.text(row, 0, words, "label")
        sheet.text(row, 1, unit, "unit")
        for column, number in enumerate(numbers, 2):
            if number is None:
                sheet.text(row, column, "n/a", "wrapped right")
            else:
                sheet.number(row, column, number, ("issued", plan.look("", unit, [number])))
        sheet.texts(row, 6, told, "wrapped")
    sheet.widths(WIDTHS)
    sheet.raw.freeze_panes(HEAD, 1)
    page(book, sheet, plan, repeat=(1, HEAD))


def _rows(plan: Plan) -> Iterator[tuple[str, str, list[float | None], list[str]]]:
    """Label, unit, numbers and words of each crossing, or of a quantity that has none."""
    for question in plan.result.break_even.questions:
        unit = plan.unit_words(question.unit) if question.unit else "of today"
        ends = [question.low, question.high]
        if question.reason:
            yield named(question), unit, [question.now, None, *ends], ["", "", not_reached_words(question)]
        for crossing in question.crossings[:MOST]:
            words = [cheaper(crossing.below), cheaper(crossing.above), remark(crossing)]
            yield named(question), unit, [question.now, crossing.value, *ends], words
        if len(question.crossings) > MOST:
            more = f"{len(question.crossings) - MOST} more: see the JSON"
            yield named(question), unit, [question.now, None, *ends], ["", "", more]
