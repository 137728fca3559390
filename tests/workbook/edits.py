"""Values typed into the input cells of a workbook, and the engine run on the same values: every line must agree.

Works for any result: `compare(result, path, engine, changes)` returns what differs.
"""

# pyright: basic
from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from tco.evaluate import program
from tco.result import Result
from tco.workbook.book import letters
from tco.workbook.places import CONSTANT, FIRST, INPUT_PERIODS, INPUTS, VALUE_COLUMN, sheet_of
from tco.workbook.plan import Plan
from tco.workbook.values import raw
from tests.workbook.recalculate import RELATIVE, Cells

Key = tuple[str, str]
"""The fleet that owns an input (empty: all) and the input's name."""


def draw(result: Result, generator: random.Random, share: float = 0.3) -> dict[Key, Any]:
    """Some inputs moved by up to a third, inside their bounds; whole numbers, flags and choices stay what they are."""
    plan, changes = Plan(result), {}
    for key, place in plan.inputs.items():
        value: Any = place.figure.value
        given = place.given
        if given.shape == "table" or given.choice or generator.random() > share:
            continue
        numbers = [float(number) for number in (value if isinstance(value, tuple) else [value])]
        if given.shape == "one" and numbers[0].is_integer() and abs(numbers[0]) < 100:
            continue
        low = -1e300 if given.minimum is None else given.minimum
        high = 1e300 if given.maximum is None else given.maximum
        moved = [min(high, max(low, number * generator.uniform(0.7, 1.4))) for number in numbers]
        changes[key] = tuple(moved) if isinstance(value, tuple) else moved[0]
    return changes


def typed(result: Result, changes: Mapping[Key, Any]) -> dict[tuple[str, str], float]:
    """The cells that a person would type the changes into."""
    plan, cells = Plan(result), {}
    for key, value in changes.items():
        row = plan.inputs[key].row
        if isinstance(value, tuple):
            cells.update({(INPUTS, f"{letters(INPUT_PERIODS + i)}{row}"): number for i, number in enumerate(value)})
        else:
            cells[(INPUTS, f"{letters(VALUE_COLUMN)}{row}")] = value
    return cells


def engine_values(result: Result, changes: Mapping[Key, Any]) -> dict[str, dict[str, Any]]:
    """All lines of all fleets as the engine computes them from the changed inputs; choices stay as they are."""
    found = {}
    for fleet in result.fleets:
        inputs: dict[str, Any] = dict(result.timeline.frame())
        for name, figure in fleet.inputs.items():
            owner = "" if name in fleet.shared else fleet.id
            inputs[name] = raw(replace(figure, value=changes.get((owner, name), figure.value)), result.timeline.periods)
        found[fleet.id] = program(fleet.model)(inputs, result.timeline.periods)
    return found


def compare(result: Result, path: Path, engine: Callable[..., Cells], changes: Mapping[Key, Any]) -> list[str]:
    """Lines whose recalculated cells differ from the engine's values by more than the tolerance."""
    plan, wrong = Plan(result), []
    places: dict[tuple[str, str], list[tuple[str, str]]] = {}
    for fleet in result.fleets:
        for name, item in fleet.model.lines.items():
            columns = range(FIRST, plan.last + 1) if item.series else [CONSTANT]
            row = plan.rows[fleet.id][name]
            places[(fleet.id, name)] = [(sheet_of(fleet.id), f"{letters(column)}{row}") for column in columns]
    found = engine(path, [cell for cells in places.values() for cell in cells], typed(result, changes))
    values = engine_values(result, changes)
    for (fleet_id, name), cells in places.items():
        numbers = np.broadcast_to(np.reshape(values[fleet_id][name], -1), (len(cells),))
        seen = [found[cell] for cell in cells]
        size = max(
            [abs(value) for value in [*numbers, *seen] if isinstance(value, float) and np.isfinite(value)], default=0
        )
        for cell, number, value in zip(cells, numbers, seen, strict=True):
            if isinstance(value, str):
                if np.isfinite(number):
                    wrong.append(f"{'!'.join(cell)} {name}: {value}, the engine has {number}")
            elif not abs(value - number) <= RELATIVE * size:
                wrong.append(f"{'!'.join(cell)} {name}: {value}, the engine has {number}")
    return wrong
