"""The search for a deployment: all candidates at once, through the same lines, as one array axis."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tco.evaluate import Program, Value, program
from tco.figures import Figure
from tco.model import Model

SIZES = sorted({round(2 ** (power / 4)) for power in range(49)})
"""Requests in flight that are tried: 1 to 4,096, about 19 % apart."""

SYSTEMS = sorted({*range(1, 257), *(round(256 * 1.02**power) for power in range(1, 211))})
"""Systems that hold the states of a run: every number up to 256, then 2 % apart to 16,000."""

FLAGS = ("supported", "fits", "fast_enough")
NEAR = 1e-9
"""Costs that differ by less are equal."""

REASONED = (
    "per_token_time",
    "first_token_time",
    "memory_margin",
    "host_margin",
    "system_output_rate",
    "states_per_gpu",
    "required_gpus",
)


@dataclass(frozen=True)
class Searched:
    """The chosen values, how many were tried, and the inputs they were chosen for."""

    values: dict[str, float]
    tried: int
    made_for: dict[str, float]


def candidates(figures: Mapping[str, Figure], model: Model) -> dict[str, NDArray[np.float64]]:
    """Every combination of deployment values that the user left open, as columns of shape (batch, 1)."""
    axes: dict[str, list[float]] = {}
    per_system = _number(figures, "gpus_per_system")
    for name in ("gpus_per_replica", "concurrency", "shard_gpus"):
        if name in model.inputs:
            axes[name] = [_number(figures, name)] if name in figures else _axis(name, per_system, figures)
    grids = np.meshgrid(*(np.array(axis, dtype=float) for axis in axes.values()), indexing="ij")
    return {name: grid.reshape(-1, 1) for name, grid in zip(axes, grids, strict=True)}


def _axis(name: str, per_system: float, figures: Mapping[str, Figure]) -> list[float]:
    powers = [2.0**power for power in range(15)]
    if name == "concurrency":
        return [float(size) for size in SIZES]
    if name == "gpus_per_replica":
        linked = "link_bandwidth" in figures
        return sorted({1.0, per_system, *(power for power in powers if power < per_system)}) if linked else [1.0]
    return _shards(per_system, figures)


def _shards(per_system: float, figures: Mapping[str, Figure]) -> list[float]:
    """Whole systems that hold whole copies of the model."""
    spans = _number(figures, "scale_out") > 0 if "scale_out" in figures else True
    copy = max(_number(figures, "tensor_parallel") * _number(figures, "pipeline_parallel"), 1.0)
    every = math.lcm(round(per_system), round(copy)) if per_system >= 1 else copy
    return [float(every * count) for count in SYSTEMS] if spans else [float(every)]


def _number(figures: Mapping[str, Figure], name: str) -> float:
    value = figures[name].value if name in figures else 1.0
    return float(value) if not isinstance(value, tuple) else 1.0


def search(
    model: Model, figures: Mapping[str, Figure], inputs: Mapping[str, Value], periods: int, headline: str
) -> Searched:
    """The cheapest candidate that runs; if none does, the one that comes nearest."""
    options = candidates(figures, model)
    if not options:
        return Searched({}, 0, {})
    wanted = [headline, *FLAGS, "memory_margin", "per_token_time", "missed_targets"]
    compiled: Program = program(model, wanted)
    found = compiled({**inputs, **options}, periods)
    count = len(next(iter(options.values())))

    def column(name: str, missing: float) -> NDArray[np.float64]:
        value = found.get(name)
        return np.full(count, missing) if value is None else np.broadcast_to(value, (count, 1))[:, 0]

    runs = np.all([column(flag, 1.0) > 0 for flag in FLAGS], axis=0)
    cost = np.nan_to_num(column(headline, 0.0), nan=np.inf, posinf=np.inf)
    pace = column("per_token_time", 0.0)
    nearest = (
        column("fits", 1.0) <= 0,
        column("missed_targets", 0.0),
        -np.minimum(column("memory_margin", 0.0), 0.0),
        pace,
    )
    if runs.any() and np.isfinite(cost[runs]).any():
        best = cost[runs].min()
        near = runs & (cost <= best + abs(best) * NEAR)
        index = int(np.lexsort((pace, ~near))[0])
    else:
        index = int(np.lexsort(nearest[::-1])[0])
    chosen = {name: float(values[index, 0]) for name, values in options.items()}
    return Searched(chosen, count, _made_for(model, inputs, chosen))


def _made_for(model: Model, inputs: Mapping[str, Any], chosen: Mapping[str, float]) -> dict[str, float]:
    """Scalar inputs behind fit and speed: when they change, the choice may be stale."""
    names = {
        parent for line in model.needed_for(REASONED) for parent in model.lines[line].parents if parent in model.inputs
    }
    return {
        name: float(inputs[name])
        for name in sorted(names)
        if name not in chosen and isinstance(inputs.get(name), float)
    }
