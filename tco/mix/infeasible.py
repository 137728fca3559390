"""Why there is no plan: a class that nothing serves, or the limit that is too small, and by how much."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from tco.analysis.serving import Alone
from tco.errors import TcoError
from tco.mix.candidates import Question
from tco.mix.columns import Rows
from tco.mix.program import Program
from tco.mix.solving import solve
from tco.mix.worth import SLACK, elastic
from tco.wording import listed, plain

MISSING = 1e-7


class Infeasible(TcoError):
    """No plan keeps all limits, or does all the work."""


def check_served(asked: Question) -> None:
    """Every class runs on a fleet. Raises Infeasible with the reasons of all fleets."""
    told = list[str]()
    for name in asked.classes:
        able = [one for one in asked.candidates if not one.refused and (name, 0) in one.loads]
        if not able:
            whys = [f"  {one.id}: {_why(one.refused, name, one.alone)}" for one in asked.candidates]
            told += [f"no fleet can serve {name}:", *whys]
    if told:
        raise Infeasible("\n".join(told))


def _why(refused: str, name: str, alone: dict[str, Alone]) -> str:
    found = alone.get(name)
    return ("; ".join(found.reasons) or found.verdict) if found and found.verdict != "ok" else refused or "left out"


def explain(program: Program, seconds: float) -> Infeasible:
    """The error that says which limit is in the way, and the least that would do."""
    asked, limits = program.asked, program.rows.limits()
    alone = {limit: amount for limit in limits if (amount := _excess(program, [limit], seconds).get(limit, 0.0))}
    if alone:
        lines = [_line(program, limit, amount) for limit, amount in alone.items()]
        any_one = "any one of these would do" if len(lines) > 1 else "this would do"
        return Infeasible("\n".join([f"no plan keeps the limits; {any_one}:", *lines]))
    together = _excess(program, limits, seconds) if limits else {}
    if together:
        lines = [_line(program, limit, amount) for limit, amount in together.items() if amount]
        return Infeasible("\n".join(["no plan keeps the limits; all of these together would do:", *lines]))
    finer = "; a year is planned as a whole, `mix: {decide: period}` plans finer" if asked.mix.decide == "year" else ""
    lines = [f"no plan does all the work, whatever the limits{finer}:", *_unserved(program, seconds)]
    return Infeasible("\n".join(lines))


def _line(program: Program, limit: str, amount: float) -> str:
    allowed = program.values.get(limit, [])
    unit = program.units.get(limit, "")
    each = f" (of {listed([plain(one) for one in dict.fromkeys(allowed)])} {unit})" if allowed else ""
    return f"  {limit}: {plain(_up(amount))} {unit} more{each}"


def _up(amount: float) -> float:
    """Rounded up to four digits, so that what is told suffices."""
    digits = 3 - int(np.floor(np.log10(amount)))
    return float(np.ceil(amount * 10.0**digits - MISSING) / 10.0**digits)


def _excess(program: Program, limits: list[str], seconds: float) -> dict[str, float]:
    """By limit how much it must be exceeded at least; empty where that does not help."""
    columns, rows = elastic(program, limits)
    found = solve(columns, rows, seconds)
    if found is None:
        return {}
    amounts = {limit: float(found.values[columns.places[SLACK, limit]]) for limit in limits}
    return {limit: amount for limit, amount in amounts.items() if amount > MISSING}


def _unserved(program: Program, seconds: float) -> list[str]:
    """What of which class nothing can serve, and when."""
    columns, rows = elastic(program, [])
    places = dict[str, int]()
    for at, row in enumerate(rows.held):
        if row.where.startswith("served "):
            places[row.where] = columns.add(("unserved", row.where), cost=1.0)
            rows.held[at] = replace(row, terms={**row.terms, places[row.where]: 1.0})
    found = solve(columns, Rows([row for row in rows.held if not row.limit]), seconds)
    missing = {key: float(found.values[place]) for key, place in places.items()} if found else {}
    return [_part(program, key, share) for key, share in missing.items() if share > MISSING]


def _part(program: Program, key: str, share: float) -> str:
    _, index, name = key.split(" ", 2)
    when = program.asked.moments[int(index)].label
    return f"  {name}: {100 * share:.4g} % of it can be served by no fleet in {when}"
