"""Goal seek: the values of one input at which a wish begins or ceases to hold, checked by runs of the scenario."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from tco.analysis.run import Frozen
from tco.decisions.gap import Aim, aim
from tco.decisions.moving import Moved, ends, moved
from tco.decisions.probe import Array, Probe, Runs, frozen_of, probe
from tco.decisions.search import MET, Search, Searcher
from tco.decisions.wish import Wish, wish
from tco.errors import ScenarioError
from tco.result import Result
from tco.session import Scenario
from tco.units import convert, in_money


@dataclass(frozen=True)
class Asked:
    """A question as it is written."""

    change: str
    until: str
    between: tuple[Any, ...] = ()
    frozen: bool = False


@dataclass(frozen=True)
class Solved:
    """`kept` is what holds with the deployments as they were chosen, None where they cannot be kept (`lost` says why).

    `anew` is what runs that choose anew find, None where they find the same or were not asked; `checked` counts runs
    of the scenario that gave the numbers of the search.
    """

    asked: Asked
    one: Moved
    wish: Wish
    today: float | None
    now: float | None
    kept: Search | None
    anew: Search | None
    checked: int
    lost: str = ""

    @property
    def answer(self) -> Search:
        """What a run of the scenario would say."""
        found = self.anew or self.kept
        assert found is not None
        return found


def solve(scenario: Scenario, asked: Asked, base: Result | None = None) -> Solved:
    """Answer a question. Raises Refused, or ScenarioError where the scenario cannot be run at an end."""
    result = base or scenario.run()
    wanted = wish(result, asked.until)
    one = moved(scenario, asked.change, asked.between)
    today = one.now if one.now is not None else held(result, one)
    low, high = ends(one, asked.between, today)
    goal = aim(result, wanted)
    kept, lost = _kept(scenario, goal, one, (low, high), frozen_of(result), must=asked.frozen)
    runs = Runs(scenario, one, goal.wanted, frozen_of(result) if asked.frozen else None)
    if not asked.frozen:
        runs.check((low, high))
    checked, same = _checked(goal, kept, runs, (low, high)) if kept else (0, False)
    anew = None if same or asked.frozen else Searcher(goal, runs, one, low, high).search()
    now = _now(goal, scenario, one, today, frozen_of(result))
    return Solved(asked, one, wanted, today, now, kept[0] if kept else None, anew, checked, lost)


def held(result: Result, one: Moved) -> float | None:
    """The number of today where the catalogue or a default says it."""
    name = str(one.path[-1]) if one.path[-2:-1] == ("inputs",) else one.leaf.feeds or ""
    at = one.path[1] if one.path[0] == "fleets" else None
    fleets = [result.fleets[at]] if isinstance(at, int) else result.fleets
    for fleet in fleets:
        figure = fleet.inputs.get(name)
        if figure is not None and figure.is_one and (isinstance(at, int) or name in fleet.shared):
            return convert(figure.number, figure.unit, in_money(one.unit)) if figure.origin != "choice" else None
    return None


Kept = tuple[Search, Probe]


def _kept(
    scenario: Scenario, goal: Aim, one: Moved, two: tuple[float, float], frozen: Frozen, *, must: bool
) -> tuple[Kept | None, str]:
    """The search with the deployments of today, or why they cannot be kept. Raises ScenarioError where they must."""
    try:
        near = probe(scenario, one, two, goal.wanted, frozen)
    except ScenarioError as error:
        if must:
            raise
        return None, error.problems[0].text
    return (Searcher(goal, near, one, *two).search(), near), ""


def _checked(goal: Aim, kept: Kept, runs: Runs, two: tuple[float, float]) -> tuple[int, bool]:
    """How many runs were made at what was found and at the ends, and whether all of them say the same."""
    found, near = kept
    places = [*two, *(turn.value for turn in found.turns[:MOST] if turn.kind != "pole")]
    values: Array = np.array(list(dict.fromkeys(places)))
    searched, told = goal.told(near, values), goal.told(runs, values)
    agree = [
        np.allclose(one, other, rtol=MET, atol=0, equal_nan=True) for one, other in zip(searched, told, strict=True)
    ]
    return len(values), all(agree)


MOST = 8
"""Places of one search that are checked by runs."""


def _now(goal: Aim, scenario: Scenario, one: Moved, today: float | None, frozen: Frozen) -> float | None:
    """The left side today."""
    if today is None:
        return None
    mine, _ = goal.told(Runs(scenario, one, goal.wanted, frozen), np.array([today]))
    return float(mine[0]) if np.isfinite(mine[0]) else None


def questions(asked: Sequence[Any]) -> list[Asked]:
    """Questions of a scenario as they stand in its section `analysis`."""
    return [Asked(one.change, one.until, tuple(one.between), one.frozen) for one in asked]
