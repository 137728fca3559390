"""Worked examples of lines: read from `<chapter>.yaml` and put into a model that holds nothing but the line."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, cast

import numpy as np
from ruamel.yaml import YAML

from tco.declare import Chapter, Given, Line, Shape
from tco.errors import ModelError
from tco.expression import Expr
from tco.lines.library import ALL, Kind, Payment, chapters, load
from tco.model import Model, build
from tco.scope import RESERVED
from tco.units import unit

FOLDER = Path(__file__).parent
KEYS = {"line", "shows", "given", "expect", "tolerance", "chapter"}
TOLERANCE = 1e-9
NOTHING = 1e-12  # what a sheet may leave of a difference that is 0

Number = float | list[float] | tuple[list[float], list[float]]


@dataclass(frozen=True)
class Example:
    """One line, the numbers of its parents, and what it must give."""

    line: str
    chapter: str
    shows: str
    given: dict[str, Any]
    expect: float | list[float]
    tolerance: float
    place: str

    def __str__(self) -> str:
        return f"{self.chapter}: {self.line}: {self.shows}"

    @property
    def values(self) -> dict[str, Number]:
        """Every parent's number, series or table, parts and choice included."""
        flat = {name: value for name, value in self.given.items() if name not in RESERVED}
        for word in RESERVED:
            flat |= self.given.get(word, {})
        return {name: _value(value) for name, value in flat.items()}

    @property
    def periods(self) -> int:
        """As many as the series have; they all have the same number."""
        lengths = {len(row) for row in [*self.values.values(), self.expect] if isinstance(row, list)}
        assert len(lengths) <= 1, f"{self.place}: {self}: series of {sorted(lengths)} periods"
        return lengths.pop() if lengths else 1

    def differs(self, found: Any) -> str:
        """What is wrong with a result, or nothing."""
        wanted, got = np.atleast_1d(np.asarray(self.expect, float)), np.atleast_1d(np.asarray(found, float))
        if wanted.shape != got.shape:
            return f"{self.place}: {self}: expected {wanted.shape} numbers, found {got.shape}"
        same = np.abs(got - wanted) <= np.maximum(self.tolerance * np.abs(wanted), NOTHING)
        return "" if same.all() else f"{self.place}: {self}: expected {wanted.tolist()}, found {got.tolist()}"


def _value(value: Any) -> Number:
    if isinstance(value, dict):
        return [float(x) for x in value["from"]], [float(x) for x in value["value"]]
    return [float(x) for x in value] if isinstance(value, list) else float(value)


def _shape(value: Number) -> Shape:
    return "table" if isinstance(value, tuple) else "series" if isinstance(value, list) else "one"


# --- reading ---


@functools.cache
def examples() -> tuple[Example, ...]:
    """All of them, in the order of chapters and files."""
    return tuple(item for name in ALL if (FOLDER / f"{name}.yaml").is_file() for item in _read(name))


def _read(chapter: str) -> Iterator[Example]:
    path = FOLDER / f"{chapter}.yaml"
    for row in cast("list[Any]", YAML(typ="rt").load(path.read_text(encoding="utf-8"))) or []:
        place = f"{path.name}:{row.lc.line + 1}"
        assert set(row) <= KEYS, f"{place}: unknown keys {sorted(set(row) - KEYS)}"
        assert {"line", "shows", "given", "expect"} <= set(row), f"{place}: line, shows, given and expect are wanted"
        expect = [float(x) for x in row["expect"]] if isinstance(row["expect"], list) else float(row["expect"])
        yield Example(
            row["line"], row.get("chapter", chapter), row["shows"], dict(row["given"] or {}), expect,
            float(row.get("tolerance", TOLERANCE)), place,
        )  # fmt: skip


# --- the model that holds only the line ---


KINDS: tuple[Kind, ...] = ("inference", "training", "finetune")
PAYMENTS: tuple[Payment, ...] = ("buy", "lease", "rent", "api")


@functools.cache
def _fleets() -> tuple[tuple[Chapter, ...], ...]:
    return tuple(tuple(chapters(kind, payment, taxed=True)) for kind in KINDS for payment in PAYMENTS)


@functools.cache
def declared(name: str, beside: str) -> Given | Line | None:
    """What a name stands for in a fleet that has the chapter `beside`, or in any."""
    together = [part for fleet in _fleets() if any(part.name == beside for part in fleet) for part in fleet]
    for part in [*together, *(load(other) for other in ALL)]:
        found = part.givens.get(name) or part.lines.get(name)
        if found is not None:
            return found
    return None


def small_model(example: Example, item: Line) -> Model:
    """The line with its parents as inputs. Raises ModelError, and AssertionError where the example does not fit it."""
    values = example.values
    names = {*(name for name in item.parameters if name not in (*RESERVED, item.name)), *_many(example, item)}
    assert names == set(values), (
        f"{example.place}: {example}: lacks {sorted(names - set(values))}, gives unknown {sorted(set(values) - names)}"
    )
    given: dict[str, Given] = {}
    lines = {item.name: replace(item, part_of=(), choice_of="")}
    for name, value in values.items():
        found = declared(name, example.chapter)
        assert found is not None, f"{example.place}: {example}: `{name}` is not in the model"
        leaf = name if name in item.parameters else f"{name}_value"
        start = found.from_unit if isinstance(found, Given) else ""
        given[leaf] = Given(found.unit, found.label, name=leaf, shape=_shape(value), from_unit=start)
        if leaf != name:
            lines[name] = _link(cast("Line", found), leaf, item.name)
    available: dict[str, Shape] = {name: entry.shape for name, entry in given.items()}
    return build([Chapter(example.chapter, "", given, lines)], available)


def _many(example: Example, item: Line) -> set[str]:
    """The parts and alternatives that the example gives; they must be ones of the line."""
    named: set[str] = set()
    for word in RESERVED:
        for name in example.given.get(word, {}):
            found = declared(name, example.chapter)
            ties = () if not isinstance(found, Line) else found.part_of if word == "parts" else (found.choice_of,)
            assert item.name in ties, f"{example.place}: {example}: `{name}` is no {word} of it"
            named.add(name)
    return named


def _link(line: Line, leaf: str, reader: str) -> Line:
    """The part or alternative itself, reduced to what the example says it is."""

    def value(**parents: Expr) -> Expr:
        return parents[leaf]

    part_of = tuple(name for name in line.part_of if name == reader)
    return replace(line, function=value, parameters=(leaf,), part_of=part_of)


@functools.cache
def cases() -> tuple[list[tuple[Example, Model]], list[str]]:
    """Every example with the model that holds only its line; and what is wrong with those that have none."""
    fitting, misfits = list[tuple[Example, Model]](), list[str]()
    for example in examples():
        item = load(example.chapter).lines.get(example.line)
        try:
            assert item is not None, f"{example.place}: {example.chapter} has no line `{example.line}`"
            fitting.append((example, small_model(example, item)))
        except (AssertionError, ModelError) as error:
            misfits.append(f"{example.place}: {error}" if isinstance(error, ModelError) else str(error))
    return fitting, misfits


def inputs(example: Example, model: Model, batch: int = 0) -> dict[str, Any]:
    """Numbers for the engine; with `batch`, so many equal samples (a table has none)."""
    result: dict[str, Any] = {}
    for name, value in leaf_values(example, model).items():
        if isinstance(value, tuple):
            result[name] = tuple(np.asarray(column) for column in value)
        else:
            row = np.atleast_1d(np.asarray(value, float))
            result[name] = np.tile(row, (batch, 1)) if batch else (row if isinstance(value, list) else value)
    return result


def leaf_values(example: Example, model: Model) -> dict[str, Number]:
    """Numbers by the names of the model's inputs."""
    values = example.values
    return {name: values[name if name in values else name.removesuffix("_value")] for name in model.inputs}


def run(example: Example, compiled: Callable[..., Any], model: Model, batch: int = 0) -> list[Any]:
    """The line's numbers: one list, or one a sample."""
    found = compiled(inputs(example, model, batch), example.periods)[example.line]
    return np.broadcast_to(found, (batch, found.shape[-1])).tolist() if batch else found.tolist()


def every_line() -> list[Line]:
    """All lines of all chapters."""
    return [item for name in ALL for item in load(name).lines.values()]


def source_of(item: Line) -> str:
    """The text of the line's function."""
    return inspect.getsource(item.function)


def unit_of(name: str, chapter: str) -> Any:
    """The unit of a parent."""
    found = declared(name, chapter)
    return unit(found.unit) if found else None
