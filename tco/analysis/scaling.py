"""A measurement near the work is scaled by the ratio of the engine's own estimates, here and where it was measured."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from tco.analysis.axes import Column, Grid, axes
from tco.analysis.fleet import engine_inputs
from tco.evaluate import Value, program
from tco.model import Model
from tco.scenario.modelling import SEARCHED, model_of
from tco.scenario.plan import Plan
from tco.scenario.problems import Problems
from tco.timeline import Timeline

OUTPUT, MEASURED, FITS = "system_output_rate", "measured_output", "memory_margin"


def scale(plan: Plan, timeline: Timeline, problems: Problems, frozen: dict[str, float] | None) -> None:
    """Put the output at the work's conditions in the place of the measured one; a frozen run keeps its own."""
    if not plan.measured_at or plan.model is None or MEASURED not in plan.model.inputs:
        return
    model, inputs = _estimated(plan, timeline), engine_inputs(plan.given, timeline)
    where = (*plan.path, "measured")
    if OUTPUT not in model.lines:
        told = f"measured at {_conditions(plan)}, which is not what the work asks: the engine's estimate would scale it"
        problems.add(
            where, f"{told}, and needs a `model` for that; name it in `workload`, or measure nearer to the work"
        )
        return
    missing = [name for name in model.inputs if name not in inputs and name not in SEARCHED]
    if missing:
        told = f"it is scaled to the work by the engine's estimate, which lacks {' and '.join(missing)}"
        problems.add(where, f"{told}; state them under `inputs`, or measure nearer to the work")
        return
    if frozen is None:
        there, here, size = _estimates(plan, model, inputs, timeline)
        stated, gpus = plan.figures[MEASURED].number, f"{size:g} GPU{'s' if size > 1 else ''} a replica"
        told = f"{stated:,.5g} x {here:,.5g} / {there:,.5g}, the estimates here and there with {gpus}"
        _put(plan, stated * here / there, told)
    elif MEASURED in frozen:
        _put(plan, frozen[MEASURED], "frozen choice of an earlier run")
    else:
        problems.add(where, "the earlier run holds no scaled output; run once without --frozen")
    plan.scaled_for = _made_for(model, inputs)


def _put(plan: Plan, value: float, told: str) -> None:
    """The scaled output between its ends, and the reader is told."""
    stated = plan.figures[MEASURED]
    low, high = sorted((stated.number, value))
    source = f"scaled from measured: {stated.source}"
    plan.figures[MEASURED] = replace(
        stated, value=value, low=low, high=high, status="derived", note=told, source=source
    )
    plan.tell("scaled", f"output is scaled from a measurement at {_conditions(plan)}: {told}")


def _conditions(plan: Plan) -> str:
    return ", ".join(f"{number:g} {_WORDS[name]}" for name, number in plan.measured_at.items())


_WORDS = {"input_tokens": "tokens in", "output_tokens": "tokens out", "concurrency": "requests in flight on a system"}


def _estimated(plan: Plan, timeline: Timeline) -> Model:
    """The fleet's model as if nothing had been measured."""
    ways = {**plan.ways, OUTPUT: "system_output_estimated", "per_token_time": "per_token_time_estimated"}
    return model_of(replace(plan, ways=ways, measured=False), timeline)


def _estimates(plan: Plan, model: Model, inputs: dict[str, Value], timeline: Timeline) -> tuple[float, float, float]:
    """Output where it was measured and at the work, for the size of replica that is fastest where it was measured."""
    output = program(model, [OUTPUT, FITS])
    layouts = _layouts(plan, model)
    sizes = layouts["gpus_per_replica"]
    replicas = np.floor(plan.figures["gpus_per_system"].number / sizes)
    flight = plan.measured_at["concurrency"]
    work = plan.figures["measured_concurrency"].number
    lengths = {name: plan.measured_at[name] for name in ("input_tokens", "output_tokens")} | {"reasoning_tokens": 0.0}

    def at(given: dict[str, float], number: float) -> tuple[np.ndarray, np.ndarray]:
        each = {**layouts, "concurrency": np.maximum(number / replicas, 1)}
        found = output({**inputs, **given, **each}, timeline.periods)
        return np.reshape(found[OUTPUT], -1), np.reshape(found[FITS], -1)

    there, margin = at(lengths, flight)
    here, _ = at({}, work)
    fitting = np.where(margin >= 0, there, -1.0)
    best = int(np.argmax(fitting if np.any(margin >= 0) else there))
    return float(there[best]), float(here[best]), float(sizes[best, 0])


def _layouts(plan: Plan, model: Model) -> dict[str, Column]:
    """Replicas that the search would try, or the one that is stated."""
    stated = plan.figures.get("gpus_per_replica")
    tried = Grid.of([axis for axis in axes(model, plan.figures, {}, OUTPUT) if axis.name == "replica"]).columns
    if stated is None:
        return tried
    shape = np.shape(next(iter(tried.values()), np.zeros((1, 1))))
    return {**tried, "gpus_per_replica": np.full(shape, stated.number)}


def _made_for(model: Model, inputs: dict[str, Value]) -> dict[str, float]:
    """Scalar inputs behind the estimates: when they change, the scaled output may be stale."""
    names = {parent for line in model.needed_for([OUTPUT]) for parent in model.lines[line].parents}
    return {name: value for name in sorted(names) if isinstance(value := inputs.get(name), float)}
