"""The break-even curve: unit cost against demand of the two fleets whose crossings are told."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from tco.analysis.breakeven import Array, Question, Side
from tco.export import shown_unit
from tco.report.charts import Chart
from tco.report.facts import Facts
from tco.report.pareto import Scale
from tco.report.tables import Cell, Table, head, number, table
from tco.wording import listed, plain, shortened

WIDTH, HEIGHT = 860.0, 372.0
PLOT = {"left": 80.0, "right": 690.0, "top": 22.0, "bottom": 320.0}
AROUND, POINTS, SHOWN = 30.0, 61, 4
SAME = ("equal", "not comparable")


class Curve:
    """Demand, and the unit cost of each fleet there; not a number where it cannot do the work."""

    def __init__(self, facts: Facts, question: Question) -> None:
        self.facts, self.question = facts, question
        found = facts.result.break_even
        self.fleets = [facts.result.by_id[name] for name in found.fleets]
        self.crossings = [one for one in question.crossings if not {one.below, one.above} & {"not comparable"}]
        places = [question.now, *(one.value for one in self.crossings)]
        low = max(min(places) / AROUND, question.low)
        high = min(max(places) * AROUND, question.high)
        self.demand: Array = np.geomspace(low, high, POINTS)
        self.costs = [self._costs(Side(fleet, facts.result)) for fleet in self.fleets]

    def _costs(self, side: Side) -> Array:
        rows = side.points(side.has(self.question.inputs), self.demand / self.question.now)
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.where(rows[2] > 0, rows[0] / rows[1], np.nan)

    @property
    def unit(self) -> str:
        """Of demand."""
        return shown_unit(self.question.unit, self.facts.currency) or "times today's"


def curve(facts: Facts) -> Curve | None:
    """Of demand; None where demand is no question."""
    asked = [one for one in facts.result.break_even.questions if one.quantity == "demand"]
    made = Curve(facts, asked[0]) if asked else None
    return made if made and all(np.isfinite(costs).any() for costs in made.costs) else None


def chart(facts: Facts, found: Curve) -> Chart:
    """Two lines, today's demand, and a mark where they cross."""
    costs = np.concatenate([costs[np.isfinite(costs)] for costs in found.costs])
    across = Scale(float(found.demand[0]), float(found.demand[-1]), PLOT["left"], PLOT["right"])
    up = Scale.over([float(np.min(costs)), float(np.max(costs))], PLOT["bottom"], PLOT["top"])
    lines = [
        {
            "id": shortened(fleet.id, 24),
            "role": role,
            "path": _path(found.demand, costs, across, up),
            "y": _end(costs, up),
        }
        for fleet, role, costs in zip(found.fleets, ("best", "second"), found.costs, strict=True)
    ]
    _apart(lines)
    marks = [
        {
            "x": across.place(one.value),
            "y": up.place(_at(found, one.value)),
            "label": f"{plain(one.value)} {found.unit}",
        }
        for one in found.crossings
    ]
    data: dict[str, Any] = {
        "lines": lines, "marks": marks, "now": across.place(found.question.now), "heights": up.ticks(),
        "widths": across.ticks()[::2], "plot": PLOT, "unit": facts.unit, "across": f"demand, {found.unit}",
    }  # fmt: skip
    title = f"Unit cost ({facts.unit}) against demand ({found.unit})"
    return Chart("curve", title, _told(facts, found), _finding(facts, found, up), WIDTH, HEIGHT, data)


def _path(demand: Array, costs: Array, across: Scale, up: Scale) -> str:
    told, pen = list[str](), "M"
    for place, cost in zip(demand, costs, strict=True):
        if np.isfinite(cost):
            told.append(f"{pen}{across.place(float(place)):.1f} {up.place(float(cost)):.1f}")
        pen = "L" if np.isfinite(cost) else "M"
    return "".join(told)


def _end(costs: Array, up: Scale) -> float:
    return up.place(float(costs[np.isfinite(costs)][-1]))


def _apart(lines: list[dict[str, Any]]) -> None:
    """Names that would lie on each other move apart."""
    upper, lower = sorted(lines, key=lambda line: float(line["y"]))
    gap = 15 - (lower["y"] - upper["y"])
    if gap > 0:
        upper["y"], lower["y"] = upper["y"] - gap / 2, lower["y"] + gap / 2


def _at(found: Curve, demand: float) -> float:
    costs = found.costs[0]
    good = np.isfinite(costs)
    places: Array = np.log(found.demand[good])
    return float(np.interp(math.log(demand), places, costs[good]))


def _told(facts: Facts, found: Curve) -> str:
    pairs = zip(found.fleets, found.costs, strict=True)
    ends = [
        f"{fleet.id}: {_cost(facts, costs[0])} at {plain(float(found.demand[0]))}, {_cost(facts, costs[-1])} at "
        f"{plain(float(found.demand[-1]))} {found.unit}"
        for fleet, costs in pairs
    ]
    return "; ".join(ends)


def _cost(facts: Facts, cost: float) -> str:
    return facts.form(float(cost)) if np.isfinite(cost) else "cannot do the work"


def _finding(facts: Facts, found: Curve, up: Scale) -> str:
    first, second = (fleet.id for fleet in found.fleets)
    now = f"{plain(found.question.now)} {found.unit}"
    places = [f"{plain(one.value)} {found.unit}" for one in found.crossings[:SHOWN]]
    more = f" and at {len(found.crossings) - SHOWN} more places" if len(found.crossings) > SHOWN else ""
    if places:
        told = f"{first} and {second} cost the same at {listed(places)}{more}; the scenario asks for {now}."
    else:
        told = (
            f"Between {plain(found.question.low)} and {plain(found.question.high)} {found.unit} {first} and {second} "
        )
        told += f"never change places; the scenario asks for {now}."
    gaps = any(not np.isfinite(costs).all() for costs in found.costs)
    told += " A line breaks off where the fleet cannot do the work." if gaps else ""
    return f"{told} Both scales are logarithmic." if up.low else f"{told} The scale of demand is logarithmic."


def numbers(facts: Facts, found: Curve) -> Table:
    """Every fifth point of the curve."""
    rows = [
        [
            head(plain(float(found.demand[at]))),
            *(
                number(float(costs[at]), facts.form) if np.isfinite(costs[at]) else Cell("cannot do the work")
                for costs in found.costs
            ),
        ]
        for at in range(0, POINTS, 5)
    ]
    heads = (f"Demand, {found.unit}", *(f"{fleet.id}, {facts.unit}" for fleet in found.fleets))
    return table("Unit cost against demand", heads, rows)
