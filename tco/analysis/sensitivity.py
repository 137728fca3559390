"""What moves a fleet's headline, the deployment kept as it was chosen.

A driver is *exact* where the formulas prove by which power of it every line of the cost and the output grow, and that
no verdict depends on it: then a sheet can follow it. All others are run by the engine at the ends of their range.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tco.analysis.breakeven import OUTPUTS
from tco.analysis.degrees import degrees
from tco.analysis.discounting import Discounted, cost_lines
from tco.analysis.fleet import engine_inputs
from tco.declare import Given
from tco.evaluate import Value, in_blocks, program
from tco.figures import Figure
from tco.result import NULLING, VERDICTS, FleetResult, Result
from tco.units import composition, unit

CHANGE = 0.1
"""What a driver without a range moves by."""

STATED = ("scenario", "stated")
COUNTED = ("gpu", "system", "rack", "layer", "replica")
"""Whole numbers of these are another fleet, not a range."""

SMALL = 0.001
"""Drivers that move the headline by less, to either side, are named only."""

COST = "present_cost"


@dataclass(frozen=True)
class Exact:
    """A driver that a sheet can follow: exponents of each cost line in order, and of the output."""

    name: str
    exponents: tuple[float, ...]
    output: float


@dataclass(frozen=True)
class Run:
    """A driver that the engine moved: its ends (factors where it is a series), and the headline or verdict at each."""

    name: str
    ends: tuple[float, float]
    found: tuple[float | str, float | str]


@dataclass(frozen=True)
class Sensitivity:
    """The fleet, what is measured, what that divides by (empty for a cost alone), and its drivers."""

    fleet: FleetResult
    measure: str
    output: str
    lines: tuple[Discounted, ...]
    exact: tuple[Exact, ...]
    runs: tuple[Run, ...]
    still: tuple[str, ...]


def sensitivity(result: Result, of: str | None = None) -> Sensitivity | None:
    """Of a fleet, else of the recommended; None where there is none, or a pin hides what its cost is made of."""
    fleet = result.by_id.get(of or result.recommended or "")
    if fleet is None or fleet.verdict in NULLING:
        return None
    model, measure = fleet.model, result.headline or COST
    output = OUTPUTS.get(measure, "")
    lines = tuple(cost_lines(model))
    needed = [name for name in (COST, measure, output) if name]
    if not lines or any(name not in model.lines or model.lines[name].pinned for name in needed):
        return None
    names = drivers(fleet, [*needed, *(flag for flag, _ in VERDICTS)])
    exact, others = _divided(fleet, names, lines, output)
    runs, still = _runs(fleet, result, others, measure)
    return Sensitivity(fleet, measure, output, lines, tuple(exact), tuple(runs), tuple(still))


def drivers(fleet: FleetResult, wanted: Sequence[str]) -> list[str]:
    """Inputs that somebody stated: what the scenario says, every price, every figure with a range."""
    model = fleet.model
    return [name for name in model.inputs_of(wanted) if _drives(model.inputs[name], fleet.inputs.get(name))]


def _drives(given: Given, figure: Figure | None) -> bool:
    if figure is None or given.frame or given.choice or figure.origin == "choice" or figure.is_table:
        return False
    if figure.low is not None or figure.high is not None:
        return True
    bases = composition(unit(given.unit)).bases
    numbers = [figure.number] if figure.is_one else list(figure.series)
    counted = any(bases.get(word, 0) > 0 for word in COUNTED) and all(number.is_integer() for number in numbers)
    stated = figure.origin.startswith(STATED) or "money" in bases
    return stated and not counted and "(flag)" not in given.label and any(numbers)


def _divided(
    fleet: FleetResult, names: list[str], lines: Sequence[Discounted], output: str
) -> tuple[list[Exact], list[str]]:
    """Those whose powers are proven, and the others; what moves cost and output alike is among the others."""
    model, exact, others = fleet.model, list[Exact](), list[str]()
    flags = [flag for flag, _ in VERDICTS if flag in model.lines]
    cost = list(dict.fromkeys(part for line in lines for part in (line.amount, line.factor)))
    known = degrees(model, names, [*cost, *([output] if output else []), *flags])
    for place, name in enumerate(names):
        power = [_power(known[line.amount][place]) + _power(known[line.factor][place]) for line in lines]
        below = _power(known[output][place]) if output else 0.0
        sure = np.isfinite([*power, below]).all() and all(_power(known[flag][place]) == 0 for flag in flags)
        if sure and any(one != below for one in power):
            exact.append(Exact(name, tuple(power), below))
        else:
            others.append(name)
    return exact, others


def _power(degree: float) -> float:
    """A zero has no power worth telling."""
    return 0.0 if np.isinf(degree) else float(degree)


def ends(given: Given, figure: Figure) -> tuple[float, float]:
    """The range, or what lies `CHANGE` to both sides inside the bounds; of a series, the factors."""
    if not figure.is_one:
        return 1 - CHANGE, 1 + CHANGE
    near = sorted([figure.number * (1 - CHANGE), figure.number * (1 + CHANGE)])
    least = -np.inf if given.minimum is None else given.minimum
    most = np.inf if given.maximum is None else given.maximum
    low, high = (float(np.clip(number, least, most)) for number in near)
    return low if figure.low is None else figure.low, high if figure.high is None else figure.high


def _runs(
    fleet: FleetResult, result: Result, names: list[str], measure: str
) -> tuple[list[Run], list[str]]:  # fmt: skip
    """Two rows of a block for each driver, everything else as it is."""
    if not names:
        return [], []
    found = _block(fleet, result, names, measure)
    base, runs, still = float(np.reshape(fleet.values[measure], -1)[0]), list[Run](), list[str]()
    for place, name in enumerate(names):
        at = found[2 * place], found[2 * place + 1]
        if all(isinstance(one, float) and abs(one - base) <= SMALL * abs(base) for one in at):
            still.append(name)
        else:
            runs.append(Run(name, ends(fleet.model.inputs[name], fleet.inputs[name]), at))
    return runs, still


def _block(fleet: FleetResult, result: Result, names: list[str], measure: str) -> list[float | str]:
    """The measure of each row, or the verdict where the fleet cannot do the work any more."""
    inputs: dict[str, Value] = dict(engine_inputs(fleet.inputs, result.timeline))
    count, moved = 2 * len(names), dict[str, Value]()
    for place, name in enumerate(names):
        value = np.asarray(inputs[name], float)
        rows = np.tile(np.reshape(value, (1, -1)), (count, 1))
        two = ends(fleet.model.inputs[name], fleet.inputs[name])
        rows[2 * place : 2 * place + 2] = np.array(two)[:, None] * (rows[:2] if value.ndim else 1.0)
        moved[name] = rows
    model = fleet.model
    flags = [flag for flag, _ in VERDICTS if flag in model.lines]
    lines = in_blocks(program(model, [measure, *flags]), {**inputs, **moved}, result.timeline.periods)
    return [_told(lines, row, measure) for row in range(count)]


def _told(lines: Mapping[str, NDArray[np.float64]], row: int, measure: str) -> float | str:
    at = {name: np.broadcast_to(value, (max(len(value), row + 1), value.shape[-1]))[row] if value.ndim > 1 else value
          for name, value in lines.items()}  # fmt: skip
    verdict = next((word for flag, word in VERDICTS if flag in at and not at[flag].min() > 0), "")
    return verdict or float(at[measure].reshape(-1)[0])
