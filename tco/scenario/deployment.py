"""What the user fixes of a deployment: it is no longer searched, and must be possible."""

from __future__ import annotations

from tco.figures import Figure
from tco.scenario.plan import Context, Plan
from tco.scenario.schema import Deployment

SEARCHED = ("gpus_per_replica", "concurrency", "shard_gpus")
"""Keys that feed the input of their own name, which has no other source."""


def deployment(context: Context, stated: Deployment, plan: Plan) -> None:
    """Take what is fixed; a problem for each key that another contradicts."""
    for name in SEARCHED:
        figure: Figure | None = getattr(stated, name)
        if figure is not None:
            plan.found.put(name, figure, (*plan.path, "deployment", name))
    found = {name: figure.number for name, figure in plan.found.figures.items() if figure.is_one}
    for key, told in _impossible(stated, found):
        context.problems.add((*plan.path, "deployment", key), told)


def _impossible(stated: Deployment, found: dict[str, float]) -> list[tuple[str, str]]:
    size, within = found.get("gpus_per_replica", 1.0), found.get("gpus_per_system")
    stages, batch, limit = (found.get(name) for name in ("pipeline_stages", "concurrency", "batch_limit"))
    told = list[tuple[str, str]]()
    if within and size > within:
        text = f"a replica of {size:g} GPUs does not fit into a system of {within:g}; state at most {within:g}"
        told.append(("gpus_per_replica", text))
    if stated.gpus_per_replica and not found.get("one_stream"):
        told += [("gpus_per_replica", text) for text in _of_heads(found, size / (stages or 1.0))]
    if stated.pipeline_stages and stages:
        told += [("pipeline_stages", text) for text in _of_stages(stated, found, stages)]
    if stated.concurrency and batch and limit and batch > limit:
        text = f"{batch:,.0f} requests are in flight, the engine runs {limit:,.0f} at once; state at most {limit:,.0f}"
        told.append(("concurrency", f"{text}, or a higher `batch_limit`"))
    return told


def _of_heads(found: dict[str, float], tensor: float) -> list[str]:
    """GPUs that share a layer divide its heads among them."""
    heads = found.get("heads")
    if heads and tensor == round(tensor) and heads % tensor:
        return [f"{tensor:g} GPUs share a layer of {heads:g} heads and cannot divide them evenly; state another number"]
    return []


def _of_stages(stated: Deployment, found: dict[str, float], stages: float) -> list[str]:
    """A stage has whole GPUs of one system, and an engine that splits by layer has no choice."""
    if found.get("one_stream"):
        return ["this engine splits a model by layer: every GPU is a stage; leave `pipeline_stages` out"]
    size, within = found.get("gpus_per_replica"), found.get("gpus_per_system")
    if stated.gpus_per_replica and size and size % stages:
        return [f"{size:g} GPUs of a replica are no multiple of {stages:g} stages; state a divisor of {size:g}"]
    if within and stages > within:
        return [f"{stages:g} stages need as many GPUs, a system has {within:g}; state at most {within:g}"]
    return []
