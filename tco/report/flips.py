"""Flip points: at which value of a driver the next best fleet takes the lead, all drivers in a few blocks.

Every driver is computed at places around today, then the nearest place at which the lead changes is cut again. A lead
that changes twice between two places is not seen; the break-evens bracket every crossing, for fewer numbers.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from tco.analysis.breakeven import BLOCK, OUTPUTS, Array, Side
from tco.evaluate import in_blocks
from tco.report.facts import Facts
from tco.result import VERDICTS, FleetResult

FAR, PLACES, CUTS = 10.0, 33, (17,) * 5


@dataclass(frozen=True)
class Flip:
    """Factors on today's number beyond which the next best costs less; None where it does not."""

    below: float | None
    above: float | None


def flips(facts: Facts, names: Sequence[str]) -> dict[str, Flip]:
    """Of those inputs that move the recommended fleet; empty where there is no next best, or a pin hides a cost."""
    pair = [fleet for fleet in (facts.best, facts.second) if fleet]
    output = OUTPUTS.get(facts.measure, "")
    if len(pair) < 2 or not all(_printed(fleet, name) for fleet in pair for name in ("present_cost", output)):
        return {}
    sides = [Side(fleet, facts.result) for fleet in pair]
    moved = {name: _moved(sides, name) for name in names if sides[0].has((name,))}
    return _found(sides, output, moved) if moved else {}


def _printed(fleet: FleetResult, name: str) -> bool:
    return name in fleet.model.lines and not fleet.model.lines[name].pinned


def _moved(sides: list[Side], name: str) -> tuple[tuple[str, ...], ...]:
    """What moves on each side: on the other only a number that is the same for both."""
    mine, theirs = (side.fleet.inputs.get(name) for side in sides)
    return sides[0].has((name,)), sides[1].has((name,)) if mine == theirs else ()


def _found(sides: list[Side], output: str, moved: dict[str, tuple[tuple[str, ...], ...]]) -> dict[str, Flip]:
    grids = np.array([_grid(sides[0].fleet, name) for name in moved])
    leads = _leads(sides, output, list(moved.values()), grids)
    brackets = {
        (name, up): bracket
        for place, name in enumerate(moved)
        for up in (False, True)
        if (bracket := _bracket(grids[place], leads[place], up=up))
    }
    for count in CUTS:
        brackets = _cut(sides, output, moved, brackets, count)
    middles = {key: float(np.sqrt(low * high)) for key, (low, high) in brackets.items()}
    return {name: Flip(middles.get((name, False)), middles.get((name, True))) for name in moved}


def _grid(fleet: FleetResult, name: str) -> Array:
    """Factors around today, today among them, as far as the input's bounds allow."""
    given, figure = fleet.model.inputs[name], fleet.inputs[name]
    numbers = [figure.number] if figure.is_one else list(figure.series)
    most = FAR if given.maximum is None else max(1.0, min(FAR, given.maximum / max(numbers)))
    least = 1 / FAR if not given.minimum else min(1.0, max(1 / FAR, given.minimum / min(numbers)))
    half = PLACES // 2
    return np.concatenate([np.geomspace(least, 1, half, endpoint=False), [1.0], np.geomspace(1, most, half + 1)[1:]])


Brackets = dict[tuple[str, bool], tuple[float, float]]


def _bracket(grid: Array, lead: Array, *, up: bool) -> tuple[float, float] | None:
    """From today outwards, the first two neighbours between which the next best takes the lead."""
    ways = range(len(grid) // 2, len(grid)) if up else range(len(grid) // 2, -1, -1)
    places = list(ways)
    for near, far in itertools.pairwise(places):
        if not (np.isfinite(lead[near]) and np.isfinite(lead[far])):
            return None
        if lead[near] >= 0 > lead[far]:
            return min(grid[near], grid[far]), max(grid[near], grid[far])
    return None


def _cut(
    sides: list[Side], output: str, moved: dict[str, tuple[tuple[str, ...], ...]], brackets: Brackets, count: int
) -> Brackets:
    """Each bracket, narrower."""
    if not brackets:
        return brackets
    grids = np.array([np.geomspace(*bracket, count) for bracket in brackets.values()])
    leads = _leads(sides, output, [moved[name] for name, _ in brackets], grids)
    found = Brackets()
    for (key, grid), lead in zip(zip(brackets, grids, strict=True), leads, strict=True):
        lost = (lead < 0) if key[1] else (lead >= 0)
        first = int(np.argmax(lost)) or 1
        found[key] = float(grid[first - 1]), float(grid[first])
    return found


def _leads(sides: list[Side], output: str, moved: list[tuple[tuple[str, ...], ...]], grids: Array) -> Array:
    """By how much the next best costs more, at each place; not a number where one cannot do the work."""
    mine, theirs = (_costs(side, output, [names[place] for names in moved], grids) for place, side in enumerate(sides))
    return theirs - mine


def _costs(side: Side, output: str, moved: list[tuple[str, ...]], grids: Array) -> Array:
    factors = dict[str, Array]()
    for place, names in enumerate(moved):
        for name in names:
            factors.setdefault(name, np.ones(grids.shape))[place] = grids[place]
    inputs = {name: np.asarray(side.inputs[name]) * by.reshape(-1, 1) for name, by in factors.items()}
    lines = in_blocks(side.compiled, {**side.inputs, **inputs}, side.result.timeline.periods, BLOCK)
    good = np.ones(1, bool)
    for name, _ in VERDICTS:
        if name in lines:
            good = good & (lines[name].min(-1) > 0)
    with np.errstate(divide="ignore", invalid="ignore"):
        cost = np.where(good, lines["present_cost"][:, 0] / lines[output][:, 0], np.nan)
    return np.broadcast_to(cost, grids.size).reshape(grids.shape)
