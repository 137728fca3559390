"""Where a number comes from: its formula in words, the numbers behind it, down to inputs and their sources."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from tco.errors import Problem, ScenarioError, did_you_mean
from tco.export import shown_unit
from tco.figures import Figure
from tco.printers.text import sentence, source_text
from tco.result import FleetResult, Result

DEPTH = 3


def explained(result: Result, line: str, fleet: str | None, depth: int = DEPTH) -> str:
    """The line in every fleet (or the one asked). Raises ScenarioError for a name that is not there."""
    fleets = _fleets(result, fleet)
    names = {name for one in fleets for name in (*one.model.lines, *one.inputs, *one.model.absent)}
    if line not in names:
        raise ScenarioError([Problem(f"`{line}` is not a line or an input{did_you_mean(line, names)}")])
    return "\n\n".join("\n".join(_about(result, one, line, depth)) for one in fleets)


def overview(result: Result, fleet: str | None) -> str:
    """All lines by chapter with their values, then the defaults that were taken."""
    parts = list[str]()
    for one in _fleets(result, fleet):
        parts.append(f"{one.id}: {one.name} ({one.verdict})")
        if bound := one.choices.get("bound"):
            parts.append(f"  deployment, of {one.choices['tried']:,} that were tried: {bound}")
        chapter = ""
        for item in one.model.lines.values():
            if item.chapter != chapter:
                chapter = item.chapter
                parts.append(f"  {one.model.chapters.get(chapter, chapter)}")
            parts.append(f"    {item.name} = {_value(one, item.name, result)}")
        defaults = [
            f"    {name} = {_told(figure, result)}: {figure.source}"
            for name, figure in one.inputs.items()
            if figure.status == "default"
        ]
        parts += ["  defaults taken, since nothing was stated", *(defaults or ["    none"]), ""]
    return "\n".join(parts).rstrip()


def _fleets(result: Result, fleet: str | None) -> list[FleetResult]:
    if fleet is None:
        return result.fleets
    if fleet not in result.by_id:
        raise ScenarioError([Problem(f"`{fleet}` is not a fleet of this scenario; it has {', '.join(result.by_id)}")])
    return [result.by_id[fleet]]


def _about(result: Result, fleet: FleetResult, name: str, depth: int) -> Iterator[str]:
    yield f"{fleet.id}: {fleet.name}"
    if name in fleet.inputs:
        yield f"  {_input(fleet, name, result)}"
        yield f"  read by {', '.join(fleet.model.readers(name))}"
        return
    if name not in fleet.model.lines:
        yield f"  {name} is not here: {fleet.reason(name)}"
        return
    item = fleet.model.lines[name]
    yield f"  {item.label} ({item.name}) = {_value(fleet, name, result)}"
    yield f"  {item.doc}"
    yield f"  = {sentence(item.expression, lambda parent: _label(fleet, parent))}"
    yield f"  formula: {source_text(item.expression)}    [{item.place}]"
    seen = {name}
    yield from _parents(result, fleet, name, seen, 1, depth)


def _parents(result: Result, fleet: FleetResult, name: str, seen: set[str], depth: int, deepest: int) -> Iterator[str]:
    pad = "  " * (depth + 1)
    for parent in fleet.model.lines[name].parents:
        if parent in fleet.inputs:
            yield f"{pad}{_input(fleet, parent, result)}"
        elif parent in fleet.model.lines:
            again = parent in seen
            item = fleet.model.lines[parent]
            formula = "(above)" if again else f"= {source_text(item.expression)}"
            yield f"{pad}{parent} = {_value(fleet, parent, result)}  {formula}"
            if not again and depth < deepest:
                seen.add(parent)
                yield from _parents(result, fleet, parent, seen, depth + 1, deepest)
        else:
            yield f"{pad}{parent}: the time axis of the scenario"


def _label(fleet: FleetResult, name: str) -> str:
    if name in fleet.model.lines:
        return fleet.model.lines[name].label
    return fleet.model.inputs[name].label if name in fleet.model.inputs else name


def _value(fleet: FleetResult, name: str, result: Result) -> str:
    reason = fleet.reason(name)
    if reason:
        return f"no value: {reason}"
    value, unit = fleet.shown(name), shown_unit(fleet.model.lines[name].unit_text, result.scenario["currency"])
    numbers = np.atleast_1d(np.asarray(value, dtype=float))
    text = ", ".join(f"{number:,.6g}" for number in (numbers if len(numbers) <= 4 else [*numbers[:2], numbers[-1]]))
    return f"{text.replace(', ', ' … ', 1) if len(numbers) > 4 else text} {unit}".strip()


def _told(figure: Figure, result: Result) -> str:
    unit = shown_unit(figure.unit, result.scenario["currency"])
    if isinstance(figure.value, tuple):
        return f"a table or series of {len(figure.value)} {unit}".strip()
    return f"{figure.value:,.6g} {unit}".strip()


def _input(fleet: FleetResult, name: str, result: Result) -> str:
    figure = fleet.inputs[name]
    told = dict.fromkeys((figure.status, figure.as_of, figure.source, figure.origin, figure.note))
    story = ", ".join(part for part in told if part)
    return f"{name} = {_told(figure, result)}  [{story}]"
