"""What a limit costs: the plan solved again with it moved by a unit, without it, and from where moving it pays."""

from __future__ import annotations

import copy
from dataclasses import dataclass, replace

import numpy as np

from tco.mix.columns import Columns, Row, Rows
from tco.mix.program import BUDGET, YEARLY, Program
from tco.mix.solving import Solution, Unsolved, solve

CHEAPER = 1e-6
"""Part of the cost by which a plan must be cheaper to count as another."""

PART_OF_BUDGET = 0.01
SLACK = "slack"


@dataclass(frozen=True)
class Worth:
    """A limit: `step` more of it saves `unit_saving`; where that is nothing, `from_here` more saves `saving`."""

    limit: str
    unit: str
    step: float
    used: list[float]
    values: list[float]
    unit_saving: float = 0.0
    from_here: float = 0.0
    saving: float = 0.0
    without: float = 0.0
    exact: bool = True


def worths(program: Program, solution: Solution, seconds: float) -> list[Worth]:
    """Every limit of the program, in its order."""
    return [_worth(program, solution, limit, seconds) for limit in program.rows.limits()]


def _worth(program: Program, solution: Solution, limit: str, seconds: float) -> Worth:
    values = program.values.get(limit, [])
    step = PART_OF_BUDGET * max(values, default=0.0) if limit in (BUDGET, YEARLY) else 1.0
    told = Worth(limit, program.units.get(limit, ""), step, used(program.rows, solution, limit), values)
    free = Rows([row for row in program.rows.held if row.limit != limit])
    try:
        without, exact = _saving(program, free, solution, seconds)
        if without <= CHEAPER * abs(solution.cost):
            return replace(told, exact=exact)
        one, known = _saving(program, program.rows.moved(limit, step), solution, seconds)
        least = 0.0 if one else _least(program, solution, limit, seconds)
        more, also = _saving(program, program.rows.moved(limit, least), solution, seconds) if least else (0.0, True)
    except Unsolved:
        return replace(told, exact=False)
    return replace(told, unit_saving=one, from_here=least, saving=more, without=without, exact=exact and known and also)


def used(rows: Rows, solution: Solution, limit: str) -> list[float]:
    """What the plan takes of a limit, row by row, in its units."""
    found = [row for row in rows.held if row.limit == limit]
    return [sum(term * float(solution.values[place]) for place, term in row.terms.items()) / row.size for row in found]


def _saving(program: Program, rows: Rows, solution: Solution, seconds: float) -> tuple[float, bool]:
    found = solve(program.columns, rows, seconds)
    if found is None:
        return 0.0, True
    saved = solution.cost - found.cost
    return (saved if saved > CHEAPER * abs(solution.cost) else 0.0), found.proven and solution.proven


def _least(program: Program, solution: Solution, limit: str, seconds: float) -> float:
    """The smallest move with which the plan gets cheaper."""
    columns, rows = elastic(program, [limit])
    cost = {place: one for place, one in enumerate(program.columns.cost) if one}
    most = solution.cost - 2 * CHEAPER * abs(solution.cost)
    rows.add(cost, -np.inf, most, scale=max(abs(solution.cost), 1.0))
    found = solve(columns, rows, seconds)
    return 0.0 if found is None else float(found.values[columns.places[SLACK, limit]]) * (1 + 1e-9)


def elastic(program: Program, limits: list[str]) -> tuple[Columns, Rows]:
    """The program in which these limits may be exceeded, at a cost of 1 for each so many that they allow."""
    columns = copy.deepcopy(program.columns)
    columns.cost = [0.0] * len(columns)
    places = dict[str, int]()
    for limit in limits:
        size = max((abs(one) for one in program.values.get(limit, [])), default=0.0) or 1.0
        places[limit] = columns.add((SLACK, limit), cost=1 / size)
    rows = Rows(seen=set())
    for row in program.rows.held:
        terms = {**row.terms, places[row.limit]: -row.size} if row.limit in places else row.terms
        rows.held.append(Row(terms, row.low, row.high, row.limit, row.size, row.where))
    return columns, rows
