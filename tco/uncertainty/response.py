"""How each drawn value moves the inputs of each fleet: along a straight line that is checked, or only by a run."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from tco.analysis.fleet import value_of
from tco.errors import ScenarioError
from tco.figures import Figure
from tco.scenario.paths import Path
from tco.scenario.problems import Problems
from tco.uncertainty.drivers import Case, Driver
from tco.uncertainty.engine import Affine
from tco.variants.reach import Built, Key, Reach, reach

CHECKED = 9
"""Points at which inputs that only follow from a drawn value must lie on one straight line."""

STRAIGHT = 1e-9

BY_TABLE = ("by_age", "tiered")

NOWHERE: Path = ("catalogue",)


@dataclass
class Response:
    """By fleet: inputs along a straight line of a draw, and columns of factors of lines; and which draws need a run.

    `errors` are the columns of the lines that error bands are of, `moves` the drivers that reach a fleet. `notes` tell
    which inputs only follow from a draw, and were checked to do so along a straight line.
    """

    inputs: dict[Key, dict[str, Affine]] = field(default_factory=dict[Key, dict[str, Affine]])
    factors: dict[Key, dict[str, int]] = field(default_factory=dict[Key, dict[str, int]])
    errors: dict[str, dict[str, int]] = field(default_factory=dict[str, dict[str, int]])
    runs: dict[str, str] = field(default_factory=dict[str, str])
    moves: set[str] = field(default_factory=set[str])
    notes: list[str] = field(default_factory=list[str])


def respond(case: Case, centre: Built, drivers: list[Driver], samples: int, problems: Problems) -> Response:
    """Assemble the scenario at the ends of each draw, and further points where its inputs are derived."""
    found = Response()
    for at, driver in enumerate(drivers):
        if not driver.errors:
            _one(found, case, centre, driver, at, samples, problems)
    return found


def _one(found: Response, case: Case, centre: Built, driver: Driver, at: int, samples: int, problems: Problems) -> None:
    ends = _points(driver, 2, samples)
    try:
        moved = {value: case.at([(driver, value)]).built() for value in ends}
        reached = {value: reach(centre, other, driver.place or NOWHERE) for value, other in moved.items()}
        if any(one.rebuilt for one in reached.values()):
            found.runs[driver.name] = "it changes which lines are computed"
            found.moves.add(driver.name)
            return
        direct = _direct(driver, reached.values())
        if not direct:
            more = [value for value in _points(driver, CHECKED, samples) if value not in moved]
            moved |= {value: case.at([(driver, value)]).built() for value in more}
    except ScenarioError as error:
        _blame(error, driver, problems)
        return
    _straight(found, centre, moved, driver, at, _names(reached.values()), direct=direct)


def _direct(driver: Driver, reached: Iterable[Reach]) -> bool:
    """Whether the drawn value alone is the inputs that move."""
    found = list(reached)
    if driver.entry:
        return all(name == driver.entry[2] for one in found for moved in one.inputs.values() for name in moved)
    return all(one.direct for one in found)


def _points(driver: Driver, count: int, samples: int) -> list[float]:
    """Values from the lowest to the highest that is drawn; of a discrete spread all of them."""
    if driver.spread.kind == "discrete":
        return list(dict.fromkeys(driver.spread.numbers))
    end = 0.5 / max(samples, 1024)
    return [driver.spread.quantile(share) for share in np.linspace(end, 1 - end, count).tolist()]


def _names(reached: Iterable[Reach]) -> dict[Key, list[str]]:
    names = dict[Key, dict[str, None]]()
    for one in reached:
        for key, moved in one.inputs.items():
            names.setdefault(key, {}).update(dict.fromkeys(moved))
    return {key: list(inputs) for key, inputs in names.items()}


def _straight(
    found: Response,
    centre: Built,
    moved: Mapping[float, Built],
    driver: Driver,
    at: int,
    names: Mapping[Key, list[str]],
    *,
    direct: bool,
) -> None:
    derived = dict[str, None]()
    for key, inputs in names.items():
        for name in inputs:
            points = {value: other.plans[key].given[name] for value, other in moved.items()}
            found.moves.add(driver.name)
            if centre.plans[key].given[name].is_table:
                fits = _scaled(found, centre, key, name, driver, at)
            else:
                fits = _affine(found, key, name, points, at)
            if not fits:
                found.runs[driver.name] = f"{name} follows from it in another way than along a straight line"
                return
            if not direct and driver.factor is None:
                derived[name] = None
    if derived:
        count = len(moved)
        found.notes.append(f"{driver.name}: {', '.join(derived)} follow from it, on a straight line at {count} points")


def _affine(found: Response, key: Key, name: str, points: Mapping[float, Figure], at: int) -> bool:
    """Whether the input lies on one line through the outer two points, and no other draw moves it."""
    values = {value: np.asarray(value_of(figure), dtype=float) for value, figure in points.items()}
    low, high = min(values), max(values)
    slope: Any = (values[high] - values[low]) / (high - low)
    offset: Any = values[low] - slope * low
    scale = max(float(np.max(np.abs(one))) for one in values.values()) or 1.0
    if np.max(np.abs(offset)) <= 1e-12 * scale:
        offset, slope = 0.0, values[high] / high
    for value, held in values.items():
        if float(np.max(np.abs(offset + slope * value - held))) > STRAIGHT * scale:
            return False
    inputs = found.inputs.setdefault(key, {})
    if name in inputs:
        return False
    inputs[name] = Affine(at, offset, slope)
    return True


def _scaled(found: Response, centre: Built, key: Key, name: str, driver: Driver, at: int) -> bool:
    """A table is scaled by what is read from it: the lines that read it, which are linear in its values."""
    model = centre.plans[key].model
    lines = model.readers(name) if model else []
    held = found.factors.setdefault(key, {})
    for line in lines:
        if driver.factor is None or line in held or model is None or model.lines[line].expression.op not in BY_TABLE:
            return False
        held[line] = at
    return True


def _blame(error: ScenarioError, driver: Driver, problems: Problems) -> None:
    """What is wrong when an end of the range is drawn, told at the range."""
    told = error.problems[0].text if error.problems else str(error)
    problems.add(driver.written or driver.place, f"where its ends are drawn: {told}; narrow the range")
