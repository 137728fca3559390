"""What a system answers of each class of requests: each alone through the same lines, in its fastest deployment."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from tco.analysis.alerts import TARGETS
from tco.analysis.axes import Grid, axes
from tco.analysis.fleet import compute, engine_inputs
from tco.analysis.scaling import scale
from tco.analysis.trials import BLOCK, FLAGS
from tco.evaluate import in_blocks, program
from tco.result import VERDICTS, Verdict
from tco.scenario.plan import Plan, Served
from tco.scenario.problems import Problems
from tco.scenario.serves import generated, means
from tco.timeline import Timeline

RATE = "system_request_rate"
HEADLINE = "cost_per_million_useful_tokens"


@dataclass(frozen=True)
class Alone:
    """A class on one system of a fleet: requests a second when fully loaded, or why it cannot be served."""

    rate: float = 0.0
    verdict: Verdict = "ok"
    reasons: list[str] = field(default_factory=list[str])
    values: dict[str, float] = field(default_factory=dict[str, float])
    unsure: str = ""


def rate_classes(plan: Plan, timeline: Timeline, problems: Problems) -> None:
    """Give a fleet that serves classes the rate that follows from theirs; a class that cannot run refuses the fleet."""
    found = {name: served_alone(one, timeline, problems) for name, one in plan.by_class.items()}
    if problems:
        return
    order = [verdict for _, verdict in VERDICTS]
    refused = sorted(
        (one for one in found.items() if one[1].verdict != "ok"), key=lambda one: order.index(one[1].verdict)
    )
    for name, one in refused:
        plan.refused.setdefault(one.verdict, f"{name}: {'; '.join(one.reasons) or one.verdict}")
    for name, one in found.items():
        if one.unsure:
            told = f"{name}: inside the error band of the estimated speed: {one.unsure}; measure to be sure"
            plan.tell("target-within-band", told)
    if plan.payment == "api" or not plan.served or plan.model is None:
        return
    rates = plan.class_rates | {name: one.rate for name, one in found.items()}
    output = outputs(plan.served, rates)
    figure = plan.figures["measured_output"]
    told = "; ".join(f"{name} {rates[name]:.5g} request/s{_laid(found.get(name))}" for name in rates)
    source = "what a system answers of each class, weighted by what it serves"
    plan.figures["measured_output"] = replace(figure, value=output, note=told, source=source, origin="choice")


def _laid(one: Alone | None) -> str:
    """The deployment in words."""
    if one is None or not one.values:
        return "" if one else " (measured)"
    size, flight = one.values.get("gpus_per_replica", 1.0), one.values.get("concurrency")
    return f" ({size:g} GPU{'s' if size > 1 else ''} a replica{f', {flight:g} in flight' if flight else ''})"


def outputs(served: Sequence[Served], rates: Mapping[str, float]) -> tuple[float, ...]:
    """Output tokens a second of a system by period: its time is shared by the classes that it serves."""
    weights = [[one.weight * share for share in one.shares] for one in served]
    times = [1 / rates[one.name] if rates.get(one.name) else 0.0 for one in served]
    tokens = [generated(one) for one in served]
    pairs = zip(means(tokens, weights), means(times, weights), strict=True)
    return tuple(made / time if time else 1.0 for made, time in pairs)


def served_alone(plan: Plan, timeline: Timeline, problems: Problems) -> Alone:
    """The rate of the fastest deployment that runs and meets the targets; without one, the reasons."""
    scale(plan, timeline, problems, None)
    assert plan.model is not None
    model, inputs = plan.model, engine_inputs(plan.given, timeline)
    flags = [flag for flag in FLAGS if flag in model.lines]
    wanted = [name for name in (*flags, RATE, *TARGETS) if name in model.lines]
    open_axes = axes(model, plan.figures, plan.words, HEADLINE) if plan.payment != "api" else []
    grid = Grid.of(open_axes) if open_axes else None
    found = in_blocks(program(model, wanted), {**inputs, **(grid.columns if grid else {})}, timeline.periods, BLOCK)
    runs = np.all([found[flag][:, 0] > 0 for flag in flags], axis=0) if flags else np.ones(1, dtype=bool)
    if not np.any(runs):
        judged = compute(plan, model, timeline, HEADLINE, "", 0.0)
        failed = sum(judged.raw(flag) == 0 for flag in FLAGS)
        return Alone(verdict=judged.verdict, reasons=judged.reasons[:failed])
    if RATE not in model.lines:
        return Alone()
    rate = np.where(runs, np.broadcast_to(found[RATE][:, 0], np.shape(runs)), -1.0)
    best = int(np.argmax(rate))
    high = {name: float(np.broadcast_to(found[name][:, 0], np.shape(runs))[best]) for name in TARGETS if name in found}
    return Alone(float(rate[best]), values=grid.values(best) if grid else {}, unsure=_unsure(plan, high))


def _unsure(plan: Plan, high: Mapping[str, float]) -> str:
    """The targets that the estimate meets, and the high end of its error band does not."""
    share = plan.figures.get("target_share")
    told = [
        f"{plan.figures[target].number:g} {unit} for the {what}"
        for name, (target, what, unit) in TARGETS.items()
        if target in plan.figures and high.get(name, 0.0) > plan.figures[target].number * (share.number if share else 1)
    ]
    return " and ".join(told).replace("the token", "each token")
