"""What runs on a part: engines, precisions that it computes, and those that only hold its weights."""

from __future__ import annotations

from typing import NamedTuple

from tco.catalogue import Entry
from tco.scenario.calibrated import engine_of
from tco.scenario.plan import Context, Parts, Plan
from tco.scenario.schema import Fleet

KERNELS_OF_VLLM = ("vllm", "sglang")
"""Engines with kernels that expand 8-bit and 4-bit floating-point weights on parts that do not compute in them."""


RUNS_ON = {
    **dict.fromkeys(("megatron", "torchtitan", "torchtune", "llm-foundry", "llama-factory", "fsdp_qlora"), "pytorch"),
    "maxtext": "jax", "mlperf": "pytorch", "llm.q": "tensorrt-llm",
}  # fmt: skip
"""What the training frameworks of the calibration need; llm.q needs CUDA, as TensorRT-LLM does."""


TRAINS = ("pytorch", "jax", "mlx")
"""Engines that train; a part without any of them serves only."""


class Support(NamedTuple):
    """Whether engine and precision run, the sentence that says so, and whether the precision holds weights only."""

    runs: bool
    reason: str
    weights_only: bool = False


def support(context: Context, fleet: Fleet, parts: Parts, plan: Plan) -> Support:
    """The part runs the engine, or a port makes it; and it computes in the precision, or holds weights in it."""
    gpu = parts.gpu or Entry("", "")
    runs, serves = (gpu.texts.get(name, "").split() for name in ("precisions", "frameworks"))
    ported = _ported(context, fleet, gpu, serves, plan)
    needed = {fleet.framework, RUNS_ON.get(fleet.framework or "")}
    if fleet.framework and not needed & set(serves) and not ported:
        return Support(False, f"{gpu.id} is served by {', '.join(serves) or 'no framework'}, not by {fleet.framework}")
    if plan.kind != "inference" and serves and not {*TRAINS} & set(serves) and not ported:
        return Support(False, f"{gpu.id} is served by {', '.join(serves)}, by none that trains")
    held = _held(context, fleet, gpu) if plan.kind == "inference" else []
    plan.runs = (*runs, *held)
    told = f"{gpu.id} runs {', '.join(runs) or 'no precision that is known'}"
    told += f"; weights alone may be {', '.join(held)}" if held else ""
    if fleet.one_precision in runs:
        return Support(True, told)
    if fleet.one_precision not in held:
        alone = plan.kind != "inference" and fleet.one_precision in _held(context, fleet, gpu)
        why = "; nothing is trained in a precision that holds weights only" if alone else ""
        return Support(False, f"{told}{why}")
    words = f"{fleet.one_precision} holds the weights only: {gpu.id} computes them in 16 bit, at its 16-bit rate"
    plan.tell("weights-only", words)
    return Support(True, words, weights_only=True)


def _held(context: Context, fleet: Fleet, gpu: Entry) -> list[str]:
    """Precisions that hold weights only, under the fleet's engine."""
    name = gpu.texts.get("software_family", "")
    family = (context.catalogue.get("software", name) if name else None) or Entry("", "")
    held = family.texts.get("weights_only", "").split()
    if engine_of(gpu, fleet.framework) in KERNELS_OF_VLLM:
        held += family.texts.get("weights_only_vllm", "").split()
    return held


def _ported(context: Context, fleet: Fleet, gpu: Entry, serves: list[str], plan: Plan) -> bool:
    """A port that the fleet pays for makes its engine run, and the reader is told."""
    porting = fleet.pricing.porting if fleet.pricing else None
    if not porting or not porting.framework:
        return False
    where = (*plan.path, "pricing", "porting")
    if porting.framework != fleet.framework:
        told = f"the port makes {porting.framework} run, the fleet's `framework` is {fleet.framework or 'not stated'}"
        context.problems.add((*where, "framework"), f"{told}; state the same engine at both places")
    elif not {"porting_price", "porting_upkeep"} & set(plan.found.figures):
        context.problems.add(where, "a port has a price; state `once`, `yearly` or both")
    elif fleet.framework in serves:
        plan.tell("ported", f"{fleet.framework} runs on {gpu.id} without the port whose cost is counted")
    else:
        told = f"{fleet.framework} does not run on {gpu.id} by itself: the port under `pricing.porting` makes it run"
        plan.tell("ported", f"{told}, its cost is counted, and the speed is an estimate for that engine; measure it")
        return True
    return False
