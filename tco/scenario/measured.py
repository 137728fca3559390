"""A measurement counts when its conditions are those of the work, or near enough to be scaled to them."""

from __future__ import annotations

from dataclasses import replace

from tco.figures import Figure
from tco.scenario.plan import Context, Plan
from tco.scenario.schema import Fleet, Measured

NEAR = 0.05
"""How far the conditions of a measurement may be from the work's, and it counts as it is."""

SCALED = 2.0
"""How many times as large or small a condition may be, and the measurement is scaled by the engine's estimates."""

PROVEN = ("fits", "supported")
"""What a measurement shows better than an estimate."""

WORDS = {
    "input_tokens": "{} tokens in", "output_tokens": "{} tokens out", "concurrency": "{} requests in flight a system",
}  # fmt: skip

INFERENCE = ("output", "input", "output_length", "concurrency")


def measured(context: Context, fleet: Fleet, stated: Measured, plan: Plan) -> None:
    """What was measured replaces the estimate."""
    where = (*plan.path, "measured")
    wanted, example = ("output", "5200 token/s/system") if plan.kind == "inference" else ("tokens", "900 token/s/gpu")
    rate: Figure | None = getattr(stated, wanted)
    if stated.precision != fleet.one_precision:
        told = f"measured in {stated.precision}, the fleet runs {fleet.one_precision}; only a measurement of it counts"
        told += f"; state `precision: {stated.precision}`"
        context.problems.add((*where, "precision"), told)
    if rate is None and stated.classes and plan.kind == "inference":
        plan.measured = True
        return
    if rate is None:
        context.problems.add(where, f"`{wanted}` is missing: what was measured, such as `{example}`")
        return
    plan.measured = True
    plan.without.update(PROVEN)
    _meaningful(context, stated, plan)

    def dated(figure: Figure) -> Figure:
        return replace(figure, as_of=stated.as_of or context.scenario.as_of, source=stated.source, status="quote")

    if plan.kind != "inference":
        plan.found.put("measured_token_rate", dated(rate), where)
        return
    plan.found.put("measured_output", dated(rate), where)
    if stated.concurrency is None or stated.input is None or stated.output_length is None:
        context.problems.add(where, "a measured throughput states `input`, `output_length` and `concurrency`")
        return
    plan.found.put("measured_concurrency", dated(stated.concurrency), where)
    _compare(context, fleet, stated, plan)


def _meaningful(context: Context, stated: Measured, plan: Plan) -> None:
    taken = INFERENCE if plan.kind == "inference" else ("tokens",)
    for name in ("tokens", *INFERENCE):
        if name not in taken and getattr(stated, name) is not None:
            told = f"`{name}` has no meaning for {plan.kind}; leave it out"
            context.problems.add((*plan.path, "measured", name), told, key=True)


def _compare(context: Context, fleet: Fleet, stated: Measured, plan: Plan) -> None:
    """Conditions against the work's: as they are, to be scaled, or refused with the arithmetic."""
    asked = {"input_tokens": stated.input, "output_tokens": stated.output_length, "concurrency": stated.concurrency}
    works = {name: plan.found.figures.get(name) for name in ("input_tokens", "output_tokens")}
    works["output_tokens"] = _generated(plan, works["output_tokens"])
    works["concurrency"] = _in_flight(fleet, plan)
    far = False
    for name, figure in asked.items():
        work = works[name]
        if figure is None or work is None or not work.is_one:
            continue
        there, here = figure.number, work.number
        far = far or abs(there - here) > NEAR * here
        if abs(there - here) > NEAR * here and not here / SCALED <= there <= here * SCALED:
            told = f"measured at {WORDS[name].format(f'{there:g}')}, the work has {here:g}: {_times(there, here)}"
            advice = f"up to {SCALED:g} times is scaled, beyond it nothing is known; measure nearer to the work"
            context.problems.add((*plan.path, "measured"), f"{told}; {advice}")
    if far:
        plan.measured_at = {name: figure.number for name, figure in asked.items() if figure is not None}
        work = works["concurrency"]
        if work is not None:
            figure = plan.found.figures["measured_concurrency"]
            plan.found.figures["measured_concurrency"] = replace(
                figure, value=work.number, status="derived", source="deployment: the output is scaled to it"
            )


def _generated(plan: Plan, output: Figure | None) -> Figure | None:
    """Reasoning is part of what a measurement generates."""
    reasoning = plan.found.figures.get("reasoning_tokens")
    if output is None or reasoning is None or not (output.is_one and reasoning.is_one):
        return output
    return replace(output, value=output.number + reasoning.to(output.unit).number)


def _times(there: float, here: float) -> str:
    low, high = sorted((there, here))
    return f"{high / low:,.3g} times as much" if low > 0 else "one of them is none"


def _in_flight(fleet: Fleet, plan: Plan) -> Figure | None:
    """Requests in flight on a system, where the deployment states them; with one replica at least."""
    stated, size = fleet.deployment, plan.found.figures.get("gpus_per_system")
    if not stated or not stated.concurrency or not size or not size.is_one:
        return None
    replicas = size.number // stated.gpus_per_replica.number if stated.gpus_per_replica else 1.0
    flight = stated.concurrency.number * replicas
    measured = fleet.measured.concurrency if fleet.measured else None
    if not stated.gpus_per_replica and measured and flight <= measured.number:
        return None
    return replace(stated.concurrency, value=flight, unit="request/system")
