"""The constants of speed of a fleet: a base of the calibration times a factor for each thing that is known of it."""

from __future__ import annotations

import math
from dataclasses import replace

from tco.catalogue import Catalogue, Entry
from tco.figures import Figure
from tco.scenario.bands import inference_bands, training_band
from tco.scenario.schema import Fleet

ONE_STREAM = ("llama.cpp", "mlx")
"""Engines that split a model by layer and take one GPU at a time."""

FAST_LINK = 300.0
"""GB/s a GPU, both directions, above which a link counts as fast; PCIe cards and network-attached chips are below."""

EXPONENTS = (
    "size_exponent", "expert_width_exponent", "overhead_size_exponent", "training_size_exponent",
    "training_scale_exponent",
)  # fmt: skip
CEILINGS = {
    "decode_bandwidth_efficiency": 1.0, "cache_bandwidth_efficiency": 1.0, "decode_compute_efficiency": 1.0,
    "decode_attention_efficiency": 1.0, "prefill_attention_efficiency": 1.0, "prefill_efficiency": 3.0,
    "link_efficiency": 2.0,
}  # fmt: skip
GOVERNING = ("decode_bandwidth_efficiency", "decode_compute_efficiency", "prefill_efficiency")
TRAINED = ("training_error_low", "training_error_high")
OUTPUT = ("output_error_low", "output_error_high")


def engine_of(gpu: Entry | None, framework: str | None) -> str:
    """The one that is stated; else llama.cpp where vLLM does not run, else vLLM."""
    serves = gpu.texts.get("frameworks", "").split() if gpu else []
    return framework or ("llama.cpp" if "llama.cpp" in serves and "vllm" not in serves else "vllm")


def calibrated(
    catalogue: Catalogue, gpu: Entry, fleet: Fleet, method: str | None, *, mixture: bool
) -> dict[str, Figure]:
    """Every constant for a part, an engine, a precision and a kind of model, with its band where one is known.

    `method` is that of training (`full`, `lora`, `qlora`), None for inference.
    """
    hardware = gpu.texts.get("hardware_class", "other")
    kind = "mixture" if mixture else "dense"
    levels = _levels(gpu, hardware, kind, fleet, method)
    base, factors = catalogue.find("efficiency", "base"), [_entry(catalogue, level) for level in levels]
    figures = {name: _product(name, figure, factors) for name, figure in base.figures.items()}
    if hardware == "other":
        figures = {name: replace(figure, status="estimate") for name, figure in figures.items()}
    if method is not None:
        band = training_band(catalogue, hardware, kind, method, fast=_fast(gpu))
        return _ranged(figures | band, ("training_matrix_efficiency",), *(band.get(name) for name in TRAINED))
    alone = engine_of(gpu, fleet.framework) in ONE_STREAM
    figures |= inference_bands(catalogue, hardware, kind, fleet.one_precision or "", one_stream=alone)
    return _ranged(figures, GOVERNING, *(figures.get(name) for name in OUTPUT))


def _fast(gpu: Entry) -> bool:
    link = gpu.figures.get("link_bandwidth")
    return bool(link and link.number > FAST_LINK)


def _levels(gpu: Entry, hardware: str, kind: str, fleet: Fleet, method: str | None) -> tuple[str, ...]:
    wide = {"bf16": "fp16"}.get(fleet.one_precision or "", fleet.one_precision)
    rates = ("fp4", "with-fp4"), ("fp8", "with-fp8")
    generation = next((word for rate, word in rates if f"rate_{rate}" in gpu.figures), "16-bit")
    fast = "fast" if _fast(gpu) else "slow"
    mine, engine, precision = f"hardware-{hardware}", f"engine-{engine_of(gpu, fleet.framework)}", f"precision-{wide}"
    common = (mine, precision, f"kind-{kind}", f"{mine}+{precision}")
    if method is None:
        pairs = (f"{mine}+kind-{kind}", f"{mine}+{engine}", f"{mine}+generation-{generation}")
        return (engine, *common, f"link-{fast}", *pairs)
    framework = f"framework-{fleet.framework}"
    pairs = (f"kind-{kind}+{precision}", f"{framework}+{precision}")
    return (framework, *common, f"method-{method}", "offloading-none", *pairs)


def _entry(catalogue: Catalogue, level: str) -> Entry:
    """A level without a row changes nothing."""
    return catalogue.get("efficiency", level) or Entry("efficiency", level)


def _product(name: str, base: Figure, factors: list[Entry]) -> Figure:
    found = [(entry.id, entry.figures[name].number) for entry in factors if name in entry.figures]
    if name in EXPONENTS:
        value, sign = base.number + sum(effect for _, effect in found), "+"
    else:
        value = base.number * math.prod(effect for _, effect in found)
        value, sign = min(value, CEILINGS.get(name, math.inf)), "x"
    told = " ".join([f"base {base.number:g}", *(f"{sign} {level} {effect:g}" for level, effect in found)])
    return replace(base, value=value, note=told)


def _ranged(
    figures: dict[str, Figure], governing: tuple[str, ...], low: Figure | None, high: Figure | None
) -> dict[str, Figure]:
    """The band of the output as the range of the shares on which it hangs: as if each were wrong alone."""
    if low is None or high is None:
        return figures
    wide = dict(figures)
    for name in governing:
        figure = figures[name]
        most = min(figure.number * high.number, max(CEILINGS.get(name, math.inf), figure.number))
        wide[name] = replace(figure, low=figure.number * low.number, high=most)
    return wide
