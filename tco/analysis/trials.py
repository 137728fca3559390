"""Candidates through the lines: cost, flags and limits of each."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tco.analysis.axes import Column
from tco.evaluate import Program, Value, in_blocks, program
from tco.model import Model

FLAGS = ("supported", "fits", "fast_enough")
LIMITS = (
    "memory_margin", "host_margin", "per_token_time", "first_token_time", "slow_tokens", "late_first_token",
)  # fmt: skip
"""Lines that say which limit fails and by how much."""

NEAR = 1e-9
"""Costs that differ by less are equal."""

BLOCK = 512
"""Candidates that are computed together: their columns stay in the cache."""


@dataclass
class Found:
    """Lines of all candidates as flat arrays."""

    lines: dict[str, NDArray[np.float64]]
    headline: str

    def line(self, name: str, missing: float) -> NDArray[np.float64]:
        """A line, or the same number for all where the fleet lacks it."""
        value = self.lines.get(name)
        return np.full(len(next(iter(self.lines.values()))), missing) if value is None else value

    @property
    def cost(self) -> NDArray[np.float64]:
        """The headline; endless where it is not defined."""
        return np.nan_to_num(self.line(self.headline, 0.0), nan=np.inf, posinf=np.inf)

    @property
    def runs(self) -> NDArray[np.bool_]:
        """Whether all flags hold."""
        return np.all([self.line(flag, 1.0) > 0 for flag in FLAGS], axis=0)

    def best(self) -> int:
        """The cheapest that runs, the fastest among equals; if none does, the one that comes nearest."""
        runs, cost, pace = self.runs, self.cost, self.line("per_token_time", 0.0)
        short = -np.minimum(self.line("memory_margin", 0.0), 0.0)
        if runs.any() and np.isfinite(cost[runs]).any():
            least = cost[runs].min()
            near = runs & (cost <= least + abs(least) * NEAR)
            return int(np.lexsort((pace, short, ~near))[0])
        return self.nearest()

    def nearest(self) -> int:
        """The one that comes nearest to running, whatever it costs."""
        pace, short = self.line("per_token_time", 0.0), -np.minimum(self.line("memory_margin", 0.0), 0.0)
        return int(np.lexsort((pace, short, self.line("missed_targets", 0.0), self.line("fits", 1.0) <= 0))[0])

    def order(self) -> NDArray[np.intp]:
        """All from the best on: those that run, the cheapest first, the fastest among equals."""
        return np.lexsort((self.line("per_token_time", 0.0), self.cost, ~self.runs))

    def preferred(self) -> NDArray[np.intp]:
        """Those that run, in the order in which they are preferred among equal costs."""
        pace, short = self.line("per_token_time", 0.0), -np.minimum(self.line("memory_margin", 0.0), 0.0)
        able = np.flatnonzero(self.runs)
        return able[np.lexsort((pace[able], short[able]))]


@dataclass
class Trials:
    """A fleet's lines behind cost and verdict, and the candidates computed with them."""

    model: Model
    inputs: Mapping[str, Value]
    periods: int
    headline: str

    def __post_init__(self) -> None:
        wanted = [self.headline, *FLAGS, "missed_targets", *LIMITS]
        self.compiled: Program = program(self.model, wanted)

    def compute(self, columns: Mapping[str, Column]) -> Found:
        """Every candidate."""
        count = len(next(iter(columns.values())))
        found = in_blocks(self.compiled, {**self.inputs, **columns}, self.periods, BLOCK)
        return Found({name: np.broadcast_to(value, (count, 1))[:, 0] for name, value in found.items()}, self.headline)
