"""The bill of a tariff as a choice: hour by hour for the load that the lines yield, given back as prices a period.

The search needs prices and the bill needs the searched load, so that the two take turns until the choice stays.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tco.evaluate import Value, program
from tco.figures import Figure
from tco.model import Model
from tco.scenario.plan import Plan
from tco.tariff.bill import Bill, bill
from tco.tariff.load import Month, on_top, shaped
from tco.tariff.rates import Asked
from tco.timeline import Timeline
from tco.wording import fixed

ROUNDS = 6
FIRST_LOAD = 1000.0
"""kW, even over the hours: its prices are those of the first search."""

LINES = ("energy", "month_peak_power", "peak_facility_power")
"""What a bill is made for."""

HOURS = 8760.0

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Billed:
    """Prices by name, one a period, and the load they were made for."""

    prices: dict[str, Array]
    load: dict[str, Array]
    total: float = 0.0


def settle(
    plan: Plan,
    model: Model,
    timeline: Timeline,
    inputs: dict[str, Value],
    choose: Callable[[Mapping[str, Value]], Mapping[str, float]],
) -> Billed:
    """Choose under the last prices, bill what was chosen, until nothing changes; `inputs` end with both."""
    asked = plan.asked
    assert asked is not None
    names = [name for name in model.inputs if name.removesuffix("_quoted") in PRICED]
    flat = np.full(timeline.periods, FIRST_LOAD)
    hours = np.full(timeline.periods, HOURS / 12 * timeline.months_per_period)
    compiled, last = program(model, LINES), dict[str, float]()
    billed = _billed(asked, timeline, dict(zip(LINES, (flat * hours, flat, flat), strict=True)), names)
    for turn in range(ROUNDS):
        inputs.update(billed.prices)
        chosen = dict(choose(inputs))
        if turn and chosen == last:
            break
        inputs.update(chosen)
        values, last = compiled(inputs, timeline.periods), chosen
        load = {name: np.broadcast_to(values[name].reshape(-1), timeline.periods).copy() for name in LINES}
        billed = _billed(asked, timeline, load, names)
    inputs.update(billed.prices)
    return billed


PRICED = ("electricity_price", "demand_charge", "fixed_charge")


def _billed(asked: Asked, timeline: Timeline, load: dict[str, Array], names: list[str]) -> Billed:
    """The bill over the energy and the peaks of the lines, so that lines give the bill back."""
    made = _bill(asked, timeline, load)
    count = timeline.months_per_period

    def by_period(row: Array) -> Array:
        return row.reshape(timeline.periods, count).sum(1)

    energy, demand = by_period(made.energy), by_period(made.demand)
    fixed = by_period(made.fixed + made.minimum)
    used, power = load["energy"], load["month_peak_power"]
    # What has nothing to be charged on (a ratchet in an idle month) is paid whatever is drawn.
    fixed += np.where(used > 0, 0.0, energy) + np.where(power > 0, 0.0, demand)
    prices = {
        "electricity_price": np.divide(energy, used, out=np.zeros_like(energy), where=used > 0),
        "demand_charge": np.divide(demand, power * count, out=np.zeros_like(demand), where=power > 0),
        "fixed_charge": fixed / count,
    }
    return Billed({name: prices[name.removesuffix("_quoted")] for name in names}, load, float(made.total.sum()))


def _bill(asked: Asked, timeline: Timeline, load: dict[str, Array]) -> Bill:
    """The fleet's own bill, or what it adds to the bill of its site."""
    alone, months = list[Month](), list[Month]()
    for year, month, level in _levels(timeline, load):
        if asked.meter is None:
            months.append(shaped(year, month, *level, asked.profile))
            continue
        pair = on_top(asked.meter.months[month], year, month, level, asked.profile)
        alone.append(pair[0])
        months.append(pair[1])
    whole = bill(asked.tariff, months, asked.earlier)
    return whole.less(bill(asked.tariff, alone, asked.earlier)) if alone else whole


def _levels(timeline: Timeline, load: dict[str, Array]) -> Iterator[tuple[int, int, tuple[float, float, float]]]:
    """Mean, peak and year's highest of every month; all months of a period have those of the period."""
    count = timeline.months_per_period
    mean = load["energy"] / (HOURS / 12 * count)
    for index, (year, month) in enumerate(timeline.months):
        level, peak, highest = (float(row[index // count]) for row in (mean, load[LINES[1]], load[LINES[2]]))
        yield year, month, (level, max(peak, level), max(highest, level))


def as_figures(plan: Plan, figures: dict[str, Figure], billed: Billed) -> None:
    """Put the prices in place of the empty rows that stand for them."""
    assert plan.asked is not None
    shape = f"{len(plan.asked.profile)} hours of the profile" if plan.asked.profile else "even over the hours"
    if plan.asked.meter:
        shape += ", on top of the site's meter"
    note = f"the bill over energy and peak of the period; load {shape}; calendar months, where energy rows have 730 h"
    for name, row in billed.prices.items():
        figures[name] = replace(figures[name], value=tuple(row.tolist()), note=note)


def tell(plan: Plan, billed: Billed) -> None:
    """What a reader must know of a bill that lines do not compute."""
    assert plan.asked is not None
    added = "what the fleet adds to its site's bill under" if plan.asked.meter else "the bill of"
    tariff, used = plan.asked.tariff, float(billed.load["energy"].sum())
    average = f", {fixed(billed.total / used, 4)} {tariff.currency}/kWh on average before escalation" if used else ""
    told = f"electricity is {added} {tariff.name}, hour by hour over calendar months{average}"
    plan.tell("billed-by-tariff", f"{told}: a choice made for this load, stale when the load is changed")
    top = float(billed.load["peak_facility_power"].max(initial=0.0))
    if not tariff.least_power <= top <= tariff.most_power:
        limits = f"{tariff.least_power:g} kW" + (f" to {tariff.most_power:g} kW" if tariff.most_power < 1e30 else " on")
        plan.tell("tariff-for-others", f"{tariff.name} is for loads of {limits}; this one peaks at {top:.1f} kW")


def made_for(plan: Plan, billed: Billed) -> dict[str, Any]:
    """For the result: the tariff and the load."""
    assert plan.asked is not None
    return {"tariff": plan.asked.tariff.name, "for": {name: row.tolist() for name, row in billed.load.items()}}
