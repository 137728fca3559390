"""Whether other inputs would lead the search to another deployment: its rivals at the changed inputs, all at once."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from tco.analysis.fleet import engine_inputs
from tco.analysis.trials import Found, Trials
from tco.evaluate import Value
from tco.result import FleetResult, Result

Change = Callable[[FleetResult], Mapping[str, Value]]
"""The inputs that a change gives a fleet, in any of its precisions."""


def chosen_anew(result: Result, fleet: FleetResult, changes: Sequence[Change]) -> list[bool]:
    """For each change, whether a run with it would choose another deployment or precision than the issued one."""
    if not changes or not (fleet.rivals or fleet.others):
        return [False] * len(changes)
    moved, least = _tried(result, fleet, changes)
    others = [_tried(result, other, changes)[1] for other in fleet.others]
    beaten = [np.array(costs) < np.array(least) for costs in others]
    return [bool(one or any(costs[at] for costs in beaten)) for at, one in enumerate(moved)]


def _tried(result: Result, fleet: FleetResult, changes: Sequence[Change]) -> tuple[list[bool], list[float]]:
    """For each change, whether a rival comes first, and the cost of the first; endless where none runs."""
    trials = Trials(
        fleet.model, engine_inputs(fleet.inputs, result.timeline), result.timeline.periods, result.headline or ""
    )
    rivals = fleet.rivals or {"": np.zeros((1, 1))}
    size = len(next(iter(rivals.values())))
    issued = np.all([column[:, 0] == fleet.inputs[name].number for name, column in fleet.rivals.items()], axis=0)
    columns = {name: np.tile(column, (len(changes), 1)) for name, column in fleet.rivals.items()}
    found = trials.compute({**_moved(fleet, changes, size, result.timeline.periods), **columns})
    firsts, costs = list[bool](), list[float]()
    for start in range(0, size * len(changes), size):
        one = Found({name: line[start : start + size] for name, line in found.lines.items()}, found.headline)
        best = one.best()
        firsts.append(bool(fleet.rivals) and not bool(issued[best]))
        costs.append(float(one.cost[best]) if one.runs[best] else math.inf)
    return firsts, costs


def _moved(fleet: FleetResult, changes: Sequence[Change], size: int, periods: int) -> dict[str, NDArray[np.float64]]:
    """Each changed input as rows, one a change and rival; as issued where a change leaves it."""
    given = [change(fleet) for change in changes]
    names = sorted({name for one in given for name in one})
    found = dict[str, NDArray[np.float64]]()
    for name in names:
        rows = [one.get(name, fleet.inputs[name].value) for one in given]
        wide = periods if any(np.ndim(row) for row in rows) else 1  # pyright: ignore[reportArgumentType]
        block = np.array([np.broadcast_to(np.asarray(row, dtype=float), (wide,)) for row in rows])
        found[name] = np.repeat(block, size, axis=0)
    return found
