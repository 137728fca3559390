"""Candidates of a mix: each fleet's own cost and capacity in proportion to its systems and its load, by the engine."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from tco.analysis.serving import Alone, served_alone
from tco.figures import Figure
from tco.mix.moments import Array, Moment, moments, standing
from tco.mix.probes import COST, Probes, Row
from tco.scenario.assembly import assemble
from tco.scenario.gather import periods_of
from tco.scenario.mix_checks import check_mix
from tco.scenario.mix_schema import Mix
from tco.scenario.plan import Plan
from tco.scenario.problems import Problems
from tco.scenario.schema import Fleet, Scenario
from tco.scenario.serves import check_classes, classes_of
from tco.session import Scenario as Loaded
from tco.timeline import Timeline

HALF = 0.5
"""Load of the system on which the cost of load is probed."""

SCALES = (1.0, 3.0, 50.0)
NEAR = 1e-9


@dataclass(frozen=True)
class Cohort:
    """One system that is added in a moment: where it stands and works, what it costs and takes until it leaves."""

    start: int
    standing: Array
    working: Array
    cost: float
    capital: Array
    power: Array
    carbon: float


@dataclass(frozen=True)
class Load:
    """All requests of a class in a moment: the systems that they keep busy at the peak, and what they cost."""

    systems: Array
    cost: float
    carbon: float
    requests: Array
    tokens: Array


@dataclass
class Candidate:
    """A fleet that may take part. `cohorts` and `loads` are by moment, `loads` by class first."""

    plan: Plan
    alone: dict[str, Alone]
    fixed: float = 0.0
    cohorts: dict[int, Cohort] = field(default_factory=dict[int, Cohort])
    loads: dict[tuple[str, int], Load] = field(default_factory=dict[tuple[str, int], Load])
    place_cost: Array = field(default_factory=lambda: np.zeros(0))
    place_capital: Array = field(default_factory=lambda: np.zeros(0))
    systems_per_rack: float = 0.0
    gpus_per_system: float = 0.0
    there: float | None = None
    refused: str = ""

    @property
    def id(self) -> str:
        """The fleet's id."""
        return self.plan.id

    @property
    def counted(self) -> bool:
        """Whether it consists of systems; an API does not."""
        return self.plan.payment != "api"

    def limit(self, name: str) -> float | None:
        """A limit that the fleet itself states, as one number."""
        figure = self.plan.figures.get(name)
        return figure.number if figure is not None and figure.is_one else None


@dataclass
class Question:
    """All that a mix is about: scenario, moments, classes, candidates."""

    loaded: Loaded
    mix: Mix
    timeline: Timeline
    moments: list[Moment]
    classes: list[str]
    weights: dict[str, float]
    candidates: list[Candidate]

    @property
    def a_year(self) -> int:
        """Periods in a year."""
        return max(12 // self.timeline.months_per_period, 1)

    @property
    def scenario(self) -> Scenario:
        """The scenario's sections."""
        return self.loaded.content


def question(loaded: Loaded) -> Question:
    """Every candidate, probed. Raises ScenarioError with every problem."""
    scenario = loaded.content
    mix = scenario.mix or Mix()
    problems = Problems(loaded.document)
    check_mix(scenario.model_copy(update={"mix": mix}), problems)
    check_classes(scenario, problems)
    problems.stop()
    served = classes_of(scenario)
    wanted = set(mix.fleets or [fleet.id for fleet in scenario.fleets])
    names, one_each = [one.name for one in served], Figure((1.0,) * periods_of(scenario), "system")
    opened = tuple(_open(fleet, names, one_each) if fleet.id in wanted else fleet for fleet in scenario.fleets)
    plans, timeline = assemble(
        loaded.document, scenario.model_copy(update={"fleets": opened, "mix": None}), loaded.catalogue
    )
    when = moments(timeline, mix.decide)
    asked = Question(
        loaded, mix, timeline, when, [one.name for one in served], {one.name: one.weight for one in served}, []
    )
    counts = {fleet.id: fleet.count for fleet in scenario.fleets}
    for plan in (one for one in plans if one.id in wanted):
        asked.candidates.append(_candidate(plan, counts[plan.id], asked, problems))
    problems.stop()
    return asked


def _open(fleet: Fleet, names: list[str], count: Figure) -> Fleet:
    """The fleet with as many systems and as much of each class as the plan will say."""
    whole = dict.fromkeys(names, Figure(1.0, ""))
    return fleet.model_copy(update={"serves": whole, **({} if fleet.api else {"count": count})})


def _candidate(plan: Plan, count: Figure | None, asked: Question, problems: Problems) -> Candidate:
    found = {name: served_alone(one, asked.timeline, problems) for name, one in plan.by_class.items()}
    found |= {name: Alone(rate) for name, rate in plan.class_rates.items()}
    made = Candidate(plan, found, there=count.number if count else None)
    if plan.asked is not None:
        told = "a tariff that is billed hour by hour is not in proportion to systems and load"
        problems.add((*plan.path,), f"{told}; state `electricity: {{price: …, demand_charge: …}}` for a mix")
        return made
    if asked.mix.carbon and made.counted and plan.payment != "rent" and "carbon_intensity" not in plan.figures:
        told = f"carbon of {plan.id} is not known, so that no limit can be kept; state `electricity.carbon_intensity`"
        problems.add(("mix", "carbon"), told)
    rates = {name: one.rate for name, one in found.items() if one.verdict == "ok"}
    if not rates:
        made.refused = "no class of requests runs on it"
        return made
    probes = Probes(plan, asked.timeline, rates)
    if crooked := _out_of_proportion(made, probes, asked):
        told = f"not in proportion to systems and load, so that no mix can be planned with it: {', '.join(crooked)}"
        problems.add(plan.path, f"{told}; leave out what makes it so, or leave the fleet out of `mix.fleets`")
        return made
    (_with_systems if made.counted else _with_tokens)(made, probes, asked)
    return made


def _with_tokens(made: Candidate, probes: Probes, asked: Question) -> None:
    """An API: requests and nothing else."""
    none = np.zeros(asked.timeline.periods)
    keys, rows = _load_rows(probes, asked, none, dict.fromkeys(probes.classes, 1.0))
    found = probes([Row(none), *rows])
    made.fixed = float(found[COST][0, 0])
    for at, (name, index, _) in enumerate(keys, 1):
        cost = float(found[COST][at, 0]) - made.fixed
        made.loads[name, index] = Load(
            none, cost, 0.0, _line(found, "request_rate", at), _line(found, "token_rate", at)
        )


def _line(found: Mapping[str, Array], name: str, row: int, base: int | None = None) -> Array:
    """A line of a row, less that of another; nothing where the fleet lacks the line."""
    if name not in found:
        return np.zeros(1)
    return found[name][row] - (0.0 if base is None else found[name][base])


def _load_rows(
    probes: Probes, asked: Question, count: Array, shares: Mapping[str, float]
) -> tuple[list[tuple[str, int, float]], list[Row]]:
    """For each class and moment a row with so much of it."""
    keys = [(name, index, shares[name]) for name in probes.classes for index in range(len(asked.moments))]
    masks = [one.mask(asked.timeline.periods) for one in asked.moments]
    return keys, [Row(count, name, masks[index] * share) for name, index, share in keys]


def _with_systems(made: Candidate, probes: Probes, asked: Question) -> None:
    """Systems by the moment in which they are added, load by class and moment."""
    periods = asked.timeline.periods
    none, ones = np.zeros(periods), np.ones(periods)
    first = probes([Row(none), Row(ones), *(Row(ones, name, ones) for name in probes.classes)])
    made.fixed = float(first[COST][0, 0])
    exceeded = [name for name in ("rack_power_exceeded", "cooling_exceeded") if np.any(_line(first, name, 1))]
    if exceeded:
        made.refused = probes.model.lines[exceeded[0]].label.replace(" (flag)", "").lower()
        return
    made.systems_per_rack = float(_line(first, "systems_per_rack", 1)[0])
    made.gpus_per_system = float(np.max(_line(first, "gpus", 1)))
    _add_cohorts(made, probes, asked, first)
    busy = {name: first["peak_load"][row] / first["usable_rate"][row] for row, name in enumerate(probes.classes, 2)}
    shares = {name: HALF / float(np.max(peak)) if np.max(peak) > 0 else 0.0 for name, peak in busy.items()}
    keys, rows = _load_rows(probes, asked, ones, shares)
    found = probes([Row(ones), *rows])
    for at, (name, index, share) in enumerate(keys, 1):
        cost = (float(found[COST][at, 0]) - float(found[COST][0, 0])) / share if share else 0.0
        carbon = float(np.sum(_line(found, "carbon_footprint", at, 0))) / share if share else 0.0
        mask = asked.moments[index].mask(periods)
        made.loads[name, index] = Load(busy[name] * mask, cost, carbon, np.zeros(1), np.zeros(1))


def _add_cohorts(made: Candidate, probes: Probes, asked: Question, first: Mapping[str, Array]) -> None:
    periods = asked.timeline.periods
    life = round(float(first["life_periods"][0, 0])) if "life_periods" in first else None
    lead = round(float(first["lead_periods"][0, 0])) if "lead_periods" in first else 0
    stands = {index: standing(one, periods, life, lead) for index, one in enumerate(asked.moments)}
    there = {index: row for index, row in stands.items() if row is not None}
    none, units = np.zeros(periods), np.eye(periods)
    places = [Row(none, new=unit) for unit in units] if probes.places else []
    found = probes([Row(none), *(Row(row) for row in there.values()), *places])
    for at, (index, row) in enumerate(there.items(), 1):
        capital, power = (_line(found, name, at, 0) for name in ("capital_cost", "nameplate_power"))
        cost, carbon = float(_line(found, COST, at, 0)[0]), float(np.sum(_line(found, "carbon_footprint", at, 0)))
        working = _line(found, "working_systems", at)
        made.cohorts[index] = Cohort(int(np.argmax(row)), row, working, cost, capital, power, carbon)
    start = 1 + len(there)
    rows = range(start, start + len(places))
    made.place_cost = np.array([float(_line(found, COST, at, 0)[0]) for at in rows])
    made.place_capital = np.array([float(np.sum(_line(found, "capital_cost", at, 0))) for at in rows])


def _out_of_proportion(made: Candidate, probes: Probes, asked: Question) -> list[str]:
    """Three times the systems with three times the load cost three times as much; else the lines that do not."""
    ones, name = np.ones(asked.timeline.periods), probes.spare
    load = probes([Row(ones, name, ones)], ["peak_load", "usable_rate"])
    peak = float(np.max(load["peak_load"] / load["usable_rate"])) if made.counted else 1.0
    share = HALF / peak if peak else 0.0
    rows = [Row(ones * 0), *(Row(ones * scale, name, ones * share * scale) for scale in SCALES)]
    moments_ = ("paid_at_start", "paid_through", "paid_at_end")
    lines = [one for one, item in probes.model.lines.items() if set(item.part_of) & set(moments_)]
    found = probes(rows, [COST, *lines])
    crooked = [one for one in (COST, *lines) if one in found and not _in_proportion(found[one])]
    labels = [probes.model.lines[one].label for one in crooked if one != COST]
    return (labels or ["its cost"]) if COST in crooked else []


def _in_proportion(rows: Array) -> bool:
    steps = [(rows[at] - rows[0]) / scale for at, scale in enumerate(SCALES, 1)]
    size = max(float(np.max(np.abs(one))) for one in steps)
    return all(float(np.max(np.abs(one - steps[0]))) <= NEAR * max(size, 1e-300) for one in steps)
