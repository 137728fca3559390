"""What the ranges may do: the spread of the unit cost of each fleet, how often it is cheapest, and what moves it."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from tco.report.charts import Chart, limit_of, ticks
from tco.report.facts import Facts
from tco.report.tables import Cell, Table, head, number, table
from tco.uncertainty.found import FleetSpread, Index, Simulation
from tco.uncertainty.words import chance, finding
from tco.wording import counted, listed, percent, plain, shortened

MOST = 12
WIDTH, LEFT, RIGHT, ROW, TOP, HIGH = 860.0, 185.0, 712.0, 40.0, 26.0, 28.0
SHARE_LEFT, SHARE_RIGHT, SHARE_ROW = 330.0, 780.0, 26.0
SMALL = 0.005


@dataclass(frozen=True)
class Drawn:
    """The section: a finding, charts, tables, and what one must know."""

    spread: Chart | None
    chances: Table
    shares: list[Chart]
    shares_numbers: Table | None
    values: Table
    notes: list[str]


def drawn(facts: Facts) -> Drawn | None:
    """None where the scenario does not ask."""
    found = facts.result.uncertainty
    if found is None:
        return None
    notes = [*found.notes, *(f"No shares of {fleet}: {why}." for fleet, why in found.without_indices.items())]
    shares = [_shares(facts, fleet, indices, at) for at, (fleet, indices) in enumerate(found.indices.items())]
    return Drawn(
        _spread(facts, found), _chances(facts, found), [one for one in shares if one], _numbers(found),
        _values(found), notes,
    )  # fmt: skip


def _spread(facts: Facts, found: Simulation) -> Chart | None:
    """A silhouette for each fleet, on one axis."""
    every = [fleet for fleet in found.order if found.headline in fleet.lines]
    if not every:
        return None
    fleets = sorted(every, key=lambda one: one.lines[found.headline].p50)[:MOST]
    end = limit_of([fleet.lines[found.headline].p95 for fleet in fleets]) * 1.05 or 1.0
    scale = (RIGHT - LEFT) / end
    rows = [_silhouette(facts, found, fleet, TOP + ROW * at, scale) for at, fleet in enumerate(fleets)]
    bottom = TOP + ROW * len(rows)
    marks = [{"x": LEFT + tick * scale, "label": plain(tick)} for tick in ticks(end)]
    told = "; ".join(f"{row['id']} {row['told']}" for row in rows)
    caption = f"{finding(facts.result, found)} Each shape shows how often a unit cost is drawn; the line below it runs"
    caption += " from P5 to P95, the upright mark is the median."
    cut = [str(row["id"]) for row in rows if row["cut"]]
    caption += f" The axis is cut: {listed(cut)} {'reaches' if len(cut) == 1 else 'reach'} beyond it." if cut else ""
    caption += f" The {len(fleets)} lowest of {len(every)} fleets are drawn." if len(every) > len(fleets) else ""
    data = {"rows": rows, "ticks": marks, "top": TOP, "bottom": bottom}
    title = f"Unit cost over {found.samples:,} draws, {facts.unit}"
    return Chart("spread", title, told, caption, WIDTH, bottom + 24, data)


def _silhouette(facts: Facts, found: Simulation, fleet: FleetSpread, y: float, scale: float) -> dict[str, Any]:
    line, base = fleet.lines[found.headline], y + HIGH

    def x(value: float) -> float:
        return min(LEFT + max(value, 0.0) * scale, RIGHT)

    width = (fleet.high - fleet.low) / max(len(fleet.counts), 1)
    most = max(fleet.counts, default=0) or 1
    edge = [f"M{x(fleet.low):.1f} {base:.1f}"]
    for at, count in enumerate(fleet.counts):
        height = base - (HIGH - 6) * count / most
        edge.append(f"V{height:.1f}H{x(fleet.low + (at + 1) * width):.1f}")
    told = f"P5 {facts.form(line.p5)}, median {facts.form(line.p50)}, P95 {facts.form(line.p95)}"
    return {
        "id": shortened(fleet.id, 24), "y": y, "path": f"{''.join(edge)}V{base:.1f}Z", "low": x(line.p5),
        "high": x(line.p95), "middle": x(line.p50), "base": base, "told": told, "cut": line.p95 * scale > RIGHT - LEFT,
        "best": fleet.id == facts.result.recommended, "chance": f"cheapest in {chance(fleet.cheapest)}",
    }  # fmt: skip


def _chances(facts: Facts, found: Simulation) -> Table:
    """Percentiles of each fleet, and its chances."""
    currency = facts.currency
    heads = ["Fleet", "Cheapest in", "Does the work in", "This scenario", "P5", "Median", "P95", "Mean",
             f"Total P5, {currency}", "Total median", "Total P95"]  # fmt: skip
    rows = list[list[Cell]]()
    for fleet in found.order:
        unit, total = fleet.lines.get(found.headline), fleet.lines.get("total_cost")
        units = (unit.p5, unit.p50, unit.p95, unit.mean) if unit else (None,) * 4
        totals = (total.p5, total.p50, total.p95) if total else (None,) * 3
        cells = [Cell(chance(fleet.cheapest), "n"), Cell(chance(fleet.able), "n")]
        cells += [number(one, facts.form, facts.unit, reason="it cannot do the work") for one in (fleet.base, *units)]
        cells += [
            number(one, lambda value: f"{value:,.0f}", currency, reason="it cannot do the work") for one in totals
        ]
        rows.append([head(fleet.id), *cells])
    note = (
        f"{found.samples:,} draws of {counted(len(found.drivers), 'value')}, seed {found.seed}. "
        f"Unit costs in {facts.unit}, over the draws in which the fleet does the work; "
        "ties for the cheapest are shared."
    )
    return table("What each fleet may cost", heads, rows, note=note)


def _shares(facts: Facts, fleet: str, indices: tuple[Index, ...], place: int) -> Chart | None:
    """Bars of the shares of the variance: alone filled, with all it acts with outlined."""
    shown = [one for one in indices if one.total >= SMALL][:MOST]
    if not shown:
        return None
    scale = (SHARE_RIGHT - SHARE_LEFT) / max(1.0, *(one.total for one in shown))
    rows = [
        {
            "label": shortened(" with ".join(one.drivers), 42), "y": TOP + SHARE_ROW * at,
            "first": min(max(one.first, 0.0), one.total) * scale, "total": one.total * scale, "told": _told(one),
        }
        for at, one in enumerate(shown)
    ]  # fmt: skip
    first = shown[0]
    caption = f"{' with '.join(first.drivers)} explains most of the spread of {fleet}: {_told(first)}."
    caption += " Filled: what it explains alone; outlined: with all that it acts together with."
    told = "; ".join(f"{row['label']} {row['told']}" for row in rows)
    title = f"Shares of the variance of the unit cost of {fleet}"
    height = TOP + SHARE_ROW * len(rows) + 8
    return Chart(f"shares-{place}", title, told, caption, WIDTH, height, {"rows": rows, "left": SHARE_LEFT})


def _told(one: Index) -> str:
    alone, together = percent(max(one.first, 0.0), 0), percent(max(one.total, 0.0), 0)
    return f"{alone} alone" if alone == together else f"{alone} alone, {together} with others"


def _numbers(found: Simulation) -> Table | None:
    rows = [
        [head(fleet), Cell(" with ".join(one.drivers)), number(one.first, _share), number(one.total, _share)]
        for fleet, indices in found.indices.items()
        for one in indices
    ]
    if not rows:
        return None
    note = f"Sobol indices from {found.index_samples:,} pairs of draws. Small ones may fall below zero by chance."
    return table("Shares of the variance", ["Fleet", "Value", "Alone", "With all it acts with"], rows, note=note)


def _share(value: float) -> str:
    return f"{value:.3f}"


def _values(found: Simulation) -> Table:
    rows = [
        [
            head(one.name),
            Cell(one.text),
            *(Cell(_plain(end), "n") for end in (one.p5, one.p50, one.p95)),
            Cell(one.unit),
        ]
        for one in found.drivers
    ]
    note = "; ".join(f"{one} and {other} move together: rank {rank:g}" for one, other, rank in found.correlations)
    return table("What is drawn", ["Value", "As stated", "P5", "Median", "P95", "Unit"], rows, note=note, point=False)


def _plain(value: float) -> str:
    return plain(value) if math.isfinite(value) else "–"
