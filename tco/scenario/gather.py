"""Gathering: every figure of a fleet from scenario, catalogue and defaults, in the model's units."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from tco.declare import Chapter, Given, Line
from tco.errors import UnitError, did_you_mean
from tco.figures import Figure
from tco.scenario.paths import Path
from tco.scenario.problems import Problems
from tco.scenario.schema import Fleet, Scenario
from tco.scenario.walk import leaves
from tco.units import currencies_in, in_money, unit, unit_text

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
    try:
        foreign = currencies_in(figure.unit) - {scenario.currency}
        if foreign:
            _convert_currency(name, item, figure, sorted(foreign)[0], scenario, problems, place, fitted)
            return
        value = replace(figure, unit=in_money(figure.unit)).to(item.unit)
    except UnitError as error:
        problems.add(place, f"{name}: {error}")
        return
    if _bounded(name, value, item, problems, place):
        fitted.figures[name] = value


def _bounded(name: str, figure: Figure, item: Given, problems: Problems, place: Path) -> bool:
    numbers = figure.value if isinstance(figure.value, tuple) else (figure.value,)
    flat = [number[1] if isinstance(number, tuple) else number for number in numbers]
    low, high = (
        item.minimum if item.minimum is not None else -math.inf,
        item.maximum if item.maximum is not None else math.inf,
    )
    outside = [number for number in flat if not low <= number <= high]
    if outside:
        limits = f"from {low:g} to {high:g}" if math.isfinite(high) else f"at least {low:g}"
        told = item.unit or "a plain number"
        problems.add(
            place, f"{name} ({item.label}) is {outside[0]:g} {item.unit}; wanted {told} {limits}".replace("  ", " ")
        )
    return not outside


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
    if unit_text(unit(rate.unit)) != wanted:
        problems.add(("fx", currency), f"the rate is in {rate.unit or 'a plain number'}; wanted {wanted}")
        return
    quoted, rate_name, rate_unit = f"{name}_quoted", f"{currency.lower()}_rate", f"money/{currency}"
    quoted_unit = item.unit.replace("money", currency)
    fitted.figures[quoted] = figure.to(quoted_unit)
    fitted.figures[rate_name] = replace(dated(rate, scenario), unit=rate_unit)
    fitted.extra_givens[quoted] = Given(
        quoted_unit, f"{item.label}, quoted", name=quoted, chapter="currencies", scope=item.scope
    )
    fitted.extra_givens[rate_name] = Given(
        rate_unit, f"{scenario.currency} for one {currency}", name=rate_name, chapter="currencies", minimum=0
    )

    def converted(price: object, exchange: object) -> object:
        return price * exchange  # type: ignore[operator]

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
            problems.add(path, f"`{name}` is not an input of the model{did_you_mean(name, known)}", key=True)
        elif name not in given and path[0] == "fleets":
            problems.add(path, f"`{name}` is not used by this fleet", key=True)
