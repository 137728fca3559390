"""Flip points against the scenario itself: a run beyond each, and whether a driver moves alone there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from tco.analysis.run import Frozen
from tco.decisions.flips import Beyond, Flip, flips
from tco.decisions.probe import frozen_of
from tco.errors import ScenarioError
from tco.result import Result
from tco.scenario.paths import Path
from tco.scenario.plan import Plan
from tco.session import Scenario
from tco.variants.patch import patched
from tco.variants.reach import Built, built, fed_from, reach

AWAY = 1e-9
"""How far beyond a flip point the run is, of its size."""

NUDGE = 1.01
QUOTES = "quotes"


@dataclass(frozen=True)
class Checker:
    """A scenario with its result, its choices and its plans."""

    scenario: Scenario
    result: Result
    frozen: Frozen
    plans: Built

    def told(self, one: Flip) -> Flip:
        """The flip point with doubts, where the scenario says otherwise."""
        if not one.single:
            return one
        path, stated = self._place(one)
        if path[0] == QUOTES:  # an offer's line counts in pieces, not in the unit of the input
            return one
        if not stated and one.below is one.above is None:
            return one
        below, above = (
            side and self._beyond(one, path, side, sign) for side, sign in ((one.below, -1), (one.above, 1))
        )
        return replace(one, below=below, above=above, follows=stated and self._follows(one, path))

    def _place(self, one: Flip) -> tuple[Path, bool]:
        """Where it stands in the scenario, or where it may be stated; and whether it stands there."""
        plan = self._plan(one)
        path = fed_from(plan, one.name)
        if path:
            return path, True
        name = one.name.removesuffix("_quoted")
        return ((*plan.path, "inputs", name) if one.fleet else ("inputs", name)), False

    def _plan(self, one: Flip) -> Plan:
        ids = [one.fleet] if one.fleet else [fleet.id for fleet in self.result.fleets if one.name in fleet.shared]
        fleet = self.result.by_id[ids[0]]
        return self.plans.plans[fleet.id, fleet.precision]

    def _raw(self, one: Flip, value: float) -> str:
        return f"{value!r} {one.unit.replace('money', self.result.scenario['currency'])}".strip()

    def _beyond(self, one: Flip, path: Path, side: Beyond, sign: int) -> Beyond:
        value = side.value + sign * AWAY * abs(side.value)
        try:
            found = patched(self.scenario, {path: self._raw(one, value)}).run(self.frozen).recommended or ""
        except ScenarioError as error:
            return replace(side, doubt=f"the scenario cannot be run there: {error.problems[0].text}")
        told = f"a run recommends {found or 'no fleet'}, since other inputs follow from this one"
        return side if found == side.to else replace(side, doubt=told)

    def _follows(self, one: Flip, path: Path) -> bool:
        """Whether the scenario moves other inputs with this one."""
        for by in (NUDGE, 1 / NUDGE):
            try:
                other = built(patched(self.scenario, {path: self._raw(one, one.now * by)}))
            except ScenarioError:
                continue
            found = reach(self.plans, other, path)
            return not found.direct or found.rebuilt
        return False


def confirmed(scenario: Scenario, result: Result, found: Sequence[Flip] | None = None) -> list[Flip]:
    """Flip points of a scenario, each beyond which a run with the same deployments agrees, or the doubt."""
    points = flips(result) if found is None else list(found)
    if not points:
        return []
    checker = Checker(scenario, result, frozen_of(result), built(scenario))
    return [checker.told(one) for one in points]
