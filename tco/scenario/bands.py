"""Which 80 % bands of the calibration hold for a fleet: one for each quantity that a reader sees."""

from __future__ import annotations

from dataclasses import replace

from tco.catalogue import Catalogue, Entry
from tco.figures import Figure

DATACENTRE = ("hopper", "blackwell", "ampere", "cdna", "pcie-datacenter")
NARROW = ("fp8", "fp4")
UNCALIBRATED = "band-uncalibrated"
NAMES = {
    "throughput": "output_error", "time_per_token": "token_time_error", "first_token_time": "first_token_error",
    "prefill_rate": "prompt_rate_error", "training_rate": "training_error",
}  # fmt: skip
"""Quantity of the calibration, input of the lines."""
SERVED = ("throughput", "time_per_token", "first_token_time", "prefill_rate")


def inference_bands(
    catalogue: Catalogue, hardware: str, kind: str, precision: str, *, one_stream: bool
) -> dict[str, Figure]:
    """Output, time per token, first token and prompt; those of a part that was never measured are the widest."""
    if hardware == "other":
        return _figures(catalogue, dict.fromkeys(SERVED, UNCALIBRATED))
    serving = _serving(hardware, kind, precision)
    entries = {
        "throughput": serving,
        "time_per_token": serving,
        "first_token_time": f"band-{kind}-first-token-under-load",
        "prefill_rate": "band-workstation-prompt" if hardware == "workstation" else "band-prompt",
    }
    found = _figures(catalogue, entries)
    return found | (_alone(catalogue, hardware, kind, precision) if one_stream else {})


def _serving(hardware: str, kind: str, precision: str) -> str:
    if hardware not in DATACENTRE:
        return "band-consumer-and-workstation-serving"
    if kind == "mixture":
        return "band-datacentre-mixture-serving"
    return f"band-datacentre-dense-{'fp8-fp4' if precision in NARROW else '16-bit'}-serving"


def _alone(catalogue: Catalogue, hardware: str, kind: str, precision: str) -> dict[str, Figure]:
    """Time per token of an engine of one stream: the band of its rate, upside down."""
    if hardware in DATACENTRE:
        name = "datacentre"
    elif kind == "mixture":
        name = "mixture"
    elif hardware == "apple":
        name = f"apple-{'16-bit' if precision in ('bf16', 'fp16') else '4-bit'}"
    else:
        name = hardware
    found = _figures(catalogue, {"decode_rate": f"band-{name}-single-stream"})
    turned = {"low": found.get("decode_rate_high"), "high": found.get("decode_rate_low")}
    return {
        f"token_time_error_{end}": replace(one, value=1 / one.number, note=f"one over {one.number:g}; {one.note}")
        for end, one in turned.items()
        if one is not None
    }


def _figures(catalogue: Catalogue, entries: dict[str, str]) -> dict[str, Figure]:
    result: dict[str, Figure] = {}
    for quantity, entry in entries.items():
        found = catalogue.get("efficiency", entry) or Entry("efficiency", entry)
        for end in ("low", "high"):
            if figure := found.figures.get(f"{quantity}_error_{end}"):
                told = replace(figure, status="estimate") if entry == UNCALIBRATED else figure
                result[f"{NAMES.get(quantity, quantity)}_{end}"] = told
    return result


def training_band(catalogue: Catalogue, hardware: str, kind: str, method: str, *, fast: bool) -> dict[str, Figure]:
    """The rate of training; adapters over a slow link wait for the gathers of the weights."""
    adapters = "band-fine-tuning" if fast else "band-fine-tuning-over-pcie"
    entry = f"band-{kind}-training" if method == "full" else adapters
    return _figures(catalogue, {"training_rate": UNCALIBRATED if hardware == "other" else entry})
