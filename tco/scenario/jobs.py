"""Figures that follow from the kind of training: method, adapters, reach of a run."""

from __future__ import annotations

from dataclasses import replace

from tco.figures import Figure
from tco.scenario.gather import derived, flag
from tco.scenario.layout import base, layout
from tco.scenario.plan import Context, Parts, Plan
from tco.scenario.reliability import run_reliability
from tco.scenario.schema import Fleet

ADAPTED = 4.0
"""FLOPs a parameter and token of a method with adapters: it leaves out the weight gradients."""

AGAIN = 2.0
"""FLOPs a parameter and token of the pass that QLoRA computes again; they count apart unless an MFU is stated."""
FABRIC = 8
"""Cloud instances of this many GPUs share a fabric."""

FABRICS = ("ICI", "NeuronLink", "GPU domain")
"""Interconnects that join instances of any size."""


def training_job(context: Context, fleet: Fleet, parts: Parts, plan: Plan) -> None:
    """Add what failures leave of the time, the reach of a run, and what the method brings."""
    run_reliability(context, parts, plan)
    if context.problems.below(plan.path):
        return
    _reach(parts, plan)
    method = context.scenario.workload.method or "full"
    if plan.kind == "finetune" and method != "full":
        _method(context, method, parts, plan)
    layout(context, fleet, parts, plan)
    _links(fleet, plan)


def _links(fleet: Fleet, plan: Plan) -> None:
    """Gathers over an unknown link are left out, and that is told."""
    figures = plan.found.figures
    size, estimated = figures.get("gpus_per_system"), not (fleet.measured or "training_efficiency" in figures)
    several = size is not None and size.is_one and size.number > 1
    if estimated and several and "link_bandwidth" not in figures:
        plan.tell(
            "no-interconnect",
            "the bandwidth between its GPUs is not known, so that gathers of divided weights are not counted; "
            "state `inputs: {link_bandwidth: … GB/s/gpu}`",
        )


def _method(context: Context, method: str, parts: Parts, plan: Plan) -> None:
    again = method == "qlora" and "training_efficiency" in plan.found.figures
    value, note = (ADAPTED + AGAIN, " and computes the forward pass again") if again else (ADAPTED, "")
    told = f"{method} leaves out the weight gradients{note}"
    figure = replace(derived(value, "FLOP/parameter/token", f"method: {method}"), note=told)
    if "training_flops" not in plan.found.figures:
        plan.found.put("training_flops", figure, ("workload", "method"), shared=not again)
    base(plan, method)
    rank = context.scenario.workload.rank
    if parts.model and rank:
        every = context.scenario.workload.adapters == "all"
        plan.found.put_new("adapter_parameters", _adapters(parts, rank.number, every=every))
    elif "adapter_parameters" not in plan.found.figures:
        context.problems.add(("workload",), f"the method {method} needs the `rank` of its adapters, such as `16`")


def _adapters(parts: Parts, rank: float, *, every: bool) -> Figure:
    """Adapters on the four attention matrices of each layer, or on the feed-forward ones too: rank x (in + out)."""
    assert parts.model is not None
    figures = parts.model.figures
    layers, hidden, heads, caches, size = (
        figures[name].number for name in ("layers", "hidden_size", "heads", "kv_heads", "head_dim")
    )
    attention = 2 * (hidden + heads * size) + 2 * (hidden + caches * size)
    told = "rank x (in + out) of the query, key, value and output matrices"
    if not every:
        return derived(rank * layers * attention / 1e9, "Gparameter", told)
    stated = figures.get("embedding_tables")
    tables = (stated.number if stated else EMBEDDINGS) * figures["vocabulary"].number * hidden
    rest = (figures["parameters"].number * 1e9 - tables) / layers - 2 * hidden * (heads + caches) * size
    feed_forward = MATRICES * figures["experts"].number * hidden + max(rest, 0) / hidden
    count = rank * layers * (attention + feed_forward)
    return derived(count / 1e9, "Gparameter", f"{told}, and of the three of the feed-forward part, of every expert")


EMBEDDINGS = 2.0
"""Tables of the vocabulary, in and out."""

MATRICES = 3.0
"""Gate, up and down; rank x (in + out) of each adds up to rank x (3 hidden + their parameters over hidden)."""


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
