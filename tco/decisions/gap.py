"""Two sides of a wish at many values, as rows that `crossings` can search; their difference, and what stands there."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from tco.analysis.breakeven import OUTPUTS
from tco.decisions.probe import Array, Probe, Sample, Wanted
from tco.decisions.wish import Reading, Wish
from tco.result import Result

COST = "present_cost"
Samples = Mapping[str, Sample]


@dataclass(frozen=True)
class Aim:
    """A wish, with what must be computed for it."""

    wish: Wish
    headline: str
    whole_work: frozenset[str]
    wanted: Wanted

    @property
    def teeth(self) -> bool:
        """Whether a side may rise and fall between two whole units, as any line but a unit cost may."""
        sides = [side for side in (self.wish.left, self.wish.right) if side]
        return any(side.line not in OUTPUTS for side in sides)

    def rows(self, probe: Probe, values: Array) -> Array:
        """For `crossings.changes`: cost, output, other cost, other output, comparable, units, other units."""
        return np.array(self._cheapest(probe, values) if self.wish.cheapest else self._sides(probe, values))

    def _sides(self, probe: Probe, values: Array) -> list[Array]:
        wish, found = self.wish, probe.at(values)
        assert wish.left is not None
        cost, output, good = self._side(found, wish.left)
        units = _units(found[wish.left.fleet])
        if wish.right is None:
            other, yields, others = np.full(len(values), wish.value), np.ones(len(values)), np.zeros(len(values))
        else:
            other, yields, also = self._side(found, wish.right)
            other, good, others = other * wish.ratio, good * also, _units(found[wish.right.fleet])
        return [cost, output, other, yields, good, units, others]

    def _side(self, found: Samples, one: Reading) -> tuple[Array, Array, Array]:
        """What is divided, by what, and where it counts: a unit cost is told by cost and output, which are steady."""
        sample = found[one.fleet]
        value = _number(sample.lines[one.line], one.how)
        able = sample.good if self.wish.right else sample.able
        output = sample.lines.get(OUTPUTS.get(one.line, ""))
        divided = np.ones(len(value)) if output is None else output[:, 0]
        with np.errstate(invalid="ignore"):
            return value * divided, divided, (able & np.isfinite(value)).astype(np.float64)

    def _cheapest(self, probe: Probe, values: Array) -> list[Array]:
        """The fleet against the cheapest other; it comes last where it cannot do the work, first where only it can."""
        found, one = probe.at(values), self.wish.cheapest
        costs = self.costs(found)
        mine = costs[one]
        theirs = np.min([np.full(len(values), np.inf), *(cost for name, cost in costs.items() if name != one)], axis=0)
        lost, alone = ~np.isfinite(mine), np.isfinite(mine) & ~np.isfinite(theirs)
        cost = np.where(lost, 1.0, mine)
        other = np.where(lost, 0.0, np.where(alone, 2 * np.abs(mine) + 1, theirs))
        ones = np.ones(len(values))
        others = np.sum([_units(sample) for name, sample in found.items() if name != one], axis=0) + lost + 2 * alone
        return [cost, ones, other, ones, ones, _units(found[one]), others * ones]

    def costs(self, found: Samples) -> dict[str, Array]:
        """The headline of each fleet that is ranked, infinite where it is not recommended."""
        costs = {
            name: np.where(sample.good, sample.lines[self.headline][:, 0], np.inf) for name, sample in found.items()
        }
        costs = {name: np.where(np.isnan(cost), np.inf, cost) for name, cost in costs.items()}
        whole = np.any(
            [np.isfinite(cost) for name, cost in costs.items() if name in self.whole_work] or [False], axis=0
        )
        return {
            name: cost if name in self.whole_work else np.where(whole, np.inf, cost) for name, cost in costs.items()
        }

    def recommended(self, probe: Probe, value: float, *, but: str = "") -> str:
        """Who is recommended at a value, of all or of all but one; empty where nobody can do the work."""
        found = self.costs(probe.at(np.array([value])))
        costs = {name: float(cost[0]) for name, cost in found.items() if name != but}
        best = min(costs, key=lambda name: (costs[name], name), default="")
        return best if best and np.isfinite(costs[best]) else ""

    def told(self, probe: Probe, values: Array) -> tuple[Array, Array]:
        """Both sides at values, as their lines say them; of `cheapest` the fleet's cost and that of the best other."""
        cost, output, other, yields, good, *_ = self.rows(probe, values)
        with np.errstate(all="ignore"):
            return np.where(good > 0, cost / output, np.nan), np.where(good > 0, other / yields, np.nan)


def aim(result: Result, wish: Wish) -> Aim:
    """What must be computed: of each side its line, and cost and output behind a unit cost."""
    headline = result.headline or ""
    sides = [(side.fleet, side.line) for side in (wish.left, wish.right) if side]
    if wish.cheapest:
        sides = [(fleet.id, headline) for fleet in result.fleets]
    wanted = dict[str, tuple[str, ...]]()
    for name, line in sides:
        more = [OUTPUTS[line]] if line in OUTPUTS and _computed(result, name, line) else []
        wanted[name] = tuple(dict.fromkeys((*wanted.get(name, ()), line, *more)))
    whole = frozenset(fleet.id for fleet in result.fleets if not fleet.unit_cost_only)
    return Aim(wish, headline, whole, wanted)


def _computed(result: Result, name: str, line: str) -> bool:
    lines = result.by_id[name].model.lines
    return OUTPUTS[line] in lines and line in lines and not lines[line].pinned


def _number(rows: Array, how: str) -> Array:
    """One number of each row."""
    if not how:
        return rows[:, 0]
    reduced = {"highest": np.nanmax, "lowest": np.nanmin, "mean": np.nanmean, "total": np.nansum}
    there = np.asarray(np.isfinite(rows).any(-1))
    return np.where(there, reduced[how](np.where(there[:, None], rows, 0.0), axis=-1), np.nan)


def _units(sample: Sample) -> Array:
    """One number that changes with any whole unit."""
    told = [np.nansum(units, -1) * (1 + place) for place, units in enumerate(sample.units.values())]
    return np.sum([np.zeros(len(sample.good)), *told], axis=0)
