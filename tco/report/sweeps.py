"""Sweeps on the page: a heat map of who is recommended where, or lines along one axis, with the numbers."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from tco.errors import UnitError
from tco.report.charts import Chart
from tco.report.facts import Facts
from tco.report.pareto import Scale
from tco.report.tables import Cell, Table, head, number, table
from tco.units import quantity
from tco.wording import counted, listed, shortened

if TYPE_CHECKING:
    from tco.sweep.asked import Axis
    from tco.sweep.outcome import Outcome

FILLS = ("capital_cost", "energy_cost", "rent_cost", "people_cost", "software_cost", "api_cost")
OTHERS, NOBODY = "maintenance_cost", "site_cost"
LETTERS = "ABCDEF"
ROWS, COLUMNS, LISTED, LINES, FLIPS = 24, 24, 60, 8, 3
WIDTH, LEFT, TOP, ROW = 860.0, 210.0, 42.0, 26.0
PLOT = {"left": 78.0, "right": 700.0, "top": 24.0, "bottom": 330.0}
APART = 15.0
TEXT_ROOM, LABEL_ROOM, LONG = 64.0, 7.4, 8


@dataclass(frozen=True)
class Shown:
    """One sweep: lines along its axis, or a heat map, and the numbers behind."""

    name: str
    heat: Chart | None
    lines: Chart | None
    numbers: Table
    refused: str


def shown(facts: Facts) -> list[Shown]:
    """Every sweep of the scenario; nothing where it states none."""
    if facts.result.session is None:
        return []
    return [shown_one(facts, one, at) for at, one in enumerate(facts.result.sweeps)]


def shown_one(facts: Facts, one: Outcome, at: int = 0) -> Shown:
    """A sweep, the so-manieth on its page."""
    numbers = _numbers_of(one.axes[0].labels) if len(one.axes) == 1 else None
    lines = _lines(facts, one, at, numbers) if numbers else None
    heat = None if lines else _heat(facts, one, at)
    return Shown(one.name, heat, lines, _table(facts, one), _refused(one))


def _refused(one: Outcome) -> str:
    if not one.refused:
        return ""
    why, count = Counter(one.refused.values()).most_common(1)[0]
    return f"{counted(len(one.refused), 'variant')} cannot be computed; the reason of {count:,} of them: {why}"


def _spread(count: int, most: int) -> list[int]:
    return np.unique(np.linspace(0, count - 1, min(count, most)).astype(int)).tolist()


def _finding(one: Outcome) -> str:
    """Who is recommended how often, and where the answer flips."""
    wins, total = one.wins(), len(one.best)
    if not wins:
        return "No fleet does the work in any variant."
    (first, most), *rest = wins
    shares = listed([f"{first} is recommended in {most:,}", *(f"{name} in {count:,}" for name, count in rest)])
    flips = list(one.flips())
    if not flips:
        return f"{wins[0][0]} is recommended in all {counted(total, 'variant')}: nothing here flips the answer."
    told = [_flip(one, *flip) for flip in flips[:FLIPS]]
    more = f", and at {counted(len(flips) - FLIPS, 'further place')}" if len(flips) > FLIPS else ""
    return f"Of {counted(total, 'variant')}, {shares}. The answer flips {'; '.join(told)}{more}."


def _flip(one: Outcome, labels: list[str], axis: int, low: str, high: str, before: str, after: str) -> str:
    others = [
        f"{each.name} {label}" for at, (each, label) in enumerate(zip(one.axes, labels, strict=True)) if at != axis
    ]
    where = f" with {listed(others)}" if others else ""
    return f"from {before} to {after} between {low} and {high} of {one.axes[axis].name}{where}"


# --- heat map ---


def _heat(facts: Facts, one: Outcome, at: int) -> Chart:
    """The last two axes; over all others, a cell says what holds for each or that several are recommended."""
    down, across = (one.axes[-2] if len(one.axes) > 1 else None), one.axes[-1]
    shape = (one.shape[-2] if down else 1, one.shape[-1])
    best, costs = one.best.reshape(-1, *shape), one.costs.reshape(-1, *shape)
    rows, columns = _spread(shape[0], ROWS), _spread(shape[1], COLUMNS)
    width = min((WIDTH - LEFT - 20) / len(columns), 110.0)
    order = [name for name, _ in one.wins()][: len(FILLS)]
    data: dict[str, Any] = {
        "legend": _legend(one, order), "left": LEFT, "width": width, "height": ROW, "across": f"{_with_unit(across)} →",
        "down": f"{shortened(down.name, 26)} ↓" if down else "",
        "columns": [
            {"x": LEFT + width * (at + 0.5), "label": shortened(_short(across.labels, place), int(width / LABEL_ROOM))}
            for at, place in enumerate(columns)
        ],
        "rows": [
            {
                "y": TOP + ROW * index,
                "label": shortened(_whole(down.labels, row), 26) if down else "",
                "cells": _cells(facts, one, order, (best[:, row, columns], costs[:, row, columns]), width),
            }
            for index, row in enumerate(rows)
        ],
    }  # fmt: skip
    title = f"Recommended fleet by {listed([axis.name for axis in one.axes[-2:]])}, cost in {one.unit}"
    told = "; ".join(f"{name} in {count:,}" for name, count in one.wins()) or "none"
    caption = _finding(one) + _of_others(one) + _thinned(len(rows) * len(columns), shape[0] * shape[1])
    return Chart(f"sweep{at}", title, told, caption, WIDTH, TOP + ROW * len(rows) + 8, data)


def _of_others(one: Outcome) -> str:
    others = listed([axis.name for axis in one.axes[:-2]])
    return f" Over {others}, the lowest cost is shown." if others else ""


def _thinned(drawn: int, count: int) -> str:
    return f" Drawn are {drawn:,} of {count:,} pairs." if drawn < count else ""


def _with_unit(axis: Axis) -> str:
    """The name of an axis, with the unit where all its values are numbers in one."""
    unit = axis.labels[0].partition(" ")[2] if _numbers_of(axis.labels) else ""
    return f"{axis.name}, {unit}" if unit else axis.name


def _short(labels: Sequence[str], at: int) -> str:
    """A value without its unit when all have the same, which the name of the axis then says once; in six digits."""
    numbers = _numbers_of(labels)
    if numbers is None:
        return labels[at]
    text = labels[at].partition(" ")[0]
    return text if len(text) <= LONG else f"{numbers[at]:.6g}"


def _whole(labels: Sequence[str], at: int) -> str:
    """The same with its unit."""
    unit = labels[at].partition(" ")[2] if _numbers_of(labels) else ""
    return f"{_short(labels, at)} {unit}".strip()


def _legend(one: Outcome, order: Sequence[str]) -> list[dict[str, str]]:
    found = [{"name": FILLS[at], "letter": LETTERS[at], "label": name} for at, name in enumerate(order)]
    if len(one.wins()) > len(order) or len(one.shape) > 2:
        found.append({"name": OTHERS, "letter": "…", "label": "another, or several"})
    if (one.best < 0).any():
        found.append({"name": NOBODY, "letter": "–", "label": "none does the work"})
    return found


def _cells(
    facts: Facts, one: Outcome, order: Sequence[str], row: tuple[Any, Any], width: float
) -> list[dict[str, Any]]:
    best, costs = row
    places = [(LEFT + width * at, width) for at in range(best.shape[1])]
    return [_cell(facts, one, order, best[:, at], costs[:, at], place) for at, place in enumerate(places)]


def _cell(
    facts: Facts, one: Outcome, order: Sequence[str], best: Any, costs: Any, place: tuple[float, float]
) -> dict[str, Any]:
    names = [str(one.fleets[int(at)]) for at in dict.fromkeys(best.tolist()) if at >= 0]
    if not names:
        return {"x": place[0], "name": NOBODY, "text": "–", "told": "none does the work"}
    cost = facts.form(float(np.nanmin(costs)))
    known = len(names) == 1 and names[0] in order
    letter = LETTERS[order.index(names[0])] if known else "…"
    fill = FILLS[order.index(names[0])] if known else OTHERS
    text = f"{letter} {cost}" if place[1] >= TEXT_ROOM else letter
    return {"x": place[0], "name": fill, "text": text, "told": f"{listed(names)}: {cost} {one.unit}"}


# --- lines ---


def _numbers_of(labels: Sequence[str]) -> list[float] | None:
    """Labels as numbers in one unit that rise; None where they are none."""
    try:
        read = [quantity(label) for label in labels]
    except UnitError:
        return None
    numbers = [one.value for one in read]
    rises = all(low < high for low, high in itertools.pairwise(numbers))
    return numbers if len({one.unit for one in read}) == 1 and rises and len(numbers) > 1 else None


def _lines(facts: Facts, one: Outcome, at: int, numbers: list[float]) -> Chart | None:
    """The headline of the fleets that are recommended somewhere, and of the nearest others, along one axis."""
    able = np.where(np.isfinite(one.values), one.values, np.nan)
    drawn = _drawn(one, able)
    if not drawn:
        return None
    across = Scale(numbers[0], numbers[-1], PLOT["left"], PLOT["right"])
    known = able[:, drawn]
    up = Scale.over(known[np.isfinite(known)].tolist(), PLOT["bottom"], PLOT["top"])

    def x(value: float) -> float:
        return across.start + (value - across.low) / (across.high - across.low) * (across.end - across.start)

    lines = [_line(facts, one, place, able[:, place], [x(value) for value in numbers], up) for place in drawn]
    _apart(lines)
    marks = [{"x": x(numbers[at]), "y": up.place(float(one.costs[at])), "label": told} for at, told in _changes(one)]
    ticks = [
        {"at": x(numbers[place]), "label": _short(one.axes[0].labels, place)} for place in _spread(len(numbers), 7)
    ]
    data = {
        "heights": up.ticks(), "widths": ticks, "plot": PLOT, "unit": one.unit, "lines": lines, "marks": marks,
        "across": _with_unit(one.axes[0]),
    }  # fmt: skip
    told = "; ".join(f"{one.fleets[place]} {_ends(facts, able[:, place])}" for place in drawn)
    log = " The scale of cost is logarithmic." if up.low else ""
    title = f"Unit cost ({one.unit}) along {one.axes[0].name}"
    return Chart(f"sweep{at}", title, told, _finding(one) + log, WIDTH, PLOT["bottom"] + 46, data)


def _changes(one: Outcome) -> list[tuple[int, str]]:
    """Where along the only axis another fleet is recommended than just before."""
    places = [at for at in range(1, len(one.best)) if one.best[at] != one.best[at - 1] and one.best[at] >= 0]
    return [(at, f"from here {one.fleets[one.best[at]]}") for at in places]


def _drawn(one: Outcome, able: Any) -> list[int]:
    """Those that are recommended somewhere, then the cheapest others."""
    seen = [place for place in range(len(one.fleets)) if np.isfinite(able[:, place]).any()]
    first = [one.fleets.index(name) for name, _ in one.wins()]
    rest = sorted(set(seen) - set(first), key=lambda place: float(np.nanmin(able[:, place])))
    return [*first, *rest][:LINES]


def _ends(facts: Facts, values: Any) -> str:
    known = values[np.isfinite(values)]
    return f"{facts.form(float(known[0]))} to {facts.form(float(known[-1]))}"


def _line(facts: Facts, one: Outcome, place: int, values: Any, across: list[float], up: Scale) -> dict[str, Any]:
    fleet = facts.result.by_id[one.fleets[place]]
    role = {"recommended": "best", "next best": "second"}.get(facts.role(fleet).partition(",")[0], "other")
    spots = [(x, up.place(float(value))) for x, value in zip(across, values, strict=True) if np.isfinite(value)]
    path = "".join(f"{'L' if at else 'M'}{x:.1f} {y:.1f}" for at, (x, y) in enumerate(spots))
    last = spots[-1]
    return {"id": shortened(fleet.id, 18), "role": role, "path": path, "x": last[0], "y": last[1], "label_y": last[1]}


def _apart(lines: list[dict[str, Any]]) -> None:
    """Labels in the order of the lines, none over another."""
    least = PLOT["top"]
    for line in sorted(lines, key=lambda one: one["y"]):
        line["label_y"] = max(line["y"], least)
        least = line["label_y"] + APART
    over = max(line["label_y"] for line in lines) - PLOT["bottom"] - 8
    if over > 0:
        for line in lines:
            line["label_y"] -= over


# --- numbers ---


def _table(facts: Facts, one: Outcome) -> Table:
    places = _spread(len(one.best), LISTED)
    rows = [[*_labels(one, at), *_answer(facts, one, at)] for at in places]
    heads = [*(axis.name for axis in one.axes), "Recommended", one.unit]
    kept = f" In {one.kept:,} the deployments were chosen before a value changed that touches neither speed nor fit."
    note = (
        f"{len(places):,} of {counted(len(one.best), 'variant')}; `tco sweep` writes all."
        if len(places) < len(one.best)
        else ""
    )
    return table(f"Sweep {one.name}", heads, rows, note=(note + (kept if one.kept else "")).strip())


def _labels(one: Outcome, at: int) -> list[Cell]:
    first, *rest = one.labels(at)
    return [head(first), *(Cell(label) for label in rest)]


def _answer(facts: Facts, one: Outcome, at: int) -> list[Cell]:
    best, cost = int(one.best[at]), float(one.costs[at])
    name = one.fleets[best] if best >= 0 else ("cannot be computed" if at in one.refused else "none does the work")
    return [Cell(name), number(None if np.isnan(cost) else cost, facts.form, one.unit)]
