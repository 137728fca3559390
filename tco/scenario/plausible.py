"""What no part can do: work faster than its peak, a peak that is another, a mixture whose tokens use all of it."""

from __future__ import annotations

from tco.errors import UnitError
from tco.figures import Figure
from tco.scenario.paths import Path
from tco.scenario.plan import Context, Parts, Plan
from tco.scenario.precision import RATES
from tco.scenario.schema import Fleet
from tco.wording import plain

FORWARD, TRAINED = 2.0, 6.0
"""FLOPs a parameter and token: a multiply and an add, and twice as much backward."""

SPARSE = 2.0
"""Data sheets name the rate with structured sparsity, twice the dense one."""

SAME = 0.01
"""Rates that differ by less are the same."""

ALL = 0.999
"""Share of the parameters above which a token is said to use them all."""


def plausible(context: Context, fleet: Fleet, parts: Parts, plan: Plan) -> None:
    """Refuse what cannot be, and name what is probably another figure."""
    if fleet.measured and plan.measured:
        _within_the_peak(context, fleet, plan)
        if plan.kind == "inference" and not (fleet.deployment and fleet.deployment.speculation):
            _within_the_bandwidth(context, plan)
    _dense(fleet, parts, plan)
    _fewer_than_all(context, plan)


def _figure(plan: Plan, name: str, unit: str, usual: float | None = None) -> float | None:
    """A figure as one number, None where it is not known or not readable; that is told elsewhere."""
    found = plan.found.figures.get(name)
    if found is None or not found.is_one:
        return usual
    try:
        return found.to(unit).number
    except UnitError:
        return usual


def _within_the_peak(context: Context, fleet: Fleet, plan: Plan) -> None:
    """Tokens times FLOPs a token are not above the dense peak of what was measured."""
    serves = plan.kind == "inference"
    name, unit = ("measured_output", "token/s/system") if serves else ("measured_token_rate", "token/s/gpu")
    rate, peak = _figure(plan, name, unit), _figure(plan, "peak_rate", "TFLOP/s/gpu")
    active = _figure(plan, "active_parameters", "Gparameter")
    flops = FORWARD if serves else _figure(plan, "training_flops", "FLOP/parameter/token", TRAINED)
    gpus = _figure(plan, "gpus_per_system", "gpu/system") if serves else 1.0
    if rate is None or peak is None or active is None or flops is None or gpus is None:
        return
    reached, most = rate * flops * active / 1000, peak * gpus
    if reached <= most:
        return
    whose, key = (f"{gpus:g} GPUs", "output") if serves else ("a GPU", "tokens")
    told = f"{plain(rate)} {unit} x {flops:g} FLOP x {plain(active)} Gparameter are {plain(reached)} TFLOP/s"
    bound = f"the dense {fleet.one_precision or ''} peak of {whose} is {plain(most)}".replace("  ", " ")
    way = (
        "state output tokens of one system, and the parameters that a token uses"
        if serves
        else "state tokens of one GPU, not of all together, and the parameters that a token uses"
    )
    context.problems.add((*plan.path, "measured", key), f"{told}, and {bound}; {way}")


def _within_the_bandwidth(context: Context, plan: Plan) -> None:
    """Every token of a request reads the active weights once more, on all GPUs at most; drafts would say so."""
    rate, flight = (
        _figure(plan, "measured_output", "token/s/system"),
        _figure(plan, "measured_concurrency", "request/system"),
    )
    active, width = (
        _figure(plan, "active_parameters", "Gparameter"),
        _figure(plan, "bytes_per_parameter", "byte/parameter"),
    )
    bandwidth, gpus = _figure(plan, "gpu_bandwidth", "GB/s/gpu"), _figure(plan, "gpus_per_system", "gpu/system")
    if rate is None or not flight or active is None or width is None or bandwidth is None or gpus is None:
        return
    read, most = rate / flight * active * width, bandwidth * gpus
    if read > most:
        told = f"{plain(rate)} token/s for {plain(flight)} requests in flight read {plain(read)} GB/s of active weights"
        bound = f"the memory of {gpus:g} GPUs gives {plain(most)}"
        way = "state the requests that were in flight on the system, and its output in all"
        context.problems.add((*plan.path, "measured", "output"), f"{told}, and {bound}; {way}")


def _dense(fleet: Fleet, parts: Parts, plan: Plan) -> None:
    """A rate that the scenario states, and that is twice the catalogue's, is probably the one with sparsity."""
    if parts.gpu is None:
        return
    for name, rate in (("peak_rate", RATES.get(fleet.one_precision or "", "")), ("rate_16_bit", "rate_bf16")):
        known: Figure | None = parts.gpu.figures.get(rate)
        stated = _figure(plan, name, "TFLOP/s/gpu") if _is_stated(plan.found.paths.get(name, ())) else None
        if known and stated and abs(stated / known.number / SPARSE - 1) < SAME:
            told = f"{name} is stated as {plain(stated)} TFLOP/s/gpu, twice the dense {plain(known.number)} of"
            plan.tell(
                "sparse-rate", f"{told} {parts.gpu.id}: the data sheet's rate with sparsity? State the dense rate"
            )


def _is_stated(path: Path) -> bool:
    return "inputs" in path


def _fewer_than_all(context: Context, plan: Plan) -> None:
    """A token of a mixture uses some experts, so that fewer parameters are active than there are."""
    experts = _figure(plan, "experts", "", 1.0) or 1.0
    used = _figure(plan, "experts_per_token", "", 1.0) or 1.0
    total, active = (_figure(plan, name, "Gparameter") for name in ("parameters", "active_parameters"))
    if experts <= used or total is None or active is None or active < total * ALL:
        return
    told = f"a token uses {used:g} of {experts:g} experts, and {plain(active)} of {plain(total)} Gparameter"
    if "experts_per_token" not in plan.found.figures:
        told = f"a mixture of {experts:g} experts, and a token uses {plain(active)} of {plain(total)} Gparameter"
    place = plan.found.paths.get("active_parameters") or plan.path
    context.problems.add(
        place, f"{told}: state the active ones, such as `active_parameters: {plain(total / 8)} Gparameter`"
    )
