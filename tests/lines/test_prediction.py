"""The lines of speed and prefill against the functions by which their constants are fitted."""

from __future__ import annotations

import functools
from typing import Any

import numpy as np
import pytest

from calibration import prediction
from calibration.data import inference, inference_arrays, training, training_arrays
from tco.declare import Chapter
from tco.evaluate import program
from tco.lines.library import all_names, load
from tco.model import build

CHAPTERS = [load(name) for name in ("demand", "machine", "partition", "memory", "speed", "prefill")]
GIVENS = {name: item for part in CHAPTERS for name, item in part.givens.items()}
CHOICES = {
    "per_token_time": "per_token_time_estimated", "system_output_rate": "system_output_estimated",
    "step_tokens": "single_tokens", "decoding_time": "decoding_time_of_steps",
}  # fmt: skip
ROWS = 300
SECONDS = {"us": 1e-6, "ms": 1e-3, "s": 1.0}


def stage_communication_time(row: dict[str, Any], constant: dict[str, Any], batch: Any) -> Any:
    """Of a decoding step: each stage sends the tokens of its own batch."""
    return prediction.communication_time(row, constant, np.maximum(batch / row["stages"], 1))


DECODING = {
    "memory_time": ("ms", prediction.memory_time),
    "compute_time": ("ms", prediction.compute_time),
    "communication_time": ("ms", stage_communication_time),
    "decode_step_time": ("ms", prediction.decode_step_time),
    "per_token_time": ("ms", prediction.per_token_time),
    "cycle_time": ("s", prediction.cycle_time),
    "first_token_time": ("s", prediction.first_token_time),
}
PROMPTS = {
    "layer_delay": ("ms", prediction.layer_delay),
    "prefill_compute_time": ("ms", prediction.prefill_compute_time),
    "prompt_compute_time": ("ms", prediction.prompt_compute_time),
    "prefill_time": ("ms", prediction.prefill_time),
    "batched_prefill_time": ("ms", prediction.batched_prefill_time),
}
PLAIN = ("replica_output_rate", "cache_ways", "tensor_gpus", "expert_width", "size_factor", "weights_read")
CONSTANTS = {
    "decode_bandwidth_efficiency": (0.3, 1), "cache_bandwidth_efficiency": (0.1, 0.9),
    "decode_compute_efficiency": (0.1, 0.9), "decode_attention_efficiency": (0.02, 0.6),
    "prefill_efficiency": (0.2, 0.9), "prefill_attention_efficiency": (0.1, 0.7), "overlap_sharpness": (1.2, 6),
    "size_exponent": (-0.1, 0.4), "expert_width_exponent": (-0.1, 0.5), "overhead_size_exponent": (-0.2, 0.5),
    "layer_overhead": (3, 90), "step_overhead": (0.1, 6), "request_overhead": (1, 80), "link_latency": (3, 60),
    "link_efficiency": (0.1, 0.9), "stage_gain": (0.1, 1), "prefill_interference": (0.1, 1.2),
    "first_token_factor": (0.8, 1.6), "burst_share": (0.05, 0.6), "burst_overhead": (0.05, 3),
    "first_token_fixed": (2, 90),
}  # fmt: skip
SAME = (
    "layers", "hidden_size", "kv_elements", "window_elements", "attention_window", "kv_shards", "experts",
    "experts_per_token", "attention_flops", "decode_attention_flops", "kv_bytes", "input_tokens",
    "output_tokens", "one_stream", "concurrency",
)  # fmt: skip
RENAMED = {
    "parameters": ("parameters", 1e9), "active_parameters": ("active_parameters", 1e9),
    "gpu_bandwidth": ("bandwidth", 1e9), "link_bandwidth": ("link_bandwidth", 1e9),
    "rate_16_bit": ("rate_16_bit", 1e12), "peak_rate": ("peak_rate", 1e12),
    "bytes_per_parameter": ("weight_bytes", 1), "gpus_per_replica": ("gpus", 1),
    "pipeline_stages": ("stages", 1),
}  # fmt: skip


@functools.cache
def rows() -> tuple[dict[str, Any], dict[str, Any], Any]:
    """Measured rows without attention replicas, random constants for each, and which split one stream by layer.

    No measured row has fewer requests than stages, so that none is made up."""
    dice = np.random.default_rng(20261)
    measured = inference_arrays(inference())
    split = measured["one_stream"] & (measured["stages"] > 1)
    staged = ~split & (measured["stages"] > 1)
    usable = (measured["attention_ways"] <= 1) & (measured["input_tokens"] > 0)
    taken = [dice.permutation(np.flatnonzero(usable & kind))[: ROWS // 3] for kind in (split, staged)]
    taken.append(dice.permutation(np.flatnonzero(usable & (measured["stages"] <= 1)))[: ROWS - sum(map(len, taken))])
    places = np.concatenate(taken)
    row = {name: value[places] for name, value in measured.items()}
    row["stages"] = np.where(row["one_stream"], row["gpus"], row["stages"])
    unknown = np.maximum(dice.integers(1, 400, ROWS), row["stages"])
    row["concurrency"] = np.where(np.isnan(row["concurrency"]), unknown, row["concurrency"])
    row["mean_context"] = row["input_tokens"] + row["output_tokens"] / 2
    constant = {name: dice.uniform(low, high, ROWS) for name, (low, high) in CONSTANTS.items()}
    return row, constant, split[places]


@functools.cache
def found() -> dict[str, Any]:
    """Every compared line on all rows, at once."""
    row, constant, _ = rows()
    values: dict[str, Any] = {name: item.default for name, item in GIVENS.items() if item.default is not None}
    values |= constant | {name: row[name] for name in SAME} | {"prefix_cache_hit": 0.0}
    values |= {name: row[theirs] / size for name, (theirs, size) in RENAMED.items()}
    wanted = [*DECODING, *PROMPTS, *PLAIN]
    model = build(CHAPTERS, {name: item.shape for name, item in GIVENS.items()}, choices=CHOICES, elsewhere=all_names())
    batch = {name: np.broadcast_to(values[name], ROWS).astype(float)[:, None] for name in model.inputs_of(wanted)}
    results = program(model, wanted)(batch, 1)
    return {name: np.broadcast_to(results[name], (ROWS, 1))[:, 0] for name in wanted}


def predicted(name: str) -> Any:
    """The same in the unit of the line."""
    row, constant, _ = rows()
    batch = row["concurrency"]
    plain = {
        "replica_output_rate": lambda: prediction.output_rate(row, constant, batch),
        "cache_ways": lambda: prediction.cache_ways(row),
        "tensor_gpus": lambda: prediction.weight_ways(row),
        "expert_width": lambda: prediction.expert_width(row),
        "size_factor": lambda: prediction.size_factor(row, constant),
        "weights_read": lambda: prediction.weights_read(row, np.maximum(batch / row["stages"], 1)) / 1e9,
    }
    if name in plain:
        return plain[name]()
    unit, function = (DECODING | PROMPTS)[name]
    return function(row, constant, *([batch] if name in DECODING else [])) / SECONDS[unit]


def test_the_rows_reach_every_arm() -> None:
    row, _, split = rows()
    tensor = row["gpus"] / row["stages"]
    arms = {
        "one stream split by layer": split,
        "stages of batches": ~split & (row["stages"] > 1),
        "stages of several GPUs": (row["stages"] > 1) & (tensor > 1),
        "one stream, one stage": row["one_stream"] & (row["stages"] <= 1),
        "one GPU": row["gpus"] == 1,
        "all-reduces": tensor > 1,
        "fewer heads than GPUs": row["kv_shards"] < tensor,
        "experts": row["experts"] > 1,
        "dense": row["experts"] == 1,
        "a window in use": (row["window_elements"] > 0) & (row["attention_window"] < row["mean_context"]),
        "several pieces": row["input_tokens"] > 512,
        "less than a piece": row["input_tokens"] < 512,
        "one request": row["concurrency"] == 1,
        "memory the slower": found()["memory_time"] > found()["compute_time"],
        "arithmetic the slower": found()["memory_time"] < found()["compute_time"],
    }
    assert [name for name, rows_ in arms.items() if not rows_.any()] == []


@pytest.mark.parametrize("name", [*PROMPTS, "compute_time", "communication_time", *PLAIN[2:]])
def test_prompts_and_shapes(name: str) -> None:
    np.testing.assert_allclose(found()[name], predicted(name), rtol=1e-9)


@pytest.mark.parametrize("name", [*DECODING, *PLAIN])
def test_decoding(name: str) -> None:
    """Without one stream split by layer, whose cache has a test of its own."""
    others = ~rows()[2]
    np.testing.assert_allclose(found()[name][others], predicted(name)[others], rtol=1e-9)


@pytest.mark.parametrize(
    "name",
    ["memory_time", "decode_step_time", "per_token_time", "cycle_time", "first_token_time", "replica_output_rate"],
)
def test_decoding_of_one_stream_split_by_layer(name: str) -> None:
    split = rows()[2]
    np.testing.assert_allclose(found()[name][split], predicted(name)[split], rtol=1e-9)


TRAINED = {
    "training_efficiency": (0.2, 0.9), "training_attention_efficiency": (0.1, 0.8), "recompute_cost": (0.7, 1.2),
    "training_size_exponent": (-0.1, 0.3), "training_scale_exponent": (-0.1, 0.1),
    "training_step_overhead": (0.01, 0.5), "gather_link_efficiency": (0.05, 0.5),
}  # fmt: skip


def test_training() -> None:
    """Every measured run in full: its size, the fixed part of its steps, and gathers on whatever link it has."""
    row, dice = training_arrays(training()), np.random.default_rng(20262)
    count = len(row["gpus"])
    row["hidden_size"] = np.clip(row["hidden_size"], 410, 32768)
    constant = {name: dice.uniform(low, high, count) for name, (low, high) in TRAINED.items()}
    chapters = ("machine", *(f"training_{name}" for name in ("states", "activations", "memory", "speed")), "training")
    parts = [load(name) for name in chapters]
    givens = {name: item for part in parts for name, item in part.givens.items()}
    values: dict[str, Any] = {name: item.default for name, item in givens.items() if item.default is not None}
    copies = np.maximum(row["gpus"], 2)
    gathered = row["gathered_bytes_per_token"] * row["sequence"] / (2 * row["parameters"] * (1 - 1 / copies))
    values |= {
        "training_flops": row["flops_per_parameter"], "active_parameters": row["active_parameters"] / 1e9,
        "peak_rate": row["peak_rate"] / 1e12, "rate_16_bit": row["rate_16_bit"] / 1e12,
        "sequence_length": row["sequence"], "parameters": row["parameters"] / 1e9, "gathered_bytes": gathered,
        "shard_gpus": copies, "count": 1.0, "gpus_per_system": row["gpus"], "scale_out": 1.0,
        "slow_link": 1e9, "spare_systems": 0.0,
        "link_bandwidth": row["link_bandwidth"] / 1e9, "batch_tokens": row["tokens_per_gpu_step"] * row["gpus"],
        **dict.fromkeys(("query_size", "key_value_size", "vocabulary", "feed_forward_width"), 1.0),
        **{name: row[name] for name in ("hidden_size", "attention_flops", "recomputed_share", "layers")}, **constant,
        "training_matrix_efficiency": constant["training_efficiency"],
    }  # fmt: skip
    ways = {line.choice_of: name for part in parts for name, line in part.lines.items() if line.choice_of}
    ways |= {
        "gpu_token_rate": "gpu_token_rate_estimated",
        "asked_size": "asked_size_fixed",
        "run_size": "run_size_of_batch",
        "layer_ways": "layer_ways_within_system",
    }
    del values["training_efficiency"]
    parts += [
        _few("size", "count", "spare_systems"),
        _few("training_size", "scale_out"),
        _few("training_output", "batch_tokens"),
    ]
    shapes: dict[str, Any] = {name: item.shape for part in parts for name, item in part.givens.items()}
    model = build(parts, shapes, choices=ways, elsewhere=all_names())
    wanted = ["gpu_token_rate"]
    batch = {name: np.broadcast_to(values[name], count).astype(float)[:, None] for name in model.inputs_of(wanted)}
    found = np.broadcast_to(program(model, wanted)(batch, 1)["gpu_token_rate"], (count, 1))[:, 0]
    assert count > 500
    assert (row["gpus"] > 8).any()
    assert (row["gathered_bytes_per_token"] > 0).any()
    np.testing.assert_allclose(found, prediction.training_rate(row, constant), rtol=1e-9)


def _few(chapter: str, *names: str) -> Chapter:
    """A chapter's inputs alone."""
    return Chapter(chapter, "", {name: load(chapter).givens[name] for name in names}, {})
