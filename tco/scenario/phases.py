"""What changes over time by the scenario's word: demand that arrives, systems by hand, a system's first months."""

from __future__ import annotations

import itertools
from dataclasses import replace

from tco.figures import Figure
from tco.scenario.cross_rates import direct_rates
from tco.scenario.plan import Context, Plan
from tco.scenario.problems import Problems
from tco.scenario.schedules import by_age_in_periods, by_opening
from tco.scenario.schema import Fleet, Scenario
from tco.timeline import Timeline
from tco.units import currencies_in


def phases(context: Context, fleet: Fleet, plan: Plan) -> None:
    """Tables by time become one number a period; a ramp by age one row a period of age."""
    work = context.scenario.workload
    if work.ramp is not None and plan.kind == "inference":
        where = ("workload", "ramp")
        plan.found.put("demand_share", by_period(context, work.ramp, where), where, shared=True)
    if fleet.count is not None:
        where = (*plan.path, "count")
        plan.found.put("count", by_period(context, fleet.count, where), where)
        _falling(context, fleet, plan)
    if fleet.ramp is not None:
        _ramp(context, fleet, fleet.ramp, plan)
    bought = fleet.buy
    if bought and bought.lead_time and bought.sunk:
        told = "a machine that is there already has no lead time; leave out `lead_time` or `sunk`"
        context.problems.add((*plan.path, "buy", "lead_time"), told, key=True)


def by_period(context: Context, figure: Figure, where: tuple[str | int, ...]) -> Figure:
    """A table by time as one number a period; anything else as it is, with the scenario's date."""
    figure = replace(figure, as_of=figure.as_of or context.scenario.as_of)
    return stepped(figure, context.timeline, context.problems, where) if figure.is_table else figure


def stepped(figure: Figure, timeline: Timeline, problems: Problems, where: tuple[str | int, ...]) -> Figure:
    """A table whose first row holds from the start."""
    if figure.rows[0][0] > 0:
        told = f"the first row begins after {figure.rows[0][0]:g} {figure.from_unit}; the first one begins at 0"
        problems.add(where, told)
    return by_opening(figure, timeline)


def with_rate_paths(scenario: Scenario, timeline: Timeline) -> Scenario:
    """Rates by time become one number a period, those through a third currency direct ones."""
    rates = {code: by_opening(rate, timeline) if rate.is_table else rate for code, rate in scenario.fx.items()}
    return scenario.model_copy(update={"fx": direct_rates(rates, scenario.currency)})


KEPT = ("lease_rent", "gpu_hour_price")
"""Prices that a contract keeps from the moment it begins."""


def tell_kept_rates(scenario: Scenario, plan: Plan, timeline: Timeline) -> None:
    """A contract in another currency keeps the rate of its beginning; only its renewal follows the path."""
    life = plan.found.figures.get("service_life")
    if life is None or life.to("yr").number <= timeline.months_per_period / 12:
        return
    for name in KEPT:
        price = plan.found.figures.get(name)
        for code in sorted(currencies_in(price.unit) - {scenario.currency}) if price else ():
            if code in scenario.fx and not scenario.fx[code].is_one:
                told = f"rents in {code} keep the rate at which their contract begins; renewals take that of their time"
                plan.tell("rate-kept", told)


def _falling(context: Context, fleet: Fleet, plan: Plan) -> None:
    """Systems that were bought stay to the end of their life, so that a smaller number alone sells none."""
    counts = plan.found.figures["count"].series
    falls = any(later < earlier for earlier, later in itertools.pairwise(counts))
    if falls and "service_life" not in plan.found.figures:
        told = "falls, and a system without a stated life stays to the end of the horizon; state `life`"
        context.problems.add((*plan.path, "count"), told)


def _ramp(context: Context, fleet: Fleet, ramp: Figure, plan: Plan) -> None:
    where = (*plan.path, "ramp")
    if plan.kind != "inference" or fleet.utilization is not None:
        whose = "a fleet whose utilization is given" if fleet.utilization is not None else plan.kind
        context.problems.add(where, f"`ramp` has no meaning for {whose}; leave it out", key=True)
        return
    life = plan.found.figures.get("service_life")
    dated = replace(ramp, as_of=ramp.as_of or context.scenario.as_of)
    plan.found.put("ramp_share", by_age_in_periods(dated, context.timeline, life), where)
