"""The cheapest plan, checked: what the optimiser says, and what the engine says of the plan as a scenario."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from tco.errors import TcoError
from tco.mix.candidates import Candidate, Question
from tco.mix.moments import Array
from tco.mix.program import SHARE, SYSTEMS, Program
from tco.mix.solving import Solution
from tco.mix.writing import scenario_text
from tco.result import Result
from tco.session import loads

AGREED = 1e-6
NOTHING = 1e-11


class Disagreed(TcoError):
    """The engine says of the plan what the optimiser does not."""


@dataclass
class Part:
    """What one fleet does in the plan: systems added by moment and standing by period, shares by class and moment."""

    id: str
    name: str
    payment: str
    added: list[float] = field(default_factory=list[float])
    standing: Array = field(default_factory=lambda: np.zeros(0))
    shares: dict[str, list[float]] = field(default_factory=dict[str, list[float]])
    cost: float = 0.0

    @property
    def used(self) -> bool:
        """Whether it takes part."""
        return any(self.added) or any(any(values) for values in self.shares.values())


@dataclass
class Plan:
    """The parts, their cost by the optimiser and by the engine, and the scenario that says it."""

    asked: Question
    program: Program
    solution: Solution
    parts: list[Part]
    text: str = ""
    result: Result | None = None

    @property
    def cost(self) -> float:
        """Present cost by the optimiser's own arithmetic."""
        return self.solution.cost

    def text_for(self, target: Path) -> str:
        """The scenario's text, read as if it stood there: files beside the scenario must be beside the plan, too."""
        loads(self.text, str(target)).check()
        return self.text

    @property
    def engine_cost(self) -> float:
        """Present cost of all parts, by the engine."""
        found = [fleet.raw("present_cost") for fleet in self.result.fleets] if self.result else []
        return float(sum(cost for cost in found if isinstance(cost, float)))


def plan_of(program: Program, solution: Solution) -> Plan:
    """The solution in words of fleets, run through the engine. Raises Disagreed when that says something else."""
    asked = program.asked
    shares = _clean(program, solution)
    parts = [_part(one, program, solution, shares) for one in asked.candidates if not one.refused]
    used = [part for part in parts if part.used]
    plan = Plan(asked, program, solution, used)
    counts = {part.id: part.standing for part in used if part.payment != "api"}
    plan.text = scenario_text(asked, counts, {part.id: part.shares for part in used})
    plan.result = loads(plan.text, asked.loaded.document.file).run()
    for part in used:
        cost = plan.result.by_id[part.id].raw("present_cost")
        part.cost = cost if isinstance(cost, float) else 0.0
    _check(plan)
    return plan


def _clean(program: Program, solution: Solution) -> dict[tuple[str, str, int], float]:
    """Shares without the crumbs of the arithmetic, which add up to one."""
    asked, found = program.asked, dict[tuple[str, str, int], float]()
    for name in asked.classes:
        for index in range(len(asked.moments)):
            here = {
                one.id: float(solution.values[place])
                for one in asked.candidates
                if (place := program.at(SHARE, one.id, name, index)) is not None
            }
            kept = {key: share for key, share in here.items() if share > NOTHING}
            whole = sum(kept.values())
            found |= {(key, name, index): share / whole for key, share in kept.items()}
    return found


def _part(one: Candidate, program: Program, solution: Solution, shares: dict[tuple[str, str, int], float]) -> Part:
    asked = program.asked
    count = range(len(asked.moments))
    added = [_value(program, solution, SYSTEMS, one.id, index) for index in count]
    standing = np.zeros(asked.timeline.periods)
    for index, cohort in one.cohorts.items():
        standing = standing + cohort.standing * added[index]
    served = {name: [shares.get((one.id, name, index), 0.0) for index in count] for name in asked.classes}
    return Part(one.id, one.plan.texts["name"], one.plan.payment, added, standing, served)


def _value(program: Program, solution: Solution, *key: object) -> float:
    place = program.at(*key)
    return 0.0 if place is None else float(solution.values[place])


def _check(plan: Plan) -> None:
    """Every fleet does its part, and together they cost what was planned."""
    assert plan.result is not None
    wrong = [
        f"{fleet.id}: {'; '.join(fleet.reasons) or fleet.verdict}"
        for fleet in plan.result.fleets
        if fleet.verdict != "ok"
    ]
    apart = abs(plan.engine_cost - plan.cost)
    size = max(abs(plan.cost), *(abs(part.cost) for part in plan.parts), 1e-9)
    if not wrong and apart <= AGREED * size:
        return
    currency = plan.asked.scenario.currency
    both = f"{plan.cost:,.2f} {currency} by the optimiser and {plan.engine_cost:,.2f} {currency} by the engine"
    why = "; ".join(wrong) or "something in this scenario is not in proportion to systems and load"
    raise Disagreed(f"the plan costs {both}: {why}; such a scenario cannot be planned as a mix")
