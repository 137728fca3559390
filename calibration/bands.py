"""80 % bands: quantiles of measured over predicted, on families that the fit did not see."""

# pyright: basic, reportArgumentType=false, reportReturnType=false, reportAttributeAccessIssue=false, reportCallIssue=false
from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

TAIL = 0.1  # share of the rows beyond either end
BORROWED = 10  # a group borrows the weight of so many families from all rows of its quantity
NARROWEST = 0.5  # share of the tail that is left where families are few
FEWEST = 8  # families below which the coverage of a group says little
QUANTITIES = {"decode": "decode rate", "prefill": "prefill rate", "ttft1": "prefill rate", "tpot": "time per token"}
QUANTITIES |= {"ttft": "first token time", "rate": "throughput"}


def quantity_of(rows: pd.DataFrame) -> pd.Series:
    return rows.quantity.map(QUANTITIES) if "quantity" in rows else pd.Series("training rate", index=rows.index)


def speed_ratio(rows: pd.DataFrame, predicted: Any) -> Any:
    """Log of measured speed over predicted speed; a time counts upside down, so that quantities look alike."""
    sign = np.where(quantity_of(rows).str.contains("time"), -1, 1)
    return sign * np.log(rows.value.to_numpy(float) / predicted)


def quantiles(values: Any, weight: Any, seen: int) -> tuple[float, float]:
    """Both ends; the fewer families are seen, the less they tell of others: the ends move out."""
    tail = TAIL * max(1 - seen**-0.5, NARROWEST)
    order = np.argsort(values, kind="stable")
    place = (np.cumsum(weight[order]) - weight[order] / 2) / weight.sum()
    low, high = np.interp([tail, 1 - tail], place, values[order])
    return float(low), float(high)


def band_of(speed: Any, family: Any, mine: Any, wider: Any) -> tuple[float, float]:
    """A group's own rows weigh as its families; all rows of the quantity weigh as a few families more."""
    families = len(set(family[mine]))
    weight = mine * (families / max(mine.sum(), 1)) + wider * (BORROWED / wider.sum())
    used = weight > 0
    return quantiles(speed[used], weight[used], max(families, 1))


def class_band(speed: Any, hardware: Any, mine: Any) -> tuple[float, float]:
    """The band of a class of hardware that was never measured: every measured class weighs the same."""
    sizes = pd.Series(hardware[mine]).groupby(hardware[mine]).transform("size").to_numpy(float)
    return quantiles(speed[mine], 1 / sizes, len(set(hardware[mine])))


def around(first: tuple[float, float], second: tuple[float, float]) -> tuple[float, float]:
    """The band that holds both: what was never measured is not surer than what was."""
    return min(first[0], second[0]), max(first[1], second[1])


def coverage(speed: Any, family: Any, fold: Any, mine: Any, wider: Any) -> float:
    """Share of a group's rows inside the band that the rows of the other folds give."""
    inside = np.zeros(len(speed), bool)
    for index in set(fold[mine]):
        low, high = band_of(speed, family, mine & (fold != index), wider & (fold != index))
        inside |= mine & (fold == index) & (speed >= low) & (speed <= high)
    return float(inside[mine].mean())


def class_coverage(speed: Any, hardware: Any, mine: Any) -> float:
    """Share of the rows inside the band that the other classes of hardware give; every class weighs the same."""
    shares: list[float] = []
    for name in sorted(set(hardware[mine])):
        here = mine & (hardware == name)
        low, high = class_band(speed, hardware, mine & ~here)
        shares.append(float(((speed[here] >= low) & (speed[here] <= high)).mean()))
    return float(np.mean(shares))
