"""What a changed value reaches: inputs that are that value and nothing else, or the build of the model itself."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields, is_dataclass
from typing import Any, cast

import numpy as np

from tco.analysis.serving import RATE
from tco.analysis.trials import LIMITS
from tco.catalogue import Catalogue
from tco.figures import Figure
from tco.result import VERDICTS
from tco.scenario.assembly import assemble
from tco.scenario.paths import Path
from tco.scenario.plan import Plan
from tco.session import Scenario
from tco.timeline import Timeline

Key = tuple[str, str]
"""A fleet, and one of the precisions that it is allowed."""


@dataclass(frozen=True)
class Built:
    """A scenario, assembled: its plans, those of other allowed precisions too, and its time."""

    plans: Mapping[Key, Plan]
    timeline: Timeline


@dataclass(frozen=True)
class Reach:
    """Inputs with their figures, by fleet and precision, that a change gave.

    `direct` when nothing but inputs that the path itself feeds changed; `rebuilt` when other lines are computed than
    before (another way, chapter, search or measurement).
    """

    inputs: dict[Key, dict[str, Figure]] = field(default_factory=dict[Key, dict[str, Figure]])
    direct: bool = True
    rebuilt: bool = False


def built(scenario: Scenario, catalogue: Catalogue | None = None) -> Built:
    """Assemble a scenario, on its own catalogue unless another is given. Raises ScenarioError with every problem."""
    plans, timeline = assemble(scenario.document, scenario.content, catalogue or scenario.catalogue)
    every = [one for plan in plans for one in (plan, *plan.others)]
    return Built({(one.id, one.texts["precision"]): one for one in every}, timeline)


def reach(before: Built, after: Built, path: Path) -> Reach:
    """What changed between two assemblies that differ at the path alone."""
    if before.timeline != after.timeline or list(before.plans) != list(after.plans):
        return Reach(direct=False, rebuilt=True)
    found, direct = dict[Key, dict[str, Figure]](), True
    for key, plan in before.plans.items():
        other = after.plans[key]
        if build(plan) != build(other):
            return Reach(direct=False, rebuilt=True)
        held = plan.given
        moved = {name: figure for name, figure in other.given.items() if not _same(figure, held[name])}
        if moved:
            found[key] = moved
            direct &= set(moved) <= set(fed_by(other, path))
    return Reach(found, direct)


def fed_by(plan: Plan, path: Path) -> Iterator[str]:
    """Inputs of a plan that are what stands at the path, in the unit of the model."""
    yield from (name for name in plan.given if fed_from(plan, name) == path)


def fed_from(plan: Plan, name: str) -> Path:
    """Where an input of a plan stands in the scenario; empty for the catalogue, defaults and what is derived."""
    if name.endswith("_pinned"):
        return ("pin", plan.id, name.removesuffix("_pinned"))
    if name in plan.extra_givens and name.endswith("_rate"):
        return ("fx", name.removesuffix("_rate").upper())
    if name in plan.extra_givens and name.endswith("_quoted"):
        return plan.found.paths.get(name.removesuffix("_quoted"), ())
    return plan.found.paths.get(name, ())


def build(plan: Plan) -> tuple[Any, ...]:
    """What decides which lines are computed, and what a fleet's run does besides them."""
    shapes = {name: (figure.is_one, figure.is_table, figure.origin == "default") for name, figure in plan.given.items()}
    return (
        plan.kind, plan.payment, [part.name for part in plan.chapters], plan.ways, shapes, plan.without,
        [line.name for line in plan.extra], plan.words, plan.measured, plan.measured_at, _comparable(plan.asked),
        plan.unit_cost_only, plan.runs, plan.texts, _classes(plan),
    )  # fmt: skip


def _classes(plan: Plan) -> tuple[Any, ...]:
    """What the rates of a fleet that serves classes were found for; they are no lines of its own model."""
    if not plan.by_class and not plan.served:
        return ()
    rated = [
        (name, build(one), {behind: (held.value, held.unit) for behind, held in _behind_rates(one)})
        for name, one in plan.by_class.items()
    ]
    return (plan.served, plan.class_rates, rated)


def _behind_rates(plan: Plan) -> Iterator[tuple[str, Figure]]:
    lines = dict.fromkeys((RATE, "missed_targets", *LIMITS, *(flag for flag, _ in VERDICTS)))
    held = plan.given
    model = plan.model
    names = model.inputs_of([name for name in lines if name in model.lines]) if model else list(held)
    yield from ((name, held[name]) for name in names if name in held)


def _comparable(value: Any) -> Any:
    """A tariff holds arrays of hours, of which `==` is no answer."""
    if is_dataclass(value):
        return tuple(_comparable(getattr(value, item.name)) for item in fields(value))
    if isinstance(value, tuple):
        return tuple(_comparable(item) for item in cast("tuple[Any, ...]", value))
    return value.tobytes() if isinstance(value, np.ndarray) else value


def _same(one: Figure, other: Figure) -> bool:
    return one.value == other.value and one.unit == other.unit
