"""What the engine says of a fleet for any number of systems and any load: rows of numbers through its own lines."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from tco.analysis.fleet import engine_inputs
from tco.analysis.serving import outputs
from tco.evaluate import Value, in_blocks, program
from tco.figures import Figure
from tco.mix.moments import Array
from tco.model import Model
from tco.scenario.modelling import model_of
from tco.scenario.plan import Plan, Served
from tco.scenario.serves import asked
from tco.timeline import Timeline

COST, NEW, NEW_PINNED = "present_cost", "new_systems", "new_systems_pinned"
LINES = (
    COST, "capital_cost", "nameplate_power", "carbon_footprint", "working_systems", "usable_rate", "peak_load",
    "systems", "systems_per_rack", "gpus", "request_rate", "token_rate", "rack_power_exceeded", "cooling_exceeded",
    "life_periods", "lead_periods",
)  # fmt: skip


@dataclass(frozen=True)
class Row:
    """So many systems by period, and so much of one class of requests; `new` are systems that need a new place."""

    count: Array
    name: str = ""
    share: Array | None = None
    new: Array | None = None


class Probes:
    """A fleet's lines with systems, load and lengths left open."""

    def __init__(self, plan: Plan, timeline: Timeline, rates: Mapping[str, float]) -> None:
        assert plan.model is not None
        self.periods = timeline.periods
        self.places = NEW in plan.model.lines
        self.model = _with_new_stated(plan, timeline) if self.places else plan.model
        self.base = engine_inputs(plan.given, timeline)
        self.classes = {one.name: _one_class(plan, one, rates) for one in plan.served if one.name in rates}
        self.spare = next(iter(self.classes), "")

    def __call__(self, rows: Sequence[Row], lines: Sequence[str] = LINES) -> dict[str, Array]:
        """The lines that the fleet has, a row each."""
        wanted = [name for name in lines if name in self.model.lines]
        columns: dict[str, Value] = {"count": np.stack([row.count for row in rows])}
        given = [self.classes[row.name or self.spare] for row in rows]
        for name in given[0]:
            columns[name] = np.stack([one[name] for one in given])
        none = np.zeros(self.periods)
        shares = np.stack([none if row.share is None else row.share for row in rows])
        columns["demand_share"] = np.asarray(columns["demand_share"]) * shares
        if self.places:
            columns[NEW_PINNED] = np.stack([none if row.new is None else row.new for row in rows])
        known = {name: value for name, value in columns.items() if name in self.model.inputs}
        found = in_blocks(program(self.model, wanted), {**self.base, **known}, self.periods)
        return {name: np.broadcast_to(value, (len(rows), np.shape(value)[-1])) for name, value in found.items()}

    def has(self, line: str) -> bool:
        """Whether the fleet has the line."""
        return line in self.model.lines


def _one_class(plan: Plan, one: Served, rates: Mapping[str, float]) -> dict[str, Array]:
    """What the fleet reads when it serves the class alone, and all of it."""
    periods = len(plan.ramp)
    whole = replace(one, shares=(1.0,) * periods)
    found = {name: np.array(values) for name, values in asked(plan, [whole]).items()}
    return {**found, "measured_output": np.array(outputs([whole], rates))}


def _with_new_stated(plan: Plan, timeline: Timeline) -> Model:
    """The model with the systems that need a new place as an input: they depend on the most there ever were."""
    stated = Figure((0.0,) * timeline.periods, "system")
    return model_of(replace(plan, pins={**plan.pins, NEW: stated}), timeline)
