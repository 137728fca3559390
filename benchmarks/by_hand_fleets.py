"""All fleets of the quickstart as a careful analyst would write them in numpy: unit cost, total, present cost, verdict.

What no draw moves (whether the model fits, how fast it is where no bandwidth is drawn) is a plain number here too.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import SimpleNamespace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.by_hand import running_costs, serving

Array = NDArray[np.float64]
HOURS, SECONDS = 8760, 31.536
NOISE = 1 + 1e-12


def of_fleet(payment: str, given: Mapping[str, Any], periods: int) -> tuple[Any, Any, Any, Any]:
    """Unit cost, total and present cost of shape (samples, 1), and whether the fleet does the work."""
    g: Any = SimpleNamespace(**given)
    time = _time(g)
    if payment == "api":
        return _api(g, time)
    per_system, able = _speed(g)
    mean, peak = _load(g, time)
    usable = per_system * g.planning_ceiling * (1 - g.stated_downtime)
    replicas = np.floor(g.gpus_per_system / g.gpus_per_replica * NOISE)
    whole = np.ceil(peak / (usable / replicas) / NOISE)
    needed = np.ceil(whole / replicas / NOISE) + g.spare_systems
    if payment == "buy":
        systems = np.maximum.accumulate(needed, axis=-1)
        bought = np.diff(systems, axis=-1, prepend=0.0)
    else:
        systems, bought = _renewed(needed, int(np.ceil(g.service_life / g.step / NOISE)))
    served = np.minimum(mean, systems * usable)
    tokens = _present_tokens(g, time, served)
    flows = {"buy": _owned, "lease": _leased, "rent": _rented}[payment](g, time, systems, bought, served, per_system)
    total = sum(np.sum(flow, -1, keepdims=True) for flow in flows)
    factors = time.at_start, time.through, time.at_end
    present = sum(np.sum(flow * factor, -1, keepdims=True) for flow, factor in zip(flows, factors, strict=True))
    return present / tokens, total, present, able


def _time(g: Any) -> Any:
    closing = np.cumsum(g.period)
    opening = closing - g.period
    return SimpleNamespace(
        opening=opening, closing=closing, middle=closing - g.period / 2,
        at_start=(1 + g.discount_rate) ** -opening, at_end=(1 + g.discount_rate) ** -closing,
        through=(1 + g.discount_rate) ** (g.timing * g.period - closing),
    )  # fmt: skip


def _load(g: Any, time: Any) -> tuple[Any, Any]:
    load = g.requests * (1 + g.retried_share) / 2_628_000
    grown = np.maximum((1 + g.demand_growth) ** time.opening, (1 + g.demand_growth) ** time.closing)
    return load * (1 + g.demand_growth) ** time.middle, load * g.peak_to_mean * grown


def _present_tokens(g: Any, time: Any, served: Any) -> Any:
    useful = served / (1 + g.retried_share) * (1 - g.failed_share - g.aborted_share) * g.output_tokens
    return np.sum(useful * time.through, -1, keepdims=True) * g.period[0] * SECONDS


def _speed(g: Any) -> tuple[Any, Any]:
    """Requests a system answers in a second, and whether it fits, is fast enough and is supported."""
    rate, step, prefill, first = serving(g)
    pace = step * 1e3 + g.prefill_interference * (g.concurrency - 1) * prefill * 1e3 / g.output_tokens
    fast = (pace <= g.per_token_target * g.target_share) & (first <= g.first_token_target * g.target_share)
    length = g.input_tokens + g.output_tokens
    weights = ((g.parameters - g.table_parameters) * g.bytes_per_parameter
               + g.table_parameters * max(g.table_bytes, g.bytes_per_parameter)) * 1e9 / 2**30  # fmt: skip
    ways = min(g.gpus_per_replica, g.pipeline_stages * g.kv_shards)
    cache = g.kv_elements * length * g.kv_bytes / 2**30
    held = weights / g.gpus_per_replica + g.runtime_reserve + g.concurrency * cache / ways
    fits = g.gpu_memory * g.memory_share >= held and length <= g.context and g.software_supported > 0
    return rate, fast & bool(fits)


def _renewed(needed: Any, life: int) -> tuple[Any, Any]:
    """Systems, and those that begin a contract; each leaves when its contract ends."""
    begun, held = list[Any](), list[Any]()
    for t in range(needed.shape[-1]):
        kept = (held[t - 1] if t else 0.0) - (begun[t - life] if t >= life else 0.0)
        begun.append(np.maximum(needed[..., t] - kept, 0.0))
        held.append(kept + begun[t])
    return np.stack(held, -1), np.stack(begun, -1)


def _owned(g: Any, time: Any, systems: Any, bought: Any, served: Any, rate: Any) -> tuple[Any, Any, Any]:
    hardware = bought * g.system_price * (1 + g.hardware_trend) ** time.opening
    count = hardware.shape[-1]
    shares = g.resale_share[1][count - 1 - np.arange(count)]
    resale = np.zeros(1) + np.sum(hardware * shares, -1, keepdims=True) * (np.arange(count) == count - 1)
    return hardware * (1 + g.installation_share), running_costs(g, systems, bought, served, rate, time.opening), -resale


def _in_force(begun: Any, count: int) -> Any:
    force = np.cumsum(begun, -1)
    if count < begun.shape[-1]:
        force[..., count:] = force[..., count:] - np.cumsum(begun, -1)[..., :-count]
    return force


def _owed(begun: Any, life: int) -> Any:
    """Rent that contracts still cost when the horizon ends, in the last period."""
    count = begun.shape[-1]
    left = np.maximum(np.arange(count) + life - count, 0)
    return np.sum(begun * left, -1, keepdims=True) * (np.arange(count) == count - 1)


def _rented(g: Any, time: Any, systems: Any, bought: Any, served: Any, rate: Any) -> tuple[Any, Any, Any]:
    life = int(np.ceil(g.service_life / g.step / NOISE))
    begun = bought * (g.gpu_hour_price * g.gpus_per_system * HOURS / 12) * (1 + g.rent_trend) ** time.opening
    billed = g.window_share if hasattr(g, "window_share") else g.always_on
    ahead = begun * life * g.step * g.upfront_share * 12
    through = _in_force(begun, life) * billed * g.period * 12 * (1 - g.upfront_share)
    return ahead, through, _owed(begun, life) * g.step * (1 - g.upfront_share) * g.exit_share * 12


def _leased(g: Any, time: Any, systems: Any, bought: Any, served: Any, rate: Any) -> tuple[Any, Any, Any]:
    life = int(np.ceil(g.service_life / g.step / NOISE))
    most = np.maximum.accumulate(systems, axis=-1)
    retrofit = np.diff(most, axis=-1, prepend=0.0) * g.system_power * g.retrofit_price
    begun = bought * g.lease_rent * (1 + g.rent_trend) ** time.opening
    due = _in_force(begun, life) * g.always_on * g.period * 12
    ends = due * (1 - g.lease_in_advance) + _owed(begun, life) * g.step * g.exit_share * 12
    through = running_costs(g, systems, bought, served, rate, time.opening)
    return retrofit + due * g.lease_in_advance, through, ends


def _api(g: Any, time: Any) -> tuple[Any, Any, Any, Any]:
    mean, _ = _load(g, time)
    billed = mean * g.period * SECONDS * (1 + g.api_trend) ** time.opening
    read = g.input_tokens * ((1 - g.prefix_cache_hit) * g.input_price + g.prefix_cache_hit * g.cached_input_price)
    cost = billed * (read + g.output_tokens * g.output_price)
    present = np.sum(cost * time.through, -1, keepdims=True)
    return present / _present_tokens(g, time, mean), np.sum(cost, -1, keepdims=True), present, True
