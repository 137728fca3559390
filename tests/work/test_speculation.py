"""Speed-ups by drafts as the lines estimate them, against pairs that were measured with and without drafts.

`calibration/rows/speculation.csv`: one 27B model with a multi-token head, llama.cpp, one stream, prompts of 100 and
answers of 400 tokens (github.com/sudoingX/qwen38-mtp, seen 2026-09), on parts of the catalogue. No constant was fitted
on them. The model has the shape of `qwen3.5-27b`; its head is a layer of 0.4 and reads the output matrix of 1.3
billion parameters. The source gives accepted over drafted tokens, often as a range over prompts: its middle is taken.
"""

from __future__ import annotations

import csv
import functools
from pathlib import Path

import numpy as np
import pytest

from tco.result import FleetResult
from tco.session import loads

ROWS = Path(__file__).parents[2] / "calibration" / "rows" / "speculation.csv"
HEAD = """\
format: 1
title: Drafts
as_of: 2026-11-01
currency: USD
timeline: {start: 2027-01, horizon: 1 yr, step: year}
workload:
  {kind: inference, model: qwen3.5-27b, requests: 1000 request/month, peak_to_mean: 1, input: 100 token/request,
   output: 400 token/request}
electricity: {price: 0.12 USD/kWh}
cooling: {kind: none}
finance: {discount_rate: 8 %}
fleets:
"""
FLEET = """\
  - id: {id}
    buy: {{gpu: {part}, price: 5000 USD/system}}
    precision: int4
    framework: {engine}
    deployment: {{gpus_per_replica: 1, concurrency: {streams}{drafts}}}
    inputs: {{bytes_per_parameter: {size} byte/parameter, gpus_per_system: 1 gpu/system, system_power: 1 kW/system}}
"""
DRAFTS = ", speculation: {{tokens: {drafted}, accepted_of_drafted: {share}, parameters: 1.7 Gparameter, layers: 1}}"
SIZES = {
    "gguf-Q4": 0.605, "gguf-Q4_K_M": 0.605, "gguf-UD-Q4_K_XL": 0.65, "gguf-UD-Q5_K_XL": 0.74, "gguf-Q6_K": 0.82,
    "gguf-UD-Q2_K_XL": 0.42,
}  # fmt: skip
"""Bytes a parameter of GGUF formats, from sizes of files."""

Pair = tuple[float, float]


@functools.cache
def pairs() -> tuple[dict[str, str], ...]:
    with ROWS.open(encoding="utf-8", newline="") as file:
        return tuple(csv.DictReader(file))


def time(fleet: FleetResult) -> float:
    value = fleet.raw("decoding_time")
    assert isinstance(value, float)
    return value


@functools.cache
def gains() -> tuple[Pair, ...]:
    """Estimated and measured speed-up of each pair."""
    text = HEAD
    for index, row in enumerate(pairs()):
        share = (float(row["accepted_low"]) + float(row["accepted_high"])) / 2
        drafts = DRAFTS.format(drafted=row["drafted"], share=f"{share:.3f}")
        common = {"part": row["part"], "engine": "llama.cpp", "streams": 1, "size": SIZES[row["weights"]]}
        text += FLEET.format(id=f"plain{index}", drafts="", **common)
        text += FLEET.format(id=f"drafts{index}", drafts=drafts, **common)
    fleets = {fleet.id: fleet for fleet in loads(text).run().fleets}
    return tuple(
        (
            time(fleets[f"plain{index}"]) / time(fleets[f"drafts{index}"]),
            float(row["with_drafts"]) / float(row["plain"]),
        )
        for index, row in enumerate(pairs())
    )


def test_measured_speed_ups_are_met_within_the_error_that_the_documents_state() -> None:
    estimated, measured = np.array(gains()).T
    errors = np.abs(estimated / measured - 1)
    assert len(errors) == 18
    assert 1.3 < measured.min() < measured.max() < 2.5
    assert np.median(errors) == pytest.approx(0.10, abs=0.01)
    assert np.sort(errors)[-3] < 0.25
    assert np.sort(errors)[-2] < 0.31
    assert errors.max() == pytest.approx(0.40, abs=0.01)  # the R9700, whose arithmetic no calibrated row bounds


@functools.cache
def by_streams(part: str, engine: str) -> dict[int, float]:
    """Speed-up by requests in flight, three drafts of which 55 % are accepted."""
    counts, text = (1, 2, 4, 8, 16, 32, 64), HEAD
    for streams in counts:
        common = {"part": part, "engine": engine, "streams": streams, "size": 0.605}
        text += FLEET.format(id=f"plain{streams}", drafts="", **common)
        text += FLEET.format(id=f"drafts{streams}", drafts=DRAFTS.format(drafted=3, share=0.55), **common)
    fleets = {fleet.id: fleet for fleet in loads(text).run().fleets}
    return {count: time(fleets[f"plain{count}"]) / time(fleets[f"drafts{count}"]) for count in counts}


@pytest.mark.parametrize("part", ["rtx-3090", "rtx-5090"])
def test_on_cards_for_consumers_the_gain_vanishes_at_a_few_streams(part: str) -> None:
    """The source of the pairs sees none by about four streams; here arithmetic takes over at the same place."""
    found = by_streams(part, "llama.cpp")
    assert found[1] > 1.15
    assert found[4] < 1


def test_in_a_data_centre_it_lasts_until_arithmetic_binds() -> None:
    found = by_streams("h100-sxm", "vllm")
    assert found[1] > 2
    assert found[8] > 1.4
    assert found[64] < 1
    assert list(found.values()) == sorted(found.values(), reverse=True)
