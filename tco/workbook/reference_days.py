"""The sheet Reference where time counts in days: years from the calculation, and a rate by steps of Newton.

`IRR` of a sheet needs equal distances, and `XIRR` whole days, where a middle has halves. The steps are plain
arithmetic, start from the rate as issued and are checked: what the last leaves must be nothing.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tco.workbook.book import at
from tco.workbook.places import FIRST, sheet_of
from tco.workbook.plan import Plan
from tco.workbook.reference_rows import STEPS, Layout

Array = NDArray[np.float64]


def years_of(plan: Plan, layout: Layout, row: int, moment: int) -> str:
    """The time that discounts the base's first and last day of a period, and the middle between them."""
    grid, base = layout.grid, layout.base
    if grid.runs[moment]:
        return f"(B{row - 1}+B{row + 1})*half"
    name = "discount_opening" if grid.opens[moment] else "discount_closing"
    period = int(grid.opens[moment] or grid.closes[moment])
    return at(FIRST + period - 1, plan.rows[base.id][name], sheet_of(base.id))


def factor_of(rate: str, timing: str, row: int, *, runs: bool) -> str:
    """What is paid through a period stands where the convention puts it between its first and last day."""
    moved = f"+(half-{timing})*(B{row + 1}-B{row - 1})" if runs else ""
    return f"(1+{rate})^-(B{row}{moved})"


def step_of(flow: str, years: str, before: str, solvable: str) -> str:
    """One step, by the logarithm of 1 + rate; it stands still where no single rate solves the flow."""
    worth, slope = (f"SUMPRODUCT({flow}*{times}{before}^-{years})" for times in ("", f"{years}*"))
    return f"IF({solvable}=1,{before}*EXP(MAX(-1,MIN(1,{worth}/{slope}))),{before})"


def steps(flow: Array, years: Array, start: float, *, solvable: bool) -> list[float]:
    """The same in numbers."""
    found = [start]
    for _ in range(STEPS if solvable else 0):
        part = flow * found[-1] ** -years
        found.append(found[-1] * float(np.exp(np.clip(np.sum(part) / np.sum(part * years), -1, 1))))
    return found[1:] if solvable else [start] * STEPS


def modified_of(flow: str, years: str, finance: str, earned: str) -> str:
    """What savings have grown to at the end over what is spent at the start, as a yearly rate."""
    end = f"MAX({years})"
    grown = f"SUMPRODUCT(({flow}>0)*{flow}*(1+{earned})^({end}-{years}))"
    spent = f"SUMPRODUCT(({flow}<0)*{flow}*(1+{finance})^-{years})"
    return f"(-{grown}/{spent})^(1/{end})-1"


def time_of(last: str, part: str, count: str, runs: str, years: str) -> str:
    """When nothing is missing any more: in the period that runs after the last moment that misses, else at the next."""
    here, after = f"MAX({last},1)", f"MIN({last}+1,{count})"
    closing = f"INDEX({years},MIN({last}+1+1,{count}))"
    within = f"INDEX({years},{here})+{part}*({closing}-INDEX({years},{here}))"
    return f"IF(INDEX({runs},{after})>1,{within},INDEX({years},{after}))"
