"""Where a wish begins or ceases to hold as one input moves: every place, to the last bit of the number."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from tco.analysis.crossings import EQUAL, FEW, NONE, Change, changes
from tco.decisions.gap import Aim
from tco.decisions.moving import Moved
from tco.decisions.probe import Array, Probe
from tco.decisions.refused import Refused

GRID, SLOW_GRID, SLOW_PARTS = 257, 25, 1
NEAR, SLOW_NEAR, SLOW_LAST = 1e-12, 1e-7, 1e-10
"""How near two values are when the search hands over, and how near the sides of a place are where each is a run."""

WHOLE, SLOW_WHOLE = 4096, 200
WIDE = 20.0
"""Ends that lie further apart are searched in proportion, not in equal steps."""

MET = 1e-9
"""A side that comes so near to the other, of their size, meets it."""

POLE, APART = 1e3, 1e-6
"""A gap that is so many times what it is a little apart, with no whole unit added, belongs to a pole."""

SAME_PLACE = 1e-9
"""Changes that lie nearer were made one."""

LESS, MORE, SAME, CANNOT = "less", "more", "equal", "cannot do the work"
WORDS = {-1: LESS, 1: MORE, 0: SAME, NONE: CANNOT}


ABLE = "verdict"
"""The name of a step that turns whether a fleet can do the work as asked, 1 or 0."""


@dataclass(frozen=True)
class Step:
    """A whole unit, or what the search chose, that is another beyond a place; `period` where not the highest is."""

    fleet: str
    name: str
    before: float
    after: float
    period: int | None = None


@dataclass(frozen=True)
class Turn:
    """At `value` the left side turns from `below` to `above` the right one (`cheapest`: fleets that are recommended).

    `sides` are the nearest values below and above it, `found` the left side there. `kind`: `crossing`, `jump` (over the
    right side), `touch`, `pole` (no answer) or `limit` (beyond it the work cannot be done). `met`: the two are equal.
    """

    value: float
    below: str
    above: str
    kind: str
    met: bool
    sides: tuple[float, float]
    found: tuple[float | None, float | None]
    steps: tuple[Step, ...] = ()


@dataclass(frozen=True)
class Search:
    """What was found between two values: how it stands at `start` and `end`, `nearest` where it comes nearest."""

    low: float
    high: float
    start: str
    end: str
    ends: tuple[float | None, float | None]
    turns: tuple[Turn, ...]
    nearest: tuple[float, float] | None


@dataclass(frozen=True)
class Searcher:
    """One input, moved between two ends in the sight of a probe."""

    aim: Aim
    probe: Probe
    one: Moved
    low: float
    high: float

    def search(self) -> Search:
        """Every place. Raises Refused where there are too many whole numbers."""
        places = self._whole() if self.one.step else self._grid()
        mine, theirs = self.aim.told(self.probe, places)
        if self.one.step:
            turns, low, high = self._between_whole(places), self.low, self.high
        else:
            turns, low, high = self._turns(places)
        start, end = self._word(low), self._word(high)
        ends = _finite(mine[0]), _finite(mine[-1])
        return Search(low, high, start, end, ends, tuple(turns), _nearest(places, mine, theirs))

    def _whole(self) -> Array:
        values, most = self.one.values(self.low, self.high), SLOW_WHOLE if self.probe.slow else WHOLE
        if len(values) > most:
            told = f"`{self.one.text}` may have {len(values):,} values between the ends, {most:,} can be tried"
            raise Refused("between", f"{told}; bring the ends nearer together")
        return np.array(values, dtype=np.float64)

    def _grid(self) -> Array:
        count = SLOW_GRID if self.probe.slow else GRID
        if self.low > 0 and self.high / self.low >= WIDE:
            grid = np.geomspace(self.low, self.high, count)
        else:
            grid = np.linspace(self.low, self.high, count)
        grid[0], grid[-1] = self.low, self.high
        return grid

    def _between_whole(self, places: Array) -> list[Turn]:
        states = self._states(places)
        pairs = zip(places[:-1], places[1:], states[:-1], states[1:], strict=True)
        return [
            self._turn(float(one), float(other), int(before), int(after))
            for one, other, before, after in pairs
            if before != after
        ]

    def _turns(self, grid: Array) -> tuple[list[Turn], float, float]:
        shift = 0.0 if self.low > 0 else self.high - 2 * self.low
        now = self.one.now if self.one.now is not None and self.low < self.one.now < self.high else float(grid[1])

        def ask(places: Array) -> Array:
            return self.aim.rows(self.probe, np.clip(places - shift, self.low, self.high))

        if self.probe.slow:
            found = changes(ask, grid + shift, now + shift, few=SLOW_PARTS, near=SLOW_NEAR)
        else:
            found = changes(ask, grid + shift, now + shift, near=NEAR, teeth=self.aim.teeth)
        turns = [self._exact(change, shift) for change in found.changes]
        low, high = (min(max(end - shift, self.low), self.high) for end in (found.low, found.high))
        return turns, low, high

    def _states(self, places: Array) -> Array:
        mine, theirs = self.aim.told(self.probe, places)
        gap = np.where(np.abs(mine - theirs) <= EQUAL * np.abs(mine), 0.0, mine - theirs)
        return np.where(np.isfinite(gap), np.sign(gap), NONE)

    def _word(self, value: float) -> str:
        if self.aim.wish.cheapest:
            return self.aim.recommended(self.probe, value)
        return WORDS[int(self._states(np.array([value]))[0])]

    def _exact(self, change: Change, shift: float) -> Turn:
        """The two neighbouring numbers between which it changes."""
        before, after = change.before, change.after
        state = self._states if 0 in (before, after) else self._signs
        for width in (SLOW_NEAR, SAME_PLACE) if self.probe.slow else (NEAR, SAME_PLACE):
            low, high = (
                min(max(change.place * (1 + sign * 4 * width) - shift, self.low), self.high) for sign in (-1, 1)
            )
            ends = state(np.array([low, high]))
            if before != after and ends[0] == before and ends[1] != before:
                return self._turn(*self._narrowed(low, high, before, state), before, after)
        value = min(max(change.place - shift, self.low), self.high)
        return self._turn(value, value, before, after)

    def _narrowed(self, low: float, high: float, before: int, state: Callable[[Array], Array]) -> tuple[float, float]:
        parts, near = (2, SLOW_LAST) if self.probe.slow else (FEW, 0.0)
        while np.nextafter(low, high) < high and high - low > near * max(abs(low), abs(high)):
            inner = np.unique(np.linspace(low, high, parts + 1)[1:-1])
            inner = inner[(inner > low) & (inner < high)]
            inner = inner if len(inner) else np.array([np.nextafter(low, high)])
            places = np.concatenate([[low], inner, [high]])
            other = np.concatenate([[False], state(inner) != before, [True]])
            first = int(np.argmax(other))
            low, high = float(places[first - 1]), float(places[first])
        return low, high

    def _signs(self, places: Array) -> Array:
        """Who is larger, without tolerance."""
        mine, theirs = self.aim.told(self.probe, places)
        return np.where(np.isfinite(mine - theirs), np.sign(mine - theirs), NONE)

    def _turn(self, low: float, high: float, before: int, after: int) -> Turn:
        mine, theirs = self.aim.told(self.probe, np.array([low, high]))
        gaps, size = np.abs(mine - theirs), np.maximum(np.abs(mine), np.abs(theirs))
        near = gaps <= MET * size
        steps = self._steps(low, high)
        kind = (
            "crossing" if near.all() and NONE not in (before, after) else "limit" if NONE in (before, after) else "jump"
        )
        if kind == "jump" and not steps and self._grows(low, high, gaps):
            kind = "pole"
        kind = "touch" if before == after else kind
        at = int(np.argmin(np.where(np.isfinite(gaps), gaps, np.inf))) if near.any() else self._side(before)
        below, above = WORDS[before], WORDS[after]
        if self.aim.wish.cheapest:
            below, above = self._leader(low, before), self._leader(high, after)
        found = _finite(mine[0]), _finite(mine[1])
        return Turn((low, high)[at], below, above, kind, bool(near.any()), (low, high), found, steps)

    def _grows(self, low: float, high: float, gaps: Array) -> bool:
        """Whether both sides are out of all proportion to those a little further away."""
        away = APART * max(abs(low), abs(high), self.high - self.low)
        further = np.clip([low - away, high + away], self.low, self.high)
        mine, theirs = self.aim.told(self.probe, further)
        return not bool((gaps <= POLE * np.abs(mine - theirs)).any())

    def _side(self, before: int) -> int:
        """The side of a jump on which the wish holds."""
        holds = {"<=": (-1, 0), ">=": (0, 1), "=": (-1, 0) if self.aim.wish.cheapest else (0,)}
        return 0 if before in holds[self.aim.wish.operator] else 1

    def _steps(self, low: float, high: float) -> tuple[Step, ...]:
        found = self.probe.at(np.array([low, high]))
        told = (
            _step(fleet, name, *np.nan_to_num(units))
            for fleet, sample in found.items()
            for name, units in (*sample.units.items(), (ABLE, sample.good.astype(np.float64)[:, None]))
        )
        return tuple(step for step in told if step)

    def _leader(self, value: float, state: int) -> str:
        """Who is recommended beside a place: at equal costs the state decides."""
        one = self.aim.wish.cheapest
        return one if state < 0 else self.aim.recommended(self.probe, value, but=one if state == 1 else "")


def _step(fleet: str, name: str, before: Array, after: Array) -> Step | None:
    most, other = float(before.max()), float(after.max())
    if most != other:
        return Step(fleet, name, most, other)
    places = np.flatnonzero(before != after)
    return Step(fleet, name, float(before[places[0]]), float(after[places[0]]), int(places[0])) if len(places) else None


def _finite(value: float) -> float | None:
    return float(value) if np.isfinite(value) else None


def _nearest(places: Array, mine: Array, theirs: Array) -> tuple[float, float] | None:
    """Where the two come nearest, of the places that were looked at first."""
    gaps = np.abs(mine - theirs)
    if not np.isfinite(gaps).any():
        return None
    at = int(np.nanargmin(gaps))
    return float(places[at]), float(mine[at])
