"""The Cover: what this file is, what it is not for, how to read and how to change it."""

from __future__ import annotations

from collections.abc import Iterator

from tco.result import Result
from tco.workbook.book import Book, Sheet, clean
from tco.workbook.furniture import heading, in_words, page, paid_words
from tco.workbook.places import (
    ANNUAL,
    BREAK_EVEN,
    CHECKS,
    COMPARE,
    DATA,
    DECISIONS,
    INPUTS,
    LOG,
    METHOD,
    QUOTES,
    RANGES,
    REFERENCE,
    SENSITIVITY,
    SUMMARY,
    SWEEPS,
    TIME,
    UNITS,
    sheet_of,
)
from tco.workbook.plan import Plan

CONTENTS = {
    SUMMARY: "decision, ranking, charts, alerts: one page",
    INPUTS: "every number from outside, once, with unit, source, date and status; the sheet to edit",
    QUOTES: "offers side by side, the award and its reason, the bill of materials; its unit prices are edited there",
    TIME: "the periods, their length, fiscal years and flags",
    UNITS: "named factors such as hours a year, the tolerance of checks, the words of verdicts",
    ANNUAL: "every fleet by fiscal year (and calendar year where that differs), for the budget",
    COMPARE: "fleets side by side, by category, ranked",
    REFERENCE: "what each fleet saves against the reference, with live NPV, IRR and paybacks",
    RANGES: "what each fleet may cost when its ranges are drawn, as issued",
    BREAK_EVEN: "demand, utilization and prices at which two fleets cost the same, as issued",
    SWEEPS: "the recommended fleet in other circumstances, as issued",
    SENSITIVITY: "what moves the headline: tornado, drivers one at a time, live where that is exact",
    DECISIONS: "goal seek, flip points and tables that the scenario asks for, as issued",
    "Allocation": "who bears what of a shared fleet, by reservation and by usage, live",
    "Ways": "all ways to do all workloads, by present cost, as issued",
    CHECKS: "errors and alerts; the master check on every sheet comes from here",
    DATA: "one long table for pandas, Power BI and pivots",
    METHOD: "every line in words, with its formula and its reason",
    LOG: "provenance, left out, warnings, changes, the scenario as it was written",
}
HOW = (
    "1. Go to Inputs and change a blue number on yellow; the unit stands beside it and stays.",
    "2. Read Summary: ranking and charts follow. Checks says what moved since issue and which choices may be stale.",
    "3. To keep a change: `tco readback` shows it with its effect, and writes it into the scenario (--write).",
)
COLOURS = (
    ("input sample", "Input", "blue on yellow, unlocked: a number from outside"),
    ("number", "Calculation", "black: a formula on the same sheet"),
    ("link left", "Link", "green: a formula that brings a number from another sheet"),
    ("structure", "Structure", "grey ground, locked: fixed by the run that made this file"),
    ("greyed", "Not used", "grey italics: a line that a pinned number made idle; its label says so"),
)


Pairs = list[tuple[str, str]]


def write_cover(book: Book, sheet: Sheet, plan: Plan, shared: Pairs) -> None:
    """One page; a copy for outsiders says so first."""
    result = plan.result
    heading(
        sheet,
        result.scenario.get("title", ""),
        "Total cost of ownership of AI compute: a comparison of fleets",
        at_column=2,
    )
    row = 4
    for title, pairs in [*([("Shared copy", shared)] if shared else []), *_parts(result)]:
        sheet.texts(row, 0, [title, "", ""], "section")
        for name, text in pairs:
            row += 1
            sheet.text(row, 0, name, "label")
            sheet.text(row, 1, text, "wrapped")
        row += 2
    row = _contents(book, sheet, plan, row)
    if not shared:
        _how(sheet, row)
    sheet.widths([26, 92, 20])
    page(book, sheet, plan, repeat=(1, 2))
    sheet.raw.fit_to_pages(1, 1)
    sheet.raw.activate()


def _how(sheet: Sheet, row: int) -> None:
    """What colours mean, and how to change an input."""
    sheet.texts(row, 0, ["Colours", "", ""], "section")
    for role, name, text in COLOURS:
        row += 1
        sheet.text(row, 0, name, role)
        sheet.text(row, 1, text, "wrapped")
    sheet.texts(row + 2, 0, ["How to change an input", "", ""], "section")
    for index, text in enumerate(HOW):
        sheet.text(row + 3 + index, 1, text, "wrapped")


def _parts(result: Result) -> Iterator[tuple[str, list[tuple[str, str]]]]:
    scenario, timeline = result.scenario, result.timeline
    span = f"{timeline.labels[0]} to {timeline.labels[-1]}: {timeline.periods} periods of a {timeline.step}"
    yield (
        "This workbook",
        [
            ("Purpose", "Compares what each fleet costs for the same job, and shows every step from input to answer."),
            (
                "Not for",
                "Booking, tax filing or a supplier's quotation; recalled and default figures need a source first.",
            ),
            ("Fleets", ", ".join(fleet.id for fleet in result.fleets)),
            ("Periods", span),
            ("Scenario file", scenario.get("file", "")),
            ("Scenario digest", scenario.get("sha256", "")),
            ("Prices as of", scenario.get("as_of", "")),
            ("Engine", ", ".join(f"{name} {text}" for name, text in result.engine.items())),
        ],
    )
    yield (
        "Conventions",
        [
            (
                "Currency and basis",
                f"{scenario.get('currency', '')}, nominal, net of recoverable VAT; {in_words(result.basis)}",
            ),
            ("Signs", "Costs positive; receipts such as resale, rebates and tax shields negative."),
            (
                "Time",
                f"A year is 8,760 h. Present values stand at the timeline's start; {paid_words(result)}.",
            ),
            (
                "Verdicts",
                "A fleet that cannot run shows its verdict instead of costs; an edit that makes it fit shows them.",
            ),
            ("Absent lines", "What does not apply is n/a with the reason, never 0."),
            ("For information", "A line that says so informs; no result rests on it."),
            ("Print", _print_words(result)),
        ],
    )


def _print_words(result: Result) -> str:
    full = f"that of {result.recommended} prints in full, the others their results" if result.recommended else ""
    return f"Calculation sheets: {full or 'their results print'}. Clear a sheet's print area to print all of it."


def _contents(book: Book, sheet: Sheet, plan: Plan, row: int) -> int:
    sheet.texts(row, 0, ["Contents", "", ""], "section")
    names = [name for name in CONTENTS if name in book.sheets]
    calc = {sheet_of(fleet.id): f"all steps of {clean(fleet.name, 80)}" for fleet in plan.result.fleets}
    first = names.index(UNITS) + 1
    for name in (*names[:first], *calc, *names[first:]):
        row += 1
        sheet.link(row, 0, name, name)
        sheet.text(row, 1, CONTENTS.get(name) or calc[name], "wrapped")
    return row + 2
