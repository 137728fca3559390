"""Sobol indices: how much of a variance each driver explains, by Saltelli's two sets of points."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tco.uncertainty.draws import Draws
from tco.uncertainty.special import statistics

Array = NDArray[np.float64]
Function = Callable[[Array], Array]
"""From shares of shape (draws, dimensions) to one number a draw."""


def sobol(function: Function, draws: Draws, groups: Sequence[Sequence[int]], samples: int) -> list[tuple[float, float]]:
    """First-order and total index of each group of dimensions. Raises ValueError where a draw has no number.

    Dimensions that move together make one group: only then are groups independent, which the indices want.
    """
    sets = np.concatenate(list(draws.points(samples, 2)))
    one, other = sets[:, : draws.dimensions], sets[:, draws.dimensions :]
    mixed = list[Array]()
    for group in groups:
        point = one.copy()
        point[:, group] = other[:, group]
        mixed.append(function(point))
    values = {"f_A": function(one)[None], "f_B": function(other)[None], "f_AB": np.array(mixed)[:, None]}
    if not all(np.isfinite(held).all() for held in values.values()):
        raise ValueError("a draw has no number")
    if float(np.std(values["f_A"])) <= 1e-12 * float(np.max(np.abs(values["f_A"]))):
        return [(0.0, 0.0)] * len(groups)
    found: Any = statistics().sobol_indices(func=values, n=samples)
    first, total = np.reshape(found.first_order, -1), np.reshape(found.total_order, -1)
    return list(zip(first.tolist(), total.tolist(), strict=True))
