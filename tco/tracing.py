"""Tracing: every line is called once, on operands without numbers, and leaves its expression."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from dataclasses import dataclass, replace

import pint

from tco.declare import Line
from tco.errors import UnitError, did_you_mean
from tco.expression import Expr, Mistake, convert, named, node, show, table
from tco.order import components
from tco.scope import RESERVED, Scope
from tco.units import unit, unit_text

WHOLE_LINES = ("tiered", "by_age")


@dataclass(frozen=True, eq=False)
class TracedLine:
    """A line after tracing: its expression, whether it is a series, and where it stands."""

    name: str
    unit: pint.Unit
    label: str
    expression: Expr
    series: bool
    opening: Expr | None
    parents: tuple[str, ...]
    part_of: tuple[str, ...]
    doc: str
    chapter: str
    place: str
    pinned: bool = False
    choice_of: str = ""

    @property
    def unit_text(self) -> str:
        """The unit as text."""
        return unit_text(self.unit)


class Tracer:
    """Traces the lines of a scope; what is wrong with one goes to the scope's mistakes."""

    def __init__(self, scope: Scope) -> None:
        self.scope = scope
        self.traced: dict[str, TracedLine] = {}
        self.tracing: list[str] = []

    def trace_all(self) -> dict[str, TracedLine]:
        """Every line, parents first, so that no chain of lines is too long to follow."""
        lines = self.scope.lines
        graph = {name: [parent for parent in self.scope.parents(name) if parent in lines] for name in lines}
        for group in components(graph):
            for name in group:
                self._trace(name)
        return self.traced

    def _trace(self, name: str) -> bool:
        """Trace a line and say whether it is a series; a line that is being traced reads its own past."""
        if name in self.traced:
            return self.traced[name].series
        if name in self.tracing:
            return True
        item = self.scope.lines[name]
        self.tracing.append(name)
        try:
            self.traced[name] = self._pinned(item) if name in self.scope.pins else self._line(item)
        except (Mistake, UnitError) as mistake:
            if str(mistake):
                self.scope.mistake(item, str(mistake))
            self.traced[name] = self._stand_in(item)
        self.tracing.pop()
        return self.traced[name].series

    def _stand_in(self, item: Line) -> TracedLine:
        """For a mistaken line: its unit is declared, its shape that of its parents; so readers are not blamed."""
        series = any(self._shape(parent) for parent in self.scope.parents(item.name))
        return _result(item, Expr("number", unit=unit(item.unit), series=series, name="0"), None)

    def _shape(self, name: str) -> bool:
        if name in self.scope.lines:
            return self._trace(name)
        return name in self.scope.givens and self.scope.is_wide(name)

    def _pinned(self, item: Line) -> TracedLine:
        wide = self.scope.pins[item.name] == "series"
        leaf = named(f"{item.name}_pinned", unit(item.unit), wide)
        return replace(_result(item, leaf, None), series=wide or self._was_series(item), pinned=True)

    def _was_series(self, item: Line) -> bool:
        """Whether the replaced line would have been a series (its parents may be absent: then it is one number)."""
        try:
            return self._line(item).series
        except (Mistake, UnitError):
            return False

    def _line(self, item: Line) -> TracedLine:
        return _traced(item, tuple(self._operand(item, parameter) for parameter in item.parameters))

    def _operand(self, item: Line, parameter: str) -> Operand:
        if parameter == "parts":
            return tuple(self._leaf(item.name, part) for part in self.scope.parts(item.name))
        if parameter == "choice":
            options = self.scope.alternatives(item.name)
            if len(options) > 1:
                raise Mistake(f"more than one way is in scope: {', '.join(options)}; choose one")
            return (self._leaf(item.name, options[0] if options else "choice"),)
        return (self._leaf(item.name, parameter),)

    def _leaf(self, reader: str, name: str) -> Leaf:
        lines, entry = self.scope.lines, self.scope.givens.get(name)
        if name in lines:
            return name, lines[name].unit, name == reader or self._trace(name)
        if entry is None:
            if name in self.scope.declared:
                raise Mistake("")  # mistaken itself, and reported there
            hint = did_you_mean(name, [*lines, *self.scope.givens])
            raise Mistake(f"asks for `{name}`, which is neither a line nor an input{hint}")
        if entry.shape == "table":
            return name, entry.unit, entry.from_unit
        return name, entry.unit, self._shape(name)


Leaf = tuple[str, str, bool | str]
"""What a line reads: its name, its unit, whether it is a series; of a table, the unit of its first column."""
Operand = tuple[Leaf, ...]


@functools.lru_cache(maxsize=4096)
def _traced(item: Line, operands: tuple[Operand, ...]) -> TracedLine:
    """The line called once for each shape of what it reads: fleets share most of their lines. Raises Mistake."""
    body = _called(item, operands)
    if body.condition:
        raise Mistake(f"`{show(body)}` is a condition; a line holds a number: where({show(body)}, 1, 0)")
    if body.op == "table":
        raise Mistake(f"`{body.name}` is a table: read it with tiered() or by_age()")
    for part in inside(body):
        if part.op in WHOLE_LINES:
            raise Mistake(f"`{show(part)}` stands inside a larger expression: give it a line of its own")
    body, opening = _opening(item.name, body)
    used = set(leaves(body)) | (set(leaves(opening)) if opening is not None else set[str]())
    for parameter in item.parameters:
        if parameter not in RESERVED and parameter not in used:
            raise Mistake(f"asks for {parameter} but never uses it")
    return _result(item, convert(body, unit(item.unit)), opening)


def _called(item: Line, operands: tuple[Operand, ...]) -> Expr:
    given = {
        parameter: _sum(operand, unit(item.unit)) if parameter == "parts" else _expression(operand[0])
        for parameter, operand in zip(item.parameters, operands, strict=True)
    }
    try:
        body = item.function(**given)
    except (Mistake, UnitError):
        raise
    except Exception as error:  # whatever a line does, it is the line's mistake
        raise Mistake(f"{error} ({type(error).__name__}); use only the vocabulary") from error
    if not isinstance(body, Expr):
        raise Mistake(f"returns {body!r}: a line returns an expression of its parents")
    return body


def _sum(parts: Operand, target: pint.Unit) -> Expr:
    if not parts:
        raise Mistake("nothing belongs to it here")
    summed, *others = (convert(_expression(part), target) for part in parts)
    for part in others:
        summed = node("add", (summed, part), target)
    return summed


def _expression(leaf: Leaf) -> Expr:
    name, text, shape = leaf
    return table(name, unit(text), unit(shape)) if isinstance(shape, str) else named(name, unit(text), shape)


def _opening(name: str, body: Expr) -> tuple[Expr, Expr | None]:
    """Take the opening value out of `lag(self, opening=…)`; nobody else may state it."""
    found: list[Expr] = []

    def strip(value: Expr) -> Expr:
        if value.op == "lag" and len(value.args) > 1:
            if value.args[0].name != name:
                raise Mistake(f"states the opening value of {value.args[0].name}; only {value.args[0].name} itself may")
            found.append(value.args[1])
            return replace(value, args=value.args[:1])
        args = tuple(strip(arg) for arg in value.args)
        same = all(new is old for new, old in zip(args, value.args, strict=True))
        return value if same else replace(value, args=args)

    stripped = strip(body)
    if len(found) > 1:
        raise Mistake("states its opening value more than once")
    return stripped, (found[0] if found else None)


def _result(item: Line, body: Expr, opening: Expr | None) -> TracedLine:
    parents = dict.fromkeys(leaves(body)) | (dict.fromkeys(leaves(opening)) if opening is not None else {})
    return TracedLine(
        item.name, unit(item.unit), item.label, body, body.series, opening, tuple(parents), item.part_of,
        item.doc, item.chapter, item.place, choice_of=item.choice_of,
    )  # fmt: skip


def inside(value: Expr) -> Iterator[Expr]:
    """Every expression within this one."""
    for arg in value.args:
        yield arg
        yield from inside(arg)


def leaves(value: Expr, *, past: bool = True) -> Iterator[str]:
    """Names in the expression; without `past`, not those read only through `lag`."""
    if value.op in ("name", "table"):
        yield value.name
    else:
        skipped = 1 if value.op in ("lag", "lag_by") and not past else 0
        for arg in value.args[skipped:]:
            yield from leaves(arg, past=past)


def constants(value: Expr) -> Iterator[str]:
    """Names of the constants in the expression."""
    if value.op == "constant":
        yield value.name
    if value.op in ("ceil", "floor"):
        yield "almost_one"
    for arg in value.args:
        yield from constants(arg)
