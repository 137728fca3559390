"""Flip points: for every driver of every fleet the nearest values at which another fleet is recommended.

Each driver moves alone, the deployments kept as they were chosen: first over places around today, all fleets in blocks
of the engine, and between two of them wherever a whole unit is added and the costs could meet; then the two neighbours
between which the recommendation changes are cut to the last bits.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from tco.analysis.sensitivity import drivers
from tco.decisions.field import Asked, Field, Moves, Table
from tco.result import NULLING, VERDICTS, FleetResult, Result

Array = NDArray[np.float64]
FAR, PLACES, PARTS, NEAR, MET = 10.0, 33, 17, 1e-14, 1e-9
DEEP, MOST = 8, 4096
"""Rounds in which steps are looked into, and places of one of them, the nearest to today first."""


@dataclass(frozen=True)
class Beyond:
    """From `value` on `to` is recommended (empty: nobody can do the work): at `equal` costs, or by a jump.

    `lost`: the fleet of today cannot do the work there. `doubt`: why a run of the scenario does not confirm it.
    """

    value: float
    to: str
    equal: bool
    lost: bool
    doubt: str = ""


@dataclass(frozen=True)
class Flip:
    """A driver (of all fleets that share it where `fleet` is empty), what it is now, and between which values it moved.

    Of a series (not `single`), `now` is 1 and the values are factors. `follows`: other inputs follow from it in the
    scenario, which stand still here.
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
    follows: bool = False


Named = tuple[str, str]
"""An owner, empty for all fleets that share the input, and the name of an input."""


@dataclass(frozen=True)
class Mover:
    """One input, what moves with it by fleet, and factors on it."""

    name: str
    owner: str
    moves: Moves
    factors: Array

    @property
    def key(self) -> Named:
        """Its owner and its name."""
        return self.owner, self.name


def flips(result: Result, together: Mapping[Named, Moves] | None = None) -> list[Flip]:
    """Of every input that somebody stated; empty where nobody is recommended. `together`: what moves with each."""
    if result.recommended is None or result.headline is None:
        return []
    known = together or {}
    field = Field(result)
    movers = [replace(one, moves=known.get(one.key, one.moves)) for one in movers_of(result)]
    sides = _sides(field, movers, result.recommended) if movers else []
    brackets = {key: bracket for side in sides for key, bracket in side.bracket(result.recommended)}
    found = _narrowed(field, movers, brackets, result.recommended)
    return [_flip(result, mover, found.get((at, False)), found.get((at, True))) for at, mover in enumerate(movers)]


def movers_of(result: Result) -> list[Mover]:
    """Drivers of all fleets that can do the work, each once, alone."""
    found = dict[Named, Mover]()
    flags = [flag for flag, _ in VERDICTS]
    for fleet in result.fleets:
        if fleet.verdict in NULLING or result.headline not in fleet.model.lines:
            continue
        for name in drivers(fleet, [result.headline, *flags]):
            owner = "" if name in fleet.shared else fleet.id
            sharing = [one.id for one in result.fleets if name in one.shared and name in one.inputs]
            moved = (fleet.id,) if owner else tuple(sharing)
            moves = dict.fromkeys(moved, (name,))
            found.setdefault((owner, name), Mover(name, owner, moves, _factors(fleet, name)))
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
    down = np.geomspace(least, 1, half, endpoint=False)
    return np.concatenate([down, [1.0], np.geomspace(1, max(most, 1.0), half + 1)[1:]])


@dataclass
class Side:
    """A driver in one direction: places from today outwards, with all fleets at each."""

    key: tuple[int, bool]
    mover: Mover
    factors: Array
    table: Table

    def reached(self, today: str) -> int:
        """The first place at which another fleet leads, or the last."""
        leads = self.table.leaders
        return next((at for at, one in enumerate(leads) if one != today), len(leads) - 1)

    def bracket(self, today: str) -> Iterator[tuple[tuple[int, bool], tuple[float, float]]]:
        """The last place at which today's leads and the first at which it does not, if there is one."""
        far = self.reached(today)
        if far and self.table.leaders[far] != today and self.table.leaders[0] == today:
            yield self.key, (float(self.factors[far - 1]), float(self.factors[far]))

    def hidden(self, today: str) -> list[float]:
        """Places to look at between two before the first change, where it may be nearer."""
        places = list[float]()
        for at in np.flatnonzero(self.table.may_hide(today)[: self.reached(today)]):
            near, far = float(self.factors[at]), float(self.factors[at + 1])
            if _wide(near, far):
                places += [near + (far - near) * part / (PARTS - 1) for part in range(1, PARTS - 1)]
        return places

    def take(self, factors: Array, table: Table) -> None:
        """Places more, in order."""
        every = np.concatenate([self.factors, factors])
        order = np.argsort(np.abs(every - 1), kind="stable")
        self.factors, self.table = every[order], self.table.joined(table, order)


def _sides(field: Field, movers: Sequence[Mover], today: str) -> list[Side]:
    """Every driver in both directions, looked into where a step may hide a change."""
    half = PLACES // 2
    parts = [(at, up, mover.factors[half:] if up else mover.factors[half::-1]) for at, mover in enumerate(movers)
             for up in (False, True)]  # fmt: skip
    tables = field.tables([Asked(movers[at].moves, factors) for at, _, factors in parts])
    sides = [Side((at, up), movers[at], factors, table) for (at, up, factors), table in zip(parts, tables, strict=True)]
    for _ in range(DEEP):
        more = {at: places[:MOST] for at, side in enumerate(sides) if (places := side.hidden(today))}
        if not more:
            break
        asked = [Asked(sides[at].mover.moves, np.array(places)) for at, places in more.items()]
        for (at, _), one, table in zip(more.items(), asked, field.tables(asked), strict=True):
            sides[at].take(one.factors, table)
    return sides


Key = tuple[int, bool]
Brackets = dict[Key, tuple[float, float]]
"""By driver and direction: the nearest factor at which today's still leads, and one beyond at which it does not."""


def _narrowed(field: Field, movers: Sequence[Mover], brackets: Brackets, today: str) -> dict[Key, Beyond]:
    """Each bracket cut until its ends are neighbours, and who leads beyond."""
    open_ = dict(brackets)
    while open_:
        asked = [_asked(movers[at], np.linspace(*ends, PARTS)) for (at, _), ends in open_.items()]
        for key, one, table in zip(list(open_), asked, field.tables(asked), strict=True):
            first = next((at for at in range(1, PARTS) if table.leaders[at] != today), PARTS - 1)
            brackets[key] = float(one.factors[first - 1]), float(one.factors[first])
        open_ = {key: brackets[key] for key in open_ if _wide(*brackets[key])}
    tables = field.tables([_asked(movers[at], np.array(ends)) for (at, _), ends in brackets.items()])
    pairs = zip(brackets.items(), tables, strict=True)
    return {key: _beyond(field, table, ends[1], today) for (key, ends), table in pairs}


def _asked(mover: Mover, factors: Array) -> Asked:
    return Asked(mover.moves, factors)


def _wide(one: float, other: float) -> bool:
    return abs(one - other) > NEAR * max(abs(one), abs(other))


def _beyond(field: Field, table: Table, factor: float, today: str) -> Beyond:
    to = table.leaders[1]
    mine = table.costs[field.order.index(today), 1]
    theirs = table.costs[field.order.index(to), 1] if to else np.inf
    equal = bool(np.isfinite(mine) and np.isfinite(theirs) and abs(mine - theirs) <= MET * abs(mine))
    return Beyond(factor, to, equal, not np.isfinite(mine))


def _flip(result: Result, mover: Mover, down: Beyond | None, up: Beyond | None) -> Flip:
    fleet = next(result.by_id[one] for one in mover.moves if mover.name in result.by_id[one].inputs)
    figure = fleet.inputs[mover.name]
    now = figure.number if figure.is_one else 1.0
    below, above = (None if one is None else replace(one, value=one.value * now) for one in (down, up))
    low, high = float(mover.factors[0]) * now, float(mover.factors[-1]) * now
    if now < 0:
        low, high, below, above = high, low, above, below
    unit, label = figure.unit if figure.is_one else "", fleet.model.inputs[mover.name].label
    return Flip(mover.owner, mover.name, label, unit, now, low, high, below, above, figure.is_one)


def by_strength(found: Sequence[Flip]) -> list[Flip]:
    """Those that change the recommendation first, the nearest change first."""

    def nearest(one: Flip) -> float:
        sides = [side.value for side in (one.below, one.above) if side]
        return min((abs(np.log(abs(value / one.now))) for value in sides if value / one.now > 0), default=np.inf)

    return sorted(found, key=nearest)
