"""Costs by category and by year, and against the reference."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tco.analysis.compare import units_of
from tco.report.facts import LABELS, Array, Facts, duration, one, series, settlement
from tco.report.options import note
from tco.report.tables import Cell, Table, head, number, table
from tco.result import CATEGORIES, FleetResult
from tco.wording import MINUS, NOTHING, money, percent, shortened


def years(facts: Facts) -> tuple[list[str], NDArray[np.int64]]:
    """Names of the fiscal years and the year of each period, from 0."""
    line = facts.result.timeline
    index = line.frame()["fiscal_year"].astype(int) - 1
    ends = [line.ends[int(np.flatnonzero(index == year)[-1])] for year in range(int(index[-1]) + 1)]
    starts = line.fiscal_start == 1
    return [end[:4] if starts else f"to {end[:7]}" for end in ends], index


def annual(facts: Facts, fleet: FleetResult) -> Table | None:
    """Cash by category and year; totals of what is shown, or the word that they are rounded."""
    names, index = years(facts)
    rows = _schedule(facts, fleet, index)
    if not rows:
        return None
    told = f"Nominal cash, not discounted; a receipt is negative. {rounding(_shown(rows))}"
    if settlement(fleet) > 0:
        amount = f"{money(settlement(fleet))} {facts.currency}"
        told += f" The rent of the last year holds {amount} that settle contracts which outlast the horizon."
    caption = f"Cash cost of {fleet.id} by year, {facts.currency}"
    return table(caption, ("Category", *names, "Total"), rows, total=True, note=told)


def _schedule(facts: Facts, fleet: FleetResult, index: NDArray[np.int64], raw: bool = True) -> list[list[Cell]]:
    """A row a category, the total last; nothing for a fleet without costs."""
    found = {name: values for name in CATEGORIES if (values := series(fleet, name)) is not None}
    if not found:
        return []
    sums = {name: _by_year(values, index) for name, values in found.items()}
    rows = [_row(LABELS[name], values, facts.currency, raw) for name, values in sums.items() if np.any(values)]
    whole = sum(sums.values(), np.zeros(int(index[-1]) + 1))
    return [*rows, _row("Total", whole, facts.currency, raw)]


def _shown(rows: list[list[Cell]]) -> list[list[float]]:
    """The numbers as a reader sees them."""
    return [[float(cell.text.replace(",", "").replace(MINUS, "-")) for cell in row[1:]] for row in rows]


def by_fleet(facts: Facts) -> Table | None:
    """Cash by category and year of every fleet that can do the work, one below the other."""
    names, index = years(facts)
    rows, marks, sound = list[list[Cell]](), list[str](), True
    for fleet in facts.ranked:
        own = [] if fleet.unit_cost_only else _schedule(facts, fleet, index, raw=False)
        if own:
            group = [head(fleet.id, shortened(fleet.name, 100)), *[Cell("")] * (len(names) + 1)]
            rows += [group, *own]
            marks += ["group", *[""] * (len(own) - 1), "sum"]
            sound = sound and rounding(_shown(own)) == EXACT
    if len(marks) == 0:
        return None
    told = (
        "All totals are the sums of the parts shown."
        if sound
        else "Each total is rounded by itself and may differ by 1 from the sum of its rounded parts."
    )
    caption = f"Cash cost of every fleet by category and year, {facts.currency}"
    note_below = f"Nominal cash, not discounted; a receipt is negative. {told}"
    return table(caption, ("", *names, "Total"), rows, marks=marks, note=note_below, style="years")


def _by_year(values: Array, index: NDArray[np.int64]) -> Array:
    """Sums of the periods of each year."""
    return np.bincount(index, weights=values).astype(np.float64)


def _row(label: str, values: Array, currency: str, raw: bool) -> list[Cell]:
    """The years and their sum; without `raw` the whole units suffice."""
    whole = (float(value) for value in (*values, np.sum(values)))
    cells = (number(value, money, currency, raw=True) if raw else Cell(money(value), "n") for value in whole)
    return [head(label), *cells]


EXACT = "Every total is the sum of the parts shown."


def rounding(rows: list[list[float]]) -> str:
    """Whether the totals (last row, last column) are the sums of the parts as shown."""
    grid = np.array(rows)
    sums = ((grid[:-1].sum(axis=0), grid[-1]), (grid[:, :-1].sum(axis=1), grid[:, -1]))
    if all(np.allclose(parts, total, rtol=0, atol=1e-9) for parts, total in sums):
        return EXACT
    return "Totals are rounded by themselves and may differ from the sum of the rounded parts."


def unit_costs(facts: Facts) -> Table | None:
    """The measure by category for every ranked fleet: the numbers of the bars."""
    fleets = [fleet for fleet in facts.ranked if fleet.id in facts.parts]
    if not fleets:
        return None
    names = [name for name in facts.categories if any(facts.parts[fleet.id].get(name) for fleet in fleets)]
    rows = list[list[Cell]]()
    for fleet in fleets:
        cells = [_part(facts, facts.parts[fleet.id].get(name)) for name in names]
        rows.append([head(fleet.id), *cells, number(facts.cost(fleet), facts.form, facts.unit, raw=True)])
    caption = f"Unit cost by category, {facts.unit}"
    rounded = "Parts may not add up in the last decimal: rounded."
    return table(
        caption, ("Fleet", *(LABELS[name] for name in names), "Unit cost"), rows, note=f"{note(facts)} {rounded}"
    )


def _part(facts: Facts, value: float | None) -> Cell:
    return number(value, facts.form, facts.unit, reason="does not apply to this fleet")


MEASURES = (
    ("npv", "Saved, present value"),
    ("irr", "Rate of return"),
    ("mirr", "Modified rate of return"),
    ("simple_payback", "Payback"),
    ("discounted_payback", "Payback, discounted"),
)


def against(facts: Facts) -> Table | None:
    """Each fleet's incremental flow against the reference."""
    reference, comparison = facts.reference, facts.result.comparison
    if reference is None or not comparison:
        return None
    rows = [_against(fleet, comparison[fleet.id], facts.currency) for fleet in facts.ordered if fleet.id in comparison]
    shown = [(name, words) for name, words in MEASURES if name in units_of(facts.result)]
    heads = ("Fleet", *(f"{words}, {facts.currency}" if name == "npv" else words for name, words in shown))
    told = f"{reference.id}, {_total(facts, reference)}" if one(reference, "total_cost") is not None else reference.id
    undefined = "Where a figure is not defined, the reason stands in its place, never a 0."
    words = f"What is spent more or less than with the reference ({told}). {undefined}{_modified(facts)}"
    return table("Against the reference", heads, rows, note=words)


def _modified(facts: Facts) -> str:
    """By which rates the modified rate of return is one."""
    earned = facts.result.reinvestment_rate
    if earned is None:
        return ""
    rates = f"what is spent costs the discount rate, what is saved earns {percent(earned)} a year"
    return f" Modified rate of return: {rates}."


def _against(fleet: FleetResult, found: dict[str, dict[str, Any]], currency: str) -> list[Cell]:
    """The four figures; a reason that holds for all of them stands once."""
    cells = [_entry(found[name], currency) for name, _ in MEASURES if name in found]
    same = len({(cell.text, cell.small) for cell in cells}) == 1
    return [
        head(fleet.id),
        cells[0],
        *(replace(cell, small="", title=cell.small) if same else cell for cell in cells[1:]),
    ]


def _total(facts: Facts, fleet: FleetResult) -> str:
    return f"{money(one(fleet, 'total_cost') or 0.0)} {facts.currency} in cash"


def _entry(found: dict[str, Any], currency: str) -> Cell:
    value, unit = found.get("value"), found.get("unit", "")
    if value is None:
        return Cell(NOTHING, "n", small=str(found.get("reason", "")))
    if unit == "1/yr":
        return number(value, lambda rate: percent(rate) if rate < 10 else "over 1,000 %", raw=True)
    return number(value, duration if unit == "yr" else money, currency if unit == currency else unit, raw=True)


def cumulative(facts: Facts) -> Table | None:
    """Cash spent by the end of each year: the numbers of the lines."""
    names, index = years(facts)
    rows = list[list[Cell]]()
    for fleet in facts.ordered:
        cash = series(fleet, "cash_cost") if one(fleet, "total_cost") is not None else None
        if cash is not None:
            sums = np.cumsum(_by_year(cash, index))
            rows.append([head(fleet.id), *(number(float(value), money, facts.currency) for value in sums)])
    if not rows:
        return None
    caption = f"Cash spent by the end of each year, {facts.currency}"
    return table(caption, ("Fleet", *names), rows, note="Residual values come back at the end of the horizon.")
