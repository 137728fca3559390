"""The cheapest mix of fleets over classes of requests and years: `plan(loaded)`."""

from __future__ import annotations

import numpy as np

from tco.mix.candidates import Question, question
from tco.mix.columns import Columns, Rows
from tco.mix.found import Alternative, Mixed
from tco.mix.highs import optimize
from tco.mix.infeasible import check_served, explain
from tco.mix.plan import plan_of
from tco.mix.program import LARGEST, SHARE, SYSTEMS, Program, build
from tco.mix.solving import Unsolved, solve
from tco.mix.worth import worths
from tco.session import Scenario

SECONDS = 60.0

__all__ = ["SECONDS", "Mixed", "plan"]


def plan(loaded: Scenario, *, seconds: float = SECONDS, worth: bool = True) -> Mixed:
    """The cheapest plan, checked by the engine. Raises ScenarioError, or Infeasible with what is in the way."""
    optimize()
    asked = question(loaded)
    check_served(asked)
    program = build(asked)
    solution = solve(program.columns, program.rows, seconds)
    if solution is None:
        raise explain(program, seconds)
    made = plan_of(program, solution)
    return Mixed(made, _alternatives(program, seconds), worths(program, solution, seconds) if worth else [])


def _alternatives(program: Program, seconds: float) -> list[Alternative]:
    """What each fleet would cost alone, within the same limits but for the largest share."""
    asked = program.asked
    return [_alone(program, one.id, one.refused, asked, seconds) for one in asked.candidates]


def _alone(program: Program, fleet: str, refused: str, asked: Question, seconds: float) -> Alternative:
    if refused:
        return Alternative(fleet, None, refused)
    whole = program.columns
    high = [
        0.0 if key[0] in (SYSTEMS, SHARE) and key[1] != fleet else whole.high[place]
        for key, place in whole.places.items()
    ]
    only = Columns(whole.places, whole.cost, whole.low, high, whole.whole)
    lacking = [name for name in asked.classes if program.at(SHARE, fleet, name, 0) is None]
    if lacking:
        return Alternative(fleet, None, f"cannot serve {', '.join(lacking)}")
    rows = Rows([row for row in program.rows.held if row.limit != LARGEST])
    try:
        found = solve(only, rows, seconds)
    except Unsolved as error:
        return Alternative(fleet, None, str(error))
    if found is None or not np.isfinite(found.cost):
        return Alternative(fleet, None, "not within the limits")
    return Alternative(fleet, found.cost, "")
