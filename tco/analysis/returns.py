"""Internal rates of return: every rate at which a flow is worth nothing, so that several are never told as one."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
HIGHEST_RATE = 1e4
"""A year; a higher one says no more than a payback of days."""
LOWEST_RATE = -0.99
LOWEST, HIGHEST = float(np.log(0.01)), float(np.log(1 + HIGHEST_RATE))
"""As logarithms of 1 + rate: from -99 % a year on."""

CELLS, DEPTH, HALVINGS = 48, 12, 60
NOISE = 1e-9
"""Relative to the largest amount: what adding up leaves."""


def rates_of_return(times: Array, flows: Array) -> list[float] | None:
    """All of them in order, or None where two lie too close together to be told apart.

    The axis is cut into cells until in each the flow's worth has no zero or is monotone. Both follow from its
    receipts and payments, each of which falls with the rate, so that their ends bound them.
    """
    gained, spent = np.maximum(flows, 0), np.maximum(-flows, 0)
    parts = np.stack([gained, spent, gained * times, spent * times], axis=1)
    edges, found = np.linspace(LOWEST, HIGHEST, CELLS + 1), list[float]()
    low, high = edges[:-1], edges[1:]
    for _ in range(DEPTH):
        at_low, at_high = np.exp(-np.outer(low, times)) @ parts, np.exp(-np.outer(high, times)) @ parts
        worth_low, worth_high = at_low[:, 0] - at_low[:, 1], at_high[:, 0] - at_high[:, 1]
        never = (at_high[:, 0] > at_low[:, 1]) | (at_low[:, 0] < at_high[:, 1])
        steady = (at_high[:, 2] > at_low[:, 3]) | (at_low[:, 2] < at_high[:, 3])
        crossed = ~never & steady & ((worth_low > 0) != (worth_high > 0))
        found += [_root(times, flows, *ends) for ends in zip(low[crossed], high[crossed], strict=True)]
        open_low, open_high = low[~never & ~steady], high[~never & ~steady]
        if not open_low.size:
            return sorted(found)
        middle = (open_low + open_high) / 2
        low, high = np.concatenate([open_low, middle]), np.concatenate([middle, open_high])
    return None


def _root(times: Array, flows: Array, low: float, high: float) -> float:
    """Bisection where the worth is monotone."""

    def worth(power: float) -> float:
        return float(np.sum(flows * np.exp(-power * times)))

    falls = worth(low) > 0
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        low, high = (middle, high) if (worth(middle) > 0) == falls else (low, middle)
    return float(np.expm1((low + high) / 2))
