"""Lines of fleets at many values of one input: by the engine in one block where that is proven, else one by one."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from tco.analysis.breakeven import whole_lines
from tco.analysis.fleet import engine_inputs
from tco.analysis.run import Frozen, computed
from tco.decisions.moving import Moved
from tco.decisions.refused import Refused
from tco.errors import ScenarioError
from tco.evaluate import Value, in_blocks, program
from tco.model import Model
from tco.result import NULLING, VERDICTS, FleetResult, Result
from tco.scenario.assembly import assemble
from tco.scenario.paths import Path
from tco.session import Scenario
from tco.variants.patch import patched
from tco.variants.reach import Built, built, fed_by, reach

Array = NDArray[np.float64]
FLAGS = tuple(name for name, _ in VERDICTS)
CANNOT = tuple(name for name, verdict in VERDICTS if verdict in NULLING)
SAME = 1e-12
MOST = 2000
"""Runs of one search."""

INNER = (0.137, 0.5, 0.871)
"""Where between the ends it is looked whether an input follows in proportion."""


@dataclass(frozen=True)
class Sample:
    """A fleet at several values: lines (values, 1 or periods), and its whole units.

    `able` where it can do the work at all, `good` where also as much as asked and within the limits. `units` hold what
    was searched, too.
    """

    lines: Mapping[str, Array]
    able: NDArray[np.bool_]
    good: NDArray[np.bool_]
    units: Mapping[str, Array]


class Probe(Protocol):
    """What a search asks; `slow` when each value takes a run of its own."""

    slow: bool

    def at(self, values: Array) -> dict[str, Sample]:
        """Samples by fleet."""
        ...


def frozen_of(result: Result) -> Frozen:
    """The choices of a result, to be kept."""
    return {
        fleet.id: {**fleet.choices.get("values", {}), "precision": fleet.precision} for fleet in result.fleets
    }  # fmt: skip


def probe(scenario: Scenario, one: Moved, ends: tuple[float, float], wanted: Wanted, frozen: Frozen | None) -> Probe:
    """The fastest that is right. Raises ScenarioError where the scenario cannot be run at an end."""
    slow = Runs(scenario, one, wanted, frozen)
    slow.check(ends)
    return slow if frozen is None else (_proven(scenario, one, ends, wanted, frozen) or slow)


Wanted = Mapping[str, tuple[str, ...]]
"""Lines by fleet."""


def fleets_at(
    scenario: Scenario, changes: Mapping[Path, str], wanted: Container[str], frozen: Frozen | None
) -> dict[str, FleetResult]:
    """Some fleets of the scenario with values changed. Raises ScenarioError."""
    there = patched(scenario, changes)
    plans, timeline = assemble(there.document, there.content, there.catalogue)
    asked = [plan for plan in plans if plan.id in wanted]
    _, fleets = computed(asked, timeline, there.content, there.document, frozen)
    return {fleet.id: fleet for fleet in fleets}


@dataclass
class Runs:
    """Each value a scenario of its own, assembled and computed; `choices` by value are what was searched there."""

    scenario: Scenario
    one: Moved
    wanted: Wanted
    frozen: Frozen | None
    slow: bool = True
    found: dict[float, dict[str, FleetResult] | ScenarioError] = field(
        default_factory=dict[float, "dict[str, FleetResult] | ScenarioError"]
    )

    def check(self, values: Iterable[float]) -> None:
        """Raise the problems of these values."""
        for value in values:
            one = self.run(float(value))
            if isinstance(one, ScenarioError):
                raise one

    def run(self, value: float) -> dict[str, FleetResult] | ScenarioError:
        """Fleets at a value, or why there are none."""
        if value not in self.found:
            if len(self.found) >= MOST:
                raise Refused("between", f"more than {MOST:,} runs are needed; bring the ends nearer together")
            try:
                self.found[value] = self._fleets(value)
            except ScenarioError as error:
                self.found[value] = error
        return self.found[value]

    def _fleets(self, value: float) -> dict[str, FleetResult]:
        return fleets_at(self.scenario, {self.one.path: self.one.raw(value)}, self.wanted, self.frozen)

    def at(self, values: Array) -> dict[str, Sample]:
        """One after the other."""
        runs = [self.run(float(value)) for value in values]
        return {name: self._sample(runs, name) for name in self.wanted}

    def _sample(self, runs: list[dict[str, FleetResult] | ScenarioError], name: str) -> Sample:
        fleets = [one.get(name) if isinstance(one, dict) else None for one in runs]
        values = [_values(fleet) for fleet in fleets]
        chosen = [_chosen(fleet) for fleet in fleets]
        whole = dict.fromkeys(line for fleet in fleets if fleet for line in reached(fleet.model, self.wanted[name]))
        units = {line: _stacked(values, line) for line in whole}
        units |= {key: _stacked(chosen, key) for one in chosen for key in one}
        verdicts = [fleet.verdict if fleet else NULLING[0] for fleet in fleets]
        able, good = np.array([one not in NULLING for one in verdicts]), np.array([one == "ok" for one in verdicts])
        return Sample({line: _stacked(values, line) for line in self.wanted[name]}, able, good, units)


def _values(fleet: FleetResult | None) -> Mapping[str, Any]:
    return fleet.values if fleet else dict[str, Any]()


def _chosen(fleet: FleetResult | None) -> Mapping[str, Any]:
    return fleet.choices.get("values", {}) if fleet else dict[str, Any]()


def _stacked(values: Sequence[Mapping[str, Any]], line: str) -> Array:
    """A row a fleet; no numbers where there is no such line or period, or where it cannot be run."""
    rows: list[Array] = [np.reshape(one[line], -1) if line in one else np.zeros(0) for one in values]
    widest = max(1, *(len(row) for row in rows))
    return np.array([np.append(row, np.full(widest - len(row), np.nan)) for row in rows])


def reached(model: Model, wanted: Iterable[str]) -> tuple[str, ...]:
    """Lines behind the wanted ones that round to whole units."""
    needed = model.needed_for((*wanted, *FLAGS))
    return tuple(name for name in whole_lines(model) if name in needed)


@dataclass
class Block:
    """All values in one block: the inputs that the changed one feeds follow in proportion."""

    fleets: Mapping[str, FleetResult]
    slopes: Mapping[str, Mapping[str, Array]]
    inputs: Mapping[str, Mapping[str, Value]]
    wanted: Wanted
    periods: int
    slow: bool = False

    def at(self, values: Array) -> dict[str, Sample]:
        """The engine, once a fleet."""
        return {name: self._sample(name, values) for name in self.wanted}

    def _sample(self, name: str, values: Array) -> Sample:
        model, lines = self.fleets[name].model, self.wanted[name]
        whole, flags = reached(model, lines), [flag for flag in FLAGS if flag in model.lines]
        moved = {given: values[:, None] * slope for given, slope in self.slopes[name].items()}
        asked = [line for line in dict.fromkeys((*lines, *flags, *whole)) if line in model.lines]
        found = in_blocks(program(model, asked), {**self.inputs[name], **moved}, self.periods)
        every = {line: np.broadcast_to(value, (len(values), value.shape[-1])) for line, value in found.items()}
        held = [(flag, every[flag].min(-1) > 0) for flag in flags]
        able = np.all([np.ones(len(values), bool), *(one for flag, one in held if flag in CANNOT)], axis=0)
        good = np.all([able, *(one for _, one in held)], axis=0)
        nothing = np.full((len(values), 1), np.nan)
        units = {line: every[line] for line in whole}
        return Sample({line: every.get(line, nothing) for line in lines}, able, good, units)


def _proven(scenario: Scenario, one: Moved, ends: tuple[float, float], wanted: Wanted, frozen: Frozen) -> Block | None:
    """None where something else follows from the value than inputs in proportion to it."""
    low, high = ends
    middle = low + (high - low) * INNER[1] or high
    base = patched(scenario, {one.path: one.raw(middle)})
    plans = built(base)
    slopes = _slopes(plans, middle, one)
    if any(plan.asked is not None for (name, _), plan in plans.plans.items() if name in wanted):
        return None
    for value in (low, *(low + (high - low) * part for part in INNER[::2]), high):
        other = built(patched(scenario, {one.path: one.raw(value)}))
        found = reach(plans, other, one.path)
        if not found.direct or found.rebuilt or not _follows(found.inputs, slopes, value):
            return None
    result = base.run(frozen)
    fleets = {name: result.by_id[name] for name in wanted}
    by_fleet = {name: slopes.get((name, fleet.precision), {}) for name, fleet in fleets.items()}
    inputs = {name: engine_inputs(fleet.inputs, result.timeline) for name, fleet in fleets.items()}
    return Block(fleets, by_fleet, inputs, wanted, result.timeline.periods)


def _slopes(plans: Built, value: float, one: Moved) -> dict[tuple[str, str], dict[str, Array]]:
    """What each input that the place feeds gains with the value."""
    return {
        key: {
            name: np.asarray(plan.given[name].value, float) / value
            for name in fed_by(plan, one.path)
            if not plan.given[name].is_table
        }
        for key, plan in plans.plans.items()
    }


def _follows(inputs: Mapping[Any, Mapping[str, Any]], slopes: Mapping[Any, Mapping[str, Array]], value: float) -> bool:
    """Whether each input that changed is its slope times the value."""
    return all(
        name in slopes[key] and np.allclose(figure.value, slopes[key][name] * value, rtol=SAME, atol=0)
        for key, changed in inputs.items()
        for name, figure in changed.items()
    )
