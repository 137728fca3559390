"""What bounds the chosen deployment: the limit that fails first beyond it."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from tco.analysis.axes import SIZES, Grid
from tco.analysis.trials import NEAR, Found, Trials
from tco.wording import percent, plain

STEPS = 32
"""Batches that are tried between the last that runs and the first that does not."""


def bound(trials: Trials, grid: Grid, found: Found, index: int) -> str:
    """One sentence: the limit that fails first when the batch grows; else the limit behind what would be cheaper."""
    if "concurrency" in grid.columns and "per_token_time" in found.lines:
        return _of_batch(trials, grid, found, index)
    return _of_cheaper(trials, grid, found, index)


def _of_batch(trials: Trials, grid: Grid, found: Found, index: int) -> str:
    values = grid.values(index)
    batch, same = values["concurrency"], _same_but(grid, "concurrency", index)
    larger = same[grid.columns["concurrency"][same, 0] > batch]
    if not larger.size:
        reached = "the most that are tried" if batch >= SIZES[-1] else "as many as the engine runs at once"
        return f"{_requests(batch)} in flight: {reached} (`batch_limit`)"
    failed = larger[~found.runs[larger]]
    if not failed.size or not np.any(found.cost[larger] < found.cost[index] * (1 - NEAR)):
        return f"no limit: more than {_requests(batch)} in flight would not make it cheaper"
    last, first = (float(grid.columns["concurrency"][at, 0]) for at in (failed[0] - 1, failed[0]))
    steps = np.unique(np.linspace(last + 1, first, STEPS).astype(int)).astype(float)
    columns = {name: np.full((len(steps), 1), value) for name, value in values.items()}
    beyond = trials.compute({**columns, "concurrency": steps.reshape(-1, 1)})
    at = int(np.argmin(beyond.runs))
    return f"{_requests(batch)} in flight: with {steps[at]:,.0f} {' and '.join(_limits(trials, beyond, at))}"


def _same_but(grid: Grid, name: str, index: int) -> NDArray[np.intp]:
    """Candidates that differ from one in this axis only, in its order; it is the fastest to change."""
    others = [place for axis, place in zip(grid.axes, grid.places, strict=True) if axis.name != name]
    return (
        np.flatnonzero(np.all([place == place[index] for place in others], axis=0)) if others else np.arange(len(grid))
    )


def _requests(count: float) -> str:
    return f"{count:,.0f} request{'s' if count != 1 else ''}"


def _limits(trials: Trials, found: Found, index: int) -> Iterator[str]:
    """Each limit that fails, with numbers."""
    at = {name: float(values[index]) for name, values in found.lines.items()}
    if at.get("memory_margin", 0) < 0 and at.get("fits", 1) <= 0:
        yield f"{plain(-at['memory_margin'])} GiB of memory would be missing on each GPU"
    if at.get("host_margin", 0) < 0 and at.get("fits", 1) <= 0:
        yield f"{plain(-at['host_margin'])} GB of memory would be missing on the host"
    for flag, line, target, unit in (
        ("late_first_token", "first_token_time", "first_token_target", "s"),
        ("slow_tokens", "per_token_time", "per_token_target", "ms"),
    ):
        if at.get(flag, 0) > 0:
            what = "the first token would take" if unit == "s" else "each further token would take"
            share = float(np.max(np.asarray(trials.inputs.get("target_share", 1.0))))
            wanted = float(np.max(np.asarray(trials.inputs[target]))) * share
            whom = " to the mean" if share < 1 else ""
            yield f"{what} {at[line]:,.4g} {unit} of the {wanted:.4g} {unit} allowed{whom}"


def _of_cheaper(trials: Trials, grid: Grid, found: Found, index: int) -> str:
    """What would be cheaper and cannot run."""
    cost = found.cost
    cheaper = (found.line("supported", 1.0) > 0) & (cost < cost[index] * (1 - NEAR))
    if not cheaper.any():
        return "no limit: nothing that was tried would be cheaper"
    at = int(np.flatnonzero(cheaper & (cost <= cost[cheaper].min() * (1 + NEAR)))[0])
    saved = 1 - cost[at] / cost[index]
    told = ", ".join([*(f"{key}: {word}" for key, word in grid.words(at).items()), *_counts(grid, at)])
    return f"{told} would cost {percent(saved)} less, and {' and '.join(_limits(trials, found, at))}"


def _counts(grid: Grid, at: int) -> Iterator[str]:
    labels = {
        "micro_batch": "{:,.0f} sequences at a time", "tensor_parallel": "{:,.0f} GPUs a layer",
        "pipeline_parallel": "{:,.0f} pipeline stages", "shard_gpus": "states on {:,.0f} GPUs",
        "gpus_per_replica": "{:,.0f} GPUs a replica", "pipeline_stages": "{:,.0f} pipeline stages",
    }  # fmt: skip
    values = grid.values(at)
    for name, label in labels.items():
        if name in values:
            told = label.format(values[name])
            yield (
                told.replace("1 sequences", "1 sequence").replace("1 GPUs", "1 GPU").replace("stages", "stage")
                if values[name] == 1
                else told
            )
