"""Sobol indices: how much of a variance each driver explains, by Saltelli's two sets of points."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from tco.uncertainty.draws import Draws

Array = NDArray[np.float64]
NO_VARIANCE = 1e-18

Function = Callable[[Array], Array]
"""From shares of shape (draws, dimensions) to one number a draw."""


def sobol(function: Function, draws: Draws, groups: Sequence[Sequence[int]], samples: int) -> list[tuple[float, float]]:
    """First-order and total index of each group of dimensions. Raises ValueError where a draw has no number.

    Dimensions that move together make one group: only then are groups independent, which the indices want.
    """
    sets = np.concatenate(list(draws.points(samples, 2)))
    one, other = sets[:, : draws.dimensions], sets[:, draws.dimensions :]
    base, second = function(one), function(other)
    middle = (np.mean(base) + np.mean(second)) / 2
    variance = float(np.var(np.concatenate([base, second])))
    if variance <= NO_VARIANCE * float(np.max(np.abs(base))) ** 2:
        return [(0.0, 0.0)] * len(groups)
    found = list[tuple[float, float]]()
    for group in groups:
        point = one.copy()
        point[:, group] = other[:, group]
        mixed = function(point)
        if not all(np.isfinite(values).all() for values in (base, second, mixed)):
            raise ValueError("a draw has no number")
        found.append(_pair(base - middle, second - middle, mixed - middle, variance))
    return found


def _pair(base: Array, second: Array, mixed: Array, variance: float) -> tuple[float, float]:
    """The estimators of Saltelli and others (2010) and of Jansen (1999)."""
    first = float(np.mean(second * (mixed - base))) / variance
    return first, float(np.mean((base - mixed) ** 2)) / (2 * variance)
