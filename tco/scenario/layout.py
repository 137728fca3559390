"""How a training job is laid out: words of workload and deployment become inputs of the memory lines."""

from __future__ import annotations

from dataclasses import replace

from tco.figures import Figure
from tco.scenario.gather import derived
from tco.scenario.paths import Path
from tco.scenario.plan import Context, Parts, Plan
from tco.scenario.recipes import ATTENTIONS, LOSSES, METHODS, OFFLOADS, OPTIMIZERS, RECOMPUTED, STAGES, Recipe, figures
from tco.scenario.schema import Deployment, Fleet, Section

WIDE = 4.0
"""Bytes of an activation in 32 bit."""


def layout(context: Context, fleet: Fleet, parts: Parts, plan: Plan) -> None:
    """Add what the words say, accepted conventions where nothing is said, and the sizes of the model."""
    deployment, work = fleet.deployment, context.scenario.workload
    wide = fleet.one_precision == "fp32"
    stated = deployment.optimizer if deployment else None
    word = stated or work.optimizer or ("adamw_fp32" if wide else "adamw_fp32_grads")
    place: Path = (*plan.path, "deployment") if stated else ("workload",)
    _say(plan, OPTIMIZERS[word], "optimizer", word, (*place, "optimizer") if stated or work.optimizer else ())
    _say_of(plan, deployment, "zero", STAGES, 3)
    _say_of(plan, deployment, "offload", OFFLOADS, "none")
    _say_of(plan, deployment, "loss", LOSSES, "plain")
    _say_of(plan, deployment, "attention", ATTENTIONS, "flash")
    _kept(context, plan, deployment)
    if wide:
        for name, unit in (("activation_size", "byte/element"), ("gathered_bytes", "byte/parameter")):
            plan.found.put_new(name, derived(WIDE, unit, "precision: fp32"))
    _sizes(parts, plan)
    _needs(context, plan)
    _divides(context, deployment, plan)
    width = "feed_forward_width" in plan.found.figures
    plan.ways["feed_forward_size"] = "feed_forward_stated" if width else "feed_forward_derived"


def base(plan: Plan, method: str) -> None:
    """How the frozen base of adapters is held."""
    _say(plan, METHODS[method], "method", method, ("workload", "method"))


def _say_of(
    plan: Plan, section: Section | None, key: str, table: dict[str, Recipe] | dict[int, Recipe], usual: str | int
) -> None:
    found = getattr(section, key, None)
    word = usual if found is None else found
    _say(plan, table[word], key, word, () if found is None else (*plan.path, "deployment", key))  # type: ignore[index]


def _say(plan: Plan, recipe: Recipe, key: str, word: str | int, place: Path) -> None:
    """Inputs of a word; a number that the scenario states for itself stays."""
    for name, figure in figures(recipe, f"{key}: {word}", stated=bool(place)).items():
        if name not in plan.found.figures:
            plan.found.put(name, figure, place, shared=place[:1] != ("fleets",))


def _kept(context: Context, plan: Plan, deployment: Deployment | None) -> None:
    """What stays until the backward pass; the search chooses unless it is stated, or measured in one way only."""
    stated = {name for name in RECOMPUTED["full"].values if name in plan.found.figures}
    _say_of(plan, deployment, "recompute", RECOMPUTED, "full")
    kept = plan.found.figures["kept_feed_forward"]
    if kept.is_one:
        plan.found.figures["kept_feed_forward"] = replace(kept, value=_at_most(plan, kept.number))
    if stated or (deployment and deployment.recompute) or context.scenario.workload.method == "qlora":
        return
    scores = plan.found.figures["score_bytes"]
    words = [word for word in RECOMPUTED if word != "selective" or not scores.is_one or scores.number > 0]
    options = {word: dict(RECOMPUTED[word].values) for word in words}
    for values in options.values():
        values["kept_feed_forward"] = _at_most(plan, values["kept_feed_forward"])
    plan.words["recompute"] = options


def _at_most(plan: Plan, kept: float) -> float:
    """No more tensors of the feed-forward part are kept than there are: GELU has two."""
    there = plan.found.figures.get("feed_forward_tensors")
    return min(kept, there.number) if there and there.is_one else kept


def _sizes(parts: Parts, plan: Plan) -> None:
    """Elements of queries and keys: from the catalogue, else as in a model without grouped heads."""
    hidden = plan.found.figures.get("hidden_size")
    for name, count in (("query_size", "heads"), ("key_value_size", "kv_heads")):
        if parts.model:
            heads, size = (parts.model.figures[key].number for key in (count, "head_dim"))
            plan.found.put_new(name, derived(heads * size, "element/token", f"{count} x head_dim of {parts.model.id}"))
        elif hidden and hidden.is_one:
            told = derived(hidden.number, "element/token", "as wide as the hidden size: heads are not grouped")
            plan.found.put_new(name, replace(told, status="default", origin="default"))


def _needs(context: Context, plan: Plan) -> None:
    """What the words ask for must be known."""
    found = plan.found.figures
    scores = found["score_bytes"]
    if scores.is_one and scores.number > 0 and "heads" not in found:
        told = "attention: standard keeps scores of each head; state `inputs: {heads: …}`"
        context.problems.add((*plan.path, "deployment", "attention"), told)
    moved = [name for name in ("parameters", "optimizer", "activations") if _above_zero(found[f"{name}_offloaded"])]
    if moved and "host_memory" not in found:
        told = f"memory of the host is not known, and {' and '.join(moved)} rest there"
        context.problems.add(
            (*plan.path, "deployment", "offload"), f"{told}; state `inputs: {{host_memory: … GB/system}}`"
        )


def _above_zero(figure: Figure) -> bool:
    return figure.is_one and figure.number > 0


def _divides(context: Context, deployment: Deployment | None, plan: Plan) -> None:
    """One copy of the model takes tensor x pipeline GPUs; a layer is shared inside a system."""
    found = plan.found.figures
    tensor, stages = (found[name].number if name in found else 1.0 for name in ("tensor_parallel", "pipeline_parallel"))
    within, shards = found.get("gpus_per_system"), deployment.shard_gpus if deployment else None
    if within and within.is_one and (tensor > within.number or within.number % tensor):
        told = f"{tensor:g} GPUs share a layer, a system has {within.number:g}; state a divisor of {within.number:g}"
        context.problems.add((*plan.path, "deployment", "tensor_parallel"), told)
    layers = found.get("layers")
    if layers and layers.is_one and stages > layers.number:
        told = f"{stages:g} stages for {layers.number:g} layers; state at most {layers.number:g}"
        context.problems.add((*plan.path, "deployment", "pipeline_parallel"), told)
    if shards and shards.number % (tensor * stages):
        told = f"{shards.number:g} is no multiple of the {tensor * stages:g} GPUs that hold one copy of the model"
        context.problems.add((*plan.path, "deployment", "shard_gpus"), told)
