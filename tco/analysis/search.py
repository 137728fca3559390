"""The search for a deployment: all candidates at once, through the same lines, as one array axis."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tco.analysis.axes import Axis, Column, Figures, Grid, Words, axes
from tco.analysis.bounds import bound
from tco.analysis.trials import Found, Trials
from tco.evaluate import Value
from tco.model import Model

SHOWN = 12
"""Deployments of the front that are kept."""

NEXT, SPREAD = 16, 16
"""Rivals that are kept: so many that come next, and so many of the others, evenly spread."""

REASONED = (
    "per_token_time",
    "first_token_time",
    "memory_margin",
    "host_margin",
    "system_output_rate",
    "states_per_gpu",
    "required_gpus",
)

LOADS = ("requests", "demand_growth", "peak_to_mean")
"""What a fleet that is paid by the hour is chosen for too: the batch that is cheapest at one load is not at another."""


@dataclass(frozen=True)
class Searched:
    """The chosen values, how many were tried, the inputs they were chosen for, what bounds them, front and rivals."""

    values: dict[str, float] = field(default_factory=dict[str, float])
    tried: int = 0
    made_for: dict[str, float] = field(default_factory=dict[str, float])
    words: dict[str, str] = field(default_factory=dict[str, str])
    bound: str = ""
    front: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])
    rivals: dict[str, Column] = field(default_factory=dict[str, Column])


def search(
    model: Model, figures: Figures, inputs: Mapping[str, Value], periods: int, headline: str, words: Words
) -> Searched:
    """The cheapest candidate that runs; if none does, the one that comes nearest."""
    trials = Trials(model, inputs, periods, headline)
    grid, found, tried = candidates(trials, figures, words)
    if not tried:
        return Searched()
    index = found.best()
    chosen = grid.values(index)
    told = bound(trials, grid, found, index) if found.runs[index] else ""
    made_for, front, rivals = _made_for(model, inputs, chosen), _front(grid, found), _rivals(grid, found, index)
    return Searched(chosen, tried, made_for, grid.words(index), told, front, rivals)


def candidates(trials: Trials, figures: Figures, words: Words) -> tuple[Grid, Found, int]:
    """The candidates to choose from, what they cost, and how many were tried; layers of a run divided if they must."""
    grid, found = _tried(trials, axes(trials.model, figures, words, trials.headline))
    tried = len(grid)
    if tried and "shard_gpus" in trials.model.inputs and not found.runs.any():
        wider, more = _tried(trials, axes(trials.model, figures, words, trials.headline, wide=True))
        tried += len(wider)
        if more.runs.any():
            return wider, more, tried
    return grid, found, tried


def _tried(trials: Trials, open_axes: list[Axis]) -> tuple[Grid, Found]:
    if not open_axes:
        return Grid([], {}, np.zeros((0, 0), dtype=np.int64)), Found({}, trials.headline)
    grid = Grid.of(open_axes)
    return grid, trials.compute(grid.columns)


def _front(grid: Grid, found: Found) -> list[dict[str, Any]]:
    """Cost against time for a token, of the candidates that run; empty where no time of a token is known."""
    if "per_token_time" not in found.lines:
        return []
    cost, pace = found.cost, found.lines["per_token_time"]
    able = np.flatnonzero(found.runs & np.isfinite(cost))
    return [
        {"values": grid.values(int(at)), "cost": float(cost[at]), "per_token_time": float(pace[at])}
        for at in able[unbeaten(cost[able], pace[able])]
    ]


def _rivals(grid: Grid, found: Found, index: int) -> dict[str, Column]:
    """The inputs of the chosen candidate and of those that might be preferred elsewhere, in the order of the grid."""
    order = found.order()
    later = order[NEXT:]
    spread = np.linspace(0, later.size - 1, min(SPREAD, later.size)).astype(int)
    kept = np.unique([index, *order[:NEXT], *later[spread]])
    return {name: column[kept] for name, column in grid.columns.items()}


def unbeaten(cost: Column, pace: Column) -> NDArray[np.intp]:
    """Those that none beats in both, the cheapest first; of many only some, evenly spread, with both ends."""
    order = np.lexsort((pace, cost))
    least = np.minimum.accumulate(np.append(np.inf, pace[order]))
    kept = order[pace[order] < least[:-1]]
    spread = np.linspace(0, kept.size - 1, min(SHOWN, kept.size)).astype(int)
    return kept[spread]


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
