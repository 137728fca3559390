"""One combination of what cannot be an array axis of the engine: assembled and run, and what of it may then vary."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from tco.analysis.run import Frozen
from tco.analysis.search import REASONED
from tco.analysis.trials import FLAGS, LIMITS
from tco.errors import ScenarioError, UnitError
from tco.figures import Figure
from tco.result import Result
from tco.scenario.paths import Path, child
from tco.scenario.plan import Plan
from tco.session import Scenario
from tco.units import convert, in_money
from tco.variants.patch import patched
from tco.variants.reach import Built, Key, build, built, fed_by

CANDIDATES = (
    "gpus_per_system", "gpus_per_replica", "pipeline_stages", "one_stream", "batch_limit", "measured_concurrency",
    "measured_output", "tensor_parallel", "pipeline_parallel", "shard_gpus", "scale_out", "micro_batch",
)  # fmt: skip
"""Inputs that say which deployments are tried."""

Feeds = Mapping[Path, Mapping[Key, tuple[str, ...]]]
"""By place: the inputs that are what stands there, by fleet and precision."""


@dataclass(frozen=True)
class Conversion:
    """From what is written at a place to what the engine takes: the unit it has, and the one it gets."""

    source: str
    target: str

    def __call__(self, number: Any) -> Any:
        """The number or array in the unit of the model, multiplied as a single figure is."""
        return number if self.source == self.target else number * convert(1.0, self.source, self.target)


@dataclass
class Combination:
    """A scenario with some places changed; `error` says why it is refused, else `result` is its run."""

    scenario: Scenario | None
    error: ScenarioError | None
    choices: Frozen | None
    proofs: dict[Any, Any] = field(default_factory=dict[Any, Any])

    @classmethod
    def of(cls, base: Scenario, changes: Mapping[Path, Any], choices: Frozen | None) -> Combination:
        """The base with these changes; with `choices`, deployments stay as they were chosen there."""
        try:
            return cls(patched(base, changes) if changes else base, None, choices)
        except ScenarioError as error:
            return cls(None, error, choices)

    @functools.cached_property
    def result(self) -> Result | None:
        """The run, None where it is refused."""
        if self.scenario is None:
            return None
        try:
            return self.scenario.run(self.choices)
        except ScenarioError as error:
            self.error = error
            return None

    @functools.cached_property
    def built(self) -> Built | None:
        """The assembly, None where it is refused."""
        try:
            return built(self.scenario) if self.scenario else None
        except ScenarioError:
            return None

    @property
    def follows_load(self) -> bool:
        """Whether some input follows from others only when it is run: a bill by the hour, a scaled measurement."""
        plans = self.built.plans.values() if self.built else ()
        return any(plan.asked is not None or plan.measured_at for plan in plans)

    def by_class(self, fleet: str) -> bool:
        """Whether a fleet's speed is what it answers of each class, in the deployments that are fastest for each."""
        return bool(self.built) and any(plan.served for key, plan in self.built.plans.items() if key[0] == fleet)

    def states(self, path: Path) -> bool:
        """Whether something stands at a place."""
        assert self.scenario is not None
        here: Any = self.scenario.document.data
        for step in path:
            here = child(here, step)
        return here is not None

    def with_changes(self, changes: Mapping[Path, Any]) -> Built | None:
        """The assembly with further places changed, None where it is refused."""
        assert self.scenario is not None
        try:
            return built(patched(self.scenario, changes))
        except ScenarioError:
            return None


def default_of(one: Combination, path: Path, raw: Any) -> str | None:
    """What a place would say if it stated the default that holds there; None where none does."""
    after = one.with_changes({path: raw})
    if after is None or one.built is None:
        return None
    found = set[str]()
    for key, names in feeds_of(after, [path])[path].items():
        held = one.built.plans[key].given
        for name in names:
            figure = held.get(name)
            if figure is None or figure.origin != "default" or not figure.is_one:
                return None
            found.add(f"{figure.number!r} {figure.unit}".strip())
    return found.pop() if len(found) == 1 else None


def same_numbers(before: Built | None, after: Built | None) -> bool:
    """Whether two assemblies give the lines the same inputs, wherever those are stated."""
    if before is None or after is None or before.timeline != after.timeline:
        return False
    mine, theirs = ({key: plan.given for key, plan in each.plans.items()} for each in (before, after))
    return mine.keys() == theirs.keys() and all(
        held.keys() == theirs[key].keys() and all(_same(held[name], theirs[key][name]) for name in held)
        for key, held in mine.items()
    )


def feeds_of(assembly: Built, paths: Iterable[Path]) -> Feeds:
    """What each place feeds."""
    return {path: {key: tuple(fed_by(plan, path)) for key, plan in assembly.plans.items()} for path in paths}


def moves_only(before: Built, after: Built, feeds: Feeds) -> bool:
    """Whether two assemblies differ in nothing but what the changed places feed."""
    if before.timeline != after.timeline or list(before.plans) != list(after.plans):
        return False
    for key, plan in before.plans.items():
        other = after.plans[key]
        if build(plan) != build(other):
            return False
        if any(tuple(fed_by(other, path)) != fed[key] for path, fed in feeds.items()):
            return False
        free = {name for fed in feeds.values() for name in fed[key]}
        mine, theirs = plan.given, other.given
        if any(not _same(mine[name], theirs[name]) for name in mine if name not in free):
            return False
    return True


def _same(one: Figure, other: Figure) -> bool:
    return one.value == other.value and one.unit == other.unit


def conversions(probe: Built, feeds: Mapping[Key, tuple[str, ...]], number: float, unit: str) -> Iterator[Any]:
    """For each input fed by a place, how the number that stands there becomes it; None where no conversion does."""
    for key, names in feeds.items():
        held = probe.plans[key].given
        for name in names:
            yield (key, name), _conversion(held[name], number, unit)


def _conversion(figure: Figure, number: float, unit: str) -> Conversion | None:
    if not figure.is_one:
        return None
    for source in (unit, in_money(unit), *(("%/yr",) if unit == "%" else ())):
        try:
            found = Conversion(source, figure.unit)
            if found(number) == figure.number:
                return found
        except UnitError:
            continue
    return None


def stale_inputs(plan: Plan) -> frozenset[str]:
    """Inputs that decide which deployments there are, fit and are fast enough: a change makes a choice stale."""
    model = plan.model
    if model is None or ("gpus_per_replica" not in model.inputs and "shard_gpus" not in model.inputs):
        return frozenset()
    lines = [name for name in (*REASONED, *FLAGS, *LIMITS, "missed_targets") if name in model.lines]
    return frozenset({*model.inputs_of(lines), *CANDIDATES})
