"""Flip points against the scenario itself: a run beyond each, and whether a driver moves alone there."""

from __future__ import annotations

from collections.abc import Container, Sequence
from dataclasses import dataclass, replace

import numpy as np

from tco.analysis.run import Frozen
from tco.decisions.field import Moves
from tco.decisions.flips import Beyond, Flip, Mover, Named, flips, movers_of
from tco.decisions.probe import frozen_of
from tco.errors import ScenarioError
from tco.result import Result
from tco.scenario.paths import Path
from tco.scenario.plan import Plan
from tco.session import Scenario
from tco.variants.patch import patched
from tco.variants.reach import Built, Reach, built, fed_from, reach

AWAY = 1e-9
"""How far beyond a flip point the run is, of its size."""

NUDGE = 1.01
SAME = 1e-9
QUOTES = "quotes"


def _owner(one: Flip | Mover) -> str:
    return one.fleet if isinstance(one, Flip) else one.owner


@dataclass(frozen=True)
class Checker:
    """A scenario with its result, its choices and its plans."""

    scenario: Scenario
    result: Result
    frozen: Frozen
    plans: Built

    def told(self, one: Flip, apart: Container[Named]) -> Flip:
        """The flip point with doubts, where the scenario says otherwise."""
        path, _ = self._place(one)
        if not one.single or path[0] == QUOTES:  # an offer's line counts in pieces, not in the unit of the input
            return one
        below, above = (
            side and self._beyond(one, path, side, sign) for side, sign in ((one.below, -1), (one.above, 1))
        )
        return replace(one, below=below, above=above, follows=(one.fleet, one.name) in apart)

    def together(self, movers: Sequence[Mover]) -> tuple[dict[Named, Moves], set[Named]]:
        """What moves in proportion with each driver that the scenario states; and those with which more moves."""
        moves, apart = dict[Named, Moves](), set[Named]()
        for mover in movers:
            found = self._moved(mover)
            if found is None:
                apart.add(mover.key)
            elif found:
                moves[mover.key] = found
        return moves, apart

    def _moved(self, mover: Mover) -> Moves | None:
        """By fleet; empty where it is not stated or stands alone, None where what follows is not in proportion."""
        fleet = self.result.by_id[next(iter(mover.moves))]
        figure, (path, stated) = fleet.inputs[mover.name], self._place(mover)
        if not stated or not figure.is_one or path[0] == QUOTES:
            return {}
        for by in (NUDGE, 1 / NUDGE):
            try:
                raw = self._raw(figure.unit, figure.number * by)
                found = reach(self.plans, built(patched(self.scenario, {path: raw})), path)
            except ScenarioError:
                continue
            return None if found.rebuilt else self._in_proportion(found, by)
        return {}

    def _in_proportion(self, found: Reach, by: float) -> Moves | None:
        moves = dict[str, tuple[str, ...]]()
        for (name, precision), inputs in found.inputs.items():
            before = self.plans.plans[name, precision].given
            for given, figure in inputs.items():
                if figure.is_table or not np.allclose(figure.value, np.multiply(before[given].value, by), rtol=SAME):
                    return None
            if self.result.by_id[name].precision == precision:
                moves[name] = tuple(inputs)
        return moves

    def _place(self, one: Flip | Mover) -> tuple[Path, bool]:
        """Where it stands in the scenario, or where it may be stated; and whether it stands there."""
        plan = self._plan(one)
        path = fed_from(plan, one.name)
        if path:
            return path, True
        name = one.name.removesuffix("_quoted")
        return ((*plan.path, "inputs", name) if _owner(one) else ("inputs", name)), False

    def _plan(self, one: Flip | Mover) -> Plan:
        owner = _owner(one)
        ids = [owner] if owner else [fleet.id for fleet in self.result.fleets if one.name in fleet.shared]
        fleet = self.result.by_id[ids[0]]
        return self.plans.plans[fleet.id, fleet.precision]

    def _raw(self, unit: str, value: float) -> str:
        return f"{value!r} {unit.replace('money', self.result.scenario['currency'])}".strip()

    def _beyond(self, one: Flip, path: Path, side: Beyond, sign: int) -> Beyond:
        value = side.value + sign * AWAY * abs(side.value)
        try:
            found = patched(self.scenario, {path: self._raw(one.unit, value)}).run(self.frozen).recommended or ""
        except ScenarioError as error:
            return replace(side, doubt=f"the scenario cannot be run there: {error.problems[0].text}")
        told = f"a run recommends {found or 'no fleet'}, since other inputs follow from this one"
        return side if found == side.to else replace(side, doubt=told)


def confirmed(scenario: Scenario, result: Result) -> list[Flip]:
    """Flip points of a scenario, each beyond which a run with the same deployments agrees, or the doubt."""
    if result.recommended is None:
        return []
    checker = Checker(scenario, result, frozen_of(result), built(scenario))
    moves, apart = checker.together(movers_of(result))
    return [checker.told(one, apart) for one in flips(result, moves)]
