"""The lines of cash over time: numbers in, coordinates out."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import Any

import numpy as np

from tco.report.charts import MOST, Chart, limit_of, ticks
from tco.report.facts import Facts, duration, one, series, settlement
from tco.result import FleetResult
from tco.wording import listed, money, plain, shortened

WIDTH, HEIGHT, GAP = 900.0, 375.0, 14.0
PLOT = {"left": 80.0, "right": 640.0, "top": 16.0, "bottom": 330.0}
LOWEST = PLOT["bottom"] + 12

Point = tuple[float, float]
Path = list[Point]


@dataclass(frozen=True)
class Plane:
    """Times and amounts to pixels; amounts above `top` are outside."""

    across: float
    up: float
    top: float

    def place(self, time: float, amount: float) -> Point:
        """The pixel of a point."""
        return PLOT["left"] + time * self.across, PLOT["bottom"] - amount * self.up


def lines(facts: Facts) -> Chart | None:
    """Cumulative cash of each ranked fleet and the reference; payback marked where it is defined."""
    wanted = facts.ranked[:MOST]
    wanted += [facts.reference] if facts.reference and facts.reference not in wanted else []
    paths = {fleet.id: path for fleet in wanted if (path := _path(facts, fleet))}
    if not paths:
        return None
    fleets = [fleet for fleet in wanted if fleet.id in paths]
    top = limit_of([max(amount for _, amount in path) for path in paths.values()]) * 1.06 or 1.0
    width, height = PLOT["right"] - PLOT["left"], PLOT["bottom"] - PLOT["top"]
    plane = Plane(width / facts.years, height / top, top)
    drawn = [_line(facts, fleet, paths[fleet.id], plane) for fleet in fleets]
    _apart([line for line in drawn if not line["cut"]])
    marks = [mark for fleet in fleets if (mark := _payback(facts, fleet, paths[fleet.id], plane))]
    data = {
        "lines": drawn,
        "marks": marks,
        "heights": [{"y": plane.place(0, tick)[1], "label": money(tick)} for tick in ticks(top)],
        "moments": [{"x": plane.place(time, 0)[0], "label": plain(time)} for time in ticks(facts.years, 8)],
        "plot": PLOT,
        "currency": facts.currency,
    }
    title = f"Cash spent over time, {facts.currency}"
    return Chart("lines", title, _told(paths), _finding(facts, fleets, drawn), WIDTH, HEIGHT, data)


def _path(facts: Facts, fleet: FleetResult) -> Path:
    """Times and cumulative cash: what is paid at the very start, then each period's close."""
    cash = series(fleet, "cash_cost")
    if cash is None or one(fleet, "total_cost") is None or fleet.unit_cost_only:
        return []
    opening = series(fleet, "paid_at_start")
    times = np.cumsum(facts.result.timeline.frame()["period"])
    start = (0.0, 0.0 if opening is None else float(opening[0]))
    return [start, *((float(time), float(spent)) for time, spent in zip(times, np.cumsum(cash), strict=True))]


def _line(facts: Facts, fleet: FleetResult, path: Path, plane: Plane) -> dict[str, Any]:
    inside = _inside(path, plane.top)
    points = [plane.place(*point) for point in inside] or [plane.place(0.0, plane.top)] * 2
    roles = {"best": facts.best, "reference": facts.reference, "second": facts.second}
    role = next((name for name, other in roles.items() if other is fleet), "other")
    end = points[-1]
    return {
        "id": fleet.id,
        "role": role,
        "points": " ".join(f"{x:.1f},{y:.1f}" for x, y in points),
        "end": end,
        "label": f"{shortened(fleet.id, 24)}{' (reference)' if fleet is facts.reference else ''}",
        "label_y": end[1],
        "cut": len(inside) < len(path) or path[-1][1] > plane.top,
        "total": money(path[-1][1]),
    }


def _inside(path: Path, top: float) -> Path:
    """The path up to where it leaves the plane."""
    kept = list(itertools.takewhile(lambda point: point[1] <= top, path))
    if kept and len(kept) < len(path):
        (time, amount), (later, more) = kept[-1], path[len(kept)]
        kept.append((time + (later - time) * (top - amount) / (more - amount), top))
    return kept


def _apart(labelled: list[dict[str, Any]]) -> None:
    """Move the labels at the right edge apart, keeping their order and the lower edge."""
    labelled.sort(key=lambda line: line["label_y"])
    for above, below in itertools.pairwise(labelled):
        below["label_y"] = max(below["label_y"], above["label_y"] + GAP)
    for place, line in enumerate(reversed(labelled)):
        line["label_y"] = min(line["label_y"], LOWEST - GAP * place)


def _payback(facts: Facts, fleet: FleetResult, path: Path, plane: Plane) -> dict[str, Any] | None:
    value = facts.result.comparison.get(fleet.id, {}).get("simple_payback", {}).get("value")
    if value is None or not 0 <= float(value) <= facts.years:
        return None
    found = float(value)
    amount = float(np.interp(found, [time for time, _ in path], [spent for _, spent in path]))
    x, y = plane.place(found, amount)
    return None if amount > plane.top else {"x": x, "y": y, "label": f"{fleet.id} is paid back after {duration(found)}"}


def _told(paths: dict[str, Path]) -> str:
    ends = {name: (money(path[0][1]), money(path[-1][1])) for name, path in paths.items()}
    return "; ".join(f"{name}: {first} at the start, {last} at the end" for name, (first, last) in ends.items())


def _finding(facts: Facts, fleets: list[FleetResult], drawn: list[dict[str, Any]]) -> str:
    spent = {fleet.id: one(fleet, "total_cost") or 0.0 for fleet in fleets}
    least = min(spent, key=lambda name: spent[name])
    told = f"{least} spends the least cash over {duration(facts.years)}: {money(spent[least])} {facts.currency}."
    payback = facts.result.comparison.get(facts.best.id, {}).get("simple_payback", {}) if facts.best else {}
    if payback and facts.best and facts.reference:
        when = payback["reason"] if payback["value"] is None else duration(payback["value"])
        told += f" Payback of {facts.best.id} against {facts.reference.id}: {when}."
    settled = [f"{fleet.id} ({money(settlement(fleet))} {facts.currency})" for fleet in fleets if settlement(fleet) > 0]
    if settled:
        told += f" The jump at the end pays contracts that outlast the horizon to their end: {listed(settled)}."
    off = [f"{line['id']} ({line['total']})" for line in drawn if line["cut"]]
    leave = "leaves" if len(off) == 1 else "leave"
    return told + (f" The axis is cut: {listed(off)} {leave} it upwards." if off else "")
