"""Figures that follow from the kind of training: method, adapters, reach of a run."""

from __future__ import annotations

from dataclasses import replace

from tco.figures import Figure
from tco.scenario.gather import derived, flag
from tco.scenario.plan import Context, Parts, Plan

FLOPS = {"lora": (4.0, "LoRA leaves out the weight gradients"), "qlora": (6.0, "QLoRA computes the forward pass again")}
FROZEN = {"lora": (2.0, "16 bit"), "qlora": (0.5625, "NF4 with a 32-bit scale for 64 weights")}
FABRIC = 8
"""Cloud instances of this many GPUs share a fabric."""

FABRICS = ("ICI", "NeuronLink", "GPU domain")
"""Interconnects that join instances of any size."""


def training_job(context: Context, parts: Parts, plan: Plan) -> None:
    """Add goodput where nothing is stated, the reach of a run, and what the method brings."""
    _goodput(context, plan)
    if context.problems.below(plan.path):
        return
    unstated = derived(1.0, "", "no failures stated", as_of=context.scenario.as_of)
    plan.found.put_new("goodput_share", replace(unstated, status="default", origin="default"), shared=True)
    _reach(parts, plan)
    method = context.scenario.workload.method or "full"
    if plan.kind == "finetune" and method != "full":
        _method(context, method, parts, plan)


FROM_FAILURES = ("failure_rate", "restart_time", "checkpoint_time")


def _goodput(context: Context, plan: Plan) -> None:
    """Goodput is given, or follows from all of failures, restarts and checkpoints."""
    figures, paths = plan.found.figures, plan.found.paths
    stated = [name for name in FROM_FAILURES if name in figures]
    own = [name for name in stated if name != "failure_rate"]
    for name in own:
        if "goodput_share" in figures:
            context.problems.add(paths[name], "cannot count beside a stated `goodput`; keep one of them")
    missing = [name for name in FROM_FAILURES if name not in stated]
    if own and missing and "goodput_share" not in figures:
        told = f"goodput from failures also needs {' and '.join(f'`{name}`' for name in missing)}"
        context.problems.add(paths[own[0]], f"{told}; state it, or `goodput` instead")


def _method(context: Context, method: str, parts: Parts, plan: Plan) -> None:
    for name, unit, table in (
        ("training_flops", "FLOP/parameter/token", FLOPS),
        ("frozen_bytes", "byte/parameter", FROZEN),
    ):
        value, note = table[method]
        figure = replace(derived(value, unit, f"method: {method}"), note=note)
        if name not in plan.found.figures:
            plan.found.put(name, figure, ("workload", "method"), shared=True)
    rank = context.scenario.workload.rank
    if parts.model and rank:
        plan.found.put_new("adapter_parameters", _adapters(parts, rank.number))
    elif "adapter_parameters" not in plan.found.figures:
        context.problems.add(("workload",), f"the method {method} needs the `rank` of its adapters, such as `16`")


def _adapters(parts: Parts, rank: float) -> Figure:
    """Adapters on the four attention matrices of each layer: rank x (in + out)."""
    assert parts.model is not None
    layers, hidden, heads, caches, size = (
        parts.model.figures[name].number for name in ("layers", "hidden_size", "heads", "kv_heads", "head_dim")
    )
    count = rank * layers * (2 * (hidden + heads * size) + 2 * (hidden + caches * size))
    return derived(count / 1e9, "Gparameter", "rank x (in + out) of the query, key, value and output matrices")


def _reach(parts: Parts, plan: Plan) -> None:
    """Whether a run may span systems: by a network that is paid for, or the fabric of large cloud instances."""
    if "scale_out" in plan.found.figures:
        return
    held = parts.system.texts.get("includes", "").split() if parts.system else []
    size = plan.found.figures.get("gpus_per_system")
    if plan.payment == "rent":
        joined = any(word in (parts.gpu.texts.get("interconnect", "") if parts.gpu else "") for word in FABRICS)
        linked = joined or bool(size and size.is_one and size.number >= FABRIC)
        note = f"instances of {FABRIC} GPUs and more share a fabric" if linked else "small instances share no fabric"
    else:
        linked = "network_price" in plan.found.figures or "scale_out_network" in held
        missing = "no network between systems is stated (`pricing: {network: … USD/gpu}`)"
        note = "a network is in the price or stated" if linked else missing
    plan.found.put("scale_out", flag(linked, note))
    if not linked:
        plan.tell("one-system", f"{note}; a run stays inside one system")
