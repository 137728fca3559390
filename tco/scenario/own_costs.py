"""Costs that a user names: each becomes an input and a line, of the kind that its unit says."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

from tco.declare import Chapter, Given, Line, Shape
from tco.figures import Figure
from tco.lines.library import all_names
from tco.scenario.gather import dated, derived
from tco.scenario.paths import Path
from tco.scenario.plan import Context, Plan
from tco.scenario.quoted import named_costs
from tco.scenario.schema import Cost, Fleet
from tco.timeline import MONTHS
from tco.units import conversion, in_money, unit
from tco.vocabulary import compound

CHAPTER = "own_costs"
LONGEST = 40
"""Characters of a name from which a line is named; a longer one is named by its number."""


@dataclass(frozen=True)
class Kind:
    """What a unit says: by which lines the amount is multiplied, when it is paid, and why."""

    unit: str
    times: tuple[str, ...]
    moment: str
    why: str


KINDS = (
    Kind("money", ("first_period",), "paid_at_start", "Once, when the first period opens."),
    Kind("money/yr", ("period",), "paid_through", "For the length of each period."),
    Kind("money/system", ("purchases",), "paid_at_start", "For each system when it comes."),
    Kind("money/gpu", ("purchases", "gpus_per_system"), "paid_at_start", "For each GPU when it comes."),
    Kind("money/system/yr", ("systems", "period"), "paid_through", "For each system and the time it stands."),
    Kind("money/gpu/yr", ("gpus", "period"), "paid_through", "For each GPU and the time it stands."),
    Kind("money/kW/yr", ("nameplate_it_power", "period"), "paid_through", "For the power that may be drawn."),
    Kind("money/kWh", ("energy",), "paid_through", "For the energy bought."),
    Kind("money/Mtoken", ("period_useful_tokens",), "paid_through", "For each useful token."),
    Kind("money/request", ("served_requests",), "paid_through", "For each request served."),
)
"""A unit is of one kind only, but for kW and year against kWh: those are told apart by how they are written."""


def own_costs(context: Context, fleet: Fleet, plan: Plan) -> None:
    """Add a chapter with the costs of the scenario and of the fleet, if there are any."""
    made = _Made(context, plan)
    for index, cost in enumerate(context.scenario.costs):
        made.add(cost, ("costs", index), mine=False)
    for index, cost in enumerate(fleet.costs):
        made.add(cost, (*plan.path, "costs", index), mine=True)
    for cost, path in named_costs(context.scenario, fleet) if plan.payment == "buy" else ():
        made.add(cost, path, mine=True)
    if made.lines:
        mine = Chapter(CHAPTER, "Costs named in the scenario", made.givens, made.lines)
        plan.chapters = [*plan.chapters[:-1], mine, plan.chapters[-1]]


@dataclass
class _Made:
    """Inputs and lines made so far."""

    context: Context
    plan: Plan
    givens: dict[str, Given] = field(default_factory=dict[str, Given])
    lines: dict[str, Line] = field(default_factory=dict[str, Line])

    def add(self, cost: Cost, path: Path, *, mine: bool) -> None:
        """One cost; one that has no meaning for the fleet is told, or a problem where the fleet itself states it."""
        kind = self._kind(cost, path)
        name = self._name(cost, path)
        if kind is None or not name:
            return
        there = {item for part in self.plan.chapters for item in (*part.lines, *part.givens)}
        absent = [item for item in (*kind.times, cost.part_of) if item not in there]
        if absent:
            told = f"{cost.name}: a fleet that is paid by {self.plan.payment} has no {absent[0].replace('_', ' ')}"
            if mine:
                self.context.problems.add((*path, "amount"), f"{told}; leave this cost out")
            else:
                self.plan.tell("cost-left-out", f"{told}, so that this cost is not charged to it")
            return
        times = (self._due(cost, name, path), *kind.times[1:]) if cost.month and kind is KINDS[0] else kind.times
        self._line(cost, name, kind, times, path)

    def _kind(self, cost: Cost, path: Path) -> Kind | None:
        wanted = unit(in_money(cost.amount.unit))
        alike = [one for one in KINDS if conversion(wanted, unit(one.unit)) is not None]
        kind = next((one for one in alike if ("Wh" in one.unit) == ("Wh" in cost.amount.unit)), None)
        currency = self.context.scenario.currency
        units = ", ".join(one.unit.replace("money", currency) for one in KINDS)
        if kind is None or not cost.amount.is_one:
            told = f"{cost.amount.unit or 'a plain number'} is no unit of a cost"
            self.context.problems.add((*path, "amount"), f"{told}; wanted one of {units}")
            return None
        if cost.part_of == "capital_cost" and kind.moment != "paid_at_start":
            told = "capital is paid once; state another `part_of`, or an amount by system or GPU"
            self.context.problems.add((*path, "part_of"), told)
            return None
        if cost.month and kind is not KINDS[0]:
            self.context.problems.add((*path, "month"), f"an amount in {cost.amount.unit} is not paid once", key=True)
            return None
        return kind

    def _name(self, cost: Cost, path: Path) -> str:
        word = re.sub(r"[^a-z0-9]+", "_", cost.name.lower()).strip("_")
        name = f"{word}_cost" if re.match("[a-z]", word) and len(word) <= LONGEST else f"own_{path[-1]}_cost"
        if name in all_names() or name in self.lines:
            why = "is a line of the model" if name in all_names() else "is named already"
            self.context.problems.add((*path, "name"), f"`{name}` {why}; choose another name for this cost")
            return ""
        return name

    def _due(self, cost: Cost, name: str, path: Path) -> str:
        """The period in which it is paid, as a flag in each."""
        year, month = map(int, str(cost.month).split("-"))
        timeline = self.context.timeline
        start = timeline.start[0] * 12 + timeline.start[1]
        index = (year * 12 + month - start) // MONTHS[timeline.step]
        if not 0 <= index < timeline.periods:
            told = f"{cost.month} is not within the horizon, {timeline.labels[0]} to {timeline.labels[-1]}"
            self.context.problems.add((*path, "month"), told)
        flags = tuple(float(number == index) for number in range(timeline.periods))
        due, told = (
            f"{name.removesuffix('_cost')}_due",
            derived(0, "", f"month: {cost.month}", self.context.scenario.as_of),
        )
        self._given(due, "", f"{cost.name}: due (flag)", replace(told, value=flags), (*path, "month"), "series")
        return due

    def _given(self, name: str, unit_of: str, label: str, figure: Figure, path: Path, shape: Shape = "one") -> None:
        self.givens[name] = Given(unit_of, label, name=name, chapter=CHAPTER, scope=label, shape=shape, place=CHAPTER)
        self.plan.found.put(name, figure, path, shared=path[0] == "costs")

    def _line(self, cost: Cost, name: str, kind: Kind, times: tuple[str, ...], path: Path) -> None:
        word, scenario = name.removesuffix("_cost"), self.context.scenario
        amount, growth = f"{word}_amount", f"{word}_growth"
        self._given(amount, kind.unit, f"{cost.name}: amount", dated(cost.amount, scenario), (*path, "amount"))
        factors: tuple[str, ...] = ("running_factor",)
        if cost.growth is not None:
            self._given(growth, "1/yr", f"{cost.name}: growth", dated(cost.growth, scenario), (*path, "growth"))
            factors = (growth, "opening_time")
        parameters = (*times, amount, *factors)
        paid = () if cost.part_of == "capital_cost" else (kind.moment,)
        self.lines[name] = Line(
            name, "money", cost.name, _product(parameters, factors), parameters, part_of=(cost.part_of, *paid),
            doc=kind.why, chapter=CHAPTER, place=CHAPTER,
        )  # fmt: skip


def _product(parameters: tuple[str, ...], factors: tuple[str, ...]) -> Callable[..., Any]:
    """All of them multiplied; of a growth of its own, the factor up to the moment of payment."""
    plain = [name for name in parameters if name not in factors]

    def product(**operands: Any) -> Any:
        rate, *time = (operands[name] for name in factors)
        factor = compound(rate, time[0]) if time else rate
        for name in reversed(plain):
            factor = operands[name] * factor
        return factor

    return product
