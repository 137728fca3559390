"""What a portfolio's run yields: needs of workloads, parts of a bill, ways to do all the work, a ranking."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from tco.result import Alert, FleetResult, Result, Verdict
from tco.timeline import Timeline

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Need:
    """What one workload needs of a fleet, by period, before systems are rounded up.

    Work stands on GPUs in `items` of `size`: a replica, or what a run needs at once. `systems` are those of a fleet
    of its own, without spares. `busy` GPUs work on average, `peak` and `month_peak` ones in the busiest hours.
    """

    work: str
    size: int
    items: Array
    gpus: Array
    systems: Array
    busy: Array
    peak: Array
    month_peak: Array


@dataclass(frozen=True)
class Borne:
    """One workload's part of a bill.

    `reserved` and `used` are GPU-hours by period. Shares are those of all GPU-hours that stand or are rented;
    `needed_share` is the reservation without what rounding and systems that stay add to it.
    """

    work: str
    reserved: Array
    used: Array
    reservation_share: float
    usage_share: float
    needed_share: float


@dataclass(frozen=True)
class Allocation:
    """A bill on two bases: `reservation` adds up to it; `usage` does with `idle_share`, which nobody used."""

    borne: Mapping[str, Borne]
    gpu_hours: Array

    @property
    def idle_share(self) -> float:
        """The share of GPU-hours in which nothing works; what rounding leaves is none."""
        left = 1.0 - sum(one.usage_share for one in self.borne.values())
        return 0.0 if abs(left) < NOISE else left


@dataclass(frozen=True)
class Shared:
    """One fleet that does several workloads: the fleet as run for all of them, and each workload on it alone."""

    fleet: FleetResult
    alone: Mapping[str, FleetResult]
    needs: Mapping[str, Need]
    verdict: Verdict
    reasons: tuple[str, ...]
    allocation: Allocation | None

    @property
    def works(self) -> tuple[str, ...]:
        """The workloads that it does."""
        return tuple(self.needs)


@dataclass(frozen=True)
class Option:
    """Workloads on a fleet, which is one of their own or shared."""

    fleet: str
    works: tuple[str, ...]
    verdict: Verdict
    reasons: tuple[str, ...]
    result: FleetResult
    shared: Shared | None = None

    @property
    def present_cost(self) -> float | None:
        """None for work that cannot run."""
        return cost(self.result, "present_cost", self.verdict)

    @property
    def systems(self) -> float | None:
        """Most systems of all periods; an API has none."""
        held = self.result.raw("systems")
        return None if held is None else float(np.max(held))


@dataclass(frozen=True)
class Way:
    """One way to do all the work: fleets, each with its workloads. `id` names it in outputs."""

    id: str
    options: tuple[Option, ...]
    verdict: Verdict
    reasons: tuple[str, ...]

    def cost(self, line: str) -> float | None:
        """The sum of a line over the fleets; None where one of them cannot do its work."""
        found = [cost(one.result, line, one.verdict) for one in self.options]
        return None if None in found else float(sum(one for one in found if one is not None))

    @property
    def present_cost(self) -> float | None:
        """What ways are ranked by."""
        return self.cost("present_cost")


@dataclass
class PortfolioResult:
    """All workloads, alone on each fleet and together on shared ones, and the ways to do them all, cheapest first.

    `single` is each workload's own run. `together` is the run of the fleets shared by all workloads, None where no
    fleet does all. There is no headline: unlike outputs have no common unit cost; ways are ranked by `present_cost`.
    """

    scenario: dict[str, str]
    engine: dict[str, str]
    timeline: Timeline
    single: dict[str, Result]
    shared: dict[tuple[str, ...], dict[str, Shared]]
    together: Result | None
    ways: list[Way]
    ranking: list[str] = field(default_factory=list[str])
    recommended: str | None = None
    reason: str = ""
    warnings: list[Alert] = field(default_factory=list[Alert])

    @property
    def by_id(self) -> Mapping[str, Way]:
        """Ways by their id."""
        return {way.id: way for way in self.ways}

    @property
    def works(self) -> tuple[str, ...]:
        """The workloads, in the order of the file."""
        return tuple(self.single)

    @property
    def whole(self) -> Mapping[str, Shared]:
        """Fleets shared by all workloads."""
        return self.shared.get(self.works, {})

    def headline(self, work: str) -> str:
        """The line that a workload's own run is ranked by."""
        return self.single[work].headline or ""


NOISE = 1e-9
"""As the workbook's checks forgive it."""

NOT_COSTED = ("not supported", "does not fit", "too slow")


def cost(fleet: FleetResult, line: str, verdict: Verdict) -> float | None:
    """A cost, unless the work cannot run."""
    value = None if verdict in NOT_COSTED else fleet.shown(line)
    return value if isinstance(value, float) else None


OUTPUT = {
    "cost_per_million_useful_tokens": "present_useful_tokens",
    "cost_per_useful_training_step": "present_useful_training_steps",
}
"""The discounted output that a unit cost divides by."""


def unit_cost(held: Shared, work: str, headline: str, *, usage: bool = False) -> float | None:
    """Present cost that a workload bears on a basis, over its discounted output."""
    whole = cost(held.fleet, "present_cost", held.verdict)
    output = held.alone[work].raw(OUTPUT[headline])
    if whole is None or held.allocation is None or not isinstance(output, float) or output <= 0:
        return None
    one = held.allocation.borne[work]
    return whole * (one.usage_share if usage else one.reservation_share) / output
