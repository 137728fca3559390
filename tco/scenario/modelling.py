"""From a plan's figures to its model; inputs that are needed and not given become problems with a way out."""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from tco.declare import Chapter, Line, Shape
from tco.figures import Figure
from tco.lines.library import ALL, all_names, load
from tco.model import Model, build
from tco.result import HEADLINES, PER_PERIOD, VERDICTS
from tco.scenario.plan import Context, Parts, Plan
from tco.scenario.schema import Scenario
from tco.scenario.walk import schema_leaves
from tco.timeline import Timeline

SEARCHED = ("gpus_per_replica", "concurrency", "shard_gpus")


def shape_of(figure: Figure) -> Shape:
    """One number, a series, or a table."""
    if not isinstance(figure.value, tuple):
        return "one"
    return "table" if figure.value and isinstance(figure.value[0], tuple) else "series"


def model_of(plan: Plan, timeline: Timeline) -> Model:
    """Trace the lines of a plan for the figures at hand; fleets that ask the same share one model."""
    available: dict[str, Shape] = {name: shape_of(figure) for name, figure in plan.figures.items()}
    available |= {name: "one" if name in ("step", "horizon") else "series" for name in timeline.frame()}
    available |= dict.fromkeys(SEARCHED, "one")
    pins = {name: shape_of(figure) for name, figure in plan.pins.items()}
    asked = (
        frozenset(plan.without),
        _items(available),
        tuple(_results(plan)),
        _items(plan.ways),
        _items(pins),
    )
    names = tuple(part.name for part in plan.chapters)
    if not plan.extra and all(name in ALL for name in names):
        return _shared(names, *asked)
    rates = any(name.endswith(("_path", "real_discount_rate")) for name in plan.extra_givens)
    title = "Prices in other currencies, and rates" if rates else "Prices in other currencies"
    currencies = Chapter("currencies", title, plan.extra_givens, {})
    return _traced([currencies, *plan.chapters], *asked, extra=plan.extra)


def _items(mapping: Mapping[str, Any]) -> frozenset[tuple[str, Any]]:
    return frozenset(mapping.items())


@functools.lru_cache(maxsize=64)
def _shared(names: tuple[str, ...], *asked: Any) -> Model:
    return _traced([load(name) for name in names], *asked)


def _traced(
    chapters: list[Chapter],
    without: frozenset[str],
    available: frozenset[tuple[str, Shape]],
    results: tuple[str, ...],
    ways: frozenset[tuple[str, str]],
    pins: frozenset[tuple[str, Shape]],
    extra: Sequence[Line] = (),
) -> Model:
    lines = [{name: item for name, item in part.lines.items() if name not in without} for part in chapters]
    return build(
        [replace(part, lines=kept) for part, kept in zip(chapters, lines, strict=True)],
        dict(available),
        results=results,
        choices=dict(sorted(ways)),
        pins=dict(sorted(pins)),
        extra=extra,
        elsewhere=all_names(),
    )


def _results(plan: Plan) -> list[str]:
    """Lines whose inputs must be known: headlines, categories through them, verdicts."""
    wanted = [*HEADLINES, *PER_PERIOD, *(name for name, _ in VERDICTS)]
    left = set[str]()
    if plan.measured:
        left |= {"input_cost", "output_cost"}
    if plan.unit_cost_only:
        left.add("large_enough")
    return [name for name in wanted if name not in left]


OF_MODELS = ("attention_flops", "decode_attention_flops")
"""What follows from figures of a model."""


def name_missing(context: Context, plan: Plan, parts: Parts, model: Model) -> None:
    """A problem for each missing input: what it is, who asks, and where to state it."""
    places = schema_leaves(Scenario)
    known = [entry.id for entry in parts.entries()]
    givens = {name: item for part in plan.chapters for name, item in part.givens.items()}
    unnamed = parts.model is None and "parameters" in model.missing
    if unnamed:
        told = "no model is named; state `model` (`tco catalogue list models`), or its figures under `inputs`"
        context.problems.add(("workload",), told)
    of_models = {*OF_MODELS, *(name for entry in context.catalogue.entries("models") for name in entry.figures)}
    for name, readers in model.missing.items():
        if unnamed and name in of_models:
            continue
        item = givens[name]
        where = places.get(name, "").replace("fleets[].", "")
        looked = known and not where.startswith(("workload", "electricity", "finance", "cooling"))
        whose = f"the catalogue has none for {', '.join(known)}; " if looked else ""
        unit = item.unit.replace("money", context.scenario.currency)
        section = where.split(".")[0]
        state = f"`{where}`" if where else f"`inputs: {{{name}: {f'… {unit}'.strip()}}}`"
        told = f"{item.label} ({unit or 'a plain number'}) is not known"
        if section == "workload":
            context.problems.add((section,), f"{told}; state {state}")
        else:
            context.problems.add(plan.path, f"{told}; {whose}state {state} (needed by {', '.join(readers[:3])})")


def name_unused(context: Context, plan: Plan, model: Model) -> None:
    """What a fleet states, and every stated price, must count; otherwise it is silently ignored."""
    if model.missing:
        return
    givens = {name: item for part in plan.chapters for name, item in part.givens.items()}
    readers: dict[str, list[Line]] = {}
    for item in (item for part in plan.chapters for item in part.lines.values()):
        for parameter in item.parameters:
            readers.setdefault(parameter, []).append(item)
    for name, place in plan.found.paths.items():
        if not place or name not in givens or name not in plan.figures or name in model.inputs:
            continue
        asking = readers.get(name, [])
        reader = None if any(item.name in plan.pins for item in asking) else next(iter(asking), None)
        why = model.absent.get(reader.name, "") if reader else ""
        matters = place[0] == "fleets" or "money" in givens[name].unit
        if reader and matters and why.endswith("is given"):
            told = f"{givens[name].label} is stated but cannot count"
            context.problems.add(place, f"{told}: {reader.label} is left out because {why}")


def name_varying(context: Context, plan: Plan, model: Model) -> None:
    """Fit, support and speed are judged once, so that what they read may not change from period to period."""
    judged = [name for name, _ in VERDICTS if name in model.lines and model.lines[name].series]
    if not judged:
        return
    behind = {parent for line in model.needed_for(judged) for parent in model.lines[line].parents}
    for name in sorted(behind & set(model.inputs)):
        place = plan.found.paths.get(name)
        if place and shape_of(plan.figures[name]) == "series" and name in plan.figures:
            told = f"{name} ({model.inputs[name].label}) changes by period, and {judged[0]} is judged once"
            context.problems.add(place, f"{told}; state one number")
