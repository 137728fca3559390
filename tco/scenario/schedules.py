"""Tables that the timeline turns into rows a period: resale, commitments, write-offs."""

from __future__ import annotations

import math
from dataclasses import replace

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


def macrs_shares(life: int) -> list[float]:
    """Yearly shares of MACRS, half-year convention: the larger of declining balance and straight line.

    200 % declining balance up to 10 years, 150 % above (IRS publication 946); within 0.0064 points of its tables.
    """
    rate = (2.0 if life <= 10 else 1.5) / life
    left, shares = 1.0, list[float]()
    for year in range(life + 1):
        part = 0.5 if year == 0 else 1.0
        years_left = life - year + 0.5 if year else life
        share = min(max(left * rate * part, left / years_left * part if year else left * part / life), left)
        shares.append(round(share, 15))
        left -= share
    return shares


def macrs_by_year(life: Figure) -> Figure:
    """The write-off table with the tax year as its clock."""
    years = round(life.to("yr").number)
    rows = tuple((float(age), share) for age, share in enumerate([*macrs_shares(years), 0.0]))
    source = "IRS publication 946: larger of declining balance and straight line, half-year convention"
    return Figure(rows, "", source=source, status="derived", from_unit="yr", origin="derived")
