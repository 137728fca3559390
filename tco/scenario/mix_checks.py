"""What is wrong with a mix before anything is computed: fleets that are not there, and those that cannot be planned."""

from __future__ import annotations

import math

from tco.errors import did_you_mean
from tco.scenario.gather import periods_of
from tco.scenario.mix_schema import Mix
from tco.scenario.problems import Problems
from tco.scenario.schema import Fleet, Scenario
from tco.timeline import MONTHS
from tco.units import currencies_in
from tco.wording import counted


def check_mix(scenario: Scenario, problems: Problems) -> None:
    """Note every contradiction."""
    mix = scenario.mix
    if mix is None:
        return
    if scenario.workload.kind != "inference":
        problems.add(("mix",), f"a mix shares requests, and {scenario.workload.kind} has none", key=True)
        return
    known = [fleet.id for fleet in scenario.fleets]
    named = [(("fleets", index), name) for index, name in enumerate(mix.fleets)]
    for place, name in (*named, *((("supply", name), name) for name in mix.supply)):
        if name not in known:
            told = f"`{name}` is no fleet{did_you_mean(name, known)}; there are {', '.join(known)}"
            problems.add(("mix", *place), told, key=place[0] == "supply")
    _check_lists(scenario, mix, problems)
    for key in ("budget", "yearly_budget"):
        stated = getattr(mix, key)
        if stated is not None and (foreign := currencies_in(stated.unit) - {scenario.currency}):
            told = f"is in {min(foreign)}, the scenario in {scenario.currency}; state it in {scenario.currency}"
            problems.add(("mix", key), told)
    for index, fleet in enumerate(scenario.fleets):
        if not mix.fleets or fleet.id in mix.fleets:
            _check_candidate(fleet, index, problems)


def _check_lists(scenario: Scenario, mix: Mix, problems: Problems) -> None:
    """One value a year; power and racks also one a period. No limit is a range, of which the median would be kept."""
    periods = periods_of(scenario)
    years = math.ceil(periods / (12 // MONTHS[scenario.timeline.step]))
    stated = {("power",): mix.power, ("racks",): mix.racks, ("yearly_budget",): mix.yearly_budget}
    stated |= {("supply", name): figure for name, figure in mix.supply.items()}
    limits = {("budget",): mix.budget, ("carbon",): mix.carbon, ("largest_share",): mix.largest_share}
    for place, figure in {**stated, **limits}.items():
        if figure is not None and figure.spread is not None:
            problems.add(("mix", *place), "is a range; a plan keeps one limit: state a number, and plan for each end")
    for place, figure in stated.items():
        count = len(figure.series) if figure else 0
        wanted = {years, periods} if place in (("power",), ("racks",)) else {years}
        if count and count not in wanted:
            told = f"{count} values for {counted(years, 'year')}; state one for each"
            problems.add(("mix", *place), f"{told}{', or for each period' if len(wanted) > 1 else ''}")


def _check_candidate(fleet: Fleet, index: int, problems: Problems) -> None:
    """How many systems there are, and what they serve, is what a mix decides."""
    there = fleet.buy is not None and fleet.buy.sunk is not None
    advice = "leave it out, or leave the fleet out of `mix.fleets`"
    told = {
        "count": "" if there or fleet.count is None else "a mix decides how many systems there are",
        "serves": "a mix decides what a fleet serves" if fleet.serves else "",
        "utilization": "a mix decides how busy a fleet is" if fleet.utilization else "",
        "purchase": "a mix decides when systems are bought" if fleet.purchase == "upfront" else "",
        "precision": "a mix takes a fleet in one precision" if isinstance(fleet.precision, tuple) else "",
    }
    for key, text in told.items():
        if text:
            problems.add(("fleets", index, key), f"{text}; {advice}", key=True)
    if there and fleet.count is not None and not fleet.count.is_one:
        problems.add(("fleets", index, "count"), "a mix takes machines that are there already in one number")
