"""A workbook against the engine: the scenario on its Log computed again, as issued and with the inputs it now holds."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from tco.analysis.run import Frozen, engine_version
from tco.catalogue import Catalogue, catalogue
from tco.errors import Problem, ScenarioError, TcoError
from tco.evaluate import program
from tco.figures import Figure
from tco.result import FleetResult, Result
from tco.scenario.reading import read_text
from tco.session import Scenario, loads
from tco.workbook.inputs import defined_name
from tco.workbook.opened import Key, Opened, place
from tco.workbook.places import CONSTANT, FIRST, INPUTS, VALUE_COLUMN, InputPlace, sheet_of
from tco.workbook.plan import Plan
from tco.workbook.records import records
from tco.workbook.values import raw
from tco.workbook.verify import equal, listed

Found = tuple[list[str], bool]


def against_engine(book: Opened) -> Found:
    """Data as issued, inputs as in the scenario, and every line with the inputs that stand in the workbook."""
    told, good = _provenance(book)
    try:
        result = _shared(book) or _issued(book, _scenario(book))
    except TcoError as error:
        lines = str(error).splitlines()
        return [*told, "not compared with the engine: the scenario on Log does not run", *listed(lines)], False
    plan = Plan(result)
    parts = [_data(book, plan), _inputs(book, plan), _lines(book, plan)]
    return [*told, *(line for lines, _ in parts for line in lines)], good and all(fine for _, fine in parts)


def _shared(book: Opened) -> Result | None:
    """The fleets that the workloads of a portfolio share; None for a scenario of one workload."""
    text, name = _written(book), str(book.path.with_name(book.logged("Scenario: file") or "scenario.yaml"))
    if "workloads" not in read_text(text, name).data:
        return None
    from tco.portfolio import loads as load_portfolio

    return load_portfolio(text, name).run().together


def issued_again(book: Opened) -> tuple[Result, Catalogue]:
    """The result whose numbers stand in the workbook. Raises ScenarioError if anything was changed since issue."""
    scenario = _scenario(book)
    result = _issued(book, scenario)
    plan = Plan(result)
    found = [_provenance(book), _data(book, plan), _inputs(book, plan)]
    wrong = [line for lines, good in found if not good for line in lines]
    if wrong:
        told = "was changed since issue; put the change into the scenario and run that"
        raise ScenarioError([Problem("\n  ".join([told, *wrong]), file=str(book.path))])
    return result, scenario.catalogue


def _scenario(book: Opened) -> Scenario:
    return loads(_written(book), str(book.path.with_name(book.logged("Scenario: file") or "scenario.yaml")))


# --- the scenario on Log ---


def _provenance(book: Opened) -> Found:
    """Whose text it is, by its digest, and which engine wrote the workbook."""
    wrote = {"tco": book.logged("Engine: version"), "catalogue": book.logged("Engine: catalogue")}
    here = {"tco": engine_version(), "catalogue": catalogue().version}
    told = [f"scenario {book.logged('Scenario: file')} on Log, sha256 {book.digest}"]
    if wrote != here:
        words = (", ".join(f"{name} {text}" for name, text in one.items()) for one in (wrote, here))
        told.append("written with {}; compared with {}: numbers may differ for that reason".format(*words))
    if hashlib.sha256(_written(book).encode()).hexdigest() == book.digest:
        return told, True
    return [
        *told,
        "  the text on Log does not have this digest: it was changed, or a sheet cannot hold all of it",
    ], False


def _written(book: Opened) -> str:
    """The text with the line ends and the mark at its start that give the digest, else as it stands."""
    text = book.scenario
    for ends in (text, text.replace("\n", "\r\n")):
        for whole in (ends, "\ufeff" + ends):
            if hashlib.sha256(whole.encode()).hexdigest() == book.digest:
                return whole
    return text


def _issued(book: Opened, scenario: Scenario) -> Result:
    """The run whose numbers stand on Data: with the choices in the workbook, or searched anew if one was edited."""
    try:
        frozen = scenario.run(_choices(book))
        if _data(book, Plan(frozen))[1]:
            return frozen
    except TcoError:
        pass
    return scenario.run()


def _choices(book: Opened) -> Frozen:
    """By fleet what stands in its section of Inputs: the engine takes from it what the scenario leaves open."""
    precisions = _precisions(book)
    found: Frozen = {}
    owner = ""
    for _, cells in sorted(book.rows[INPUTS].items()):
        title = str(cells.get(1) or "")
        owner = next((name for name in precisions if title.endswith(f"({name})")), owner)
        if owner and isinstance(cells.get(4), int | float):
            found.setdefault(owner, {"precision": precisions[owner]})[title] = float(cells[4])
    return {name: found.get(name, {"precision": precision}) for name, precision in precisions.items()}


def _precisions(book: Opened) -> dict[str, str]:
    rows = [cells for _, cells in sorted(book.rows.get("Compare", {}).items())]
    heads = next((cells for cells in rows if cells.get(1) == "Line"), dict[int, Any]())
    found = next((cells for cells in rows if cells.get(1) == "Precision"), dict[int, Any]())
    return {str(fleet): str(found.get(column) or "") for column, fleet in heads.items() if column > 2}


# --- as issued ---


def _data(book: Opened, plan: Plan) -> Found:
    """The sheet Data against the engine, both ways: nothing altered, left out or added."""
    expected = {(row[0], row[4], row[3]): row[6] for row in records(plan)}
    held = {name: value for name, (_, value) in book.data.items()}
    wrong = [
        f"{place(book.data[name][0])}: {_spoken(name)} is {value!r}, the engine has {expected.get(name)!r}"
        for name, value in held.items()
        if not equal(expected.get(name), value)
    ]
    wrong += [
        f"Data: {_spoken(name)} is missing, the engine has {expected[name]!r}" for name in expected if name not in held
    ]
    equals = len(expected.keys() | held.keys()) - len(wrong)
    return [
        f"against the engine as issued: {equals:,} numbers of Data equal, {len(wrong):,} differ",
        *listed(wrong),
    ], not wrong


def _spoken(name: tuple[str, str, str]) -> str:
    return " ".join(filter(None, name))


# --- with the inputs that stand in the workbook ---


def _inputs(book: Opened, plan: Plan) -> Found:
    """Inputs against the scenario's: what was typed since issue, from what, in which unit."""
    changed, count = list[str](), 0
    for one in plan.inputs.values():
        unit = plan.line_unit(one.given, one.name)
        for key, issued in zip(_cells(book, plan, one), _numbers(one.figure), strict=False):
            count += 1
            value = book.values.get(key)
            if not equal(value, issued):
                owner = f" of {one.owner}" if one.owner else ""
                changed.append(f"{place(key)}: {one.name}{owner} is {value!r} {unit}, {issued!r} in the scenario")
    told = f"inputs: {count - len(changed):,} numbers as in the scenario, {len(changed):,} changed since issue"
    return [told, *listed(changed)], not changed


def _cells(book: Opened, plan: Plan, one: InputPlace) -> list[Key]:
    """Where its numbers stand; one that follows from offers has no name, and shows what Quotes makes of them."""
    if plan.quotes is not None and plan.quotes.link(one.owner, one.name):
        return [(INPUTS, one.row, VALUE_COLUMN + 1)]
    name = defined_name(one)
    if one.given.shape != "table":
        return book.named(name)
    return [key for pair in zip(book.named(f"{name}_from"), book.named(f"{name}_value"), strict=False) for key in pair]


def _numbers(figure: Figure) -> list[float]:
    if figure.is_table:
        return [number for row in figure.rows for number in row]
    return list(figure.series) if figure.series else [figure.number]


def _lines(book: Opened, plan: Plan) -> Found:
    """Every line as the engine computes it from the inputs in the workbook, against the calculation sheets."""
    wrong, count = list[str](), 0
    for fleet in plan.result.fleets:
        rows = _rows_of_lines(book, fleet)
        try:
            values = _computed(book, plan, fleet)
        except (TypeError, ValueError) as error:
            wrong.append(f"{sheet_of(fleet.id)}: not computed, an input is no number ({str(error)[:80]})")
            continue
        for name, item in fleet.model.lines.items():
            columns = range(FIRST + 1, plan.last + 2) if item.series else (CONSTANT + 1,)
            if name not in rows:
                wrong.append(f"{sheet_of(fleet.id)}: the line {name} is missing")
                continue
            keys = [(sheet_of(fleet.id), rows[name], column) for column in columns]
            count += len(keys)
            wrong += _compared(book, name, keys, np.broadcast_to(np.reshape(values[name], -1), (len(keys),)))
    told = f"against the engine with these inputs: {count - len(wrong):,} cells equal, {len(wrong):,} differ"
    return [told, *listed(wrong)], not wrong


def _compared(book: Opened, name: str, keys: list[Key], numbers: Any) -> Iterator[str]:
    finite = [abs(float(number)) for number in numbers if math.isfinite(number)]
    for key, number in zip(keys, numbers, strict=True):
        value, expected = book.values.get(key), float(number)
        if not (equal(value, expected, max(finite)) if math.isfinite(expected) else isinstance(value, str)):
            yield f"{place(key)}: {name} is {value!r}, the engine has {expected!r}"


def _rows_of_lines(book: Opened, fleet: FleetResult) -> dict[str, int]:
    """The last row that bears a line's name in the last column: results come first, the line itself below."""
    rows = book.rows.get(sheet_of(fleet.id), {})
    last = max((max(cells) for cells in rows.values()), default=0)
    return {str(cells[last]): row for row, cells in sorted(rows.items()) if last in cells}


def _computed(book: Opened, plan: Plan, fleet: FleetResult) -> dict[str, Any]:
    timeline = plan.result.timeline
    inputs: dict[str, Any] = dict(timeline.frame())
    for name, figure in fleet.inputs.items():
        one = plan.inputs.get(("" if name in fleet.shared else fleet.id, name))
        found = [book.values.get(key) for key in _cells(book, plan, one)] if one else []
        if found and any(not isinstance(value, int | float) for value in found):
            raise ValueError(name)
        inputs[name] = raw(replace(figure, value=_shaped(figure, found)), timeline.periods)
    return dict(program(fleet.model)(inputs, timeline.periods))


def _shaped(figure: Figure, found: list[Any]) -> Any:
    """The numbers as the figure holds them; the figure's own where they cannot be found."""
    if len(found) != len(_numbers(figure)):
        return figure.value
    numbers = [float(value) for value in found]
    if figure.is_table:
        return tuple(zip(numbers[::2], numbers[1::2], strict=True))
    return tuple(numbers) if isinstance(figure.value, tuple) else numbers[0]
