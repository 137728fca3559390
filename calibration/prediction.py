"""Speed of inference and training by closed formulas, vectorised; each function is a future line.

`row` holds what a scenario and the catalogue state, `constant` the fitted figures, both as numpy
arrays in base units: byte, FLOP, second, element, token. Sources: section 2 and 3 of the reference
formulas (roofline of bytes and FLOPs, ring all-reduce, experts touched by a batch; arXiv 2205.05198
and 2104.04473 for training); the constants are fitted in `fit.py`.
"""

# pyright: basic
from __future__ import annotations

from typing import Any

import numpy as np

Values = dict[str, Any]


def expert_share(row: Values) -> Any:
    """Share of a layer's experts that a token uses; one for a dense model."""
    return row["experts_per_token"] / row["experts"]


def expert_parameters(row: Values) -> Any:
    """Parameters in experts: what a token does not use lies in the other experts."""
    share = expert_share(row)
    return np.where(share < 1, (row["parameters"] - row["active_parameters"]) / np.maximum(1 - share, 1e-9), 0)


def expert_width(row: Values) -> Any:
    """Width of an expert's MLP (three matrices of hidden size times width), averaged over all layers."""
    return np.maximum(expert_parameters(row) / (row["layers"] * row["experts"] * 3 * row["hidden_size"]), 64)


def weights_read(row: Values, tokens: Any) -> Any:
    """Parameters read by a step on `tokens` tokens: a batch touches more experts than one token, fewer than all."""
    return row["parameters"] - expert_parameters(row) * np.where(
        row["experts"] > 1, (1 - expert_share(row)) ** np.minimum(tokens, 5000), 0
    )


def size_factor(row: Values, constant: Values) -> Any:
    """Matrices of a small model, and narrow experts, fill a GPU less."""
    by_size = (row["hidden_size"] / 4096) ** constant["size_exponent"]
    narrow = (expert_width(row) / 2048) ** constant["expert_width_exponent"]
    return by_size * np.where(row["experts"] > 1, narrow, 1)


def weight_ways(row: Values) -> Any:
    """GPUs that read a layer's weights at the same time: tensor parallelism only, stages take turns."""
    return np.where(row["stages"] > 1, row["gpus"] / row["stages"], row["gpus"])


def compute_ways(row: Values) -> Any:
    """GPUs that compute at the same time: stages overlap different batches, unless one stream is split by layer."""
    return np.where(row["one_stream"] & (row["stages"] > 1), 1, row["gpus"])


def cache_ways(row: Values) -> Any:
    """GPUs that share a step's cache: at most one KV head each; stages and attention replicas divide it too."""
    tensor = row["gpus"] / row["stages"]
    heads = np.minimum(tensor, row["kv_shards"]) * np.where(row["one_stream"], 1, row["stages"])
    replicas = np.where(row["attention_ways"] > 1, row["attention_ways"] / np.minimum(row["attention_ways"], tensor), 1)
    return np.minimum(np.where(row["kv_shards"] >= 1000, row["gpus"], heads * replicas), row["gpus"])


def cache_elements(row: Values, length: Any) -> Any:
    """Cache elements of a request of this length; window layers keep no more than their window."""
    return row["kv_elements"] * length + row["window_elements"] * np.minimum(length, row["attention_window"])


def memory_time(row: Values, constant: Values, batch: Any) -> Any:
    """Seconds of a decoding step by bytes: weights once for the batch, the cache once for each request."""
    weights = weights_read(row, np.maximum(batch / row["stages"], 1)) * row["weight_bytes"]
    cache = batch * cache_elements(row, row["mean_context"]) * row["kv_bytes"]
    rate = row["bandwidth"]
    return weights / (weight_ways(row) * rate * constant["decode_bandwidth_efficiency"]) + cache / (
        cache_ways(row) * rate * constant["cache_bandwidth_efficiency"]
    )


def compute_time(row: Values, constant: Values, batch: Any) -> Any:
    """Seconds of a decoding step by FLOPs: matrices at the precision's peak, attention at the 16-bit peak."""
    ways = compute_ways(row)
    matrices = 2 * row["active_parameters"] * batch / (row["peak_rate"] * constant["decode_compute_efficiency"])
    attention = row["decode_attention_flops"] * row["mean_context"] * batch / row["rate_16_bit"]
    return (matrices / size_factor(row, constant) + attention / constant["decode_attention_efficiency"]) / ways


def overlap(first: Any, second: Any, sharpness: Any) -> Any:
    """Soft maximum: near the ridge neither memory nor arithmetic hides the other fully."""
    high, low = np.maximum(first, second), np.minimum(first, second)
    return high * (1 + (low / high) ** sharpness) ** (1 / sharpness)


def communication_time(row: Values, constant: Values, tokens: Any) -> Any:
    """Seconds of two ring all-reduces a layer over one direction of the link; nothing without tensor parallelism."""
    tensor = row["gpus"] / row["stages"]
    size = tokens * row["hidden_size"] * 2 * 2 * (tensor - 1) / np.maximum(tensor, 1)
    message = constant["link_latency"] * 1e-6 + size / (row["link_bandwidth"] / 2 * constant["link_efficiency"])
    return np.where(tensor > 1, 2 * row["layers"] * message, 0)


def layer_delay(row: Values, constant: Values) -> Any:
    """Seconds of launches and synchronisation, layer by layer; wider layers take a little longer."""
    wide = (row["hidden_size"] / 4096) ** constant["overhead_size_exponent"]
    return row["layers"] * constant["layer_overhead"] * 1e-6 * wide


def decode_step_time(row: Values, constant: Values, batch: Any) -> Any:
    """Seconds of one decoding step of a batch."""
    work = overlap(memory_time(row, constant, batch), compute_time(row, constant, batch), constant["overlap_sharpness"])
    fixed = constant["step_overhead"] * 1e-3 + batch * constant["request_overhead"] * 1e-6
    sent = communication_time(row, constant, np.maximum(batch / row["stages"], 1))
    return work + layer_delay(row, constant) + fixed + sent


def stream_gain(row: Values, constant: Values) -> Any:
    """What one prompt gains from layer stages: it is passed on in pieces of 512 tokens."""
    pieces, stages = np.maximum(row["input_tokens"] / 512, 1), row["stages"]
    return 1 + constant["stage_gain"] * np.maximum(stages * pieces / (pieces + stages - 1) - 1, 0)


def prefill_compute_time(row: Values, constant: Values) -> Any:
    """Seconds of arithmetic of a prompt among many; one stream split by layer is alone."""
    alone = row["one_stream"] & (row["stages"] > 1)
    return prompt_work(row, constant) / np.where(alone, stream_gain(row, constant), row["gpus"])


def prompt_compute_time(row: Values, constant: Values) -> Any:
    """Seconds of arithmetic of an undisturbed prompt: it passes the stages in turn, and its pieces overlap."""
    return prompt_work(row, constant) / (row["gpus"] / row["stages"] * stream_gain(row, constant))


def prompt_work(row: Values, constant: Values) -> Any:
    """GPU seconds of arithmetic of a prompt: matrices at the precision's peak, attention at the 16-bit peak."""
    tokens = row["input_tokens"]
    matrices = 2 * row["active_parameters"] * tokens / (row["peak_rate"] * constant["prefill_efficiency"])
    attention = row["attention_flops"] * tokens**2 / 2 / (row["rate_16_bit"] * constant["prefill_attention_efficiency"])
    return matrices / size_factor(row, constant) + attention


def prefill_time(row: Values, constant: Values) -> Any:
    """Seconds of one undisturbed prompt: arithmetic, not below one read of the weights, and its delays."""
    weights = weights_read(row, row["input_tokens"]) * row["weight_bytes"]
    memory = weights / (weight_ways(row) * row["bandwidth"] * constant["decode_bandwidth_efficiency"])
    work = overlap(memory, prompt_compute_time(row, constant), constant["overlap_sharpness"])
    return work + layer_delay(row, constant) + communication_time(row, constant, row["input_tokens"])


def batched_prefill_time(row: Values, constant: Values) -> Any:
    """Seconds a prompt costs among many: arithmetic and bytes on the wire; reads and launches are shared."""
    latency = 2 * row["layers"] * constant["link_latency"] * 1e-6
    wire = communication_time(row, constant, row["input_tokens"])
    return prefill_compute_time(row, constant) + np.maximum(wire - np.where(row["gpus"] > row["stages"], latency, 0), 0)


def per_token_time(row: Values, constant: Values, batch: Any) -> Any:
    """Seconds a further token: a step, interrupted by the prefills of the others."""
    others = constant["prefill_interference"] * (batch - 1) * batched_prefill_time(row, constant)
    return decode_step_time(row, constant, batch) + others / row["output_tokens"]


def cycle_time(row: Values, constant: Values, batch: Any) -> Any:
    """Seconds from prompt to last token of a batch in steady state."""
    steps = row["output_tokens"] * decode_step_time(row, constant, batch)
    return batch * batched_prefill_time(row, constant) + steps


def output_rate(row: Values, constant: Values, batch: Any) -> Any:
    """Output tokens a second of a replica, saturated at this batch."""
    return batch * row["output_tokens"] / cycle_time(row, constant, batch)


def first_token_time(row: Values, constant: Values, batch: Any) -> Any:
    """Seconds to the first token: own prefill, part of the others' prefills, a fixed part, a part by request."""
    own = constant["first_token_factor"] * (prefill_time(row, constant) + decode_step_time(row, constant, batch))
    burst = constant["burst_share"] * batched_prefill_time(row, constant) + constant["burst_overhead"] * 1e-3
    return own + (batch - 1) * burst + constant["first_token_fixed"] * 1e-3


def queue_time(row: Values, constant: Values, batch: Any) -> Any:
    """Seconds a request waits when more are in flight than the memory holds."""
    waiting = np.maximum(row["concurrency"] - batch, 0)
    return waiting * cycle_time(row, constant, batch) / batch


def max_concurrency(row: Values, constant: Values) -> Any:
    """Requests whose cache fits beside the weights: prompts and a share of the output, up to the engine's limit."""
    length = row["input_tokens"] + row["output_tokens"] * constant["resident_output_share"]
    weights = row["parameters"] * row["weight_bytes"] / row["gpus"]
    room = row["memory"] * 0.92 - weights - constant["runtime_reserve"] * 2**30
    room = np.maximum(room, 0.02 * row["memory"])
    fits = room * cache_ways(row) / (cache_elements(row, length) * row["kv_bytes"])
    return np.minimum(fits, constant["batch_limit"] * np.maximum(row["attention_ways"], 1))


def training_token_time(row: Values, constant: Values) -> Any:
    """Seconds a token and GPU: matrices at the precision's peak, full-square attention at the 16-bit peak."""
    size = np.clip(row["hidden_size"] / 4096, 0.1, 8) ** constant["training_size_exponent"]
    scale = (np.maximum(row["gpus"], 8) / 8) ** constant["training_scale_exponent"]
    matrices = row["flops_per_parameter"] * row["active_parameters"]
    attention = row["flops_per_parameter"] / 2 * row["attention_flops"] * row["sequence"]
    work = matrices / (row["peak_rate"] * constant["training_efficiency"])
    work = work + attention / (row["rate_16_bit"] * constant["training_attention_efficiency"])
    return work / (size * scale) * (1 + row["recomputed_share"] / 3 * constant["recompute_cost"])


def training_rate(row: Values, constant: Values) -> Any:
    """Training tokens a second and GPU; steps have a fixed part, sharded weights over PCIe are gathered twice."""
    fixed = constant["training_step_overhead"] / row["tokens_per_gpu_step"]
    gather = row["gathered_bytes_per_token"] / (row["link_bandwidth"] / 2 * constant["gather_link_efficiency"])
    return 1 / (training_token_time(row, constant) + fixed + gather)
