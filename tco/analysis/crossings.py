"""Where two costs that climb in whole-unit steps change places: every change of sign between two ends.

A point is a column of seven numbers (ROWS). Between two points the costs are bracketed: they rise throughout, so that
what they can be inside lies between their ends. An interval is cut again while its ends differ, or while a whole unit
is added inside and the costs could change places there and back.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Ask = Callable[[Array], Array]
"""From places to points of shape (7, places)."""

ROWS = ("cost", "output", "other_cost", "other_output", "comparable", "units", "other_units")
NONE = 9
"""The state in which one of the two cannot do the work; else -1, 0 or 1: which one costs less, 0 if they are equal."""

NEAR, EQUAL = 1e-12, 1e-11
"""Places that differ by less of their size are one place; costs that do are equal."""

SAME = 1e-9
"""Changes that lie nearer to each other are one: between them the costs are equal but for rounding."""

FEW, MANY = 62, 14
DEEPEST, SMOOTH = 24, 2
"""Rounds; those in which an interval without a step inside is cut though its ends agree (kinks of tiers)."""

MOST = 16384
"""Points a round; beyond it the search keeps to the neighbourhood of today."""


@dataclass(frozen=True)
class Change:
    """At `place` the state turns from `before` to `after`; `step`: a whole unit is added there.

    Before and after are the same where the two only touch.
    """

    place: float
    before: int
    after: int
    step: bool


@dataclass
class Found:
    """Changes in order, between the ends that were searched; `start` is the state at the lower end."""

    low: float
    high: float
    start: int
    changes: list[Change]


def states(points: Array) -> NDArray[np.int64]:
    """Who costs less at each point."""
    cost, output, other, yields, comparable, *_ = points
    mine, theirs = cost * yields, other * output
    gap = np.where(np.abs(mine - theirs) <= EQUAL * np.abs(mine), 0.0, mine - theirs)
    good = (comparable > 0) & np.isfinite(gap) & (output > 0) & (yields > 0)
    return np.where(good, np.sign(np.where(good, gap, 0.0)), NONE).astype(np.int64)


def changes(ask: Ask, grid: Array, now: float, *, few: int = FEW, near: float = NEAR, teeth: bool = False) -> Found:
    """All changes between the ends of the grid; `now` is kept when the search must become smaller.

    `few` is in how many parts a handful of intervals are cut, and `near` when two places are one: for places that are
    dear. `teeth`: between two whole units a cost may leave the bounds of its ends.
    """
    places = np.unique(np.append(grid, now))
    points = ask(places)
    low, high, start, found = float(places[0]), float(places[-1]), int(states(points)[0]), list[Change]()
    left, right = _pairs(np.vstack([places, points]))
    for depth in range(DEEPEST):
        narrow = right[0] - left[0] <= near * right[0]
        differ = states(left[1:]) != states(right[1:])
        found += _told(left[:, narrow & differ], right[:, narrow & differ])
        again = ~narrow & (differ | _may_hide(left[1:], right[1:], depth, teeth=teeth))
        left, right = left[:, again], right[:, again]
        if not left.size:
            break
        left, right, low, high, start = _kept(left, right, (low, high, start), now)
        left, right = _cut(ask, left, right, few)
    inside = [change for change in found if low <= change.place <= high]
    return Found(low, high, start, _merged(sorted(inside, key=lambda change: change.place)))


def _pairs(columns: Array) -> tuple[Array, Array]:
    return columns[:, :-1], columns[:, 1:]


def _may_hide(left: Array, right: Array, depth: int, *, teeth: bool) -> NDArray[np.bool_]:
    """Ends agree, yet the costs could meet inside: bounds overlap, and a unit is added or a kink may lie there."""
    both = (states(left) != NONE) & (states(right) != NONE) & ~((states(left) == 0) & (states(right) == 0))
    stepped = (left[5] != right[5]) | (left[6] != right[6])
    low, high = np.minimum(left, right), np.maximum(left, right)

    def ends(cost: int, output: int) -> tuple[Array, Array]:
        corners = np.array([one[cost] * other[output] for one in (low, high) for other in (low, high)])
        return corners.min(0), corners.max(0)

    (mine_low, mine_high), (theirs_low, theirs_high) = ends(0, 3), ends(2, 1)
    overlap = (mine_low <= theirs_high) & (theirs_low <= mine_high)
    return both & ((overlap & (stepped | (depth < SMOOTH))) | (stepped & teeth))


def _kept(
    left: Array, right: Array, ends: tuple[float, float, int], now: float
) -> tuple[Array, Array, float, float, int]:
    """All intervals, or those nearest to today if they are too many; then the ends move in."""
    count = left.shape[1]
    if count * MANY <= MOST:
        return left, right, *ends
    order = np.argsort(left[0])
    left, right = left[:, order], right[:, order]
    half = MOST // MANY // 4
    middle = int(np.searchsorted(left[0], now))
    first, last = max(middle - half, 0), min(middle + half, count)
    low = ends[0] if first == 0 else float(left[0, first])
    high = ends[1] if last == count else float(right[0, last - 1])
    start = ends[2] if first == 0 else int(states(left[1:, first : first + 1])[0])
    return left[:, first:last], right[:, first:last], low, high, start


def _cut(ask: Ask, left: Array, right: Array, few: int) -> tuple[Array, Array]:
    """Every interval in parts, with a narrow one around the place where a straight line would cross."""
    parts = few if left.shape[1] <= FEW // 8 else min(few, MANY)
    first, last = left[0], right[0]
    inner = first + (last - first) * (np.arange(1, parts + 1)[:, None] / (parts + 1))
    straight = _straight(left, right, inner[0])
    around = np.vstack([straight * (1 - NEAR / 4), straight * (1 + NEAR / 4)])
    places: Array = np.sort(np.clip(np.vstack([first, inner, around, last]), first, last), axis=0)
    points = ask(places[1:-1].reshape(-1)).reshape(len(ROWS), parts + 2, -1)
    whole = np.concatenate([left[1:][:, None], points, right[1:][:, None]], axis=1)
    table = np.concatenate([places[None], whole])
    return table[:, :-1].reshape(len(ROWS) + 1, -1), table[:, 1:].reshape(len(ROWS) + 1, -1)


def _straight(left: Array, right: Array, otherwise: Array) -> Array:
    """Where a straight line between the ends would cross."""
    with np.errstate(all="ignore"):
        before, after = (point[1] / point[2] - point[3] / point[4] for point in (left, right))
        found = left[0] + (right[0] - left[0]) * before / (before - after)
    good = np.isfinite(found) & (found > left[0]) & (found < right[0])
    return np.where(good, found, otherwise)


def _told(left: Array, right: Array) -> list[Change]:
    before, after = states(left[1:]), states(right[1:])
    step = (left[6] != right[6]) | (left[7] != right[7])
    return [
        Change(float(place), int(one), int(other), bool(unit))
        for place, one, other, unit in zip((left[0] + right[0]) / 2, before, after, step, strict=True)
    ]


def _merged(ordered: list[Change]) -> list[Change]:
    """Changes at one place are one; nothing changes where one cannot do the work for a moment of rounding."""
    merged = list[Change]()
    for change in ordered:
        last = merged[-1] if merged else None
        if last and change.place - last.place <= SAME * change.place:
            place = (last.place + change.place) / 2
            merged[-1] = Change(place, last.before, change.after, last.step or change.step)
        else:
            merged.append(change)
    return [change for change in merged if change.before != change.after or change.before not in (0, NONE)]
