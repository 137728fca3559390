"""Puts the sheets together and the file in its place."""

from __future__ import annotations

import contextlib
import datetime
import gc
import os
import warnings
from collections.abc import Callable, Generator
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from tco.files import write_atomically
from tco.result import Result
from tco.workbook import sweeps
from tco.workbook.book import Book, Sheet, clean
from tco.workbook.breakeven import sheet_for, write_break_even
from tco.workbook.calc import write_calc
from tco.workbook.checks import Alerts, master_says, write_checks
from tco.workbook.cover import write_cover
from tco.workbook.extras import Extras
from tco.workbook.foundation import write_time, write_units
from tco.workbook.inputs import write_inputs
from tco.workbook.places import COVER, RANGES, SUMMARY
from tco.workbook.plan import Plan
from tco.workbook.quotes import write_quotes
from tco.workbook.records import write_data, write_log, write_method
from tco.workbook.reference import write_reference
from tco.workbook.reference_column import Against
from tco.workbook.rows import Row
from tco.workbook.styles import TABS
from tco.workbook.summary import write_summary
from tco.workbook.values import FleetValues

if TYPE_CHECKING:
    from tco.workbook.sharing import Share


class More(Protocol):
    """Further sheets of a caller, with what must add up on them."""

    def ties(self, plan: Plan) -> list[Row]:
        """Rows for Checks."""
        ...

    def write(self, book: Book, plan: Plan) -> None:
        """The sheets, before Data."""
        ...


def build(
    result: Result,
    *,
    share: Share | None = None,
    make_sheet: Callable[..., Sheet] = Sheet,
    more: More | None = None,
) -> bytes:
    """The workbook as bytes: the same for the same result, whatever the clock says. `share`: for outsiders."""
    with warnings.catch_warnings(), _no_collecting():
        warnings.simplefilter("error")
        return filled(Plan(result), share=share, make_sheet=make_sheet, more=more).content()


@contextlib.contextmanager
def _no_collecting() -> Generator[None]:
    """Tens of thousands of cells stay until the end: looking for garbage among them costs a tenth of the time."""
    was = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was:
            gc.enable()


def filled(
    plan: Plan,
    *,
    share: Share | None = None,
    make_sheet: Callable[..., Sheet] = Sheet,
    more: More | None = None,
) -> Book:
    """All sheets with all their cells, not yet packed into a file."""
    result = plan.result
    values = {fleet.id: FleetValues(fleet, result.timeline) for fleet in result.fleets}
    extras = Extras(plan, values, share.hide if share else frozenset())
    beside = more.ties(plan) if more else []
    book = Book(master_says(plan, values, [*extras.ties(), *beside]), make_sheet)
    cover, summary = book.sheet(COVER, TABS["presentation"]), book.sheet(SUMMARY, TABS["presentation"])
    write_inputs(book, plan)
    write_quotes(book, plan, values)
    write_time(book, plan)
    write_units(book, plan)
    for fleet in result.fleets:
        write_calc(book, plan, fleet, values[fleet.id])
    extras.write_annual(book)
    against = Against(plan)
    table = extras.write_compare(book, against)
    write_reference(book, plan, against)
    crossings, elsewhere = sheet_for(book, plan), sweeps.sheet_for(book, plan)
    ranges = _ranges(book, plan)
    extras.open_sensitivity(book)
    alerts = write_checks(book, plan, table, values, [*extras.ties(table), *beside])
    extras.write_sensitivity(book, alerts)
    if crossings:
        write_break_even(book, crossings, plan, alerts)
    if elsewhere:
        sweeps.write_sweeps(book, elsewhere, plan, alerts)
    if ranges:
        ranges(alerts)
    if more:
        more.write(book, plan)
    write_data(book, plan)
    write_method(book, plan)
    write_log(book, plan)
    write_cover(book, cover, plan, share.told() if share else [])
    write_summary(book, summary, plan, table, alerts)
    _properties(book, result)
    if share:
        book.names = {name: refers for name, refers in book.names.items() if name.startswith("!out_")}
    return book


def _ranges(book: Book, plan: Plan) -> Callable[[Alerts], None] | None:
    """The empty sheet, beside Break-even, as what fills it; imported only where the scenario asks."""
    if plan.result.session is None:
        return None
    from tco.workbook.ranges import has_ranges, write_ranges

    if not has_ranges(plan.result):
        return None
    sheet = book.sheet(RANGES, TABS["presentation"])
    return lambda alerts: write_ranges(book, sheet, plan, alerts)


def _properties(book: Book, result: Result) -> None:
    scenario = result.scenario
    book.raw.set_properties(
        {
            "title": clean(" ".join(scenario.get("title", "").split()), 200),
            "subject": "Total cost of ownership of AI compute",
            "comments": clean(f"Scenario {scenario.get('file', '')}, sha256 {scenario.get('sha256', '')}", 250),
            "keywords": "tco",
            "created": day(scenario.get("as_of", "")),
        }
    )


def day(as_of: str) -> datetime.datetime:
    """The scenario's own date; a year or a month stands for its first day."""
    parts = [int(part) for part in as_of.split("-")] if as_of else [2000]
    year, month, day = (*parts, 1, 1)[:3]
    return datetime.datetime(year, month, day)


def write(result: Result, path: str | os.PathLike[str]) -> None:
    """Write the workbook whole or not at all. Raises OutputError."""
    write_atomically(Path(path), build(result))
