"""Fleets side by side: key figures, the whole comparison, suitability by tier, site and power."""

from __future__ import annotations

from collections.abc import Callable
from typing import get_args

import numpy as np

from tco.export import shown_unit, unit_of
from tco.report.facts import JOBS, PAYMENTS, WHOLE, Facts, given, most, one, run_cost, series, unfit, why
from tco.report.ranges import ends, with_band
from tco.report.tables import Cell, Table, head, number, table
from tco.result import FleetResult
from tco.scenario.schema import Tier
from tco.wording import NOTHING, counted, even, listed, money, percent, plain, shortened, significant

Form = Callable[[float], str]

KEY: tuple[tuple[str, str, Form | None], ...] = (
    ("undiscounted_cost_per_million_useful_tokens", "Unit cost, undiscounted", None),
    ("cost_per_million_total_tokens", "Per million input and output tokens", None),
    ("present_cost", "Present cost", money),
    ("total_cost", "Total cost, cash", money),
    ("cost_per_gpu_hour", "Cost per GPU-hour", None),
    ("useful_tokens", "Useful tokens", money),
    ("useful_training_steps", "Useful training steps", money),
    ("run_time", "Time of a run", plain),
    ("first_token_time", "Time to the first token", plain),
    ("per_token_time", "Time for each further token", plain),
    ("max_concurrency", "Most requests in flight that fit", plain),
    ("longest_request", "Longest request that fits", plain),
)
"""Lines, their words, and how they are written; without a form: four digits of the smallest in the row."""

LARGEST = (
    ("systems", "Systems, most"),
    ("gpus", "GPUs, most"),
    ("peak_facility_power", "Facility power, highest peak"),
)


def key_figures(facts: Facts) -> Table | None:
    """Recommended, next best and reference, figure by figure."""
    if facts.best is None:
        return None
    beside = facts.reference if facts.reference not in (facts.best, facts.second) else None
    roles = {"Recommended": facts.best, "Next best": facts.second, "Reference": beside}
    shown = {role: fleet for role, fleet in roles.items() if fleet}
    fleets = list(shown.values())
    rows = [[head(_headline(facts)), Cell(facts.unit), *(cost(facts, fleet) for fleet in fleets)]]
    rows += _runs(facts, fleets)
    for name, label, form in KEY:
        values = [one(fleet, name) for fleet in fleets]
        if any(value is not None for value in values) and name != facts.measure:
            unit = shown_unit(unit_of(facts.best, name), facts.currency)
            rows.append([head(label), Cell(unit), *_figures(fleets, name, values, form or even(values), unit)])
    rows += _largest(fleets)
    shaky = [_shaky(fleet) for fleet in fleets]
    rows.append([head("Share resting on recalled or stale prices"), Cell(""), *shaky])
    heads = ["", "Unit", *(f"{role}: {fleet.id}" for role, fleet in shown.items())]
    return table("Key figures", heads, rows, note=note(facts), style="key", point=False)


def _headline(facts: Facts) -> str:
    names = {
        "cost_per_million_useful_tokens": "Cost per million useful tokens",
        "cost_per_useful_training_step": "Cost per useful training step",
    }
    return names.get(facts.measure, "Present cost")


def _runs(facts: Facts, fleets: list[FleetResult]) -> list[list[Cell]]:
    """What a whole run or job costs, in training and fine-tuning."""
    values = [run_cost(fleet) for fleet in fleets]
    if facts.kind not in JOBS or all(value is None for value in values):
        return []
    cells = _figures(fleets, "cost_per_useful_training_step", values, even(values), facts.currency)
    return [[head(f"Cost per {JOBS[facts.kind]}"), Cell(facts.currency), *cells]]


def _shaky(fleet: FleetResult) -> Cell:
    """The share resting on doubtful prices; none for a fleet that costs nothing because it cannot run."""
    share = None if unfit(fleet) else fleet.recalled_or_stale_share
    return number(share, lambda value: percent(value, 0), reason=why(fleet, "present_cost"))


def _largest(fleets: list[FleetResult]) -> list[list[Cell]]:
    rows = list[list[Cell]]()
    for name, label in LARGEST:
        values = [most(fleet, name) for fleet in fleets]
        if any(value is not None for value in values):
            unit = unit_of(fleets[0], name)
            rows.append([head(label), Cell(unit), *_figures(fleets, name, values, plain, unit)])
    return rows


def _figures(fleets: list[FleetResult], name: str, values: list[float | None], form: Form, unit: str) -> list[Cell]:
    """A line's value for each fleet."""
    reasons = [why(fleet, name) for fleet in fleets]
    cells = [number(value, form, unit, reason=reason) for value, reason in zip(values, reasons, strict=True)]
    return [with_band(cell, fleet, name) for cell, fleet in zip(cells, fleets, strict=True)]


def note(facts: Facts) -> str:
    """What stands below every table of unit costs."""
    return f"{WHOLE.get(facts.measure, '')} Basis: {facts.basis}."


def cost(facts: Facts, fleet: FleetResult) -> Cell:
    """The headline, with its raw value for machines."""
    return number(facts.cost(fleet), facts.form, facts.unit, reason=why(fleet, facts.measure), raw=True)


def _sum(fleet: FleetResult, name: str) -> float | None:
    values = series(fleet, name)
    return None if values is None else float(np.sum(values))


def compared(facts: Facts) -> Table:
    """All fleets: what they are, what they cost, whether they can do the work."""
    code, job = facts.currency, JOBS.get(facts.kind)
    runs = (f"{code} per {job}",) if job else ()
    costs = (facts.unit, *runs, f"Total cost, {code}", f"Present cost, {code}", f"{code} per GPU-hour")
    what = ("Rank", "Fleet", "Tier, payment", "Model, precision", "Systems")
    heads = (*what, *costs, "Energy, MWh", "Recalled or stale", "Verdict")
    rows = [_option(facts, place, fleet) for place, fleet in enumerate(facts.ordered, 1)]
    marks = ["best" if fleet is facts.best else "" for fleet in facts.ordered]
    return table("All fleets, cheapest first", heads, rows, note=_options_note(facts), marks=marks, style="wide")


def _option(facts: Facts, place: int, fleet: FleetResult) -> list[Cell]:
    energy = _sum(fleet, "energy")
    return [
        Cell(str(place) if fleet.id in facts.result.ranking else NOTHING, "n"),
        head(fleet.id, shortened(fleet.name, 160)),
        Cell(fleet.tier, small=PAYMENTS[fleet.payment]),
        Cell(fleet.model_id or NOTHING, small=fleet.precision or "precision not stated"),
        number(most(fleet, "systems"), plain, reason=why(fleet, "systems")),
        cost(facts, fleet),
        *_run(facts, fleet),
        _raw_line(facts, fleet, "total_cost", money),
        _raw_line(facts, fleet, "present_cost", money),
        _raw_line(facts, fleet, "cost_per_gpu_hour", even(one(each, "cost_per_gpu_hour") for each in facts.ranked)),
        number(None if energy is None else energy / 1000, significant, "MWh", reason=why(fleet, "energy")),
        _shaky(fleet),
        _verdict(facts, fleet),
    ]


def _run(facts: Facts, fleet: FleetResult) -> list[Cell]:
    """The cost of a run, where the work comes in runs."""
    if facts.kind not in JOBS:
        return []
    form = even(run_cost(each) for each in facts.ranked)
    return [number(run_cost(fleet), form, facts.currency, reason=why(fleet, "cost_per_useful_training_step"))]


def _raw_line(facts: Facts, fleet: FleetResult, name: str, form: Form) -> Cell:
    """A headline line, with its raw value for machines."""
    return number(one(fleet, name), form, facts.currency, reason=why(fleet, name), raw=True)


def _verdict(facts: Facts, fleet: FleetResult) -> Cell:
    roles = {"reference": fleet is facts.reference, "unit cost only": fleet.unit_cost_only}
    told = "; ".join(word for word, holds in roles.items() if holds)
    word = "recommended" if fleet is facts.best else fleet.verdict
    return Cell(word, small=told, tone="" if fleet.verdict == "ok" else "bad")


def _options_note(facts: Facts) -> str:
    dashes = " A dash means that the line does not apply, or that the fleet cannot do the work; its title says why."
    shares = " Recalled or stale: share of the present cost behind which such a price stands."
    return f"{note(facts)}{dashes} Systems are the most of any period.{shares}"


SPEED: tuple[tuple[str, str, Form], ...] = (
    ("first_token_time", "First token, s", plain),
    ("per_token_time", "Per token, ms", plain),
    ("gpu_token_rate", "Training tokens/s a GPU", plain),
    ("run_time", "Time of a run, h", plain),
)


def suitability(facts: Facts) -> Table:
    """Which tiers can do this work, computed."""
    measures = [item for item in SPEED if any(item[0] in fleet.model.lines for fleet in facts.result.fleets)]
    speeds = [words for _, words, _ in measures]
    what = ("Tier", "Can it do the work?", "Its best fleet", facts.unit, "Memory of each GPU used")
    heads = (*what, *speeds, "Utilization at the peak")
    tiers = [tier for tier in get_args(Tier) if any(fleet.tier == tier for fleet in facts.result.fleets)]
    rows = [_tier(facts, tier, measures) for tier in tiers]
    targets = {"first_token_target": "s to the first token", "per_token_target": "ms a token"}
    asked = _stated(facts, targets)
    told = f"Asked: at most {listed(asked)}{_meant(facts)}. " if asked else ""
    banded = any(ends(fleet, name) for fleet in facts.result.fleets for name, _, _ in measures)
    small = " In small letters: where eight in ten measurements of such fleets lie." if banded else ""
    return table("Suitability of each tier for this work", heads, rows, note=f"{told}{note(facts)}{small}")


def _meant(facts: Facts) -> str:
    """Whether targets hold for the mean, or for the slowest requests."""
    share = _shared(facts, "target_share")
    if share is None or share >= 1:
        return ", on average over all requests"
    return f" for the slowest requests: on average at most {percent(share, 0)} of it"


def _stated(facts: Facts, names: dict[str, str]) -> list[str]:
    """Those of the inputs that are given, with their words."""
    return [f"{plain(value)} {words}" for name, words in names.items() if (value := _shared(facts, name)) is not None]


def _shared(facts: Facts, name: str) -> float | None:
    return next((value for fleet in facts.result.fleets if (value := given(fleet, name)) is not None), None)


def _tier(facts: Facts, tier: str, measures: list[tuple[str, str, Form]]) -> list[Cell]:
    fleets = [fleet for fleet in facts.ordered if fleet.tier == tier]
    able = [fleet for fleet in fleets if fleet.verdict == "ok"]
    first = fleets[0]
    share_able = f"yes, {len(able)} of {counted(len(fleets), 'fleet')}"
    verdict = share_able if able else f"no: {first.verdict}"
    used = None if first.verdict == "not supported" else first.raw("memory_per_gpu")
    device = first.raw("device_memory")
    usable = given(first, "gpu_memory") if device is None else float(np.max(device))
    share = float(np.max(used)) / usable if used is not None and usable else None
    return [
        head(tier),
        Cell(verdict, tone="" if able else "bad"),
        Cell(first.id),
        cost(facts, first),
        number(share, lambda value: percent(value, 0), reason=why(first, "memory_per_gpu")),
        *(
            with_band(number(one(first, name), form, reason=why(first, name)), first, name)
            for name, _, form in measures
        ),
        number(most(first, "peak_utilization"), lambda value: percent(value, 0), reason=why(first, "peak_utilization")),
    ]


PLACE: tuple[tuple[str, str, Callable[[FleetResult, str], float | None], float], ...] = (
    ("highest_nameplate_power", "Nameplate, kW", most, 1),
    ("peak_facility_power", "Highest peak, kW", most, 1),
    ("facility_power", "Highest mean, kW", most, 1),
    ("most_racks", "Racks", most, 1),
    ("energy", "Energy, MWh", _sum, 1000),
    ("carbon", "Carbon, t CO2e", _sum, 1),
    ("water", "Water, m³", _sum, 1),
)


def site(facts: Facts) -> Table | None:
    """Power, racks, energy and carbon of the fleets that stand somewhere."""
    fleets = [fleet for fleet in facts.ordered if series(fleet, "energy") is not None]
    columns = [item for item in PLACE if any(item[2](fleet, item[0]) is not None for fleet in fleets)]
    if not fleets:
        return None
    rows = [
        [head(fleet.id), *(_placed(fleet, name, take, scale) for name, _, take, scale in columns), Cell(fleet.verdict)]
        for fleet in fleets
    ]
    stated = _stated(facts, {"power_limit": "kW", "rack_limit": "racks"})
    told = f"The site takes at most {listed(stated)}." if stated else "The scenario states no limit of the site."
    heads = ("Fleet", *(words for _, words, _, _ in columns), "Verdict")
    sums = "Energy, carbon and water are sums over the horizon"
    others = "rented fleets and APIs draw their power elsewhere; neither they nor fleets that cannot run are listed"
    words = f"{told} {sums}; {others}."
    return table("Site and power", heads, rows, note=words)


def _placed(fleet: FleetResult, name: str, take: Callable[[FleetResult, str], float | None], scale: float) -> Cell:
    value = take(fleet, name)
    return number(
        None if value is None else value / scale,
        plain if name == "most_racks" else significant,
        reason=why(fleet, name),
    )
