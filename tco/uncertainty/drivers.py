"""What is drawn: ranges of the scenario, of the catalogue, and the error bands of the calibration."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from tco.analysis.run import Frozen, run
from tco.catalogue import Catalogue
from tco.figures import Figure
from tco.result import FleetResult, Result
from tco.scenario.leaf import Leaf, Unfit
from tco.scenario.paths import Path, child, path_text
from tco.scenario.problems import Problems
from tco.scenario.schema import Scenario as Schema
from tco.scenario.story import read_figure
from tco.scenario.walk import leaves
from tco.session import Scenario
from tco.uncertainty.spread import P90, Spread, about
from tco.units import convert, in_money
from tco.variants.patch import patched
from tco.variants.places import Unplaced, place_of
from tco.variants.reach import Built, built

RANGES: Path = ("analysis", "uncertainty", "ranges")
Entry = tuple[str, str, str]
"""Kind, id and figure of the catalogue."""

BANDS = {
    "output_error": ("system_output_estimated", False), "token_time_error": ("per_token_time_estimated", True),
    "first_token_error": ("first_token_time", False), "training_error": ("gpu_token_rate_estimated", False),
}  # fmt: skip
"""The line that an error band is of, and whether it moves against the output; the prompt's is within the output's."""


@dataclass(frozen=True)
class Driver:
    """One value that is drawn: at a place of the scenario, of an entry of the catalogue, or an error of the speed.

    `factor` when what is drawn scales a list or table. `errors` are the spreads of each line that a band is of, by
    fleet, with whether it runs against the draw.
    """

    name: str
    text: str
    spread: Spread
    place: Path = ()
    factor: Figure | None = None
    entry: Entry | None = None
    errors: Mapping[str, Mapping[str, tuple[Spread, bool]]] = field(
        default_factory=dict[str, Mapping[str, tuple[Spread, bool]]]
    )
    written: Path = ()

    def raw(self, value: float) -> Any:
        """What stands at the place when this value is drawn."""
        if self.factor is None:
            return f"{value!r} {self.spread.unit}".strip()
        unit = self.factor.unit
        if self.factor.is_table:
            return [[start, f"{number * value!r} {unit}".strip()] for start, number in self.factor.rows]
        return [f"{number * value!r} {unit}".strip() for number in self.factor.series]


@dataclass(frozen=True)
class Case:
    """A scenario with the catalogue that it reads."""

    scenario: Scenario
    catalogue: Catalogue

    @classmethod
    def of(cls, scenario: Scenario) -> Case:
        """With its own catalogue."""
        return cls(scenario, scenario.catalogue)

    def at(self, values: Iterable[tuple[Driver, float]]) -> Case:
        """The same with drawn values. Raises ScenarioError."""
        pairs = list(values)
        changes = {driver.place: _stated(self.scenario, driver, value) for driver, value in pairs if driver.place}
        entries = {driver.entry: value for driver, value in pairs if driver.entry}
        scenario = patched(self.scenario, changes) if changes else self.scenario
        return Case(scenario, self.catalogue.with_values(entries) if entries else self.catalogue)

    def built(self) -> Built:
        """Assembled. Raises ScenarioError."""
        return built(self.scenario, self.catalogue)

    def run(self, frozen: Frozen | None) -> Result:
        """Computed. Raises ScenarioError."""
        return run(self.scenario.document, self.scenario.content, frozen=frozen, data=self.catalogue)


def _stated(scenario: Scenario, driver: Driver, value: float) -> Any:
    raw = driver.raw(value)
    if driver.factor is None or not driver.factor.is_table:
        return raw
    held: Any = scenario.document.data
    for step in driver.place:
        held = child(held, step)
    after = next(key for key, item in held.items() if isinstance(item, list))
    share = next(key for key, item in held.items() if isinstance(item, list) and key != after)
    return {**held, share: [row[1] for row in raw]}


def check_ranges(scenario: Scenario) -> None:
    """Without drawing. Raises ScenarioError with every range that cannot be."""
    problems = Problems(scenario.document)
    stated(scenario, problems)
    problems.stop()


def stated(scenario: Scenario, problems: Problems) -> list[Driver]:
    """Ranges at their own place and under `analysis.uncertainty.ranges`, with a problem for each that cannot be."""
    data = scenario.document.data
    found = {
        path: Driver(path_text(path, data), figure.spread.text, figure.spread, path, written=path)
        for path, _, figure in leaves(scenario.content)
        if figure.spread and path[0] != "analysis"
    }
    asked = scenario.content.analysis.uncertainty if scenario.content.analysis else None
    for text in asked.ranges if asked else ():
        driver = _elsewhere(scenario, text, problems)
        if driver is not None and driver.place in found:
            told = "is a range at its own place and once more here; remove one of the two"
            problems.add((*RANGES, text), told, key=True)
        elif driver is not None:
            found[driver.place] = driver
    return list(found.values())


def _elsewhere(scenario: Scenario, text: str, problems: Problems) -> Driver | None:
    here: Path = (*RANGES, text)
    raw = child(child(child(scenario.document.data, "analysis"), "uncertainty"), "ranges")[text]
    try:
        place = place_of(Schema, scenario.document.data, text)
        if place.leaf is None:
            raise Unplaced("a word stands there, not a number")
    except Unplaced as error:
        problems.add(here, str(error), key=True)
        return None
    held = _held(scenario.content, place.path)
    many = held is not None and not held.is_one
    leaf = Leaf("%", minimum=0, maximum=10_000) if many else place.leaf
    try:
        figure = read_figure(leaf, raw)
    except Unfit as unfit:
        for one in unfit.complaints:
            more = " of a factor, since a list or table stands there" if many else ""
            problems.add((*here, *one.path), f"{one.text}{more}", one.key)
        return None
    if figure.spread is None:
        problems.add(here, "is one value; wanted a range such as `25000 to 35000 USD/system`")
        return None
    spread = _factor(figure.spread, held, place.leaf) if many and held else figure.spread
    return Driver(place.text(scenario.document.data), spread.text, spread, place.path, held if many else None,
                  written=here)  # fmt: skip


def _factor(spread: Spread, held: Figure, leaf: Leaf) -> Spread:
    """As plain numbers, cut where the largest of the list would leave the bounds of its place."""
    part = 0.01 if spread.unit == "%" else 1.0
    numbers = [row[1] for row in held.rows] if held.is_table else list(held.series)
    top = 100.0 if leaf.is_share and leaf.maximum is None else leaf.maximum
    most = math.inf
    if top is not None and leaf.unit is not None and max(numbers) > 0:
        most = convert(top, leaf.unit, in_money(held.unit)) / max(numbers)
    whole = spread.numbers
    scaled = (whole[0] * part, whole[1]) if spread.kind == "lognormal" else tuple(one * part for one in whole)
    return Spread(spread.kind, scaled, "", f"factor: {spread.text}", spread.shares, max(spread.least * part, 0.0),
                  min(spread.most * part, most))  # fmt: skip


def _held(content: Schema, path: Path) -> Figure | None:
    """The figure that stands at a place, where one does."""
    return next((figure for here, _, figure in leaves(content) if here == path), None)


def of_figures(case: Case, centre: Built, result: Result, taken: Iterable[Driver]) -> list[Driver]:
    """Figures with low and high that a fleet reads: those of the scenario by place, those of the catalogue by entry."""
    data, stood = case.scenario.document.data, {driver.place for driver in taken}
    found = dict[Path | Entry, Driver]()
    for fleet in result.fleets:
        plan = centre.plans[fleet.id, fleet.precision]
        for name, figure in fleet.inputs.items():
            if figure.low is None or figure.high is None or not figure.is_one or figure.low == figure.high:
                continue
            own = name.removesuffix("_quoted")
            place = plan.found.paths.get(own, ())
            figure = plan.found.figures.get(own, figure)
            if figure.low is None or figure.high is None:
                continue
            spread = about(figure.low, figure.number, figure.high, unit=figure.unit)
            told = f"{figure.low:g} to {figure.high:g} {figure.unit}, {figure.number:g} in the middle".replace(
                "  ", " "
            )
            if place and place not in stood:
                found.setdefault(place, Driver(path_text(place, data), told, spread, place, written=place))
            elif not place and (entry := _entry(case.catalogue, own, figure)) is not None:
                found.setdefault(entry, Driver(" ".join(entry), told, spread, entry=entry))
    return list(found.values())


def _entry(catalogue: Catalogue, name: str, figure: Figure) -> Entry | None:
    """Where in the catalogue a figure stands; constants of the calibration have their bands instead."""
    _, _, place = figure.origin.partition("catalogue ")
    kind, _, identity = place.partition("/")
    entry = catalogue.get(kind, identity) if identity and kind != "efficiency" else None
    if entry is None:
        return None
    same = [
        key for key, one in entry.figures.items()
        if (one.value, one.low, one.high, one.unit) == (figure.value, figure.low, figure.high, figure.unit)
    ]  # fmt: skip
    return (kind, identity, name if name in same else same[0]) if same else None


def of_bands(result: Result) -> list[Driver]:
    """One draw for each entry of the calibration whose bands a fleet shows; fleets with the same entry share it."""
    errors = dict[str, dict[str, dict[str, tuple[Spread, bool]]]]()
    for fleet in result.fleets:
        for line, origin, spread, against in _errors(fleet):
            errors.setdefault(origin, {}).setdefault(fleet.id, {})[line] = (spread, against)
    return [_band(origin, fleets) for origin, fleets in errors.items()]


def _errors(fleet: FleetResult) -> Iterator[tuple[str, str, Spread, bool]]:
    for name, (line, against) in BANDS.items():
        low, high = (fleet.inputs.get(f"{name}_{end}") for end in ("low", "high"))
        if low and high and line in fleet.model.lines and not fleet.model.lines[line].pinned:
            yield line, low.origin, about(low.number, 1.0, high.number, P90), against


def _band(origin: str, fleets: dict[str, dict[str, tuple[Spread, bool]]]) -> Driver:
    spread, _ = next(iter(next(iter(fleets.values())).values()))
    low, _, high, _ = spread.numbers
    told = f"80 % band of the estimate: times {low:g} to {high:g}"
    return Driver(origin.replace("catalogue efficiency/", "speed "), told, spread, errors=fleets)
