"""The integer program of a mix: whole systems by moment, shares of classes, and what all together may take."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace

import numpy as np

from tco.figures import Figure
from tco.mix.candidates import Candidate, Question
from tco.mix.columns import Columns, Rows
from tco.mix.moments import Array
from tco.units import in_money

SYSTEMS, MOST, RACKS, SHARE, USED = "systems", "most", "racks", "share", "used"
POWER, RACK_LIMIT, BUDGET, YEARLY, CARBON, LARGEST = (
    "power", "racks", "budget", "yearly budget", "carbon", "largest share",
)  # fmt: skip
UNITS = {POWER: "kW", RACK_LIMIT: "rack", BUDGET: "money", YEARLY: "money", CARBON: "tCO2e", LARGEST: "%"}


@dataclass
class Program:
    """Columns and rows; `values` of each limit by moment (one number where it holds for the horizon)."""

    asked: Question
    columns: Columns = field(default_factory=Columns)
    rows: Rows = field(default_factory=Rows)
    values: dict[str, list[float]] = field(default_factory=dict[str, list[float]])
    units: dict[str, str] = field(default_factory=dict[str, str])

    def at(self, *key: object) -> int | None:
        """The place of a column, None where there is none."""
        return self.columns.places.get(key)


def build(asked: Question) -> Program:
    """Everything, fleets in the order of the scenario: among equals the earlier one."""
    made = Program(asked)
    able = [one for one in asked.candidates if not one.refused]
    for one in able:
        _columns(made, one)
    for name in asked.classes:
        for index in range(len(asked.moments)):
            shares = [made.at(SHARE, one.id, name, index) for one in able]
            made.rows.add(
                {place: 1.0 for place in shares if place is not None}, 1.0, 1.0, where=f"served {index} {name}"
            )
    for one in able:
        _capacity(made, one)
        _use(made, one)
        _own_limits(made, one)
    _limits(made, able)
    return made


def _columns(made: Program, one: Candidate) -> None:
    """Unknowns of a fleet."""
    asked, mix = made.asked, made.asked.mix
    high = most_systems(one, asked)
    for index, cohort in one.cohorts.items():
        allowed = high if one.there is None else one.there if index == min(one.cohorts) else 0.0
        made.columns.add((SYSTEMS, one.id, index), cost=cohort.cost, high=allowed, whole=True)
    if np.any(one.place_cost):
        for index in one.cohorts:
            made.columns.add((MOST, one.id, index), high=high * max(len(one.cohorts), 1))
    for (name, index), load in one.loads.items():
        made.columns.add((SHARE, one.id, name, index), cost=load.cost, high=1.0, whole=not mix.split)
    if one.fixed:
        made.columns.add((USED, one.id), cost=one.fixed, high=1.0, whole=True)


def most_systems(one: Candidate, asked: Question) -> float:
    """As many as would serve everything alone, and one more."""
    busy = np.zeros(asked.timeline.periods)
    for load in one.loads.values():
        busy = busy + load.systems
    working = [cohort.working[cohort.working > 0] for cohort in one.cohorts.values()]
    least = min((float(np.min(part)) for part in working if part.size), default=1.0)
    return math.ceil(float(np.max(busy, initial=0.0)) / min(least, 1.0)) + 1.0


def standing_terms(made: Program, one: Candidate, period: int) -> dict[int, float]:
    """Systems of a fleet that stand in a period."""
    return {
        place: float(cohort.standing[period])
        for index, cohort in one.cohorts.items()
        if (place := made.at(SYSTEMS, one.id, index)) is not None
    }


def _capacity(made: Program, one: Candidate) -> None:
    """The peak of every period is carried by the systems that work in it."""
    if not one.counted:
        _rate_limits(made, one)
        return
    for index, moment in enumerate(made.asked.moments):
        for period in range(moment.first, moment.end):
            terms = {
                place: float(load.systems[period])
                for (name, at), load in one.loads.items()
                if at == index and (place := made.at(SHARE, one.id, name, index)) is not None
            }
            for begun, cohort in one.cohorts.items():
                place = made.at(SYSTEMS, one.id, begun)
                if place is not None:
                    terms[place] = -float(cohort.working[period])
            made.rows.add(terms, -np.inf, 0.0, where=f"capacity {one.id}")


def _rate_limits(made: Program, one: Candidate) -> None:
    """What a provider takes in a minute."""
    for limit, name in (("request_limit", "requests"), ("token_limit", "tokens")):
        stated = one.limit(limit)
        for index, moment in enumerate(made.asked.moments if stated else ()):
            for period in range(moment.first, moment.end):
                terms = {
                    place: float(getattr(load, name)[period])
                    for (class_name, at), load in one.loads.items()
                    if at == index and (place := made.at(SHARE, one.id, class_name, index)) is not None
                }
                made.rows.add(terms, -np.inf, stated or 0.0, scale=stated or 1.0, where=f"{limit} {one.id}")


def _use(made: Program, one: Candidate) -> None:
    """Costs of being there at all; places for the most systems there ever were."""
    used = made.at(USED, one.id)
    kinds = (SYSTEMS,) if one.counted else (SHARE,)
    places = [place for key, place in made.columns.places.items() if key[0] in kinds and key[1] == one.id]
    if used is not None:
        for place in places:
            made.rows.add({place: 1.0, used: -made.columns.high[place]}, -np.inf, 0.0)
        if one.fixed < 0:
            made.rows.add({used: 1.0, **dict.fromkeys(places, -1.0)}, -np.inf, 0.0)
    before: int | None = None
    for index, cohort in one.cohorts.items():
        most = made.at(MOST, one.id, index)
        if most is None:
            continue
        made.rows.add({**standing_terms(made, one, cohort.start), most: -1.0}, -np.inf, 0.0)
        price = float(one.place_cost[cohort.start])
        made.columns.cost[most] += price
        if before is not None:
            made.rows.add({before: 1.0, most: -1.0}, -np.inf, 0.0)
            made.columns.cost[before] -= price
        before = most


def _own_limits(made: Program, one: Candidate) -> None:
    """GPUs that can be had, and systems that can be added in a year."""
    if supply := made.asked.mix.supply.get(one.id):
        limit, a_year = f"supply of {one.id}", made.asked.a_year
        allowed = by_year(supply, made.asked, "system")
        made.values[limit], made.units[limit] = allowed, "system"
        for year, most in enumerate(allowed):
            begun = [at for at, moment in enumerate(made.asked.moments) if moment.first // a_year == year]
            places = [made.at(SYSTEMS, one.id, index) for index in begun]
            made.rows.add({place: 1.0 for place in places if place is not None}, -np.inf, most, limit)
    gpus = one.limit("gpu_supply")
    if gpus is not None and one.gpus_per_system:
        limit = f"GPUs of {one.id}"
        made.values[limit], made.units[limit] = [gpus], "gpu"
        for cohort in one.cohorts.values():
            terms = standing_terms(made, one, cohort.start)
            made.rows.add({place: term * one.gpus_per_system for place, term in terms.items()}, -np.inf, gpus, limit)


def by_year(figure: Figure, asked: Question, unit: str) -> list[float]:
    """A limit for each year, of one that is stated once or by year."""
    whole = figure.to(unit)
    return list(whole.series) or [whole.number] * math.ceil(asked.timeline.periods / asked.a_year)


def by_moment(figure: Figure, asked: Question, unit: str) -> list[float]:
    """A limit for each moment, of one that is stated once, by year, by moment or by period."""
    whole = figure.to(unit)
    if whole.is_one:
        return [whole.number] * len(asked.moments)
    values, periods = list(whole.series), asked.timeline.periods
    if len(values) == periods:
        return [min(values[one.first : one.end]) for one in asked.moments]
    return [values[one.first // asked.a_year] for one in asked.moments]


def _limits(made: Program, able: list[Candidate]) -> None:
    asked, mix, site = made.asked, made.asked.mix, made.asked.scenario.site
    power = mix.power or (site.power_limit if site else None)
    racks = mix.racks or (site.rack_limit if site else None)
    budget = mix.budget or (site.budget if site else None)
    if power:
        _by_period(made, able, POWER, by_moment(power, asked, "kW"))
    if racks:
        _racks(made, able, by_moment(racks, asked, "rack"))
    if budget:
        whole = in_scenario_money(budget).number
        made.rows.add(capital_terms(made, able, None), -np.inf, whole, BUDGET, whole, "over the horizon")
        made.values[BUDGET], made.units[BUDGET] = [whole], asked.scenario.currency
    if mix.yearly_budget:
        _yearly(made, able, mix.yearly_budget)
    if mix.carbon:
        whole = mix.carbon.to("tCO2e").number
        made.rows.add(carbon_terms(made, able), -np.inf, whole, CARBON, whole or 1.0, "over the horizon")
        made.values[CARBON], made.units[CARBON] = [whole], "tCO2e"
    if mix.largest_share:
        _largest(made, able, mix.largest_share.to("").number)


def in_scenario_money(figure: Figure) -> Figure:
    """An amount in the scenario's currency as a plain number of it."""
    return replace(figure, unit=in_money(figure.unit)).to("money" if "yr" not in figure.unit else "money/yr")


def _by_period(made: Program, able: list[Candidate], limit: str, values: list[float]) -> None:
    """Power of all fleets at nameplate."""
    made.values[limit], made.units[limit] = values, UNITS[limit]
    for index, moment in enumerate(made.asked.moments):
        for period in range(moment.first, moment.end):
            terms = {
                place: float(cohort.power[period])
                for one in able
                for begun, cohort in one.cohorts.items()
                if cohort.power.size > 1 and (place := made.at(SYSTEMS, one.id, begun)) is not None
            }
            made.rows.add(terms, -np.inf, values[index], limit, values[index] or 1.0, moment.label)


def _racks(made: Program, able: list[Candidate], values: list[float]) -> None:
    """Whole racks of each fleet."""
    made.values[RACK_LIMIT], made.units[RACK_LIMIT] = values, "rack"
    for index, moment in enumerate(made.asked.moments):
        places = list[int]()
        for one in (one for one in able if one.systems_per_rack):
            place = made.columns.add((RACKS, one.id, index), whole=True)
            places.append(place)
            for period in range(moment.first, moment.end):
                terms = standing_terms(made, one, period)
                made.rows.add({**terms, place: -one.systems_per_rack}, -np.inf, 0.0)
        made.rows.add(dict.fromkeys(places, 1.0), -np.inf, values[index], RACK_LIMIT, 1.0, moment.label)


def capital_terms(made: Program, able: list[Candidate], years: Array | None) -> dict[int, float]:
    """Capital by column, of the periods that are marked; places are paid for as the most systems rise."""
    mask = np.ones(made.asked.timeline.periods) if years is None else years
    found = dict[int, float]()
    for one in able:
        before: int | None = None
        for index, cohort in one.cohorts.items():
            place, most = made.at(SYSTEMS, one.id, index), made.at(MOST, one.id, index)
            if place is not None:
                found[place] = float(np.sum(cohort.capital * mask)) if cohort.capital.size > 1 else 0.0
            if most is not None:
                price = float(one.place_capital[cohort.start] * mask[cohort.start])
                found[most] = price
                if before is not None:
                    found[before] -= price
                before = most
    return found


def _yearly(made: Program, able: list[Candidate], budget: Figure) -> None:
    asked = made.asked
    a_year, each = asked.a_year, by_year(in_scenario_money(budget), asked, "money/yr")
    made.values[YEARLY], made.units[YEARLY] = each, asked.scenario.currency
    for year, allowed in enumerate(each):
        mask = np.zeros(asked.timeline.periods)
        mask[year * a_year : (year + 1) * a_year] = 1.0
        terms = capital_terms(made, able, mask)
        made.rows.add(terms, -np.inf, allowed, YEARLY, allowed or 1.0, f"year {year + 1}")


def carbon_terms(made: Program, able: list[Candidate]) -> dict[int, float]:
    """Carbon by column: of systems that idle, and of the load."""
    found = dict[int, float]()
    for one in able:
        for index, cohort in one.cohorts.items():
            if (place := made.at(SYSTEMS, one.id, index)) is not None:
                found[place] = cohort.carbon
        for (name, index), load in one.loads.items():
            if (place := made.at(SHARE, one.id, name, index)) is not None:
                found[place] = load.carbon
    return found


def _largest(made: Program, able: list[Candidate], share: float) -> None:
    """No fleet takes more of the requests."""
    asked = made.asked
    made.values[LARGEST], made.units[LARGEST] = [share * 100], "%"
    for one in able:
        for index, moment in enumerate(asked.moments):
            terms = {
                place: 100 * asked.weights[name]
                for name in asked.classes
                if (place := made.at(SHARE, one.id, name, index)) is not None
            }
            made.rows.add(terms, -np.inf, 100 * share, LARGEST, 100.0, moment.label)
