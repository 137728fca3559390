"""Solving by HiGHS: whole numbers first, then the shares that go with them to the last digits."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from tco.errors import TcoError
from tco.mix.columns import Columns, Rows
from tco.mix.highs import apart, optimize, sparse
from tco.mix.moments import Array

LARGEST_COST = 1e5
"""Costs are scaled so that the largest is this: HiGHS stops when it is within 1e-6 of the best."""

EARLIER = 2e-6
"""What a later column costs more, so scaled: among equals the earlier fleet is chosen."""

MARGINS = (0.0, 1e-9, 1e-7)
"""Parts of the capacity that the shares leave free, tried until rounding fills no system beyond its plan."""

EXCESS = 2e-13
"""Part of its capacity by which a system may seem overfull: rounding."""

TIGHT = 5e-6
OPTIMAL, TIMED_OUT, INFEASIBLE = 0, 1, 2


@dataclass(frozen=True)
class Solution:
    """The best that was found: the columns, their cost, and how far from the best it can be."""

    values: Array
    cost: float
    gap: float
    proven: bool


class Unsolved(TcoError):
    """No plan was found in the time that was given."""


def solve(columns: Columns, rows: Rows, seconds: float, cost: Array | None = None) -> Solution | None:
    """The cheapest solution; None where there is none. Raises Unsolved when time is over before one was found."""
    own = np.array(columns.cost) if cost is None else cost
    whole = np.array(columns.whole, dtype=float)
    found = _milp(own, columns, rows, whole, seconds, margin=0.0)
    if found is None:
        return None
    settled = _settled(own, columns, rows, whole, found.values)
    if settled is None:
        found = _milp(own, columns, rows, whole, seconds, margin=TIGHT)
        settled = _settled(own, columns, rows, whole, found.values) if found else None
    if found is None or settled is None:
        return None
    return Solution(settled, float(own @ settled), found.gap, found.proven)


def _milp(cost: Array, columns: Columns, rows: Rows, whole: Array, seconds: float, *, margin: float) -> Solution | None:
    scipy = optimize()
    scaled = _scaled(cost, whole)
    matrix, low, high = rows.matrix(len(columns))
    high = high - margin * (np.array([row.where.startswith("capacity") for row in rows.held], dtype=float))
    bounds = scipy.Bounds(np.array(columns.low), np.array(columns.high))
    limits = scipy.LinearConstraint(matrix, low, high) if rows.held else ()
    options = {"time_limit": seconds, "mip_rel_gap": 0.0}
    found: Any = apart(scipy.milp, scaled, constraints=limits, bounds=bounds, integrality=whole, options=options)
    if found.status == INFEASIBLE:
        return None
    if found.x is None:
        raise Unsolved(f"no plan was found in {seconds:g} s; give it more with --time-limit, or fewer fleets")
    raw: Array = np.asarray(found.x, dtype=float)
    values = np.where(whole > 0, np.round(raw), raw)
    gap = float(found.mip_gap) if found.mip_gap is not None else 0.0
    return Solution(values, float(cost @ values), 0.0 if found.status == OPTIMAL else gap, found.status == OPTIMAL)


def _scaled(cost: Array, whole: Array) -> Array:
    largest = float(np.max(np.abs(cost), initial=0.0))
    scaled = cost * (LARGEST_COST / largest) if largest else cost
    return scaled + EARLIER * np.arange(len(cost)) * whole


def _settled(cost: Array, columns: Columns, rows: Rows, whole: Array, values: Array) -> Array | None:
    """With the whole numbers as they are, the shares anew, to the last digits; None where they do not hold."""
    matrix, _, _ = rows.matrix(len(columns))
    capacity = np.array([row.where.startswith("capacity") for row in rows.held], dtype=bool)
    systems = matrix.copy()
    systems.data = np.minimum(systems.data, 0.0)
    there = -(systems @ values) * capacity
    for margin in MARGINS:
        found = _shares(cost, columns, rows, whole, values, margin * there)
        if found is not None and np.all((matrix @ found)[capacity] <= EXCESS * there[capacity]):
            return found
    return None


def _shares(cost: Array, columns: Columns, rows: Rows, whole: Array, values: Array, free: Array) -> Array | None:
    """The linear program that is left when the whole numbers are known."""
    matrix, low, high = rows.matrix(len(columns))
    equal = low == high
    bottom, top = np.where(whole > 0, values, columns.low), np.where(whole > 0, values, columns.high)
    upper, lower = ~equal & np.isfinite(high), ~equal & np.isfinite(low)
    given: dict[str, Any] = {"bounds": np.column_stack([bottom, top]), "method": "highs"}
    if upper.any() or lower.any():
        ends = np.concatenate([(high - free)[upper], -low[lower]])
        given |= {"A_ub": sparse().vstack([matrix[upper], -matrix[lower]]), "b_ub": ends}
    if equal.any():
        given |= {"A_eq": matrix[equal], "b_eq": high[equal]}
    found: Any = apart(optimize().linprog, _scaled(cost, np.zeros(len(cost))), **given)
    if found.x is None or found.status != OPTIMAL:
        return None
    return np.where(whole > 0, values, np.clip(found.x, columns.low, columns.high))
