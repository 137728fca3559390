"""One line over one input or two: every cell a scenario of its own, computed by the engine."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from tco.decisions.moving import Moved, bounds, in_unit, moved
from tco.decisions.probe import fleets_at, frozen_of
from tco.decisions.refused import Refused
from tco.decisions.solve import held
from tco.decisions.wish import CHEAPEST, HOWS, Reading, reading_of, unit_of_reading
from tco.errors import ScenarioError
from tco.export import shown_unit
from tco.result import NULLING, FleetResult, Result
from tco.scenario.analysis_schema import TableAxis, ValueTable
from tco.session import Scenario
from tco.units import convert, in_money
from tco.variants.patch import patched

MOST = 400
"""Cells of a table, each a run."""

PARTS = (0.5, 0.75, 1.0, 1.25, 1.5)
"""Of today's number, where a table names no values and no range is stated."""

_LINE = re.compile(rf"(?:({'|'.join(HOWS)})\s*\(\s*)?([A-Za-z_][A-Za-z0-9_]*)\s*(\))?")
Cell = float | str
Ran = Result | dict[str, FleetResult] | str
"""What a cell is read from: all fleets and who leads, some fleets, or why there are none."""

NOBODY = "no fleet can do the work"


@dataclass(frozen=True)
class Axis:
    """An input, its values in its unit, and today's where there is one."""

    one: Moved
    values: tuple[float, ...]
    now: float | None


@dataclass(frozen=True)
class Values:
    """A table of one line: (rows, columns) of numbers, or of the reason why there is none.

    `fleet` is empty for who leads. Without `columns` each row has one cell. `kept`: deployments as they were chosen.
    """

    line: str
    unit: str
    fleet: str
    rows: Axis
    columns: Axis | None
    cells: tuple[tuple[Cell, ...], ...]
    now: Cell
    kept: bool


def tables(scenario: Scenario, result: Result, asked: ValueTable) -> list[Values]:
    """A table a fleet. Raises Refused."""
    rows = _axis(scenario, result, asked.rows, "rows")
    columns = _axis(scenario, result, asked.columns, "columns") if asked.columns else None
    across = columns.values if columns else (None,)
    if len(rows.values) * len(across) > MOST:
        raise Refused("rows", f"{len(rows.values)} x {len(across)} cells are asked for, {MOST} can be run")
    frozen = frozen_of(result) if asked.deployment == "kept" else None
    lines = _lines(result, asked)

    def ran(down: float, right: float | None) -> Ran:
        changes = {rows.one.path: rows.one.raw(down)}
        if columns and right is not None:
            changes[columns.one.path] = columns.one.raw(right)
        try:
            if asked.line == CHEAPEST:
                return patched(scenario, changes).run(frozen)
            return fleets_at(scenario, changes, {one.fleet for one in lines}, frozen)
        except ScenarioError as error:
            return f"cannot be run: {error.problems[0].text}"

    grid = [[ran(down, right) for right in across] for down in rows.values]
    return [_table(result, one, rows, columns, grid, kept=frozen is not None) for one in lines]


def _table(
    result: Result, line: Reading, rows: Axis, columns: Axis | None, grid: list[list[Ran]], *, kept: bool
) -> Values:
    cells = tuple(tuple(_cell(one, line) for one in row) for row in grid)
    unit = "" if line.line == CHEAPEST else unit_of_reading(result, line)
    shown = shown_unit(unit, result.scenario["currency"])
    return Values(line.line if not line.how else f"{line.how}({line.line})", shown, line.fleet, rows, columns, cells,
                  _cell(result, line), kept)  # fmt: skip


def _cell(found: Ran, line: Reading) -> Cell:
    if isinstance(found, str):
        return found
    if isinstance(found, Result):
        return (found.recommended or NOBODY) if line.line == CHEAPEST else _number(found.by_id[line.fleet], line)
    return _number(found[line.fleet], line)


def _number(fleet: FleetResult, line: Reading) -> Cell:
    """No cost for work that cannot run."""
    value: Any = fleet.shown(line.line)
    if value is None or fleet.verdict in NULLING:
        return fleet.verdict if fleet.verdict in NULLING else fleet.reason(line.line)
    if isinstance(value, float):
        return value
    return float({"highest": value.max, "lowest": value.min, "mean": value.mean, "total": value.sum}[line.how]())


def _lines(result: Result, asked: ValueTable) -> list[Reading]:
    """The line of each fleet that is named, else of the recommended one."""
    if asked.line == CHEAPEST:
        return [Reading(CHEAPEST, "")]
    found = _LINE.fullmatch(asked.line or result.headline or "")
    if not found or bool(found[1]) != bool(found[3]):
        raise Refused("line", f"cannot read `{asked.line}`; wanted a line, `highest(LINE)` or `{CHEAPEST}`")
    names = asked.fleets or ((result.recommended,) if result.recommended else ())
    if not names:
        raise Refused("fleets", "nobody is recommended; name the fleets")
    try:
        return [reading_of(result, found[2], name, found[1] or "") for name in names]
    except Refused as refused:
        raise Refused("line", str(refused)) from None


def _axis(scenario: Scenario, result: Result, asked: TableAxis, part: str) -> Axis:
    try:
        one = moved(scenario, asked.change, asked.values)
        values = tuple(in_unit(one, raw) for raw in asked.values)
    except Refused as refused:
        raise Refused(part, str(refused)) from None
    now = one.now if one.now is not None else held(result, one)
    if not values:
        values = _usual(result, one, now, part)
    return Axis(one, values, now)


def _usual(result: Result, one: Moved, now: float | None, part: str) -> tuple[float, ...]:
    """The stated range with today's number between, else parts of today's number."""
    if now is None or now <= 0 or one.step:
        raise Refused(part, f"say over which values of `{one.text}`: `{{change: {one.text}, values: [… , …]}}`")
    figure = _figure(result, one)
    if figure and figure.low is not None and figure.high is not None:
        low, high = (convert(end, figure.unit, in_money(one.unit)) for end in (figure.low, figure.high))
        return tuple(sorted({low, now, high}))
    least, most = bounds(one)
    return tuple(dict.fromkeys(min(max(now * part, least), most) for part in PARTS))


def _figure(result: Result, one: Moved) -> Any:
    name = one.leaf.feeds or str(one.path[-1])
    at = one.path[1] if one.path[0] == "fleets" else None
    fleets: Sequence[FleetResult] = [result.fleets[at]] if isinstance(at, int) else result.fleets
    return next((fleet.inputs[name] for fleet in fleets if name in fleet.inputs), None)


def place_now(axis: Axis) -> int | None:
    """Which of the values is today's."""
    return next((at for at, value in enumerate(axis.values) if value == axis.now), None)
