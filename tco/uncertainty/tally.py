"""Numbers over all draws: quantiles, who is cheapest, histograms."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from tco.uncertainty.found import SHARES, Quantiles

Array = NDArray[np.float64]
BLOCK = 65_536
BINS = 40


def quantiles(values: Array) -> Quantiles | None:
    """Of the draws that have a number; None where none has."""
    able = values[~np.isnan(values)]
    if not able.size:
        return None
    mean = float(np.mean(able))
    p5, p50, p95 = (float(one) for one in np.quantile(able, SHARES, overwrite_input=True))
    return Quantiles(p5, p50, p95, mean)


def able_share(values: Array) -> float:
    """The share of draws that have a number."""
    return 1 - float(np.count_nonzero(np.isnan(values))) / values.size


def cheapest(costs: Mapping[str, Array], whole: Sequence[str]) -> tuple[dict[str, float], float]:
    """How often each is the cheapest of those that do the whole work, ties shared out; and how often none does it.

    Others come in only where none is whole, as they do in a recommendation.
    """
    names = list(whole) or list(costs)
    won, nobody = np.zeros(len(names)), 0
    samples = len(next(iter(costs.values())))
    for start in range(0, samples, BLOCK):
        table = np.array([costs[name][start : start + BLOCK] for name in names])
        able = ~np.isnan(table)
        least = np.min(np.where(able, table, np.inf), axis=0)
        best = able & (table == least)
        count = np.sum(best, axis=0)
        won += np.sum(best / np.maximum(count, 1), axis=1)
        nobody += int(np.count_nonzero(count == 0))
    return dict(zip(names, (won / samples).tolist(), strict=True)), nobody / samples


def histogram(values: Array) -> tuple[float, float, tuple[int, ...]]:
    """Counts in bins of equal width; the outermost half per cent at either end is left out."""
    able = values[~np.isnan(values)]
    if not able.size:
        return 0.0, 0.0, ()
    low, high = (float(one) for one in np.quantile(able, (0.005, 0.995)))
    if not high - low > 1e-9 * abs(high):
        return low, high, (able.size,)
    counts, _ = np.histogram(able, BINS, (low, high))
    return low, high, tuple(int(one) for one in counts)
