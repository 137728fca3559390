"""The headline of an owned fleet of the quickstart, as a careful analyst would write it in numpy."""

from __future__ import annotations

from collections.abc import Mapping
from types import SimpleNamespace
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


def cost_per_million_useful_tokens(given: Mapping[str, Any], periods: int) -> Array:
    """Levelised cost, shape (samples, 1); inputs are floats or arrays of shape (samples, 1)."""
    g: Any = SimpleNamespace(**given)
    closing = np.cumsum(g.period)
    opening = closing - g.period
    through = (1 + g.discount_rate) ** (g.timing * g.period - closing)
    system_rate = serving(g)[0]
    load = g.requests * (1 + g.retried_share) / 2_628_000
    mean = load * (1 + g.demand_growth) ** (closing - g.period / 2)
    peak = load * g.peak_to_mean * np.maximum((1 + g.demand_growth) ** opening, (1 + g.demand_growth) ** closing)
    usable = system_rate * g.planning_ceiling * (1 - g.stated_downtime)
    replicas = np.floor(g.gpus_per_system / g.gpus_per_replica * (1 + 1e-12))
    whole = np.ceil(peak / (usable / replicas) * (1 - 1e-12))
    systems = np.maximum.accumulate(np.ceil(whole / replicas * (1 - 1e-12)) + g.spare_systems, axis=-1)
    bought = np.diff(systems, axis=-1, prepend=0.0)
    served = np.minimum(mean, systems * usable)
    useful = served / (1 + g.retried_share) * (1 - g.failed_share - g.aborted_share) * g.output_tokens
    tokens = np.sum(useful * through, -1, keepdims=True) * g.period[0] * 31.536
    hardware = bought * g.system_price * (1 + g.hardware_trend) ** opening
    start = np.sum(hardware * (1 + g.installation_share) * (1 + g.discount_rate) ** -opening, -1, keepdims=True)
    running = running_costs(g, systems, bought, served, system_rate, opening)
    shares = np.array([given["resale_share"][1][periods - 1 - i] for i in range(periods)])
    resale = np.sum(hardware * shares, -1, keepdims=True) * (1 + g.discount_rate) ** -closing[-1]
    return (start + np.sum(running * through, -1, keepdims=True) - resale) / tokens


def serving(g: Any) -> tuple[Any, Any, Any, Any]:
    """Of a dense model, served by stages: requests a loaded system answers in a second; seconds of a step, of a prompt
    in a batch, and to the first token."""
    stages = g.pipeline_stages
    tensor, busy_stages = g.gpus_per_replica / stages, np.minimum(stages, g.concurrency)
    ways = np.minimum(g.gpus_per_replica, stages * g.kv_shards) / stages * busy_stages
    context = g.input_tokens + g.output_tokens / 2
    bandwidth = g.gpu_bandwidth * 1e9
    weights = g.parameters * 1e9 * g.bytes_per_parameter / (tensor * bandwidth * g.decode_bandwidth_efficiency)
    cache = g.concurrency * g.kv_elements * context * g.kv_bytes / (ways * bandwidth * g.cache_bandwidth_efficiency)
    size = (g.hidden_size / g.reference_hidden_size) ** g.size_exponent
    work = g.flops_per_parameter * g.active_parameters * 1e9
    matrices = work * g.concurrency / (g.peak_rate * 1e12 * g.decode_compute_efficiency * size)
    wide = g.rate_16_bit * 1e12
    attention = g.decode_attention_flops * context * g.concurrency / (wide * g.decode_attention_efficiency)
    memory, arithmetic = weights + cache, (matrices + attention) / g.gpus_per_replica
    high, low = np.maximum(memory, arithmetic), np.minimum(memory, arithmetic)
    busy = high * (1 + (low / high) ** g.overlap_sharpness) ** (1 / g.overlap_sharpness)
    launches = g.layers * g.layer_overhead / 1e6 * (g.hidden_size / g.reference_hidden_size) ** g.overhead_size_exponent
    scheduling = g.step_overhead / 1e3 + g.concurrency * g.request_overhead / 1e6
    messages = g.layers * g.messages_per_layer if tensor > 1 else 0.0
    sent = 2 * (tensor - 1) / tensor * g.hidden_size * g.activation_bytes
    wire = sent / (g.link_bandwidth / 2 * g.link_efficiency * 1e9)
    in_stage = np.maximum(g.concurrency / stages, 1)
    step = busy + launches + scheduling + messages * (g.link_latency / 1e6 + in_stage * wire)
    prompt = g.input_tokens * (1 - g.prefix_cache_hit)
    computed = work * prompt / (g.peak_rate * 1e12 * g.prefill_efficiency * size)
    pairs = prompt * (g.input_tokens - prompt / 2)
    looked = g.attention_flops * pairs / (wide * g.prefill_attention_efficiency)
    prefill = (computed + looked) / g.gpus_per_replica + messages * prompt * wire
    cycle = g.concurrency * prefill + g.output_tokens * step
    rate = g.concurrency / cycle * np.floor(g.gpus_per_system / g.gpus_per_replica)
    read = g.parameters * 1e9 * g.bytes_per_parameter / (tensor * bandwidth * g.decode_bandwidth_efficiency)
    worked = (computed + looked) / _prompt_gpus(g, tensor, prompt)
    slow, quick = np.maximum(read, worked), np.minimum(read, worked)
    alone = slow * (1 + (quick / slow) ** g.overlap_sharpness) ** (1 / g.overlap_sharpness)
    alone = alone + launches + messages * (g.link_latency / 1e6 + prompt * wire)
    burst = (g.concurrency - 1) * (g.burst_share * prefill + g.burst_overhead / 1e3)
    return rate, step, prefill, g.first_token_factor * (alone + step) + burst + g.first_token_fixed / 1e3


def _prompt_gpus(g: Any, tensor: Any, prompt: Any) -> Any:
    """GPUs that work on one prompt: stages overlap where it comes in pieces."""
    pieces = np.maximum(prompt / g.prefill_piece, 1)
    return tensor * (1 + g.stage_gain * (g.pipeline_stages * pieces / (pieces + g.pipeline_stages - 1) - 1))


def running_costs(g: Any, systems: Any, bought: Any, served: Any, system_rate: Any, opening: Any) -> Any:
    """What is paid through each period: electricity, demand, maintenance and staff."""
    load = g.requests * (1 + g.retried_share) / 2_628_000 * (1 + g.demand_growth) ** (opening + g.period / 2)
    swing = np.maximum((1 + g.demand_growth) ** (-1 / 24), (1 + g.demand_growth) ** (1 / 24))
    busy = served / (systems * system_rate)
    busy_at_peak = load * g.peak_to_mean * swing / (systems * system_rate)
    host = np.maximum(g.system_power - g.gpus_per_system * g.gpu_power / 1000, 0)
    idle = g.gpus_per_system * g.gpu_idle_power / 1000
    span = g.gpus_per_system * g.gpu_power / 1000 - idle
    mean = systems * (host + idle + span * busy) * g.pue
    peak = systems * (host + idle + span * np.minimum(busy_at_peak, 1)) * g.pue
    tariff = (1 + g.electricity_escalation) ** opening * g.period
    power = (mean * g.electricity_price * 8760 + peak * g.demand_charge * 12) * tariff
    covered = int(np.ceil(g.warranty / g.step * (1 - 1e-12)))
    warranted = np.cumsum(bought, -1)
    warranted[..., covered:] -= np.cumsum(bought, -1)[..., :-covered]
    upkeep = np.maximum(systems - warranted, 0) * g.system_price * g.maintenance_share * g.period
    wages = systems / g.systems_per_person * g.staff_price * (1 + g.wage_growth) ** opening * g.period
    return power + upkeep + wages
