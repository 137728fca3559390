"""What the changes do: the scenario run again with the choices of the workbook, and with choices made anew."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from tco.analysis.run import Frozen
from tco.errors import ScenarioError
from tco.figures import Figure
from tco.readback.align import Alignment
from tco.readback.carry import Carried
from tco.readback.edited import Edited, Held
from tco.readback.issued import Issued
from tco.readback.offered import follows_offers
from tco.readback.typed import Change
from tco.result import NULLING, FleetResult, Result
from tco.workbook.places import CONSTANT, sheet_of
from tco.workbook.results import UNDEFINED
from tco.workbook.values import raw

AGREES = 1e-9


@dataclass(frozen=True)
class Follower:
    """An input that nobody typed and that another one moves in a run, while it stands still in a workbook."""

    fleet: str
    name: str
    held: tuple[float, ...]
    run: tuple[float, ...]

    def __str__(self) -> str:
        if not self.held:
            return f"{self.name} is new"
        return f"{self.name} is {self.held[0]:.6g} in the workbook, {self.run[0]:.6g} in the run"


@dataclass
class Effect:
    """`frozen` and `searched` are None where they could not be run; `problems` say why.

    `shown` are the headlines that the workbook itself stores; `differences` say where the frozen run gives others.
    """

    issued: Result
    frozen: Result | None = None
    searched: Result | None = None
    shown: dict[str, Held | None] = field(default_factory=dict[str, "Held | None"])
    problems: list[str] = field(default_factory=list[str])
    followers: list[Follower] = field(default_factory=list[Follower])
    differences: list[str] = field(default_factory=list[str])
    recalculated: bool = False


def effect(issued: Issued, edited: Edited, alignment: Alignment, changes: Sequence[Change], carried: Carried) -> Effect:
    """Run twice, and compare the frozen run with what the workbook itself shows."""
    found = Effect(issued.result)
    found.problems += [str(problem) for problem in carried.problems]
    if carried.problems:
        return found
    if not carried.done:
        found.frozen = found.searched = issued.result
    else:
        found.frozen = _run(carried, frozen_choices(issued, changes), "with the choices of the workbook", found)
        found.searched = _run(carried, None, "with choices made anew", found)
    if found.frozen is not None:
        found.followers = [one for fleet in found.frozen.fleets for one in _followers(fleet, issued, changes)]
    _as_shown(found, issued, edited, alignment, changes)
    return found


def frozen_choices(issued: Issued, changes: Sequence[Change]) -> Frozen:
    """Choices as they stand in the workbook."""
    typed = {(one.place.owner, one.place.name): one.new for one in changes if not one.refused and one.new is not None}
    return {
        fleet.id: {
            **{name: typed.get((fleet.id, name), value) for name, value in fleet.choices.get("values", {}).items()},
            "precision": fleet.precision,
        }
        for fleet in issued.result.fleets
    }


def _run(carried: Carried, frozen: Frozen | None, how: str, found: Effect) -> Result | None:
    try:
        return carried.scenario.run(frozen)
    except ScenarioError as error:
        found.problems += [f"{how} it cannot be run: {problem}" for problem in error.problems]
        return None


def shown(fleet: FleetResult | None, line: str) -> float | str:
    """The number, or what a workbook shows in its place: the verdict, or that it is not defined."""
    if fleet is None:
        return "–"
    value = fleet.shown(line)
    if isinstance(value, float):
        return value
    return fleet.verdict if fleet.verdict in NULLING else UNDEFINED


def _as_shown(found: Effect, issued: Issued, edited: Edited, alignment: Alignment, changes: Sequence[Change]) -> None:
    """The headline of the workbook, if it was calculated since it was edited."""
    line = issued.result.headline or ""
    row = issued.plan.results[line]
    found.shown = {
        fleet.id: edited.computed(alignment.edited((sheet_of(fleet.id), row, CONSTANT)))
        for fleet in issued.result.fleets
    }
    before = {fleet.id: shown(fleet, line) for fleet in issued.result.fleets}
    moved = any(not agrees(value, before[name]) for name, value in found.shown.items())
    complete = all(value is not None for value in found.shown.values())
    found.recalculated = complete and (moved or not changes)
    if found.recalculated and found.frozen is not None:
        found.differences = list(_differences(found, line))


def agrees(one: Any, two: Any) -> bool:
    """Equal within the tolerance of checks."""
    if isinstance(one, float) and isinstance(two, float):
        return abs(one - two) <= AGREES * max(abs(one), abs(two))
    return one == two


def _differences(found: Effect, line: str) -> Iterator[str]:
    """Fleets whose frozen run gives another headline, with the inputs that differ."""
    assert found.frozen is not None
    for fleet in found.frozen.fleets:
        there, here = found.shown.get(fleet.id), shown(fleet, line)
        if agrees(there, here):
            continue
        told = "; ".join(str(one) for one in found.followers if one.fleet == fleet.id)
        because = told or "the inputs agree: look at what was altered, or calculate the workbook anew"
        yield f"{fleet.id}: the workbook shows {_number(there)}, the frozen run {_number(here)}; {because}"


def _number(value: Any) -> str:
    return f"{value:,.8g}" if isinstance(value, float) else str(value)


def _followers(fleet: FleetResult, issued: Issued, changes: Sequence[Change]) -> Iterator[Follower]:
    """Inputs of the run that are neither as issued nor as typed."""
    before, periods = issued.result.by_id[fleet.id], issued.result.timeline.periods
    typed = {(one.place.owner, one.place.name, one.index): one.new for one in changes if one.new is not None}
    for name, figure in fleet.inputs.items():
        if follows_offers(issued, fleet.id, name):
            continue
        now = _flat(figure, periods)
        held = _flat(before.inputs[name], periods) if name in before.inputs else []
        owner = "" if name in before.shared else fleet.id
        held = [typed.get((owner, name, index), value) for index, value in enumerate(held)]
        if len(held) != len(now) or not all(agrees(*pair) for pair in zip(held, now, strict=True)):
            yield Follower(fleet.id, name, tuple(held), tuple(now))


def _flat(figure: Figure, periods: int) -> list[float]:
    """The numbers of an input as they stand in the column or row of values."""
    values: Any = raw(figure, periods)
    return np.ravel(values[1] if figure.is_table else values).tolist()
