"""Memory of serving against measurements: weights as stored and loaded, peaks of a generation, room for the cache."""

from __future__ import annotations

import csv
import functools
from collections import defaultdict
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from ruamel.yaml import YAML

from tco.result import FleetResult
from tco.session import loads

FOLDER = Path(__file__).parent
GIB = 2.0**30
AT_MOST = {"weights": 0.15, "peaks": 0.15, "cache": 0.20}
"""Largest error at the median of a group. Room for the cache is what weights and reserve leave: a small difference."""

SCENARIO = """format: 1
title: A measured row
as_of: 2026-11-01
currency: USD
timeline: {{start: 2027-01, horizon: 1 yr, step: year}}
workload: {{kind: inference{model}, requests: 1 request/day, peak_to_mean: 1, input: {input} token/request,
           output: 50 token/request}}
finance: {{discount_rate: 0 %}}
fleets:
  - id: one
    rent: {{gpu: a100-sxm-80, gpus: {gpus}, price: 2 USD/gpu/h}}
    precision: {precision}
    framework: {engine}
    deployment: {{gpus_per_replica: {gpus}, concurrency: 1}}
    inputs: {{{inputs}}}
"""


@functools.cache
def unlisted() -> dict[str, dict[str, Any]]:
    """Models of the rows that the catalogue does not hold."""
    return YAML(typ="safe").load((FOLDER / "serving_memory.yaml").read_text("utf-8"))


def rows() -> list[dict[str, str]]:
    """The rows of memory_measured.csv on serving that say enough of their model, and a user's report."""
    with (FOLDER / "serving_memory.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def computed(row: dict[str, str]) -> FleetResult:
    """The row as a scenario."""
    known = unlisted().get(row["model"])
    more = [f"{name}: {value}" for name, value in (known or {}).items()]
    if known:
        parameters = known["parameters"]
        more += [f"active_parameters: {parameters}", "experts: 1", "experts_per_token: 1", "context: 4096 token"]
    more += [row["inputs"]] if row["inputs"] else []
    more += [f"memory_share: {float(row['share']):.0%}"] if row["share"] else []
    text = SCENARIO.format(
        **{name: row[name] for name in ("gpus", "precision", "engine")},
        model="" if known else f", model: {row['model']}",
        input=int(row["context"]) - 50,
        inputs=", ".join(more),
    )
    return loads(text).run().fleets[0]


def predicted(row: dict[str, str]) -> float:
    """In the unit of the row."""
    found = computed(row)

    def one(name: str) -> float:
        value = found.raw(name)
        assert isinstance(value, float)
        return value

    if row["ours"] == "tokens":
        return one("cache_room") * one("cache_ways") / one("kv_cache_memory") * one("resident_length")
    if row["ours"] == "peak":
        gibibytes = one("weights_per_gpu") + one("kv_cache_memory") / one("cache_ways")
        return gibibytes * GIB / 1e9
    return one({"weights": "weights_memory"}.get(row["ours"], row["ours"]))


@functools.cache
def errors() -> dict[str, list[float]]:
    """Relative errors by group."""
    found: dict[str, list[float]] = defaultdict(list)
    for row in rows():
        found[row["group"]].append(predicted(row) / float(row["measured"]) - 1)
    return dict(found)


@pytest.mark.parametrize("group", AT_MOST)
def test_measured_memory_of_serving(group: str) -> None:
    assert np.median(np.abs(errors()[group])) <= AT_MOST[group], errors()[group]


def test_the_reserve_is_that_of_the_logs() -> None:
    """What would have to be reserved for the room that vLLM reported, in four logs."""
    found = list[float]()
    for row in (row for row in rows() if row["group"] == "cache"):
        fleet = computed(row)
        room, ours, ways = (fleet.raw(name) for name in ("cache_room", "kv_cache_memory", "cache_ways"))
        assert isinstance(room, float)
        assert isinstance(ours, float)
        assert isinstance(ways, float)
        measured = float(row["measured"])
        seen = measured if row["ours"] == "cache_room" else measured * ours / ways / float(row["context"])
        weights = {"deepseek-r1": 21.21, "qwen2.5-14b": 13.9476}.get(row["model"])
        held = fleet.raw("weights_per_gpu")
        assert isinstance(held, float)
        found.append(fleet.inputs["runtime_reserve"].number + room - seen + (held - weights if weights else 0))
    assert min(found) == pytest.approx(0.57, abs=0.01)
    assert max(found) == pytest.approx(4.0, abs=0.05)
    assert np.median(found) == pytest.approx(1.8, abs=0.1)


def test_what_is_in_16_bit_is_exact() -> None:
    """A file in 16 bit holds two bytes a parameter, and next to nothing else."""
    plain = [
        row
        for row in rows()
        if row["group"] == "weights" and row["engine"] == "llama.cpp" and row["precision"] == "bf16"
    ]
    assert len(plain) == 2
    for row in plain:
        assert predicted(row) == pytest.approx(float(row["measured"]), rel=1e-3)


def test_8_bit_weights_as_vllm_loads_them() -> None:
    """67.72 GiB of Llama 3.1 70B: layers in 8 bit, two tables of 128,256 x 8,192 in 16 bit."""
    [row] = [row for row in rows() if row["row"] == "mem-0292"]
    assert predicted(row) == pytest.approx(67.7229, rel=2e-3)
