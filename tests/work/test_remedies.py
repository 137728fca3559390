"""What does not fit is refused with the smallest change that makes it fit: the change is made, and it fits."""

from __future__ import annotations

import io
import re
from typing import Any

import pytest
from ruamel.yaml import YAML

from tco.result import FleetResult
from tco.session import loads

CLOUD = {"rent": {"gpu": "h100-sxm", "gpus": 8, "price": "2 USD/gpu/h"}, "precision": "bf16"}

WHOLE = {"tensor_parallel": 1, "pipeline_parallel": 1}
"""No layer is divided: the search would do so where nothing else fits."""
EIGHT = {**CLOUD, "deployment": {"shard_gpus": 8}}


def owned(gpu: str, precision: str, count: int = 1, **more: Any) -> dict[str, Any]:
    inputs = {"gpus_per_system": f"{count} gpu/system", "system_power": "2 kW/system", **more.pop("inputs", {})}
    return {"buy": {"gpu": gpu, "price": "9000 USD/system"}, "precision": precision, "inputs": inputs, **more}


def serving(model: str, length: int = 1000) -> dict[str, Any]:
    work = {"kind": "inference", "model": model, "requests": "100 request/day", "peak_to_mean": 1}
    return {**work, "input": f"{length} token/request", "output": "200 token/request"}


def training(model: str, kind: str = "training", **more: Any) -> dict[str, Any]:
    work = {"kind": kind, "model": model, "batch": "1 Mtoken/step", "sequence": "4096 token", **more}
    if kind == "finetune":
        return {"dataset": "1 Mtoken", "epochs": 1, "jobs": "1 job/yr", **work}
    return {"tokens": "1 Gtoken", "runs": "1 run/yr", **work}


def run(work: dict[str, Any], fleet: dict[str, Any]) -> FleetResult:
    scenario = {
        "format": 1, "title": "A misfit", "as_of": "2026-11-01", "currency": "USD",
        "timeline": {"start": "2027-01", "horizon": "1 yr", "step": "year"}, "workload": work,
        "electricity": {"price": "0.2 USD/kWh"}, "cooling": {"kind": "none"}, "finance": {"discount_rate": "0 %"},
        "fleets": [{"id": "one", **fleet}],
    }  # fmt: skip
    text = io.StringIO()
    YAML(typ="safe").dump(scenario, text)
    return loads(text.getvalue()).run().fleets[0]


MISFITS: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "70B at 16 bit on one consumer card": (serving("llama-3.3-70b"), owned("rtx-5090", "bf16")),
    "32B at 16 bit on a card of 24 GB": (serving("qwen2.5-32b"), owned("rtx-4090", "bf16")),
    "14B at 128k on two cards": (serving("qwen2.5-14b", 120000), owned("rtx-4090", "bf16", 2)),
    "8B at 120k on one old card": (serving("llama-3.1-8b", 120000), owned("rtx-3090", "bf16")),
    "a mixture on four cards": (serving("mixtral-8x7b"), owned("rtx-4090", "bf16", 4)),
    "a large mixture on eight cards": (serving("deepseek-v3"), CLOUD),
    "many requests that are stated": (
        serving("llama-3.3-70b", 8000), {**CLOUD, "precision": "fp8", "deployment": {"concurrency": 512}}),
    "a part without 8 bit floating point": (serving("llama-3.3-70b"), owned("apple-m4-max", "bf16")),
    "70B of which all is trained, on eight cards": (training("llama-3.1-70b"), EIGHT),
    "70B tuned whole on eight cards": (training("llama-3.1-70b", "finetune"), EIGHT),
    "8B tuned whole on one card of 24 GB": (training("llama-3.1-8b", "finetune"), owned("rtx-4090", "bf16")),
    "13B by LoRA on one card of 24 GB": (
        training("llama-2-13b", "finetune", method="lora", rank=16), owned("rtx-4090", "bf16")),
    "70B by QLoRA on one card of 24 GB": (
        training("llama-3.1-70b", "finetune", method="qlora", rank=16), owned("rtx-4090", "bf16")),
    "a long context": (training("llama-3.1-8b", sequence="131072 token"), {**CLOUD, "deployment": WHOLE}),
    "nothing computed again": (
        training("llama-3.1-8b"), {**CLOUD, "deployment": {**WHOLE, "recompute": "none", "micro_batch": 4}}),
    "a host that could hold the optimiser": (
        training("llama-3.1-70b", optimizer="adamw_mixed"),
        {**CLOUD, "deployment": {"shard_gpus": 8}, "inputs": {"host_memory": "3000 GB/system"}}),
    "70B with nothing saved": (
        training("llama-3.1-70b"), {**CLOUD, "deployment": {"shard_gpus": 8, "recompute": "none", "micro_batch": 2}}),
    "8B of long sequences on one workstation card": (
        training("llama-3.1-8b", sequence="32768 token"), owned("rtx-pro-6000-bw-ws", "bf16")),
    "systems without a network": (training("llama-3.1-70b"), owned("h100-sxm", "bf16", 8)),
}  # fmt: skip

METHOD = {"method": "lora", "rank": 16}
WORDS: dict[str, tuple[str, dict[str, Any]]] = {
    "one sequence at a time": ("deployment", {"micro_batch": 1}),
    "a chunked loss": ("deployment", {"loss": "chunked"}),
    "a fused loss": ("deployment", {"loss": "fused"}),
    "a sequence divided over 2 GPUs": ("deployment", {"context_parallel": 2}),
    "a sequence divided over 4 GPUs": ("deployment", {"context_parallel": 4}),
    "a sequence divided over 8 GPUs": ("deployment", {"context_parallel": 8}),
    "kept activations in the host's memory": ("deployment", {"offload": "activations"}),
    "full recomputation": ("deployment", {"recompute": "full"}),
    "states divided by ZeRO stage 1": ("deployment", {"zero": 1}),
    "states divided by ZeRO stage 2": ("deployment", {"zero": 2}),
    "states divided by ZeRO stage 3": ("deployment", {"zero": 3}),
    "an 8-bit optimiser on 16-bit weights": ("deployment", {"optimizer": "adamw_8bit"}),
    "LoRA": ("workload", METHOD),
    "QLoRA, a base in 4 bit": ("workload", {**METHOD, "method": "qlora"}),
    "the optimiser in the host's memory": ("deployment", {"offload": "optimizer"}),
    "all states in the host's memory": ("deployment", {"offload": "parameters"}),
    "a cache in 8 bit": ("inputs", {"kv_bytes": "1 byte/element"}),
}
"""What a reader writes into the scenario for each change that may be offered."""


def changed(work: dict[str, Any], fleet: dict[str, Any], words: str) -> tuple[dict[str, Any], dict[str, Any]]:
    """The scenario with one change of the sentence made."""
    fleet = {**fleet, "inputs": dict(fleet.get("inputs", {})), "deployment": dict(fleet.get("deployment", {}))}
    if found := re.fullmatch(r"weights in . bit \(`precision: (\w+)`\)", words):
        return work, {**fleet, "precision": found[1]}
    if found := re.fullmatch(r"([\d,]+) requests? in flight", words):
        fleet["deployment"]["concurrency"] = int(found[1].replace(",", ""))
        return work, fleet
    where, values = WORDS[words]
    if where == "workload":
        return {**work, **values}, fleet
    if "optimizer" in values:
        work = {name: value for name, value in work.items() if name != "optimizer"}
    fleet[where].update(values)
    return work, fleet


def more(work: dict[str, Any], fleet: dict[str, Any], words: str) -> dict[str, Any]:
    """The fleet with as many GPUs as the sentence says, in a larger system or in more of them."""
    gpus = int(re.match(r"[\d,]+", words)[0].replace(",", ""))  # type: ignore[index]
    fleet = {**fleet, "inputs": dict(fleet.get("inputs", {})), "deployment": dict(fleet.get("deployment", {}))}
    fleet["deployment"]["gpus_per_replica" if work["kind"] == "inference" else "shard_gpus"] = gpus
    if "in a system of" in words:
        if "rent" in fleet:
            fleet["rent"] = {**fleet["rent"], "gpus": gpus}
        else:
            fleet["inputs"]["gpus_per_system"] = f"{gpus} gpu/system"
    if "with a network between them" in words:
        fleet["pricing"] = {"network": "1000 USD/gpu"}
    return fleet


@pytest.mark.parametrize("name", MISFITS)
def test_what_is_offered_fits_when_it_is_done(name: str) -> None:
    work, fleet = MISFITS[name]
    found = run(work, fleet)
    assert found.verdict == "does not fit"
    told = found.reasons[0]
    offered = told.split("it would fit with ")[1]
    assert offered
    for way in offered.split(", or "):
        words, _, gpus = way.rpartition(" and ") if re.search(r" and [\d,]+ GPUs", way) else (way, "", way)
        now = (work, more(work, fleet, gpus)) if re.match(r"[\d,]+ GPUs", gpus) else (work, fleet)
        if not re.match(r"[\d,]+ GPUs", words):
            words = re.sub(r"( together)? \([^()]* GiB less on each GPU\)$", "", words)
            for change in re.split(r", (?!a base)", words):
                now = changed(*now, change)
        assert run(*now).raw("fits") == 1, way
        assert run(*now).verdict != "not supported", way
