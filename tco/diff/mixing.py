"""A fleet half changed: steps of one scenario put into the other, assembled and computed with choices kept."""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, cast

import numpy as np

from tco.analysis.fleet import compute, engine_inputs
from tco.analysis.run import HEADLINE, STALE_DAYS
from tco.analysis.scaling import MEASURED, scale
from tco.analysis.serving import rate_classes
from tco.catalogue import Catalogue
from tco.diff.changes import PAYMENT, WAYS, may_be_empty
from tco.errors import TcoError
from tco.evaluate import Value, program
from tco.result import FleetResult
from tco.scenario.assembly import assemble
from tco.scenario.fields import Section
from tco.scenario.paths import Path
from tco.scenario.problems import Problems
from tco.scenario.quote_schema import Offer, Quotes
from tco.scenario.reading import Document
from tco.scenario.schema import Fleet, Scenario
from tco.timeline import Timeline

FLEET: Path = ("fleet",)
"""Before the path of a step that is the fleet's own."""


@dataclass(frozen=True)
class End:
    """One fleet of one scenario, alone, as it was computed."""

    scenario: Scenario
    fleet: FleetResult
    document: Document
    catalogue: Catalogue

    @property
    def stated(self) -> Fleet:
        """The fleet as the scenario states it."""
        return self.scenario.fleets[0]


def alone(scenario: Scenario, fleet: FleetResult) -> Scenario:
    """The scenario with this fleet only, in the precision that was chosen."""
    stated = next(item for item in scenario.fleets if item.id == fleet.id)
    if isinstance(stated.precision, tuple):
        stated = stated.model_copy(update={"precision": fleet.precision})
    pins = {name: lines for name, lines in scenario.pin.items() if name == fleet.id}
    finance = scenario.finance.model_copy(update={"reference": None, "reinvestment_rate": None})
    offers = _offers_of(scenario.quotes, fleet.id)
    changed = {"fleets": (stated,), "pin": pins, "finance": finance, "quotes": offers, "mix": None}
    return scenario.model_copy(update=changed)


def _offers_of(quotes: Quotes | None, fleet: str) -> Quotes | None:
    """Offers and the award as far as they are for one fleet: others are not there to be priced."""
    if quotes is None:
        return None
    offers = list[Offer]()
    for offer in quotes.offers:
        items = tuple(item for item in offer.items if (item.fleet or offer.fleet) == fleet)
        if items:
            offers.append(offer.model_copy(update={"items": items, "fleet": fleet}))
    award = {name: one for name, one in quotes.award.items() if name == fleet}
    return quotes.model_copy(update={"offers": tuple(offers), "award": award}) if offers else None


def exchanged(base: Scenario, other: Scenario, steps: Sequence[Path]) -> Scenario:
    """The base with the other's values at these steps."""
    fleet, theirs = base.fleets[0], other.fleets[0]
    for step in steps:
        if step[:1] != FLEET:
            base = cast("Scenario", _put(base, other, step))
        elif step[1:] == PAYMENT:
            fleet = fleet.model_copy(update={name: getattr(theirs, name) for name in WAYS})
        else:
            fleet = cast("Fleet", _put(fleet, theirs, step[1:]))
    return base.model_copy(update={"fleets": (fleet,)})


def _put(base: Any, other: Any, path: Path) -> Any:
    """The base with the other's value at the path; what is left empty is as if it were not there."""
    if not path:
        return other
    name = path[0]
    if isinstance(base, dict) or isinstance(other, dict):
        one, two = cast("dict[Any, Any]", base or {}), cast("dict[Any, Any]", other or {})
        value = _put(one.get(name), two.get(name), path[1:])
        rest = {key: item for key, item in one.items() if key != name}
        return rest if value is None else {**rest, name: value}
    present = cast("Section", base if base is not None else other)
    empty = type(present).model_construct() if may_be_empty(type(present)) else None
    one, two = (cast("Section", empty if section is None else section) for section in (base, other))
    key = str(name)
    changed = one.model_copy(update={key: _put(getattr(one, key), getattr(two, key), path[1:])})
    return None if (base is None or other is None) and _is_empty(changed, empty) else changed


def _is_empty(section: Section, empty: Section | None) -> bool:
    return all(getattr(section, name) == getattr(empty, name, None) for name in type(section).model_fields)


@dataclass(frozen=True)
class Made:
    """A computed state as the engine takes it."""

    fleet: FleetResult
    timeline: Timeline

    @functools.cached_property
    def text(self) -> str:
        """The lines as they are computed: equal texts are equal models."""
        return program(self.fleet.model).text

    @functools.cached_property
    def inputs(self) -> Mapping[str, Value]:
        """All inputs, with the time axis."""
        return engine_inputs(self.fleet.inputs, self.timeline)

    def differing(self, other: Made) -> set[str]:
        """Inputs that are not the same."""
        return {
            name for name in {*self.inputs, *other.inputs} if not same(self.inputs.get(name), other.inputs.get(name))
        }


def same(one: Value | None, other: Value | None) -> bool:
    """Whether two inputs hold the same numbers in the same form."""
    if one is None or other is None:
        return one is other
    if isinstance(one, tuple) or isinstance(other, tuple):
        return isinstance(one, tuple) and isinstance(other, tuple) and all(map(np.array_equal, one, other))
    return np.shape(one) == np.shape(other) and bool(np.all(one == other))


@dataclass
class Mixer:
    """Every state between the two ends of a fleet, computed when asked for and kept."""

    old: End
    new: End
    steps: list[Path]
    made: dict[tuple[int, bool], Made | None] = field(default_factory=dict[tuple[int, bool], "Made | None"])

    def at(self, state: int, chosen: bool = False) -> Made | None:
        """The fleet with the steps of the state made, under the old choices or the new; None where it cannot be."""
        if (state, chosen) not in self.made:
            self.made[state, chosen] = self._computed(state, chosen)
        return self.made[state, chosen]

    def _computed(self, state: int, chosen: bool) -> Made | None:
        steps = [step for place, step in enumerate(self.steps) if state >> place & 1]
        data = self.new.catalogue if ("catalogue",) in steps else self.old.catalogue
        try:
            scenario = exchanged(self.old.scenario, self.new.scenario, steps)
            (plan, *_), timeline = assemble(self.old.document, scenario, data)
            problems = Problems(self.old.document)
            scale(plan, timeline, problems, None)
            rate_classes(plan, timeline, problems)
            problems.stop()
            assert plan.model is not None
            headline, kept = HEADLINE[scenario.workload.kind], self._choices(chosen)
            return Made(compute(plan, plan.model, timeline, headline, scenario.as_of, STALE_DAYS, kept), timeline)
        except TcoError:
            return None

    def _choices(self, chosen: bool) -> dict[str, float]:
        """Numbers for what a state leaves open: those of one end, where it has none those of the other."""
        first, second = (self.new, self.old) if chosen else (self.old, self.new)
        searched = {*choices_of(self.old.fleet), *choices_of(self.new.fleet)}
        return {
            name: end.fleet.inputs[name].number
            for end in (second, first)
            for name in searched
            if name in end.fleet.inputs and end.fleet.inputs[name].is_one
        }


def choices_of(fleet: FleetResult) -> dict[str, float]:
    """What the search chose; a scaled measurement is none, it follows from the work."""
    return {name: value for name, value in fleet.choices.get("values", {}).items() if name != MEASURED}
