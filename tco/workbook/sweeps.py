"""The sheet Sweeps: the recommended fleet in other circumstances, as issued, with an alert when that may be stale."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from tco.workbook.book import Book, Sheet, clean, quoted
from tco.workbook.checks import Alerts
from tco.workbook.furniture import alarm, heading, page
from tco.workbook.places import SWEEPS
from tco.workbook.plan import Plan
from tco.workbook.styles import TABS

if TYPE_CHECKING:
    from tco.sweep.outcome import Outcome

HEAD, MOST = 6, 2_000
"""The first row of the first sweep, and variants of one that are listed."""

FRESH, STALE = "As issued: costs are those of then.", "May be stale: costs changed since issue."
FROZEN = "Numbers of the engine, not live; every variant is the scenario with the values beside it"


def sheet_for(book: Book, plan: Plan) -> Sheet | None:
    """The empty sheet, beside Break-even; it is filled when the alerts are known."""
    stated = plan.result.session is not None and plan.result.sweeps
    return book.sheet(SWEEPS, TABS["presentation"]) if stated else None


def write_sweeps(book: Book, sheet: Sheet, plan: Plan, alerts: Alerts) -> None:
    """One block a sweep: its axes, the recommended fleet and its unit cost."""
    digest = plan.result.scenario["sha256"][:12]
    heading(sheet, "In other circumstances", f"{FROZEN}; base: scenario {digest}.", at_column=4)
    sheet.formula(4, 0, f"IF(SUM({alerts.changed})=0,{quoted(FRESH)},{quoted(STALE)})", FRESH, "left")
    alarm(sheet, 4, 0, STALE)
    row, wide = HEAD, 0
    for one in plan.result.sweeps:
        row = _block(sheet, plan, one, row) + 2
        wide = max(wide, len(one.axes))
    sheet.widths((34, *[26] * max(wide - 1, 0), 26, 20, 60))
    sheet.raw.freeze_panes(HEAD - 1, 1)
    page(book, sheet, plan, repeat=(1, 2))


def _block(sheet: Sheet, plan: Plan, one: Outcome, row: int) -> int:
    """A sweep from this row on; returns the last."""
    places = np.unique(np.linspace(0, len(one.best) - 1, min(len(one.best), MOST)).astype(int)).tolist()
    shown = (
        f"{len(places):,} of {len(one.best):,} variants" if len(places) < len(one.best) else f"{len(places):,} variants"
    )
    sheet.text(row, 0, clean(f"{one.name}: {shown}{_kept(one)}", 200), "label")
    width = len(one.axes)
    sheet.texts(row + 1, 0, [clean(axis.name, 80) for axis in one.axes] + ["Recommended"], "heading")
    sheet.texts(row + 1, width + 1, [f"Unit cost, {one.unit}"], "heading right")
    sheet.texts(row + 1, width + 2, ["Remark"], "heading inside")
    look = plan.look("", one.unit, [cost for cost in one.costs.tolist() if np.isfinite(cost)])
    for at, (labels, name, cost, remark) in enumerate(_rows(one, places), row + 2):
        sheet.texts(at, 0, [clean(label, 80) for label in labels], "wrapped")
        sheet.text(at, width, name, "wrapped")
        if cost is None:
            sheet.text(at, width + 1, "n/a", "wrapped right")
        else:
            sheet.number(at, width + 1, cost, ("issued", look))
        sheet.text(at, width + 2, clean(remark, 200), "wrapped")
    return row + 1 + len(places)


def _kept(one: Outcome) -> str:
    told = "deployments chosen before values changed that touch neither speed nor fit"
    return f"; in {one.kept:,}, {told}" if one.kept else ""


def _rows(one: Outcome, places: list[int]) -> Iterator[tuple[list[str], str, float | None, str]]:
    for at in places:
        best, cost = int(one.best[at]), float(one.costs[at])
        name = str(one.fleets[best]) if best >= 0 else "none"
        remark = one.refused.get(at, "" if best >= 0 else "no fleet does the work")
        yield one.labels(at), name, cost if np.isfinite(cost) else None, remark
