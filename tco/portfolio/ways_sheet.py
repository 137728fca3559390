"""The sheet Ways: all ways to do the work as the engine ran them, for whoever reads the allocation beside them."""

from __future__ import annotations

from tco.portfolio.state import PortfolioResult, Way
from tco.portfolio.words import described
from tco.workbook.book import Book, Sheet
from tco.workbook.furniture import heading, page
from tco.workbook.plan import Plan
from tco.workbook.styles import MONEY, TABS

WAYS, HEAD = "Ways", 5
NOTE = "As issued by the engine, not live: each workload's own workbook stands in the folder of this portfolio's name."
HEADS = ("#", "Way", "Fleets", "Verdict", "Why not")


def write_ways(book: Book, result: PortfolioResult, plan: Plan | None) -> None:
    """One row a way: those that do all the work first, by present cost."""
    sheet = book.sheet(WAYS, TABS["presentation"])
    if plan:
        heading(sheet, "Ways to do all workloads", NOTE, at_column=5)
    else:
        sheet.text(1, 0, "Ways to do all workloads", "title")
        sheet.text(2, 0, NOTE, "subtitle")
    sheet.text(3, 0, result.reason, "quiet")
    currency = result.scenario["currency"]
    sheet.texts(HEAD, 0, HEADS, "heading")
    sheet.texts(HEAD, len(HEADS), [f"Present cost ({currency})", f"Total cost ({currency})"], "heading right")
    places = {name: place for place, name in enumerate(result.ranking, 1)}
    for row, way in enumerate(result.ways, HEAD + 1):
        _way(sheet, row, way, places.get(way.id))
    sheet.widths([5, 34, 54, 16, 48, 18, 18])
    sheet.raw.freeze_panes(HEAD, 0)
    if plan:
        page(book, sheet, plan, repeat=(1, HEAD))


def _way(sheet: Sheet, row: int, way: Way, place: int | None) -> None:
    if place is not None:
        sheet.number(row, 0, float(place), "place")
    sheet.texts(row, 1, [way.id, described(way), way.verdict, "; ".join(way.reasons)], "label wrapped")
    for column, line in ((5, "present_cost"), (6, "total_cost")):
        value = way.cost(line)
        if value is None:
            sheet.text(row, column, "n/a", "absent")
        else:
            sheet.number(row, column, value, ("static", MONEY))
