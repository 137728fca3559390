"""What moves the answer: the tornado of the recommended fleet, and where each driver would hand the lead over."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from tco.analysis.drivers import Driver, drivers_of
from tco.decisions import amounts
from tco.report.charts import Chart, ticks
from tco.report.facts import Facts
from tco.report.flips import Flip, flips
from tco.report.records import label
from tco.report.tables import Cell, Table, head, number, table
from tco.result import FleetResult
from tco.wording import counted, listed, percent, plain, shortened

MOST = 12
WIDTH, LEFT, RIGHT, ROW, TOP = 860.0, 330.0, 800.0, 26.0, 24.0
FULL, LABEL, LETTER = 48, 58, 7.2
"""Letters of a label in full size, and at most; the width of a digit beside a bar."""


def drivers(facts: Facts) -> list[Driver]:
    """Those that move the recommended fleet."""
    found = facts.result.sensitivity
    return drivers_of(found) if found else []


def written(facts: Facts, fleet: FleetResult, name: str, value: float) -> str:
    """A value of a driver with its unit; of a series the factor."""
    return amounts.written(fleet, name, value, facts.currency)


def tornado(facts: Facts) -> Chart | None:
    """A bar from the unit cost at the low end to that at the high end."""
    found = [item for item in drivers(facts) if any(isinstance(one, float) for one in item.found)][:MOST]
    best = facts.best
    base = facts.cost(best) if best else None
    if best is None or base is None or not found:
        return None
    costs = [base, *(one for item in found for one in item.found if isinstance(one, float))]
    least, most = min(costs), max(costs)
    scale = (RIGHT - LEFT - 130) / ((most - least) or 1.0)
    rows = [_bar(facts, best, item, base, TOP + ROW * place, least, scale) for place, item in enumerate(found)]
    bottom = TOP + ROW * len(rows)
    data = {
        "rows": rows,
        "base": _x(base, least, scale),
        "label": facts.form(base),
        "ticks": [{"x": _x(one, least, scale), "label": plain(one)} for one in _marks(least, most)],
        "top": TOP,
        "bottom": bottom,
    }
    told = "; ".join(f"{row['label']}: {row['told']}" for row in rows)
    title = f"Unit cost of {best.id} as one number moves, {facts.unit}"
    return Chart("tornado", title, told, _finding(facts, best, found), WIDTH, bottom + 24, data)


def _x(value: float, least: float, scale: float) -> float:
    return LEFT + 65 + (value - least) * scale


def _marks(least: float, most: float) -> list[float]:
    """Round numbers between two ends."""
    step = next((gap for gap in ticks(most - least, 4)[1:]), most)
    return [step * at for at in range(math.ceil(least / step), math.floor(most / step) + 1)]


def _bar(
    facts: Facts, fleet: FleetResult, item: Driver, base: float, y: float, least: float, scale: float
) -> dict[str, Any]:  # fmt: skip
    at = _x(base, least, scale)
    sides = list[dict[str, Any]]()
    for end, value, one in (("low", item.low, item.found[0]), ("high", item.high, item.found[1])):
        if isinstance(one, str) or one == base:
            continue
        x = _x(one, least, scale)
        left, percents = x < at, fleet.inputs[item.name].unit == "1/yr"
        text = f"{plain(value * 100)} %" if percents else plain(value)
        side = {"end": end, "x": min(x, at), "width": abs(x - at), "text_x": x + (-4 if left else 4), "left": left}
        sides.append({**side, "text": text})
    lost = [
        f"{one} at {plain(value)}"
        for value, one in zip((item.low, item.high), item.found, strict=True)
        if isinstance(one, str)
    ]
    words, told, sides = shortened(label(fleet, item.name), LABEL), _ends_told(facts, fleet, item), _unclashed(sides)
    right = max([at, *(side["text_x"] + LETTER * len(side["text"]) for side in sides if not side["left"])])
    found = {"label": words, "long": len(words) > FULL, "y": y, "sides": sides, "told": told}
    return {**found, "lost": listed(lost), "lost_x": right + 6}


def _unclashed(sides: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Where both ends lie on one side, only the farther one is written."""
    if len(sides) == 2 and sides[0]["left"] == sides[1]["left"]:
        min(sides, key=lambda side: side["width"])["text"] = ""
    return sorted(sides, key=lambda side: -side["width"])


def _ends_told(facts: Facts, fleet: FleetResult, item: Driver) -> str:
    pairs = zip((item.low, item.high), item.found, strict=True)
    return ", ".join(
        f"{facts.form(one) if isinstance(one, float) else one} at {written(facts, fleet, item.name, value)}"
        for value, one in pairs
    )


def _finding(facts: Facts, best: FleetResult, found: list[Driver]) -> str:
    first = next((item for item in found if np.isfinite(item.swing)), found[0])
    told = f"{label(best, first.name)} moves the unit cost of {best.id} most: {_ends_told(facts, best, first)}."
    lost = [label(best, item.name) for item in found if not np.isfinite(item.swing)]
    told += f" At one end of these it cannot do the work any more: {listed(lost)}." if lost else ""
    return f"{told} Outlined: the low end of the number; filled: its high end."


def table_of_drivers(facts: Facts) -> Table | None:
    """Each driver with its ends, the unit cost at both, and the value at which the next best takes the lead."""
    found, best = drivers(facts), facts.best
    if best is None or not found:
        return None
    turns = flips(facts, [item.name for item in found])
    rows = [_row(facts, best, item, _flip(facts, best, item, turns.get(item.name))) for item in found]
    heads = ["Number", "Now", "Low", "High", "Unit cost at low", "Unit cost at high"]
    if turns:
        heads.append(f"{facts.second.id if facts.second else ''} costs less")
    rows = rows if turns else [row[:-1] for row in rows]
    ranged = sum(item.stated for item in found)
    note = (
        f"One number at a time, the deployment as it was chosen. {counted(ranged, 'number')} between the ends that the "
        f"scenario or the catalogue states, the others 10 % to both sides."
    )
    if turns:
        note += " A number that both fleets share moves for both. The last column looks from a tenth to ten times"
        note += " the number, as far as its bounds allow and both can do the work."
    return table(
        f"What moves the unit cost of {best.id}", heads, rows, note=_still(facts, note), style="drivers", point=False
    )


def _still(facts: Facts, note: str) -> str:
    found = facts.result.sensitivity
    names = [label(found.fleet, name) for name in found.still] if found else []
    return f"{note} Moves it by less than {percent(0.001)}: {listed(names)}." if names else note


def _row(facts: Facts, best: FleetResult, item: Driver, flip: str) -> list[Cell]:
    figure = best.inputs[item.name]
    now = written(facts, best, item.name, figure.number if figure.is_one else 1.0)
    shown = [
        Cell(one, tone="bad") if isinstance(one, str) else number(one, facts.form, facts.unit) for one in item.found
    ]
    ends = [Cell(written(facts, best, item.name, value), "n") for value in (item.low, item.high)]
    return [head(label(best, item.name)), Cell(now, "n"), *ends, *shown, Cell(flip)]


def _flip(facts: Facts, best: FleetResult, item: Driver, found: Flip | None) -> str:
    """Beyond which value the next best costs less."""
    if found is None:
        return "not looked for"
    figure = best.inputs[item.name]
    now = figure.number if figure.is_one else 1.0
    sides = (("below", found.below), ("above", found.above))
    told = [f"{side} {written(facts, best, item.name, by * now)}" for side, by in sides if by is not None]
    return " or ".join(told) or "nowhere"
