"""Gathering: every figure of a fleet from scenario, catalogue and defaults, in the model's units."""

from __future__ import annotations

import functools
import math
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Any

from tco.declare import Chapter, Given, Line
from tco.errors import UnitError, did_you_mean
from tco.figures import Figure
from tco.scenario.leaf import Leaf
from tco.scenario.paths import Path
from tco.scenario.problems import Problems
from tco.scenario.rate_paths import keep
from tco.scenario.schema import Fleet, Scenario
from tco.scenario.walk import all_leaves, leaves
from tco.timeline import MONTHS
from tco.units import convert, currencies_in, in_money

STAMPS = {"hidden_size": "element/token", "vocabulary": "element/token"}
"""Plain numbers of the catalogue that carry a unit in the model."""

KEPT_AS_GIVEN = ("fleets", "pin", "fx")


@dataclass
class Found:
    """Figures by input name, with where each stands in the scenario (empty for the catalogue and defaults)."""

    figures: dict[str, Figure] = field(default_factory=dict[str, Figure])
    paths: dict[str, Path] = field(default_factory=dict[str, Path])
    shared: set[str] = field(default_factory=set[str])

    def put(self, name: str, figure: Figure, path: Path = (), *, shared: bool = False) -> None:
        """Set a figure; a later one wins."""
        self.figures[name] = figure
        self.paths[name] = path
        (self.shared.add if shared else self.shared.discard)(name)

    def put_new(self, name: str, figure: Figure, *, shared: bool = False) -> None:
        """Set a figure unless there is one."""
        if name not in self.figures:
            self.put(name, figure, shared=shared)

    def copy(self) -> Found:
        """The same figures, to add to."""
        return Found(dict(self.figures), dict(self.paths), set(self.shared))

    def drop(self, *names: str) -> None:
        """Take figures out."""
        for name in names:
            self.figures.pop(name, None)
            self.shared.discard(name)


def derived(value: float, unit: str, source: str, as_of: str = "") -> Figure:
    """A figure that follows from what was stated."""
    return Figure(value, unit, as_of=as_of, source=source, status="derived", origin="derived")


def flag(value: bool, note: str) -> Figure:
    """A choice that is 1 or 0, with its reason."""
    return replace(derived(float(value), "", note), origin="choice")


def dated(figure: Figure, scenario: Scenario) -> Figure:
    """A figure of the scenario carries the scenario's date unless it has its own."""
    return figure if figure.as_of else replace(figure, as_of=scenario.as_of)


def of_scenario(scenario: Scenario) -> Found:
    """What the scenario states for all fleets."""
    found = Found()
    for path, leaf, figure in leaves(scenario):
        if path[0] in KEPT_AS_GIVEN:
            continue
        name = str(path[1]) if path[0] == "inputs" else leaf.feeds
        if name:
            found.put(name, dated(figure, scenario), path, shared=True)
    return found


def of_fleet(found: Found, scenario: Scenario, fleet: Fleet, path: Path) -> None:
    """What the fleet states for itself; it wins over the scenario."""
    for inside, leaf, figure in leaves(fleet):
        name = str(inside[1]) if inside[0] == "inputs" else leaf.feeds
        if name and inside[0] != "measured":
            found.put(name, dated(figure, scenario), (*path, *inside))


def of_defaults(found: Found, chapters: Iterable[Chapter], as_of: str) -> None:
    """Accepted conventions for what nobody stated, each listed as a default.

    An optional group gets its defaults only when something of it is stated.
    """
    parts = list(chapters)
    in_scope = {item.scope for part in parts for name, item in part.givens.items() if name in found.figures} | {""}
    for part in parts:
        for name, item in part.givens.items():
            if item.default is not None and item.scope in in_scope and name not in found.figures:
                story = Figure(
                    item.default, item.unit, as_of=as_of, source=item.reason, status="default", origin="default"
                )
                found.put(name, story, shared=True)


@dataclass
class Fitted:
    """Figures in the units of the model; foreign prices with the lines that convert them."""

    figures: dict[str, Figure]
    extra: list[Line]
    extra_givens: dict[str, Given]


def fit(found: Found, chapters: Iterable[Chapter], scenario: Scenario, problems: Problems, path: Path) -> Fitted:
    """Convert what the chapters take; add a problem for each figure that cannot be what it should be."""
    fitted = Fitted({}, [], {})
    for part in chapters:
        for name, item in part.givens.items():
            if name in found.figures and not item.frame:
                _fit_one(name, item, found, scenario, problems, path, fitted)
    return fitted


def _fit_one(
    name: str, item: Given, found: Found, scenario: Scenario, problems: Problems, path: Path, fitted: Fitted
) -> None:
    figure, place = found.figures[name], found.paths.get(name) or path
    if name in STAMPS and figure.unit == "":
        figure = replace(figure, unit=STAMPS[name])
    if item.unit == "1/yr" and figure.unit == "%":
        figure = replace(figure, unit="%/yr")
    figure = spread(name, figure, scenario)
    try:
        foreign = currencies_in(figure.unit) - {scenario.currency}
        if foreign:
            _convert_currency(name, item, figure, sorted(foreign)[0], scenario, problems, place, fitted)
            return
        inland = in_money(figure.unit)
        value = (figure if inland == figure.unit else replace(figure, unit=inland)).to(item.unit)
    except UnitError as error:
        problems.add(place, f"{name}: {error}; wanted `… {item.unit.replace('money', scenario.currency)}`")
        return
    if _shaped(name, value, item, scenario, problems, place) and _bounded(name, value, item, problems, place):
        keep(name, value, item, scenario, problems, place, fitted)


def _bounded(name: str, figure: Figure, item: Given, problems: Problems, place: Path) -> bool:
    numbers = figure.value if isinstance(figure.value, tuple) else (figure.value,)
    flat = [number[1] if isinstance(number, tuple) else number for number in numbers]
    low, high = (
        item.minimum if item.minimum is not None else -math.inf,
        item.maximum if item.maximum is not None else math.inf,
    )
    if place and place[-1] == name and "inputs" in place:
        problem = next(filter(None, (_unlike_the_schema(name, number, item) for number in flat)), "")
        if problem:
            problems.add(place, f"{name} ({item.label}) {problem}")
            return False
    outside = [number for number in flat if not low <= number <= high]
    if outside:
        limits = f"from {low:g} to {high:g}" if math.isfinite(high) else f"at least {low:g}"
        told = item.unit or "a plain number"
        problems.add(place, f"{name} ({item.label}) is {f'{outside[0]:g} {item.unit}'.strip()}; wanted {told} {limits}")
    return not outside


COUNTS = {"gpus_per_system": 1e4, "gpus_per_replica": 1e4, "concurrency": 1e6, "shard_gpus": 1e7, "layers": 1e6}
"""Inputs that are whole numbers, with the largest that anything has."""


def _unlike_the_schema(name: str, number: float, item: Given) -> str:
    """Why a number given under `inputs:` would be refused at its own place, or a count that is none."""
    if name in COUNTS and (number != round(number) or number > COUNTS[name]):
        return f"is {number:g}; wanted a whole number up to {COUNTS[name]:,.0f}"
    if item.choice and item.unit == "" and number not in (0, 1):
        return f"is {number:g}; wanted 0 or 1"
    leaf = _leaves_by_name().get(name)
    return leaf.outside(number, item.unit) if leaf else ""


@functools.cache
def _leaves_by_name() -> dict[str, Leaf]:
    return {leaf.feeds: leaf for _, leaf in all_leaves(Scenario) if leaf.feeds}


def _shaped(name: str, figure: Figure, item: Given, scenario: Scenario, problems: Problems, place: Path) -> bool:
    """One number, one a period, or a table, as the input is read."""
    if figure.is_table != (item.shape == "table"):
        wanted = "a table by age; state it at its own place" if item.shape == "table" else "a number"
        problems.add(place, f"{name} ({item.label}) is {'a table' if figure.is_table else 'no table'}; wanted {wanted}")
        return False
    periods = periods_of(scenario)
    if not figure.is_one and not figure.is_table and len(figure.series) != periods:
        leaf = _leaves_by_name().get(name)
        path = ", or for each year" if leaf and leaf.series else ""
        told = f"{len(figure.series)} values for {periods} periods; state one for each{path}"
        problems.add(place, f"{name} ({item.label}) has {told}")
        return False
    return True


def spread(name: str, figure: Figure, scenario: Scenario) -> Figure:
    """Of what is stated as a path, one value a year of the timeline holds in every period of its year."""
    leaf = _leaves_by_name().get(name)
    periods, given = periods_of(scenario), figure.series if leaf and leaf.series else ()
    a_year = 12 // MONTHS[scenario.timeline.step]
    if not given or len(given) == periods or len(given) * a_year != periods:
        return figure
    told = f"one value a year, the first from {scenario.timeline.start}"
    value = tuple(number for number in given for _ in range(a_year))
    return replace(figure, value=value, note=f"{figure.note}; {told}" if figure.note else told)


def periods_of(scenario: Scenario) -> int:
    """How many periods the timeline has."""
    horizon = scenario.timeline.horizon
    months = convert(horizon.number, horizon.unit, "month")
    return max(round(months / MONTHS[scenario.timeline.step]), 1)


def _convert_currency(
    name: str,
    item: Given,
    figure: Figure,
    currency: str,
    scenario: Scenario,
    problems: Problems,
    place: Path,
    fitted: Fitted,
) -> None:
    """A foreign price becomes two inputs and a line, so that the rate stays live."""
    rate = scenario.fx.get(currency)
    wanted = f"{scenario.currency}/{currency}"
    if rate is None:
        problems.add(
            place,
            f"{name} is in {currency}, the scenario in {scenario.currency}; state `fx: {{{currency}: … {wanted}}}`",
        )
        return
    quoted, rate_name, rate_unit = f"{name}_quoted", f"{currency.lower()}_rate", f"money/{currency}"
    quoted_unit = item.unit.replace("money", currency)
    price = figure.to(quoted_unit)
    if not _shaped(name, price, item, scenario, problems, place):
        return
    if price.is_table and not rate.is_one:
        problems.add(place, f"{name} is a table of prices in {currency}, which takes one rate, not one for each period")
        return
    if not _bounded(name, price, item, problems, place):
        return
    fitted.figures[quoted] = price
    fitted.figures[rate_name] = replace(dated(rate, scenario), unit=rate_unit)
    fitted.extra_givens[quoted] = Given(
        quoted_unit, f"{item.label}, quoted", name=quoted, chapter="currencies", scope=item.scope
    )
    fitted.extra_givens[rate_name] = Given(
        rate_unit, f"{scenario.currency} for one {currency}", name=rate_name, chapter="currencies", minimum=0
    )

    def converted(**operands: Any) -> Any:
        return operands[quoted] * operands[rate_name]

    fitted.extra.append(
        Line(
            name,
            item.unit,
            item.label,
            converted,
            (quoted, rate_name),
            doc="The quoted price at the scenario's rate.",
            chapter="currencies",
            place="currencies",
        )
    )


def check_names(found: Found, given: set[str], known: set[str], problems: Problems) -> None:
    """Names under `inputs:` must be inputs of the model, and those of a fleet must be used by it."""
    for name, path in found.paths.items():
        if "inputs" not in path:
            continue
        if name not in known:
            advice = did_you_mean(name, known) or "; `tco explain FILE` lists them"
            problems.add(path, f"`{name}` is not an input of the model{advice}", key=True)
        elif name not in given and path[0] == "fleets":
            problems.add(path, f"`{name}` is not used by this fleet", key=True)
