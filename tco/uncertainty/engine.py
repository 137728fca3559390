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
    """`wanted` lines of a fleet for blocks of draws; what no draw reaches stands in `still`.

    `shared` are lines that another engine computes too: this one takes them from a pool, under their key.
    """

    compiled: Program | None
    fixed: Mapping[str, Value]
    moved: Mapping[str, Affine]
    factors: Mapping[str, int]
    still: Mapping[str, Array]
    periods: int
    columns: frozenset[int] = field(default_factory=frozenset[int])
    shared: Mapping[str, int] = field(default_factory=dict[str, int])

    def __call__(self, drawn: Sequence[Array | None], pool: Mapping[int, Array] | None = None) -> dict[str, Array]:
        """Wanted lines, each of shape (1,) or (draws, 1) for one number."""
        if self.compiled is None:
            return dict(self.still)
        inputs: dict[str, Any] = dict(self.fixed)
        for name, how in self.moved.items():
            inputs[name] = how.offset + how.slope * _column(drawn, how.column)
        for name, at in self.factors.items():
            inputs[name] = _column(drawn, at)
        for name, key in self.shared.items():
            inputs[name] = (pool or {})[key]
        return {**self.still, **self.compiled(inputs, self.periods)}


def _column(drawn: Sequence[Array | None], at: int) -> Array:
    column = drawn[at]
    assert column is not None
    return column[:, None]


@dataclass
class Reached:
    """What the draws reach of a fleet's model, and what is read beside that."""

    model: Model
    inputs: Mapping[str, Value]
    periods: int
    asked: list[str]
    moved: dict[str, Affine]
    factors: dict[str, int]
    lines: frozenset[str]
    before: dict[str, Array]

    @classmethod
    def of(
        cls,
        model: Model,
        inputs: Mapping[str, Value],
        periods: int,
        wanted: Iterable[str],
        moved: Mapping[str, Affine],
        factors: Mapping[str, int],
    ) -> Reached:
        """Compute now what no draw reaches, as far as it is asked for or read."""
        asked = [name for name in wanted if name in model.lines]
        scaled = {name: at for name, at in factors.items() if name in model.lines}
        model = with_factors(model, scaled)
        own = {f"{name}{FACTOR}": at for name, at in scaled.items()}
        read = {name: how for name, how in moved.items() if name in model.inputs}
        lines = frozenset(_reached(model, {*read, *own}) & model.needed_for(asked))
        known = _frontier(model, lines, asked)
        whole = {**inputs, **dict.fromkeys(own, 1.0)}
        before = program(model, known)(whole, periods) if known else {}
        return cls(model, inputs, periods, asked, read, own, lines, before)

    def engine(self, wanted: Iterable[str] | None = None, shared: Mapping[str, int] | None = None) -> Engine:
        """Compile the wanted lines, all that were asked for by default, with `shared` ones given by a pool."""
        names = self.asked if wanted is None else list(wanted)
        still = {name: self.before[name] for name in names if name not in self.lines}
        live = [name for name in names if name in self.lines]
        if not live:
            return Engine(None, {}, {}, {}, still, self.periods)
        given = dict(shared or {})
        inner = frozenset(self.model.needed_for(live, frozenset(given))) & self.lines
        outside = _read_by(self.model, inner | frozenset(given))
        edge = [name for name in self.before if name in outside]
        used = {name: key for name, key in given.items() if name in outside or name in live}
        compiled = program(self.model, live, [*edge, *used])
        needed = set(self.model.inputs_of(live, [*edge, *used]))
        fixed = {name: value for name, value in self.inputs.items() if name in needed and name not in self.moved}
        moved = {name: how for name, how in self.moved.items() if name in needed}
        own = {name: at for name, at in self.factors.items() if name in needed}
        columns = frozenset({*own.values(), *(how.column for how in moved.values())})
        fixed |= {name: self.before[name] for name in edge}
        return Engine(compiled, fixed, moved, own, still, self.periods, columns, used)


def engine(
    model: Model,
    inputs: Mapping[str, Value],
    periods: int,
    wanted: Iterable[str],
    moved: Mapping[str, Affine],
    factors: Mapping[str, int],
) -> Engine:
    """Compile what the moved inputs, and the lines with a factor of their own, reach; compute the rest now."""
    return Reached.of(model, inputs, periods, wanted, moved, factors).engine()


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


def _read_by(model: Model, reached: frozenset[str]) -> set[str]:
    """Whatever the reached lines read, opening values of what they look back to included."""
    direct = {parent for name in reached for parent in _parents(model.lines[name])}
    return direct | {one for name in direct if name in model.lines for one in _parents_of_opening(model.lines[name])}


def _parents_of_opening(item: TracedLine) -> Iterable[str]:
    return leaves(item.opening) if item.opening is not None else ()


def _frontier(model: Model, reached: frozenset[str], asked: Sequence[str]) -> list[str]:
    """Lines that no draw reaches and that reached lines read, and those that are asked for."""
    wanted = _read_by(model, reached) | set(asked)
    return [name for name in model.lines if name in wanted and name not in reached]
