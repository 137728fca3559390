"""Why a verdict is what it is, in words a buyer understands."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from tco.analysis.remedies import remedy
from tco.result import FleetResult
from tco.wording import apart


def reasons(fleet: FleetResult) -> list[str]:
    """One sentence for each flag that is 0, in the order of the verdicts."""
    told = {
        "supported": _not_supported,
        "fits": _does_not_fit,
        "fast_enough": _too_slow,
        "large_enough": _too_small,
        "within_limits": _limits,
    }
    return [sentence(fleet) for name, sentence in told.items() if fleet.raw(name) == 0]


def number(fleet: FleetResult, name: str) -> float:
    """A line's or an input's single number; the largest of a series."""
    value = fleet.raw(name) if name in fleet.model.lines else None
    if value is None and name in fleet.inputs:
        found = fleet.inputs[name].value
        value = float(found) if not isinstance(found, tuple) else None
    return float("nan") if value is None else float(np.max(value))


def _not_supported(fleet: FleetResult) -> str:
    length, context = number(fleet, "input_tokens") + number(fleet, "generated_tokens"), number(fleet, "context")
    if length > context:
        return f"not supported: requests of {length:,.0f} tokens, at most {context:,.0f} are taken"
    if number(fleet, "spans_partitions") > 0:
        return "not supported: a replica of several GPUs spans partitions, which have no link"
    figure = fleet.inputs.get("software_supported")
    why = figure.source if figure else "the offer does not take this work"
    if "is served by" in why:
        return f"not supported: {why}"
    hint = "; state int4 for 4-bit weights with 16-bit arithmetic" if fleet.precision == "fp4" and "int4" in why else ""
    why = "the scenario says so" if why == "scenario" else why
    return f"not supported: {fleet.precision or 'this work'}; {why}{hint}"


def _does_not_fit(fleet: FleetResult) -> str:
    """What is missing, how much of the cards' memory is usable, and the smallest change that would help."""
    used, usable = number(fleet, "memory_per_gpu"), number(fleet, "usable_memory")
    across = number(fleet, "gpus_per_replica" if "gpus_per_replica" in fleet.inputs else "shard_gpus")
    device = "partition" if number(fleet, "partitions") > 1 else "GPU"
    gpus = f"{across:,.0f} {device}{'s' if across != 1 else ''}"
    parts = [f"{used:,.1f} GiB are needed on each {device}, {usable:,.1f} GiB may be used"]
    if used > usable:
        parts.append(f"{used - usable:,.1f} GiB are missing{f' even divided over {gpus}' if across > 1 else ''}")
    short = number(fleet, "host_margin")
    if short < 0:
        parts.append(f"the host lacks {-short:,.0f} GB for what is moved to its memory")
    held = number(fleet, "gpu_memory") * across
    if "shared_room" in fleet.model.lines:
        room, work = number(fleet, "shared_room"), number(fleet, "working_memory")
        if room > 0:
            parts.append(f"of {held:,.0f} GiB on {gpus} {room:,.0f} GiB can hold states")
        else:
            parts[1] = f"the work takes {work:,.1f} GiB on each GPU, and more GPUs do not divide it"
    else:
        parts += _room_of_replica(fleet, f"of {held:,.1f} GiB on {gpus}")
    return f"does not fit: {'; '.join([*parts, remedy(fleet)])}"


def _room_of_replica(fleet: FleetResult, told: str) -> Iterator[str]:
    """How much of all cards is usable, what weights take of it, and the longest request that would fit."""
    room, each = number(fleet, "replica_room"), number(fleet, "weights_per_gpu")
    weights = each * number(fleet, "gpus_per_replica")
    apiece = f", {each:,.1f} GiB on each GPU" if weights > each else ""
    yield f"{told} {room:,.1f} GiB can hold weights and cache, the weights take {weights:,.1f} GiB{apiece}"
    copies, longest = number(fleet, "cache_copies"), number(fleet, "longest_request")
    if copies > 1:
        yield f"the cache is held {copies:,.3g} times, more GPUs share a layer than it has KV heads"
    if longest >= 1:
        yield f"the longest single request that fits has {longest:,.0f} tokens"


def _too_slow(fleet: FleetResult) -> str:
    parts = list[str]()
    if number(fleet, "late_first_token") > 0:
        time, target = number(fleet, "first_token_time"), number(fleet, "first_token_target")
        mean = number(fleet, "first_token_limit")
        margin = f", for the mean {mean:,.2f} s" if mean < target else ""
        parts.append(f"first token after {time:,.2f} s, the target is {target:,.2f} s{margin}")
    if number(fleet, "slow_tokens") > 0:
        time, target = number(fleet, "per_token_time"), number(fleet, "per_token_target")
        mean = number(fleet, "per_token_limit")
        margin = f", for the mean {mean:,.1f} ms" if mean < target else ""
        parts.append(f"{time:,.1f} ms a token, the target is {target:,.1f} ms{margin}")
    return "too slow: " + "; ".join(parts)


def _too_small(fleet: FleetResult) -> str:
    if "most_missing_gpus" in fleet.model.lines:
        missing = number(fleet, "most_missing_gpus")
        if number(fleet, "goodput") <= number(fleet, "least_goodput"):
            return (
                "too small: failures and repairs leave no time in which the work advances, however many GPUs there are"
            )
        missing = math.ceil(missing)
        are = "GPU is" if missing == 1 else "GPUs are"
        alone = number(fleet, "scale_out") == 0 and number(fleet, "run_gpus") > number(fleet, "gpus_per_system")
        why = "; a run stays inside one system, since no network between systems is stated" if alone else ""
        return f"too small: {missing:,} {are} missing for the year's work and its deadline{why}"
    if fleet.payment == "api":
        return f"too small: {'; '.join(_rate_limits(fleet))}"
    peak, missing = number(fleet, "peak_load"), number(fleet, "largest_shortfall")
    return f"too small: of a peak of {peak:,.3g} requests a second {missing:,.3g} are not served"


def _rate_limits(fleet: FleetResult) -> Iterator[str]:
    if number(fleet, "requests_beyond_limit") > 0:
        most, limit = number(fleet, "highest_request_rate"), number(fleet, "request_limit")
        yield f"{most:,.0f} requests a minute at the peak, the API takes {limit:,.0f}"
    if number(fleet, "tokens_beyond_limit") > 0:
        most, limit = number(fleet, "highest_token_rate"), number(fleet, "token_limit")
        yield f"{most:,.3g} million tokens a minute at the peak, the API takes {limit:,.3g}"


def _limits(fleet: FleetResult) -> str:
    parts = list[str]()
    if number(fleet, "power_exceeded") > 0:
        power, limit = number(fleet, "highest_nameplate_power"), number(fleet, "power_limit")
        most, held = apart(power, limit, 1)
        parts.append(f"{most} kW, the site delivers {held} kW")
    if number(fleet, "racks_exceeded") > 0:
        racks, limit = number(fleet, "most_racks"), number(fleet, "rack_limit")
        needed = f"{racks:,.0f} rack{'s' if racks != 1 else ''}" if math.isfinite(racks) else "no rack is tall enough"
        parts.append(f"{needed}, the site has {limit:,.0f}")
    parts += _of_racks(fleet)
    if number(fleet, "budget_exceeded") > 0:
        capital, most = float(np.sum(np.asarray(fleet.raw("capital_cost")))), number(fleet, "budget")
        spent, held = apart(capital, most, 0)
        parts.append(f"capital of {spent}, the budget is {held}")
    if number(fleet, "supply_exceeded") > 0:
        parts.append(f"{number(fleet, 'gpus'):,.0f} GPUs, {number(fleet, 'gpu_supply'):,.0f} can be had")
    if number(fleet, "cooling_mismatch") > 0:
        parts.append(f"{fleet.inputs['cooling_mismatch'].source}; state a retrofit or the fleet's own cooling")
    return "limit exceeded: " + "; ".join(parts)


def _of_racks(fleet: FleetResult) -> Iterator[str]:
    """Power and weight of one rack."""
    if number(fleet, "rack_power_exceeded") > 0:
        power, limit = number(fleet, "system_power"), number(fleet, "rack_power_limit")
        drawn, held = apart(power, limit, 1)
        yield f"a system draws {drawn} kW, a rack gets {held} kW"
    if number(fleet, "floor_exceeded") > 0:
        load, limit = number(fleet, "rack_load"), number(fleet, "floor_limit")
        weight, held = apart(load, limit, 0)
        yield f"{weight} kg/m2 under a rack, the floor bears {held} kg/m2"
