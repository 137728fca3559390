"""Tables that the timeline turns into rows a period: resale, commitments, write-offs."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from decimal import ROUND_HALF_UP, Decimal

import numpy as np

from tco.figures import Figure
from tco.timeline import Timeline
from tco.units import convert


def resale_by_period(shares: Figure, timeline: Timeline, life: Figure | None) -> Figure:
    """Shares at ages, as one row a period: row n-1 holds the share at the close of the n-th period.

    Straight between the given ages, 100 % at age 0, the last share kept; nothing after the system's life.
    """
    ages = [0.0, *(convert(age, shares.from_unit, "yr") for age, _ in shares.rows)]
    values = [1.0, *(convert(value, shares.unit, "") for _, value in shares.rows)]
    step = timeline.months_per_period / 12
    last = math.inf if life is None else life.to("yr").number
    made = tuple(
        (float(n - 1), float(np.interp(n * step, ages, values)) if n * step <= last + 1e-9 else 0.0)
        for n in range(1, timeline.periods + 1)
    )
    return replace(
        shares,
        value=made,
        unit="",
        from_unit="period",
        low=None,
        high=None,
        note=f"by period; {shares.note}".rstrip("; "),
    )


def by_opening(table: Figure, timeline: Timeline) -> Figure:
    """A table by time as one number a period: that of the last row which has begun when the period opens."""
    starts = [convert(after, table.from_unit, "yr") for after, _ in table.rows]
    step = timeline.months_per_period / 12
    rows = [sum(start <= index * step + 1e-9 for start in starts) for index in range(timeline.periods)]
    values = tuple(float(table.rows[max(row - 1, 0)][1]) for row in rows)
    return replace(table, value=values, from_unit="", note=f"by period; {table.note}".rstrip("; "))


def by_age_in_periods(table: Figure, timeline: Timeline, life: Figure | None) -> Figure:
    """Shares by age with one row a period of age, as each opens; nothing after a life."""
    step = timeline.months_per_period / 12
    last = math.inf if life is None else math.ceil(life.to("yr").number / step - 1e-9)
    ages = [convert(after, table.from_unit, "yr") for after, _ in table.rows]
    values = [convert(value, table.unit, "") for _, value in table.rows]

    def share(age: int) -> float:
        begun = sum(start <= age * step + 1e-9 for start in ages)
        return 0.0 if age >= last else values[max(begun - 1, 0)]

    made = tuple((float(age), share(age)) for age in range(timeline.periods))
    note = f"by period of age; {table.note}".rstrip("; ")
    return replace(table, value=made, unit="", from_unit="period", note=note)


def at_retirement(shares: Figure, timeline: Timeline, life: Figure | None) -> Figure | None:
    """The share with which a life ends, at its last period; None where none ends within the horizon."""
    step = timeline.months_per_period / 12
    periods = math.ceil(life.to("yr").number / step - 1e-9) if life else timeline.periods
    if periods >= timeline.periods:
        return None
    share = next(value for age, value in shares.rows if age == periods - 1)
    rows = ((float(periods - 1), share), (float(periods), 0.0))
    return replace(shares, value=rows, note=f"when a life of {periods} periods ends; {shares.note}")


HUNDRED_PERCENT = Decimal(100)
FRACTIONS = {"half-year": "0.5", "first": "0.875", "second": "0.625", "third": "0.375", "last": "0.125"}
"""Part of a year's write-off in the first tax year: half-year convention, or quarter of a mid-quarter year."""

PRINTED = {(7, "second"): ("17.85", "23.47", "16.76", "11.97", "8.87", "8.87", "8.87", "3.34")}
"""The one column of 3-, 5- and 7-year property that the rule misses: 17.86 and 3.33 in its first and last year."""


def macrs_table(life: int, convention: str) -> list[float]:
    """Yearly shares of MACRS as IRS publication 946 prints them, tables A-1 to A-5.

    The larger of declining balance (200 % up to 10 years, 150 % above) and straight line over what is left, each
    year rounded as printed: to 0.01 %, in the 20-year class to 0.001 %.
    """
    if printed := PRINTED.get((life, convention)):
        return [float(Decimal(text) / HUNDRED_PERCENT) for text in printed]
    rate = Decimal("2" if life <= 10 else "1.5") / life
    place, part = Decimal("0.001" if life == 20 else "0.01"), Decimal(FRACTIONS[convention])
    left, shares = HUNDRED_PERCENT, list[Decimal]()
    for year in range(life):
        over = max(rate, 1 / (life - year + 1 - part)) if year else rate * part
        shares.append((left * over).quantize(place, ROUND_HALF_UP))
        left -= shares[-1]
    return [float(share / HUNDRED_PERCENT) for share in (*shares, left)]


def macrs_figure(life: int, convention: str) -> Figure:
    """The write-off table with the tax year as its clock."""
    number = ["half-year", "first", "second", "third", "last"].index(convention) + 1
    told = convention if number == 1 else f"mid-quarter, {convention} quarter"
    source = f"IRS publication 946, table A-{number}: {life}-year property, {told}"
    return by_tax_year(macrs_table(life, convention), source)


def by_tax_year(shares: Sequence[float], source: str, as_of: str = "") -> Figure:
    """Shares of the tax year of the purchase and those after it; then nothing."""
    rows = tuple((float(age), share) for age, share in enumerate([*shares, 0.0]))
    return Figure(rows, "", as_of=as_of, source=source, status="derived", from_unit="yr", origin="derived")


def declining_shares(life: float, factor: float, switch: bool, salvage: float = 0.0) -> list[float]:
    """Shares by year of age: declining balance, at its best moment straight line; a last year may be a part of one.

    The rate is taken of what is left, salvage and all, but nothing is written off below the salvage.
    """
    left, shares = 1.0, list[float]()
    for year in range(math.ceil(life - 1e-9)):
        years_left, above = life - year, max(left - salvage, 0.0)
        part = min(years_left, 1.0)
        declining, level = left * factor / life * part, above * part / years_left
        shares.append(min(max(declining, level) if switch else declining, above))
        left -= shares[-1]
    return shares


def declining_by_period(
    life: Figure, factor: Figure, timeline: Timeline, *, switch: bool = True, salvage: Figure | None = None
) -> Figure:
    """One row a period of age, each year's share spread evenly over it."""
    years, count = life.to("yr").number, 12 // timeline.months_per_period
    last, kept = math.ceil(years * count - 1e-9), salvage.to("").number if salvage else 0.0
    rows = list[tuple[float, float]]()
    for year, share in enumerate(declining_shares(years, factor.number, switch, kept)):
        within = min(count, last - year * count)
        rows += [(float(year * count + age), share / within) for age in range(within)]
    told = ("then straight line" if switch else "to the end") + (f", salvage {100 * kept:g} %" if salvage else "")
    source = f"declining balance, factor {factor.number:g} over {years:g} yr, {told}"
    rows.append((float(last), 0.0))
    return Figure(tuple(rows), "", source=source, status="derived", from_unit="period", origin="derived")


QUARTERS = ("first", "second", "third", "last")


def quarter_flags(timeline: Timeline) -> dict[str, Figure]:
    """For each quarter of the tax year a flag by period; a step of a year buys when the tax year opens."""
    months = timeline.months_per_period
    closing = [timeline.start[1] - 1 + (index + 1) * months - 1 for index in range(timeline.periods)]
    quarter = [(month + 1 - timeline.fiscal_start) % 12 // 3 if months <= 3 else 0 for month in closing]
    source = "quarter of the tax year in which the period closes"
    return {
        name: Figure(
            tuple(float(one == index) for one in quarter), "", source=source, status="derived", origin="choice"
        )
        for index, name in enumerate(QUARTERS)
    }
