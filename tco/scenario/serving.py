"""How a model is served: partitions of a GPU, drafts that are verified, and what a target is meant for."""

from __future__ import annotations

from dataclasses import replace

from tco.catalogue import Entry
from tco.errors import CatalogueError
from tco.figures import Figure
from tco.scenario.gather import derived
from tco.scenario.plan import Context, Parts, Plan
from tco.scenario.schema import Fleet, Speculation

PERCENTILE = 99
"""The one for which the calibration knows how far means must stay below: targets of MLPerf server runs."""

DRAFT = ("drafted_tokens", "draft_parameters", "draft_active_parameters", "draft_layers", "draft_kv_elements")
"""Inputs without which nothing is drafted."""


def serving(context: Context, fleet: Fleet, parts: Parts, plan: Plan) -> None:
    """Add what a deployment for inference says, and the margin of its targets."""
    _partitions(context, fleet, parts, plan)
    if fleet.deployment and fleet.deployment.speculation:
        _speculation(context, fleet.deployment.speculation, parts, plan)
    found = plan.found.figures
    missing = [name for name in DRAFT if name not in found]
    if "accepted_chance" not in found and "accepted_share" not in found:
        missing.append("accepted_chance")
    stated = [name for name in DRAFT if name in found]
    if stated and missing and not context.problems.below(plan.path):
        told = f"{' and '.join(f'`{name}`' for name in missing)} is missing for `{stated[0]}`"
        context.problems.add(
            plan.found.paths[stated[0]] or plan.path, f"{told}; state `deployment.speculation` instead"
        )


def _partitions(context: Context, fleet: Fleet, parts: Parts, plan: Plan) -> None:
    found = plan.found.figures
    count = found.get("partitions")
    if count is None or not count.is_one or count.number <= 1:
        return
    place = plan.found.paths["partitions"]
    arithmetic, memory = (found.get(name) for name in ("compute_slices", "memory_slices"))
    whose = parts.gpu.id if parts.gpu else "this GPU"
    if arithmetic is None or memory is None:
        told = f"{whose} is not known to divide; leave `partitions` out, or state its slices"
        context.problems.add(place, f"{told}: `inputs: {{compute_slices: 7, memory_slices: 8}}`")
        return
    most = min(arithmetic.number, memory.number)
    if count.number > most:
        context.problems.add(place, f"{whose} divides into {most:g} at most; state `partitions` up to {most:g}")
        return
    size = fleet.deployment.gpus_per_replica if fleet.deployment else None
    size = size or found.get("gpus_per_replica")
    if size and size.number > 1:
        told = f"a replica of {size.number:g} GPUs spans partitions, which have no link"
        context.problems.add(place, f"{told}; leave `partitions` or `gpus_per_replica` out")
    told = "a replica stays inside a partition"
    plan.found.put("gpus_per_replica", replace(derived(1.0, "gpu/replica", told), origin="choice"))
    plan.tell("partitioned", _shares(count.number, arithmetic.number, memory.number))


def _shares(count: float, arithmetic: float, memory: float) -> str:
    """What each partition has, and what is left to none."""
    own = [total // count for total in (arithmetic, memory)]
    idle = [total - part * count for total, part in zip((arithmetic, memory), own, strict=True)]
    text = f"each of {count:g} partitions has {own[0]:g}/{arithmetic:g} of a GPU's arithmetic and {own[1]:g}/{memory:g}"
    left = [
        f"{part:g}/{total:g} of the {word}"
        for part, total, word in zip(idle, (arithmetic, memory), ("arithmetic", "memory"), strict=True)
        if part
    ]
    lost = f"; {' and '.join(left)} {'lies' if len(left) == 1 else 'lie'} idle" if left else ""
    return f"{text} of its memory and bandwidth{lost}; the calibration holds no measurement of partitions"


def _speculation(context: Context, stated: Speculation, parts: Parts, plan: Plan) -> None:
    """The draft by a catalogue id, or by its size."""
    place = (*plan.path, "deployment", "speculation")
    if stated.accepted and stated.accepted_of_drafted:
        told = "`accepted` and `accepted_of_drafted` say the same in two ways; keep one"
        context.problems.add((*place, "accepted"), told, key=True)
    if not {"accepted_chance", "accepted_share"} & set(plan.found.figures):
        told = "how many drafts are accepted is not known; state `accepted_of_drafted` as an engine reports it"
        context.problems.add(place, f"{told}, or `accepted`: the chance of each, if those before it were")
    if stated.draft:
        _draft_model(context, stated, stated.draft, parts, plan)
    elif "draft_parameters" not in plan.found.figures or "draft_layers" not in plan.found.figures:
        told = "what drafts is not known; state `draft`, a model of the catalogue, or its `parameters` and `layers`"
        context.problems.add(place, f"{told} (1 layer for the usual MTP head; both 0 for drafts copied from the text)")
    else:
        _draft_heads(plan)


def _draft_model(context: Context, stated: Speculation, identity: str, parts: Parts, plan: Plan) -> None:
    place = (*plan.path, "deployment", "speculation")
    for name in ("parameters", "active_parameters", "layers", "cache"):
        if getattr(stated, name) is not None:
            told = f"`draft` and `{name}` say the same; keep one"
            context.problems.add((*place, name), told, key=True)
    try:
        model = context.catalogue.find("models", identity)
    except CatalogueError as error:
        context.problems.add((*place, "draft"), str(error))
        return
    if parts.model and (told := _unlike(model, parts.model)):
        context.problems.add((*place, "draft"), told)
    for name, figure in _figures_of(model).items():
        plan.found.put(name, figure)


def _unlike(draft: Entry, model: Entry) -> str:
    """Why the model cannot verify the draft; empty if it can. Tables that are padded differ by less than 0.5 %."""
    rows, own = (entry.figures.get("vocabulary") for entry in (draft, model))
    if rows and own and abs(rows.number / own.number - 1) > 0.005:
        told = f"`{draft.id}` has {rows.number:,g} tokens in its vocabulary, `{model.id}` {own.number:,g}"
        return f"{told}; name a draft of the model's own family"
    if draft.figures["parameters"].number >= model.figures["parameters"].number:
        return f"`{draft.id}` is no smaller than `{model.id}`; name a smaller model of its family"
    return ""


def _figures_of(model: Entry) -> dict[str, Figure]:
    """A draft's windows are taken as if they were whole: they are small."""
    figures = model.figures
    elements = figures["kv_elements"].number
    if "window_elements" in figures:
        elements += figures["window_elements"].number
    told = f"{model.id}, layers with a window as if they had none"
    return {
        "draft_parameters": figures["parameters"],
        "draft_active_parameters": figures["active_parameters"],
        "draft_layers": figures["layers"],
        "draft_kv_elements": replace(derived(elements, "element/token", told), as_of=figures["kv_elements"].as_of),
    }


def _draft_heads(plan: Plan) -> None:
    """Heads compute all that they have, and keep the cache of as many layers of the model."""
    found = plan.found.figures
    plan.found.put_new("draft_active_parameters", replace(found["draft_parameters"], note="all of them are read"))
    elements, layers = found.get("kv_elements"), found.get("layers")
    if elements and layers and elements.is_one and layers.is_one:
        value = elements.number / layers.number * found["draft_layers"].number
        told = "cache elements of the model a layer, times the layers of the draft"
        plan.found.put_new("draft_kv_elements", derived(value, "element/token", told))


def percentile(context: Context, plan: Plan) -> None:
    """How far means stay below targets that hold for 99 of 100 requests."""
    target = context.scenario.workload.target
    if target is None or target.percentile is None:
        return
    place = ("workload", "target", "percentile")
    if target.percentile.number != PERCENTILE:
        told = f"read {target.percentile.number:g}; the calibration knows means and the {PERCENTILE}th percentile only"
        way = "leave it out and state targets for the mean, or state `inputs: {target_share: …}`"
        context.problems.add(place, f"{told}; {way}")
        return
    if target.first_token is None and target.per_token is None:
        context.problems.add(place, "says what `first_token` and `per_token` hold for; state one of them")
    for name, figure in context.catalogue.find("efficiency", f"percentile-{PERCENTILE}").figures.items():
        if name in plan.found.figures:
            context.problems.add(place, f"`{name}` is stated under `inputs:` too; keep one of them")
        else:
            plan.found.put(name, figure, shared=True)
