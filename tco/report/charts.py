"""The bars of unit cost: numbers in, coordinates out. The macros only draw."""

from __future__ import annotations

import math
import statistics
from dataclasses import dataclass
from typing import Any

from tco.report.facts import LABELS, LETTERS, Facts, lowered
from tco.result import FleetResult
from tco.wording import listed, plain, shortened

MOST = 24
CUT = 4.0
"""An axis ends at the largest value below this multiple of the median, so that one outlier flattens nobody."""

WIDTH, LEFT, RIGHT, ROW, TOP = 860.0, 185.0, 90.0, 28.0, 26.0


@dataclass(frozen=True)
class Chart:
    """What a macro draws, with title, description of the numbers, and the finding."""

    kind: str
    title: str
    description: str
    caption: str
    width: float
    height: float
    data: dict[str, Any]


@dataclass(frozen=True)
class Axis:
    """A horizontal axis: where zero lies, units to pixels, and where it ends."""

    zero: float
    scale: float
    top: float


def limit_of(values: list[float]) -> float:
    """Where the axis ends: above all values, or above those that are no outliers."""
    top = max(values)
    middle = statistics.median(values)
    near = [value for value in values if value <= CUT * middle]
    return top if top <= CUT * middle or not near else max(near)


def ticks(top: float, count: int = 5) -> list[float]:
    """Round numbers from 0 up to the top."""
    if top <= 0:
        return [0.0]
    rough = top / count
    power = 10.0 ** math.floor(math.log10(rough))
    step = next(size * power for size in (1, 2, 5, 10) if size * power >= rough * 0.999)
    return [step * index for index in range(int(top / step * 1.0001) + 1)]


def bars(facts: Facts) -> Chart | None:
    """One stacked bar for each ranked fleet; receipts lie left of zero."""
    fleets = [fleet for fleet in facts.ranked if fleet.id in facts.parts][:MOST]
    if not fleets:
        return None
    axis = _axis([facts.parts[fleet.id] for fleet in fleets])
    rows = [_bar(facts, fleet, TOP + ROW * index, axis) for index, fleet in enumerate(fleets)]
    used = [name for name in facts.categories if any(facts.parts[fleet.id].get(name) for fleet in fleets)]
    bottom = TOP + ROW * len(rows)
    data = {
        "rows": rows,
        "legend": [{"name": name, "letter": LETTERS[name], "label": LABELS[name]} for name in used],
        "ticks": [{"x": axis.zero + tick * axis.scale, "label": plain(tick)} for tick in ticks(axis.top)],
        "zero": axis.zero,
        "top": TOP,
        "bottom": bottom,
        "unit": facts.unit,
    }
    told = "; ".join(_bar_told(facts, fleet) for fleet in fleets)
    title = f"Unit cost by category, {facts.unit}"
    return Chart("bars", title, told, _finding(facts, fleets, rows), WIDTH, bottom + 30, data)


def _axis(parts: list[dict[str, float]]) -> Axis:
    """Room for the receipts left of zero, and the cut right of it."""
    gross = [sum(value for value in bar.values() if value > 0) for bar in parts]
    end = limit_of(gross)
    received = [-sum(value for value in bar.values() if value < 0) for bar in parts]
    under = max(value for value, whole in zip(received, gross, strict=True) if whole <= end)
    top = end * 1.02
    scale = (WIDTH - LEFT - RIGHT) / ((top + under) or 1.0)
    return Axis(LEFT + under * scale, scale, top)


def _bar(facts: Facts, fleet: FleetResult, y: float, axis: Axis) -> dict[str, Any]:
    parts = facts.parts[fleet.id]
    gross = sum(value for value in parts.values() if value > 0)
    cost = facts.cost(fleet) or 0.0
    cut = gross > axis.top
    return {
        "id": shortened(fleet.id, 24),
        "y": y,
        "segments": _segments(facts, parts, axis),
        "cut": cut,
        "end": axis.zero + min(gross, axis.top) * axis.scale,
        "net": None if cut or gross == cost else max(axis.zero + cost * axis.scale, LEFT),
        "total": facts.form(cost),
        "best": fleet is facts.best,
    }


def _segments(facts: Facts, parts: dict[str, float], axis: Axis) -> list[dict[str, Any]]:
    """Costs to the right of zero, receipts to the left, clipped where the axis ends."""
    right, left, found = 0.0, 0.0, list[dict[str, Any]]()
    for name, value in parts.items():
        start, end = (right, right + value) if value > 0 else (left + value, left)
        right, left = (end, left) if value > 0 else (right, start)
        x = max(axis.zero + start * axis.scale, LEFT)
        width = axis.zero + min(end, axis.top) * axis.scale - x
        if width > 0:
            letter = LETTERS[name] if width > 14 else ""
            label = f"{LABELS[name]} {facts.form(value)}"
            found.append({"name": name, "x": x, "width": width, "letter": letter, "label": label})
    return found


def _bar_told(facts: Facts, fleet: FleetResult) -> str:
    parts = [f"{lowered(name)} {facts.form(value)}" for name, value in facts.parts[fleet.id].items() if value]
    return f"{fleet.id} {facts.form(facts.cost(fleet) or 0.0)}: {', '.join(parts)}"


def _finding(facts: Facts, fleets: list[FleetResult], rows: list[dict[str, Any]]) -> str:
    best = fleets[0]
    parts = facts.parts[best.id]
    main = max(parts, key=lambda name: parts[name])
    largest = f"its largest part is {lowered(main)} with {facts.form(parts[main])}"
    told = f"{best.id} is the cheapest at {facts.per(facts.cost(best) or 0.0)}; {largest}."
    if any(row["net"] is not None for row in rows):
        told += " Receipts lie left of zero; the upright mark is the unit cost after them."
    off = [f"{row['id']} ({row['total']})" for row in rows if row["cut"]]
    if off:
        run = "runs" if len(off) == 1 else "run"
        told += f" The axis is cut: {listed(off)} {run} beyond it, as the broken bar end shows."
    if len(facts.ranked) > len(fleets):
        told += f" The {len(fleets)} cheapest of {len(facts.ranked)} fleets are drawn."
    return told
