"""What a simulation yields: quantiles of each fleet, how often it is cheapest, and what moves it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

SHARES = (0.05, 0.5, 0.95)


@dataclass(frozen=True)
class Quantiles:
    """Of one line, over the draws in which the fleet does the work."""

    p5: float
    p50: float
    p95: float
    mean: float


@dataclass(frozen=True)
class Index:
    """Which share of the variance a driver explains alone, and with all that it acts together with (Sobol)."""

    drivers: tuple[str, ...]
    first: float
    total: float


@dataclass(frozen=True)
class FleetSpread:
    """One fleet over all draws: how often it does the work and is cheapest, its lines, and a histogram of the headline.

    `base` is the headline of the run itself, None where it has none. `counts` are of bins of equal width between
    `low` and `high`.
    """

    id: str
    base: float | None
    able: float
    cheapest: float
    lines: Mapping[str, Quantiles]
    low: float = 0.0
    high: float = 0.0
    counts: tuple[int, ...] = ()


@dataclass(frozen=True)
class Drawn:
    """A driver as it was drawn: in words, with its quantiles in its unit."""

    name: str
    text: str
    unit: str
    p5: float
    p50: float
    p95: float


@dataclass(frozen=True)
class Simulation:
    """All of it. `choices` is `keep` or `search`; `idle` are drivers that move no fleet; `notes` what one must know."""

    samples: int
    seed: int
    choices: str
    headline: str
    drivers: tuple[Drawn, ...]
    fleets: tuple[FleetSpread, ...]
    nobody: float
    indices: Mapping[str, tuple[Index, ...]] = field(default_factory=dict[str, tuple[Index, ...]])
    index_samples: int = 0
    without_indices: Mapping[str, str] = field(default_factory=dict[str, str])
    correlations: tuple[tuple[str, str, float], ...] = ()
    idle: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def by_id(self) -> Mapping[str, FleetSpread]:
        """Fleets by their id."""
        return {fleet.id: fleet for fleet in self.fleets}

    @property
    def order(self) -> tuple[FleetSpread, ...]:
        """The most often cheapest first."""

        def place(fleet: FleetSpread) -> tuple[float, float]:
            found = fleet.lines.get(self.headline)
            return -fleet.cheapest, found.p50 if found else float("inf")

        return tuple(sorted(self.fleets, key=place))
