"""What a sweep of the scenario found, small enough to be told: who is recommended where, at what cost."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tco.errors import ScenarioError
from tco.session import Scenario
from tco.sweep.asked import Axis, Grid
from tco.sweep.drive import Tally
from tco.sweep.run import Sweep
from tco.sweep.stated import AT, of_scenario

MOST_TOLD = 100_000
"""Variants of a sweep that a report holds; `tco sweep` writes more."""

MOST_LISTED = 10_000
"""Variants that the JSON lists one by one."""


@dataclass(frozen=True)
class Outcome:
    """By variant: the recommended fleet (-1 for none), its headline, and the headline of every fleet."""

    sweep: Sweep
    axes: Sequence[Axis]
    shape: tuple[int, ...]
    best: NDArray[np.int16]
    costs: NDArray[np.float64]
    values: NDArray[np.float64]
    refused: dict[int, str]
    kept: int

    @property
    def name(self) -> str:
        """As the scenario calls it."""
        return self.sweep.title

    @property
    def fleets(self) -> Sequence[str]:
        """Fleets that were compared."""
        return self.sweep.fleets

    @property
    def unit(self) -> str:
        """The unit of the headline."""
        return self.sweep.lines[0].unit

    def wins(self) -> list[tuple[str, int]]:
        """Fleets that are recommended somewhere, the most frequent first."""
        counts = np.bincount(self.best[self.best >= 0], minlength=len(self.fleets)).tolist()
        order = sorted(range(len(counts)), key=lambda at: -counts[at])
        return [(self.fleets[at], int(counts[at])) for at in order if counts[at]]

    def labels(self, at: int) -> list[str]:
        """The values of a variant, one an axis."""
        places = np.unravel_index(at, self.shape)
        return [str(axis.labels[int(place)]) for axis, place in zip(self.axes, places, strict=True)]

    def flips(self) -> Iterator[tuple[list[str], int, str, str, str, str]]:
        """Along the axes, the last first: where the recommendation changes between two neighbours.

        Labels, the axis, the two values, and the two fleets (`none` where nothing does the work).
        """
        best = self.best.reshape(self.shape)
        for axis in reversed(range(len(self.shape))):
            low = np.take(best, range(self.shape[axis] - 1), axis)
            high = np.take(best, range(1, self.shape[axis]), axis)
            for place in np.argwhere(low != high):
                there: tuple[int, ...] = tuple(map(int, place))
                after = (*there[:axis], there[axis] + 1, *there[axis + 1 :])
                labels = [str(one.labels[at]) for one, at in zip(self.axes, there, strict=True)]
                pair = (self._fleet(int(best[there])), self._fleet(int(best[after])))
                yield labels, axis, labels[axis], str(self.axes[axis].labels[after[axis]]), *pair

    def _fleet(self, at: int) -> str:
        return self.fleets[at] if at >= 0 else "none"


def outcomes(scenario: Scenario) -> list[Outcome]:
    """Every sweep that the scenario states, computed. Raises ScenarioError."""
    found = of_scenario(scenario)
    for index, one in enumerate(found):
        if one.asked.count > MOST_TOLD:
            told = f"`{one.title}` has {one.asked.count:,} variants; a report holds {MOST_TOLD:,}"
            problem = scenario.document.problem((*AT, index), f"{told}: take fewer, or give the axes to `tco sweep`")
            raise ScenarioError([problem])
    return [outcome(one) for one in found]


def outcome(one: Sweep, jobs: int = 1) -> Outcome:
    """A sweep over axes, computed. Raises ScenarioError, OutputError."""
    tally, values = Tally(one), list[NDArray[np.float64]]()
    for part in one.parts(jobs=jobs):
        tally.add(part.start, part.found)
        values.append(part.found.values[:, :, 0])
    assert isinstance(one.asked, Grid)
    best, costs = np.concatenate(tally.best), np.concatenate(tally.costs)
    return Outcome(one, one.asked.axes, one.asked.sizes, best, costs, np.concatenate(values), tally.refused, tally.kept)


def plain(found: Sequence[Outcome]) -> list[dict[str, Any]]:
    """For JSON."""
    return [_plain(one) for one in found]


def _plain(one: Outcome) -> dict[str, Any]:
    told: dict[str, Any] = {
        "name": one.name,
        "axes": [{"place": axis.name, "values": list(axis.labels)} for axis in one.axes],
        "fleets": list(one.fleets),
        "line": one.sweep.lines[0].name,
        "unit": one.unit,
        "choices": one.sweep.choices,
        "variants": len(one.best),
        "kept": one.kept,
        "recommended_in": dict(one.wins()),
        "refused": [{"values": one.labels(at), "reason": why} for at, why in list(one.refused.items())[:MOST_LISTED]],
    }
    if len(one.best) <= MOST_LISTED:
        told["recommended"] = [one.fleets[at] if at >= 0 else None for at in one.best.tolist()]
        told["headline"] = [None if np.isnan(cost) else cost for cost in one.costs.tolist()]
    return told
