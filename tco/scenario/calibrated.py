"""The constants of speed of a fleet: a base of the calibration times a factor for each thing that is known of it."""

from __future__ import annotations

import math
from dataclasses import replace

from tco.catalogue import Catalogue, Entry
from tco.figures import Figure

ONE_STREAM = ("llama.cpp", "mlx")
"""Engines that split a model by layer and take one GPU at a time."""

DATACENTRE = ("hopper", "blackwell", "ampere", "cdna", "pcie-datacenter")
FAST_LINK = 300.0
"""GB/s a GPU, both directions, above which a link counts as fast; PCIe cards and network-attached chips are below."""

EXPONENTS = ("size_exponent", "expert_width_exponent", "overhead_size_exponent")
CEILINGS = {
    "decode_bandwidth_efficiency": 1.0, "cache_bandwidth_efficiency": 1.0, "decode_compute_efficiency": 1.0,
    "decode_attention_efficiency": 1.0, "prefill_attention_efficiency": 1.0, "prefill_efficiency": 3.0,
    "link_efficiency": 2.0,
}  # fmt: skip
GOVERNING = ("decode_bandwidth_efficiency", "decode_compute_efficiency", "prefill_efficiency")
BANDS = {"throughput_error_low": "output_error_low", "throughput_error_high": "output_error_high"}


def engine_of(gpu: Entry | None, framework: str | None) -> str:
    """The one that is stated; else llama.cpp where vLLM does not run, else vLLM."""
    serves = gpu.texts.get("frameworks", "").split() if gpu else []
    return framework or ("llama.cpp" if "llama.cpp" in serves and "vllm" not in serves else "vllm")


def calibrated(
    catalogue: Catalogue, gpu: Entry, model: Entry | None, precision: str | None, framework: str | None
) -> dict[str, Figure]:
    """Every constant for a part, an engine, a precision and a kind of model, with its band where one is known."""
    hardware = gpu.texts.get("hardware_class", "other")
    mixture = model is not None and model.texts.get("moe") == "yes"
    levels = _levels(gpu, hardware, "mixture" if mixture else "dense", precision or "", engine_of(gpu, framework))
    base, factors = catalogue.find("efficiency", "base"), [_entry(catalogue, level) for level in levels]
    figures = {name: _product(name, figure, factors) for name, figure in base.figures.items()}
    measured = hardware != "other"
    if not measured:
        figures = {name: replace(figure, status="estimate") for name, figure in figures.items()}
    band = _entry(catalogue, _band(hardware, mixture, precision or "")) if measured else Entry("efficiency", "")
    for stated, name in BANDS.items():
        if stated in band.figures:
            figures[name] = band.figures[stated]
    trained = _entry(catalogue, f"{gpu.texts.get('efficiency_group', 'other')}-{'moe' if mixture else 'dense'}")
    return {**_ranged(figures), **trained.figures}


def _levels(gpu: Entry, hardware: str, kind: str, precision: str, engine: str) -> tuple[str, ...]:
    wide = {"bf16": "fp16"}.get(precision, precision)
    rates = ("fp4", "with-fp4"), ("fp8", "with-fp8")
    generation = next((word for rate, word in rates if f"rate_{rate}" in gpu.figures), "16-bit")
    link = gpu.figures.get("link_bandwidth")
    fast = "fast" if link and link.number > FAST_LINK else "slow"
    mine = f"hardware-{hardware}"
    return (
        f"engine-{engine}", mine, f"precision-{wide}", f"kind-{kind}", f"link-{fast}", f"{mine}+precision-{wide}",
        f"{mine}+kind-{kind}", f"{mine}+engine-{engine}", f"{mine}+generation-{generation}",
    )  # fmt: skip


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


def _band(hardware: str, mixture: bool, precision: str) -> str:
    if hardware not in DATACENTRE:
        return "band-consumer-and-workstation-serving"
    if mixture:
        return "band-datacentre-mixture-serving"
    return f"band-datacentre-dense-{'fp8-fp4' if precision in ('fp8', 'fp4') else '16-bit'}-serving"


def _ranged(figures: dict[str, Figure]) -> dict[str, Figure]:
    """The band of the output as the range of the shares on which it hangs: as if each were wrong alone."""
    low, high = (figures.get(name) for name in BANDS.values())
    if low is None or high is None:
        return figures
    wide = dict(figures)
    for name in GOVERNING:
        figure = figures[name]
        most = min(figure.number * high.number, max(CEILINGS[name], figure.number))
        wide[name] = replace(figure, low=figure.number * low.number, high=most)
    return wide
