"""The lines of one fleet that draws reach, compiled apart from all others, which are computed once."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tco.declare import Given
from tco.evaluate import Program, Value, program
from tco.expression import PLAIN, Expr
from tco.model import Model, leaves
from tco.tracing import TracedLine

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Affine:
    """An input as a drawn value moves it: `offset + slope x value`; arrays where it has one value a period."""

    column: int
    offset: Any
    slope: Any


@dataclass
class Engine:
    """`wanted` lines of a fleet for blocks of draws; what no draw reaches stands in `still`."""

    compiled: Program | None
    fixed: Mapping[str, Value]
    moved: Mapping[str, Affine]
    factors: Mapping[str, int]
    still: Mapping[str, Array]
    periods: int
    columns: frozenset[int] = field(default_factory=frozenset[int])

    def __call__(self, drawn: Sequence[Array | None]) -> dict[str, Array]:
        """Wanted lines, each of shape (1,) or (draws, 1) for one number."""
        if self.compiled is None:
            return dict(self.still)
        inputs: dict[str, Any] = dict(self.fixed)
        for name, how in self.moved.items():
            inputs[name] = how.offset + how.slope * _column(drawn, how.column)
        for name, at in self.factors.items():
            inputs[name] = _column(drawn, at)
        return {**self.still, **self.compiled(inputs, self.periods)}


def _column(drawn: Sequence[Array | None], at: int) -> Array:
    column = drawn[at]
    assert column is not None
    return column[:, None]


def engine(
    model: Model,
    inputs: Mapping[str, Value],
    periods: int,
    wanted: Iterable[str],
    moved: Mapping[str, Affine],
    factors: Mapping[str, int],
) -> Engine:
    """Compile what the moved inputs, and the lines with a factor of their own, reach; compute the rest now."""
    asked = [name for name in wanted if name in model.lines]
    scaled = {name: at for name, at in factors.items() if name in model.lines}
    model = with_factors(model, scaled)
    own = {f"{name}{FACTOR}": at for name, at in scaled.items()}
    read = {name: how for name, how in moved.items() if name in model.inputs}
    reached = _reached(model, {*read, *own}) & model.needed_for(asked)
    known = _frontier(model, reached, asked)
    before = program(model, known)({**inputs, **dict.fromkeys(own, 1.0)}, periods) if known else {}
    still = {name: before[name] for name in asked if name not in reached}
    live = [name for name in asked if name in reached]
    if not live:
        return Engine(None, {}, {}, {}, still, periods)
    edge = [name for name in known if name in _read_by(model, reached)]
    compiled = program(model, live, edge)
    names = set(model.inputs_of(live, edge))
    fixed = {name: value for name, value in inputs.items() if name in names and name not in read}
    used = {name: how for name, how in read.items() if name in names}
    own = {name: at for name, at in own.items() if name in names}
    columns = frozenset({*own.values(), *(how.column for how in used.values())})
    return Engine(compiled, {**fixed, **{name: before[name] for name in edge}}, used, own, still, periods, columns)


FACTOR = "_drawn_factor"


def with_factors(model: Model, names: Iterable[str]) -> Model:
    """The model with each of these lines times an input of its own."""
    lines, inputs = dict(model.lines), dict(model.inputs)
    for name in names:
        item, own = lines[name], f"{name}{FACTOR}"
        expression = item.expression * Expr("name", unit=PLAIN, name=own)
        lines[name] = replace(item, expression=expression, parents=(*item.parents, own))
        inputs[own] = Given("", f"Drawn factor of {item.label}", name=own)
    return replace(model, lines=lines, inputs=inputs, programs={}, reached={}) if names else model


def _reached(model: Model, sources: set[str]) -> set[str]:
    """Lines that a source reaches, whatever lies between."""
    readers = dict[str, list[str]]()
    for name, item in model.lines.items():
        for parent in _parents(item):
            readers.setdefault(parent, []).append(name)
    found, queue = set[str](), list(sources)
    while queue:
        for name in readers.get(queue.pop(), ()):
            if name not in found:
                found.add(name)
                queue.append(name)
    return found


def _parents(item: TracedLine) -> tuple[str, ...]:
    opening = leaves(item.opening) if item.opening is not None else ()
    return tuple(dict.fromkeys([*item.parents, *opening]))


def _read_by(model: Model, reached: set[str]) -> set[str]:
    """Whatever the reached lines read, opening values of what they look back to included."""
    direct = {parent for name in reached for parent in _parents(model.lines[name])}
    return direct | {one for name in direct if name in model.lines for one in _parents_of_opening(model.lines[name])}


def _parents_of_opening(item: TracedLine) -> Iterable[str]:
    return leaves(item.opening) if item.opening is not None else ()


def _frontier(model: Model, reached: set[str], asked: Sequence[str]) -> list[str]:
    """Lines that no draw reaches and that reached lines read, and those that are asked for."""
    wanted = _read_by(model, reached) | set(asked)
    return [name for name in model.lines if name in wanted and name not in reached]
