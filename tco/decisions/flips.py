"""Flip points: for every driver of every fleet the nearest values at which another fleet is recommended.

Each driver moves alone, the deployments kept as they were chosen: first over places around today, all fleets in blocks
of the engine, then the two neighbours between which the recommendation changes are cut to the last bits. A
recommendation that changes twice between two places is not seen.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tco.analysis.fleet import engine_inputs
from tco.analysis.sensitivity import drivers
from tco.evaluate import in_blocks, program
from tco.result import NULLING, VERDICTS, FleetResult, Result

Array = NDArray[np.float64]
FAR, PLACES, PARTS, NEAR, MET = 10.0, 33, 17, 1e-14, 1e-9


@dataclass(frozen=True)
class Beyond:
    """From `value` on `to` is recommended (empty: nobody can do the work): at `equal` costs, or by a jump.

    `lost`: the fleet of today cannot do the work there.
    """

    value: float
    to: str
    equal: bool
    lost: bool


@dataclass(frozen=True)
class Flip:
    """A driver (of all fleets that share it where `fleet` is empty), what it is now, and between which values it moved.

    Of a series (not `single`), `now` is 1 and the values are factors.
    """

    fleet: str
    name: str
    label: str
    unit: str
    now: float
    low: float
    high: float
    below: Beyond | None
    above: Beyond | None
    single: bool = True


@dataclass(frozen=True)
class Mover:
    """One input, and the fleets in which it moves."""

    name: str
    owner: str
    fleets: tuple[str, ...]
    factors: Array


def flips(result: Result) -> list[Flip]:
    """Of every input that somebody stated; empty where nobody is recommended."""
    if result.recommended is None or result.headline is None:
        return []
    field = Field(result)
    movers = _movers(result)
    if not movers:
        return []
    leads = field.leaders([(mover, mover.factors) for mover in movers])
    sides = [(at, up) for at in range(len(movers)) for up in (False, True)]
    brackets = {
        side: bracket
        for side in sides
        if (bracket := _bracket(movers[side[0]].factors, leads[side[0]], result.recommended, up=side[1]))
    }
    found = _narrowed(field, movers, brackets, result.recommended)
    return [_flip(result, mover, found.get((at, False)), found.get((at, True))) for at, mover in enumerate(movers)]


def _movers(result: Result) -> list[Mover]:
    """Drivers of all fleets that can do the work, each once."""
    found = dict[tuple[str, str], Mover]()
    flags = [flag for flag, _ in VERDICTS]
    for fleet in result.fleets:
        if fleet.verdict in NULLING or result.headline not in fleet.model.lines:
            continue
        for name in drivers(fleet, [result.headline, *flags]):
            owner = "" if name in fleet.shared else fleet.id
            sharing = [one.id for one in result.fleets if name in one.shared and name in one.inputs]
            moved = tuple(sharing) if not owner else (fleet.id,)
            found.setdefault((owner, name), Mover(name, owner, moved, _factors(fleet, name)))
    return list(found.values())


def _factors(fleet: FleetResult, name: str) -> Array:
    """Around today and today among them, over the range that is stated, as far as the bounds allow."""
    given, figure = fleet.model.inputs[name], fleet.inputs[name]
    numbers = np.array([figure.number] if figure.is_one else figure.series)
    largest = numbers[int(np.argmax(np.abs(numbers)))]
    ends = [end / figure.number for end in (figure.low, figure.high) if end is not None and figure.is_one]
    ends = [end for end in ends if end > 0]
    least, most = min(1 / FAR, *ends, 1.0), max(FAR, *ends, 1.0)
    for bound in (given.minimum, given.maximum):
        if bound is not None and bound / largest >= 1:
            most = min(most, bound / largest)
        elif bound is not None and bound / largest > 0:
            least = max(least, bound / largest)
    half = PLACES // 2
    return np.concatenate(
        [np.geomspace(least, 1, half, endpoint=False), [1.0], np.geomspace(1, max(most, 1.0), half + 1)[1:]]
    )


class Field:
    """All fleets, and who leads where an input moves."""

    def __init__(self, result: Result) -> None:
        self.result, self.headline = result, result.headline or ""
        self.inputs = {fleet.id: engine_inputs(fleet.inputs, result.timeline) for fleet in result.fleets}
        self.base = {fleet.id: self._today(fleet) for fleet in result.fleets}
        self.order = sorted(self.base)
        self.whole = np.array([not result.by_id[name].unit_cost_only for name in self.order])

    def _today(self, fleet: FleetResult) -> float:
        cost = fleet.shown(self.headline)
        return cost if fleet.verdict == "ok" and isinstance(cost, float) else np.inf

    def costs(self, asked: Sequence[tuple[Mover, Array]]) -> list[Array]:
        """Of each question costs of all fleets at each factor, (fleets, factors), infinite where one is not ranked."""
        tables = [np.array([np.full(len(factors), self.base[name]) for name in self.order]) for _, factors in asked]
        for row, name in enumerate(self.order):
            places = [at for at, (mover, _) in enumerate(asked) if name in mover.fleets]
            if places:
                costs = self._moved(self.result.by_id[name], [asked[at] for at in places])
                ends = np.cumsum([len(asked[at][1]) for at in places])[:-1]
                for at, part in zip(places, np.split(costs, ends), strict=True):
                    tables[at][row] = part
        return tables

    def _moved(self, fleet: FleetResult, asked: Sequence[tuple[Mover, Array]]) -> Array:
        model, held = fleet.model, self.inputs[fleet.id]
        if self.headline not in model.lines:
            return np.full(sum(len(factors) for _, factors in asked), np.inf)
        moved, start = dict[str, Array](), 0
        count = sum(len(factors) for _, factors in asked)
        for mover, factors in asked:
            by = moved.setdefault(mover.name, np.ones((count, 1)))
            by[start : start + len(factors), 0] = factors
            start += len(factors)
        inputs = {name: by * np.asarray(held[name], float).reshape(1, -1) for name, by in moved.items()}
        flags = [flag for flag, _ in VERDICTS if flag in model.lines]
        lines = in_blocks(program(model, [self.headline, *flags]), {**held, **inputs}, self.result.timeline.periods)
        good = np.all([np.isfinite(lines[self.headline][:, 0]), *(lines[flag].min(-1) > 0 for flag in flags)], axis=0)
        return np.broadcast_to(np.where(good, lines[self.headline][:, 0], np.inf), (count,))

    def leaders(self, asked: Sequence[tuple[Mover, Array]]) -> list[list[str]]:
        """Who is recommended at each factor of each question."""
        return [self.leader(costs) for costs in self.costs(asked)]

    def leader(self, costs: Array) -> list[str]:
        """The cheapest of those that do the whole work, else of all; empty where nobody can."""
        some = np.isfinite(costs[self.whole]).any(0) if self.whole.any() else np.zeros(costs.shape[1], bool)
        ranked = np.where(some & ~self.whole[:, None], np.inf, costs)
        best = np.argmin(ranked, axis=0)
        return [self.order[at] if np.isfinite(ranked[at, place]) else "" for place, at in enumerate(best)]


Side = tuple[int, bool]
Brackets = dict[Side, tuple[float, float]]
"""By driver and direction: the nearest factor at which today's still leads, and one beyond at which it does not."""


def _bracket(factors: Array, leads: Sequence[str], today: str, *, up: bool) -> tuple[float, float] | None:
    middle = len(factors) // 2
    places = range(middle, len(factors)) if up else range(middle, -1, -1)
    for near, far in itertools.pairwise(places):
        if leads[near] == today != leads[far]:
            return float(factors[near]), float(factors[far])
    return None


def _narrowed(
    field: Field, movers: Sequence[Mover], brackets: Brackets, today: str
) -> dict[Side, tuple[float, Beyond]]:
    """Each bracket cut until its ends are neighbours, and who leads beyond."""
    open_ = dict(brackets)
    while open_:
        asked = [(movers[at], np.linspace(*ends, PARTS)) for (at, _), ends in open_.items()]
        for (side, _), (_, factors), leads in zip(list(open_.items()), asked, field.leaders(asked), strict=True):
            first = next((at for at in range(1, PARTS) if leads[at] != today), PARTS - 1)
            brackets[side] = float(factors[first - 1]), float(factors[first])
        open_ = {side: brackets[side] for side in open_ if _wide(*brackets[side])}
    asked = [(movers[at], np.array(ends)) for (at, _), ends in brackets.items()]
    costs = field.costs(asked)
    return {
        side: (ends[1], _beyond(field, costs[at], ends[1], today)) for at, (side, ends) in enumerate(brackets.items())
    }


def _wide(one: float, other: float) -> bool:
    return abs(one - other) > NEAR * max(abs(one), abs(other))


def _beyond(field: Field, costs: Array, factor: float, today: str) -> Beyond:
    to = field.leader(costs)[1]
    mine = costs[field.order.index(today), 1]
    theirs = costs[field.order.index(to), 1] if to else np.inf
    equal = bool(np.isfinite(mine) and np.isfinite(theirs) and abs(mine - theirs) <= MET * mine)
    return Beyond(factor, to, equal, not np.isfinite(mine))


def _flip(
    result: Result, mover: Mover, down: tuple[float, Beyond] | None, up: tuple[float, Beyond] | None
) -> Flip:  # fmt: skip
    fleet = result.by_id[mover.fleets[0]]
    figure = fleet.inputs[mover.name]
    now = figure.number if figure.is_one else 1.0
    sides = [None if one is None else _scaled(one[1], now) for one in (down, up)]
    low, high = float(mover.factors[0]) * now, float(mover.factors[-1]) * now
    if now < 0:
        low, high, sides = high, low, sides[::-1]
    unit = figure.unit if figure.is_one else ""
    label = fleet.model.inputs[mover.name].label
    return Flip(mover.owner, mover.name, label, unit, now, low, high, sides[0], sides[1], figure.is_one)


def _scaled(one: Beyond, now: float) -> Beyond:
    return Beyond(one.value * now, one.to, one.equal, one.lost)


def by_strength(found: Sequence[Flip]) -> list[Flip]:
    """Those that change the recommendation first, the nearest change first."""

    def nearest(one: Flip) -> float:
        sides = [side.value for side in (one.below, one.above) if side]
        return min((abs(np.log(abs(value / one.now))) for value in sides if value / one.now > 0), default=np.inf)

    return sorted(found, key=nearest)
