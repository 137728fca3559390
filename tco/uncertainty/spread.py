"""How an uncertain value is spread: its quantile at each share, cut at the bounds that its place sets."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from statistics import NormalDist
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tco.uncertainty.special import functions

Array = NDArray[np.float64]

KINDS = ("lognormal", "normal", "uniform", "triangular", "pert", "discrete")
"""Distributions that a scenario may name."""

NORMAL = NormalDist()
P95, P90 = NORMAL.inv_cdf(0.95), NORMAL.inv_cdf(0.9)
BELL = ("normal", "lognormal", "about")
"""Kinds that are a function of a normal score and have no ends of their own."""

PEAK = 4.0
"""Weight of the typical value in the mean of a PERT distribution, against 1 for each end."""


@dataclass(frozen=True)
class Spread:
    """A distribution; numbers are in `unit`, and `text` says it as it was written.

    `numbers` are of lognormal the median and the deviation of the logarithm, of normal mean and deviation, of uniform
    the ends, of triangular and pert low, typical, high, of discrete the values (with their `shares`), and of `about`
    low, middle, high and the normal score of the outer two: a bell with two halves through the three of them.
    """

    kind: str
    numbers: tuple[float, ...]
    unit: str = ""
    text: str = ""
    shares: tuple[float, ...] = ()
    least: float = -math.inf
    most: float = math.inf

    @property
    def median(self) -> float:
        """The value in the middle."""
        return self.quantile(0.5)

    def quantile(self, share: float) -> float:
        """One value of `at`; without scipy for all but PERT."""
        if self.kind not in BELL:
            return float(self.at(np.array([share]))[0])
        low, high = self._cut()
        score = NORMAL.inv_cdf(low + share * (high - low))
        return min(max(float(self._of_scores(np.array([score]))[0]), self.least), self.most)

    @property
    def cut_away(self) -> float:
        """The share of the distribution beyond the bounds of the place, which is never drawn."""
        low, high = self._cut() if self.kind in BELL else (0.0, 1.0)
        return 1 - (high - low)

    def within(self, least: float, most: float) -> Spread:
        """The same, cut at bounds."""
        return replace(self, least=least, most=most)

    def at(self, share: Array) -> Array:
        """The value below which this share of draws lies; shares lie between 0 and 1, never on them."""
        if self.kind in BELL:
            return self._bell(share)
        return _QUANTILES[self.kind](self, share)

    def _cut(self) -> tuple[float, float]:
        """The shares at which the bounds cut."""
        ends = (self.least, 0.0), (self.most, 1.0)
        low, high = (NORMAL.cdf(self._score(end)) if math.isfinite(end) else share for end, share in ends)
        return low, high

    def _bell(self, share: Array) -> Array:
        ndtri = functions().ndtri
        low, high = self._cut()
        if (low, high) == (0.0, 1.0):
            return self._of_scores(ndtri(share))
        return np.clip(self._of_scores(ndtri(low + share * (high - low))), self.least, self.most)

    def _of_scores(self, score: Array) -> Array:
        first, second = self.numbers[:2]
        if self.kind == "normal":
            return first + second * score
        if self.kind == "lognormal":
            return first * np.exp(second * score)
        down, up = self._halves()
        slope = np.where(score < 0, down, up)
        return second * np.exp(slope * score) if self.numbers[0] > 0 else second + slope * score

    def _score(self, value: float) -> float:
        """The normal score at which a value lies."""
        first, second = self.numbers[:2]
        if self.kind == "normal":
            return (value - first) / second
        if value <= 0 and (self.kind == "lognormal" or first > 0):
            return -math.inf
        if self.kind == "lognormal":
            return math.log(value / first) / second
        away = math.log(value / second) if first > 0 else value - second
        slope = self._halves()[away > 0]
        return away / slope if slope else math.copysign(math.inf, away)

    def _halves(self) -> tuple[float, float]:
        """What one normal score moves, below and above the middle."""
        low, middle, high, score = self.numbers
        if low > 0:
            return math.log(middle / low) / score, math.log(high / middle) / score
        return (middle - low) / score, (high - middle) / score


def lognormal(low: float, high: float, score: float = P95) -> tuple[float, float]:
    """Median and deviation of the logarithm of the one whose ends lie at plus and minus the score."""
    return math.sqrt(low * high), math.log(high / low) / (2 * score)


def normal(low: float, high: float, score: float = P95) -> tuple[float, float]:
    """Mean and deviation of the one whose ends lie at plus and minus the score."""
    return (low + high) / 2, (high - low) / (2 * score)


def lognormal_of_mean(mean: float, deviation: float) -> tuple[float, float]:
    """Median and deviation of the logarithm of the one with this mean and deviation."""
    square = math.log1p((deviation / mean) ** 2)
    return mean * math.exp(-square / 2), math.sqrt(square)


def about(figure_low: float, value: float, figure_high: float, score: float = P95, unit: str = "") -> Spread:
    """Two halves of a bell through low, value and high; lognormal where all are above zero."""
    return Spread("about", (figure_low, value, figure_high, score), unit)


def _uniform(spread: Spread, share: Array) -> Array:
    low, high = spread.numbers
    return low + share * (high - low)


def _triangular(spread: Spread, share: Array) -> Array:
    low, typical, high = spread.numbers
    wide, rise, fall = high - low, typical - low, high - typical
    below = low + np.sqrt(share * wide * rise)
    return np.where(share * wide < rise, below, high - np.sqrt((1 - share) * wide * fall))


def _pert(spread: Spread, share: Array) -> Array:
    low, typical, high = spread.numbers
    wide = high - low
    first, second = (1 + PEAK * part / wide for part in (typical - low, high - typical))
    found: Any = functions().betaincinv(first, second, share)
    return low + wide * found


def _discrete(spread: Spread, share: Array) -> Array:
    edges = np.cumsum(spread.shares)[:-1] / math.fsum(spread.shares)
    return np.array(spread.numbers)[np.searchsorted(edges, share, "left")]


_QUANTILES: dict[str, Callable[[Spread, Array], Array]] = {
    "uniform": _uniform, "triangular": _triangular, "pert": _pert, "discrete": _discrete,
}  # fmt: skip
