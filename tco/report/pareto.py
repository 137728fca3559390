"""Cost against the time of a token: which fleets are beaten by none in both."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from tco.report.charts import MOST, Chart, ticks
from tco.report.facts import Facts, one
from tco.report.tables import Cell, Table, head, number, table
from tco.result import FleetResult
from tco.wording import even, listed, plain, shortened

TIME = "per_token_time"
WIDTH, HEIGHT = 860.0, 400.0
PLOT = {"left": 78.0, "right": 740.0, "top": 18.0, "bottom": 350.0}
LETTER, LINE = 7.8, 15.0
FAR = 8.0
SHIFTS = (0, -1, 1, -2, 2, -3, 3, -4, 4)


@dataclass(frozen=True)
class Spot:
    """A fleet's time of a token and its cost."""

    fleet: FleetResult
    time: float
    cost: float


def spots(facts: Facts) -> list[Spot]:
    """The fleets that can do the work and have a time of a token, cheapest first."""
    found = [(fleet, one(fleet, TIME), facts.cost(fleet)) for fleet in facts.ranked]
    return [Spot(fleet, time, cost) for fleet, time, cost in found if time is not None and cost is not None]


def frontier(found: list[Spot]) -> list[Spot]:
    """From the cheapest on, each that is faster than all cheaper ones."""
    kept = list[Spot]()
    for spot in sorted(found, key=lambda spot: (spot.cost, spot.time)):
        if not kept or spot.time < kept[-1].time:
            kept.append(spot)
    return kept


@dataclass(frozen=True)
class Scale:
    """Numbers to pixels along one side: from nothing, or by logarithm where the numbers lie far apart."""

    low: float
    high: float
    start: float
    end: float

    @classmethod
    def over(cls, values: list[float], start: float, end: float) -> Scale:
        """A scale on which every value finds room."""
        least, most = min(values), max(values)
        if least > 0 and most / least > FAR:
            return cls(least / 1.5, most * 1.5, start, end)
        return cls(0.0, most * 1.08 or 1.0, start, end)

    def place(self, value: float) -> float:
        """The pixel of a value."""
        lowest, log = self.low, math.log
        share = log(value / lowest) / log(self.high / lowest) if lowest else value / self.high
        return self.start + share * (self.end - self.start)

    def ticks(self) -> list[dict[str, Any]]:
        """Round numbers with their pixels."""
        marks = _decades(self.low, self.high) if self.low else ticks(self.high)
        return [{"at": self.place(mark), "label": plain(mark)} for mark in marks]


def _decades(low: float, high: float) -> list[float]:
    powers = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
    return [mark for power in powers for digit in (1, 2, 5) if low <= (mark := digit * 10.0**power) <= high]


def chart(facts: Facts) -> Chart | None:
    """Points, and the line of those that none beats in both."""
    found = spots(facts)[:MOST]
    if len(found) < 2:
        return None
    across = Scale.over([spot.time for spot in found], PLOT["left"], PLOT["right"])
    up = Scale.over([spot.cost for spot in found], PLOT["bottom"], PLOT["top"])
    front = frontier(found)
    points = [_point(facts, spot, spot in front, across.place(spot.time), up.place(spot.cost)) for spot in found]
    _labelled(points)
    data = {
        "points": points,
        "stairs": _stairs([point for point in points if point["front"]]),
        "heights": up.ticks(),
        "widths": across.ticks(),
        "plot": PLOT,
        "unit": facts.unit,
    }
    told = "; ".join(f"{spot.fleet.id} {facts.form(spot.cost)} at {plain(spot.time)} ms" for spot in found)
    title = f"Unit cost ({facts.unit}) against the time for each further token (ms)"
    caption = _finding(facts, front) + _scales({"cost": up, "time": across})
    return Chart("pareto", title, told, caption, WIDTH, HEIGHT, data)


def _scales(found: dict[str, Scale]) -> str:
    names = [name for name, scale in found.items() if scale.low]
    return f" The scale of {listed(names)} is logarithmic." if names else ""


def _point(facts: Facts, spot: Spot, front: bool, x: float, y: float) -> dict[str, Any]:
    role = facts.role(spot.fleet).partition(",")[0]
    return {
        "id": shortened(spot.fleet.id, 24),
        "x": x,
        "y": y,
        "front": front,
        "role": {"recommended": "best", "next best": "second"}.get(role, role) or "other",
        "told": f"{spot.fleet.id}: {facts.per(spot.cost)}, {plain(spot.time)} ms a token",
    }


def _labelled(points: list[dict[str, Any]]) -> None:
    """Each label beside its point, where no other label or point lies if there is room."""
    taken = [(point["x"] - 7, point["x"] + 7, point["y"] - 7, point["y"] + 7) for point in points]
    for own, point in enumerate(points):
        width = LETTER * len(point["id"])
        shifts = SHIFTS[1:] if point["front"] else SHIFTS
        tries = [(shift, side) for shift in shifts for side in ("start", "end")]
        boxes = [_box(point, width, shift, side) for shift, side in tries]
        others = [box for index, box in enumerate(taken) if index != own]
        faults = [(not _inside(box), sum(_meet(box, at) for at in others)) for box in boxes]
        chosen = faults.index(min(faults))
        shift, side = tries[chosen]
        point["anchor"] = side
        point["label_x"] = point["x"] + (10 if side == "start" else -10)
        point["label_y"] = point["y"] + 4 + shift * LINE
        taken.append(boxes[chosen])


Box = tuple[float, float, float, float]


def _box(point: dict[str, Any], width: float, shift: int, side: str) -> Box:
    left = point["x"] + 10 if side == "start" else point["x"] - 10 - width
    middle = point["y"] + shift * LINE
    return left, left + width, middle - 7, middle + 7


def _inside(box: Box) -> bool:
    return PLOT["left"] < box[0] and box[1] <= WIDTH and PLOT["top"] - 8 < box[2] and box[3] < PLOT["bottom"]


def _meet(one_box: Box, other: Box) -> bool:
    return one_box[0] < other[1] and other[0] < one_box[1] and one_box[2] < other[3] and other[2] < one_box[3]


def _stairs(front: list[dict[str, Any]]) -> str:
    """Down and to the right: between two of the line, cost stays until the next cheaper fleet is reached."""
    ordered = sorted(front, key=lambda point: point["x"])
    path = "".join(
        f"M{point['x']:.1f} {point['y']:.1f}" if index == 0 else f"H{point['x']:.1f}V{point['y']:.1f}"
        for index, point in enumerate(ordered)
    )
    return f"{path}H{PLOT['right']:.1f}" if path else ""


def _finding(facts: Facts, front: list[Spot]) -> str:
    names = listed([f"{spot.fleet.id} ({facts.form(spot.cost)}, {plain(spot.time)} ms)" for spot in front])
    if len(front) == 1:
        told = f"{names} is both the cheapest and the fastest."
    else:
        told = f"On the stepped line lie {names}: no other fleet is both cheaper and faster than one of these."
    dark = [fleet.id for fleet in facts.ranked if one(fleet, TIME) is None]
    return told + (f" Not drawn, since no time of a token is known: {listed(dark)}." if dark else "")


def numbers(facts: Facts) -> Table | None:
    """The numbers of the points."""
    found = spots(facts)
    if len(found) < 2:
        return None
    front, times = frontier(found), even(spot.time for spot in found)
    rows = [
        [
            head(spot.fleet.id),
            number(spot.cost, facts.form, facts.unit),
            number(spot.time, times, "ms"),
            Cell("none" if spot in front else _beaten(spot, front)),
        ]
        for spot in found
    ]
    heads = ("Fleet", facts.unit, "Time for each further token, ms", "Cheaper and as fast or faster")
    return table("Cost against time for a token", heads, rows)


def _beaten(spot: Spot, front: list[Spot]) -> str:
    return listed([one.fleet.id for one in front if one.time <= spot.time and one.cost <= spot.cost])
