"""What would flip the answer: demand, utilization and prices at which two fleets cost the same.

The deployment stays as it was chosen (nothing is searched again), and so do the prices of a bill that a tariff makes.
Every place is found by `crossings` on the printed lines; what is not reached between the ends is told as such.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from tco.analysis.crossings import NONE, Found, changes
from tco.analysis.fleet import engine_inputs
from tco.evaluate import Program, Value, in_blocks, program
from tco.model import Model
from tco.result import VERDICTS, FleetResult, Result
from tco.tracing import inside

Array = NDArray[np.float64]

OUTPUTS = {
    "cost_per_million_useful_tokens": "present_useful_tokens",
    "cost_per_useful_training_step": "present_useful_training_steps",
}
"""What a headline divides the present cost by."""

DEMAND = (("requests",), ("runs",))
PRICES = {
    "system price": ("system_price",),
    "rent": ("gpu_hour_price",),
    "lease rent": ("lease_rent",),
    "API price": ("input_price", "cached_input_price", "output_price"),
    "electricity price": ("electricity_price",),
}
"""Quantities in a reader's words, and the inputs that move together for each."""

BUSY = ("demand", "utilization")
"""Quantities whose crossings tell how busy each fleet is."""

SHARED = ("electricity price",)
"""Prices that both fleets pay: both move by one factor."""

WIDEST_DEMAND, WIDEST_PRICE, GRID = 1000.0, 10.0, 129
BLOCK = 512


@dataclass(frozen=True)
class Crossing:
    """Beyond `value` the other fleet costs less: ids, `equal`, or `not comparable` where one cannot do the work."""

    value: float
    below: str
    above: str
    at_step: bool
    utilization: dict[str, float | None]


@dataclass(frozen=True)
class Question:
    """One quantity of one fleet (or of both: `fleet` is empty), between `low` and `high`, with every crossing.

    Without a unit, `now` is 1 and the values are factors on what the scenario says.
    """

    quantity: str
    fleet: str
    inputs: tuple[str, ...]
    unit: str
    now: float
    low: float
    high: float
    start: str
    crossings: tuple[Crossing, ...]
    reason: str


@dataclass(frozen=True)
class BreakEven:
    """The two fleets, the line that is compared, the questions, or the reason why there are none."""

    fleets: tuple[str, ...] = ()
    measure: str = ""
    questions: tuple[Question, ...] = ()
    reason: str = ""


@dataclass
class Side:
    """A fleet whose inputs move by factors: cost, output, whether it can do the work, and its whole units."""

    fleet: FleetResult
    result: Result
    inputs: Mapping[str, Value] = field(init=False)
    compiled: Program = field(init=False)
    whole: tuple[str, ...] = field(init=False)

    def __post_init__(self) -> None:
        model = self.fleet.model
        self.inputs = engine_inputs(self.fleet.inputs, self.result.timeline)
        self.whole = whole_lines(model)
        flags = [name for name, _ in VERDICTS]
        wanted = ["present_cost", OUTPUTS[self.result.headline or ""], "utilization", *flags, *self.whole]
        self.compiled = program(model, [name for name in dict.fromkeys(wanted) if name in model.lines])

    def has(self, names: tuple[str, ...]) -> tuple[str, ...]:
        """Those of the inputs that this fleet uses, as they are quoted."""
        told = (f"{name}_quoted" if f"{name}_quoted" in self.inputs else name for name in names)
        return tuple(name for name in told if name in self.inputs and _moves(self.inputs[name]))

    def at(self, names: tuple[str, ...], factors: Array) -> dict[str, Array]:
        """Lines at each factor."""
        moved = {name: np.asarray(self.inputs[name]) * factors[:, None] for name in names}
        found = in_blocks(self.compiled, {**self.inputs, **moved}, self.result.timeline.periods, BLOCK)
        return {name: np.broadcast_to(value, (len(factors), value.shape[-1])) for name, value in found.items()}

    def points(self, names: tuple[str, ...], factors: Array) -> Array:
        """Cost, output, comparable and units in rows; one column a factor."""
        lines = self.at(names, factors if names else np.ones(1))
        good = np.ones(len(next(iter(lines.values()))))
        for name, _ in VERDICTS:
            if name in lines:
                good = good * (lines[name].min(-1) > 0)
        units = sum((lines[name].sum(-1) * (1 + place) for place, name in enumerate(self.whole)), np.zeros(len(good)))
        rows = np.array([lines["present_cost"][:, 0], lines[OUTPUTS[self.result.headline or ""]][:, 0], good, units])
        return np.broadcast_to(rows.astype(np.float64), (4, len(factors)))

    def utilization(self, names: tuple[str, ...], factor: float) -> float | None:
        """The mean over the periods."""
        if "utilization" not in self.fleet.model.lines:
            return None
        return float(self.at(names, np.array([factor]))["utilization"].mean())


def _moves(value: Value) -> bool:
    return not isinstance(value, tuple) and bool(np.all(np.asarray(value) > 0))


def whole_lines(model: Model) -> tuple[str, ...]:
    """Lines that round to whole units."""
    rounds = ("ceil", "floor")
    return tuple(
        name
        for name, item in model.lines.items()
        if any(part.op in rounds for part in (item.expression, *inside(item.expression)))
    )


def break_even(result: Result) -> BreakEven:
    """The recommended fleet against the reference; against the next if there is none or it is recommended itself."""
    pair, why = _pair(result)
    if why:
        return BreakEven(reason=why)
    sides = [Side(fleet, result) for fleet in pair]
    questions = tuple(_question(sides, *one) for one in _asked(sides))
    return BreakEven(tuple(fleet.id for fleet in pair), result.headline or "", questions)


def _pair(result: Result) -> tuple[list[FleetResult], str]:
    """The two fleets, or why there are not two."""
    reference = result.by_id.get(result.reference or "")
    against = [reference.id] if reference and reference.verdict == "ok" else []
    first = [result.recommended] if result.recommended else []
    names = list(dict.fromkeys([*first, *against, *result.ranking]))[:2]
    pair = [result.by_id[name] for name in names]
    if len(pair) < 2:
        return [], "there are no two fleets that can do the work"
    needed = ("present_cost", OUTPUTS.get(result.headline or "", ""))
    for fleet in pair:
        if any(name not in fleet.model.lines or fleet.model.lines[name].pinned for name in needed):
            return [], f"{fleet.id}: its cost or its output is pinned or missing"
    return pair, ""


Names = tuple[tuple[str, ...], tuple[str, ...]]


def _asked(sides: list[Side]) -> Iterator[tuple[str, str, Names, Array]]:
    """Quantity, fleet, the inputs of each side that move, and the grid of factors."""
    for names in DEMAND:
        moved = sides[0].has(names), sides[1].has(names)
        if any(moved) and not any(side.fleet.unit_cost_only for side in sides):
            grid = np.geomspace(1 / WIDEST_DEMAND, WIDEST_DEMAND, GRID)
            yield "demand", "", moved, grid
    for place, side in enumerate(sides):
        names = side.has(("utilization_target",))
        if names:
            full = 1 / float(np.max(np.asarray(side.inputs[names[0]])))
            yield "utilization", side.fleet.id, _only(place, names), np.linspace(full / GRID, full, GRID)
    prices = np.linspace(0.0, WIDEST_PRICE, GRID)
    for quantity, inputs in PRICES.items():
        moved = sides[0].has(inputs), sides[1].has(inputs)
        if quantity in SHARED and all(moved):
            yield quantity, "", moved, prices
            continue
        yield from ((quantity, sides[at].fleet.id, _only(at, moved[at]), prices) for at in (0, 1) if moved[at])


def _only(place: int, names: tuple[str, ...]) -> Names:
    return ((), names) if place else (names, ())


def _question(sides: list[Side], quantity: str, fleet: str, moved: Names, grid: Array) -> Question:
    """Every crossing of one quantity."""

    def ask(factors: Array) -> Array:
        mine, theirs = (side.points(names, factors) for side, names in zip(sides, moved, strict=True))
        return np.array([*mine[:2], *theirs[:2], mine[2] * theirs[2], mine[3], theirs[3]])

    found = changes(ask, grid, 1.0)
    unit, now = _told_in(sides, moved)
    words = {-1: sides[0].fleet.id, 1: sides[1].fleet.id, 0: "equal", NONE: "not comparable"}
    crossings = tuple(
        Crossing(
            change.place * now, words[change.before], words[change.after], change.step,
            _utilizations(sides, moved, change.place) if quantity in BUSY else {},
        )
        for change in found.changes
    )  # fmt: skip
    inputs = tuple(dict.fromkeys((*moved[0], *moved[1])))
    low, high = found.low * now, found.high * now
    return Question(quantity, fleet, inputs, unit, now, low, high, words[found.start], crossings, _reason(found))


def _utilizations(sides: list[Side], moved: Names, factor: float) -> dict[str, float | None]:
    pairs = zip(sides, moved, strict=True)
    return {side.fleet.id: side.utilization(names, factor) for side, names in pairs}


def _told_in(sides: list[Side], moved: Names) -> tuple[str, float]:
    """Unit and today's number where one number says it, else no unit and a factor of 1."""
    told = {
        (name, side.fleet.model.inputs[name].unit, value)
        for side, names in zip(sides, moved, strict=True)
        for name in names
        for value in np.asarray(side.inputs[name]).reshape(-1).tolist()
    }
    return next(iter(told))[1:] if len(told) == 1 else ("", 1.0)


def _reason(found: Found) -> str:
    """Why the two do not change places; empty where they do."""
    if any(NONE not in (change.before, change.after) for change in found.changes):
        return ""
    if found.start == 0 and not found.changes:
        return "the two cost the same throughout"
    return "not reached, as far as both can do the work" if found.changes else "not reached"
