"""Energy and carbon of the fleets whose systems stand on a site of one's own."""

from __future__ import annotations

from typing import Any

import numpy as np

from tco.report.charts import Chart, limit_of
from tco.report.facts import Facts, series
from tco.report.tables import Table, head, number, table
from tco.result import FleetResult
from tco.wording import listed, shortened, significant

WIDTH, LEFT, ROW, TOP, MOST = 860.0, 185.0, 24.0, 30.0, 24
PANELS = ((LEFT, 230.0), (LEFT + 350.0, 230.0))
MEASURES = (("energy", "Energy, MWh", 1000.0), ("carbon_footprint", "Carbon, t CO2e", 1.0))


def _known(facts: Facts) -> list[FleetResult]:
    return [fleet for fleet in facts.ranked if series(fleet, "energy") is not None][:MOST]


def _sum(fleet: FleetResult, name: str, scale: float) -> float | None:
    values = series(fleet, name)
    return None if values is None else float(np.sum(values)) / scale


def chart(facts: Facts) -> Chart | None:
    """Two bars a fleet, side by side: energy and carbon over the horizon."""
    fleets = _known(facts)
    panels = [_panel(fleets, place) for place in range(len(MEASURES))]
    panels = [panel for panel in panels if panel["bars"]]
    if len(fleets) < 2 or not panels:
        return None
    names = [
        {"id": shortened(fleet.id, 24), "y": TOP + ROW * at, "best": fleet is facts.best}
        for at, fleet in enumerate(fleets)
    ]
    bottom = TOP + ROW * len(fleets)
    told = "; ".join(
        f"{fleet.id} " + ", ".join(f"{words} {significant(value)}" for name, words, scale in MEASURES
                                  if (value := _sum(fleet, name, scale)) is not None)
        for fleet in fleets
    )  # fmt: skip
    data = {"names": names, "panels": panels, "top": TOP, "bottom": bottom}
    title = "Energy and carbon over the horizon, by fleet"
    return Chart("footprint", title, told, _finding(facts, fleets, panels), WIDTH, bottom + 8, data)


def _panel(fleets: list[FleetResult], place: int) -> dict[str, Any]:
    name, words, scale = MEASURES[place]
    left, room = PANELS[place]
    values = [_sum(fleet, name, scale) for fleet in fleets]
    top = limit_of([value for value in values if value is not None] or [1.0]) or 1.0
    bars = [
        {"y": TOP + ROW * at, "width": min(value, top) / top * room, "told": significant(value), "cut": value > top}
        for at, value in enumerate(values)
        if value is not None
    ]
    return {"name": name, "words": words, "x": left, "bars": bars}


def _finding(facts: Facts, fleets: list[FleetResult], panels: list[dict[str, Any]]) -> str:
    told = list[str]()
    for name, words, scale in MEASURES:
        values = {fleet.id: value for fleet in fleets if (value := _sum(fleet, name, scale)) is not None}
        if values:
            least, most = min(values, key=values.__getitem__), max(values, key=values.__getitem__)
            what, unit = words.split(", ")
            told.append(
                f"{what}: {least} needs least with {significant(values[least])} {unit}, {most} most with "
                f"{significant(values[most])}."
            )
    others = [fleet.id for fleet in facts.ranked if fleet not in fleets]
    if others:
        told.append(f"Not drawn, since their power is drawn elsewhere and not known: {listed(others)}.")
    if any(bar["cut"] for panel in panels for bar in panel["bars"]):
        told.append("An arrow marks a bar that runs beyond the axis.")
    return " ".join(told)


def numbers(facts: Facts) -> Table | None:
    """What the bars show."""
    fleets = _known(facts)
    rows = [
        [head(fleet.id), *(number(_sum(fleet, name, scale), significant) for name, _, scale in MEASURES)]
        for fleet in fleets
    ]
    return (
        table("Energy and carbon over the horizon", ("Fleet", *(words for _, words, _ in MEASURES)), rows)
        if rows
        else None
    )
